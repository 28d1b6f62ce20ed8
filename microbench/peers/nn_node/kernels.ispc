/* Nearest neighbours: a recursive search of a kd-tree, whose nodes all lanes visit together. With -DAS_WRITTEN nobody
 * says so. */
#include "../pointnode.h"

#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

/* What a lane looks for and what it has found. */
struct Query {
	float x[DIM];
	int self; /* the point that the query is; it is not its own neighbour */
	int nearest;
	float best; /* squared distance to `nearest` */
};

/* Searches the subtree of node n: first the side of the splitting plane on which the query lies, then the other side if
 * the plane is not farther away than the best so far. */
static void search(const uniform PointNode *uniform nodes, const uniform float *uniform points, SAME int n, Query &q) {
	float sum = 0.0f;
	for (uniform int d = 0; d < DIM; d++) {
		float diff = points[n * DIM + d] - q.x[d];
		sum += diff * diff;
	}
	if (sum < q.best && n != q.self) {
		q.best = sum;
		q.nearest = n;
	}
	float diff = q.x[nodes[n].axis] - nodes[n].split;
	SAME int left = nodes[n].left, right = nodes[n].right;
	if (diff < 0.0f) {
		if (left >= 0)
			search(nodes, points, left, q);
		if (right >= 0 && diff * diff < q.best)
			search(nodes, points, right, q);
	} else {
		if (right >= 0)
			search(nodes, points, right, q);
		if (left >= 0 && diff * diff < q.best)
			search(nodes, points, left, q);
	}
}

export void find_nearest(const uniform PointNode nodes[], const uniform float points[], const uniform int queries[],
                         uniform int first, uniform int end, uniform int nearest[], uniform float distance[]) {
	foreach (i = first ... end) {
		Query q;
		q.self = queries[i];
		q.nearest = -1;
		q.best = floatbits(0x7f800000); /* infinite */
		for (uniform int d = 0; d < DIM; d++)
			q.x[d] = points[q.self * DIM + d];
		search(nodes, points, 0, q);
		nearest[i] = q.nearest;
		distance[i] = sqrt(q.best);
	}
}
