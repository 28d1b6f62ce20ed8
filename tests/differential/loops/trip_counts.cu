// Loops whose trip count differs from thread to thread; what they leave behind.
__global__ void for_sum(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0, k;
        for (k = 0; k < in[i]; k++)
            sum += k ^ i;
        out[i] = sum * 100 + k;
    }
}

__global__ void triangle(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned h = 1;
        int last = 0;
        for (int a = 0; a < in[i] % 9; a++)
            for (int b = a; b < 6; b++) {
                h = h * 31 + a * 8 + b;
                last = a - b;
            }
        out[i] = (int)(h & 0xffffff) + last;
    }
}

__global__ void backwards(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned r = 7;
        for (unsigned k = in[i]; k-- > 0;)
            r = r * 3 + k;
        for (long long k = in[i]; k >= 0; k -= 17)
            r += (unsigned)k;
        for (float x = 0.0f; x < in[i] * 0.25f; x += 1.5f)
            r ^= (unsigned)x << 8;
        out[i] = r;
    }
}
