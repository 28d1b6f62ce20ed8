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
	const Node *nodes;
	const double *values;
	int trees, depth, outputs;
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

/* Within a subtree a node's place gives those of its children (5.5.1). */
struct IterativeWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		int head = forest.roots[tree];
		for (;;) {
			const int children = forest.nodes[head].feature;
			int n = 1;
			for (int level = 0; level < forest.depth; level++) {
				const Node node = forest.nodes[head + n];
				if (node.feature < 0)
					return row_of(node);
				n = 2 * n + !(rows.x[start + node.feature] <= node.value);
			}
			head = forest.children[children + n - (1 << forest.depth)];
			if (head < 0)
				return ~head;
		}
	}
};

/* A subtree of DEPTH levels as nested branches, which know every node's place when they are compiled (5.5.2). */
template <int DEPTH> struct EncodedWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		int head = forest.roots[tree];
		do {
			head = below<1>(forest, head, rows, start);
		} while (head >= 0);
		return ~head;
	}

private:
	/* Returns the next subtree, or the row of a leaf's values with all bits inverted. */
	template <int N> static __device__ int below(const Forest &forest, int head, const Rows &rows, int start)
	{
		if constexpr (N >= 1 << DEPTH)
			return forest.children[forest.nodes[head].feature + N - (1 << DEPTH)];
		else {
			const Node node = forest.nodes[head + N];
			if (node.feature < 0)
				return ~row_of(node);
			if (rows.x[start + node.feature] <= node.value)
				return below<2 * N>(forest, head, rows, start);
			return below<2 * N + 1>(forest, head, rows, start);
		}
	}
};

/* A warp asks all nodes of a subtree at once, a lane for each, and finds its way by shuffles (5.5.3). The array of
 * nodes continues after its last one by as many as a subtree can have. */
struct CollaborativeWalk {
	static __device__ int leaf_values(const Forest &forest, const Rows &rows, int start, int tree)
	{
		const int lane = threadIdx.x % 32;
		int head = forest.roots[tree];
		for (;;) {
			Node node = {LEAF, 0.0f};
			if (lane < 1 << forest.depth)
				node = forest.nodes[head + lane];
			int way = LEAF; /* or 0, left, or 1, right */
			/* Behind the nodes of a small subtree lie those of others: what is no column of the rows is not theirs. */
			if (lane > 0 && node.feature >= 0 && node.feature < rows.columns)
				way = !(rows.x[start + node.feature] <= node.value);
			int n = 1;
			for (int level = 0; level < forest.depth; level++) {
				const int right = __shfl_sync(0xffffffffu, way, n);
				if (right < 0)
					return __shfl_sync(0xffffffffu, row_of(node), n);
				n = 2 * n + right;
			}
			head = forest.children[__shfl_sync(0xffffffffu, node.feature, 0) + n - (1 << forest.depth)];
			if (head < 0)
				return ~head;
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
