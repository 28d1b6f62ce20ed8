struct Node;
struct Query;

struct Node {
    int key;
    int axis;
    int left;
    int right;
};

struct Query {
    int x;
    int count;
};

__device__ void visit(const Node *nodes, int n, Query *q);
__device__ int search(const Node *tree, int x);
__device__ __forceinline__ bool visit_continues(const Node *nodes, int n, Query *q);
__device__ void visit_by_ropes(const Node *nodes, int n, Query *q, const int *ropes);
__device__ int visit_install_ropes(const Node *nodes, int n, int *ropes, int room);
__device__ int search_by_ropes(const Node *tree, int x, const int *ropes);

__device__ void visit(const Node *nodes, int n, Query *q) {
    if (n < 0 || nodes[n].key > q->x) {
        return;
    }
    const Node *node = &nodes[n];
    for (int i = 0; i < 3; i++) {
        if (q->count == i) {
            return;
        }
    }
    q->count = q->count * 31 + node->key;
    if (node->axis < 0) {
        q->x++;
        return;
    }
    visit(nodes, node->left, q);
    if (node->right > 0) {
        visit(nodes, node->right, q);
    }
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

__global__ void anywhere(const Node *nodes, int *out) {
    Query q = {9, 0};
    visit(nodes, threadIdx.x, &q);
    out[threadIdx.x] = q.count;
}

__device__ __forceinline__ bool visit_continues(const Node *nodes, int n, Query *q) {
    if (nodes[n].key > q->x) {
        return false;
    }
    const Node *node = &nodes[n];
    for (int i = 0; i < 3; i++) {
        if (q->count == i) {
            return false;
        }
    }
    q->count = q->count * 31 + node->key;
    if (node->axis < 0) {
        q->x++;
        return false;
    }
    return true;
}

__device__ void visit_by_ropes(const Node *nodes, int n, Query *q, const int *ropes) {
    if (n < 0) {
        return;
    }
    while (n >= 0) {
        n = ropes[2 * n + visit_continues(nodes, n, q)];
    }
}

__device__ int visit_install_ropes(const Node *nodes, int n, int *ropes, int room) {
    if (n < 0) {
        return 0;
    }
    if (n < 0 || n >= 67108864) {
        return -1;
    }
    if (n >= room) {
        return n + 1;
    }
    ropes[2 * n] = -2;
    while (n >= 0) {
        int rope = ropes[2 * n];
        int first = rope;
        int last = -1;
        const Node *node = &nodes[n];
        if (node->axis < 0) {
            n = rope;
            continue;
        }
        {
            const int child = node->left;
            if (!(child < 0)) {
                if (child < 0 || child >= 67108864) {
                    return -1;
                }
                if (child >= room) {
                    return child + 1;
                }
                if (ropes[2 * child] != -1) {
                    return -1;
                }
                ropes[2 * child] = rope;
                if (last < 0) {
                    first = child;
                } else {
                    ropes[2 * last] = child;
                }
                last = child;
            }
        }
        if (node->right > 0) {
            {
                const int child = node->right;
                if (!(child < 0)) {
                    if (child < 0 || child >= 67108864) {
                        return -1;
                    }
                    if (child >= room) {
                        return child + 1;
                    }
                    if (ropes[2 * child] != -1) {
                        return -1;
                    }
                    ropes[2 * child] = rope;
                    if (last < 0) {
                        first = child;
                    } else {
                        ropes[2 * last] = child;
                    }
                    last = child;
                }
            }
        }
        ropes[2 * n + 1] = first;
        n = first;
    }
    return 0;
}

__device__ int search_by_ropes(const Node *tree, int x, const int *ropes) {
    Query q = {x, 0};
    visit_by_ropes(tree, 0, &q, ropes);
    return q.count;
}

__global__ void k_install_ropes(const Node *nodes, const int *queries, int *out, int *ropes, int room, int *state) {
    *state = visit_install_ropes(nodes, 0, ropes, room);
}

__global__ void k_by_ropes(const Node *nodes, const int *queries, int *out, const int *ropes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = search_by_ropes(nodes, queries[i], ropes);
}
