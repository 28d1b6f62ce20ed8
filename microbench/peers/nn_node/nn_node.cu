/* Nearest neighbours: a recursive search of a kd-tree with a point in every node, one query a thread. */
#include <cmath>

#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "../kdtree.h"

/* What one thread looks for and what it has found. */
typedef struct {
	float x[DIM];
	int self; /* the point that the query is; it is not its own neighbour */
	int nearest;
	float best; /* squared distance to `nearest` */
} Query;

/* Searches the subtree of node n: first the side of the splitting plane on which the query lies, then the other side if
 * the plane is not farther away than the best so far. */
__device__ void search(const PointNode *nodes, const float *points, int n, Query *q) {
	float sum = 0.0f;
	for (int d = 0; d < DIM; d++) {
		const float diff = points[n * DIM + d] - q->x[d];
		sum += diff * diff;
	}
	if (sum < q->best && n != q->self) {
		q->best = sum;
		q->nearest = n;
	}
	const PointNode *node = &nodes[n];
	const float diff = q->x[node->axis] - node->split;
	if (diff < 0.0f) {
		if (node->left >= 0)
			search(nodes, points, node->left, q);
		if (node->right >= 0 && diff * diff < q->best)
			search(nodes, points, node->right, q);
	} else {
		if (node->right >= 0)
			search(nodes, points, node->right, q);
		if (node->left >= 0 && diff * diff < q->best)
			search(nodes, points, node->left, q);
	}
}

__global__ void find_nearest(
	const PointNode *nodes, const float *points, const int *queries, int count, int *nearest, float *distance) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	Query q;
	q.self = queries[i];
	q.nearest = -1;
	q.best = INFINITY;
	for (int d = 0; d < DIM; d++)
		q.x[d] = points[q.self * DIM + d];
	search(nodes, points, 0, &q);
	nearest[i] = q.nearest;
	distance[i] = sqrtf(q.best);
}

static PointTree tree;
static std::vector<int> queries;
static DeviceArray<PointNode> nodes;
static DeviceArray<float> points, distance;
static DeviceArray<int> query_points, nearest;

static void setup(const Inputs &in) {
	tree = point_tree(in, DIM);
	queries = input_queries(in);
	nodes.assign(tree.nodes);
	points.assign(tree.points);
	query_points.assign(queries);
	nearest.resize(queries.size());
	distance.resize(queries.size());
	check(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10)); /* as deep as the tree */
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(queries.size()), threads = 128;
	find_nearest<<<(count + threads - 1) / threads, threads>>>(
		nodes.data(), points.data(), query_points.data(), count, nearest.data(), distance.data());
	check(cudaGetLastError());
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	save_answers(out, "distance", tree, queries, distance.to_host());
	save_points(out, "nearest", tree, queries, nearest.to_host());
}
