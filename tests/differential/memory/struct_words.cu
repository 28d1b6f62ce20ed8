// Structs with bytes and 16-bit members, which are read and written as words: at any address, in any order, in parts.
typedef unsigned char byte;
typedef unsigned long long ulong64;

struct Pair { byte a, b; };
struct Mixed { int a; byte b; short c; };  // a byte of padding
struct Eight { byte b[8]; };
struct Halves { short x, y; };
struct Twelve { byte b[12]; };
struct Flags { bool p, q; };
union Number { double d; byte b[5]; float f[2]; };
struct Full { int a; byte b, c; short d; };

__device__ int sum(Pair x) { return x.a * 3 + x.b; }
__device__ int sum(Mixed x) { return x.a % 100 * 7 + x.b * 3 + x.c; }
__device__ int sum(Halves x) { return x.x * 3 + x.y; }
__device__ int sum(Eight x)
{
    int r = 0;
    for (int k = 0; k < 8; k++)
        r = r * 3 + x.b[k];
    return r;
}

__global__ void reads(const byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = i * 5 % n;
    if (i >= n)
        return;
    const byte *odd = in + 1 + n % 3;
    ulong64 r = sum(((Pair *)in)[i]) + sum(((Mixed *)in)[i]) * 3 + sum(((Eight *)odd)[i]) * 5 + sum(((Halves *)in)[i]) * 7;
    r += sum(((Pair *)odd)[n - 1 - i]) + sum(((Mixed *)in)[j]) * 3 + sum(((Eight *)odd)[j]) * 5 + sum(((Halves *)in)[j]) * 7;
    r += sum(((Eight *)odd)[2 * i]) + sum(((Pair *)odd)[n % 5]) * 3 + sum(((Eight *)odd)[(i + 1) % n]) * 5;
    const Number u = ((Number *)in)[i];
    out[i] = r + u.b[1] + u.b[4] * 3;
}

__global__ void writes(byte *to, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Eight eight;
    Twelve twelve;
    for (int k = 0; k < 12; k++)
        twelve.b[k] = i ^ k;
    for (int k = 0; k < 8; k++)
        eight.b[k] = i * k + 1;
    if (i % 3)
        ((Eight *)(to + 1))[i] = eight;
    to += 8 * n + 8;
    ((Pair *)(to + 3))[n - 1 - i] = {(byte)i, (byte)(i + 1)};
    to += 2 * n + 4 + 2 * n % 4;
    ((Halves *)to)[(i + 1) % n] = {(short)i, (short)-i};
    to += 4 * n;
    if (i & 2)
        ((Twelve *)(to + 1))[i * 2 % n] = twelve;
    to += 12 * n + 4;
    ((Flags *)to)[i] = {(i & 1) != 0, (i & 2) != 0};
    out[i] = i;
}

__global__ void parts(byte *in, ulong64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Full *d = (Full *)in;
    Full e = d[i];
    e.c++;
    e.a = 7 * i;
    d[i] = e;
    d[i].b += 2;
    Full b = d[i];
    Mixed *m = (Mixed *)(in + 8 * n);
    m[i].b ^= 3;
    Mixed whole = m[i];
    m[i].c = whole.b;
    Eight l[3];
    for (int k = 0; k < 3; k++)
        l[k] = ((Eight *)(out + n + i))[0];
    l[i % 3].b[i % 8] ^= 9;
    Eight t = l[(i + 1) % 3];
    l[0] = l[n % 3];
    Pair *p = (Pair *)&t;
    p[1] = p[i % 4];
    out[i] = b.a + b.b * 3 + sum(whole) + sum(t) * 5ull + sum(l[0]) + sum(l[1]) * 7;
}
