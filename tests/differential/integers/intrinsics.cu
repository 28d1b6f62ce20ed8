// The integer and bit intrinsics.
__global__ void bits32(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = a[i], y = b[i], z = c[i], *r = out + i * 26;
        int s = x, t = y;
        r[0] = __clz(x);
        r[1] = __popc(x);
        r[2] = __ffs(x);
        r[3] = __brev(x);
        r[4] = __byte_perm(x, y, z);
        r[5] = __mulhi(s, t);
        r[6] = __umulhi(x, y);
        r[7] = __mul24(s, t);
        r[8] = __umul24(x, y);
        r[9] = __sad(s, t, z);
        r[10] = __usad(x, y, z);
        r[11] = __hadd(s, t);
        r[12] = __uhadd(x, y);
        r[13] = __rhadd(s, t);
        r[14] = __urhadd(x, y);
        r[15] = __funnelshift_l(x, y, z);
        r[16] = __funnelshift_r(x, y, z);
        r[17] = __funnelshift_lc(x, y, z % 40);
        r[18] = __funnelshift_rc(x, y, z % 40);
        r[19] = __dp4a(s, t, (int)z);
        r[20] = __dp4a(x, y, z);
        r[21] = max(s, t) - min(s, t);
        r[22] = max(x, y) ^ min(x, y);
        r[23] = abs(s) + umax(x, 7u) + umin(y, 9u);
        r[24] = __clz(s >> (z & 31)) + __ffs(t << (z & 31));
        r[25] = __popc(x & y) * 2 + __popc(z);
    }
}

__global__ void bits64(const unsigned long long *a, const unsigned long long *b, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long long x = a[i], y = b[i], *r = out + i * 12;
        long long s = x, t = y;
        r[0] = __clzll(s);
        r[1] = __popcll(x);
        r[2] = __ffsll(s);
        r[3] = __brevll(x);
        r[4] = __mul64hi(s, t);
        r[5] = __umul64hi(x, y);
        r[6] = max(s, t);
        r[7] = min(x, y);
        r[8] = llabs(s) + labs(t);
        r[9] = llmax(s, t) - llmin(s, t);
        r[10] = ullmax(x, y) ^ ullmin(x, y);
        r[11] = abs(s);
    }
}
