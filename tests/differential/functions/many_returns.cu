// Device functions that return from several places while their callers disagree.
__device__ int classify(int x)
{
    if (x < 0)
        return -1;
    if (x < 10) {
        if (x & 1)
            return 1;
        return 2;
    }
    for (int k = 2; k < 8; k++)
        if (x % k == 0)
            return 10 + k;
    switch (x % 5) {
    case 0:
        return 100;
    case 1:
        x += 3;
        break;
    case 2:
        return 102;
    default:
        if (x > 70)
            return x;
    }
    while (x > 5) {
        x -= 7;
        if (x == 9)
            return 999;
    }
    return x;
}

__device__ void store_if(int *where, int x)
{
    if (x % 3 == 0)
        return;
    *where = x;
    if (x % 3 == 1)
        return;
    *where += 1000;
}

__global__ void returns(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = -5;
        store_if(out + i, in[i]);
        int r = classify(in[i]);
        if (in[i] & 1)
            r += classify(in[i] - 20) * 3;
        out[i] = out[i] * 10000 + r + classify(7);
    }
}
