// An octree: the loop over the children becomes as many calls.
struct Node { float mass; int child[4]; };

__device__ void visit(const Node *nodes, int n, float *sum) {
    *sum += nodes[n].mass;
    for (int i = 0; i < 4; i++) {
        if (nodes[n].child[i] < 0) continue;
        visit(nodes, nodes[n].child[i], sum);
    }
}

__global__ void k(const Node *nodes, float *sums) {
    float sum = 0;
    visit(nodes, threadIdx.x, &sum);
    sums[threadIdx.x] = sum;
}
