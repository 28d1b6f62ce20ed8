/* CUDA's cuComplex.h: complex numbers as float2 and double2, for host code and for device code. */
#ifndef S2S_CU_COMPLEX_H
#define S2S_CU_COMPLEX_H
#define CU_COMPLEX_H_

#ifdef __CUDA_ARCH__
#define S2S_COMPLEX static __host__ __device__ __inline__
#else
#include <math.h>

#include "cuda_runtime.h"
#ifdef __cplusplus
#define S2S_COMPLEX static inline
#else
#define S2S_COMPLEX static inline __attribute__((unused))
#endif
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The functions on numbers of parts of type `real`: their names end in `f` for float.
 *
 * A quotient is (a + bi)(c - di) / (cc + dd), with c and d divided by |c| + |d| before, so that no square overflows. */
#define S2S_COMPLEX_FUNCTIONS(type, real, f)                                                                           \
	S2S_COMPLEX type make_##type(real x, real y) {                                                                     \
		type z;                                                                                                        \
		z.x = x;                                                                                                       \
		z.y = y;                                                                                                       \
		return z;                                                                                                      \
	}                                                                                                                  \
	S2S_COMPLEX real cuCreal##f(type z) {                                                                              \
		return z.x;                                                                                                    \
	}                                                                                                                  \
	S2S_COMPLEX real cuCimag##f(type z) {                                                                              \
		return z.y;                                                                                                    \
	}                                                                                                                  \
	S2S_COMPLEX type cuConj##f(type z) {                                                                               \
		return make_##type(z.x, -z.y);                                                                                 \
	}                                                                                                                  \
	S2S_COMPLEX type cuCadd##f(type a, type b) {                                                                       \
		return make_##type(a.x + b.x, a.y + b.y);                                                                      \
	}                                                                                                                  \
	S2S_COMPLEX type cuCsub##f(type a, type b) {                                                                       \
		return make_##type(a.x - b.x, a.y - b.y);                                                                      \
	}                                                                                                                  \
	S2S_COMPLEX type cuCmul##f(type a, type b) {                                                                       \
		return make_##type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                              \
	}                                                                                                                  \
	S2S_COMPLEX type cuCdiv##f(type a, type b) {                                                                       \
		real scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                                                \
		real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                   \
		real inverse = 1 / (bx * bx + by * by);                                                                        \
		return make_##type((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                              \
	}                                                                                                                  \
	S2S_COMPLEX real cuCabs##f(type z) {                                                                               \
		return hypot##f(z.x, z.y);                                                                                     \
	}                                                                                                                  \
	S2S_COMPLEX type cuCfma##f(type a, type b, type c) {                                                               \
		real x = a.x * b.x + c.x, y = a.x * b.y + c.y;                                                                 \
		return make_##type(x - a.y * b.y, y + a.y * b.x);                                                              \
	}

S2S_COMPLEX_FUNCTIONS(cuFloatComplex, float, f)
S2S_COMPLEX_FUNCTIONS(cuDoubleComplex, double, )

S2S_COMPLEX cuComplex make_cuComplex(float x, float y) {
	return make_cuFloatComplex(x, y);
}
S2S_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
	return make_cuDoubleComplex((double)z.x, (double)z.y);
}
S2S_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
	return make_cuFloatComplex((float)z.x, (float)z.y);
}

#undef S2S_COMPLEX_FUNCTIONS
#undef S2S_COMPLEX

#endif
