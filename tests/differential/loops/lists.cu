// Loops that the last lanes finish one by one: neighbour lists of very different lengths.

__global__ void row_sums(const int *start, const int *column, const float *value, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int j = start[i]; j < start[i + 1]; j++)
        sum += value[j] * x[column[j]];
    y[i] = sum;
}

// Every neighbour of an odd element is marked; bytes, and a condition inside.
__global__ void mark(const int *start, const int *column, unsigned char *marked, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 1)
        for (int j = start[i]; j < start[i + 1]; j++) {
            int to = column[j];
            if (to == i)
                continue;
            marked[to] = 1;
        }
}

// Several values leave the loop: a float, a bool, a pointer, a counter; a lane may stop in the middle.
__global__ void first_large(const int *start, const int *column, const float *value, float limit, float *found,
                            int *where, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *at = value + start[i];
    const float *end = value + start[i + 1];
    float largest = -1.0f;
    bool stopped = false;
    int steps = 0;
    while (at < end) {
        steps++;
        float v = *at;
        largest = v > largest ? v : largest;
        if (v > limit) {
            stopped = true;
            break;
        }
        at++;
    }
    found[i] = largest;
    where[i] = stopped ? (int)(at - value) : -steps;
}

// The other lanes wait in the else-arm with values of their own.
__global__ void two_ways(const int *start, const int *column, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i, length = 0;
    if (i % 3) {
        int j = start[i];
        do {
            if (j >= start[i + 1])
                break;
            x = column[j] ^ (x << 1);
            j++;
        } while (true);
        length = j - start[i];
    } else {
        for (long long j = start[i]; j < start[i + 1]; j += 2)
            x += column[j] * 3;
    }
    out[i] = x * 100 + length;
}
