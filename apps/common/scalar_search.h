/* The search for nearest neighbours in scalar C++ on the host, one query after the other: what kernels are measured
 * against. */
#ifndef COMMON_SCALAR_SEARCH_H
#define COMMON_SCALAR_SEARCH_H

#include <cmath>

#include "distance.h"
#include "kdtree.h"

/* The nearest point so far. */
class Nearest
{
public:
	int point = -1;
	float worst = INFINITY; /* nearer points are offered; a squared distance, as all here */

	void offer(int nearer, float distance2)
	{
		point = nearer;
		worst = distance2;
	}
};

/* The k nearest points so far, the nearest first. */
template <int MOST> class NearestK
{
public:
	int points[MOST];
	float distances2[MOST];
	float worst = INFINITY;

	explicit NearestK(int k) : k(k)
	{
		for (int i = 0; i < k; i++) {
			points[i] = -1;
			distances2[i] = INFINITY;
		}
	}

	void offer(int nearer, float distance2)
	{
		int i = k - 1;
		for (; i > 0 && distances2[i - 1] > distance2; i--) {
			distances2[i] = distances2[i - 1];
			points[i] = points[i - 1];
		}
		distances2[i] = distance2;
		points[i] = nearer;
		worst = distances2[k - 1];
	}

private:
	const int k;
};

/* Searches a tree of `dim` dimensions around its point `self`: the nearer child first, and none that is farther away
 * than the worst of `found`. */
template <class Found> class ScalarSearch
{
public:
	Found found;

	ScalarSearch(const Tree &tree, int dim, int self, const Found &empty = Found())
		: found(empty), nodes(tree.nodes.data()), boxes(tree.boxes.data()), points(tree.points.data()), dim(dim),
		  self(self)
	{
		for (int d = 0; d < DIMENSIONS(dim); d++)
			x[d] = points[self * DIMENSIONS(dim) + d];
	}

	void recursive(int n = 0)
	{
		const Node &node = nodes[n];
		if (node.axis < 0)
			return search_leaf(node);
		const int left = n + 1, right = node.right;
		const float to_left = to_box(left), to_right = to_box(right);
		if (to_left <= to_right) {
			if (to_left < found.worst)
				recursive(left);
			if (to_right < found.worst)
				recursive(right);
		} else {
			if (to_right < found.worst)
				recursive(right);
			if (to_left < found.worst)
				recursive(left);
		}
	}

	void iterative()
	{
		struct {
			int node;
			float distance2;
		} stack[DEEPEST];
		int size = 0, n = 0;
		for (;;) {
			bool nearer = true; /* than the worst */
			while (nearer && nodes[n].axis >= 0) {
				const int left = n + 1, right = nodes[n].right;
				const float to_left = to_box(left), to_right = to_box(right);
				const bool left_first = to_left <= to_right;
				stack[size++] = {left_first ? right : left, left_first ? to_right : to_left};
				n = left_first ? left : right;
				nearer = (left_first ? to_left : to_right) < found.worst;
			}
			if (nearer)
				search_leaf(nodes[n]);
			do {
				if (size == 0)
					return;
				size--;
			} while (!(stack[size].distance2 < found.worst));
			n = stack[size].node;
		}
	}

private:
	const Node *const nodes;
	const float *const boxes, *const points;
	const int dim, self;
	float x[MAX_DIM];

	float to_box(int n) const
	{
		return box_distance(boxes + n * 2 * DIMENSIONS(dim), dim, x);
	}

	void search_leaf(const Node &leaf)
	{
		for (int p = leaf.right; p < leaf.right + leaf.count; p++) {
			const float distance2 = point_distance(points + p * DIMENSIONS(dim), dim, x);
			if (distance2 < found.worst && p != self)
				found.offer(p, distance2);
		}
	}
};

#endif
