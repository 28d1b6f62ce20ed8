// RUN: assembly
// The node of a recursive traversal is uniform among the active lanes: its fields are scalar loads.
struct Node { int axis; float split; int right; int count; };
struct Query { float x[4]; float best; int index; };

__device__ void search(const Node *nodes, int n, Query *q)
{
    const Node *node = &nodes[n];
    if (node->axis < 0) {
        float d = q->x[0] - node->split;
        if (d * d < q->best) {
            q->best = d * d;
            q->index = node->right;
        }
        return;
    }
    float diff = q->x[node->axis] - node->split;
    if (diff < 0) {
        search(nodes, n + 1, q);
        if (diff * diff < q->best)
            search(nodes, node->right, q);
    } else {
        search(nodes, node->right, q);
        if (diff * diff < q->best)
            search(nodes, n + 1, q);
    }
}

// What returns at once, the leaf, is part of the calls; a search for one lane continues in code for one.
// CHECK-LABEL: {{^}}search_rest:
// CHECK-NOT:   gather
// CHECK:       callq search_rest{{$}}
// CHECK-NOT:   gather
// CHECK:       callq search_rest{{$}}
// CHECK-NOT:   gather
// CHECK:       .Lfunc_end
// CHECK-LABEL: {{^}}search_rest.1:
// CHECK-NOT:   {{zmm|gather}}
// CHECK:       callq search_rest.1
// CHECK-NOT:   {{zmm|gather}}
// CHECK:       .Lfunc_end

__global__ void nn(const Node *nodes, const float *points, int n, float *best, int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Query q;
    for (int d = 0; d < 4; d++)
        q.x[d] = points[d * n + i];
    q.best = 1e30f;
    q.index = -1;
    search(nodes, 0, &q);
    best[i] = q.best;
    index[i] = q.index;
}
