struct Node;

struct Node {
    float split;
    int left;
    int right;
};

__device__ void nearest(const Node *nodes, int n, float x, float *best);
__device__ void either(const Node *nodes, int n, int *sum);

__device__ void nearest(const Node *nodes, int n, float x, float *best) {
    if (n < 0) {
        return;
    }
    float d = x - nodes[n].split;
    if (d * d < *best) {
        *best = d * d;
    }
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

__device__ void either(const Node *nodes, int n, int *sum) {
    if (n < 0) {
        return;
    }
    if (nodes[n].split < 0.0f) {
        either(nodes, nodes[n].left, sum);
    } else {
        either(nodes, nodes[n].right + 1, sum);
    }
    *sum += n;
}

__global__ void k(const Node *nodes, float *out) {
    float best = 1e+30f;
    int sum = 0;
    nearest(nodes, 0, out[threadIdx.x], &best);
    either(nodes, 0, &sum);
    out[threadIdx.x] = best + sum;
}
