// Two- and three-dimensional blocks with shared tiles: gangs that span rows and planes of the block.
__global__ void tiled_transpose(const int *in, int *out, int width, int height)
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int flat = threadIdx.y * blockDim.x + threadIdx.x;
    int tx = flat % blockDim.y, ty = flat / blockDim.y;
    int ox = blockIdx.y * blockDim.y + tx, oy = blockIdx.x * blockDim.x + ty;
    if (ox < height && oy < width)
        out[oy * height + ox] = tile[tx][ty];
}

__global__ void row_sums(const int *in, int *out, int width, int height)
{
    __shared__ int part[8][8][32];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int row = (blockIdx.x * blockDim.z + z) * blockDim.y + y;
    int sum = 0;
    for (int k = x; row < height && k < width; k += blockDim.x)
        sum += in[row * width + k];
    part[z][y][x] = sum;
    __syncthreads();
    if (x == 0 && row < height) {
        sum = 0;
        for (int k = 0; k < blockDim.x; k++)
            sum = sum * 3 + part[z][y][k];
        out[row] = sum;
    }
}
