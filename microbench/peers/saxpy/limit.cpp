/* y = a x + y: one fused multiply-add for sixteen elements, whole cache lines. */
#include <immintrin.h>

#include "../bench.h"

static int n;
static float a;
static float *x, *y;
static const float *initial_y;

static float *aligned(int count) {
	return static_cast<float *>(std::aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64));
}

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	a = in.number("a");
	initial_y = in.array<float>("y").data;
	x = aligned(n);
	y = aligned(n);
	std::memcpy(x, in.array<float>("x").data, n * sizeof(float));
}

static void reset() {
	std::memcpy(y, initial_y, n * sizeof(float));
}

static void run() {
	const __m512 factor = _mm512_set1_ps(a);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n / 16; i++)
		_mm512_store_ps(y + 16 * i, _mm512_fmadd_ps(factor, _mm512_load_ps(x + 16 * i), _mm512_load_ps(y + 16 * i)));

	const int rest = n / 16 * 16;
	const __mmask16 mask = (1u << (n - rest)) - 1;
	const __m512 last = _mm512_maskz_loadu_ps(mask, y + rest);
	_mm512_mask_storeu_ps(y + rest, mask, _mm512_fmadd_ps(factor, _mm512_maskz_loadu_ps(mask, x + rest), last));
}

static void results(Outputs &out) {
	out.array("y", y, n);
}
