/* Finds the nearest neighbour of every point of a set: a recursive search of a kd-tree, one query a thread.
 *
 * -DDIM=5 makes a program for 5 dimensions only, with the loops over the coordinates unrolled.
 * -DNN_LIBRARY leaves out main(), for other programs that use KernelSearch.
 */
#include <cmath>
#include <string>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/distance.h"
#include "../common/tree.h"
#include "kernel_search.h"

/* What one thread looks for and what it has found. */
typedef struct {
	float x[MAX_DIM];
	int self;    /* the point that the query is; it is not its own neighbour */
	int nearest; /* -1 before the first */
	float best;  /* squared distance to `nearest` */
} Query;

/* Compares the query with the points of a leaf: [first, end). */
__device__ void search_leaf(const float *points, int dim, int first, int end, Query *q)
{
	for (int p = first; p < end; p++) {
		const float sum = point_distance(points + p * DIMENSIONS(dim), dim, q->x);
		if (sum < q->best && p != q->self) {
			q->best = sum;
			q->nearest = p;
		}
	}
}

/* Searches the subtree of node n: the nearer child first, and none that is farther away than the best so far. */
__device__ void search(const Node *nodes, const float *boxes, const float *points, int dim, int n, Query *q)
{
	const Node *node = &nodes[n];
	if (node->axis < 0) {
		search_leaf(points, dim, node->right, node->right + node->count, q);
		return;
	}
	const int left = n + 1, right = node->right;
	const float to_left = box_distance(boxes + left * 2 * DIMENSIONS(dim), dim, q->x);
	const float to_right = box_distance(boxes + right * 2 * DIMENSIONS(dim), dim, q->x);
#pragma s2s any_order
	if (to_left <= to_right) {
		if (to_left < q->best)
			search(nodes, boxes, points, dim, left, q);
		if (to_right < q->best)
			search(nodes, boxes, points, dim, right, q);
	} else {
		if (to_right < q->best)
			search(nodes, boxes, points, dim, right, q);
		if (to_left < q->best)
			search(nodes, boxes, points, dim, left, q);
	}
}

/* Query i is the point queries[i]; its answer goes to nearest[i] and distance[i]. */
__global__ void find_nearest(const Node *nodes, const float *boxes, const float *points, int dim, const int *queries,
							 int count, int *nearest, float *distance)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	Query q;
	q.self = queries[i];
	q.nearest = -1;
	q.best = INFINITY;
	for (int d = 0; d < DIMENSIONS(dim); d++)
		q.x[d] = points[q.self * DIMENSIONS(dim) + d];
	switch (dim) { /* constants, so that the loops over the coordinates unroll */
	case 2:
		search(nodes, boxes, points, 2, 0, &q);
		break;
	case 3:
		search(nodes, boxes, points, 3, 0, &q);
		break;
	case 7:
		search(nodes, boxes, points, 7, 0, &q);
		break;
	default:
		search(nodes, boxes, points, dim, 0, &q);
	}
	nearest[i] = q.nearest;
	distance[i] = sqrtf(q.best);
}

struct KernelSearch::Memory {
	int dim, count;
	DeviceArray<Node> nodes;
	DeviceArray<float> boxes, points;
	DeviceArray<int> queries, nearest;
	DeviceArray<float> distance;
	Event start, stop;

	Memory(const Tree &tree, const std::vector<int> &queries)
		: dim(tree.dim), count(static_cast<int>(queries.size())), nodes(tree.nodes), boxes(tree.boxes),
		  points(tree.points), queries(queries), nearest(queries.size()), distance(queries.size())
	{
	}
};

KernelSearch::KernelSearch(const Tree &tree, const std::vector<int> &queries)
{
	set_stack_bytes(16 << 10);
	memory.reset(new Memory(tree, queries));
}

KernelSearch::~KernelSearch() = default;

float KernelSearch::run()
{
	const int block_threads = 128;
	const int blocks = blocks_of(block_threads, memory->count);
	memory->start.record();
	find_nearest<<<blocks, block_threads>>>(memory->nodes.get(), memory->boxes.get(), memory->points.get(), memory->dim,
											memory->queries.get(), memory->count, memory->nearest.get(),
											memory->distance.get());
	check(cudaGetLastError(), "launching find_nearest");
	memory->stop.record();
	return memory->stop.since(memory->start, "find_nearest");
}

void KernelSearch::results(std::vector<int> &nearest, std::vector<float> &distance) const
{
	memory->nearest.copy_to(nearest);
	memory->distance.copy_to(distance);
}

#ifndef NN_LIBRARY
#include "program.h"

int main(int argc, char **argv)
{
	return run_program("nn", USAGE, search_all, argc, argv);
}
#endif
