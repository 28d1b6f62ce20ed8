// Recursion whose depth all threads share, alone and together with arguments that differ or follow the thread index.
__device__ int sum_to(int n) { return n == 0 ? 0 : n + sum_to(n - 1); }

__device__ int spread(int depth, int i, const int *in, int n)
{
    if (depth == 0)
        return in[i % n];
    return spread(depth - 1, i + 1, in, n) - 2 * spread(depth - 1, i * 2, in, n);
}

__device__ void countdown(int depth, int lane, int *total)
{
    if (depth < 0)
        return;
    *total = *total * 3 + depth + (lane & 1);
    if ((*total & 7) == depth)
        return;
    countdown(depth - 1, lane + 1, total);
    *total += depth;
}

__global__ void uniform(const int *in, int *out, int n, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int shared_by_all = sum_to(depth) + sum_to(blockIdx.x);
    if (i < n) {
        int total = in[i];
        countdown(depth, threadIdx.x, &total);
        out[i] = shared_by_all * 100000 + spread(depth & 3, i, in, n) * 100 + (total & 1023);
    }
}
