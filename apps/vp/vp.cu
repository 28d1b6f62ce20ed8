/* Finds the nearest neighbour of every point of a set: a recursive search of a vantage-point tree, one query a thread.
 *
 * -DDIM=5 makes a program for 5 dimensions only, with the loops over the coordinates unrolled.
 */
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/distance.h"
#include "../common/neighbours.h"
#include "../common/on_host.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "scalar.h"
#include "tree.h"

/* What one thread looks for and what it has found. */
typedef struct {
	float x[MAX_DIM];
	int self;    /* the point that the query is; it is not its own neighbour */
	int nearest; /* -1 before the first */
	float best;  /* distance to `nearest` */
} Query;

/* Compares the query with point p; returns the distance. */
__device__ float compare(const float *points, int dim, int p, Query *q)
{
	const float distance = sqrtf(point_distance(points + p * DIMENSIONS(dim), dim, q->x));
	if (distance < q->best && p != q->self) {
		q->best = distance;
		q->nearest = p;
	}
	return distance;
}

/* Searches the subtree of node n: first the child on whose side the query is, and none that is certainly farther away
 * than the best so far.
 *
 * By the triangle inequality no point of the inner child is nearer than distance - inner_end. Both numbers are rounded,
 * by less than a relative 1e-6 with 16 coordinates, which may be more than the best distance is: hence `error`. */
__device__ void search(const Node *nodes, const float *points, int dim, int n, Query *q)
{
	const Node *node = &nodes[n];
	if (node->count > 0) {
		for (int p = node->first; p < node->first + node->count; p++)
			compare(points, dim, p, q);
		return;
	}
	const float distance = compare(points, dim, node->first, q);
	const float error = 1e-6f * (distance + node->outer_start);
	const float to_inner = distance - node->inner_end - error;
	const float to_outer = node->outer_start - distance - error;
#pragma s2s any_order
	if (to_inner <= to_outer) {
		if (to_inner < q->best)
			search(nodes, points, dim, n + 1, q);
		if (to_outer < q->best)
			search(nodes, points, dim, node->outer, q);
	} else {
		if (to_outer < q->best)
			search(nodes, points, dim, node->outer, q);
		if (to_inner < q->best)
			search(nodes, points, dim, n + 1, q);
	}
}

/* Writes the nearest neighbour of the tree's point `self`, and its distance. */
__device__ void find_around(const Node *nodes, const float *points, int dim, int self, int *nearest, float *distance)
{
	Query q;
	q.self = self;
	q.nearest = -1;
	q.best = INFINITY;
	for (int d = 0; d < DIMENSIONS(dim); d++)
		q.x[d] = points[self * DIMENSIONS(dim) + d];
	switch (dim) { /* constants, so that the loops over the coordinates unroll */
	case 2:
		search(nodes, points, 2, 0, &q);
		break;
	case 3:
		search(nodes, points, 3, 0, &q);
		break;
	case 7:
		search(nodes, points, 7, 0, &q);
		break;
	default:
		search(nodes, points, dim, 0, &q);
	}
	*nearest = q.nearest;
	*distance = q.best;
}

/* Query i is the point queries[i]; its answer goes to nearest[i] and distance[i]. */
__global__ void find_nearest(const Node *nodes, const float *points, int dim, const int *queries, int count,
							 int *nearest, float *distance)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		find_around(nodes, points, dim, queries[i], nearest + i, distance + i);
}

/* Answers all queries; returns the kernel's least time in milliseconds. */
static double find_on_device(const Tree &tree, const std::vector<int> &queries, int reps, std::vector<int> &nearest,
							 std::vector<float> &distance)
{
	set_stack_bytes(16 << 10);
	const int count = static_cast<int>(queries.size()), block_threads = 128;
	const DeviceArray<Node> nodes(tree.nodes);
	const DeviceArray<float> points(tree.points), distances(queries.size());
	const DeviceArray<int> asked(queries), neighbours(queries.size());
	const double ms = least_kernel_ms(reps, "find_nearest", [&] {
		find_nearest<<<blocks_of(block_threads, count), block_threads>>>(
			nodes.get(), points.get(), tree.dim, asked.get(), count, neighbours.get(), distances.get());
	});
	neighbours.copy_to(nearest);
	distances.copy_to(distance);
	return ms;
}

static double find_on_host(const Tree &tree, const std::vector<int> &queries, const Options &options,
						   std::vector<int> &nearest, std::vector<float> &distance)
{
	nearest.resize(queries.size());
	distance.resize(queries.size());
	return least_answering_ms(options, queries.size(), [&](size_t i) {
		ScalarSearch search(tree, tree.dim, queries[i]);
		options.iterative() ? search.iterative() : search.recursive();
		nearest[i] = search.nearest;
		distance[i] = search.best;
	});
}

static int find_all(CommandLine &line)
{
	const Options options(line, "random:70000x2");
	line.end();
	const Points points = read_points(options.input, options.seed, {2, "a nearest neighbour"});
	check_dimensions(points);
	const Tree tree = TreeBuilder(points, options.seed).build();
	std::printf("tree: %d points of %d dimensions, %zu nodes, at most %d points a leaf\n", points.count, points.dim,
				tree.nodes.size(), LEAF_POINTS);

	const std::vector<int> queries = all_queries(points.count, options.shuffled, options.seed);
	std::vector<int> nearest;
	std::vector<float> distance;
	const double ms = options.on_host() ? find_on_host(tree, queries, options, nearest, distance)
										: find_on_device(tree, queries, options.reps, nearest, distance);
	print_ms(options, ms, queries.size());
	report(options, points, Neighbours(1, tree.input_row, queries, nearest, distance));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: vp [--input INPUT] [--order sorted|shuffled] [--seed S] [--reps R]\n"
		"          [--host recursive|iterative] [--openmp] [--check] [--out FILE]\n"
		"\n"
		"Finds the nearest other point of every point of a set, by recursive search of a vantage-point tree on the\n"
		"device.\n"
		"\n" +
		usage_of_options(usage_of_points("random:70000x2"), "records (neighbours, distances), one each");
	return run_program("vp", usage, find_all, argc, argv);
}
