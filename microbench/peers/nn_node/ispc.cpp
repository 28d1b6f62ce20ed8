/* The same search in ISPC, with the queries of a task. */
#include "../bench.h"
#include "../kdtree.h"

extern "C" void find_nearest(
	const PointNode *nodes, const float *points, const int *queries, int first, int end, int *nearest, float *distance);

const int QUERIES = 256; /* of a task */

static PointTree tree;
static std::vector<int> queries, nearest;
static std::vector<float> distance;

static void setup(const Inputs &in) {
	tree = point_tree(in, DIM);
	queries = input_queries(in);
	nearest.resize(queries.size());
	distance.resize(queries.size());
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(queries.size());
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < count; i += QUERIES)
		find_nearest(tree.nodes.data(), tree.points.data(), queries.data(), i, std::min(i + QUERIES, count),
			nearest.data(), distance.data());
}

static void results(Outputs &out) {
	save_answers(out, "distance", tree, queries, distance);
	save_points(out, "nearest", tree, queries, nearest);
}
