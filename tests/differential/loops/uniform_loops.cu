// Loops that all threads run alike, with #pragma unroll, and divergent code inside.
__global__ void unrolled(const int *in, int *out, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = 0;
    if (i < n) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            h = h * 5 + (in[i] >> k);
#pragma unroll 2
        for (int k = 0; k < m; k++) {
            if (in[i] > k)
                h += k;
            else
                h ^= k;
        }
#pragma unroll 1
        for (int k = m; k > 0; k /= 2)
            h += in[(i + k) % n];
        out[i] = h;
    }
}

__global__ void horner(const float *x, const float *coefficients, float *y, int n, int degree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = coefficients[degree];
        for (int k = degree - 1; k >= 0; k--)
            sum = sum * x[i] + coefficients[k];
        y[i] = sum;
    }
}

__global__ void grid_stride(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * in[i] - i;
}
