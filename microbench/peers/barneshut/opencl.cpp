#include "../bench.h"
#include "../opencl.h"
#include "octree.h"

static Octree tree;
static std::vector<int> order;
static opencl::Buffer<Cell> cells;
static opencl::Buffer<float> x, y, z, ax, ay, az;
static opencl::Buffer<int> bodies;
static opencl::Kernel accelerations;

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
	accelerations.create("accelerations");
	accelerations.arguments(cells, x, y, z, bodies, static_cast<int>(order.size()), SOFTENING2, ax, ay, az);
}

static void reset() {
}

static void run() {
	accelerations.launch((order.size() + 63) / 64 * 64, 64);
	opencl::finish();
}

static void results(Outputs &out) {
	save_accelerations(out, tree, order, ax.to_host(), ay.to_host(), az.to_host());
}
