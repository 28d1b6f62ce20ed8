typedef struct Node { int key; struct Node *left, *right; } Node;

// A walk: the order of its visits is the same for all threads, and it returns from inside loops.
__device__ void visit(const Node *node, int depth, int *sum) {
    if (depth > 9) return;
    for (int i = 0; i < 3; i++) {
        switch (node->key) {
        case 1: return;
        case 2: sum[i]++; break;
        }
        while (sum[i] > 100) { if (sum[2]) return; sum[i] /= 2; }
    }
    if (node->left) visit(node->left, depth + 1, sum);
    if (node->right) { const int more = depth + 2; visit(node->right, more, sum); visit(node, 10, sum); }
}

// Each thread goes down where it wants.
__device__ int find(const Node *node, int key) {
    if (!node) return -1;
    if (key == node->key) return key;
    if (key < node->key) return find(node->left, key);
    return find(node->right, key);
}

// What one visit writes decides about the next one: this stays as it is.
__device__ void guided(const Node *node, int *best) {
    if (node->left && *best > 3) guided(node->left, best);
    *best -= 1;
    if (node->right && *best > 3) guided(node->right, best);
}

__global__ void k(const Node *root, int *out) {
    int sum[3] = {0, 0, 0};
    visit(root, 0, sum);
    out[threadIdx.x] = sum[0] + sum[1] + find(root, sum[2]);
    int best = 9;
    guided(root, &best);
    out[threadIdx.x] += best;
}
