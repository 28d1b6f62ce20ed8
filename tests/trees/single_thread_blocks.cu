// Blocks of one thread: a companion has the number of a thread in its row of blocks in place of the block's.
__device__ int twice(int x)
{
    return 2 * x;
}

__global__ void square(const int *in, int *out, int n)
{
    int x = blockIdx.x, y = blockIdx.y;
    if (x < n)
        out[y * n + x] = twice(in[x * n + y]) + blockDim.x;
}

__global__ void by_thread(int *out)
{
    out[blockIdx.x] = threadIdx.x;
}
