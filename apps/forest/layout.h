/* Forests as files hold them: see layout.py, which writes them. Whatever is wrong with a file ends in an InputError. */
#ifndef FOREST_LAYOUT_H
#define FOREST_LAYOUT_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../common/errors.h"
#include "../common/points.h"

#define LEAF (-1)
#define MOST_OUTPUTS 32
#define LEAST_DEPTH 3 /* of subtrees */
#define MOST_DEPTH 5

/* `value` is a threshold; of a leaf, whose `feature` is LEAF, the number of its row of values, as bits. */
struct alignas(8) Node {
	int feature;
	float value;
};

/* Where the nodes of a subtree begin, and the children of its bottom nodes. */
struct alignas(8) Subtree {
	int nodes, children;
};

/* A forest in memory of the host; the members are those of layout.py. Of CSR `links` has the links and `subtrees`
 * nothing, of the other layout the other way round. */
struct Layout {
	int depth, columns, outputs;
	bool numbers;
	std::vector<int> roots, links, children;
	std::vector<Subtree> subtrees;
	std::vector<Node> nodes;
	std::vector<double> values;

	bool is_csr() const
	{
		return depth == 0;
	}

	int trees() const
	{
		return static_cast<int>(roots.size());
	}

	int leaves() const
	{
		return static_cast<int>(values.size() / outputs);
	}

	/* The first of a subtree's nodes whose children are in other subtrees. */
	int bottom() const
	{
		return (1 << (depth - 1)) - 1;
	}

	size_t bytes() const
	{
		return (roots.size() + links.size() + children.size()) * sizeof(int) + subtrees.size() * sizeof(Subtree) +
			   nodes.size() * sizeof(Node);
	}
};

/* The row of values of a leaf. */
__host__ __device__ inline int row_of(const Node &leaf)
{
#ifdef __CUDA_ARCH__
	return __float_as_int(leaf.value);
#else
	int row;
	std::memcpy(&row, &leaf.value, sizeof row);
	return row;
#endif
}

/* The words of a file, taken one section after the other. */
class Words
{
public:
	explicit Words(const std::string &name) : name(name)
	{
		InputFile file(name.c_str());
		const std::string header = read_npy_header(file);
		if (std::strncmp(npy_field(file, header, "'descr'"), "'<i4'", 5) != 0)
			fail<InputError>("%s: not a forest: an array of another type than int32", name.c_str());
		long long count, columns;
		read_npy_shape(file, header, count, columns);
		if (columns != 1 || count < 0 || count > INT32_MAX)
			fail<InputError>("%s: not a forest: an array of more than one axis or 2^31 words", name.c_str());
		words.resize(count);
		if (!file.read(words.data(), count * sizeof(int)))
			fail<InputError>("%s: the file ends before its %lld words", name.c_str(), count);
	}

	int number(const char *what, int least, int most)
	{
		const int found = section<int>(1)[0];
		if (found < least || found > most)
			fail<InputError>("%s: not a forest: %s: %d; %d to %d are expected", name.c_str(), what, found, least, most);
		return found;
	}

	template <class T> std::vector<T> section(long long count)
	{
		const size_t size = sizeof(T) / sizeof(int) * count;
		if (size > words.size() - next)
			fail<InputError>("%s: not a forest: %zu words, and more are expected", name.c_str(), words.size());
		std::vector<T> found(count);
		if (count)
			std::memcpy(found.data(), words.data() + next, size * sizeof(int));
		next += size;
		return found;
	}

	void end() const
	{
		if (next < words.size())
			fail<InputError>("%s: not a forest: %zu words, %zu are expected", name.c_str(), words.size(), next);
	}

	const std::string name;

private:
	std::vector<int> words;
	size_t next = 0;
};

/* All children come behind their parents, in the file as well, and so there is no cycle. */
inline void check_child(const Layout &layout, const std::string &name, const char *what, long long parent, int child,
						long long count)
{
	if (child < 0 || child >= count)
		fail<InputError>("%s: %s %lld has the child %d; there are %lld", name.c_str(), what, parent, child, count);
	if (child <= parent)
		fail<InputError>("%s: %s %lld has the child %d, which is not behind it: a cycle", name.c_str(), what, parent,
						 child);
	(void)layout;
}

inline void check_node(const Layout &layout, const std::string &name, long long number)
{
	const Node &node = layout.nodes[number];
	if (node.feature == LEAF) {
		if (row_of(node) < 0 || row_of(node) >= layout.leaves())
			fail<InputError>("%s: node %lld: a leaf with the values %d; there are %d", name.c_str(), number,
							 row_of(node), layout.leaves());
		return;
	}
	if (node.feature < 0 || node.feature >= layout.columns)
		fail<InputError>("%s: node %lld compares column %d; rows have %d", name.c_str(), number, node.feature,
						 layout.columns);
	if (!std::isfinite(node.value))
		fail<InputError>("%s: node %lld has the threshold %g", name.c_str(), number, node.value);
}

