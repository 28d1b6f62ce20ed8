// The mathematical functions of one argument, float and double, by their C names and their overloads.
#define KERNEL(NAME, T, F)                                              \
    __global__ void NAME(const T *any, const T *positive, const T *unit, T *out, int n) \
    {                                                                   \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                  \
        if (i < n) {                                                    \
            T x = any[i], p = positive[i], u = unit[i];                 \
            T *r = out + i * 48;                                        \
            r[0] = acos##F(u);                                          \
            r[1] = acosh##F(p + 1);                                     \
            r[2] = asin##F(u);                                          \
            r[3] = asinh##F(x);                                         \
            r[4] = atan##F(x);                                          \
            r[5] = atanh##F(u);                                         \
            r[6] = cbrt##F(x);                                          \
            r[7] = cos##F(x);                                           \
            r[8] = cosh##F(x);                                          \
            r[9] = cospi##F(x);                                         \
            r[10] = erf##F(u);                                          \
            r[11] = erfc##F(u);                                         \
            r[12] = erfcinv##F(u < 0 ? -u : u);                         \
            r[13] = erfcx##F(p);                                        \
            r[14] = erfinv##F(u);                                       \
            r[15] = exp##F(x);                                          \
            r[16] = exp10##F(x);                                        \
            r[17] = exp2##F(x);                                         \
            r[18] = expm1##F(x);                                        \
            r[19] = j0##F(u);                                           \
            r[20] = j1##F(u);                                           \
            r[21] = lgamma##F(p + 3);                                   \
            r[22] = log##F(p);                                          \
            r[23] = log10##F(p);                                        \
            r[24] = log1p##F(p);                                        \
            r[25] = log2##F(p);                                         \
            r[26] = normcdf##F(u);                                      \
            r[27] = normcdfinv##F(u < 0 ? -u : u);                      \
            r[28] = rcbrt##F(p);                                        \
            r[29] = rsqrt##F(p);                                        \
            r[30] = sin##F(x);                                          \
            r[31] = sinh##F(x);                                         \
            r[32] = sinpi##F(x);                                        \
            r[33] = sqrt##F(p);                                         \
            r[34] = tan##F(x);                                          \
            r[35] = tanh##F(x);                                         \
            r[36] = tgamma##F(p + 1);                                   \
            r[37] = y0##F(u < 0 ? 1 - u : u);                           \
            r[38] = y1##F(u < 0 ? 1 - u : u);                           \
            sincos##F(x, &r[39], &r[40]);                               \
            sincospi##F(u, &r[41], &r[42]);                             \
            r[43] = exp(x) + sin(p);                                    \
            r[44] = log(p) * cos(u);                                    \
            r[45] = sqrt(p) + abs(x);                                   \
            r[46] = floor(x) + tanh(u);                                 \
            r[47] = atan(p) + exp2(u);                                  \
        }                                                               \
    }

KERNEL(floats, float, f)
KERNEL(doubles, double, )
