// Traversals of one binary search tree by many threads: nodes by index and by pointer, guided and unguided.
typedef struct {
    int key, left, right;
} Node;

__device__ int depth_of(const Node *nodes, int at, int key)
{
    if (at < 0)
        return -100;
    if (nodes[at].key == key)
        return 0;
    return 1 + depth_of(nodes, key < nodes[at].key ? nodes[at].left : nodes[at].right, key);
}

__device__ void visit(const Node *nodes, int at, int low, int high, int *count, int *sum)
{
    if (at < 0)
        return;
    const Node *node = &nodes[at];
    if (node->key >= low && node->key <= high) {
        ++*count;
        *sum += node->key;
    }
    if (low < node->key)
        visit(nodes, node->left, low, high, count, sum);
    if (high > node->key)
        visit(nodes, node->right, low, high, count, sum);
}

__global__ void ranges(const Node *nodes, int root, const int *keys, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int count = 0, sum = 0;
        visit(nodes, root, keys[i] - i % 9, keys[i] + i % 5, &count, &sum);
        out[i] = depth_of(nodes, root, keys[i]) * 100000 + count * 1000 + sum;
    }
}

struct Tree {
    int key;
    const struct Tree *child[2];
};

__device__ int height(const struct Tree *t)
{
    if (!t)
        return 0;
    int a = height(t->child[0]), b = height(t->child[1]);
    return 1 + (a > b ? a : b);
}

__device__ const struct Tree *find(const struct Tree *t, int key)
{
    if (!t || t->key == key)
        return t;
    return find(t->child[key > t->key], key);
}

__global__ void pointers(const struct Tree *root, const int *keys, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const struct Tree *t = find(root, keys[i]);
        out[i] = height(t) * 100 + (t ? t->key : -1);
        if (i % 3 == 0)
            out[i] += height(root) * 10000;
    }
}
