struct Node;

struct Node {
    float mass;
    int child[4];
};

__device__ void visit(const Node *nodes, int n, float *sum);

__device__ void visit(const Node *nodes, int n, float *sum) {
    *sum += nodes[n].mass;
    {
        const int i = 0;
        if (!(nodes[n].child[i] < 0)) {
            visit(nodes, nodes[n].child[i], sum);
        }
        const int i_2 = 1;
        if (!(nodes[n].child[i_2] < 0)) {
            visit(nodes, nodes[n].child[i_2], sum);
        }
        const int i_3 = 2;
        if (!(nodes[n].child[i_3] < 0)) {
            visit(nodes, nodes[n].child[i_3], sum);
        }
        const int i_4 = 3;
        if (!(nodes[n].child[i_4] < 0)) {
            visit(nodes, nodes[n].child[i_4], sum);
        }
    }
}

__global__ void k(const Node *nodes, float *sums) {
    float sum = 0.0f;
    visit(nodes, threadIdx.x, &sum);
    sums[threadIdx.x] = sum;
}
