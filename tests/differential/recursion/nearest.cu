// Nearest neighbour in a kd-tree: the near child first, the far one only if it can hold something nearer.
#define DIMS 3

typedef struct {
    float point[DIMS];
    int axis, left, right;
} KdNode;

typedef struct {
    float point[DIMS];
    float best;
    int nearest, visited;
} Query;

__device__ void nearest(const KdNode *nodes, int at, Query *q)
{
    if (at < 0)
        return;
    const KdNode *node = nodes + at;
    float d = 0.0f;
    for (int k = 0; k < DIMS; k++)
        d += (node->point[k] - q->point[k]) * (node->point[k] - q->point[k]);
    q->visited++;
    if (d < q->best) {
        q->best = d;
        q->nearest = at;
    }
    float gap = q->point[node->axis] - node->point[node->axis];
    if (gap < 0.0f) {
        nearest(nodes, node->left, q);
        if (gap * gap < q->best)
            nearest(nodes, node->right, q);
    } else {
        nearest(nodes, node->right, q);
        if (gap * gap < q->best)
            nearest(nodes, node->left, q);
    }
}

__global__ void search(const KdNode *nodes, int root, const float *queries, int *found, float *distance, int *visited, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Query q;
        for (int k = 0; k < DIMS; k++)
            q.point[k] = queries[i * DIMS + k];
        q.best = 1e30f;
        q.nearest = -1;
        q.visited = 0;
        nearest(nodes, root, &q);
        found[i] = q.nearest;
        distance[i] = q.best;
        visited[i] = q.visited;
    }
}
