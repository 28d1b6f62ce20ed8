/* What the programs that search kd-trees share on the host: building the tree, and the order of the queries.
 *
 * Two kinds of tree. In the one of `nn` and `pc` (apps/common/tree.h) the points are in the leaves, here one in each.
 * In that of `nn_node` and `pc_node` every node holds a point. Both lie in preorder, and the box of node n, DIM lower
 * bounds and then DIM upper bounds, begins at boxes[n * 2 * DIM] and encloses the node's points tightly.
 */
#ifndef PEERS_KDTREE_H
#define PEERS_KDTREE_H

#include <algorithm>
#include <numeric>
#include <vector>

#include "../../apps/common/kdtree.h"
#include "bench.h"
#include "pointnode.h"

/* A tree with a point in every node: that of node n begins at points[n * dim]. */
struct PointTree {
	int dim;
	std::vector<PointNode> nodes;
	std::vector<float> boxes, points;
	std::vector<int> input_row; /* where each node's point stood in the input */

	int size() const {
		return static_cast<int>(input_row.size());
	}
};

class PointTreeBuilder {
  public:
	PointTreeBuilder(const std::vector<float> &input, int dim) : input(input), rows(input.size() / dim) {
		tree.dim = dim;
		std::iota(rows.begin(), rows.end(), 0);
	}

	PointTree build() {
		add_node(0, static_cast<int>(rows.size()));
		return std::move(tree);
	}

  private:
	const std::vector<float> &input;
	std::vector<int> rows; /* each subtree's are together */
	PointTree tree;

	float coordinate(int row, int d) const {
		return input[static_cast<size_t>(row) * tree.dim + d];
	}

	/* Adds the subtree of rows [first, end), whose root holds the median along the widest axis; returns its node. */
	int add_node(int first, int end) {
		if (first == end)
			return -1;
		const int node = static_cast<int>(tree.nodes.size());
		const int axis = add_box(first, end);
		const int middle = first + (end - first) / 2;
		std::nth_element(rows.begin() + first, rows.begin() + middle, rows.begin() + end,
			[&](int a, int b) { return coordinate(a, axis) < coordinate(b, axis); });
		const int row = rows[middle];
		tree.nodes.push_back(PointNode{axis, coordinate(row, axis), -1, -1});
		tree.input_row.push_back(row);
		for (int d = 0; d < tree.dim; d++)
			tree.points.push_back(coordinate(row, d));
		tree.nodes[node].left = add_node(first, middle);
		tree.nodes[node].right = add_node(middle + 1, end);
		return node;
	}

	/* Appends the box of rows [first, end); returns the axis along which it is widest. */
	int add_box(int first, int end) {
		const size_t low = tree.boxes.size(), high = low + tree.dim;
		tree.boxes.resize(low + 2 * tree.dim);
		int widest = 0;
		for (int d = 0; d < tree.dim; d++) {
			const auto [least, most] = std::minmax_element(rows.begin() + first, rows.begin() + end,
				[&](int a, int b) { return coordinate(a, d) < coordinate(b, d); });
			tree.boxes[low + d] = coordinate(*least, d);
			tree.boxes[high + d] = coordinate(*most, d);
			if (tree.boxes[high + d] - tree.boxes[low + d] > tree.boxes[high + widest] - tree.boxes[low + widest])
				widest = d;
		}
		return widest;
	}
};

/* The input `points`, DIM coordinates each. */
inline std::vector<float> input_points(const Inputs &in) {
	const auto points = in.array<float>("points");
	return std::vector<float>(points.data, points.data + points.count);
}

inline Tree one_point_leaves(const Inputs &in, int dim) {
	return build_tree(input_points(in), dim, 1);
}

inline PointTree point_tree(const Inputs &in, int dim) {
	return PointTreeBuilder(input_points(in), dim).build();
}

/* The queries are the tree's own points, by their number in it: the input `queries` is 0, 1, 2 ... or a permutation. */
inline std::vector<int> input_queries(const Inputs &in) {
	const auto queries = in.array<int>("queries");
	return std::vector<int>(queries.data, queries.data + queries.count);
}

/* Writes the answers, which are in the order of the queries, in that of the input's points. */
template <class Tree, class T>
void save_answers(
	Outputs &out, const char *name, const Tree &tree, const std::vector<int> &queries, const std::vector<T> &answers) {
	std::vector<T> rows(answers.size());
	for (size_t i = 0; i < answers.size(); i++)
		rows[tree.input_row[queries[i]]] = answers[i];
	out.array(name, rows.data(), rows.size());
}

/* The same for answers that are points of the tree, -1 for none: they become points of the input. */
template <class Tree>
void save_points(
	Outputs &out, const char *name, const Tree &tree, const std::vector<int> &queries, std::vector<int> answers) {
	for (int &point : answers)
		point = point >= 0 && point < tree.size() ? tree.input_row[point] : -1;
	save_answers(out, name, tree, queries, answers);
}

#endif
