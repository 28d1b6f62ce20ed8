/* The vantage-point tree, built on the host for the kernel and for the host's own searches.
 *
 * Such a tree needs distances only, no coordinates (Yianilos, 1993). A node has a vantage point; those of its points
 * that are nearer to it are its inner child's, the farther ones its outer child's.
 */
#ifndef VP_TREE_H
#define VP_TREE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../common/distance.h"
#include "../common/points.h"
#include "../common/random.h"

const int LEAF_POINTS = 16;
const int DEEPEST = 32; /* levels at most, as each halves the points */

/* Nodes lie in preorder, the inner child of node n at n + 1, and the points in the same order: the vantage point of a
 * node is its first. */
typedef struct {
	int first;         /* its first point */
	int count;         /* points of a leaf; 0 in other nodes */
	int outer;         /* the outer child */
	float inner_end;   /* from the vantage point to the farthest point of the inner child */
	float outer_start; /* ... to the nearest point of the outer child */
} Node;

struct Tree {
	int dim;
	std::vector<Node> nodes;
	std::vector<float> points;  /* dim numbers a point, in the order of the nodes */
	std::vector<int> input_row; /* where each point stood in the input */
};

class TreeBuilder
{
public:
	TreeBuilder(const Points &input, uint64_t seed) : input(input), random(seed), distances(input.count)
	{
		tree.dim = input.dim;
		tree.input_row.resize(input.count);
		std::iota(tree.input_row.begin(), tree.input_row.end(), 0);
	}

	Tree build()
	{
		add_node(0, input.count);
		for (int row : tree.input_row)
			tree.points.insert(tree.points.end(), point(row), point(row) + tree.dim);
		return std::move(tree);
	}

private:
	const Points &input;
	Random random;
	std::vector<float> distances; /* of each row, from the vantage point of the node that is being added */
	Tree tree;

	const float *point(int row) const
	{
		return &input.x[static_cast<size_t>(row) * input.dim];
	}

	/* Adds the subtree of the points [first, end) and puts them in the order of its nodes. */
	void add_node(int first, int end)
	{
		const int node = static_cast<int>(tree.nodes.size());
		tree.nodes.push_back(Node{first, end - first, -1, 0.0f, 0.0f});
		if (end - first <= LEAF_POINTS)
			return;
		const auto rows = tree.input_row.begin();
		std::swap(rows[first], rows[first + random.next() % (end - first)]);
		for (int i = first + 1; i < end; i++)
			distances[rows[i]] = std::sqrt(point_distance(point(rows[i]), input.dim, point(rows[first])));
		const auto nearer = [&](int a, int b) { return distances[a] < distances[b]; };
		const int middle = first + 1 + (end - first) / 2;
		std::nth_element(rows + first + 1, rows + middle, rows + end, nearer);
		const float inner_end = distances[*std::max_element(rows + first + 1, rows + middle, nearer)];
		const float outer_start = distances[rows[middle]];
		add_node(first + 1, middle);
		const int outer = static_cast<int>(tree.nodes.size());
		add_node(middle, end);
		tree.nodes[node] = Node{first, 0, outer, inner_end, outer_start};
	}
};

#endif
