/* Quotient and remainder of unsigned integers, sixteen at a time, in double precision: a / b rounded down is exact,
 * because doubles have 53 bits and the quotient of 32-bit integers, where it is no integer, is at least 2^-32 away from
 * one. */
#include "../bench.h"
#include "../simd.h"

static int n, rounds;
static unsigned *a, *b, *quotient, *remainders;

static unsigned *copy(Array<unsigned> from) {
	unsigned *to = aligned_array<unsigned>(from.count);
	std::memcpy(to, from.data, from.count * sizeof(unsigned));
	return to;
}

static void setup(const Inputs &in) {
	n = in.array<unsigned>("a").count;
	rounds = in.number("rounds");
	a = copy(in.array<unsigned>("a"));
	b = copy(in.array<unsigned>("b"));
	quotient = aligned_array<unsigned>(n);
	remainders = aligned_array<unsigned>(n);
}

static void reset() {
}

static inline __m256i divide_eight(__m256i a, __m256i b) {
	return _mm512_cvttpd_epu32(_mm512_div_pd(_mm512_cvtepu32_pd(a), _mm512_cvtepu32_pd(b)));
}

static inline __m512i divide(__m512i a, __m512i b) {
	const __m256i low = divide_eight(_mm512_castsi512_si256(a), _mm512_castsi512_si256(b));
	const __m256i high = divide_eight(_mm512_extracti64x4_epi64(a, 1), _mm512_extracti64x4_epi64(b, 1));
	return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static void divide_all() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i <= n - LANES; i += LANES) {
		const __m512i dividend = _mm512_load_si512(a + i), divisor = _mm512_load_si512(b + i);
		const __m512i result = divide(dividend, divisor);
		_mm512_store_si512(quotient + i, result);
		_mm512_store_si512(remainders + i, _mm512_sub_epi32(dividend, _mm512_mullo_epi32(result, divisor)));
	}
	for (int i = n / LANES * LANES; i < n; i++) {
		quotient[i] = a[i] / b[i];
		remainders[i] = a[i] % b[i];
	}
}

static void run() {
	for (int i = 0; i < rounds; i++)
		divide_all();
}

static void results(Outputs &out) {
	out.array("quotient", quotient, n);
	out.array("remainder", remainders, n);
}
