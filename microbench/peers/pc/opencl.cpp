#include "../bench.h"
#include "../kdtree.h"
#include "../opencl.h"

static Tree tree;
static std::vector<int> queries;
static opencl::Buffer<Node> nodes;
static opencl::Buffer<float> boxes, points;
static opencl::Buffer<int> query_points, found;
static opencl::Kernel correlate;

static void setup(const Inputs &in) {
	tree = one_point_leaves(in, DIM);
	queries = input_queries(in);
	nodes.assign(tree.nodes);
	boxes.assign(tree.boxes);
	points.assign(tree.points);
	query_points.assign(queries);
	found.resize(queries.size());
	correlate.create("correlate");
	correlate.arguments(nodes, boxes, points, query_points, static_cast<int>(queries.size()),
		static_cast<float>(in.number("radius")), found);
}

static void reset() {
}

static void run() {
	correlate.launch((queries.size() + 63) / 64 * 64, 64);
	opencl::finish();
}

static void results(Outputs &out) {
	save_answers(out, "found", tree, queries, found.to_host());
}
