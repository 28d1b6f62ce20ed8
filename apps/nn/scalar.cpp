/* The search as recursive C++, one query after the other. */
#include <cmath>

#include "baselines.h"

namespace
{

/* What a search reads, and what it knows about its query. */
struct State {
	const Node *nodes;
	const float *boxes, *points;
	float x[DIM];
	int self, nearest;
	float best; /* squared */

	State(const Tree &tree, int query)
		: nodes(tree.nodes.data()), boxes(tree.boxes.data()), points(tree.points.data()), self(query), nearest(-1),
		  best(INFINITY)
	{
		for (int d = 0; d < DIM; d++)
			x[d] = points[query * DIM + d];
	}

	void search_leaf(const Node &leaf)
	{
		for (int p = leaf.right; p < leaf.right + leaf.count; p++) {
			float sum = 0.0f;
			for (int d = 0; d < DIM; d++) {
				const float diff = points[p * DIM + d] - x[d];
				sum += diff * diff;
			}
			if (sum < best && p != self) {
				best = sum;
				nearest = p;
			}
		}
	}
};

struct BoxSearch : State {
	using State::State;

	/* Clamping compiles to minimum and maximum instructions; branches here cost twice the time. */
	float box_distance(int n) const
	{
		const float *low = boxes + n * 2 * DIM, *high = low + DIM;
		float sum = 0.0f;
		for (int d = 0; d < DIM; d++) {
			float place = x[d] < low[d] ? low[d] : x[d];
			place = place > high[d] ? high[d] : place;
			sum += (x[d] - place) * (x[d] - place);
		}
		return sum;
	}

	void search(int n = 0)
	{
		const Node &node = nodes[n];
		if (node.axis < 0)
			return search_leaf(node);
		const int left = n + 1, right = node.right;
		const float to_left = box_distance(left), to_right = box_distance(right);
		if (to_left <= to_right) {
			if (to_left < best)
				search(left);
			if (to_right < best)
				search(right);
		} else {
			if (to_right < best)
				search(right);
			if (to_left < best)
				search(left);
		}
	}
};

struct CellSearch : State {
	float offset[DIM] = {}; /* from the query to the cell, along each axis */

	CellSearch(const Tree &tree, int query) : State(tree, query)
	{
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
		if (to_far < best) {
			offset[node.axis] = diff;
			search(far_child, to_far);
			offset[node.axis] = old;
		}
	}
};

template <class Method>
void search_all(const Tree &tree, const std::vector<int> &queries, int threads, std::vector<int> &nearest,
				std::vector<float> &distance)
{
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic, QUERIES_AT_A_TIME) num_threads(threads)
	for (int i = 0; i < count; i++) {
		Method query(tree, queries[i]);
		query.search();
		nearest[i] = query.nearest;
		distance[i] = std::sqrt(query.best);
	}
}

} // namespace

void scalar_search(const Tree &tree, const std::vector<int> &queries, int threads, std::vector<int> &nearest,
				   std::vector<float> &distance)
{
	search_all<BoxSearch>(tree, queries, threads, nearest, distance);
}

void scalar_cell_search(const Tree &tree, const std::vector<int> &queries, int threads, std::vector<int> &nearest,
						std::vector<float> &distance)
{
	search_all<CellSearch>(tree, queries, threads, nearest, distance);
}
