// Reductions of blocks as large as their array, smaller ones, and ones with several rows: each has code of its own.

__shared__ int of_file[256];

__global__ void halves(const float *in, float *out, int n)
{
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.25f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

__global__ void halves_of_rows(const float *in, float *out, int n)
{
    __shared__ float sums[256];
    int t = threadIdx.x + blockDim.x * threadIdx.y, i = blockIdx.x * blockDim.x * blockDim.y + t;
    sums[t] = i < n ? in[i] : 0.25f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

// Two arrays; the iterations do not halve, and there are more or fewer than are expected.
__global__ void thirds(const int *in, int *out, int n)
{
    __shared__ int most[256], least[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    most[t] = least[t] = i < n ? in[i] : 50;
    __syncthreads();
    for (int width = blockDim.x; width > 1; width = (width + 2) / 3) {
        int s = (width + 2) / 3;
        if (t < s) {
            if (t + s < width) {
                most[t] = max(most[t], most[t + s]);
                least[t] -= least[t + s] * 3;
            }
            if (t + 2 * s < width) {
                most[t] = max(most[t], most[t + 2 * s]);
                least[t] ^= least[t + 2 * s];
            }
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = most[0] + 1000 * least[t % 3];
}

__device__ __noinline__ int of_all(int i) { return of_file[i]; }

// An array that another function reads, by its name.
__global__ void named_elsewhere(const int *in, int *out, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    of_file[t] = i < n ? in[i] : 1;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            of_file[t] += of_file[t + s];
        __syncthreads();
    }
    if (i < n)
        out[i] = of_all(t) + of_file[0];
}

// A grid of loops: the array is filled again, and some threads leave early.
__global__ void again(const int *in, int *out, int n)
{
    __shared__ int part[64];
    int t = threadIdx.x;
    int total = 0;
    for (int from = 0; from < n; from += 2 * blockDim.x) {
        part[t] = from + t < n ? in[from + t] : 0;
        __syncthreads();
        for (int s = blockDim.x / 2; s > 0; s >>= 1) {
            if (t < s)
                part[t] += part[t + s] * 2;
            __syncthreads();
        }
        total += part[0] + part[t];
        __syncthreads();
    }
    part[t] = total;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] ^= part[t + s];
        __syncthreads();
    }
    if (blockIdx.x == 0 && t < n)
        out[t] = part[t] + total;
}
