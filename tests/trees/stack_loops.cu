// Loops over a stack of the thread's own become recursive functions; what they push, these call at their end.
struct Node { float low, high; int second, count, axis; };

__global__ void collect(const Node *nodes, const float *points, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float x = points[i];
    float sum = 0.0f;
    int stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const int at = stack[--top];
        if (x < nodes[at].low)
            continue;
        sum += nodes[at].high;
        if (nodes[at].second >= 0)
            stack[top++] = nodes[at].second;
        if (nodes[at].count == 0)
            stack[top++] = at + 1;
    }
    sums[i] = sum;
}

__global__ void first_hit(const Node *nodes, const float *rays, int *hits)
{
    const float ray = rays[threadIdx.x];
    const int backwards[2] = {ray < 0.0f, ray > 1.0f};
    int hit = -1, at = 0, top = 0, stack[64];
    while (true) {
        const Node *node = &nodes[at];
        if (ray >= node->low && ray <= node->high) {
            if (node->count > 0) {
                hit = at;
                break;
            }
            if (backwards[node->axis]) {
                stack[top++] = at + 1;
                at = node->second;
            } else {
                stack[top++] = node->second;
                at = at + 1;
            }
        } else {
            if (top == 0)
                break;
            at = stack[--top];
        }
    }
    hits[threadIdx.x] = hit;
}

__global__ void nearest(const Node *nodes, const float *points, float *distances)
{
    const float x = points[threadIdx.x];
    float best = 1e30f, lows[64];
    const Node *stack[64];
    int top = 0;
    lows[top] = 0.0f;
    stack[top++] = nodes;
    while (top > 0) {
        top--;
        if (lows[top] > best)
            continue;
        const Node *node = stack[top];
        best = fminf(best, fabsf(x - node->low));
        if (node->count > 0)
            continue;
        const Node *near = node + 1, *far = nodes + node->second;
        if (x > node->high) {
            const Node *other = near;
            near = far;
            far = other;
        }
        lows[top] = fabsf(x - node->high);
        stack[top++] = far;
        lows[top] = 0.0f;
        stack[top++] = near;
    }
    distances[threadIdx.x] = best;
}
