// Matrix multiplication: plain, tiled through shared memory; matrix times vector; Gaussian elimination.
#define TILE 8

__global__ void plain(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

__global__ void tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < (n + TILE - 1) / TILE; t++) {
        ta[ty][tx] = row < n && t * TILE + tx < n ? a[row * n + t * TILE + tx] : 0.0f;
        tb[ty][tx] = column < n && t * TILE + ty < n ? b[(t * TILE + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += ta[ty][k] * tb[k][tx];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

__global__ void times_vector(const double *m, const double *x, double *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        double sum = 0.0;
        for (int k = 0; k < columns; k++)
            sum += m[row * columns + k] * x[k];
        y[row] = sum;
    }
}

__global__ void gaussian(float *systems, float *solutions, int size, int n)
{
    // Each thread solves a small system of its own, with pivoting.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *m = systems + i * size * (size + 1), *x = solutions + i * size;
    int width = size + 1;
    for (int c = 0; c < size; c++) {
        int pivot = c;
        for (int r = c + 1; r < size; r++)
            if (fabsf(m[r * width + c]) > fabsf(m[pivot * width + c]))
                pivot = r;
        if (pivot != c)
            for (int k = c; k < width; k++) {
                float t = m[c * width + k];
                m[c * width + k] = m[pivot * width + k];
                m[pivot * width + k] = t;
            }
        if (m[c * width + c] == 0.0f) {
            for (int k = 0; k < size; k++)
                x[k] = -1.0f;
            return;
        }
        for (int r = c + 1; r < size; r++) {
            float factor = m[r * width + c] / m[c * width + c];
            for (int k = c; k < width; k++)
                m[r * width + k] -= factor * m[c * width + k];
        }
    }
    for (int r = size - 1; r >= 0; r--) {
        float sum = m[r * width + size];
        for (int k = r + 1; k < size; k++)
            sum -= m[r * width + k] * x[k];
        x[r] = sum / m[r * width + r];
    }
}
