// RUN: assembly
// A recursive walk is a loop over a stack of nodes and masks in its caller, and the query lives in registers.
struct Node { float box[4]; float x, y; int left, right; };
struct Query { float x, y; int count; };

__device__ void visit(const Node *nodes, int n, float radius, Query *q)
{
    const Node *node = &nodes[n];
    const float dx = q->x - fminf(fmaxf(q->x, node->box[0]), node->box[1]);
    const float dy = q->y - fminf(fmaxf(q->y, node->box[2]), node->box[3]);
    if (dx * dx + dy * dy > radius)
        return;
    if ((q->x - node->x) * (q->x - node->x) + (q->y - node->y) * (q->y - node->y) <= radius)
        q->count++;
    if (node->left >= 0)
        visit(nodes, node->left, radius, q);
    if (node->right >= 0)
        visit(nodes, node->right, radius, q);
}

// CHECK-LABEL: {{^}}near:
// CHECK-NOT:   call
// CHECK:       # %walk.round
// CHECK-NOT:   {{call|zmm[0-9]+, .*\((%rsp|%rbx|%rbp)|\((%rsp|%rbx|%rbp)\), %zmm}}
// CHECK:       kmovw {{.*}}, %k
// CHECK-NOT:   call
// CHECK:       .Lfunc_end

__global__ void near(const Node *nodes, const float *x, const float *y, float radius, int n, int *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Query q = {x[i], y[i], 0};
    visit(nodes, 0, radius, &q);
    count[i] = q.count;
}
