struct Node;
struct Tree;

struct Node {
    float x;
    float y;
    int left;
    int right;
};

struct Tree {
    const Node *nodes;
    int count;
};

__constant__ Tree known;

__global__ void becomes(const Node *nodes, const int *start, float *out, Tree tree, int n) {
    float sum = 0.0f;
    int node = start[threadIdx.x];
    int last;
    for (last = node; nodes[node].left; last = node, node = nodes[node].x > 0.0f ? nodes[node].left : nodes[node].right) {
        sum += nodes[node].y;
    }
    int other = tree.nodes[n].right;
    int third = n;
    other += start[1];
    third = third + start[2] - 1;
    int from = start[n];
    int end = start[n + 1];
    while (from < end) {
        sum += *(start + from++);
    }
    out[threadIdx.x] = sum + nodes[last].x + (tree.nodes + other)[2].x + (long)(last - node) + known.nodes[third].y + (long)(end - from) + (start + end)[-1];
}

__global__ void stays(Node *nodes, Node *more, const int *start, float *out, const char *text, int n) {
    Node *even = &nodes[n + threadIdx.x];
    Node *two = &nodes[start[0]];
    Node *seen = &nodes[start[1]];
    Node **see = &seen;
    Node *changed = &nodes[start[2]];
    const char *letter = text + start[3];
    two = start[1] ? two : more;
    nodes = more;
    const Node *next = *see;
    const volatile int *held = &start[start[4]];
    const float *part = &two->x + start[5];
    const Node *null = start[6] ? &more[start[6]] : nullptr;
    float tile[8];
    tile[n & 7] = n;
    const float *own = tile + (start[7] & 7);
    out[threadIdx.x] = even->x + two->x + seen->y + changed->x + *letter + next->x + *held + *part + *own + !null;
}
