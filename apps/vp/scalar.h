/* The search in scalar C++ on the host, one query after the other: what the kernel is measured against. */
#ifndef VP_SCALAR_H
#define VP_SCALAR_H

#include <cmath>

#include "tree.h"

/* Searches a tree of `dim` dimensions around its point `self`: first the child on whose side the query is, and none
 * that is certainly farther away than the best so far. */
class ScalarSearch
{
public:
	int nearest = -1;
	float best = INFINITY; /* distance to `nearest` */

	ScalarSearch(const Tree &tree, int dim, int self)
		: nodes(tree.nodes.data()), points(tree.points.data()), dim(dim), self(self)
	{
		for (int d = 0; d < DIMENSIONS(dim); d++)
			x[d] = points[self * DIMENSIONS(dim) + d];
	}

	void recursive(int n = 0)
	{
		const Node &node = nodes[n];
		if (node.count > 0)
			return search_leaf(node);
		const Ways ways = compare_vantage_point(n);
		if (ways.to_near < best)
			recursive(ways.near);
		if (ways.to_far < best)
			recursive(ways.far);
	}

	void iterative()
	{
		struct {
			int node;
			float distance;
		} stack[DEEPEST];
		int size = 0, n = 0;
		for (;;) {
			bool nearer = true; /* than the best */
			while (nearer && nodes[n].count == 0) {
				const Ways ways = compare_vantage_point(n);
				stack[size++] = {ways.far, ways.to_far};
				n = ways.near;
				nearer = ways.to_near < best;
			}
			if (nearer)
				search_leaf(nodes[n]);
			do {
				if (size == 0)
					return;
				size--;
			} while (!(stack[size].distance < best));
			n = stack[size].node;
		}
	}

private:
	/* The children of a node, and how far away their points are at least. */
	struct Ways {
		int near, far;
		float to_near, to_far;
	};

	const Node *const nodes;
	const float *const points;
	const int dim, self;
	float x[MAX_DIM];

	/* The bounds are those of the kernel. */
	Ways compare_vantage_point(int n)
	{
		const Node &node = nodes[n];
		const float distance = compare(node.first);
		const float error = 1e-6f * (distance + node.outer_start);
		const float to_inner = distance - node.inner_end - error;
		const float to_outer = node.outer_start - distance - error;
		return to_inner <= to_outer ? Ways{n + 1, node.outer, to_inner, to_outer}
									: Ways{node.outer, n + 1, to_outer, to_inner};
	}

	void search_leaf(const Node &leaf)
	{
		for (int p = leaf.first; p < leaf.first + leaf.count; p++)
			compare(p);
	}

	float compare(int p)
	{
		const float distance = std::sqrt(point_distance(points + p * DIMENSIONS(dim), dim, x));
		if (distance < best && p != self) {
			best = distance;
			nearest = p;
		}
		return distance;
	}
};

#endif
