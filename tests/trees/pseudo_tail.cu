struct Node { int key, left, right; };
struct Query { int x, best, visits; };

// Whether the second child is visited depends on what the first visit found; then something is left to do.
__device__ void nearest(const Node *nodes, int n, Query *q) {
    const int d = nodes[n].key - q->x;
    if (d * d < q->best) q->best = d * d;
    const int near = d > 0 ? nodes[n].left : nodes[n].right, far = d > 0 ? nodes[n].right : nodes[n].left;
    if (near >= 0) nearest(nodes, near, q);
    if (far >= 0 && d * d < q->best) nearest(nodes, far, q);
    q->visits++;
}

// It has this form already.
__device__ void all(const Node *nodes, int n, Query *q) {
    q->visits += nodes[n].key;
    if (nodes[n].left >= 0) all(nodes, nodes[n].left, q);
    if (nodes[n].right >= 0) all(nodes, nodes[n].right, q);
}

__global__ void k(const Node *nodes, int *out) {
    Query q = {(int)threadIdx.x, 1 << 20, 0};
    nearest(nodes, 0, &q);
    all(nodes, 0, &q);
    out[threadIdx.x] = q.best + q.visits;
}
