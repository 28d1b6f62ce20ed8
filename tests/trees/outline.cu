// A loop of which few lanes may be left, as a function of its variables.
__global__ void k(const int *next, const float *weights, float *out, int n)
{
    __shared__ int limit;
    int at = threadIdx.x, steps = 0;
    float sum = 0;
    limit = n;
    while (at >= 0 && steps < limit) {
        float w = weights[at];
        sum += w;
        at = next[at];
        steps++;
    }
    for (int i = 0; i < n; i++)
        out[i] = threadIdx.x;
    out[threadIdx.x] = sum + steps;
}
