// Parameters are the function's own: changed inside, unchanged outside; narrow types convert on the way in and out.
__device__ int spend(int x, unsigned char y, short z)
{
    while (x > 0) {
        x -= y + 1;
        z *= 3;
        y++;
    }
    return x * 1000 + y + z;
}

__device__ unsigned char narrow(int x) { return x * 7; }
__device__ bool truth(float x) { return x; }
__device__ float real(int x) { return x; }
__device__ long long wide(unsigned x) { return x; }

__global__ void parameters(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i];
        unsigned char y = in[i] * 5;
        int r = spend(x, y, in[i] * 1000);
        r += narrow(in[i]) + truth(in[i] % 4 * 0.1f) * 10;
        r += (int)(real(in[i] * 1001) * 0.25f) + (int)(wide(x - 50) >> 30);
        out[i] = r * 8 + (x == in[i]) + y;
    }
}
