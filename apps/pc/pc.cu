/* Point correlation: how many points of a set lie within a radius of each of them; a recursive walk through a kd-tree
 * with a box for each node, one query a thread.
 *
 * -DDIM=5 makes a program for 5 dimensions only, with the loops over the coordinates unrolled.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/distance.h"
#include "../common/kdtree.h"
#include "../common/npy.h"
#include "../common/on_host.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "scalar.h"

/* What one thread looks for and what it has found. */
typedef struct {
	float x[MAX_DIM];
	float radius2; /* the radius, squared */
	int count;     /* points found so far, the query itself among them */
} Query;

/* Counts the points of the subtree of node n that lie within the radius. */
__device__ void count_near(const Node *nodes, const float *boxes, const float *points, int dim, int n, Query *q)
{
	if (box_distance(boxes + n * 2 * DIMENSIONS(dim), dim, q->x) > q->radius2)
		return;
	const Node *node = &nodes[n];
	if (node->axis < 0) {
		for (int p = node->right; p < node->right + node->count; p++)
			if (point_distance(points + p * DIMENSIONS(dim), dim, q->x) <= q->radius2)
				q->count++;
		return;
	}
	count_near(nodes, boxes, points, dim, n + 1, q);
	count_near(nodes, boxes, points, dim, node->right, q);
}

/* Returns how many points lie within the radius of the tree's point `self`. */
__device__ int count_around(const Node *nodes, const float *boxes, const float *points, int dim, int self, float radius)
{
	Query q;
	q.radius2 = radius * radius;
	q.count = 0;
	for (int d = 0; d < DIMENSIONS(dim); d++)
		q.x[d] = points[self * DIMENSIONS(dim) + d];
	switch (dim) { /* constants, so that the loops over the coordinates unroll */
	case 2:
		count_near(nodes, boxes, points, 2, 0, &q);
		break;
	case 3:
		count_near(nodes, boxes, points, 3, 0, &q);
		break;
	case 7:
		count_near(nodes, boxes, points, 7, 0, &q);
		break;
	default:
		count_near(nodes, boxes, points, dim, 0, &q);
	}
	return q.count;
}

/* Query i is the point queries[i]; its answer goes to found[i]. */
__global__ void correlate(const Node *nodes, const float *boxes, const float *points, int dim, const int *queries,
						  int count, float radius, int *found)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		found[i] = count_around(nodes, boxes, points, dim, queries[i], radius);
}

/* Answers all queries; returns the kernel's least time in milliseconds. */
static double count_on_device(const Tree &tree, const std::vector<int> &queries, float radius, int reps,
							  std::vector<int> &found)
{
	set_stack_bytes(16 << 10);
	const int count = static_cast<int>(queries.size()), block_threads = 128;
	const DeviceArray<Node> nodes(tree.nodes);
	const DeviceArray<float> boxes(tree.boxes), points(tree.points);
	const DeviceArray<int> asked(queries), answers(queries.size());
	const double ms = least_kernel_ms(reps, "correlate", [&] {
		correlate<<<blocks_of(block_threads, count), block_threads>>>(nodes.get(), boxes.get(), points.get(), tree.dim,
																	  asked.get(), count, radius, answers.get());
	});
	answers.copy_to(found);
	return ms;
}

static double count_on_host(const Tree &tree, const std::vector<int> &queries, float radius, const Options &options,
							std::vector<int> &found)
{
	found.resize(queries.size());
	return least_answering_ms(options, queries.size(), [&](size_t i) {
		const ScalarCount count(tree, tree.dim, queries[i], radius);
		found[i] = options.iterative() ? count.iterative() : count.recursive();
	});
}

/* Compares a sample with the distances to all points. A point whose distance is the radius but for what float rounds
 * may count or not: squares and sums of `dim` coordinates are off by (dim + 4) * 2^-24 of their value at most. */
static int check_counts(const Points &points, float radius, const std::vector<int> &found)
{
	const double most = 1e9 / (static_cast<double>(points.count) * points.dim), error = (points.dim + 4) * 0x1p-24;
	const double radius2 = static_cast<double>(radius) * radius;
	const std::vector<int> rows = spread_sample(points.count, static_cast<int>(std::clamp(most, 16.0, 2000.0)));
	for (int row : rows) {
		int surely = 0, perhaps = 0;
		for (int other = 0; other < points.count; other++) {
			const double distance2 = squared_distance(points, row, other);
			surely += distance2 <= radius2 * (1 - error);
			perhaps += distance2 <= radius2 * (1 + error);
		}
		if (found[row] < surely || found[row] > perhaps)
			fail<WrongAnswer>("point %d: %d points are said to be near, but %d are", row, found[row], surely);
	}
	return static_cast<int>(rows.size());
}

static int correlate_all(CommandLine &line)
{
	const Options options(line, "random:70000x2");
	const float radius = line.number("--radius", 0.02f, 0.0f, 1e18f);
	line.end();
	const Points points = read_points(options.input, options.seed, {1, "point correlation"});
	check_dimensions(points);
	const Tree tree = build_tree(points.x, points.dim);
	std::printf("tree: %d points of %d dimensions, %zu nodes, %d points a leaf\n", points.count, points.dim,
				tree.nodes.size(), LEAF_POINTS);

	const std::vector<int> queries = all_queries(tree.size(), options.shuffled, options.seed);
	std::vector<int> found;
	const double ms = options.on_host() ? count_on_host(tree, queries, radius, options, found)
										: count_on_device(tree, queries, radius, options.reps, found);
	print_ms(options, ms, queries.size());
	found = in_input_order(tree.input_row, queries, found);
	long long pairs = 0;
	for (int near : found)
		pairs += near;
	std::printf("pairs within %g: %lld\n", radius, pairs);
	if (!options.out.empty())
		write_npy(options.out, "'<i4'", "(" + std::to_string(found.size()) + ",)", found.data(),
				  found.size() * sizeof(int));
	if (options.check)
		std::printf("check: PASS, %d answers compared with brute force\n", check_counts(points, radius, found));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: pc [--input INPUT] [--radius R] [--order sorted|shuffled] [--seed S] [--reps R]\n"
		"          [--host recursive|iterative] [--openmp] [--check] [--out FILE]\n"
		"\n"
		"Counts the points within a radius of every point of a set, by recursive search of a kd-tree on the device.\n"
		"A point is within the radius of itself.\n"
		"\n"
		"  --radius R     0 to 1e18 (default: 0.02)\n" +
		usage_of_options(usage_of_points("random:70000x2"), "the counts, int32");
	return run_program("pc", usage, correlate_all, argc, argv);
}
