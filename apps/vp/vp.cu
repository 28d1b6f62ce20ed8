/* Finds the nearest neighbour of every point of a set: a recursive search of a vantage-point tree, one query a thread.
 *
 * Such a tree needs distances only, no coordinates (Yianilos, 1993). A node has a vantage point; those of its points
 * that are nearer to it are its inner child's, the farther ones its outer child's.
 *
 * -DDIM=5 makes a program for 5 dimensions only, with the loops over the coordinates unrolled.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/distance.h"
#include "../common/neighbours.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/queries.h"
#include "../common/random.h"

#define LEAF_POINTS 16

/* Nodes lie in preorder, the inner child of node n at n + 1, and the points in the same order: the vantage point of a
 * node is its first. */
typedef struct {
	int first;         /* its first point */
	int count;         /* points of a leaf; 0 in other nodes */
	int outer;         /* the outer child */
	float inner_end;   /* from the vantage point to the farthest point of the inner child */
	float outer_start; /* ... to the nearest point of the outer child */
} Node;

/* What one thread looks for and what it has found. */
typedef struct {
	float x[MAX_DIM];
	int self;    /* the point that the query is; it is not its own neighbour */
	int nearest; /* -1 before the first */
	float best;  /* distance to `nearest` */
} Query;

/* Compares the query with point p; returns the distance. */
__host__ __device__ float compare(const float *points, int dim, int p, Query *q)
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
__host__ __device__ void search(const Node *nodes, const float *points, int dim, int n, Query *q)
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
__host__ __device__ void find_around(const Node *nodes, const float *points, int dim, int self, int *nearest,
									 float *distance)
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

struct Tree {
	int dim;
	std::vector<Node> nodes;
	std::vector<float> points;  /* dim numbers a point, in the order of the nodes */
	std::vector<int> input_row; /* where each point stood in the input */
};

class TreeBuilder
{
public:
	TreeBuilder(const Points &input, uint64_t seed) : input(input), random(seed), distances(input.count)
	{
		tree.dim = input.dim;
		tree.input_row.resize(input.count);
		std::iota(tree.input_row.begin(), tree.input_row.end(), 0);
	}

	Tree build()
	{
		add_node(0, input.count);
		for (int row : tree.input_row)
			tree.points.insert(tree.points.end(), point(row), point(row) + tree.dim);
		return std::move(tree);
	}

private:
	const Points &input;
	Random random;
	std::vector<float> distances; /* of each row, from the vantage point of the node that is being added */
	Tree tree;

	const float *point(int row) const
	{
		return &input.x[static_cast<size_t>(row) * input.dim];
	}

	/* Adds the subtree of the points [first, end) and puts them in the order of its nodes. */
	void add_node(int first, int end)
	{
		const int node = static_cast<int>(tree.nodes.size());
		tree.nodes.push_back(Node{first, end - first, -1, 0.0f, 0.0f});
		if (end - first <= LEAF_POINTS)
			return;
		const auto rows = tree.input_row.begin();
		std::swap(rows[first], rows[first + random.next() % (end - first)]);
		for (int i = first + 1; i < end; i++)
			distances[rows[i]] = std::sqrt(point_distance(point(rows[i]), input.dim, point(rows[first])));
		const auto nearer = [&](int a, int b) { return distances[a] < distances[b]; };
		const int middle = first + 1 + (end - first) / 2;
		std::nth_element(rows + first + 1, rows + middle, rows + end, nearer);
		const float inner_end = distances[*std::max_element(rows + first + 1, rows + middle, nearer)];
		const float outer_start = distances[rows[middle]];
		add_node(first + 1, middle);
		const int outer = static_cast<int>(tree.nodes.size());
		add_node(middle, end);
		tree.nodes[node] = Node{first, 0, outer, inner_end, outer_start};
	}
};

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

static double find_on_host(const Tree &tree, const std::vector<int> &queries, int reps, std::vector<int> &nearest,
						   std::vector<float> &distance)
{
	nearest.resize(queries.size());
	distance.resize(queries.size());
	return least_host_ms(reps, [&] {
		for (size_t i = 0; i < queries.size(); i++)
			find_around(tree.nodes.data(), tree.points.data(), tree.dim, queries[i], &nearest[i], &distance[i]);
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
	const double ms = options.host ? find_on_host(tree, queries, options.reps, nearest, distance)
								   : find_on_device(tree, queries, options.reps, nearest, distance);
	print_ms(options, ms, queries.size());
	const Neighbours neighbours(1, tree.input_row, queries, nearest, distance);
	std::printf("mean distance: %.7g\n", neighbours.mean_distance());
	if (!options.out.empty())
		write_neighbours(options.out, neighbours);
	if (options.check)
		std::printf("check: PASS, %d answers compared with brute force\n", check_sample(points, neighbours));
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: vp [--input INPUT] [--order sorted|shuffled] [--seed S] [--reps R] [--host] [--check] [--out FILE]\n"
		"\n"
		"Finds the nearest other point of every point of a set, by recursive search of a vantage-point tree on the\n"
		"device.\n"
		"\n" +
		usage_of_options(usage_of_points("random:70000x2"), "records (neighbours, distances), one each");
	return run_program("vp", usage, find_all, argc, argv);
}
