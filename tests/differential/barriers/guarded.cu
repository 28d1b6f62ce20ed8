// if (i < n) { ... __syncthreads(); ... }: the other threads end, and count as arrived.
__global__ void guarded(const int *in, int *out, int n)
{
    __shared__ int buffer[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        buffer[t] = in[i] * 3;
        __syncthreads();
        int last = n - 1 - blockIdx.x * blockDim.x;
        if (last > (int)blockDim.x - 1)
            last = blockDim.x - 1;
        int value = buffer[last - t];
        __syncthreads();
        buffer[t] = value + 1;
        __syncthreads();
        out[i] = buffer[last - t] - in[i];
    }
}
