/* The same search as recursive C++, one query after the other. */
#include <cmath>

#include "../bench.h"
#include "../kdtree.h"

struct Query {
	const PointNode *nodes;
	const float *points;
	float x[DIM];
	int self;
	int nearest = -1;
	float best = INFINITY; /* squared */

	Query(const PointTree &tree, int self) : nodes(tree.nodes.data()), points(tree.points.data()), self(self) {
		for (int d = 0; d < DIM; d++)
			x[d] = points[self * DIM + d];
	}

	void search(int n) {
		float sum = 0.0f;
		for (int d = 0; d < DIM; d++) {
			const float diff = points[n * DIM + d] - x[d];
			sum += diff * diff;
		}
		if (sum < best && n != self) {
			best = sum;
			nearest = n;
		}
		const PointNode &node = nodes[n];
		const float diff = x[node.axis] - node.split;
		if (diff < 0.0f) {
			if (node.left >= 0)
				search(node.left);
			if (node.right >= 0 && diff * diff < best)
				search(node.right);
		} else {
			if (node.right >= 0)
				search(node.right);
			if (node.left >= 0 && diff * diff < best)
				search(node.left);
		}
	}
};

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
#pragma omp parallel for schedule(dynamic, 256)
	for (int i = 0; i < count; i++) {
		Query q(tree, queries[i]);
		q.search(0);
		nearest[i] = q.nearest;
		distance[i] = std::sqrt(q.best);
	}
}

static void results(Outputs &out) {
	save_answers(out, "distance", tree, queries, distance);
	save_points(out, "nearest", tree, queries, nearest);
}
