// Threads that each go along a row of their own, and what may keep a gang from reading ahead.

__global__ void product(const int *a, const int *x, int *out, int n, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * x[k];
    out[i] = sum;
}

// Rows of any length, of numbers of 64 bits and of 32; their ends are read in every iteration.
__global__ void sparse(const int *row, const int *column, const double *value, const double *x, double *out, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    double sum = 0.0;
    for (int k = row[i]; k < row[i + 1]; k++)
        sum += value[k] * x[column[k]];
    out[i] = sum;
}

// The greatest of a row and its place, for some of the lanes; what is read is read again behind the test.
__global__ void greatest(const int *row, const int *value, int *out, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    int best = -1, at = -1;
    if (i % 3 != 1) {
        int end = row[i + 1];
        for (int k = row[i]; k < end; ++k) {
            if (value[k] > best) {
                best = value[k];
                at = k;
            }
        }
    }
    out[i] = best * 1000 + at;
}

// A row is gone along several times, from another place on each time; indices without a sign and of 64 bits.
__global__ void again(const int *row, const int *value, long long *out, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    long long sum = 0;
    unsigned first = row[i], length = row[i + 1] - first;
    for (int turn = 0; turn < 1 + i % 3; turn++) {
        for (unsigned k = turn; k < length; k++)
            sum = sum * 3 + value[first + k];
        for (size_t k = first + turn; k < (size_t)first + length; k++)
            sum ^= value[k - 0];
    }
    out[i] = sum;
}

// Loops that more than the test ends, or whose iterations do not all read.
__global__ void jumps(const int *row, const int *value, int *out, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    int sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) {
        if (value[k] > 90)
            break;
        sum += value[k];
    }
    for (int k = row[i]; k < row[i + 1]; k++) {
        if (value[k] & 1)
            continue;
        sum += 3 * value[k];
    }
    for (int k = row[i]; k < row[i + 1]; k++)
        if ((k ^ i) & 1)
            sum += 5 * value[k];
    for (int k = row[i]; k < row[i + 1]; k++) {
        sum -= value[k];
        if (sum & 4)
            k++;
    }
    int end = row[i + 1];
    for (int k = row[i]; k < end; k++) {
        sum += 7 * value[k];
        if (sum & 8)
            end--;
    }
    int shift = 0, *moved = &shift;
    for (int k = row[i]; k < row[i + 1] - 1; k++) {
        sum += value[k + shift];
        *moved = sum & 1;
    }
    out[i] = sum;
}

// What is written in the loop may be what it reads next: `b` is `a`.
__global__ void chain(const int *a, int *b, int n, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    for (int k = 0; k < n - 1; k++)
        b[i * n + k + 1] = a[i * n + k] * 3 + k;
}

// It cannot be, in these: by the program's word, or since it is the block's own.
__global__ void counts(const int *__restrict__ row, const int *__restrict__ value, int *out, int *total, int rows)
{
    __shared__ int mine[8][256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int d = 0; d < 8; d++)
        mine[d][t] = 0;
    if (i < rows) {
        for (int k = row[i]; k < row[i + 1]; k++)
            mine[value[k] & 7][t]++;
        out[i] = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            out[i] += value[k];
            atomicAdd(&total[value[k] & 7], 1);
        }
    }
    __syncthreads();
    if (i < rows)
        out[i] += mine[0][t] * 7 + mine[5][t] * 11 + mine[7][t];
}

__device__ int along(const int *values, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum = sum * 5 + values[k];
    return sum;
}

__device__ int halves(const int *values, int first, int end)
{
    if (end - first < 20) {
        int sum = 0;
        for (int k = first; k < end; k++)
            sum += values[k] * (k - first + 1);
        return sum;
    }
    int middle = (first + end) / 2;
    return halves(values, first, middle) - 2 * halves(values, middle, end);
}

// In functions: a pointer for each lane, and a recursion.
__global__ void called(const int *row, const int *value, int *out, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        out[i] = along(value + row[i], row[i + 1] - row[i]) ^ halves(value, row[i], row[i + 1]);
}

// The block waits in the middle of an iteration.
__global__ void waits(const int *a, int *out, int n, int rows)
{
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, sum = 0;
    for (int k = 0; k < n; k++) {
        sums[t] = i < rows ? a[i * n + k] : 0;
        __syncthreads();
        sum += sums[(t + 1) % blockDim.x];
        __syncthreads();
    }
    if (i < rows)
        out[i] = sum;
}

__global__ void watched(const volatile int *a, int *out, int n, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k];
    out[i] = sum;
}
