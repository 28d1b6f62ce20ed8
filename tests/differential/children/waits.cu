// Blocks that wait for their children with the `cudaDeviceSynchronize()` of CUDA before 12.
__global__ void square(int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) at[i] = at[i] * at[i] + 1;
}

// Each thread waits for what it has launched.
__global__ void own(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int *at = out + i;
    *at = in[i];
    for (int round = 0; round < in[i] % 4; round++) {
        square<<<1, 1>>>(at, 1);
        cudaDeviceSynchronize();
        *at %= 100;
    }
}

// One thread launches, and all wait for it.
__global__ void whole(const int *in, int *out, int n) {
    __shared__ int total;
    int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
    if (i < n) out[i] = in[i] % 30;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int count = min((int)blockDim.x, n - first);
        if (count > 0) square<<<2, (count + 1) / 2>>>(out + first, count);
        cudaDeviceSynchronize();
    }
    __syncthreads();
    if (i < n) atomicAdd(&total, out[i]);
    __syncthreads();
    if (i < n) out[i] = total - out[i];
}

// A tree of blocks, each of which waits for those below it.
__global__ void tree(int *sums, int node, int depth) {
    __shared__ int seen;
    if (threadIdx.x == 0) seen = 0;
    __syncthreads();
    if (depth > 0) {
        if (threadIdx.x < 2) tree<<<1, blockDim.x>>>(sums, 2 * node + 1 + threadIdx.x, depth - 1);
        cudaDeviceSynchronize();
        __syncthreads();
        if (threadIdx.x == 0) seen = sums[2 * node + 1] + sums[2 * node + 2];
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[node] = seen + node + 1;
}

__global__ void root(int *sums, int depth) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        tree<<<1, blockDim.x>>>(sums, 0, depth);
        cudaDeviceSynchronize();
        sums[0] *= 2;
    }
}

__global__ void counted(int *at, int n) {
    if (n < 2) {
        *at = n;
        return;
    }
    int *below = (int *)malloc(2 * sizeof(int));
    counted<<<1, 1>>>(below, n - 1);
    counted<<<1, 1>>>(below + 1, n - 2);
    cudaDeviceSynchronize();
    *at = below[0] + below[1];
    free(below);
}

__global__ void fibonacci(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < 9) counted<<<1, 1>>>(&out[i], i);
}
