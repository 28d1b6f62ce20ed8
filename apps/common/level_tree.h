/* Trees whose nodes lie level by level, the children of a node side by side: made at random, or read from a list of
 * parents. Whatever is wrong with a list ends in an InputError that names the node. */
#ifndef COMMON_LEVEL_TREE_H
#define COMMON_LEVEL_TREE_H

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "points.h"
#include "random.h"

const long long MOST_TREE_NODES = 1LL << 30;

/* Node 0 is the root. The children of node n are first[n] to first[n + 1] - 1; the nodes of a level are level[l] to
 * level[l + 1] - 1. */
struct LevelTree {
	std::vector<int> parent, first, level;
	std::vector<int> row; /* which node of the input each one is; empty if they have the same numbers */

	int nodes() const
	{
		return static_cast<int>(parent.size());
	}

	int levels() const
	{
		return static_cast<int>(level.size()) - 1;
	}
};

/* Finds `first` and `level` of a tree whose parents are those of nodes that lie level by level: they never decrease. */
inline void index_levels(LevelTree &tree)
{
	const int nodes = tree.nodes();
	tree.first.assign(static_cast<size_t>(nodes) + 1, nodes);
	for (int node = nodes - 1; node > 0; node--)
		tree.first[tree.parent[node]] = node;
	for (int node = nodes - 1; node >= 0; node--)
		tree.first[node] = std::min(tree.first[node], tree.first[node + 1]);
	tree.level = {0};
	for (int end = 1; tree.level.back() < nodes; end = tree.first[end])
		tree.level.push_back(end);
}

/* ---- lists of parents ---- */

/* Names the nodes of a cycle, of which `node` is one or a descendant. */
[[noreturn]] inline void fail_cycle(const char *name, const std::vector<int> &parent, int node)
{
	std::vector<char> seen(parent.size());
	while (!seen[node]) {
		seen[node] = 1;
		node = parent[node];
	}
	std::string way = std::to_string(node);
	int steps = 0, next = parent[node];
	for (; next != node && steps < 8; steps++, next = parent[next])
		way += ", " + std::to_string(next);
	fail<InputError>("%s: node %d is its own ancestor: the parents lead in a circle, %s%s, %d", name, node, way.c_str(),
					 next == node ? "" : ", ...", node);
}

/* Returns the root. Every number in `parent` must be a node, or -1 once. */
inline int root_of(const char *name, const std::vector<int> &parent)
{
	const int nodes = static_cast<int>(parent.size());
	int root = -1;
	for (int node = 0; node < nodes; node++) {
		if (parent[node] < -1 || parent[node] >= nodes)
			fail<InputError>("%s: node %d: the parent is %d; nodes are 0 to %d, and -1 is the root's", name, node,
							 parent[node], nodes - 1);
		if (parent[node] == -1) {
			if (root >= 0)
				fail<InputError>("%s: nodes %d and %d both have no parent: a tree has one root", name, root, node);
			root = node;
		}
	}
	if (root < 0)
		fail_cycle(name, parent, 0);
	return root;
}

/* Makes a tree of the parent of each node. Nodes get other numbers unless they lie level by level already. */
inline LevelTree tree_of_parents(const char *name, std::vector<int> parent)
{
	if (parent.empty())
		fail<InputError>("%s: a tree has at least 1 node, found 0", name);
	const int nodes = static_cast<int>(parent.size()), root = root_of(name, parent);
	LevelTree tree;
	bool in_order = root == 0;
	for (int node = 1; in_order && node < nodes; node++)
		in_order = parent[node] < node && (node == 1 || parent[node] >= parent[node - 1]);
	if (in_order) {
		tree.parent = std::move(parent);
		index_levels(tree);
		return tree;
	}
	std::vector<int> start(static_cast<size_t>(nodes) + 2), child(nodes), number(nodes, -1);
	for (int node = 0; node < nodes; node++)
		start[parent[node] + 2]++;
	for (int node = 0; node <= nodes; node++)
		start[node + 1] += start[node];
	for (int node = 0; node < nodes; node++)
		child[start[parent[node] + 1]++] = node; /* start[n] is now where the children of n begin, -1's at 0 */
	tree.row = {root};
	for (int place = 0; place < static_cast<int>(tree.row.size()); place++) {
		const int node = tree.row[place];
		number[node] = place;
		tree.parent.push_back(node == root ? -1 : number[parent[node]]);
		tree.row.insert(tree.row.end(), child.begin() + start[node], child.begin() + start[node + 1]);
	}
	if (tree.nodes() < nodes)
		fail_cycle(name, parent, static_cast<int>(std::find(number.begin(), number.end(), -1) - number.begin()));
	index_levels(tree);
	return tree;
}

