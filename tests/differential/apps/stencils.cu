// Stencils: heat in a chip (after Rodinia's hotspot), the game of life, convolution with a halo in shared memory.
__global__ void heat(const float *power, const float *in, float *out, int width, int height, float rx, float ry, float rz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    int west = x > 0 ? at - 1 : at, east = x < width - 1 ? at + 1 : at;
    int north = y > 0 ? at - width : at, south = y < height - 1 ? at + width : at;
    float t = in[at];
    out[at] = t + 0.01f * (power[at] + (in[south] + in[north] - 2.0f * t) * ry + (in[east] + in[west] - 2.0f * t) * rx +
                           (80.0f - t) * rz);
}

__global__ void heat_in_tile(const float *in, float *out, int width, int height, int turns)
{
    // A tile goes several steps ahead on its own; its valid part shrinks by one ring each step.
    __shared__ float tile[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int side = blockDim.x;
    int x = (int)(blockIdx.x * (side - 2 * turns)) + tx - turns, y = (int)(blockIdx.y * (side - 2 * turns)) + ty - turns;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[ty][tx] = inside ? in[y * width + x] : 0.0f;
    __syncthreads();
    for (int k = 1; k <= turns; k++) {
        float value = tile[ty][tx];
        bool computed = false;
        if (inside && tx >= k && tx < side - k && ty >= k && ty < side - k) {
            value = 0.25f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1]);
            computed = true;
        }
        __syncthreads();
        if (k == turns) {
            if (computed)
                out[y * width + x] = value;
            break;
        }
        if (computed)
            tile[ty][tx] = value;
        __syncthreads();
    }
}

__global__ void life(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int alive = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (dx == 0 && dy == 0)
                    continue;
                alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
            }
        out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
    }
}

#define RADIUS 3
__device__ const float kernel_weights[2 * RADIUS + 1] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};

__global__ void convolution(const float *in, float *out, int n)
{
    __shared__ float line[256 + 2 * RADIUS];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, first = blockIdx.x * blockDim.x - RADIUS;
    for (int k = t; k < blockDim.x + 2 * RADIUS; k += blockDim.x)
        line[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();
    if (i < n) {
        float sum = 0.0f;
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += line[t + RADIUS + k] * kernel_weights[k + RADIUS];
        out[i] = sum;
    }
}
