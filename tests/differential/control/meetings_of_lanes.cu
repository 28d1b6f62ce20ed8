// Guards that scalars answer for a whole gang: which lane has a number, and whether any is left. And conditions of which
// a part is the same for all lanes.
__global__ void one_lane(const int *in, int *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = in[i];
    if (i == k)
        out[i] += 1000;
    if (k == i + 3)
        out[i] += 2000;
    if (n - i == k)
        out[i] += 4000;
    if (i != k)
        out[i] ^= 3;
    else
        out[i] -= 5;
    if ((unsigned)i == (unsigned)k - 1u)
        out[i] *= 7;
    if (2 * i == k)
        out[i] += 9;
    if ((long long)i == k)
        out[i] += 11;
    for (int round = 0; round < 3; round++)
        if (i == k + round)
            out[i] += round;
}

__global__ void parts(const int *in, int *out, int columns, int rows, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    if (x < columns && y < rows) {
        int i = y * columns + x;
        if (y > 1 && x > 1 && y < rows - 2 && x < columns - 2)
            for (int k = -2; k <= 2; k++)
                sum += in[i + k] - in[i + k * columns];
        if (in[i] > 40 && y != limit && in[i] < 90)
            for (int k = 0; k < in[i] % 4; k++)
                sum += k * y;
        for (int k = 0; k < 4; k++) {
            if (k > limit && in[i] > 50 && y > 0)
                break;
            if (k == limit && x > 2)
                continue;
            sum += k * 3 + x;
        }
        if (limit > 2 && in[i] % 2 == 0) {
            out[i] = sum + 1;
            return;
        }
        out[i] = sum;
    }
}

// The guard wraps: behind the greatest numbers come the least ones.
__global__ void wrapping(const int *in, int *out, int n, unsigned start)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, far = i + start;
    if (i < n && far < 20u)
        out[i] = in[i] + 1;
    if (i < n && (int)far >= 0 && far != 5u)
        out[i] += 100;
    if (i < n && far == 3u)
        out[i] += 7;
}
