// Nearest neighbour in a kd-tree: guided recursion, a struct with arrays, pruning on the way back.
#include <cstdio>
#include <vector>
#include <algorithm>
#define DIM 3
#define MAX_DEPTH 32

typedef struct Node {
    float point[DIM];
    int axis;
    struct Node *left, *right;
} Node;

struct Best {
    float distance;
    const Node *node;
};

static float host_distance(const float *a, const float *b) {
    float sum = 0;
    for (int i = 0; i < DIM; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

class Tree {
public:
    explicit Tree(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
    const Node *root() const { return nodes_.empty() ? nullptr : &nodes_[0]; }
private:
    std::vector<Node> nodes_;
};

__device__ __forceinline__ float distance2(const float *a, const float *b)
{
    float sum = 0.f;
#pragma unroll
    for (int i = 0; i < DIM; ++i) {
        const float d = a[i] - b[i];
        sum += d * d;
    }
    return sum;
}

__device__ void visit(const Node *node, const float *query, Best *best);

__device__ void visit(const Node *node, const float *query, Best *best)
{
    if (!node)
        return;
    float d = distance2(node->point, query);
    if (d < best->distance) {
        best->distance = d;
        best->node = node;
    }
    float gap = query[node->axis] - node->point[node->axis];
    const Node *near = gap < 0 ? node->left : node->right, *far = gap < 0 ? node->right : node->left;
    visit(near, query, best);
    if (gap * gap < best->distance)
        visit(far, query, best);
}

extern "C" __global__ void __launch_bounds__(256, 2) search(const Node *__restrict__ root, const float *queries, float *result,
                                                            int *axis, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float q[DIM];
    for (int k = 0; k < DIM; k++) q[k] = queries[DIM * i + k];
    Best best = {INFINITY, NULL};
    visit(root, q, &best);
    result[i] = sqrtf(best.distance);
    axis[i] = best.node ? best.node->axis : -1;
}

int main(int argc, char **argv)
{
    auto less = [](const Node &a, const Node &b) { return a.point[0] < b.point[0]; };
    std::vector<Node> nodes(10);
    std::sort(nodes.begin(), nodes.end(), less);
    search<<<1, 256>>>(nullptr, nullptr, nullptr, nullptr, 0);
    printf("%f\n", host_distance(nodes[0].point, nodes[1].point));
}
