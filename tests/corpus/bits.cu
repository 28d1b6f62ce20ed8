// Integer and bit intrinsics, every integer width, literals of every kind, compound assignment of narrow types.
#include <stdint.h>
#include <limits.h>
__device__ uint32_t hash32(uint32_t x)
{
    x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16;
    return x;
}
__device__ uint64_t rotate(uint64_t v, int by) { return (v << by) | (v >> (64 - by)); }

__global__ void bits(int8_t *a, uint8_t *b, int16_t *c, uint16_t *d, int32_t *e, uint32_t *f, int64_t *g, uint64_t *h, bool *p)
{
    int i = threadIdx.x;
    a[i] += b[i]; b[i] <<= 3; c[i] *= -7; d[i]--; ++c[i];
    e[i] = __popc(f[i]) + __clz(e[i]) + __ffs(e[i]) + __popcll(h[i]) + __clzll(g[i]);
    f[i] = __brev(f[i]) ^ __byte_perm(f[i], e[i], 0x5410) ^ hash32(i);
    g[i] = __mul64hi(g[i], 0x123456789abcdefLL) + INT_MAX + LONG_MIN;
    h[i] = rotate(h[i], 7) + 0b1011 + 017 + 'a' + '\n' + '\x41' + 10ull + UINT64_MAX;
    p[i] = e[i] & 1;
    p[i] |= h[i] > 5 && (g[i] != 0 || !p[i]);
    e[i] %= 10; e[i] = e[i] / 3 - -e[i]; e[i] = ~e[i] + +e[i];
    f[i] = __float_as_uint(1.5f) + (unsigned)__float2int_rn(2.5f) + __umulhi(f[i], 3u);
    e[i] = sizeof(int) + sizeof a[0] + sizeof(uint64_t *) + (int)(p[i] ? 1u : -1);
    c[i] = (int16_t)(e[i] >> 3 << 2 & 0xff | 1 ^ 2);
}
