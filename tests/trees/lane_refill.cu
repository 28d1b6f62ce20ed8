typedef struct Node { int key, left, right; } Node;
typedef struct { int x, sum, first[2]; } Query;

// A stack for each thread. Leaves are long work.
__device__ void visit(const Node *nodes, int dim, int n, Query *q) {
    const Node *const leaf = nodes + n;
    q->sum += nodes[n].key * dim;
    if (!nodes[n].left) {
        for (int i = 0; i < leaf->right; i++) { if (q->sum < 0) return; q->sum += i; }
        return;
    }
    if (q->x < nodes[n].key && nodes[n].left) visit(nodes, dim, nodes[n].left, q);
    if (nodes[n].right) visit(nodes, dim, nodes[n].right, q);
}

// A parameter decides for all threads which call they make; one returns early.
__device__ int sum_of(const Node *nodes, int dim, Query *q) {
    if (q->x < 0) return -1;
    switch (dim) {
    case 2: visit(nodes, 2, 0, q); break;
    default: visit(nodes, dim, 0, q);
    }
    return q->sum;
}

__global__ void sums(const Node *nodes, const int *x, int dim, int count, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Query q = {x[i], 0, {i, 2}};
    out[i] = sum_of(nodes, dim, &q);
    out[i] += q.first[1];
}

// No stack, and a result. Threads decide which call they make.
__device__ int find(const Node *nodes, int n, int key) {
    if (!n || key == nodes[n].key) return n;
    return find(nodes, key < nodes[n].key ? nodes[n].left : nodes[n].right, key);
}

__global__ void finds(const Node *nodes, const int *keys, int *out) {
    const int i = (blockIdx.y * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y, next = keys[i];
    int odd[2] = {next, 0};
    if (next & 1) {
        odd[1] = find(nodes, odd[0] & 7, next);
        out[i] = odd[0];
    } else {
        odd[0] = find(nodes, 1, next + 1);
    }
    out[i] += odd[0] + odd[1];
}

// Threads exchange data: this stays as it is.
__global__ void total(const Node *nodes, int key, int *out) { atomicAdd(out, find(nodes, threadIdx.x, key)); }
