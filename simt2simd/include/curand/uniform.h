/* Uniform numbers between 0, which is left out, and 1, which is included. */
#ifndef S2S_CURAND_UNIFORM_H
#define S2S_CURAND_UNIFORM_H

#define CURAND_2POW32_INV 2.3283064e-10f
#define CURAND_2POW32_INV_DOUBLE 2.3283064365386963e-10
#define CURAND_2POW53_INV_DOUBLE 1.1102230246251565e-16
#define S2S_MRG_NORM 2.3283065498378288e-10 /* 1 / (S2S_MRG_M1 + 1) */

__device__ inline float _curand_uniform(unsigned x) {
	return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2;
}

__device__ inline double _curand_uniform_double(unsigned x) {
	return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}

/* The 53 bits of a double, of the 64 of two numbers. */
__device__ inline unsigned long long __s2s_53_bits(unsigned x, unsigned y) {
	return x ^ (unsigned long long)y << 21;
}

__device__ inline double _curand_uniform_double_hq(unsigned x, unsigned y) {
	return __s2s_53_bits(x, y) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
}

__device__ inline float curand_uniform(curandStateXORWOW_t *state) {
	return _curand_uniform(curand(state));
}

__device__ inline float curand_uniform(curandStatePhilox4_32_10_t *state) {
	return _curand_uniform(curand(state));
}

__device__ inline float curand_uniform(curandStateMRG32k3a_t *state) {
	return (float)(curand_MRG32k3a(state) * S2S_MRG_NORM);
}

__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
	uint4 x = curand4(state);
	return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z), _curand_uniform(x.w));
}

__device__ inline double curand_uniform_double(curandStateXORWOW_t *state) {
	unsigned x = curand(state), y = curand(state);
	return _curand_uniform_double_hq(x, y);
}

/* One number makes a double here, of 32 bits. */
__device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
	return _curand_uniform_double(curand(state));
}

__device__ inline double curand_uniform_double(curandStateMRG32k3a_t *state) {
	return curand_MRG32k3a(state) * S2S_MRG_NORM;
}

__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
	uint4 x = curand4(state);
	return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}

__device__ inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
	double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
	return make_double4(a.x, a.y, b.x, b.y);
}

#endif
