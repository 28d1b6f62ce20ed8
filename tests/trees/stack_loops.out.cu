struct Node;

struct Node {
    float low;
    float high;
    int second;
    int count;
    int axis;
};

__device__ void collect_walk(const Node *nodes, float x, float *sum, int stack_entry);
__device__ void first_hit_walk(const Node *nodes, float ray, const int *backwards, int *hit, bool *done, int at);
__device__ void nearest_walk(const Node *nodes, float x, float *best, float lows_entry, const Node *stack_entry);

__device__ void collect_walk(const Node *nodes, float x, float *sum, int stack_entry) {
    const int at = stack_entry;
    if (x < nodes[at].low) {
        return;
    }
    *sum += nodes[at].high;
    const bool goes_1 = nodes[at].second >= 0;
    const bool goes_2 = nodes[at].count == 0;
    if (goes_2) {
        collect_walk(nodes, x, sum, at + 1);
    }
    if (goes_1) {
        collect_walk(nodes, x, sum, nodes[at].second);
    }
}

__global__ void collect(const Node *nodes, const float *points, float *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float x = points[i];
    float sum = 0.0f;
    collect_walk(nodes, x, &sum, 0);
    sums[i] = sum;
}

__device__ void first_hit_walk(const Node *nodes, float ray, const int *backwards, int *hit, bool *done, int at) {
    if (*done) {
        return;
    }
    const Node *node = &nodes[at];
    if (!(ray >= node->low && ray <= node->high)) {
        return;
    }
    if (node->count > 0) {
        *hit = at;
        *done = true;
        return;
    }
    if (backwards[node->axis]) {
        first_hit_walk(nodes, ray, backwards, hit, done, node->second);
        first_hit_walk(nodes, ray, backwards, hit, done, at + 1);
    } else {
        first_hit_walk(nodes, ray, backwards, hit, done, at + 1);
        first_hit_walk(nodes, ray, backwards, hit, done, node->second);
    }
}

__global__ void first_hit(const Node *nodes, const float *rays, int *hits) {
    const float ray = rays[threadIdx.x];
    const int backwards[2] = {ray < 0.0f, ray > 1.0f};
    int hit = -1;
    int at = 0;
    bool done = false;
    first_hit_walk(nodes, ray, backwards, &hit, &done, at);
    hits[threadIdx.x] = hit;
}

__device__ void nearest_walk(const Node *nodes, float x, float *best, float lows_entry, const Node *stack_entry) {
    if (lows_entry > *best) {
        return;
    }
    const Node *node = stack_entry;
    *best = fminf(*best, fabsf(x - node->low));
    if (node->count > 0) {
        return;
    }
    const Node *near = node + 1;
    const Node *far = nodes + node->second;
    const Node *const near_before_1 = near;
    const Node *const far_before_2 = far;
    const bool first_3 = x > node->high;
    if (first_3) {
        const Node *other = near;
        near = far;
        far = other;
    }
    const float pushed_4 = fabsf(x - node->high);
    if (first_3) {
        nearest_walk(nodes, x, best, 0.0f, far_before_2);
    }
    nearest_walk(nodes, x, best, first_3 ? pushed_4 : 0.0f, near_before_1);
    if (!first_3) {
        nearest_walk(nodes, x, best, pushed_4, far_before_2);
    }
}

__global__ void nearest(const Node *nodes, const float *points, float *distances) {
    const float x = points[threadIdx.x];
    float best = 1e+30f;
    nearest_walk(nodes, x, &best, 0.0f, nodes);
    distances[threadIdx.x] = best;
}
