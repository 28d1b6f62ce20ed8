// Index expressions: strided, reversed, two-dimensional, wrapped unsigned, 64 bits wide, guarded neighbours.
__global__ void strided(const int *in, int *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i * stride] = in[2 * i] - in[2 * i + 1];
        if (i % 2)
            out[i * stride + 1] = in[2 * (n - 1 - i)];
    }
}

__global__ void neighbours(const int *in, int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = in[i];
        if (i > 0)
            sum += in[i - 1] * 3;
        if (i - 1 < n - 2)   // false for the first and the last: 0 - 1 wraps
            sum += in[i + 1] * 5;
        unsigned before = i - 1;
        if (before != 0xffffffffu)
            sum -= in[before];
        out[i] = sum;
    }
}

__global__ void wide(const int *in, int *out, long long n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    size_t u = i;
    unsigned short s = threadIdx.x;
    unsigned char c = threadIdx.x;
    if (i < n) {
        out[i] = in[n - i - 1] + in[u] * 2;
        out[u] += in[u + (size_t)-1 + 1];
        if (s < n && c < n)
            out[i] += in[s] - in[c];
    }
}

__global__ void plane(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float sum = in[y * width + x];
        if (x > 0 && y > 0)
            sum += in[(y - 1) * width + x - 1] * 0.5f;
        if (x + 1 < width)
            sum -= in[y * width + x + 1];
        out[x * height + y] = sum;  // transposed
    }
}

__global__ void volume(const int *in, int *out, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height && z < depth) {
        int at = (z * height + y) * width + x;
        int edge = x == 0 || y == 0 || z == 0;
        out[at] = edge ? in[at] : in[at] + in[at - 1] - in[at - width] * 2 + in[at - width * height] * 3;
        out[at] = out[at] * 10 + threadIdx.x + threadIdx.y * 2 + threadIdx.z * 3 + gridDim.y;
    }
}
