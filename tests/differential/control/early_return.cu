// return at every depth; what other threads do afterwards must not touch the threads that left.
__global__ void early(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = -1;
    int x = in[i];
    if (x < 5)
        return;
    out[i] = 1;
    if (x < 50) {
        if (x & 1) {
            out[i] = 2;
            return;
        } else if (x & 2)
            return;
        out[i] = 3;
    } else {
        for (int k = 0; k < 4; k++) {
            if (x % (k + 5) == 0) {
                out[i] = 100 + k;
                return;
            }
            out[i] += 10;
        }
    }
    out[i] += 1000;
    {
        if (x == 8)
            return;
    }
    out[i] += 10000;
}

__global__ void all_leave(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
        return;
    } else {
        return;
    }
    out[0] = 12345;  // not reached
}
