/* The same walk in ISPC, with the queries of a task. */
#include "../bench.h"
#include "../kdtree.h"

extern "C" void correlate(const PointNode *nodes, const float *boxes, const float *points, const int *queries,
	int first, int end, float radius, int *found);

const int QUERIES = 256; /* of a task */

static PointTree tree;
static float radius;
static std::vector<int> queries, found;

static void setup(const Inputs &in) {
	tree = point_tree(in, DIM);
	radius = static_cast<float>(in.number("radius"));
	queries = input_queries(in);
	found.resize(queries.size());
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < count; i += QUERIES)
		correlate(tree.nodes.data(), tree.boxes.data(), tree.points.data(), queries.data(), i,
			std::min(i + QUERIES, count), radius, found.data());
}

static void results(Outputs &out) {
	save_answers(out, "found", tree, queries, found);
}