inline void check_csr(const Layout &layout, const std::string &name)
{
	const long long nodes = static_cast<long long>(layout.nodes.size());
	if (layout.links.size() != layout.nodes.size())
		fail<InputError>("%s: %zu nodes and links of %zu", name.c_str(), layout.nodes.size(), layout.links.size());
	for (long long i = 0; i < nodes; i++) {
		if (layout.nodes[i].feature == LEAF)
			continue;
		const int first = layout.links[i];
		if (first < 0 || first + 2LL > static_cast<long long>(layout.children.size()))
			fail<InputError>("%s: node %lld has its children at %d; there are %zu", name.c_str(), i, first,
							 layout.children.size());
		for (int side = 0; side < 2; side++)
			check_child(layout, name, "node", i, layout.children[first + side], nodes);
	}
}

/* A node that is not a leaf has both children in its subtree, or, at the bottom, subtrees as children. */
inline void check_subtree(const Layout &layout, const std::string &name, long long number)
{
	const long long subtrees = static_cast<long long>(layout.subtrees.size());
	const Subtree &own = layout.subtrees[number];
	const bool last = number + 1 == subtrees;
	const long long end = last ? layout.nodes.size() : layout.subtrees[number + 1].nodes;
	const long long end_children = last ? layout.children.size() : layout.subtrees[number + 1].children;
	const int size = static_cast<int>(end - own.nodes), bottom = layout.bottom();
	if (own.nodes < 0 || end - own.nodes < 1 || end - own.nodes > 2 * bottom + 1)
		fail<InputError>("%s: subtree %lld has %lld nodes; 1 to %d are expected in subtrees of depth %d", name.c_str(),
						 number, end - own.nodes, 2 * bottom + 1, layout.depth);
	if (own.children < 0 || end_children < own.children ||
		end_children > static_cast<long long>(layout.children.size()))
		fail<InputError>("%s: subtree %lld has its children at %d; there are %zu", name.c_str(), number, own.children,
						 layout.children.size());
	for (int n = 0; n < size; n++) {
		if (layout.nodes[own.nodes + n].feature == LEAF)
			continue;
		if (n < bottom && 2 * n + 2 >= size)
			fail<InputError>("%s: subtree %lld: node %d has no children", name.c_str(), number, n);
		for (int side = 0; n >= bottom && side < 2; side++) {
			const long long at = own.children + 2LL * (n - bottom) + side;
			if (at >= end_children)
				fail<InputError>("%s: subtree %lld: node %d, at its bottom, has no children", name.c_str(), number, n);
			check_child(layout, name, "subtree", number, layout.children[at], subtrees);
		}
	}
}

/* Nodes in place of missing ones are leaves without values. */
inline void check_layout(const Layout &layout, const std::string &name)
{
	const long long heads = layout.is_csr() ? layout.nodes.size() : layout.subtrees.size();
	for (size_t tree = 0; tree < layout.roots.size(); tree++)
		if (layout.roots[tree] < 0 || layout.roots[tree] >= heads)
			fail<InputError>("%s: tree %zu has the root %d; there are %lld", name.c_str(), tree, layout.roots[tree],
							 heads);
	for (size_t i = 0; i < layout.nodes.size(); i++)
		check_node(layout, name, i);
	for (size_t i = 0; i < layout.values.size(); i++)
		if (!std::isfinite(layout.values[i]))
			fail<InputError>("%s: the values of leaf %zu are not finite numbers", name.c_str(), i / layout.outputs);
	if (layout.is_csr())
		check_csr(layout, name);
	for (size_t i = 0; i < layout.subtrees.size(); i++)
		check_subtree(layout, name, i);
}

inline Layout read_layout(const std::string &name)
{
	Words words(name);
	Layout layout;
	words.number("the first word", 0x54535246, 0x54535246);
	layout.depth = words.number("the depth of subtrees", 0, MOST_DEPTH);
	if (layout.depth && layout.depth < LEAST_DEPTH)
		fail<InputError>("%s: subtrees of depth %d; %d to %d are supported", name.c_str(), layout.depth, LEAST_DEPTH,
						 MOST_DEPTH);
	layout.numbers = words.number("whether answers are numbers", 0, 1);
	layout.columns = words.number("columns", 1, 1 << 24);
	layout.outputs = words.number("classes", 1, MOST_OUTPUTS);
	const int trees = words.number("trees", 1, 1 << 24), links = words.number("links", 1, INT32_MAX);
	const int children = words.number("children", 0, INT32_MAX), nodes = words.number("nodes", 1, INT32_MAX);
	const int leaves = words.number("leaves", 1, INT32_MAX);
	layout.roots = words.section<int>(trees);
	if (layout.is_csr())
		layout.links = words.section<int>(links);
	else
		layout.subtrees = words.section<Subtree>(links / 2);
	layout.children = words.section<int>(children);
	layout.nodes = words.section<Node>(nodes);
	layout.values = words.section<double>(static_cast<long long>(leaves) * layout.outputs);
	words.end();
	check_layout(layout, name);
	return layout;
}

#endif
