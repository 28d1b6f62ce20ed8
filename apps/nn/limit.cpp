/* The search by hand: sixteen queries ride in the lanes of AVX-512 registers and walk the tree together. A call takes
 * one node, the same for all lanes, and the mask of those that go there. What a query knows stays in memory, one vector
 * a variable. */
#ifdef __AVX512F__

#include <immintrin.h>

#include <algorithm>
#include <cmath>

#include "baselines.h"

namespace
{

const int LANES = 16;

struct Gang {
	__m512 x[DIM], best; /* best: squared */
	__m512i self, nearest;
	const Node *nodes;
	const float *boxes, *points;

	Gang(const Tree &tree, const int *queries, __mmask16 mask)
		: best(_mm512_set1_ps(INFINITY)), self(_mm512_maskz_loadu_epi32(mask, queries)), nearest(_mm512_set1_epi32(-1)),
		  nodes(tree.nodes.data()), boxes(tree.boxes.data()), points(tree.points.data())
	{
		const __m512i first = _mm512_mullo_epi32(self, _mm512_set1_epi32(DIM));
		for (int d = 0; d < DIM; d++)
			x[d] = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, first, points + d, sizeof(float));
	}

	__m512 box_distance(int n) const
	{
		const float *low = boxes + n * 2 * DIM, *high = low + DIM;
		__m512 sum = _mm512_setzero_ps();
		for (int d = 0; d < DIM; d++) {
			const __m512 above_low = _mm512_max_ps(x[d], _mm512_set1_ps(low[d]));
			const __m512 diff = _mm512_sub_ps(x[d], _mm512_min_ps(above_low, _mm512_set1_ps(high[d])));
			sum = _mm512_fmadd_ps(diff, diff, sum);
		}
		return sum;
	}

	void search_leaf(const Node &leaf, __mmask16 mask)
	{
		for (int p = leaf.right; p < leaf.right + leaf.count; p++) {
			__m512 sum = _mm512_setzero_ps();
			for (int d = 0; d < DIM; d++) {
				const __m512 diff = _mm512_sub_ps(_mm512_set1_ps(points[p * DIM + d]), x[d]);
				sum = _mm512_fmadd_ps(diff, diff, sum);
			}
			const __m512i point = _mm512_set1_epi32(p);
			const __mmask16 others = _mm512_mask_cmpneq_epi32_mask(mask, point, self);
			const __mmask16 better = nearer(others, sum);
			if (better == 0)
				continue; /* the usual case: the processor continues without waiting for `sum` */
			best = _mm512_mask_mov_ps(best, better, sum);
			nearest = _mm512_mask_mov_epi32(nearest, better, point);
		}
	}

	/* Those of the lanes of `mask` for which something at `distance` could be nearer than their best so far. */
	__mmask16 nearer(__mmask16 mask, __m512 distance) const
	{
		return _mm512_mask_cmp_ps_mask(mask, distance, best, _CMP_LT_OQ);
	}

	/* Left, right, left serves both orders: the lanes that are nearer to the left child come first, the others last,
	 * and all meet on the right. */
	void search(int n, __mmask16 mask)
	{
		const Node &node = nodes[n];
		if (node.axis < 0)
			return search_leaf(node, mask);
		const int left = n + 1, right = node.right;
		const __m512 to_left = box_distance(left), to_right = box_distance(right);
		const __mmask16 left_first = _mm512_mask_cmp_ps_mask(mask, to_left, to_right, _CMP_LE_OQ);
		if (const __mmask16 lanes = nearer(left_first, to_left))
			search(left, lanes);
		if (const __mmask16 lanes = nearer(mask, to_right))
			search(right, lanes);
		if (const __mmask16 lanes = nearer(mask & ~left_first, to_left))
			search(left, lanes);
	}
};

} // namespace

void limit_search(const Tree &tree, const std::vector<int> &queries, int threads, std::vector<int> &nearest,
				  std::vector<float> &distance)
{
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic, QUERIES_AT_A_TIME / LANES) num_threads(threads)
	for (int i = 0; i < count; i += LANES) {
		const __mmask16 mask = static_cast<__mmask16>((1u << std::min(LANES, count - i)) - 1u);
		Gang gang(tree, &queries[i], mask);
		gang.search(0, mask);
		_mm512_mask_storeu_epi32(&nearest[i], mask, gang.nearest);
		_mm512_mask_storeu_ps(&distance[i], mask, _mm512_sqrt_ps(gang.best));
	}
}

#endif
