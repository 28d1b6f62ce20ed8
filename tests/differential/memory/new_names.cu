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

// Not for good: the other threads keep the old value, iterations see what the one before has left.
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

// Others see it, or jumps lead past it.
__global__ void seen(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = i, *p = &a, t = 0, r;
    a += 1;
    *p += 2;
    a += 3;
    int &c = t;
    t += a;
    c += 2;
    auto by_name = [&](int x) { a += x; return a; };
    auto copies = [=](int x) { return t + x; };
    t += 1;
    r = by_name(3) + copies(1) * 3;
    {
        int x;
        x = i;
    back:
        x = x + 1;
        r += x;
        if (t++ < 6 + (i & 1))
            goto back;
        x += 5;
        r += x * 2;
    }
    int y = n;
    if (i & 1)
        goto middle;
    y = i;
    r += y;
middle:
    y = y + 1;
    y = y++ + 1;
    y = (y += 2, y + 1);
    int maybe;
    if (in[i] & 1)
        maybe = i;
    if (in[i] & 1)
        r += maybe;
    maybe = 3 * i;
    r += maybe;
    out[i] = r + y * 3 + a;
}

__device__ int depth(const int *p, int d, int x)
{
    x = x + d;
    if (d <= 0)
        return *p + x;
    d -= 1;
    int y = *p & 3;
    y += 1;
    int r = depth(p + y, d - y, x & 7);
    p += 1;
    r += *p;
    return r + depth(p, d - 2, y);
}

__global__ void recursive(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int d = i % 6;
    d += 1;
    out[i] = depth(in + i, d, i & 3);
}

__global__ void waiting(const int *in, int *out, int n)
{
    __shared__ int all[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, a = t;
    if (i < n)
        a = in[i];
    a += t;
    int *p = all;
    p += t;
    *p = a;
    __syncthreads();
    a = all[(t + 1) % blockDim.x];
    p = all;
    p += (t * 3 + 1) % (int)blockDim.x;
    a += *p;
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int b = a & 255;
        b += k;
        all[t] = b;
        __syncthreads();
        b = all[(t + b) % blockDim.x];
        b += 1;
        a += b;
        __syncthreads();
    }
    out += i;
    if (i < n)
        *out = a;
}
