/* The forces between bodies by Barnes and Hut: a recursive walk through an octree, one body a thread. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "octree.h"

typedef struct {
	float x, y, z;
	float ax, ay, az; /* the acceleration so far */
} Body;

/* Adds what cell n does to the body: as a whole from far away, else by its octants. */
__device__ void attract(const Cell *cells, int n, float softening2, Body *body) {
	const Cell *cell = &cells[n];
	const float dx = cell->x - body->x, dy = cell->y - body->y, dz = cell->z - body->z;
	const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
	if (distance2 > cell->opening2) {
		const float inverse = rsqrtf(distance2);
		const float pull = cell->mass * inverse * inverse * inverse;
		body->ax += pull * dx;
		body->ay += pull * dy;
		body->az += pull * dz;
		return;
	}
	for (int i = 0; i < 8; i++)
		if (cell->child[i] >= 0)
			attract(cells, cell->child[i], softening2, body);
}

__global__ void accelerations(const Cell *cells, const float *x, const float *y, const float *z, const int *order,
	int count, float softening2, float *ax, float *ay, float *az) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	Body body;
	body.x = x[order[i]];
	body.y = y[order[i]];
	body.z = z[order[i]];
	body.ax = body.ay = body.az = 0.0f;
	attract(cells, 0, softening2, &body);
	ax[i] = body.ax;
	ay[i] = body.ay;
	az[i] = body.az;
}

static Octree tree;
static std::vector<int> order;
static DeviceArray<Cell> cells;
static DeviceArray<float> x, y, z, ax, ay, az;
static DeviceArray<int> bodies;

static void setup(const Inputs &in) {
	tree = OctreeBuilder(in).build();
	order = input_order(in);
	cells.assign(tree.cells);
	x.assign(tree.x);
	y.assign(tree.y);
	z.assign(tree.z);
	bodies.assign(order);
	ax.resize(order.size());
	ay.resize(order.size());
	az.resize(order.size());
	check(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10)); /* as deep as the tree */
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(order.size()), threads = 128;
	accelerations<<<(count + threads - 1) / threads, threads>>>(
		cells.data(), x.data(), y.data(), z.data(), bodies.data(), count, SOFTENING2, ax.data(), ay.data(), az.data());
	check(cudaGetLastError());
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	save_accelerations(out, tree, order, ax.to_host(), ay.to_host(), az.to_host());
}
