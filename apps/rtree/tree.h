/* R-trees in two dimensions (Guttman, 1984): built from records all at once, or read from a file and checked. */
#ifndef RTREE_TREE_H
#define RTREE_TREE_H

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../common/errors.h"
#include "../common/points.h"

const long long MOST_ENTRIES = 1 << 28; /* kernels index four numbers of each by int */

/* A rectangle with its edges. */
typedef struct {
	float x0, y0, x1, y1;
} Box;

/* `count` entries from entry `first` on. Those of a leaf are records, those of other nodes are nodes. */
typedef struct {
	int first, count, leaf;
} Node;

/* What a query finds: how many records, and the sum of their rows, modulo 2^32. */
typedef struct {
	int count;
	unsigned sum;
} Answer;

/* A tree as kernels see it. The boxes of a node with `count` entries lie together from boxes[4 * first] on: the `count`
 * lower x, as many lower y, upper x, upper y. child[] is a node or, of a leaf, the row of a record in the input. */
typedef struct {
	const Node *nodes;
	const float *boxes;
	const int *child;
} Tree;

/* A tree on the host. `levels` is that of the deepest leaf, 1 if the root is one. `stack` is the number of entries
 * that a stack holds at most if a search pushes all children of a node that it pops. */
struct HostTree {
	std::vector<Node> nodes; /* the root first */
	std::vector<float> boxes;
	std::vector<int> child;
	int levels = 1, stack = 1;

	Tree view() const
	{
		return Tree{nodes.data(), boxes.data(), child.data()};
	}

	Box box(const Node &node, int entry) const
	{
		const float *at = boxes.data() + 4 * static_cast<size_t>(node.first) + entry;
		return Box{at[0], at[node.count], at[2 * node.count], at[3 * node.count]};
	}

	/* Adds a node whose entries are `count` of `items`; `children` is what they lead to. */
	void add(const Box *items, const int *children, int count, bool leaf)
	{
		nodes.push_back(Node{static_cast<int>(child.size()), count, leaf});
		child.insert(child.end(), children, children + count);
		for (const float Box::*edge : {&Box::x0, &Box::y0, &Box::x1, &Box::y1})
			for (int i = 0; i < count; i++)
				boxes.push_back(items[i].*edge);
	}
};