/* A parent a line, from node 0's on. Lines that begin with # or % are comments. */
inline std::vector<int> read_parents(const char *name)
{
	InputFile file(name);
	std::vector<int> parent;
	std::string line;
	for (int number = 1; file.read_line(line); number++) {
		const char *text = line.c_str() + std::strspn(line.c_str(), " \t");
		if (*text == '\0' || *text == '#' || *text == '%')
			continue;
		char *end;
		errno = 0;
		const long long value = std::strtoll(text, &end, 10);
		if (end == text || errno || end[std::strspn(end, " \t")] != '\0')
			fail<InputError>("%s: line %d: '%.40s': the number of a node's parent is expected", name, number, text);
		if (value < -1 || value >= MOST_TREE_NODES)
			fail<InputError>("%s: line %d: parent %lld; -1 to %lld are supported", name, number, value,
							 MOST_TREE_NODES - 1);
		parent.push_back(static_cast<int>(value));
	}
	return parent;
}

/* A .npy file of int32 or int64: the parent of each node. */
inline std::vector<int> read_npy_parents(const char *name)
{
	InputFile file(name);
	const std::string header = read_npy_header(file);
	const char *type = npy_field(file, header, "'descr'");
	const int item_bytes = std::strncmp(type, "'<i4'", 5) == 0 ? 4 : std::strncmp(type, "'<i8'", 5) == 0 ? 8 : 0;
	if (item_bytes == 0)
		fail<InputError>("%s: numbers of type %.*s; int32 ('<i4') and int64 ('<i8') are supported", name,
						 static_cast<int>(std::strcspn(type, ",}")), type);
	long long count, columns;
	read_npy_shape(file, header, count, columns);
	if (columns != 1)
		fail<InputError>("%s: rows of %lld numbers; one is expected, a node's parent", name, columns);
	if (count > MOST_TREE_NODES)
		fail<InputError>("%s: %lld nodes are too many; at most 2^30 are supported", name, count);
	std::vector<int> parent(count);
	if (item_bytes == 4) {
		if (!file.read(parent.data(), count * sizeof(int)))
			fail<InputError>("%s: the file ends before node %lld", name, count - 1);
		return parent;
	}
	for (long long node = 0; node < count; node++) {
		long long value;
		if (!file.read(&value, sizeof value))
			fail<InputError>("%s: the file ends before node %lld", name, node);
		if (value < -1 || value >= MOST_TREE_NODES)
			fail<InputError>("%s: node %lld: the parent is %lld; -1 to %lld are supported", name, node, value,
							 MOST_TREE_NODES - 1);
		parent[node] = static_cast<int>(value);
	}
	return parent;
}

/* ---- random ---- */

/* A tree of `levels` levels. The root and `chance` of the other nodes that are not on the last level have from `least`
 * to `most` children, each number as likely. */
inline LevelTree random_tree(const char *name, int levels, int least, int most, double chance, uint64_t seed)
{
	Random random(seed);
	LevelTree tree;
	tree.parent = {-1};
	for (int level = 1, begin = 0, end = 1; level < levels && begin < end; level++) {
		for (int node = begin; node < end; node++) {
			if (node > 0 && random.uniform() >= chance)
				continue;
			const int children = least + static_cast<int>(random.next() % (most - least + 1));
			if (tree.nodes() > MOST_TREE_NODES - children)
				fail<InputError>("%s: more than 2^30 nodes are not supported", name);
			tree.parent.insert(tree.parent.end(), children, node);
		}
		begin = end;
		end = tree.nodes();
	}
	index_levels(tree);
	return tree;
}

/* `input` is random:LEVELS:LEAST-MOST:PERCENT, or the name of a file of parents. */
inline LevelTree read_tree(const std::string &input, uint64_t seed)
{
	const char *name = input.c_str();
	if (input.compare(0, 7, "random:") == 0) {
		int levels, least, most, used = 0;
		double percent;
		if (std::sscanf(name, "random:%d:%d-%d:%lf%n", &levels, &least, &most, &percent, &used) < 4 ||
			static_cast<size_t>(used) != input.size() || levels < 1 || levels > 1000 || least < 1 || most < least ||
			most > 1000000 || !(percent >= 0.0 && percent <= 100.0))
			fail<UsageError>("%s: expected random:LEVELS:LEAST-MOST:PERCENT, for example random:14:4-8:50", name);
		return random_tree(name, levels, least, most, percent / 100.0, seed);
	}
	return tree_of_parents(name, ends_with(input, ".npy") ? read_npy_parents(name) : read_parents(name));
}

#endif
