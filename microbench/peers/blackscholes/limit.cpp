/* Prices of European options by the formula of Black and Scholes, sixteen at a time, with logarithm and exponential as
 * polynomials. Those are made for what occurs here: finite arguments, and results that are no denormals. */
#include "../bench.h"
#include "../simd.h"

static int n;
static float rate, volatility;
static float *spot, *strike, *years, *call, *put;

static float *copy(Array<float> from) {
	float *to = aligned_array<float>(from.count);
	std::memcpy(to, from.data, from.count * sizeof(float));
	return to;
}

static void setup(const Inputs &in) {
	n = in.array<float>("spot").count;
	rate = in.number("rate");
	volatility = in.number("volatility");
	spot = copy(in.array<float>("spot"));
	strike = copy(in.array<float>("strike"));
	years = copy(in.array<float>("years"));
	call = aligned_array<float>(n);
	put = aligned_array<float>(n);
}

static void reset() {
}

static inline __m512 constant(float value) {
	return _mm512_set1_ps(value);
}

static inline __m512 times_plus(__m512 a, __m512 b, float c) {
	return _mm512_fmadd_ps(a, b, constant(c));
}

/* exp(x) = 2^n exp(r), n whole, |r| at most log(2) / 2; the polynomial is Taylor's, whose error there is below 3e-8. */
static inline __m512 exponential(__m512 x) {
	const __m512 whole = _mm512_roundscale_ps(_mm512_mul_ps(x, constant(1.44269504f)), _MM_FROUND_TO_NEAREST_INT);
	__m512 r = _mm512_fnmadd_ps(whole, constant(0.693145752f), x);
	r = _mm512_fnmadd_ps(whole, constant(1.42860677e-6f), r);
	__m512 sum = times_plus(constant(1.0f / 720), r, 1.0f / 120);
	sum = times_plus(sum, r, 1.0f / 24);
	sum = times_plus(sum, r, 1.0f / 6);
	sum = times_plus(sum, r, 0.5f);
	sum = times_plus(sum, r, 1.0f);
	sum = times_plus(sum, r, 1.0f);
	return _mm512_scalef_ps(sum, whole);
}

/* log(x) = n log(2) + log(m), m from 3/4 to 3/2; with t = (m - 1) / (m + 1), |t| at most 1/5, log(m) is
 * 2 (t + t^3/3 + t^5/5 + ...), whose terms after t^9/9 do not matter. */
static inline __m512 logarithm(__m512 x) {
	const __m512 m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
	const __m512 whole = _mm512_getexp_ps(_mm512_div_ps(x, m));
	const __m512 one = constant(1.0f);
	const __m512 t = _mm512_div_ps(_mm512_sub_ps(m, one), _mm512_add_ps(m, one));
	const __m512 square = _mm512_mul_ps(t, t);
	__m512 sum = times_plus(constant(2.0f / 9), square, 2.0f / 7);
	sum = times_plus(sum, square, 2.0f / 5);
	sum = times_plus(sum, square, 2.0f / 3);
	sum = times_plus(sum, square, 2.0f);
	return _mm512_fmadd_ps(whole, constant(0.693147181f), _mm512_mul_ps(sum, t));
}

static inline __m512 normal(__m512 d) {
	const __m512 one = constant(1.0f);
	const __m512 k = _mm512_div_ps(one, _mm512_fmadd_ps(constant(0.2316419f), _mm512_abs_ps(d), one));
	__m512 sum = times_plus(constant(1.330274429f), k, -1.821255978f);
	sum = times_plus(sum, k, 1.781477937f);
	sum = times_plus(sum, k, -0.356563782f);
	sum = times_plus(sum, k, 0.319381530f);
	const __m512 bell =
		_mm512_mul_ps(constant(0.39894228f), exponential(_mm512_mul_ps(constant(-0.5f), _mm512_mul_ps(d, d))));
	const __m512 tail = _mm512_mul_ps(bell, _mm512_mul_ps(sum, k));
	const __mmask16 positive = _mm512_cmp_ps_mask(d, _mm512_setzero_ps(), _CMP_GT_OQ);
	return _mm512_mask_sub_ps(tail, positive, one, tail);
}

struct Prices {
	__m512 call, put;
};

static inline Prices price(__m512 spot, __m512 strike, __m512 years) {
	const __m512 one = constant(1.0f);
	const __m512 deviation = _mm512_mul_ps(constant(volatility), _mm512_sqrt_ps(years));
	const __m512 drift = constant(rate + 0.5f * volatility * volatility);
	const __m512 growth = _mm512_fmadd_ps(drift, years, logarithm(_mm512_div_ps(spot, strike)));
	const __m512 d1 = _mm512_div_ps(growth, deviation);
	const __m512 n1 = normal(d1), n2 = normal(_mm512_sub_ps(d1, deviation));
	const __m512 discounted = _mm512_mul_ps(strike, exponential(_mm512_mul_ps(constant(-rate), years)));
	return {_mm512_fmsub_ps(spot, n1, _mm512_mul_ps(discounted, n2)),
		_mm512_fmsub_ps(discounted, _mm512_sub_ps(one, n2), _mm512_mul_ps(spot, _mm512_sub_ps(one, n1)))};
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i <= n - LANES; i += LANES) {
		const Prices found = price(_mm512_load_ps(spot + i), _mm512_load_ps(strike + i), _mm512_load_ps(years + i));
		_mm512_store_ps(call + i, found.call);
		_mm512_store_ps(put + i, found.put);
	}
	const int rest = n / LANES * LANES;
	const __mmask16 mask = first_lanes(n - rest);
	const __m512 one = constant(1.0f);
	const Prices found = price(_mm512_mask_loadu_ps(one, mask, spot + rest),
		_mm512_mask_loadu_ps(one, mask, strike + rest), _mm512_mask_loadu_ps(one, mask, years + rest));
	_mm512_mask_storeu_ps(call + rest, mask, found.call);
	_mm512_mask_storeu_ps(put + rest, mask, found.put);
}

static void results(Outputs &out) {
	out.array("call", call, n);
	out.array("put", put, n);
}
