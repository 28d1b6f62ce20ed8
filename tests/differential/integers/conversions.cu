// From every integer type to every other; signs extend, high bits fall off.
#define KERNEL(NAME, T)                                                              \
    __global__ void NAME(const T *in, unsigned long long *out, float *f, double *d, int n) \
    {                                                                                \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                               \
        if (i < n) {                                                                 \
            T x = in[i];                                                             \
            unsigned long long *r = out + i * 9;                                     \
            r[0] = (bool)x;                                                          \
            r[1] = (signed char)x;                                                   \
            r[2] = (unsigned char)x;                                                 \
            r[3] = (short)x;                                                         \
            r[4] = (unsigned short)x;                                                \
            r[5] = (int)x;                                                           \
            r[6] = (unsigned)x;                                                      \
            r[7] = (long long)x;                                                     \
            r[8] = (unsigned long)x;                                                 \
            f[i] = x;                                                                \
            d[i] = x;                                                                \
        }                                                                            \
    }

KERNEL(from_schar, signed char)
KERNEL(from_uchar, unsigned char)
KERNEL(from_short, short)
KERNEL(from_ushort, unsigned short)
KERNEL(from_int, int)
KERNEL(from_uint, unsigned)
KERNEL(from_longlong, long long)
KERNEL(from_ulonglong, unsigned long long)
