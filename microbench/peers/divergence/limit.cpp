/* Sixteen threads in the lanes, every arm under the mask of those that take it. In a step each operation waits for the
 * one before, so four gangs take their steps together. */
#include "../bench.h"
#include "../simd.h"
#include "arms.h"

const int TOGETHER = 4;

static int threads, steps;
static unsigned *out_x;
static float *out_f;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	steps = in.number("steps");
	out_x = aligned_array<unsigned>(threads);
	out_f = aligned_array<float>(threads);
}

static void reset() {
}

template <int K> inline __m512i mix(__m512i x) {
	const __m512i addend = _mm512_set1_epi32(ADDEND(K));
	switch (K % 3) {
	case 0:
		return _mm512_add_epi32(_mm512_xor_epi32(x, _mm512_srli_epi32(x, SHIFT(K))), addend);
	case 1:
		return _mm512_sub_epi32(_mm512_xor_epi32(x, _mm512_slli_epi32(x, SHIFT(K))), addend);
	default:
		return _mm512_xor_epi32(_mm512_add_epi32(x, _mm512_srli_epi32(x, SHIFT(K))), addend);
	}
}

/* Arm K and those after it, on the lanes whose branch it is: the loop computes all lanes and is blended in at its end.
 */
template <int K> inline void arms(__m512i *x, __m512 *f, __m512i branch) {
	if constexpr (K < BRANCHES) {
		const __mmask16 mine = _mm512_cmpeq_epi32_mask(branch, _mm512_set1_epi32(K));
		const __m512 factor = _mm512_set1_ps(FACTOR(K)), offset = _mm512_set1_ps(OFFSET(K));
		__m512i new_x[TOGETHER];
		__m512 new_f[TOGETHER];
		for (int g = 0; g < TOGETHER; g++) {
			new_x[g] = x[g];
			new_f[g] = f[g];
		}
		for (int i = 0; i < steps; i++)
			for (int g = 0; g < TOGETHER; g++) {
				new_x[g] = mix<K>(new_x[g]);
				new_f[g] = _mm512_fmadd_ps(new_f[g], factor, offset);
			}
		for (int g = 0; g < TOGETHER; g++) {
			x[g] = _mm512_mask_mov_epi32(x[g], mine, new_x[g]);
			f[g] = _mm512_mask_mov_ps(f[g], mine, new_f[g]);
		}
		arms<K + 1>(x, f, branch);
	}
}

static void run() {
	const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i branch = _mm512_and_epi32(lane, _mm512_set1_epi32(BRANCHES - 1)); /* a power of two, at most 16 */
#pragma omp parallel for schedule(static)
	for (int first = 0; first < threads; first += TOGETHER * LANES) {
		__m512i x[TOGETHER];
		__m512 f[TOGETHER];
		for (int g = 0; g < TOGETHER; g++) {
			x[g] = _mm512_add_epi32(lane, _mm512_set1_epi32(first + g * LANES));
			f[g] = _mm512_mul_ps(_mm512_cvtepi32_ps(x[g]), _mm512_set1_ps(1e-6f));
		}
		arms<0>(x, f, branch);
		for (int g = 0; g < TOGETHER; g++) {
			_mm512_store_si512(out_x + first + g * LANES, x[g]);
			_mm512_store_ps(out_f + first + g * LANES, f[g]);
		}
	}
}

static void results(Outputs &out) {
	out.array("x", out_x, threads);
	out.array("f", out_f, threads);
}
