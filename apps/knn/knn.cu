/* Finds the k nearest neighbours of every point of a set: a recursive search of a kd-tree, one query a thread.
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
#include "../common/kdtree.h"
#include "../common/neighbours.h"
#include "../common/on_host.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "../common/scalar_search.h"

#define MAX_K 32

/* What one thread looks for and what it has found. */
typedef struct {
	float x[MAX_DIM];
	int self;           /* the point that the query is; it is not its own neighbour */
	float worst;        /* squared distance of the last of the k neighbours; infinite before there are k */
	float best[MAX_K];  /* squared distances of the neighbours, the nearest first */
	int nearest[MAX_K]; /* the neighbours */
} Query;

/* Puts a point where it belongs among the neighbours, of which the last drops out. */
__device__ void insert(int point, float distance2, int k, Query *q)
{
	int i = k - 1;
	while (i > 0 && q->best[i - 1] > distance2) {
		q->best[i] = q->best[i - 1];
		q->nearest[i] = q->nearest[i - 1];
		i--;
	}
	q->best[i] = distance2;
	q->nearest[i] = point;
	q->worst = q->best[k - 1];
}

/* Compares the query with the points of a leaf: [first, end). */
__device__ void search_leaf(const float *points, int dim, int first, int end, int k, Query *q)
{
	for (int p = first; p < end; p++) {
		const float distance2 = point_distance(points + p * DIMENSIONS(dim), dim, q->x);
		if (distance2 < q->worst && p != q->self)
			insert(p, distance2, k, q);
	}
}

/* Searches the subtree of node n: the nearer child first, and none that is farther away than all k neighbours. */
__device__ void search(const Node *nodes, const float *boxes, const float *points, int dim, int n, int k, Query *q)
{
	const Node *node = &nodes[n];
	if (node->axis < 0) {
		search_leaf(points, dim, node->right, node->right + node->count, k, q);
		return;
	}
	const int left = n + 1, right = node->right;
	const float to_left = box_distance(boxes + left * 2 * DIMENSIONS(dim), dim, q->x);
	const float to_right = box_distance(boxes + right * 2 * DIMENSIONS(dim), dim, q->x);
#pragma s2s any_order
	if (to_left <= to_right) {
		if (to_left < q->worst)
			search(nodes, boxes, points, dim, left, k, q);
		if (to_right < q->worst)
			search(nodes, boxes, points, dim, right, k, q);
	} else {
		if (to_right < q->worst)
			search(nodes, boxes, points, dim, right, k, q);
		if (to_left < q->worst)
			search(nodes, boxes, points, dim, left, k, q);
	}
}

/* Writes the k neighbours of the tree's point `self`, and their distances. */
__device__ void find_around(const Node *nodes, const float *boxes, const float *points, int dim, int self, int k,
							int *nearest, float *distance)
{
	Query q;
	q.self = self;
	q.worst = INFINITY;
	for (int i = 0; i < k; i++) {
		q.best[i] = INFINITY;
		q.nearest[i] = -1;
	}
	for (int d = 0; d < DIMENSIONS(dim); d++)
		q.x[d] = points[self * DIMENSIONS(dim) + d];
	switch (dim) { /* constants, so that the loops over the coordinates unroll */
	case 2:
		search(nodes, boxes, points, 2, 0, k, &q);
		break;
	case 3:
		search(nodes, boxes, points, 3, 0, k, &q);
		break;
	case 7:
		search(nodes, boxes, points, 7, 0, k, &q);
		break;
	default:
		search(nodes, boxes, points, dim, 0, k, &q);
	}
	for (int i = 0; i < k; i++) {
		nearest[i] = q.nearest[i];
		distance[i] = sqrtf(q.best[i]);
	}
}

/* Query i is the point queries[i]; its answers are k elements of `nearest` and `distance`. */
__global__ void find_neighbours(const Node *nodes, const float *boxes, const float *points, int dim, const int *queries,
								int count, int k, int *nearest, float *distance)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count) {
		const size_t first = (size_t)i * k;
		find_around(nodes, boxes, points, dim, queries[i], k, nearest + first, distance + first);
	}
}

/* Answers all queries; returns the kernel's least time in milliseconds. */
static double find_on_device(const Tree &tree, const std::vector<int> &queries, int k, int reps,
							 std::vector<int> &nearest, std::vector<float> &distance)
{
	set_stack_bytes(16 << 10);
	const int count = static_cast<int>(queries.size()), block_threads = 128;
	const DeviceArray<Node> nodes(tree.nodes);
	const DeviceArray<float> boxes(tree.boxes), points(tree.points), distances(queries.size() * k);
	const DeviceArray<int> asked(queries), neighbours(queries.size() * k);
	const double ms = least_kernel_ms(reps, "find_neighbours", [&] {
		find_neighbours<<<blocks_of(block_threads, count), block_threads>>>(
			nodes.get(), boxes.get(), points.get(), tree.dim, asked.get(), count, k, neighbours.get(), distances.get());
	});
	neighbours.copy_to(nearest);
	distances.copy_to(distance);
	return ms;
}

static double find_on_host(const Tree &tree, const std::vector<int> &queries, int k, const Options &options,
						   std::vector<int> &nearest, std::vector<float> &distance)
{
	nearest.resize(queries.size() * k);
	distance.resize(queries.size() * k);
	return least_answering_ms(options, queries.size(), [&](size_t i) {
		ScalarSearch<NearestK<MAX_K>> search(tree, tree.dim, queries[i], NearestK<MAX_K>(k));
		options.iterative() ? search.iterative() : search.recursive();
		for (int j = 0; j < k; j++) {
			nearest[i * k + j] = search.found.points[j];
			distance[i * k + j] = std::sqrt(search.found.distances2[j]);
		}
	});
}

static int find_all(CommandLine &line)
{
	const Options options(line, "random:70000x2");
	const int k = static_cast<int>(line.whole_number("--k", 8, 1, MAX_K));
	line.end();
	const Points points = read_points(options.input, options.seed, {k + 1, "a search for k=" + std::to_string(k)});
	check_dimensions(points);
	const Tree tree = build_tree(points.x, points.dim);
	std::printf("tree: %d points of %d dimensions, %zu nodes, %d points a leaf\n", points.count, points.dim,
				tree.nodes.size(), LEAF_POINTS);

	const std::vector<int> queries = all_queries(tree.size(), options.shuffled, options.seed);
	std::vector<int> nearest;
	std::vector<float> distance;
	const double ms = options.on_host() ? find_on_host(tree, queries, k, options, nearest, distance)
										: find_on_device(tree, queries, k, options.reps, nearest, distance);
	print_ms(options, ms, queries.size());
	report(options, points, Neighbours(k, tree.input_row, queries, nearest, distance));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: knn [--input INPUT] [--k K] [--order sorted|shuffled] [--seed S] [--reps R]\n"
		"           [--host recursive|iterative] [--openmp] [--check] [--out FILE]\n"
		"\n"
		"Finds the k nearest other points of every point of a set, by recursive search of a kd-tree on the device.\n"
		"\n"
		"  --k K          1 to 32, and fewer than there are points (default: 8)\n" +
		usage_of_options(usage_of_points("random:70000x2"), "records (neighbours, distances)");
	return run_program("knn", usage, find_all, argc, argv);
}
