// Shared scalars and arrays of one to three dimensions, structs, bytes; written by one thread, read by all.
typedef struct {
    int least;
    float mean;
} Info;

__global__ void shapes(const int *in, int *out, int n)
{
    __shared__ int scalar;
    __shared__ unsigned char bytes[256];
    __shared__ short plane[16][17];
    __shared__ double cube[2][3][4];
    __shared__ Info info;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bytes[t] = t * 3;
    plane[t / 16][t % 16] = t * 100;
    if (t < 24)
        cube[t / 12][t / 4 % 3][t % 4] = t * 0.25;
    if (t == blockDim.x - 1) {
        scalar = in[blockIdx.x];
        info.least = 11;
        info.mean = in[0] * 0.5f;
    }
    __syncthreads();
    if (i < n) {
        int u = blockDim.x - 1 - t;
        int r = scalar + bytes[u] + plane[u / 16][u % 16] + info.least + (int)info.mean;
        if (u < 24)
            r += (int)(cube[u / 12][u / 4 % 3][u % 4] * 4.0) * 100000;
        out[i] = r;
    }
}

// Variables of the file: kernels and the functions that they call name the same ones, each block has its own.
__shared__ int line[256];
static __shared__ struct {
    int first, last;
} ends, *which;

__device__ int neighbour(int t)
{
    return line[(t + 1) % blockDim.x];
}

__device__ int turned(int t)
{
    __shared__ int copy[256];
    copy[t] = neighbour(t) + ends.last;
    if (t == 0)
        ends.first++;
    __syncthreads();
    return copy[blockDim.x - 1 - t];
}

__global__ void of_file(const int *in, int *out, int n)
{
    __shared__ int own;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    line[t] = i < n ? in[i] : -1;
    if (t == 0) {
        own = blockIdx.x;
        which = &ends;
    }
    if (t == blockDim.x - 1)
        ends.first = ends.last = line[t];
    __syncthreads();
    int r = neighbour(t) * 100 + turned(t) + which->first + own;
    if (i < n)
        out[i] = r;
}

__global__ void alone(const int *in, int *out, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    line[t] = i;
    if (i < n)
        out[i] = in[i] + line[t] + neighbour(t - 1);
}
