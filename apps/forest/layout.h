/* Forests as files hold them: see layout.py, which writes them. Whatever is wrong with a file ends in an InputError. */
#ifndef FOREST_LAYOUT_H
#define FOREST_LAYOUT_H

#include <algorithm>
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
#ifndef MOST_DEPTH
#define MOST_DEPTH 5 /* with less, encoded kernels are fewer, and compiled sooner */
#endif

/* `value` is a threshold; of a leaf, whose `feature` is LEAF, the number of its row of values, as bits. The first of a
 * subtree has in `feature` where the children of its bottom nodes begin, and in `value` the bits of its size. */
struct alignas(8) Node {
	int feature;
	float value;
};

/* A forest in memory of the host; see layout.py. */
struct Layout {
	int depth, columns, outputs;
	bool numbers;
	std::vector<int> roots, links, children;
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

	size_t bytes() const
	{
		return (roots.size() + links.size() + children.size()) * sizeof(int) + nodes.size() * sizeof(Node);
	}
};

/* The row of values of a leaf, or the size of a subtree. */
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
inline void check_child(const std::string &name, const char *what, long long parent, int child)
{
	if (child <= parent)
		fail<InputError>("%s: %s %lld has the child %d, which is not behind it: a cycle", name.c_str(), what, parent,
						 child);
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
	const int nodes = static_cast<int>(layout.nodes.size());
	if (layout.links.size() != layout.nodes.size())
		fail<InputError>("%s: %zu nodes and links of %zu", name.c_str(), layout.nodes.size(), layout.links.size());
	for (int i = 0; i < nodes; i++) {
		check_node(layout, name, i);
		if (layout.nodes[i].feature == LEAF)
			continue;
		const int first = layout.links[i];
		if (first < 0 || first + 2LL > static_cast<long long>(layout.children.size()))
			fail<InputError>("%s: node %d has its children at %d; there are %zu", name.c_str(), i, first,
							 layout.children.size());
		for (int side = 0; side < 2; side++) {
			const int child = layout.children[first + side];
			check_child(name, "node", i, child);
			if (child >= nodes)
				fail<InputError>("%s: node %d has the child %d; there are %d", name.c_str(), i, child, nodes);
		}
	}
	for (size_t tree = 0; tree < layout.roots.size(); tree++)
		if (layout.roots[tree] < 0 || layout.roots[tree] >= nodes)
			fail<InputError>("%s: tree %zu has the root %d; there are %d", name.c_str(), tree, layout.roots[tree],
							 nodes);
}

/* Returns for each place among the nodes whether a subtree begins there. */
inline std::vector<bool> heads_of(const Layout &layout, const std::string &name)
{
	const long long nodes = static_cast<long long>(layout.nodes.size());
	std::vector<bool> heads(nodes);
	for (long long head = 0; head < nodes;) {
		const int size = row_of(layout.nodes[head]);
		if (size < 2 || head + size > nodes)
			fail<InputError>("%s: the subtree at %lld ends at %lld; there are %lld nodes", name.c_str(), head,
							 head + size, nodes);
		heads[head] = true;
		head += size;
	}
	return heads;
}

/* A node that is not a leaf has both children in its subtree or, at the bottom, subtrees as children. */
inline void check_subtree(const Layout &layout, const std::string &name, int head, const std::vector<bool> &heads)
{
	const int full = 1 << layout.depth, size = std::min(row_of(layout.nodes[head]), full);
	const long long children = layout.nodes[head].feature;
	for (int n = 1; n < size; n++) {
		check_node(layout, name, head + n);
		if (layout.nodes[head + n].feature == LEAF)
			continue;
		if (2 * n < full && 2 * n + 1 >= size)
			fail<InputError>("%s: the subtree at %d: node %d has no children", name.c_str(), head, n);
		for (int side = 0; 2 * n >= full && side < 2; side++) {
			const long long at = children + 2 * n - full + side;
			if (at < 0 || at >= static_cast<long long>(layout.children.size()))
				fail<InputError>("%s: the subtree at %d has its children at %lld; there are %zu", name.c_str(), head,
								 children, layout.children.size());
			const int child = layout.children[at];
			if (child < 0 && ~child < layout.leaves())
				continue;
			check_child(name, "the subtree at", head, child);
			if (child >= static_cast<long long>(heads.size()) || !heads[child])
				fail<InputError>("%s: the subtree at %d has the child %d, where none begins", name.c_str(), head,
								 child);
		}
	}
}

inline void check_subtrees(const Layout &layout, const std::string &name)
{
	const std::vector<bool> heads = heads_of(layout, name);
	for (size_t head = 0; head < heads.size(); head++)
		if (heads[head])
			check_subtree(layout, name, static_cast<int>(head), heads);
	for (size_t tree = 0; tree < layout.roots.size(); tree++)
		if (layout.roots[tree] < 0 || layout.roots[tree] >= static_cast<long long>(heads.size()) ||
			!heads[layout.roots[tree]])
			fail<InputError>("%s: tree %zu begins at %d, where no subtree does", name.c_str(), tree,
							 layout.roots[tree]);
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
	const int trees = words.number("trees", 1, 1 << 24), links = words.number("links", 0, INT32_MAX);
	const int children = words.number("children", 0, INT32_MAX), nodes = words.number("nodes", 1, INT32_MAX);
	const int leaves = words.number("leaves", 1, INT32_MAX);
	layout.roots = words.section<int>(trees);
	layout.links = words.section<int>(links);
	layout.children = words.section<int>(children);
	layout.nodes = words.section<Node>(nodes);
	layout.values = words.section<double>(static_cast<long long>(leaves) * layout.outputs);
	words.end();
	for (size_t i = 0; i < layout.values.size(); i++)
		if (!std::isfinite(layout.values[i]))
			fail<InputError>("%s: the values of leaf %zu are not finite numbers", name.c_str(), i / layout.outputs);
	if (layout.is_csr())
		check_csr(layout, name);
	else
		check_subtrees(layout, name);
	return layout;
}

#endif
