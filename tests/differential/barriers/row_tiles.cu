// Kernels with tiles of 16 x 16 threads, whose rows may run in step between barriers, and some of which it may be thought.
// `a` has a row of `depth` for each row of threads, `b` has `depth` rows of `nx`, `c` one number for each thread.
#define SIDE 16
#define ROW (blockIdx.y * blockDim.y + threadIdx.y)
#define COLUMN (blockIdx.x * blockDim.x + threadIdx.x)
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// Blocks of any shape up to 32 x 16 copy tiles that are as wide as they are high.
__global__ void tiled(const float *a, const float *b, float *c, int nx, int ny, int depth)
{
    __shared__ float left[SIDE][SIDE + 1], right[SIDE][2 * SIDE];
    const int tx = threadIdx.x, ty = threadIdx.y, row = ROW, column = COLUMN, side = MIN(blockDim.x, blockDim.y);
    float sum = 0.5f;
    for (int k = 0; k < depth; k += side) {
        if (tx < side)
            left[ty][tx] = row < ny && k + tx < depth ? a[row * depth + k + tx] : 0;
        if (ty < side)
            right[ty][tx] = column < nx && k + ty < depth ? b[(k + ty) * nx + column] : 0;
        __syncthreads();
        for (int kk = 0; kk < side; ++kk)
            sum = sum * 0.9f + left[ty][kk] * right[kk][tx];
        __syncthreads();
    }
    if (row < ny && column < nx)
        c[row * nx + column] = sum;
}

// One array by several names, elements written in parts of an expression, sums of which each row has its own number.
__global__ void by_pointers(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    __shared__ int tile[2][SIDE][2 * SIDE];
    int tx = threadIdx.x, ty = threadIdx.y, row = MIN(ROW, ny - 1), column = MIN(COLUMN, nx - 1), turn = 0;
    int *own = &tile[0][ty][tx], sum = 0, count = 0;
    for (int k = 0; k < depth; k++) {
        const int *now = tile[turn][0];
        int found = (own[turn * SIDE * 2 * SIDE] = a[row * depth + k] + (count += ty & 1)) + turn;
        __syncthreads();
        for (int i = 0; i < MIN(SIDE, blockDim.y); i++)
            sum += now[i * 2 * SIDE + tx] ^ found++;
        for (int i = 0; i < MIN(ty % 3, blockDim.y); i++)
            sum -= now[i * 2 * SIDE + tx % blockDim.x] * b[k * nx + column];
        turn ^= 1;
    }
    if (ROW < ny && COLUMN < nx)
        c[row * nx + column] = sum + count;
}

// Threads that end before a barrier, with all of their block or without it.
__global__ void ends_early(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    __shared__ int tile[SIDE][2 * SIDE];
    const int tx = threadIdx.x, ty = threadIdx.y, row = ROW, column = COLUMN;
    tile[ty][tx] = row * 3 + column;
    if (blockIdx.x + blockIdx.y == 0 && depth > 5)
        return;
    if (row >= ny || column >= nx)
        return;
    int sum = 0;
    for (int k = 0; k < depth; k++) {
        __syncthreads();
        for (int i = 0; i < MIN(SIDE, blockDim.y); i++)
            sum += tile[i][tx] * a[row * depth + k];
        __syncthreads();
        tile[ty][tx] = sum + b[k * nx + column];
        if (b[k * nx] > 90)
            break;
    }
    c[row * nx + column] = sum;
}
