/* A search that keeps the distance to cells, in scalar C++, one query after the other. */
#include <cmath>

#include "../common/scalar_search.h"
#include "baselines.h"

namespace
{

struct CellSearch {
	const Node *nodes;
	const float *points;
	float x[DIM];
	int self;
	Nearest found;
	float offset[DIM] = {}; /* from the query to the cell, along each axis */

	CellSearch(const Tree &tree, int query) : nodes(tree.nodes.data()), points(tree.points.data()), self(query)
	{
		for (int d = 0; d < DIM; d++)
			x[d] = points[query * DIM + d];
	}

	void search_leaf(const Node &leaf)
	{
		for (int p = leaf.right; p < leaf.right + leaf.count; p++) {
			const float distance2 = point_distance(points + p * DIM, DIM, x);
			if (distance2 < found.worst && p != self)
				found.offer(p, distance2);
		}
	}

	/* `to_cell` is the squared distance to the cell of node n. */
	void search(int n = 0, float to_cell = 0.0f)
	{
		const Node &node = nodes[n];
		if (node.axis < 0)
			return search_leaf(node);
		const float diff = x[node.axis] - node.split, old = offset[node.axis];
		const float to_far = to_cell + (diff * diff - old * old);
		const int near_child = diff < 0.0f ? n + 1 : node.right;
		const int far_child = diff < 0.0f ? node.right : n + 1;
		search(near_child, to_cell);
		if (to_far < found.worst) {
			offset[node.axis] = diff;
			search(far_child, to_far);
			offset[node.axis] = old;
		}
	}
};

} // namespace

void scalar_cell_search(const Tree &tree, const std::vector<int> &queries, int threads, std::vector<int> &nearest,
						std::vector<float> &distance)
{
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic, QUERIES_AT_A_TIME) num_threads(threads)
	for (int i = 0; i < count; i++) {
		CellSearch search(tree, queries[i]);
		search.search();
		nearest[i] = search.found.point;
		distance[i] = std::sqrt(search.found.worst);
	}
}
