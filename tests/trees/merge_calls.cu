// Calls of both arms are made once, in an order that contains both orders.
struct Node { float split; int left, right; };

__device__ void nearest(const Node *nodes, int n, float x, float *best)
{
    if (n < 0)
        return;
    float d = x - nodes[n].split;
    if (d * d < *best)
        *best = d * d;
    if (d < 0) {
        nearest(nodes, nodes[n].left, x, best);
        if (d * d < *best)
            nearest(nodes, nodes[n].right, x, best);
    } else {
        nearest(nodes, nodes[n].right, x, best);
        if (d * d < *best)
            nearest(nodes, nodes[n].left, x, best);
    }
}

// Different arguments: nothing to merge.
__device__ void either(const Node *nodes, int n, int *sum)
{
    if (n < 0)
        return;
    if (nodes[n].split < 0)
        either(nodes, nodes[n].left, sum);
    else
        either(nodes, nodes[n].right + 1, sum);
    *sum += n;
}

__global__ void k(const Node *nodes, float *out)
{
    float best = 1e30f;
    int sum = 0;
    nearest(nodes, 0, out[threadIdx.x], &best);
    either(nodes, 0, &sum);
    out[threadIdx.x] = best + sum;
}
