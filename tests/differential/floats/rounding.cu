// Functions whose result is exact: rounding, remainders, parts, neighbours, signs, minima.
#define KERNEL(NAME, T, F)                                                      \
    __global__ void NAME(const T *a, const T *b, T *out, long long *whole, int n)   \
    {                                                                           \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                          \
        if (i < n) {                                                            \
            T x = a[i], y = b[i], *r = out + i * 22, part;                      \
            int e, q;                                                           \
            r[0] = floor##F(x);                                                 \
            r[1] = ceil##F(x);                                                  \
            r[2] = trunc##F(x);                                                 \
            r[3] = round##F(x);                                                 \
            r[4] = rint##F(x);                                                  \
            r[5] = nearbyint##F(x);                                             \
            r[6] = fabs##F(x);                                                  \
            r[7] = copysign##F(x, y);                                           \
            r[8] = fmod##F(x, y);                                               \
            r[9] = remainder##F(x, y);                                          \
            r[10] = fmax##F(x, y);                                              \
            r[11] = fmin##F(x, y);                                              \
            r[12] = fdim##F(x, y);                                              \
            r[13] = nextafter##F(x, y);                                         \
            r[14] = ldexp##F(x, i % 40 - 20);                                   \
            r[15] = logb##F(x);                                                 \
            r[16] = frexp##F(x, &e);                                            \
            r[17] = modf##F(x, &part);                                          \
            r[18] = part;                                                       \
            r[19] = remquo##F(x, y, &q);                                        \
            r[20] = fma##F(x, y, r[0]);                                         \
            r[21] = scalbn##F(x, -3);                                           \
            whole[i * 5] = e;                                                   \
            whole[i * 5 + 1] = q & 7;                                           \
            whole[i * 5 + 2] = ilogb##F(x);                                     \
            whole[i * 5 + 3] = llrint##F(x);                                    \
            whole[i * 5 + 4] = lround##F(x);                                    \
        }                                                                       \
    }

KERNEL(floats, float, f)
KERNEL(doubles, double, )

__global__ void special(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float *r = out + i * 12, x = a[i], y = b[i];
        r[0] = floorf(x);
        r[1] = ceilf(x);
        r[2] = roundf(x);
        r[3] = rintf(x);
        r[4] = truncf(x);
        r[5] = fmodf(x, y);
        r[6] = fmaxf(x, y);
        r[7] = fminf(x, y);
        r[8] = fabsf(x);
        r[9] = max(x, y) - min(x, y);
        r[10] = __saturatef(x);
        r[11] = fmaf(x, y, 1.0f);
    }
}

__global__ void rounded(const float *a, const float *b, const double *c, const double *d, float *out, double *out64, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i], y = b[i], *r = out + i * 8;
        r[0] = __fadd_rn(__fmul_rn(x, y), x);  // never fused
        r[1] = __fsub_rn(x, y);
        r[2] = __fdiv_rn(x, y);
        r[3] = __frcp_rn(x);
        r[4] = __fsqrt_rn(x < 0 ? -x : x);
        r[5] = __fmaf_rn(x, y, -r[0]);
        r[6] = __frsqrt_rn(x < 0 ? -x : x);
        r[7] = fdividef(x, y);
        double *q = out64 + i * 6;
        q[0] = __dadd_rn(__dmul_rn(c[i], d[i]), c[i]);
        q[1] = __dsub_rn(c[i], d[i]);
        q[2] = __ddiv_rn(c[i], d[i]);
        q[3] = __drcp_rn(c[i]);
        q[4] = __dsqrt_rn(c[i] < 0 ? -c[i] : c[i]);
        q[5] = __fma_rn(c[i], d[i], -q[0]);
    }
}
