/* Point correlation: how many points lie within a radius of each query; a recursive walk through a kd-tree with a
 * point in every node, one query a thread. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "../kdtree.h"

typedef struct {
	float x[DIM];
	int count; /* points found so far, the query itself among them */
} Query;

/* The squared distance from the query to the nearest place of a box; 0 inside. */
__device__ float box_distance(const float *box, const Query *q) {
	float sum = 0.0f;
	for (int d = 0; d < DIM; d++) {
		const float diff = q->x[d] - fminf(fmaxf(q->x[d], box[d]), box[DIM + d]);
		sum += diff * diff;
	}
	return sum;
}

__device__ float point_distance(const float *point, const Query *q) {
	float sum = 0.0f;
	for (int d = 0; d < DIM; d++) {
		const float diff = point[d] - q->x[d];
		sum += diff * diff;
	}
	return sum;
}

__device__ void count_near(
	const PointNode *nodes, const float *boxes, const float *points, int n, float radius2, Query *q) {
	if (box_distance(boxes + n * 2 * DIM, q) > radius2)
		return;
	if (point_distance(points + n * DIM, q) <= radius2)
		q->count++;
	const PointNode *node = &nodes[n];
	if (node->left >= 0)
		count_near(nodes, boxes, points, node->left, radius2, q);
	if (node->right >= 0)
		count_near(nodes, boxes, points, node->right, radius2, q);
}

__global__ void correlate(const PointNode *nodes, const float *boxes, const float *points, const int *queries,
	int count, float radius, int *found) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	Query q;
	for (int d = 0; d < DIM; d++)
		q.x[d] = points[queries[i] * DIM + d];
	q.count = 0;
	count_near(nodes, boxes, points, 0, radius * radius, &q);
	found[i] = q.count;
}

static PointTree tree;
static float radius;
static std::vector<int> queries;
static DeviceArray<PointNode> nodes;
static DeviceArray<float> boxes, points;
static DeviceArray<int> query_points, found;

static void setup(const Inputs &in) {
	tree = point_tree(in, DIM);
	radius = static_cast<float>(in.number("radius"));
	queries = input_queries(in);
	nodes.assign(tree.nodes);
	boxes.assign(tree.boxes);
	points.assign(tree.points);
	query_points.assign(queries);
	found.resize(queries.size());
	check(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10)); /* as deep as the tree */
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(queries.size()), threads = 128;
	correlate<<<(count + threads - 1) / threads, threads>>>(
		nodes.data(), boxes.data(), points.data(), query_points.data(), count, radius, found.data());
	check(cudaGetLastError());
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	save_answers(out, "found", tree, queries, found.to_host());
}
