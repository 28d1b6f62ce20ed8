__device__ int twice(int x);

__device__ int twice(int x) {
    return 2 * x;
}

__global__ void square(const int *in, int *out, int n) {
    int x = blockIdx.x;
    int y = blockIdx.y;
    if (x < n) {
        out[y * n + x] = twice(in[x * n + y]) + blockDim.x;
    }
}

__global__ void by_thread(int *out) {
    out[blockIdx.x] = threadIdx.x;
}

__global__ void square_lone(const int *in, int *out, int n) {
    const unsigned int block_x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int block_y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = block_x;
    int y = block_y;
    if (x < n) {
        out[y * n + x] = twice(in[x * n + y]) + blockDim.x;
    }
}
