// The math library under its C++ names: what `exp(int)` or `pow(float, int)` mean is the point.
#include <float.h>
#include <math.h>
#include <math_constants.h>
__global__ void floats(float *f, double *d, int *n, const float *x, const double *y)
{
    int i = threadIdx.x;
    float a = x[i];
    double b = y[i];
    f[i] = exp(a) + sin(a) * cosf(a) + pow(a, 2.0f) + sqrt(a) + fabs(a) + floor(a) + fmodf(a, 3) + atan2(a, 1.f) + abs(a);
    d[i] = exp(b) + exp((double)i) + pow(a, 2) + pow(b, 0.5) + max(a, b) + fmax(b, b) + fmin(1.f, a) + hypot(a, a) + log(2.0) + round(b);
    n[i] = abs(i) + max(i, 3u) + min(i, 4) + isnan(a) + isinf(b) + (int)lrintf(a) + __float2int_rd(a) + signbit(a);
    float s, c;
    sincosf(a, &s, &c);
    int e;
    f[i] += s * c + frexp(a, &e) + ldexpf(a, e) + fmaf(a, a, 1) + __fadd_rn(a, 1) + rsqrt(a) + copysignf(1, a) + CUDART_PI_F;
    d[i] += M_PI + CUDART_INF + fma(b, b, 1.0) + 1e-300 + .5 + 5. + 0x1.8p3 + 1e10f + __longlong_as_double(0x3ff0000000000000LL);
    f[i] = f[i] != f[i] ? NAN : a > CUDART_INF_F ? -INFINITY : (float)1e40 ? FLT_MIN : -0.0f;
    f[i] /= 3; f[i] *= 2.0; f[i]++; d[i]--; f[i] = -f[i] + +a;
}
