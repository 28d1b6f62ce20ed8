/* Kernels that leave axes of their blocks out: all threads along them do the same. */
__device__ int weighed(const int *in, int x, int rows) {
    int sum = 0;
    for (int k = 0; k < in[x] % 7; k++)
        sum += in[(x + k) % rows] * (k + 1);
    return sum;
}

/* One row would do; what the block's size is can still be asked for. */
__global__ void columns(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int own[5];
    if (x >= nx)
        return;
    for (int k = 0; k < 5; k++)
        own[(k + x) % 5] = in[x] + k;
    out[x] = weighed(in, x, nx) + own[x % 3] + 100 * blockDim.y + 1000 * threadIdx.x;
}

/* One layer would do. */
__global__ void layers(const int *in, int *out, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        out[y * nx + x] = weighed(in, x, nx) + threadIdx.y;
}

/* Every thread counts. */
__global__ void counted(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < nx)
        atomicAdd(&out[x], in[x]);
}
