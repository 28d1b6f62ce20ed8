// The head of a recursive function, which returns early, becomes a part of its calls; its calls have been merged before.
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

// A walk stays whole.
__device__ void count(const Node *nodes, int n, int *sum)
{
    if (n < 0)
        return;
    *sum += 1;
    count(nodes, nodes[n].left, sum);
    count(nodes, nodes[n].right, sum);
}

// So does a function that makes a pointer to a parameter.
__device__ void kept(int n, int *sum)
{
    int *p = &n;
    if (*p < 0)
        return;
    kept(n - 1, sum);
    *sum += n;
}

__global__ void k(const Node *nodes, float *out)
{
    float best = 1e30f;
    int sum = 0;
    nearest(nodes, 0, out[threadIdx.x], &best);
    count(nodes, 0, &sum);
    kept(3, &sum);
    out[threadIdx.x] = best + sum;
}
