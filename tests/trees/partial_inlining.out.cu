struct Node;

struct Node {
    float split;
    int left;
    int right;
};

__device__ __forceinline__ void nearest(const Node *nodes, int n, float x, float *best);
__device__ void count(const Node *nodes, int n, int *sum);
__device__ void kept(int n, int *sum);
__device__ __noinline__ void nearest_rest(const Node *nodes, int n, float x, float *best, float d);

__device__ __forceinline__ void nearest(const Node *nodes, int n, float x, float *best) {
    if (n < 0) {
        return;
    }
    float d = x - nodes[n].split;
    if (d * d < *best) {
        *best = d * d;
    }
    nearest_rest(nodes, n, x, best, d);
}

__device__ void count(const Node *nodes, int n, int *sum) {
    if (n < 0) {
        return;
    }
    *sum += 1;
    count(nodes, nodes[n].left, sum);
    count(nodes, nodes[n].right, sum);
}

__device__ void kept(int n, int *sum) {
    int *p = &n;
    if (*p < 0) {
        return;
    }
    kept(n - 1, sum);
    *sum += n;
}

__global__ void k(const Node *nodes, float *out) {
    float best = 1e+30f;
    int sum = 0;
    nearest(nodes, 0, out[threadIdx.x], &best);
    count(nodes, 0, &sum);
    kept(3, &sum);
    out[threadIdx.x] = best + sum;
}

__device__ __noinline__ void nearest_rest(const Node *nodes, int n, float x, float *best, float d) {
    {
        const bool first_arm = d < 0.0f;
        if (first_arm) {
            nearest(nodes, nodes[n].left, x, best);
        }
        if (first_arm ? d * d < *best : true) {
            nearest(nodes, nodes[n].right, x, best);
        }
        if (!first_arm) {
            if (d * d < *best) {
                nearest(nodes, nodes[n].left, x, best);
            }
        }
    }
}
