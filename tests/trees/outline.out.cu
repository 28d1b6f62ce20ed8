__device__ k.loop0 k.loop0(int at, int steps, const float *weights, float sum, const int *next);

__global__ void k(const int *next, const float *weights, float *out, int n) {
    __shared__ int limit;
    int at = threadIdx.x;
    int steps = 0;
    float sum = 0.0f;
    limit = n;
    while (at >= 0 && steps < limit) {
        float w = weights[at];
        sum += w;
        at = next[at];
        steps++;
    }
    for (int i = 0; i < n; i++) {
        out[i] = threadIdx.x;
    }
    out[threadIdx.x] = sum + steps;
}

__device__ k.loop0 k.loop0(int at, int steps, const float *weights, float sum, const int *next) {
    while (at >= 0 && steps < limit) {
        float w = weights[at];
        sum += w;
        at = next[at];
        steps++;
    }
    k.loop0 results;
    results.steps0 = steps;
    results.sum1 = sum;
    return results;
}
