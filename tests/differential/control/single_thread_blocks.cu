// Blocks of one thread: neighbouring blocks run in the lanes of a gang.

__device__ int weight(int x)
{
    int digits[4] = {1, 10, 100, 1000};
    return digits[x & 3] + x;
}

__global__ void add(const int *in, int *out, int n)
{
    int i = blockIdx.x;
    if (i >= n)
        return;
    out[i] = in[i] * weight(i) + gridDim.x * blockDim.x;
}

__global__ void steps(const int *in, int *out, int n)
{
    unsigned i = blockIdx.x;
    int left = i < n ? in[i] : 0, count = 0;
    while (left > 0) {
        left = left & 1 ? left - 3 : left / 2;
        if (++count > 20)
            break;
    }
    if (i < n)
        out[n - 1 - i] = count;
    atomicAdd(&out[n], count);
}

__global__ void square(const int *in, int *out, int width, int height)
{
    int x = blockIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x < width && y < height)
        out[y * width + x] = in[x * height + y] * (z + 1) + (x > y ? x * y : 0);
}
