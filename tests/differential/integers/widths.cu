// Every operator on every integer type, one kernel for each type. Overflow wraps, also for signed types.
#define KERNEL(NAME, T)                                                         \
    __global__ void NAME(const T *a, const T *b, T *out, int n)                 \
    {                                                                           \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                          \
        if (i < n) {                                                            \
            T x = a[i], y = b[i], *r = out + i * 16;                            \
            r[0] = x + y;                                                       \
            r[1] = x - y;                                                       \
            r[2] = x * y;                                                       \
            r[3] = x / y;                                                       \
            r[4] = x % y;                                                       \
            r[5] = x & y;                                                       \
            r[6] = x | y;                                                       \
            r[7] = x ^ y;                                                       \
            r[8] = ~x;                                                          \
            r[9] = -y;                                                          \
            r[10] = x << (y & 7);                                               \
            r[11] = x >> (y & 7);                                               \
            r[12] = (x < y) + (x <= y) * 2 + (x > y) * 4 + (x >= y) * 8;        \
            r[13] = (x == y) + (x != y) * 2 + !x * 4 + (x && y) * 8;            \
            r[14] = x++ - --y;                                                  \
            r[15] = ++x * y--;                                                  \
        }                                                                       \
    }

KERNEL(on_char, char)
KERNEL(on_schar, signed char)
KERNEL(on_uchar, unsigned char)
KERNEL(on_short, short)
KERNEL(on_ushort, unsigned short)
KERNEL(on_int, int)
KERNEL(on_uint, unsigned int)
KERNEL(on_long, long)
KERNEL(on_ulong, unsigned long)
KERNEL(on_longlong, long long)
KERNEL(on_ulonglong, unsigned long long)