inline Box around(const Box &a, const Box &b)
{
	return Box{std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

inline bool contains(const Box &outer, const Box &inner)
{
	return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 && outer.y1 >= inner.y1;
}

/* ---- sorting ---- */

/* Whole numbers in the order of floats that are not NaN. */
inline uint32_t key_of(float x)
{
	uint32_t bits;
	x += 0.0f; /* -0 is 0 */
	std::memcpy(&bits, &x, sizeof bits);
	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Sorts `order` by keys[order[i]], where keys are below 2^bits; equal keys stay in their order. */
inline void radix_sort(const std::vector<uint32_t> &keys, int bits, std::vector<int> &order)
{
	const int digit = 11;
	std::vector<int> other(order.size());
	for (int shift = 0; shift < bits; shift += digit) {
		size_t starts[1 << digit] = {};
		const uint32_t mask = (1 << digit) - 1;
		for (int item : order)
			starts[keys[item] >> shift & mask]++;
		size_t sum = 0;
		for (size_t &start : starts)
			sum += std::exchange(start, sum);
		for (int item : order)
			other[starts[keys[item] >> shift & mask]++] = item;
		order.swap(other);
	}
}

/* ---- building: sort-tile-recursive (Leutenegger, Lopez and Edgington, 1997) ---- */

/* The order in which nodes of `node_size` take boxes: by slices along x, within a slice along y. */
inline std::vector<int> tile(const std::vector<Box> &boxes, int node_size)
{
	const size_t count = boxes.size(), nodes = (count + node_size - 1) / node_size;
	const size_t slices = static_cast<size_t>(std::ceil(std::sqrt(static_cast<double>(nodes))));
	const size_t slice_nodes = (nodes + slices - 1) / slices;
	std::vector<uint32_t> keys(count);
	std::vector<int> order(count);
	std::iota(order.begin(), order.end(), 0);
	for (size_t i = 0; i < count; i++)
		keys[i] = key_of(0.5f * boxes[i].x0 + 0.5f * boxes[i].x1);
	radix_sort(keys, 32, order);
	std::vector<uint32_t> slice(count);
	for (size_t i = 0; i < count; i++)
		slice[order[i]] = static_cast<uint32_t>(i / (slice_nodes * node_size));
	for (size_t i = 0; i < count; i++)
		keys[i] = key_of(0.5f * boxes[i].y0 + 0.5f * boxes[i].y1);
	radix_sort(keys, 32, order);
	radix_sort(slice, slices > 2048 ? 22 : 11, order);
	return order;
}

/* What has been made of a level: for each node its box. */
struct Level {
	std::vector<Box> boxes;
	std::vector<Node> nodes;
	std::vector<int> child; /* numbers within the level below, rows of records at the bottom */
};

inline Level level_above(const std::vector<Box> &below, int node_size)
{
	const std::vector<int> order = tile(below, node_size);
	Level level;
	for (size_t first = 0; first < order.size(); first += node_size) {
		const int count = static_cast<int>(std::min<size_t>(node_size, order.size() - first));
		Box whole = below[order[first]];
		for (int i = 1; i < count; i++)
			whole = around(whole, below[order[first + i]]);
		level.nodes.push_back(Node{static_cast<int>(first), count, 0});
		level.boxes.push_back(whole);
	}
	level.child = order;
	return level;
}

/* Nodes of the top level come first, then those of the next, in the order of their parents' entries. */
inline HostTree build_tree(const std::vector<Box> &records, int node_size)
{
	std::vector<Level> levels;
	levels.push_back(level_above(records, node_size));
	while (levels.back().nodes.size() > 1)
		levels.push_back(level_above(levels.back().boxes, node_size));
	HostTree tree;
	tree.levels = static_cast<int>(levels.size());
	std::vector<int> wanted{0};
	int next = 1;
	for (size_t depth = levels.size(); depth-- > 0;) {
		const Level &level = levels[depth];
		const std::vector<Box> &items = depth ? levels[depth - 1].boxes : records;
		std::vector<int> below, children;
		std::vector<Box> boxes;
		for (int number : wanted) {
			const Node &node = level.nodes[number];
			children.clear();
			boxes.clear();
			for (int i = node.first; i < node.first + node.count; i++) {
				boxes.push_back(items[level.child[i]]);
				children.push_back(depth ? next++ : level.child[i]);
				if (depth)
					below.push_back(level.child[i]);
			}
			tree.add(boxes.data(), children.data(), node.count, depth == 0);
		}
		wanted.swap(below);
	}
	return tree;
}

/* ---- checking ---- */

/* Checks that every node is reached from the root in one way, and that no box sticks out of that above it; finds the
 * tree's `levels` and `stack`. `name` is the input's. */
inline void check_tree(const char *name, HostTree &tree)
{
	struct Step {
		int node, level, waiting; /* `waiting`: entries that lie on the stack below it */
		Box box;
	};
	const float most = INFINITY;
	std::vector<char> seen(tree.nodes.size());
	std::vector<Step> steps{{0, 1, 0, Box{-most, -most, most, most}}};
	seen[0] = 1;
	tree.levels = tree.stack = 1;
	while (!steps.empty()) {
		const Step step = steps.back();
		const Node &node = tree.nodes[step.node];
		steps.pop_back();
		tree.levels = std::max(tree.levels, step.level);
		if (!node.leaf)
			tree.stack = std::max(tree.stack, step.waiting + node.count);
		for (int e = 0; e < node.count; e++) {
			const Box box = tree.box(node, e);
			if (!contains(step.box, box))
				fail<InputError>(
					"%s: node %d: entry %d, (%g, %g) to (%g, %g), is not within the node's box (%g, %g) to "
					"(%g, %g)",
					name, step.node, e, box.x0, box.y0, box.x1, box.y1, step.box.x0, step.box.y0, step.box.x1,
					step.box.y1);
			if (node.leaf)
				continue;
			const int child = tree.child[node.first + e];
			if (seen[child])
				fail<InputError>(
					"%s: node %d: entry %d leads to node %d, which another entry leads to, or which is above "
					"it: a cycle or no tree",
					name, step.node, e, child);
			seen[child] = 1;
			steps.push_back({child, step.level + 1, step.waiting + e, box});
		}
	}
	const size_t lost = std::find(seen.begin(), seen.end(), 0) - seen.begin();
	if (lost < seen.size())
		fail<InputError>("%s: node %zu: no entry leads to it", name, lost);
}

/* ---- reading ---- */

/* Returns a number that must be whole, from `least` to `most`. */
inline int whole(const char *name, int row, const char *what, float value, long long least, long long most)
{
	if (!(value >= static_cast<float>(least) && value <= static_cast<float>(most)) || value != std::floor(value))
		fail<InputError>("%s: row %d: %s %g; expected a whole number from %lld to %lld", name, row, what, value, least,
						 most);
	return static_cast<int>(value);
}

inline Box checked_box(const char *name, int row, const float *x)
{
	if (x[0] > x[2] || x[1] > x[3])
		fail<InputError>("%s: row %d: (%g, %g) to (%g, %g) is no rectangle: lower edges come first", name, row, x[0],
						 x[1], x[2], x[3]);
	return Box{x[0], x[1], x[2], x[3]};
}

/* Rows of 4 numbers are rectangles x0, y0, x1, y1, rows of 2 are points. */
inline std::vector<Box> boxes_of(const char *name, const Points &rows)
{
	if (rows.dim != 2 && rows.dim != 4)
		fail<InputError>("%s: rows of %d numbers; rectangles have 4 (x0, y0, x1, y1), points 2", name, rows.dim);
	std::vector<Box> boxes(rows.count);
	for (int i = 0; i < rows.count; i++) {
		const float *x = &rows.x[static_cast<size_t>(i) * rows.dim];
		boxes[i] = rows.dim == 4 ? checked_box(name, i, x) : Box{x[0], x[1], x[0], x[1]};
	}
	return boxes;
}

/* A row for each entry: its node, the node that it leads to or -1 - R for the record of row R, and its box. Entries of
 * a node stand together, nodes in their order. `boxes` gets those of the records. */
inline HostTree read_tree(const char *name, const Points &rows, std::vector<Box> &records)
{
	if (rows.dim != 6)
		fail<InputError>("%s: rows of %d numbers; entries of a tree have 6: node, child, x0, y0, x1, y1", name,
						 rows.dim);
	const long long exact = 1 << 24; /* larger numbers are not exact in float32 */
	HostTree tree;
	std::vector<Box> boxes;
	std::vector<int> children, known;
	const int nodes =
		whole(name, rows.count - 1, "node", rows.x[static_cast<size_t>(rows.count - 1) * 6], 0, exact) + 1;
	for (int row = 0; row < rows.count;) {
		const int node = static_cast<int>(tree.nodes.size());
		boxes.clear();
		children.clear();
		bool leaf = false;
		for (; row < rows.count; row++) {
			const float *x = &rows.x[static_cast<size_t>(row) * 6];
			const int own = whole(name, row, "node", x[0], 0, nodes - 1);
			if (own != node) {
				if (own != node + 1 || boxes.empty())
					fail<InputError>("%s: row %d: an entry of node %d; expected one of node %d%s", name, row, own, node,
									 boxes.empty() ? "" : " or of the next");
				break;
			}
			const int child = whole(name, row, "child", x[1], -rows.count, nodes - 1);
			if (!boxes.empty() && leaf != (child < 0))
				fail<InputError>("%s: row %d: node %d has nodes and records as entries", name, row, node);
			leaf = child < 0;
			children.push_back(leaf ? -1 - child : child);
			boxes.push_back(checked_box(name, row, x + 2));
			if (leaf) {
				known.push_back(-1 - child);
				records.push_back(boxes.back());
			}
		}
		tree.add(boxes.data(), children.data(), static_cast<int>(boxes.size()), leaf);
	}
	std::vector<Box> in_order(records.size());
	std::vector<char> seen(records.size());
	for (size_t i = 0; i < known.size(); i++) {
		if (static_cast<size_t>(known[i]) >= records.size() || seen[known[i]])
			fail<InputError>("%s: record %d %s; there are %zu, from 0 on", name, known[i],
							 static_cast<size_t>(known[i]) >= records.size() ? "is not there" : "is there twice",
							 records.size());
		seen[known[i]] = 1;
		in_order[known[i]] = records[i];
	}
	records.swap(in_order);
	return tree;
}

#endif
