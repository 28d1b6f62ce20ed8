// Reductions: through shared memory with a barrier in the loop, and in registers.
#define N_THREADS 256
template <typename T> T host_sum(const T *data, int n) { T s = 0; for (int i = 0; i < n; i++) s += data[i]; return s; }

__device__ int block_sum(int value, int *scratch)
{
    const unsigned t = threadIdx.x;
    scratch[t] = value;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride)
            scratch[t] += scratch[t + stride];
        __syncthreads();
    }
    return scratch[0];
}

__global__ void reduce_int(const int *__restrict in, int *out, size_t n)
{
    __shared__ int scratch[N_THREADS];
    __shared__ int total;
    int mine = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        mine += in[i];
    int sum = block_sum(mine, scratch);
    if (threadIdx.x == 0) total = sum;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}

__global__ void reduce_max(const float *in, float *out, long long n)
{
    __shared__ float s[2][N_THREADS / 2];
    float m = -INFINITY;
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        m = fmaxf(m, in[i]);
        i += (long long)blockDim.x * gridDim.x;
    }
    s[threadIdx.x & 1][threadIdx.x >> 1] = m;
    __syncthreads();
    for (int step = 1; step < N_THREADS / 2; step *= 2) {
        if (threadIdx.x % (2 * step) == 0 && threadIdx.x + step < N_THREADS / 2)
            for (int k = 0; k < 2; ++k)
                s[k][threadIdx.x] = max(s[k][threadIdx.x], s[k][threadIdx.x + step]);
        __syncthreads();
    }
    if (!threadIdx.x) out[blockIdx.x] = fmax(s[0][0], s[1][0]);
}
