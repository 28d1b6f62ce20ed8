/* The search in C++ on the host: what the kernels are measured against. */
#ifndef RTREE_SCALAR_H
#define RTREE_SCALAR_H

#include <cstdint>
#include <cstring>
#include <vector>

#include "tree.h"

/* Searches for one query. Edges that touch overlap. */
class ScalarSearch
{
public:
	ScalarSearch(const Tree &tree, const Box &query) : tree(tree), query(query)
	{
	}

	Answer recursive(int n = 0)
	{
		const Node &node = tree.nodes[n];
		if (node.leaf)
			take(node);
		else
			for_hits(node, [&](int child) { recursive(child); });
		return answer;
	}

	/* `stack` has room for all that may be pushed. */
	Answer iterative(int *stack)
	{
		int size = 0;
		stack[size++] = 0;
		while (size > 0) {
			const Node &node = tree.nodes[stack[--size]];
			if (node.leaf)
				take(node);
			else
				for_hits(node, [&](int child) { stack[size++] = child; });
		}
		return answer;
	}

private:
	const Tree tree;
	const Box query;
	Answer answer = {0, 0};

	bool overlaps(const float *box, int count, int e) const
	{
		return (box[e] <= query.x1) & (box[count + e] <= query.y1) & (box[2 * count + e] >= query.x0) &
			   (box[3 * count + e] >= query.y0);
	}

	/* Counts the records of a leaf, several at a time: no branches. */
	void take(const Node &node)
	{
		const float *box = tree.boxes + 4 * static_cast<size_t>(node.first);
		const int *row = tree.child + node.first;
		int count = 0;
		unsigned sum = 0;
		for (int e = 0; e < node.count; e++) {
			const bool hit = overlaps(box, node.count, e);
			count += hit;
			sum += hit ? row[e] : 0;
		}
		answer.count += count;
		answer.sum += sum;
	}

	/* Calls `visit` with the child of each entry that overlaps the query. Of many entries it tests 64 at a time,
	 * without branches, and then looks at eight results together. */
	template <class Visit> void for_hits(const Node &node, Visit visit) const
	{
		const float *box = tree.boxes + 4 * static_cast<size_t>(node.first);
		const int *child = tree.child + node.first;
		int e = 0;
		for (; e + 64 <= node.count; e += 64) {
			alignas(64) unsigned char hits[64];
			for (int i = 0; i < 64; i++)
				hits[i] = overlaps(box, node.count, e + i);
			for (int i = 0; i < 64; i += 8) {
				uint64_t word;
				std::memcpy(&word, hits + i, 8);
				for (; word; word &= word - 1)
					visit(child[e + i + __builtin_ctzll(word) / 8]);
			}
		}
		for (; e < node.count; e++)
			if (overlaps(box, node.count, e))
				visit(child[e]);
	}
};

#endif
