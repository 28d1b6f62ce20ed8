#include "../bench.h"
#include "../kdtree.h"
#include "../opencl.h"

static Tree tree;
static std::vector<int> queries;
static opencl::Buffer<Node> nodes;
static opencl::Buffer<float> points, distance;
static opencl::Buffer<int> query_points, nearest;
static opencl::Kernel find_nearest;

static void setup(const Inputs &in) {
	tree = one_point_leaves(in, DIM);
	queries = input_queries(in);
	nodes.assign(tree.nodes);
	points.assign(tree.points);
	query_points.assign(queries);
	nearest.resize(queries.size());
	distance.resize(queries.size());
	find_nearest.create("find_nearest");
	find_nearest.arguments(nodes, points, query_points, static_cast<int>(queries.size()), nearest, distance);
}

static void reset() {
}

static void run() {
	find_nearest.launch((queries.size() + 63) / 64 * 64, 64);
	opencl::finish();
}

static void results(Outputs &out) {
	save_answers(out, "distance", tree, queries, distance.to_host());
	save_points(out, "nearest", tree, queries, nearest.to_host());
}
