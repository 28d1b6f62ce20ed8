// Structs with arrays by value: read only, they are there once for all threads; written, each thread has its own.
struct Filter {
    float weight[9];
    bool on[4];
    short table[2][5];
    struct {
        int low;
        long high;
    } range;
};
struct Large {
    unsigned char data[32000];
    int n;
};

__device__ float weigh(Filter f, int i)
{
    f.weight[i % 3] += 1.0f;
    return f.weight[i % 9];
}

__global__ void only_read(const int *in, int *out, Filter f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < 9; k++)
        sum += f.weight[k] * (in[i] + k);
    if (f.on[i % 4])
        sum += f.weight[in[i] % 9] + f.table[i & 1][in[i] % 5];
    Filter copy = f;
    copy.weight[1] += in[i];
    out[i] = (int)sum + (int)f.range.high * f.range.low + (int)copy.weight[i % 2] + (f.on[1] ? f.table[1][2] : 3);
}

__global__ void written(const int *in, int *out, Filter f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    f.weight[i % 9] += 2.0f;
    f.range.low++;
    if (i < n)
        out[i] = (int)f.weight[in[i] % 9] + f.range.low + (int)weigh(f, in[i]);
}

__global__ void between_barriers(const int *in, int *out, const Filter f, int n)
{
    __shared__ float line[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    line[t] = i < n ? in[i] : 0;
    for (int k = 0; k < f.range.low % 5; k++) {
        __syncthreads();
        float next = line[(t + 1) % blockDim.x] * f.weight[k];
        __syncthreads();
        line[t] = f.on[k % 4] ? next + f.table[k & 1][t % 5] : line[t];
    }
    if (i < n)
        out[i] = (int)line[t];
}

__global__ void large(const int *in, int *out, Large big, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = big.data[in[i] * 300] + big.data[31999] + big.data[big.n + blockIdx.x];
}

__global__ void large_written(const int *in, int *out, Large big, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    big.data[threadIdx.x * 40] += i;
    big.n -= 2;
    if (i < n)
        out[i] = big.data[in[i] * 300] + big.data[threadIdx.x * 40] + big.data[31999] + big.data[big.n + 2 + blockIdx.x];
}

// What is reached by an address, and what functions get by value and never change.
__device__ float deep(const Filter &f, int step, int i)
{
    return i > 40 ? f.weight[i % 9] : f.table[i & 1][i % 5] + deep(f, step, i + (step & 7) + 1);
}

__device__ float by_value(const Filter f, int step, int i)
{
    if (i > 60)
        return f.weight[i % 9] + f.range.low;
    float below = by_value(f, step, i + 11);
    return i % 3 ? below + deep(f, step, i) : below;
}

__device__ float changed_below(Filter f, int i)
{
    f.weight[i % 9] += 1.0f;
    return i > 20 ? f.weight[i % 4] : changed_below(f, i + 7) + f.weight[i % 9];
}

__global__ void addressed(const int *in, int *out, Filter f, Filter g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Filter own = g;
    own.range.low = i;
    const Filter *some = in[i] % 3 == 0 ? &f : &g, *any = in[i] % 3 == 1 ? &own : some;
    const float *weights = some->weight + (in[i] & 3);
    weights = i % 5 ? weights + 1 : &f.weight[2];
    float sum = deep(*some, in[i], i % 50) + by_value(g, in[i], (in[i] & 127) % 70) + weights[in[i] & 3] + any->range.low;
    out[i] = (int)(sum + changed_below(f, i % 30) + f.weight[i % 9]);
}
