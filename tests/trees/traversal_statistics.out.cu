struct Node;

struct Node {
    float split;
    int left;
    int right;
};

__device__ int height(const Node *nodes, int n);
__device__ bool is_even(int n);
__device__ bool is_odd(int n);
__device__ void walk(const Node *nodes, int n, int *sum);

__device__ int height(const Node *nodes, int n) {
    __s2s_visit(0u);
    if (n < 0) {
        return 0;
    }
    int left = height(nodes, nodes[n].left);
    int right = height(nodes, nodes[n].right);
    return 1 + (left > right ? left : right);
}

__device__ bool is_even(int n) {
    __s2s_visit(1u);
    return n == 0 || is_odd(n - 1);
}

__device__ bool is_odd(int n) {
    __s2s_visit(1u);
    return n != 0 && is_even(n - 1);
}

__device__ void walk(const Node *nodes, int n, int *sum) {
    __s2s_visit(2u);
    if (n < 0) {
        return;
    }
    if (is_even(height(nodes, n))) {
        *sum += 1;
    }
    walk(nodes, nodes[n].left, sum);
    walk(nodes, nodes[n].right, sum);
}

__global__ void k(const Node *nodes, int *out) {
    int sum = 0;
    walk(nodes, 0, &sum);
    out[threadIdx.x] = sum;
}
