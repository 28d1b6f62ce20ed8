// The body of a function with a barrier in place of its calls, with variables of its own, but for shared ones.
__device__ int exchange(int *b, int v)
{
    __shared__ int last;
    b[threadIdx.x] = v;
    __syncthreads();
    int r = b[0];
    if (threadIdx.x == 0)
        last = r;
    __syncthreads();
    return r + last;
}

// Not at its end only.
__device__ int early(int *b)
{
    if (b[0])
        return 1;
    __syncthreads();
    return b[1];
}

__device__ void meet()
{
    __syncthreads();
}

__global__ void k(int *out, int n)
{
    __shared__ int b[64];
    int x = n, *p = &n;
    x += exchange(b, x) * 2;
    for (int i = exchange(b, 1); i < n; i++)
        if (n > 3)
            meet();
    x = n + exchange(b, *p);          // may change n
    x = n > 2 && exchange(b, x);      // not by all threads
    out[x] = early(b);
}
