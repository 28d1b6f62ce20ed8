struct Node;
struct Query;

struct Node {
    int key;
    int left;
    int right;
};

struct Query {
    int x;
    int best;
    int visits;
};

__device__ void nearest(const Node *nodes, int n, Query *q, int call, int carried);
__device__ void all(const Node *nodes, int n, Query *q);

__device__ void nearest(const Node *nodes, int n, Query *q, int call, int carried) {
    if (call == 1) {
        if (!(carried * carried < q->best)) {
            return;
        }
    } else if (call == 2) {
        q->visits++;
        return;
    }
    const int d = nodes[n].key - q->x;
    if (d * d < q->best) {
        q->best = d * d;
    }
    const int near = d > 0 ? nodes[n].left : nodes[n].right;
    const int far = d > 0 ? nodes[n].right : nodes[n].left;
    if (near >= 0) {
        nearest(nodes, near, q, 0, 0);
    }
    if (far >= 0) {
        nearest(nodes, far, q, 1, d);
    }
    nearest(nodes, n, q, 2, 0);
}

__device__ void all(const Node *nodes, int n, Query *q) {
    q->visits += nodes[n].key;
    if (nodes[n].left >= 0) {
        all(nodes, nodes[n].left, q);
    }
    if (nodes[n].right >= 0) {
        all(nodes, nodes[n].right, q);
    }
}

__global__ void k(const Node *nodes, int *out) {
    Query q = {(int)threadIdx.x, 1048576, 0};
    nearest(nodes, 0, &q, 0, 0);
    all(nodes, 0, &q);
    out[threadIdx.x] = q.best + q.visits;
}
