/* The same walk by hand: the sixteen bodies in the lanes of AVX-512 registers go through the tree together, on a stack
 * of cells and of the lanes that go there. */
#include <immintrin.h>

#include "../bench.h"
#include "octree.h"

const int LANES = 16;

static __m512 gather(const std::vector<float> &values, __m512i index, __mmask16 mask) {
	return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, index, values.data(), sizeof(float));
}

/* 1 / sqrt(a) to within 2 units in the last place: the hardware's 14 bits and one step of Newton's. */
static __m512 inverse_root(__m512 a) {
	const __m512 estimate = _mm512_rsqrt14_ps(a);
	const __m512 error = _mm512_fnmadd_ps(_mm512_mul_ps(a, estimate), estimate, _mm512_set1_ps(1.0f));
	return _mm512_fmadd_ps(_mm512_mul_ps(estimate, error), _mm512_set1_ps(0.5f), estimate);
}

/* Where some lanes still have to go. */
struct Visit {
	int cell;
	__mmask16 mask;
};

struct Gang {
	__m512 x, y, z, ax, ay, az;

	void attract(const Cell *cells, __mmask16 mask) {
		Visit stack[8 * 64];
		int height = 0;
		stack[height++] = {0, mask};
		while (height > 0) {
			height--;
			const Cell &cell = cells[stack[height].cell];
			mask = stack[height].mask;
			const __m512 dx = _mm512_sub_ps(_mm512_set1_ps(cell.x), x);
			const __m512 dy = _mm512_sub_ps(_mm512_set1_ps(cell.y), y);
			const __m512 dz = _mm512_sub_ps(_mm512_set1_ps(cell.z), z);
			const __m512 distance2 =
				_mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, _mm512_fmadd_ps(dz, dz, _mm512_set1_ps(SOFTENING2))));
			const __mmask16 far = _mm512_mask_cmp_ps_mask(mask, distance2, _mm512_set1_ps(cell.opening2), _CMP_GT_OQ);
			const __mmask16 near = mask & ~far;
			if (near)
				for (int i = 7; i >= 0; i--)
					if (cell.child[i] >= 0)
						stack[height++] = {cell.child[i], near};
			if (far) {
				const __m512 inverse = inverse_root(distance2);
				const __m512 pull = _mm512_maskz_mul_ps(
					far, _mm512_mul_ps(_mm512_set1_ps(cell.mass), inverse), _mm512_mul_ps(inverse, inverse));
				ax = _mm512_fmadd_ps(pull, dx, ax);
				ay = _mm512_fmadd_ps(pull, dy, ay);
				az = _mm512_fmadd_ps(pull, dz, az);
			}
		}
	}
};

static Octree tree;
static std::vector<int> order;
static std::vector<float> ax, ay, az;

static void setup(const Inputs &in) {
	tree = OctreeBuilder(in).build();
	order = input_order(in);
	ax.resize(order.size());
	ay.resize(order.size());
	az.resize(order.size());
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(order.size());
#pragma omp parallel for schedule(dynamic, 256 / LANES)
	for (int i = 0; i < count; i += LANES) {
		const __mmask16 mask = static_cast<__mmask16>((1u << std::min(LANES, count - i)) - 1u);
		const __m512i body = _mm512_maskz_loadu_epi32(mask, &order[i]);
		const __m512 zero = _mm512_setzero_ps();
		Gang gang{gather(tree.x, body, mask), gather(tree.y, body, mask), gather(tree.z, body, mask), zero, zero, zero};
		gang.attract(tree.cells.data(), mask);
		_mm512_mask_storeu_ps(&ax[i], mask, gang.ax);
		_mm512_mask_storeu_ps(&ay[i], mask, gang.ay);
		_mm512_mask_storeu_ps(&az[i], mask, gang.az);
	}
}

static void results(Outputs &out) {
	save_accelerations(out, tree, order, ax, ay, az);
}
