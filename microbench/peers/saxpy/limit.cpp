/* y = a x + y: one fused multiply-add for sixteen elements, whole cache lines. */
#include "../bench.h"
#include "../simd.h"

static int n;
static float a;
static float *x, *y;
static const float *initial_y;

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	a = in.number("a");
	initial_y = in.array<float>("y").data;
	x = aligned_array<float>(n);
	y = aligned_array<float>(n);
	std::memcpy(x, in.array<float>("x").data, n * sizeof(float));
}

static void reset() {
	std::memcpy(y, initial_y, n * sizeof(float));
}

static void run() {
	const __m512 factor = _mm512_set1_ps(a);
#pragma omp parallel for schedule(static)
	for (int i = 0; i <= n - LANES; i += LANES)
		_mm512_store_ps(y + i, _mm512_fmadd_ps(factor, _mm512_load_ps(x + i), _mm512_load_ps(y + i)));

	const int rest = n / LANES * LANES;
	const __mmask16 mask = first_lanes(n - rest);
	const __m512 last = _mm512_maskz_loadu_ps(mask, y + rest);
	_mm512_mask_storeu_ps(y + rest, mask, _mm512_fmadd_ps(factor, _mm512_maskz_loadu_ps(mask, x + rest), last));
}

static void results(Outputs &out) {
	out.array("y", y, n);
}
