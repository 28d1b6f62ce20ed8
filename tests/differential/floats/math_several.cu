// The mathematical functions of two and more arguments, and the fast ones.
#define KERNEL(NAME, T, F)                                              \
    __global__ void NAME(const T *a, const T *b, const T *c, T *out, int n) \
    {                                                                   \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                  \
        if (i < n) {                                                    \
            T x = a[i], y = b[i], z = c[i], *r = out + i * 13;          \
            r[0] = atan2##F(x, y);                                      \
            r[1] = hypot##F(x, y);                                      \
            r[2] = rhypot##F(x, y);                                     \
            r[3] = pow##F(z, x);                                        \
            r[4] = pow##F(x, (T)(i % 7 - 3));                           \
            r[5] = norm3d##F(x, y, z);                                  \
            r[6] = rnorm3d##F(x, y, z);                                 \
            r[7] = norm4d##F(x, y, z, x);                               \
            r[8] = rnorm4d##F(x, y, z, x);                              \
            r[9] = jn##F(2, z);                                         \
            r[10] = yn##F(2, z);                                        \
            r[11] = fdivide##F(x, y);                                   \
            r[12] = pow(z, y) + atan2(y, x);                            \
        }                                                               \
    }

KERNEL(floats, float, f)
KERNEL(doubles, double, )

__global__ void fast(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i], p = b[i], *r = out + i * 12;
        r[0] = __expf(x);
        r[1] = __exp10f(x * 0.25f);
        r[2] = __logf(p);
        r[3] = __log2f(p);
        r[4] = __log10f(p);
        r[5] = __sinf(x);
        r[6] = __cosf(x);
        r[7] = __tanf(x);
        r[8] = __powf(p, x);
        r[9] = __fdividef(x, p);
        __sincosf(x, &r[10], &r[11]);
    }
}
