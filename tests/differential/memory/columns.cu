// Neighbours in memory are neighbours in y: gangs lie along y where blockDim.y is a multiple of 16.

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
