// Kernels whose gangs lie along y, so that columns of a block may run in step.
// `a` has a row of `depth` for each thread along x, `b` has `depth` rows of `ny`, `c` one number for each thread.
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)
#define COLUMN (blockIdx.y * blockDim.y + threadIdx.y)

__global__ void product(const float *a, const float *b, float *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < nx && column < ny) {
        float sum = 0;
        for (int k = 0; k < depth; k++)
            sum += a[row * depth + k] * b[k * ny + column];
        c[row * ny + column] = sum;
    }
}

__global__ void returns_early(const double *a, const double *b, double *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row >= nx)
        return;
    if (column >= ny)
        return;
    double sum = c[row * ny + column];
    for (int k = 0; k < depth; ++k) {
        if (a[row * depth + k] < 3)
            continue;
        sum = a[row * depth + k] * b[k * ny + column] - sum;
    }
    c[row * ny + column] = sum;
}

__global__ void nested_guards(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    int column = COLUMN, row = ROW;
    if (column < ny) {
        int first = b[column];
        if (row < nx && a[row * depth] < 7) {
            int sum = first, other = 1, i = 0;
            for (int k = 0; k < depth; k++) {
                sum += a[row * depth + i++] * b[k * ny + column];
                other += b[k * ny + column] + threadIdx.x;
                if (sum > 900)
                    break;
            }
            c[row * ny + column] = sum - other;
        } else if (row < nx) {
            for (int k = 0; k < depth; k++)
                first -= b[k * ny + column];
            c[row * ny + column] = first;
        }
    }
}

__global__ void pointers(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    a += row * depth;
    b += column;
    if (row < nx && column < ny) {
        int sums[2] = {0, 1};
        for (int k = 0; k < depth; k++, b += ny)
            sums[k & 1] += *a++ * *b;
        for (int k = 0; k < depth && k <= row; k++)
            sums[0] ^= b[-ny] + k;
        c += row * ny;
        c[column] = sums[0] * sums[1];
        ny = row + 1;
    }
    if (row < nx && column < ny)
        c[column] += ny;
}

// The rows are in one array: what threads read is below what they write.
__global__ void adds_in_memory(const int *a, int *m, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < nx && column < ny) {
        m[row * ny + column] = 1;
        for (int k = 0; k < depth; k++)
            m[row * ny + column] += a[row * depth + k] * m[(nx + k) * ny + column];
    }
}

// No guard: there are as many numbers as threads. Layers share their rows as columns do.
__global__ void layers(const int *a, const int *b, int *c, int depth)
{
    int width = gridDim.y * blockDim.y, height = gridDim.x * blockDim.x;
    int row = (blockIdx.z * blockDim.z + threadIdx.z) * height + ROW, column = COLUMN;
    int sum = threadIdx.x;
    for (int k = 0; k < depth; k++)
        sum += a[row * depth + k] * b[k * width + column];
    c[row * width + column] = sum;
}
