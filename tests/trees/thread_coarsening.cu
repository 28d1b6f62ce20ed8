// Rows of a block run in step where they read the same.
__global__ void product(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        float scale = 2.0f * k;
        sum += scale * (a[row * n + k] * b[k * n + column]);
        if (sum > a[k])
            sum = 0;
    }
    c[row * n + column] = sum;
}

// A row that is left over; what each row changes of the parameters; loops of which each row has its own.
__global__ void sums(const float *a, const float *b, float *c, int n)
{
    a += threadIdx.y * n;
    float sum = 0, more = 0;
    for (int k = threadIdx.x; k < n; k++, a++)
        sum += *a * b[k];
    for (int k = 0; k < threadIdx.y; k++)
        more += b[k * n + threadIdx.x];
    c[threadIdx.y * n + threadIdx.x] = sum + more;
}

// All threads of the block read the same: the lanes of a gang share that already.
__global__ void nothing_shared(const float *a, float *c, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * threadIdx.y;
    c[threadIdx.y * n + threadIdx.x] = sum;
}

// Threads that may see each other do not run in step.
__global__ void counted(const float *a, const float *b, float *c, int n, int *count)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[threadIdx.y * n + k] * b[k * n + threadIdx.x];
    c[threadIdx.y * n + threadIdx.x] = sum;
    atomicAdd(count, 1);
}

// Rows of 16 threads, with four sums each: four rows in step, which reach the barriers together.
__global__ void of_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile[16][16], column[16][16][2];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum[4] = {0};
    for (int k = 0; k < n; k += 16) {
        tile[ty][tx] = k + tx < n ? a[ty * n + k + tx] : 0;
        if (k + ty < n)
            column[ty][tx][0] = column[ty][tx][1] = b[(k + ty) * n + tx];
        __syncthreads();
        for (int kk = 0; kk < 16; kk++) {
            sum[0] += tile[ty][kk] * column[kk][tx][0];
            sum[kk & 3] -= column[kk][tx][1];
        }
        __syncthreads();
    }
    c[ty * n + tx] = sum[0] + sum[1] + sum[2] + sum[3];
}

// Some rows would reach a barrier without others.
__global__ void not_all(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile[16][16];
    float sum = 0;
    if (threadIdx.y < n) {
        tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += b[threadIdx.y * n + k] * tile[k][threadIdx.x];
    }
    c[threadIdx.y * n + threadIdx.x] = sum;
}

// Neighbours in memory are neighbours along y: columns run in step, in gangs along y.
__global__ void turned(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
