// Traversals as loops over a stack of the thread's own, which become recursive walks.
typedef struct {
    float point[3];
    int axis, left, right;
} KdNode;

__global__ void nearest_by_stack(
    const KdNode *nodes, int root, const float *queries, int *found, float *distances, int *visits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *q = queries + i * 3;
    float best = 1e30f;
    int nearest = -1, visited = 0;
    int stack[64], top = 0;
    float gaps[64];
    gaps[top] = 0.0f;
    stack[top++] = root;
    while (top > 0) {
        --top;
        if (gaps[top] >= best)
            continue;
        const int at = stack[top];
        const KdNode *node = &nodes[at];
        float d = 0.0f;
        for (int k = 0; k < 3; k++)
            d += (node->point[k] - q[k]) * (node->point[k] - q[k]);
        visited++;
        if (d < best) {
            best = d;
            nearest = at;
        }
        const float gap = q[node->axis] - node->point[node->axis];
        const int near = gap < 0.0f ? node->left : node->right;
        const int far = gap < 0.0f ? node->right : node->left;
        if (far >= 0) {
            stack[top] = far;
            gaps[top++] = gap * gap;
        }
        if (near >= 0) {
            stack[top] = near;
            gaps[top++] = 0.0f;
        }
    }
    found[i] = nearest;
    distances[i] = best;
    visits[i] = visited;
}

__global__ void nearest_by_current_node(
    const KdNode *nodes, int root, const float *queries, int *found, float *distances, int *visits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *q = queries + i * 3;
    float best = 1e30f;
    int nearest = -1, visited = 0;
    int stack[64], *top = stack, at = root;
    *top++ = -1;
    while (at != -1) {
        const KdNode *node = &nodes[at];
        float d = 0.0f;
        for (int k = 0; k < 3; k++)
            d += (node->point[k] - q[k]) * (node->point[k] - q[k]);
        visited++;
        if (d < best) {
            best = d;
            nearest = at;
        }
        const float gap = q[node->axis] - node->point[node->axis];
        const bool left = node->left >= 0 && (gap < 0.0f || gap * gap < best);
        const bool right = node->right >= 0 && (gap >= 0.0f || gap * gap < best);
        if (!left && !right) {
            at = *--top;
        } else {
            at = left ? node->left : node->right;
            if (left && right)
                *top++ = node->right;
        }
    }
    found[i] = nearest;
    distances[i] = best;
    visits[i] = visited;
}
