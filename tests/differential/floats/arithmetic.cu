// The exact operations, in both precisions: + - * / sqrt, comparisons, negation, special values included.
#define KERNEL(NAME, T, SQRT)                                                           \
    __global__ void NAME(const T *a, const T *b, T *out, int *tests, int n)             \
    {                                                                                   \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        if (i < n) {                                                                    \
            T x = a[i], y = b[i], *r = out + i * 10;                                    \
            r[0] = x + y;                                                               \
            r[1] = x - y;                                                               \
            r[2] = x * y;                                                               \
            r[3] = x / y;                                                               \
            r[4] = SQRT(x);                                                             \
            r[5] = -x;                                                                  \
            r[6] = x * y + x;                                                           \
            r[7] = x++ - --y;                                                           \
            r[8] = y;                                                                   \
            r[8] *= x;                                                                  \
            r[8] /= 3;                                                                  \
            r[8] -= x;                                                                  \
            r[9] = x < y ? x : y;                                                       \
            tests[i] = (x < y) + (x <= y) * 2 + (x > y) * 4 + (x >= y) * 8 +            \
                       (x == y) * 16 + (x != y) * 32 + (x && y) * 64 + !x * 128;        \
        }                                                                               \
    }

KERNEL(floats, float, sqrtf)
KERNEL(doubles, double, sqrt)
