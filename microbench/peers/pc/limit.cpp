/* The same walk by hand: sixteen queries in the lanes of AVX-512 registers go through the tree together, the
 * coordinates in registers, on a stack of nodes and of the lanes that go there. */
#include <immintrin.h>

#include "../bench.h"
#include "../kdtree.h"

const int LANES = 16;

/* Where some lanes still have to go. */
struct Visit {
	int node;
	__mmask16 mask;
};

/* How many points are near the queries of the lanes of `mask`. */
static __m512i count_near(const Tree &tree, const int *queries, __mmask16 mask, float radius) {
	const Node *nodes = tree.nodes.data();
	const float *boxes = tree.boxes.data(), *points = tree.points.data();
	const __m512 radius2 = _mm512_set1_ps(radius * radius);
	const __m512i first = _mm512_mullo_epi32(_mm512_maskz_loadu_epi32(mask, queries), _mm512_set1_epi32(DIM));
	__m512 x[DIM];
	for (int d = 0; d < DIM; d++)
		x[d] = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, first, points + d, sizeof(float));
	__m512i count = _mm512_setzero_si512();

	Visit stack[64]; /* one for each level of the tree */
	int height = 0, n = 0;
	while (true) {
		const float *low = boxes + n * 2 * DIM, *high = low + DIM;
		__m512 sum = _mm512_setzero_ps();
		for (int d = 0; d < DIM; d++) {
			const __m512 above_low = _mm512_max_ps(x[d], _mm512_set1_ps(low[d]));
			const __m512 diff = _mm512_sub_ps(x[d], _mm512_min_ps(above_low, _mm512_set1_ps(high[d])));
			sum = _mm512_fmadd_ps(diff, diff, sum);
		}
		mask = _mm512_mask_cmp_ps_mask(mask, sum, radius2, _CMP_LE_OQ);
		const Node &node = nodes[n];
		if (mask && node.axis >= 0) {
			stack[height++] = {node.right, mask};
			n++;
			continue;
		}
		if (mask) {
			for (int p = node.right; p < node.right + node.count; p++) {
				sum = _mm512_setzero_ps();
				for (int d = 0; d < DIM; d++) {
					const __m512 diff = _mm512_sub_ps(_mm512_set1_ps(points[p * DIM + d]), x[d]);
					sum = _mm512_fmadd_ps(diff, diff, sum);
				}
				const __mmask16 near = _mm512_mask_cmp_ps_mask(mask, sum, radius2, _CMP_LE_OQ);
				count = _mm512_mask_sub_epi32(count, near, count, _mm512_set1_epi32(-1));
			}
		}
		if (height == 0)
			return count;
		height--;
		n = stack[height].node;
		mask = stack[height].mask;
	}
}

static Tree tree;
static float radius;
static std::vector<int> queries, found;

static void setup(const Inputs &in) {
	tree = one_point_leaves(in, DIM);
	radius = static_cast<float>(in.number("radius"));
	queries = input_queries(in);
	found.resize(queries.size());
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic, 256 / LANES)
	for (int i = 0; i < count; i += LANES) {
		const __mmask16 mask = static_cast<__mmask16>((1u << std::min(LANES, count - i)) - 1u);
		_mm512_mask_storeu_epi32(&found[i], mask, count_near(tree, &queries[i], mask, radius));
	}
}

static void results(Outputs &out) {
	save_answers(out, "found", tree, queries, found);
}
