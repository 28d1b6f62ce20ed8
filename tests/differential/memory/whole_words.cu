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
    unsigned apart = p[0] | p[2] << 8 | p[3] << 16 | (unsigned)p[4] << 24;
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
    out[i] = extended + cut * 3 + turned * 5ull + apart * 7ull + twice * 11ull + negative + wraps * 13 + any + itself;
}
