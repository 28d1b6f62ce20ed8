// && and ||: the right side runs only in the threads that need it, with its loads, calls and side effects.
__device__ int count_and_test(int *counter, int value)
{
    *counter += 1;
    return value & 1;
}

__global__ void effects(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], calls = 0, steps = 0;
        if (count_and_test(&calls, x) && count_and_test(&calls, x >> 1) || count_and_test(&calls, x >> 2))
            steps += 100;
        bool both = x > 20 && steps++ < 1000 && (x & 8);
        bool either = x > 90 || (steps += 10) > 100 || !both;
        while (steps < 130 && calls++ < 6 || steps == 0)
            steps += 7;
        out[i] = steps * 100 + calls * 10 + both * 2 + either;
    }
}

__global__ void guards(const int *in, const int *where, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r = -5;
    if (i < n && where[i] >= 0 && where[i] < n && in[where[i]] > 10)
        r = in[where[i]];
    if (i >= n || in[i] < 50 || r == 3)
        r--;
    if (i < n)
        out[i] = r;
}
