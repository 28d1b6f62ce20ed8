// Division and remainder: by zero all ones and the dividend, least value by -1, by constants, by what all threads share.
#define KERNEL(NAME, T)                                                                 \
    __global__ void NAME(const T *a, const T *b, T *out, int n, T common)               \
    {                                                                                   \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        if (i < n) {                                                                    \
            T *r = out + i * 14;                                                        \
            r[0] = a[i] / b[i];                                                         \
            r[1] = a[i] % b[i];                                                         \
            r[2] = a[i] / common;                                                       \
            r[3] = a[i] % common;                                                       \
            r[4] = common / b[i];                                                       \
            r[5] = common % b[i];                                                       \
            r[6] = a[i] / 7;                                                            \
            r[7] = a[i] % 7;                                                            \
            r[8] = a[i] / 16;                                                           \
            r[9] = a[i] % 16;                                                           \
            r[10] = a[i] / (T)-3;                                                       \
            r[11] = a[i] % (T)-3;                                                       \
            r[12] = a[i] / (T)-1;                                                       \
            r[13] = b[i] ? a[i] % b[i] : 99;                                            \
        }                                                                               \
    }

KERNEL(ints, int)
KERNEL(uints, unsigned)
KERNEL(longlongs, long long)
KERNEL(ulonglongs, unsigned long long)
