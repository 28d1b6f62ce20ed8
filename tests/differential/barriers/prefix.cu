// Code between barriers that only the first threads of each row run: those below a bound that is the same in a block.

__global__ void trees(const int *in, int *out, int n)
{
    __shared__ int sums[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
        int half = (width + 1) / 2;
        if (t < width - half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (!threadIdx.x)
        sums[0] *= 2;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

// Every form of the comparison, with bounds below zero, inside and above the block; `mine` lives across all regions.
__global__ void bounds(const int *in, int *out, int n, int bound)
{
    __shared__ int last[1024];
    unsigned t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t, mine = i < n ? in[i] : 1;
    long long wide = bound;
    last[t] = 0;
    __syncthreads();
    if ((int)t < bound)
        mine = mine * 3 + 1;
    __syncthreads();
    if ((int)t <= bound)
        mine = mine * 5 + 2;
    __syncthreads();
    if (t < bound)
        mine = mine * 7 + 3;
    __syncthreads();
    if (wide >= t) {
        mine = mine * 11 + 4;
        last[t] = mine;
    }
    __syncthreads();
    if (bound > (long)t)
        for (int j = 0; j < mine % 4; j++)
            mine += last[(t + j) % blockDim.x];
    __syncthreads();
    if (t <= (unsigned)bound)
        mine ^= 64;
    __syncthreads();
    if (i < n)
        out[i] = mine;
}

// Some threads have ended: they are in no region.
__global__ void survivors(const int *in, int *out, int n, int bound)
{
    __shared__ int box[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n || in[i] % 5 == 0)
        return;
    box[t] = in[i];
    __syncthreads();
    if (t < bound)
        box[t] *= 3;
    __syncthreads();
    out[i] = box[t];
}

// Rows: the bound holds in each of them.
__global__ void rows(const int *in, int *out, int n, int bound)
{
    __shared__ int box[1024];
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, size = blockDim.x * blockDim.y * blockDim.z;
    box[t] = in[t % n];
    __syncthreads();
    if (threadIdx.x < bound)
        box[t] += 1000 * (t + 1);
    __syncthreads();
    if (blockIdx.x + blockIdx.y == 0)
        out[t] = box[size - 1 - t];
}
