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
