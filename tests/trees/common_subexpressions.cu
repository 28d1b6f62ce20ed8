// Terms in several places: in one statement, in the arms of a branch, in a loop, in others; and those that stay.
#define at(i, j) (base + (i) + pitch * (j))

__global__ void k(const float *u, float *out, int pitch, int n)
{
    int base = 7 * pitch - 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n) {
        float sum = u[at(i, j)] * u[at(i, j)];
        if (sum > 1)
            sum += u[at(i - 2, j)];
        else
            sum -= u[at(i - 2, j)];
        for (int r = 0; r < n; r++) {
            int steady = r * pitch;
            sum += u[at(i, j + 1)] + u[steady + 3] * u[steady + 3];
            sum += u[at(r, j)] * u[at(r, j)];
        }
        out[at(i, j)] = sum;
    }
    switch (n) {
    case 0: {
        int inside = i + 1;
        out[(long)inside * n] = u[(long)inside * n];
    }
    default:
        int other = i + 2;
        out[other * n] = u[other * n];
    }
    int moving = n;
    out[moving + 1] = 0;
    moving += j;
    out[moving + 1] = u[n / 3] + u[n / 3];
}

__global__ void waits(float *out, int n)
{
    __shared__ float s[64];
    s[n + 1] = out[n + 1];
    __syncthreads();
    out[n + 1] = s[n];
}
