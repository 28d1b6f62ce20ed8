// Shifts by amounts that differ, beyond the width too: nothing but zeros, or the sign, is left.
#define KERNEL(NAME, T, C)                                              \
    __global__ void NAME(const T *a, const C *by, T *out, int n)        \
    {                                                                   \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                  \
        if (i < n) {                                                    \
            out[i * 4] = a[i] << by[i];                                 \
            out[i * 4 + 1] = a[i] >> by[i];                             \
            out[i * 4 + 2] = a[i] << by[0];                             \
            out[i * 4 + 3] = a[0] >> by[i];                             \
        }                                                               \
    }

KERNEL(int_by_int, int, int)
KERNEL(uint_by_uint, unsigned, unsigned)
KERNEL(uint_by_longlong, unsigned, long long)
KERNEL(longlong_by_int, long long, int)
KERNEL(ulonglong_by_uint, unsigned long long, unsigned)
KERNEL(short_by_uchar, short, unsigned char)
