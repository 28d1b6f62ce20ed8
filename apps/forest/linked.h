/* A forest whose nodes tell where their children are; a warp keeps the upper levels of a tree in its registers. */
#ifndef FOREST_LINKED_H
#define FOREST_LINKED_H

#include <string>
#include <vector>

#include "../common/errors.h"
#include "layout.h"
#include "walks.h"

#define TOP_LEVELS 5   /* a lane has a node of each tree's levels */
#define ROWS_AT_ONCE 4 /* of a thread: no gather of one waits for those of another */
#define LINKED_BLOCK 64
#define MOST_ROUNDS 4   /* of a block, for which a tree stays in a cache */
#define WANTED_BLOCKS 8 /* for each multiprocessor */

/* `word`: of a leaf, the number of its row of values with all bits inverted; else the column in the lower bits and
 * in the others where in its tree the left child is, after which the right one is. */
struct alignas(8) LinkedNode {
	int word;
	float threshold;
};

/* Node n of a tree's upper levels has the children 2n and 2n + 1; `below` has nodes of the tree for 32 to 63. Below a
 * leaf both children are that leaf, and so all ways down are of the same length. */
struct Top {
	int columns[1 << TOP_LEVELS], below[1 << TOP_LEVELS];
	float thresholds[1 << TOP_LEVELS];
};

struct LinkedLayout {
	int column_bits;
	std::vector<int> roots;
	std::vector<LinkedNode> nodes;
	std::vector<Top> tops;
};

/* The same on the device; `values` as in Forest. */
struct LinkedForest {
	const int *roots;
	const LinkedNode *nodes;
	const Top *tops;
	const double *values;
	int trees, column_bits, outputs;
};

/* ---- on the host ---- */

inline Top top_of(const LinkedNode *nodes, int column_bits)
{
	Top top = {};
	int places[2 << TOP_LEVELS] = {};
	for (int n = 1; n < 1 << TOP_LEVELS; n++) {
		const LinkedNode &node = nodes[places[n]];
		const bool is_leaf = node.word < 0;
		top.columns[n] = is_leaf ? 0 : node.word & ((1 << column_bits) - 1);
		top.thresholds[n] = node.threshold;
		places[2 * n] = is_leaf ? places[n] : node.word >> column_bits;
		places[2 * n + 1] = places[2 * n] + !is_leaf;
	}
	for (int n = 0; n < 1 << TOP_LEVELS; n++)
		top.below[n] = places[(1 << TOP_LEVELS) + n];
	return top;
}

/* Adds a tree of a forest in CSR, in the order of depth. */
inline void add_tree(LinkedLayout &linked, const Layout &csr, int root, const std::string &name)
{
	const size_t first = linked.nodes.size(), most = size_t{1} << (31 - linked.column_bits);
	std::vector<int> order{root};
	for (size_t i = 0; i < order.size(); i++) {
		const Node &node = csr.nodes[order[i]];
		if (node.feature == LEAF) {
			linked.nodes.push_back({~row_of(node), 0.0f});
			continue;
		}
		linked.nodes.push_back({node.feature | static_cast<int>(order.size()) << linked.column_bits, node.value});
		for (int side = 0; side < 2; side++)
			order.push_back(csr.children[csr.links[order[i]] + side]);
		if (order.size() > csr.nodes.size())
			fail<InputError>("%s: the tree of root %d has more nodes than the forest: one has two parents",
							 name.c_str(), root);
		if (order.size() > most)
			fail<InputError>("%s: a tree of more than %zu nodes, for rows of %d numbers: --kernel linked has no room",
							 name.c_str(), most, csr.columns);
	}
	linked.roots.push_back(static_cast<int>(first));
	linked.tops.push_back(top_of(linked.nodes.data() + first, linked.column_bits));
}

inline LinkedLayout linked_of(const Layout &csr, const std::string &name)
{
	LinkedLayout linked{};
	while (1 << linked.column_bits < csr.columns)
		linked.column_bits++;
	for (int root : csr.roots)
		add_tree(linked, csr, root, name);
	return linked;
}

/* How often a block takes ROWS_AT_ONCE rows for each of its threads. */
inline int rounds_of(int rows, int multiprocessors)
{
	const int rounds = rows / (LINKED_BLOCK * ROWS_AT_ONCE) / (multiprocessors * WANTED_BLOCKS);
	return std::max(1, std::min(rounds, MOST_ROUNDS));
}

/* ---- on the device ---- */

/* What a lane keeps of a tree: a node of its upper levels. */
struct TopNode {
	int column, below;
	float threshold;
};

/* Finds the leaves of rows that begin at `start`: through the upper levels by shuffles, which all lanes take part in,
 * then node after node. `leaves` are rows of values. */
__device__ inline void find_leaves(const LinkedForest &forest, const Rows &rows, const LinkedNode *nodes,
								   const TopNode &top, const int *start, int *leaves)
{
	int n[ROWS_AT_ONCE];
	for (int i = 0; i < ROWS_AT_ONCE; i++)
		n[i] = 1;
	for (int level = 0; level < TOP_LEVELS; level++)
		for (int i = 0; i < ROWS_AT_ONCE; i++) {
			const float x = rows.x[start[i] + __shfl_sync(0xffffffffu, top.column, n[i])];
			n[i] = 2 * n[i] + !(x <= __shfl_sync(0xffffffffu, top.threshold, n[i]));
		}
	LinkedNode node[ROWS_AT_ONCE];
	for (int i = 0; i < ROWS_AT_ONCE; i++)
		node[i] = nodes[__shfl_sync(0xffffffffu, top.below, n[i] - (1 << TOP_LEVELS))];
	const int columns_mask = (1 << forest.column_bits) - 1;
	for (bool is_inner = true; is_inner;) {
		is_inner = false;
		for (int i = 0; i < ROWS_AT_ONCE; i++)
			if (node[i].word >= 0) {
				const float x = rows.x[start[i] + (node[i].word & columns_mask)];
				node[i] = nodes[(node[i].word >> forest.column_bits) + !(x <= node[i].threshold)];
				is_inner = true;
			}
	}
	for (int i = 0; i < ROWS_AT_ONCE; i++)
		leaves[i] = ~node[i].word;
}

/* A block takes one tree after the other through all its rows, and a thread several rows at once. */
__global__ void ask_linked(LinkedForest forest, Rows rows, int rounds, double *sums)
{
	const int lane = threadIdx.x % 32, outputs = OUTPUTS_OF(forest.outputs);
	for (int tree = 0; tree < forest.trees; tree++) {
		const LinkedNode *nodes = forest.nodes + forest.roots[tree];
		const Top &tops = forest.tops[tree];
		const TopNode top = {tops.columns[lane], tops.below[lane], tops.thresholds[lane]};
		for (int round = 0; round < rounds; round++) {
			const int first = (blockIdx.x * rounds + round) * ROWS_AT_ONCE * blockDim.x + threadIdx.x;
			int start[ROWS_AT_ONCE], leaves[ROWS_AT_ONCE];
			for (int i = 0; i < ROWS_AT_ONCE; i++) {
				const int row = first + i * blockDim.x;
				start[i] = (row < rows.count ? row : rows.count - 1) * rows.columns;
			}
			find_leaves(forest, rows, nodes, top, start, leaves);
			for (int i = 0; i < ROWS_AT_ONCE; i++) {
				const int row = first + i * blockDim.x;
				for (int k = 0; row < rows.count && k < outputs; k++) {
					const double value = forest.values[leaves[i] * outputs + k];
					double *sum = &sums[k * rows.count + row];
					*sum = tree ? *sum + value : value;
				}
			}
		}
	}
}

#endif
