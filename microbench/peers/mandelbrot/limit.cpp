/* How many steps z = z * z + c takes for z to leave the circle of radius 2: sixteen points of a row in the lanes. Each
 * step waits for the one before, so four vectors take their steps together until no lane of any continues. */
#include <algorithm>

#include "../bench.h"
#include "../simd.h"

const int TOGETHER = 4;

static int width, height, most;
static float left, top, dx, dy;
static int *counts;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	most = in.number("most");
	left = in.number("left");
	top = in.number("top");
	dx = in.number("dx");
	dy = in.number("dy");
	counts = aligned_array<int>(width * height);
}

static void reset() {
}

/* Some vectors of points of row y, from column `first` on. */
static inline void points(int first, int y) {
	const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i one = _mm512_set1_epi32(1);
	const __m512 four = _mm512_set1_ps(4.0f), c_im = _mm512_set1_ps(top + y * dy);
	__m512 c_re[TOGETHER], re[TOGETHER], im[TOGETHER];
	__m512i count[TOGETHER];
	__mmask16 mask[TOGETHER];
	for (int v = 0; v < TOGETHER; v++) {
		const __m512 x = _mm512_cvtepi32_ps(_mm512_add_epi32(lane, _mm512_set1_epi32(first + v * LANES)));
		c_re[v] = _mm512_fmadd_ps(x, _mm512_set1_ps(dx), _mm512_set1_ps(left));
		re[v] = c_re[v];
		im[v] = c_im;
		count[v] = _mm512_setzero_si512();
		mask[v] = first_lanes(std::max(width - first - v * LANES, 0));
	}
	for (int i = 0; i < most; i++) {
		unsigned any = 0;
		for (int v = 0; v < TOGETHER; v++) {
			const __m512 im_squared = _mm512_mul_ps(im[v], im[v]);
			const __m512 distance = _mm512_fmadd_ps(re[v], re[v], im_squared);
			mask[v] = _mm512_mask_cmp_ps_mask(mask[v], distance, four, _CMP_LE_OQ);
			any |= mask[v];
			const __m512 new_re = _mm512_fmsub_ps(re[v], re[v], im_squared);
			const __m512 doubled = _mm512_add_ps(re[v], re[v]);
			im[v] = _mm512_fmadd_ps(doubled, im[v], c_im);
			re[v] = _mm512_add_ps(c_re[v], new_re);
			count[v] = _mm512_mask_add_epi32(count[v], mask[v], count[v], one);
		}
		if (!any)
			break;
	}
	for (int v = 0; v < TOGETHER; v++)
		_mm512_mask_storeu_epi32(
			counts + y * width + first + v * LANES, first_lanes(std::max(width - first - v * LANES, 0)), count[v]);
}

static void run() {
#pragma omp parallel for schedule(dynamic, 4)
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x += TOGETHER * LANES)
			points(x, y);
}

static void results(Outputs &out) {
	out.array("counts", counts, width * height);
}
