// Variables that get other values at one place for good, and at places that some threads pass by.

__global__ void moved(const int *in, int *out, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    in += i;
    out += i;
    int sum = *in;
    in = in + pitch;
    sum += in[0] * 2;
    in -= 1;
    in++;
    out[0] = sum + in[1] * 3;
}

__global__ void chunks(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    i *= 4;
    for (int k = 0; k < 4; k++)
        if (i + k < n)
            out[i + k] = in[i + k] * 2;
}

// Not for good: the other threads keep the old value, rounds see what the one before has left.
__global__ void joined(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i, kept = 0;
    if (i >= n)
        return;
    if (in[i] & 1) {
        at = n - 1 - i;
        kept += in[at];
    }
    for (int k = 0; k < 3; k++) {
        int here = at;
        kept += in[here];
        here = (here + k) % n;
        kept += in[here];
        at += here;
        at %= n;
    }
    switch (in[i] & 3) {
    case 0:
        at = 0;
    case 1:
        int step;
        step = at;
        step = step + 1;
        kept += step;
        break;
    case 2:
        step = 5;
        kept -= step;
        step += i;
        kept -= step;
    }
    const int *p = in + at;
    const int **q = &p;
    p = in;
    kept += **q;
    unsigned u = i;
    u = u - 7;
    u += u >> 30;
    out[i] = kept + at + (int)u;
}
