// Dynamic shared memory: several names of the same bytes, in functions, beside static memory, with alignments.
extern __shared__ __align__(128) char outside[];

__device__ int *part(int n)
{
    extern __shared__ int words[];
    return words + n;
}

__device__ double exchanged(double mine)
{
    extern __shared__ double values[];
    values[threadIdx.x] = mine;
    __syncthreads();
    double other = values[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return other;
}

__global__ void reversed(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : -1;
    __syncthreads();
    if (i < n)
        out[i] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int sums[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

__global__ void two_parts(const int *in, int *out, int n)
{
    extern __shared__ int first[];
    float *second = (float *)&first[blockDim.x];
    __shared__ int fixed[3];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 3)
        fixed[t] = t + 5;
    first[t] = i < n ? in[i] : 0;
    second[t] = first[t] * 0.5f;
    __syncthreads();
    if (i < n)
        out[i] = first[(t + 1) % blockDim.x] + second[(t + 2) % blockDim.x] + fixed[t % 3 < blockDim.x ? t % 3 : 0];
}

__global__ void in_functions(const int *in, int *out, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    double value = exchanged(i < n ? in[i] + 0.5 : -1.0);
    *part(t) = (int)(2 * value);
    __syncthreads();
    atomicAdd(part(0), 1);
    __syncthreads();
    if (i < n)
        out[i] = *part(t) + (unsigned long long)outside % 128 + outside[4 * t];
}

struct Two { short a; float b; };

__global__ void structs(const int *in, int *out, int n)
{
    extern __shared__ Two pairs[];
    extern __shared__ unsigned char bytes[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    pairs[t].a = i < n ? in[i] : 0;
    pairs[t].b = t;
    __syncthreads();
    if (t == 0)
        bytes[1] = 1;
    __syncthreads();
    if (i < n)
        out[i] = pairs[blockDim.x - 1 - t].a + pairs[t].b + bytes[0];
}
