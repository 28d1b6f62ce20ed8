/* The input and the results of a simulation. */
#ifndef BH6_RESULT_H
#define BH6_RESULT_H

#include <algorithm>
#include <climits>
#include <cmath>
#include <vector>

#include "../bh/bodies.h"

/* How bodies pull and move. */
struct Physics {
	int steps;
	float dt, theta, softening;

	/* From how many edges of a cell it pulls as a whole, squared. */
	float per_theta2() const
	{
		return theta > 0.0f ? 1.0f / (theta * theta) : INFINITY;
	}
};

/* The six parts of a time step. */
enum Part { BOX, TREE, SUMS, SORT, FORCES, MOVE, PARTS };

inline const char *name_of(int part)
{
	static const char *const names[PARTS] = {"box", "tree", "sums", "sort", "forces", "move"};
	return names[part];
}

/* Milliseconds of each part. */
struct Times {
	double ms[PARTS] = {};

	double all() const
	{
		double sum = 0.0;
		for (double part : ms)
			sum += part;
		return sum;
	}
};

const int MAX_DEPTH = 32; /* of a cell; the root's is 0 */
const int NOTHING = -1;   /* in place of a child */

/* How many cells a tree of so many bodies may have. Clusters have about half as many cells as bodies; close pairs need
 * up to 32 each, and a few such shall do no harm. */
inline int most_cells(int bodies)
{
	return std::max(bodies, std::min(MAX_DEPTH * std::min(bodies, 1 << 16), 1 << 16));
}

/* Returns `bodies`; throws an InputError if the kernels cannot number the children of all nodes by int. */
inline int check_numbers(int bodies)
{
	if (8 * (bodies + 31LL + most_cells(bodies)) > INT_MAX)
		fail<InputError>("%d bodies are too many for the six kernels; at most 134 million are supported", bodies);
	return bodies;
}

/* What is wrong with bodies that no tree can hold. */
[[noreturn]] inline void fail_too_deep(int body, int other)
{
	fail<InputError>("rows %d and %d: bodies too near each other for a tree of %d levels", body < other ? body : other,
					 body < other ? other : body, MAX_DEPTH);
}

[[noreturn]] inline void fail_too_many_cells(int bodies)
{
	fail<InputError>("a tree of %d bodies has at most %d cells; here are too many close pairs", bodies,
					 most_cells(bodies));
}

/* A tree as it is checked. Nodes 0 to bodies - 1 are the bodies; cells have the numbers from first_cell on. */
struct Tree {
	int first_cell, root, cells = 0;
	std::vector<Vector> nodes; /* center of gravity; w: mass */
	std::vector<int> child;    /* of cells, 8 each; those that there are come first, then NOTHING */
	std::vector<int> count;    /* of cells: their bodies */
	std::vector<int> sorted;   /* bodies in the order of a walk */
	double edge;               /* of the root */
};

/* How many levels of cells the bodies lie below, all together. Children have smaller numbers than their cell. */
inline long long levels_of_bodies(const Tree &tree)
{
	std::vector<int> depth(tree.cells);
	long long levels = 0;
	for (int c = tree.cells - 1; c >= 0; c--)
		for (int k = 0; k < 8; k++) {
			const int child = tree.child[8 * static_cast<size_t>(c) + k];
			if (child >= tree.first_cell)
				depth[child - tree.first_cell] = depth[c] + 1;
			else if (child != NOTHING)
				levels += depth[c] + 1;
		}
	return levels;
}

/* What kernel 5 does: nodes that warps look at, and those of them that pull. */
struct Work {
	unsigned long long visits = 0, pulls = 0;
};

/* Where the bodies are after all steps, and what was found on the way. */
struct Result {
	Bodies bodies;
	std::vector<Vector> from;         /* where the last forces were found; w: mass */
	std::vector<Vector> acceleration; /* there */
	Tree tree;                        /* the last one; without cells if there is none */
	Times times;                      /* of a step, on average */
	Work work;                        /* of the last step, if it was counted */
	int cells = 0, depth = 0;         /* of the last tree */
};

#endif
