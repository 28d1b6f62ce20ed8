/* The same search by hand: sixteen queries in the lanes of AVX-512 registers walk the tree together. A call takes one
 * node, the same for all lanes, and the mask of those that go there. */
#include <immintrin.h>

#include <cmath>

#include "../bench.h"
#include "../kdtree.h"

const int LANES = 16;

struct Gang {
	__m512 x[DIM], best; /* best: squared */
	__m512i self, nearest;
	const Node *nodes;
	const float *points;

	Gang(const Tree &tree, const int *queries, __mmask16 mask)
		: best(_mm512_set1_ps(INFINITY)), self(_mm512_maskz_loadu_epi32(mask, queries)), nearest(_mm512_set1_epi32(-1)),
		  nodes(tree.nodes.data()), points(tree.points.data()) {
		const __m512i first = _mm512_mullo_epi32(self, _mm512_set1_epi32(DIM));
		for (int d = 0; d < DIM; d++)
			x[d] = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, first, points + d, sizeof(float));
	}

	void compare(int p, __mmask16 mask) {
		__m512 sum = _mm512_setzero_ps();
		for (int d = 0; d < DIM; d++) {
			const __m512 diff = _mm512_sub_ps(_mm512_set1_ps(points[p * DIM + d]), x[d]);
			sum = _mm512_fmadd_ps(diff, diff, sum);
		}
		const __m512i point = _mm512_set1_epi32(p);
		const __mmask16 better = _mm512_mask_cmpneq_epi32_mask(nearer(mask, sum), point, self);
		if (better == 0)
			return; /* the usual case: the processor continues without waiting for `sum` */
		best = _mm512_mask_mov_ps(best, better, sum);
		nearest = _mm512_mask_mov_epi32(nearest, better, point);
	}

	/* Those of the lanes of `mask` for which something at `distance` could be nearer than their best so far. */
	__mmask16 nearer(__mmask16 mask, __m512 distance) const {
		return _mm512_mask_cmp_ps_mask(mask, distance, best, _CMP_LT_OQ);
	}

	/* Left, right, left serves both orders: the lanes on the left of the plane come first, the others last, and all
	 * meet on the right. */
	void search(int n, __mmask16 mask) {
		const Node &node = nodes[n];
		if (node.axis < 0) {
			for (int p = node.right; p < node.right + node.count; p++)
				compare(p, mask);
			return;
		}
		const __m512 diff = _mm512_sub_ps(x[node.axis], _mm512_set1_ps(node.split));
		const __m512 to_plane = _mm512_mul_ps(diff, diff);
		const __mmask16 on_left = _mm512_mask_cmp_ps_mask(mask, diff, _mm512_setzero_ps(), _CMP_LT_OQ);
		const __mmask16 on_right = mask & ~on_left;
		if (on_left)
			search(n + 1, on_left);
		if (const __mmask16 lanes = on_right | nearer(on_left, to_plane))
			search(node.right, lanes);
		if (const __mmask16 lanes = nearer(on_right, to_plane))
			search(n + 1, lanes);
	}
};

static Tree tree;
static std::vector<int> queries, nearest;
static std::vector<float> distance;

static void setup(const Inputs &in) {
	tree = one_point_leaves(in, DIM);
	queries = input_queries(in);
	nearest.resize(queries.size());
	distance.resize(queries.size());
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic, 256 / LANES)
	for (int i = 0; i < count; i += LANES) {
		const __mmask16 mask = static_cast<__mmask16>((1u << std::min(LANES, count - i)) - 1u);
		Gang gang(tree, &queries[i], mask);
		gang.search(0, mask);
		_mm512_mask_storeu_epi32(&nearest[i], mask, gang.nearest);
		_mm512_mask_storeu_ps(&distance[i], mask, _mm512_sqrt_ps(gang.best));
	}
}

static void results(Outputs &out) {
	save_answers(out, "distance", tree, queries, distance);
	save_points(out, "nearest", tree, queries, nearest);
}
