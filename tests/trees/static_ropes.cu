typedef struct { int key, axis, left, right; } Node;
typedef struct { int x, count; } Query;

// A node's data say which children it has; a thread's data, whether it visits them.
__device__ void visit(const Node *nodes, int n, Query *q) {
    if (n < 0 || nodes[n].key > q->x) return;
    const Node *node = &nodes[n];
    for (int i = 0; i < 3; i++) if (q->count == i) return;
    q->count = q->count * 31 + node->key;
    if (node->axis < 0) { q->x++; return; }
    visit(nodes, node->left, q);
    if (node->right > 0) visit(nodes, node->right, q);
}

__device__ int search(const Node *tree, int x) {
    Query q = {x, 0};
    visit(tree, 0, &q);
    return q.count;
}

__global__ void k(const Node *nodes, const int *queries, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = search(nodes, queries[i]);
}

// Threads begin anywhere: this kernel stays as it is.
__global__ void anywhere(const Node *nodes, int *out) {
    Query q = {9, 0};
    visit(nodes, threadIdx.x, &q);
    out[threadIdx.x] = q.count;
}
