/* Normal numbers: Box and Muller, "A note on the generation of random normal deviates", 1958.
 *
 * Two uniform numbers become two normal ones. `curand_normal` gives the sine's part at once and the cosine's part the
 * next time. Numbers of a log-normal distribution wait in the same place, with another flag.
 */
#ifndef S2S_CURAND_NORMAL_H
#define S2S_CURAND_NORMAL_H

#define CURAND_2PI 6.2831855f
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
#define S2S_WAITS_NORMAL 1
#define S2S_WAITS_LOG_NORMAL 2

/* u is in (0, 1], the angle in radians. */
__device__ inline float2 __s2s_box_muller(float u, float angle) {
	float radius = sqrtf(-2.0f * logf(u)), sine, cosine;
	__sincosf(angle, &sine, &cosine);
	return make_float2(sine * radius, cosine * radius);
}

/* u is in (0, 1], the angle in half turns. */
__device__ inline double2 __s2s_box_muller_double(double u, double angle) {
	double radius = sqrt(-2.0 * log(u)), sine, cosine;
	sincospi(angle, &sine, &cosine);
	return make_double2(sine * radius, cosine * radius);
}

__device__ inline float2 _curand_box_muller(unsigned x, unsigned y) {
	return __s2s_box_muller(_curand_uniform(x), y * CURAND_2POW32_INV_2PI + CURAND_2POW32_INV_2PI / 2);
}

__device__ inline double2 _curand_box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
	double angle = __s2s_53_bits(y0, y1) * (CURAND_2POW53_INV_DOUBLE * 2) + CURAND_2POW53_INV_DOUBLE;
	return __s2s_box_muller_double(_curand_uniform_double_hq(x0, x1), angle);
}

template <class State> __device__ inline float2 __s2s_two_normal(State *state) {
	unsigned x = curand(state), y = curand(state);
	return _curand_box_muller(x, y);
}

__device__ inline float2 __s2s_two_normal(curandStateMRG32k3a_t *state) {
	float x = curand_uniform(state), y = curand_uniform(state) * CURAND_2PI;
	return __s2s_box_muller(x, y);
}

__device__ inline double2 __s2s_two_normal_double(curandStateXORWOW_t *state) {
	unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
	return _curand_box_muller_double(x0, x1, y0, y1);
}

__device__ inline double2 __s2s_two_normal_double(curandStatePhilox4_32_10_t *state) {
	uint4 x = curand4(state);
	return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}

__device__ inline double2 __s2s_two_normal_double(curandStateMRG32k3a_t *state) {
	double x = curand_uniform_double(state), y = curand_uniform_double(state) * 2;
	return __s2s_box_muller_double(x, y);
}

template <class State> __device__ inline float curand_normal(State *state) {
	if (state->boxmuller_flag == S2S_WAITS_NORMAL) {
		state->boxmuller_flag = 0;
		return state->boxmuller_extra;
	}
	float2 two = __s2s_two_normal(state);
	state->boxmuller_extra = two.y;
	state->boxmuller_flag = S2S_WAITS_NORMAL;
	return two.x;
}

template <class State> __device__ inline double curand_normal_double(State *state) {
	if (state->boxmuller_flag_double == S2S_WAITS_NORMAL) {
		state->boxmuller_flag_double = 0;
		return state->boxmuller_extra_double;
	}
	double2 two = __s2s_two_normal_double(state);
	state->boxmuller_extra_double = two.y;
	state->boxmuller_flag_double = S2S_WAITS_NORMAL;
	return two.x;
}

template <class State> __device__ inline float2 curand_normal2(State *state) {
	return __s2s_two_normal(state);
}

template <class State> __device__ inline double2 curand_normal2_double(State *state) {
	return __s2s_two_normal_double(state);
}

__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
	uint4 x = curand4(state);
	float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
	return make_float4(a.x, a.y, b.x, b.y);
}

__device__ inline double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
	double2 a = __s2s_two_normal_double(state), b = __s2s_two_normal_double(state);
	return make_double4(a.x, a.y, b.x, b.y);
}

template <class State> __device__ inline float curand_log_normal(State *state, float mean, float deviation) {
	if (state->boxmuller_flag == S2S_WAITS_LOG_NORMAL) {
		state->boxmuller_flag = 0;
		return state->boxmuller_extra;
	}
	float2 two = __s2s_two_normal(state);
	state->boxmuller_extra = expf(mean + deviation * two.y);
	state->boxmuller_flag = S2S_WAITS_LOG_NORMAL;
	return expf(mean + deviation * two.x);
}

template <class State> __device__ inline double curand_log_normal_double(State *state, double mean, double deviation) {
	if (state->boxmuller_flag_double == S2S_WAITS_LOG_NORMAL) {
		state->boxmuller_flag_double = 0;
		return state->boxmuller_extra_double;
	}
	double2 two = __s2s_two_normal_double(state);
	state->boxmuller_extra_double = exp(mean + deviation * two.y);
	state->boxmuller_flag_double = S2S_WAITS_LOG_NORMAL;
	return exp(mean + deviation * two.x);
}

template <class State> __device__ inline float2 curand_log_normal2(State *state, float mean, float deviation) {
	float2 two = __s2s_two_normal(state);
	return make_float2(expf(mean + deviation * two.x), expf(mean + deviation * two.y));
}

template <class State>
__device__ inline double2 curand_log_normal2_double(State *state, double mean, double deviation) {
	double2 two = __s2s_two_normal_double(state);
	return make_double2(exp(mean + deviation * two.x), exp(mean + deviation * two.y));
}

__device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation) {
	float4 x = curand_normal4(state);
	return make_float4(expf(mean + deviation * x.x), expf(mean + deviation * x.y), expf(mean + deviation * x.z),
		expf(mean + deviation * x.w));
}

__device__ inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double deviation) {
	double4 x = curand_normal4_double(state);
	return make_double4(exp(mean + deviation * x.x), exp(mean + deviation * x.y), exp(mean + deviation * x.z),
		exp(mean + deviation * x.w));
}

#endif
