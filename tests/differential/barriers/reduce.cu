// Reductions and scans through shared memory: barriers in straight code and in loops.
__global__ void sum_blocks(const int *in, int *out, int n)
{
    __shared__ int part[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int width = blockDim.x; width > 1;) {
        int half = (width + 1) / 2;
        if (t + half < width)
            part[t] += part[t + half];
        width = half;
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void scan_blocks(const int *in, int *out, int n)
{
    __shared__ int buffer[2][1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, now = 0;
    buffer[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int next = 1 - now;
        buffer[next][t] = buffer[now][t] + (t >= distance ? buffer[now][t - distance] : 0);
        now = next;
        __syncthreads();
    }
    if (i < n)
        out[i] = buffer[now][t];
}
