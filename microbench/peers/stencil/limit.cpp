/* Twenty steps of a 5-point stencil, sixteen elements of a row at a time. */
#include "../bench.h"
#include "../simd.h"

static int width, height, steps;
static const float *initial;
static float *a, *b;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	steps = in.number("steps");
	initial = in.array<float>("grid").data;
	a = aligned_array<float>(width * height);
	b = aligned_array<float>(width * height);
	std::memcpy(b, initial, width * height * sizeof(float));
}

static void reset() {
	std::memcpy(a, initial, width * height * sizeof(float));
}

static inline void row(const float *in, float *out, int y) {
	const float *middle = in + y * width, *above = middle - width, *below = middle + width;
	const __m512 half = _mm512_set1_ps(0.5f), eighth = _mm512_set1_ps(0.125f);
	for (int x = 1; x < width - 1; x += LANES) {
		const __mmask16 mask = first_lanes(width - 1 - x);
		const __m512 centre = _mm512_maskz_loadu_ps(mask, middle + x);
		const __m512 sides =
			_mm512_add_ps(_mm512_maskz_loadu_ps(mask, middle + x - 1), _mm512_maskz_loadu_ps(mask, middle + x + 1));
		const __m512 three = _mm512_add_ps(sides, _mm512_maskz_loadu_ps(mask, above + x));
		const __m512 four = _mm512_add_ps(three, _mm512_maskz_loadu_ps(mask, below + x));
		const __m512 value = _mm512_fmadd_ps(half, centre, _mm512_mul_ps(eighth, four));
		if (mask == 0xffff)
			_mm512_storeu_ps(out + y * width + x, value);
		else
			_mm512_mask_storeu_ps(out + y * width + x, mask, value);
	}
}

static void step(const float *in, float *out) {
#pragma omp parallel for schedule(static)
	for (int y = 1; y < height - 1; y++)
		row(in, out, y);
}

static void run() {
	for (int i = 0; i < steps; i += 2) {
		step(a, b);
		step(b, a);
	}
}

static void results(Outputs &out) {
	out.array("grid", a, width * height);
}
