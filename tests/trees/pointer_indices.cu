// Pointers into one array that depend on what memory holds become indices.
struct Node {
    float x, y;
    int left, right;
};
struct Tree {
    const Node *nodes;
    int count;
};
__constant__ Tree known;

__global__ void becomes(const Node *nodes, const int *start, float *out, Tree tree, int n)
{
    float sum = 0;
    const Node *node = &nodes[start[threadIdx.x]], *last;
    for (last = node; node->left; last = node, node = node->x > 0 ? nodes + node->left : &nodes[node->right])
        sum += node->y;
    const Node *other = tree.nodes + tree.nodes[n].right, *third = &known.nodes[n];
    other += start[1];
    third = third + start[2] - 1;
    const int *from = start + start[n], *end = &start[start[n + 1]];
    while (from < end)
        sum += *from++;
    out[threadIdx.x] = sum + last->x + other[2].x + (last - node) + third->y + (end - from) + end[-1];
}

// Others stay pointers.
__global__ void stays(Node *nodes, Node *more, const int *start, float *out, const char *text, int n)
{
    Node *even = &nodes[n + threadIdx.x];                     // its index is no value from memory
    Node *two = &nodes[start[0]], *seen = &nodes[start[1]];   // of two arrays; its address is known elsewhere
    Node **see = &seen, *changed = &nodes[start[2]];          // its base changes
    const char *letter = text + start[3];                     // elements of a byte: distances of 2^32
    two = start[1] ? two : more;
    nodes = more;
    const Node *next = *see;
    volatile const int *held = &start[start[4]];
    const float *part = &two->x + start[5];
    const Node *null = start[6] ? &more[start[6]] : nullptr;
    float tile[8];
    tile[n & 7] = n;
    const float *own = tile + (start[7] & 7);
    out[threadIdx.x] = even->x + two->x + seen->y + changed->x + *letter + next->x + *held + *part + *own + !null;
}
