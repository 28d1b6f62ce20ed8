/* The same walk as recursive C++, one query after the other. */
#include <algorithm>

#include "../bench.h"
#include "../kdtree.h"

struct Query {
	const PointNode *nodes;
	const float *boxes, *points;
	float x[DIM];
	float radius2;
	int count = 0;

	Query(const PointTree &tree, int point, float radius)
		: nodes(tree.nodes.data()), boxes(tree.boxes.data()), points(tree.points.data()), radius2(radius * radius) {
		for (int d = 0; d < DIM; d++)
			x[d] = points[point * DIM + d];
	}

	/* Clamping so compiles to minimum and maximum instructions. */
	float box_distance(const float *box) const {
		float sum = 0.0f;
		for (int d = 0; d < DIM; d++) {
			const float diff = x[d] - std::min(std::max(x[d], box[d]), box[DIM + d]);
			sum += diff * diff;
		}
		return sum;
	}

	float point_distance(const float *point) const {
		float sum = 0.0f;
		for (int d = 0; d < DIM; d++) {
			const float diff = point[d] - x[d];
			sum += diff * diff;
		}
		return sum;
	}

	void count_near(int n) {
		if (box_distance(boxes + n * 2 * DIM) > radius2)
			return;
		count += point_distance(points + n * DIM) <= radius2;
		const PointNode &node = nodes[n];
		if (node.left >= 0)
			count_near(node.left);
		if (node.right >= 0)
			count_near(node.right);
	}
};

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
#pragma omp parallel for schedule(dynamic, 256)
	for (int i = 0; i < count; i++) {
		Query q(tree, queries[i], radius);
		q.count_near(0);
		found[i] = q.count;
	}
}

static void results(Outputs &out) {
	save_answers(out, "found", tree, queries, found);
}
