// Pointers and numbers that advance alike from lane to lane, also round the end of their types, are compared.
typedef unsigned char byte;
typedef unsigned long long ulong64;

__global__ void pointers(const byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 || i >= n || in[i] % 3 == 0)
        return;
    const byte *p = in + i - 3, *end = in + i + n % 7;
    ulong64 r = 0;
    for (const byte *q = p; q < end; q += 2) {
        if (*q > 200)
            continue;
        if (*q < 10)
            break;
        r = r * 3 + *q;
    }
    for (const byte *q = end; q >= p; --q)
        r += *q;
    const byte *other = in[i] & 1 ? p + 1 : p;
    const int *down = (const int *)in + n - i, *below = (const int *)in - i + n - 1;
    r = r * 8 + (p == other) + 2 * (p < other) + 4 * (end != p);
    out[i] = r * 8 + (down > below) + 2 * (down - 1 == below) + 4 * (down < (const int *)end);
}

__global__ void numbers(const byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = i - 20u, b = i + 5u;
    byte c = i, d = i + 250;
    short e = i + 32760, f = i;
    float g = i + 16777216, h = i + 16777217;
    ulong64 r = (a < b) + 2 * (a > b) + 4 * (a + 25 == b) + 8 * (a != b);
    r = r * 16 + (c < d) + 2 * (c == (byte)(d + 6)) + 4 * (c == d + 6) + 8 * (c + 250 == d);
    r = r * 8 + (e > f) + 2 * (e == f + 32760) + 4 * ((short)(f + 32760) == e);
    r = r * 4 + (g == h) + 2 * (g < h);
    r = r * 16 + ((ulong64)a == i - 20ull) + 2 * ((long long)(int)a == i - 20ll) + 4 * ((ulong64)a < (ulong64)i);
    unsigned wraps = i - 7u;
    ulong64 far = wraps / 1u;
    out[i] = r * 4 + (far == i - 7ull) + 2 * (far > 5) + in[(wraps / 1u) & 15] * 256ull + (far >> 20);
}
