/* Point correlation: how many points lie within a radius of some queries; a recursive walk through a kd-tree, which all
 * lanes take together. With -DAS_WRITTEN nothing says so. */
#include "../pointnode.h"

#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

struct Query {
	float x[DIM];
	int count; /* points found so far, the query itself among them */
};

/* The squared distance from the query to the nearest place of a box; 0 inside. */
static inline float box_distance(const uniform float *SAME box, const Query &q) {
	float sum = 0.0f;
	for (uniform int d = 0; d < DIM; d++) {
		float diff = q.x[d] - min(max(q.x[d], box[d]), box[DIM + d]);
		sum += diff * diff;
	}
	return sum;
}

static inline float point_distance(const uniform float *SAME point, const Query &q) {
	float sum = 0.0f;
	for (uniform int d = 0; d < DIM; d++) {
		float diff = point[d] - q.x[d];
		sum += diff * diff;
	}
	return sum;
}

static void count_near(const uniform PointNode *uniform nodes, const uniform float *uniform boxes,
                       const uniform float *uniform points, SAME int n, uniform float radius2, Query &q) {
	if (box_distance(boxes + n * 2 * DIM, q) > radius2)
		return;
	if (point_distance(points + n * DIM, q) <= radius2)
		q.count++;
	SAME int left = nodes[n].left, right = nodes[n].right;
	if (left >= 0)
		count_near(nodes, boxes, points, left, radius2, q);
	if (right >= 0)
		count_near(nodes, boxes, points, right, radius2, q);
}

export void correlate(const uniform PointNode nodes[], const uniform float boxes[], const uniform float points[],
                      const uniform int queries[], uniform int first, uniform int end, uniform float radius,
                      uniform int found[]) {
	foreach (i = first ... end) {
		Query q;
		for (uniform int d = 0; d < DIM; d++)
			q.x[d] = points[queries[i] * DIM + d];
		q.count = 0;
		count_near(nodes, boxes, points, 0, radius * radius, q);
		found[i] = q.count;
	}
}
