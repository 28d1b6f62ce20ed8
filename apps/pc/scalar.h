/* The count in scalar C++ on the host, one query after the other: what the kernel is measured against. */
#ifndef PC_SCALAR_H
#define PC_SCALAR_H

#include "../common/distance.h"
#include "../common/kdtree.h"

/* Counts the points around one point of a tree of `dim` dimensions. */
class ScalarCount
{
public:
	ScalarCount(const Tree &tree, int dim, int self, float radius)
		: nodes(tree.nodes.data()), boxes(tree.boxes.data()), points(tree.points.data()), dim(dim),
		  radius2(radius * radius)
	{
		for (int d = 0; d < DIMENSIONS(dim); d++)
			x[d] = points[self * DIMENSIONS(dim) + d];
	}

	int recursive(int n = 0) const
	{
		if (!is_near(n))
			return 0;
		const Node &node = nodes[n];
		if (node.axis < 0)
			return count_leaf(node);
		return recursive(n + 1) + recursive(node.right);
	}

	int iterative() const
	{
		int stack[DEEPEST], size = 0, count = 0, n = 0;
		for (;;) {
			const Node &node = nodes[n];
			if (is_near(n)) {
				if (node.axis >= 0) {
					stack[size++] = node.right;
					n++;
					continue;
				}
				count += count_leaf(node);
			}
			if (size == 0)
				return count;
			n = stack[--size];
		}
	}

private:
	const Node *const nodes;
	const float *const boxes, *const points;
	const int dim;
	const float radius2;
	float x[MAX_DIM];

	bool is_near(int n) const
	{
		return box_distance(boxes + n * 2 * DIMENSIONS(dim), dim, x) <= radius2;
	}

	int count_leaf(const Node &leaf) const
	{
		int count = 0;
		for (int p = leaf.right; p < leaf.right + leaf.count; p++)
			count += point_distance(points + p * DIMENSIONS(dim), dim, x) <= radius2;
		return count;
	}
};

#endif
