// Neighbours that wrap round: indices that are affine in all gangs but the one where the end comes.
struct Pair { float x, y; };
struct Triple { int x, y, z; };

__device__ int wrap(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

__global__ void neighbours(const int *in, int *out, int n, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int next = i + 1 == n ? 0 : i + 1, last = i == 0 ? n - 1 : i - 1;
    int left, right = i + shift;
    if (i == 0)
        left = n - 1;
    else
        left = i - 1;
    if (right >= n)
        right -= n;
    if (i >= n)
        return;
    int sum = in[next] + in[last] * 3 + in[left] * 5 + in[right] * 7;
    sum += in[(i + shift) % n] * 11 + in[(i + n - 1) % n] * 13 + in[(n - i) % n] * 17 + in[(n - 1 - i + shift) % n] * 19;
    sum += in[wrap(i - shift, n)] * 23 + in[(i * 2 + shift) % n] * 29 + in[i / n + shift % n] * 31;
    bool inside = i + shift < n;
    sum += in[inside && i > 0 ? i + shift : n - 1] * 37 + in[!inside ? i / (shift + 1) : i] * 41;
    if (i % 3 != 1)
        sum += in[(i + shift) % n] * 43 + in[(2 * n - i - shift) % n] * 47;
    if ((i + shift) % n % 5 == 1)
        for (int k = 0; k < 3; k++)
            sum += in[(i + k * shift) % n] * 53;
    out[(i + shift) % n] = sum;
}

__global__ void other_types(const double *weights, const unsigned char *bytes, const short *shorts, Pair *pairs,
    Triple *triples, double *out, long *longs, unsigned char *marks, int n, unsigned shift)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = (int)(i + shift) >= n ? i + shift - n : i + shift, back = (n - k) % n;
    size_t far = ((size_t)i + shift) % n;
    double sum = weights[k] + 3 * weights[(i + shift) % n] + 5 * weights[far] + 7 * weights[min(k, n - 2)];
    sum += bytes[k] * 2 + bytes[(i + shift) % n] * 3 + shorts[k] * 4 + bytes[back] + weights[back] * 2;
    sum += pairs[k].x + pairs[k].y * 3 + triples[k].x * 5 + triples[k].z * 7 + triples[back].y * 11;
    const double *from = weights + (k + 1 == n ? 0 : k + 1);
    sum += *from + weights[i - 1 < n ? i - 1 : 0] + (weights + 1)[(i + shift) % (n - 1)];
    out[k] = sum;
    longs[far] = i * 3 + 1;
    marks[k] = i;
    if (i % 2)
        longs[n + back] += k, marks[n + back] += 1;
}

// The end may come after any lane of a gang, and more than once.
__global__ void rows(const int *in, int *out, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / width, column = i % width, height = (n + width - 1) / width;
    int east = row * width + (column + 1) % width, west = row * width + (column + width - 1) % width;
    int north = (row + height - 1) % height * width + column;
    if (i < n)
        out[i] = in[east] + in[west] * 3 + in[north] * 5 + in[row] * 7 + in[row * width] * 11
            + (column == 0 ? 0 : in[i - 1]) * 13;
}

__global__ void passed_round(const int *in, int *out, int n, int rounds)
{
    __shared__ int held[256];
    __shared__ double sums[256];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    int next = tid + 1 == blockDim.x ? 0 : tid + 1, last = (tid + blockDim.x - 1) % blockDim.x;
    held[tid] = i < n ? in[i] : i;
    sums[tid] = 0;
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        int own = held[next] * 3 + held[(tid + k) % blockDim.x];
        __syncthreads();
        held[tid] = own % 1000;
        sums[last] += own;
        __syncthreads();
        if (tid % 4 != k % 4)
            held[last] += 1;
        next = (next + k) % blockDim.x;
        __syncthreads();
    }
    if (i < n)
        out[i] = held[tid] + (int)sums[next];
}

__global__ void bytes_round(const unsigned char *in, unsigned char *out, int n)
{
    __shared__ unsigned char held[256];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    int next = tid + 1 == blockDim.x ? 0 : tid + 1;
    held[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        unsigned char got = held[next];
        __syncthreads();
        held[next] = got + k;
        __syncthreads();
    }
    if (i < n)
        out[i] = held[tid];
}
