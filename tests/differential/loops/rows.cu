// Kernels whose rows may run in step, and some of which it may be thought.
// `a` has a row of `depth` for each row of threads, `b` has `depth` rows of `nx`, `c` one number for each thread.
#define ROW (blockIdx.y * blockDim.y + threadIdx.y)
#define COLUMN (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void product(const float *a, const float *b, float *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < ny && column < nx) {
        float sum = 0;
        for (int k = 0; k < depth; k++)
            sum += a[row * depth + k] * b[k * nx + column];
        c[row * nx + column] = sum;
    }
}

__global__ void returns_early(const float *a, const float *b, float *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row >= ny)
        return;
    if (column >= nx)
        return;
    float sum = c[row * nx + column];
    for (int k = 0; k < depth; ++k) {
        if (a[row * depth + k] < 3)
            continue;
        sum = a[row * depth + k] * b[k * nx + column] - sum;
    }
    c[row * nx + column] = sum;
}

__global__ void nested_guards(const float *a, const float *b, float *c, int nx, int ny, int depth)
{
    int column = COLUMN, row = ROW;
    if (column < nx) {
        float first = b[column];
        if (row < ny && a[row * depth] < 7) {
            float sum = first, other = 1;
            for (int k = 0; k < depth; k++) {
                sum += a[row * depth + k] * b[k * nx + column];
                other += b[k * nx + column];
            }
            c[row * nx + column] = sum - other;
        } else if (row < ny) {
            for (int k = 0; k < depth; k++)
                first -= b[k * nx + column];
            c[row * nx + column] = first;
        }
    }
}

// The columns are in one array: what threads read is below what they write.
__global__ void adds_in_memory(const int *a, int *m, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < ny && column < nx) {
        m[row * nx + column] = 1;
        for (int k = 0; k < depth; k++) {
            m[row * nx + column] += a[row * depth + k] * m[(ny + k) * nx + column];
            m[row * nx + column] ^= m[(ny + k) * nx + column];
        }
    }
}

__global__ void effects(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < ny && column < nx) {
        int sum = 0, i = 0, j = 0, last = 0;
        for (int k = 0; k < depth; k++) {
            sum += a[row * depth + i++] * b[j++ * nx + column];
            last = sum += b[k * nx + column];
            sum += (last = a[row * depth + k]) + (b[k * nx + column] > 50 ? b[k * nx + column] : last++);
        }
        int k = 0;
        while (k < depth)
            sum ^= a[row * depth + k] + 3 * b[k++ * nx + column];
        c[row * nx + column] = sum + i * 1000 + j * 100000 + last;
    }
}

__global__ void trip_counts(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < ny && column < nx) {
        int sum = 0;
        for (int k = 0; k < depth && k <= row; k++)
            sum += a[row * depth + k] * b[k * nx + column];
        for (int k = column % 3; k < depth; k++)
            sum += a[row * depth + k] * b[k * nx + column];
        for (int k = depth; k < depth; k++)
            sum = a[row * depth + k] * b[k * nx + column];
        for (int k = b[column] % depth; k > 0; k -= 2)
            sum -= a[row * depth + k] * b[k * nx + column];
        c[row * nx + column] = sum;
    }
}

__global__ void jumps(const int *a, const int *b, int *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row >= ny || column >= nx)
        return;
    int sum = 0;
    for (int k = 0; k < depth; k++) {
        sum += a[row * depth + k] * b[k * nx + column];
        if (sum > 9000)
            break;
    }
    for (int k = 0; k < depth; k++) {
        if (b[k * nx + column] > 90)
            break;
        if (b[k * nx + column] < 20)
            continue;
        sum += a[row * depth + k] * b[k * nx + column];
    }
    for (int k = 0; k < depth; k++) {
        switch (a[row * depth + k] % 3) {
        case 0:
            sum++;
        case 1:
            continue;
        default:
            sum += b[k * nx + column];
            break;
        }
        sum ^= b[k * nx + column];
    }
    for (int k = 0; k < depth; k++) {
        sum += b[k * nx + column] * row;
        if (sum % 7 == 3) {
            c[row * nx + column] = sum;
            return;
        }
    }
    int k = 0;
    do {
        sum = sum * 3 + a[row * depth + k] * b[k * nx + column];
    } while (++k < depth);
    c[row * nx + column] = -sum;
}

struct Pair {
    float re, im;
};

__device__ Pair times(Pair x, Pair y)
{
    Pair z = {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
    return z;
}

__global__ void of_pairs(const Pair *a, const Pair *b, Pair *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    if (row < ny && column < nx) {
        Pair sum = {0, 0};
        for (int k = 0; k < depth; k++) {
            Pair more = times(a[row * depth + k], b[k * nx + column]);
            sum.re += more.re;
            sum.im += more.im;
        }
        c[row * nx + column] = sum;
    }
}

__global__ void pointers(const double *a, const double *b, double *c, int nx, int ny, int depth)
{
    int row = ROW, column = COLUMN;
    a += row * depth;
    b += column;
    if (row < ny && column < nx) {
        double sums[2] = {0, 1};
        for (int k = 0; k < depth; k++, b += nx)
            sums[k & 1] += *a++ * *b;
        c += row * nx;
        c[column] = sums[0] * sums[1];
        ny = row + 1;
    }
    if (row < ny && column < nx)
        c[column] += ny;
}

__global__ void bytes(const unsigned char *a, const signed char *b, short *c, int nx, int ny, int depth)
{
    unsigned row = ROW, column = COLUMN;
    if (row < ny && column < nx) {
        short sum = 0;
        for (int j = 0; j < 3; j++)
            for (int k = j; k < depth; k += 3) {
                int weight = j * b[k * nx + column];
                sum += a[row * depth + k] * b[k * nx + column] + weight;
            }
        c[row * nx + column] = sum;
    }
}

// No guard: there are as many numbers as threads. Layers share their columns as rows do.
__global__ void layers(const int *a, const int *b, int *c, int depth)
{
    int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
    int row = (blockIdx.z * blockDim.z + threadIdx.z) * height + ROW, column = COLUMN;
    int sum = threadIdx.y;
    for (int k = 0; k < depth; k++)
        sum += a[row * depth + k] * b[k * width + column];
    c[row * width + column] = sum;
}
