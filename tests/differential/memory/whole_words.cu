// Bytes that are put together to numbers: words that lie anywhere, and what only looks like words.
typedef unsigned char byte;
typedef unsigned long long ulong64;

__device__ ulong64 eight(const byte *p, int i)
{
    ulong64 s = 0;
    for (int n = 0; n < 8; n++)
        s |= (ulong64)p[8 * i + n] << (n * 8);
    return s;
}

__global__ void words(const byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const byte *p = in + in[i] % 13, *q = in + 3;
    ulong64 sum = eight(p, 1) * 31 + eight(in, i);
    unsigned four = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
    int own = q[4 * i] + (q[4 * i + 1] << 8) + (q[4 * i + 2] << 16) + (q[4 * i + 3] << 24);
    unsigned short two = (unsigned short)(*(p + 1) << 8 ^ *p);
    byte local[8];
    for (int k = 0; k < 8; k++)
        local[k] = in[i + k] + k;
    sum += eight(local, 0);
    out[i] = sum * 7 + four * 5ull + own + two;
}

__global__ void no_words(const byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const byte *p = in + i;
    ulong64 extended = p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24;
    ulong64 cut = (byte)(p[1] << 8) | p[0];
    unsigned turned = p[3] | p[2] << 8 | p[1] << 16 | (unsigned)p[0] << 24;
    unsigned gap = p[0] | p[2] << 8 | p[3] << 16 | (unsigned)p[4] << 24;
    unsigned twice = p[0] + (p[1] << 8) + (p[1] << 8) + ((unsigned)p[3] << 24);
    const signed char *c = (const signed char *)p;
    int negative = c[0] | c[1] << 8;
    unsigned last = 4294967295u - (unsigned)i, wraps = in[last + i + 1] | in[last + i + 2] << 8;
    bool any = false;
    for (int k = 0; k < 4; k++)
        any |= p[k] << (8 * k);
    unsigned itself = i;
    byte *bytes = (byte *)&itself;
    for (int k = 0; k < 4; k++)
        itself |= (unsigned)bytes[k] << (8 * k);
    out[i] = extended + cut * 3 + turned * 5ull + gap * 7ull + twice * 11ull + negative + wraps * 13 + any + itself;
}

// A byte changes between the reads, or some threads leave bytes out.
__device__ byte poke(byte *p, int v)
{
    *p = (byte)v;
    return (byte)(v + 1);
}

__global__ void changing(byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    if (i >= n)
        return;
    byte *p = in + 8 * i, *q = p + n % 4;
    unsigned before = p[0];
    *q = 0x5a;
    before |= p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
    unsigned meanwhile = 0;
    for (int k = 0; k < 4; k++) {
        meanwhile |= p[k] << (8 * k);
        *q += 3;
    }
    unsigned called = (p[0] | p[1] << 8) + poke(p + 1, 77) + (p[0] | p[1] << 8 | p[2] << 16);
    unsigned counted = (p[0] | (count++, p[1]) << 8) + count;
    volatile byte *v = p;
    unsigned each = v[0] | v[1] << 8 | v[2] << 16 | (unsigned)v[3] << 24;
    unsigned some = 0, until = 0, short_cut = p[4] | (p[4] & 4 ? p[5] : 3) << 8 | (p[5] && p[6]) << 16;
    for (int k = 0; k < 4; k++) {
        if (p[k] & 1)
            continue;
        some |= p[k] << (8 * k);
    }
    for (int k = 0; k < 4 && p[k]; k++)
        until |= p[k] << (8 * k);
    unsigned truths = (bool)p[4] | (bool)p[5] << 8;
    unsigned negative = (signed char)p[4] + ((signed char)p[5] << 8);
    if (i % 3 && p[4] > 30)
        some += p[4] | p[5] << 8;
    out[i] = before + meanwhile * 3ull + called * 5ull + counted * 7ull + each * 11ull + some * 13ull + until * 17ull +
             short_cut * 19ull + truths * 23ull + negative;
}

__global__ void changed_by_others(byte *in, ulong64 *out, int n)
{
    __shared__ byte all[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, next = (t + 1) % blockDim.x;
    for (int k = 0; k < 4; k++)
        all[4 * t + k] = i < n ? in[8 * i + k] : k;
    __syncthreads();
    unsigned a = 0, b = 0;
    for (int k = 0; k < 4; k++) {
        a |= all[4 * next + k] << (8 * k);
        __syncthreads();
        all[4 * t + 3 - k] ^= a;
        __syncthreads();
    }
    for (int k = 0; k < 4; k++)
        b |= all[4 * next + k] << (8 * k);
    unsigned gap = all[4 * next] | (__syncthreads_count(t & 1), all[4 * next + 1]) << 8;
    if (i < n)
        out[i] = a + b * 3ull + gap;
}
