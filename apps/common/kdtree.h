/* Builds the tree, on the host, for every program here: the kernel and its baselines search the same tree. */
#ifndef COMMON_KDTREE_H
#define COMMON_KDTREE_H

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "tree.h"

/* Every leaf but the last holds exactly so many points, unless a program wants others: as many as a vector has lanes,
 * so that 16 queries in the order of the tree begin in the same leaf. Smaller leaves mean fewer distances but more
 * branches that cannot be predicted. */
const int LEAF_POINTS = 16;

const int DEEPEST = 32; /* levels at most, as each halves the points */

struct Tree {
	int dim;
	std::vector<Node> nodes;
	std::vector<float> boxes;   /* 2 * dim numbers a node */
	std::vector<float> points;  /* dim numbers a point, in the order of the leaves */
	std::vector<int> input_row; /* where each point stood in the input */

	int size() const
	{
		return static_cast<int>(input_row.size());
	}
};

class TreeBuilder
{
public:
	TreeBuilder(const std::vector<float> &input, int dim, int leaf_points) : input(input), leaf_points(leaf_points)
	{
		tree.dim = dim;
		tree.input_row.resize(input.size() / dim);
		std::iota(tree.input_row.begin(), tree.input_row.end(), 0);
	}

	Tree build()
	{
		add_node(0, tree.size());
		tree.points.reserve(input.size());
		for (int row : tree.input_row)
			for (int d = 0; d < tree.dim; d++)
				tree.points.push_back(coordinate(row, d));
		return std::move(tree);
	}

private:
	const std::vector<float> &input;
	const int leaf_points;
	Tree tree;

	float coordinate(int row, int d) const
	{
		return input[static_cast<size_t>(row) * tree.dim + d];
	}

	/* Adds the subtree of the points [first, end) and puts them in the order of its leaves. */
	void add_node(int first, int end)
	{
		const int node = static_cast<int>(tree.nodes.size());
		tree.nodes.push_back(Node{-1, 0.0f, first, end - first});
		const int axis = add_box(first, end);
		if (end - first <= leaf_points)
			return;
		const int left_leaves = ((end - first) / 2 + leaf_points - 1) / leaf_points;
		const int middle = first + left_leaves * leaf_points;
		const auto rows = tree.input_row.begin();
		std::nth_element(rows + first, rows + middle, rows + end,
						 [&](int a, int b) { return coordinate(a, axis) < coordinate(b, axis); });
		const float split = coordinate(tree.input_row[middle], axis);
		add_node(first, middle);
		const int right = static_cast<int>(tree.nodes.size());
		add_node(middle, end);
		tree.nodes[node] = Node{axis, split, right, 0};
	}

	/* Appends the box of the points [first, end); returns the axis along which it is widest. */
	int add_box(int first, int end)
	{
		const size_t box = tree.boxes.size();
		tree.boxes.resize(box + 2 * tree.dim);
		float *low = &tree.boxes[box], *high = low + tree.dim;
		int widest = 0;
		for (int d = 0; d < tree.dim; d++) {
			low[d] = high[d] = coordinate(tree.input_row[first], d);
			for (int i = first + 1; i < end; i++) {
				low[d] = std::min(low[d], coordinate(tree.input_row[i], d));
				high[d] = std::max(high[d], coordinate(tree.input_row[i], d));
			}
			if (high[d] - low[d] > high[widest] - low[widest])
				widest = d;
		}
		return widest;
	}
};

/* Builds the tree over `input`: input.size() / dim points of `dim` coordinates each, one point after the other. */
inline Tree build_tree(const std::vector<float> &input, int dim, int leaf_points = LEAF_POINTS)
{
	return TreeBuilder(input, dim, leaf_points).build();
}

#endif
