/* How a row finds its leaf in a tree: four ways, after Wu (2017), chapter 5. */
#ifndef FOREST_WALKS_H
#define FOREST_WALKS_H

#include "layout.h"

#ifdef OUTPUTS
#define OUTPUTS_OF(outputs) OUTPUTS /* with -DOUTPUTS=7, loops over the classes are unrolled */
#define SUMS OUTPUTS
#else
#define OUTPUTS_OF(outputs) (outputs)
#define SUMS MOST_OUTPUTS
#endif

/* A forest on the device; see Layout. */
struct Forest {
	const int *roots, *links, *children;
	const Subtree *subtrees;
	const Node *nodes;
	const double *values;
	int trees, bottom, outputs;
};

/* Rows of numbers, one after the other. Functions know a row by the place where it starts. */
struct Rows {
	const float *x;
	int count, columns;
};

/* Node after node, each found by way of two arrays: the baseline (5.3). */
struct CsrWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		int n = forest.roots[tree];
		for (;;) {
			const Node node = forest.nodes[n];
			if (node.feature < 0)
				return row_of(node);
			n = forest.children[forest.links[n] + !(rows.x[start + node.feature] <= node.value)];
		}
	}
};

/* Within a subtree a node's place tells those of its children (5.5.1). */
struct IterativeWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		int subtree = forest.roots[tree];
		for (;;) {
			const Subtree own = forest.subtrees[subtree];
			int n = 0;
			for (;;) {
				const Node node = forest.nodes[own.nodes + n];
				if (node.feature < 0)
					return row_of(node);
				const int right = !(rows.x[start + node.feature] <= node.value);
				if (n >= forest.bottom) {
					subtree = forest.children[own.children + 2 * (n - forest.bottom) + right];
					break;
				}
				n = 2 * n + 1 + right;
			}
		}
	}
};

/* A subtree of DEPTH levels as nested branches, which know every node's place when they are compiled (5.5.2). */
template <int DEPTH> struct EncodedWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		int subtree = forest.roots[tree];
		do {
			const Subtree own = forest.subtrees[subtree];
			subtree = below<0, 1>(forest, own, rows, start);
		} while (subtree >= 0);
		return ~subtree;
	}

private:
	/* Returns the next subtree, or the row of a leaf's values with all bits turned round. */
	template <int NODE, int LEVEL>
	static __device__ int below(const Forest &forest, Subtree own, const Rows &rows, int start)
	{
		const Node node = forest.nodes[own.nodes + NODE];
		if (node.feature < 0)
			return ~row_of(node);
		if (rows.x[start + node.feature] <= node.value) {
			if constexpr (LEVEL < DEPTH)
				return below<2 * NODE + 1, LEVEL + 1>(forest, own, rows, start);
			else
				return forest.children[own.children + 2 * (NODE + 1) - (1 << DEPTH)];
		} else {
			if constexpr (LEVEL < DEPTH)
				return below<2 * NODE + 2, LEVEL + 1>(forest, own, rows, start);
			else
				return forest.children[own.children + 2 * (NODE + 1) - (1 << DEPTH) + 1];
		}
	}
};

/* A warp asks all nodes of a subtree at once, a lane for each, and finds its way by shuffles (5.5.3). The array of
 * nodes goes on behind its last one by as many as a subtree can have. */
struct CollaborativeWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		const int lane = threadIdx.x % 32;
		int subtree = forest.roots[tree];
		for (;;) {
			const Subtree own = forest.subtrees[subtree];
			Node node = {LEAF, 0.0f};
			if (lane <= 2 * forest.bottom)
				node = forest.nodes[own.nodes + lane];
			int way = LEAF; /* or 0, left, or 1, right */
			if (node.feature >= 0)
				way = !(rows.x[start + node.feature] <= node.value);
			int n = 0, right;
			for (;;) {
				right = __shfl_sync(0xffffffffu, way, n);
				if (right < 0)
					return __shfl_sync(0xffffffffu, row_of(node), n);
				if (n >= forest.bottom)
					break;
				n = 2 * n + 1 + right;
			}
			subtree = forest.children[own.children + 2 * (n - forest.bottom) + right];
		}
	}
};

/* How threads share the work (5.6). Atomic: block row y of the grid has `group` trees, and adds to sums that others
 * add to as well; atomic-free: a thread, or a warp, has all trees. sums[k * rows.count + row]: of output k. */
template <bool ATOMIC> __device__ inline void put_sum(double *sum, double value)
{
	if (ATOMIC)
		atomicAdd(sum, value);
	else
		*sum = value;
}

/* A thread for each row. */
template <class Walk, bool ATOMIC> __global__ void ask(Forest forest, Rows rows, int group, double *sums)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows.count)
		return;
	const int first = ATOMIC ? blockIdx.y * group : 0;
	const int end = ATOMIC && first + group < forest.trees ? first + group : forest.trees;
	const int outputs = OUTPUTS_OF(forest.outputs);
	const int start = row * rows.columns;
	double sum[SUMS];
	for (int k = 0; k < outputs; k++)
		sum[k] = 0.0;
	for (int tree = first; tree < end; tree++) {
		const int leaf = Walk::leaf_values(forest, rows, start, tree);
		for (int k = 0; k < outputs; k++)
			sum[k] += forest.values[leaf * outputs + k];
	}
	for (int k = 0; k < outputs; k++)
		put_sum<ATOMIC>(&sums[k * rows.count + row], sum[k]);
}

/* A warp for each row; lane k has the sum of output k. */
template <bool ATOMIC> __global__ void ask_together(Forest forest, Rows rows, int group, double *sums)
{
	const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	if (row >= rows.count)
		return;
	const int first = ATOMIC ? blockIdx.y * group : 0;
	const int end = ATOMIC && first + group < forest.trees ? first + group : forest.trees;
	const int outputs = OUTPUTS_OF(forest.outputs);
	double sum = 0.0;
	for (int tree = first; tree < end; tree++) {
		const int leaf = CollaborativeWalk::leaf_values(forest, rows, row * rows.columns, tree);
		if (lane < outputs)
			sum += forest.values[leaf * outputs + lane];
	}
	if (lane < outputs)
		put_sum<ATOMIC>(&sums[lane * rows.count + row], sum);
}

/* What scikit-learn does with sums: means, of which the first greatest one is the answer. */
__host__ __device__ inline int greatest(const double *sums, size_t step, int outputs, int trees)
{
	int best = 0;
	double most = sums[0] / trees;
	for (int k = 1; k < outputs; k++) {
		const double mean = sums[k * step] / trees;
		if (mean > most) {
			most = mean;
			best = k;
		}
	}
	return best;
}

__global__ void decide(const double *sums, int rows, int outputs, int trees, int *classes)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row < rows)
		classes[row] = greatest(sums + row, rows, OUTPUTS_OF(outputs), trees);
}

__global__ void take_means(const double *sums, int rows, int trees, double *means)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row < rows)
		means[row] = sums[row] / trees;
}

#endif
