// do: the body runs at least once; continue goes to the test.
__global__ void repeat(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], turns = 0, r = 0;
        do {
            turns++;
            if (x & 1)
                continue;
            r += x;
            if (r > 150)
                break;
        } while (--x > 0);
        do
            r -= 3;
        while (r > 90);
        out[i] = r * 100 + turns + x;
    }
}

__global__ void nested(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int outer = 0, inner = 0, x = in[i];
    do {
        int k = 0;
        do {
            inner++;
            if (inner > 25) {
                out[i] = -inner;
                return;
            }
            if (k == outer)
                break;
        } while (++k < 4);
        if (k == 3)
            continue;
        x -= 9;
    } while (outer++ < 6 && x > 0);
    out[i] = outer * 10000 + inner * 100 + x;
}
