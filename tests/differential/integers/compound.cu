// Compound assignment on every integer type, with operands of other types: combined in the common type, then truncated.
#define KERNEL(NAME, T, U)                                  \
    __global__ void NAME(const T *a, const U *b, T *out, int n) \
    {                                                       \
        int i = blockIdx.x * blockDim.x + threadIdx.x;      \
        if (i < n) {                                        \
            T *r = out + i * 12;                            \
            U y = b[i];                                     \
            for (int k = 0; k < 12; k++)                    \
                r[k] = a[i];                                \
            r[0] += y;                                      \
            r[1] -= y;                                      \
            r[2] *= y;                                      \
            r[3] /= y;                                      \
            r[4] %= y;                                      \
            r[5] &= y;                                      \
            r[6] |= y;                                      \
            r[7] ^= y;                                      \
            r[8] <<= y & 7;                                 \
            r[9] >>= y & 7;                                 \
            r[10] = -r[0] + (r[1] -= r[2] += y);            \
            r[11]++;                                        \
            r[11] *= 3 + (--r[11] & 1);                       \
        }                                                   \
    }

KERNEL(char_int, signed char, int)
KERNEL(uchar_short, unsigned char, short)
KERNEL(short_uint, short, unsigned)
KERNEL(int_uint, int, unsigned)
KERNEL(longlong_uint, long long, unsigned)
KERNEL(longlong_ulonglong, long long, unsigned long long)
KERNEL(ulonglong_int, unsigned long long, int)
