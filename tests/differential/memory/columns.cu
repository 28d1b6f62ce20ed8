// Neighbours in memory are neighbours in y: gangs lie along y where the height of a block suits them.

__device__ float weight(const float *w, int height)
{
    return w[threadIdx.y] + 0.25f * height + threadIdx.x;
}

__global__ void scale_rows(const float *in, const float *w, float *out, int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height)
        return;
    if (column < width) {
        float sum = 0.0f;
        for (int k = 0; k <= row % 3; k++)
            sum += in[((row + k) % height) * width + column];
        out[row * width + column] = sum * weight(w, height);
    }
    if (column == 0)
        out[width * height + row] = in[row * width] - 1.0f;
}

__global__ void transpose(const int *in, int *out, int width, int height)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int kept[3] = {(int)threadIdx.x, (int)threadIdx.y, (int)threadIdx.z};
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x] * 100 + kept[(x + y) % 3];
}

// Nothing depends on where a block ends along y: gangs span blocks there, whatever their height.
__global__ void eliminate(float *a, float *b, const float *factor, int height, int width, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= height - 1 - t)
        return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= width - t)
        return;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (threadIdx.z + blockIdx.z)
        return;
    a[width * (x + 1 + t) + (y + t)] -= factor[x + 1 + t] * a[width * t + (y + t)];
    if (y == 0)
        b[x + 1 + t] -= factor[x + 1 + t] * b[t];
}
