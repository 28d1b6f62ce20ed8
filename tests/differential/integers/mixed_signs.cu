// Signed and unsigned operands together: the usual arithmetic conversions decide.
__global__ void mixed(const int *a, const unsigned *b, const signed char *c, const unsigned short *d, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = a[i];
        unsigned u = b[i];
        signed char s = c[i];
        unsigned short t = d[i];
        long long l = x;
        long long *r = out + i * 16;
        r[0] = x + u;              // unsigned, then widened with zeros
        r[1] = l + u;              // long long
        r[2] = x < u;              // unsigned comparison
        r[3] = s < t;              // int comparison
        r[4] = s * t;
        r[5] = x / (u | 1);
        r[6] = l / (long long)(u | 1);
        r[7] = s >> 2;
        r[8] = (unsigned)s >> 2;
        r[9] = -t;
        r[10] = ~t;
        r[11] = -u;
        r[12] = x & 1 ? s : u;     // unsigned
        r[13] = s - t * 1u;
        r[14] = (x > -1) + (u > -1) * 2 + (l > -1) * 4 + (t > -1) * 8;
        r[15] = 'a' + 1u - 2147483648 + 0x80000000 + 07 + (x & ~0ul) + 3000000000u / -1;
    }
}

// Numbers that are evenly spaced as signed numbers, but wrap round as unsigned ones, or have a sign that a shift gave them.
__global__ void below_zero(const int *in, long *out, int n)
{
    int i = threadIdx.x, t = blockIdx.x * blockDim.x + i;
    if (t >= n)
        return;
    long *o = out + 8 * t;
    o[0] = (unsigned)(i - 5);
    o[1] = in[min((unsigned)(i - 5), n - 1u)];
    o[2] = in[min((unsigned long)(i - 5) >> 1, n - 1ul)];
    o[3] = (unsigned)(i - 5) < 10u ? 1 : (unsigned long)(i - 5) > 100 ? 2 : 3;
    o[4] = in[2 * i - (int)(bool)(i & 15)];
    int high = (n - n + 1) << 31, odd = (i & 1) << 31;
    o[5] = (high | i) / 16;
    o[6] = (high | i) % 16 + ((((n | 1) & 1) << 31) | i) / 16;
    o[7] = (long)odd + ((((in[0] | 1) & 1) << 31) | i) % 16;
}
