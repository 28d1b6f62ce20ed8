/* The same walk in ISPC, with the bodies of a task. */
#include "../bench.h"
#include "octree.h"

extern "C" void accelerations(const Cell *cells, const float *x, const float *y, const float *z, const int *order,
	int first, int end, float softening2, float *ax, float *ay, float *az);

const int BODIES = 256; /* of a task */

static Octree tree;
static std::vector<int> order;
static std::vector<float> ax, ay, az;

static void setup(const Inputs &in) {
	tree = OctreeBuilder(in).build();
	order = input_order(in);
	ax.resize(order.size());
	ay.resize(order.size());
	az.resize(order.size());
}

static void reset() {
}

static void run() {
	const int count = static_cast<int>(order.size());
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < count; i += BODIES)
		accelerations(tree.cells.data(), tree.x.data(), tree.y.data(), tree.z.data(), order.data(), i,
			std::min(i + BODIES, count), SOFTENING2, ax.data(), ay.data(), az.data());
}

static void results(Outputs &out) {
	save_accelerations(out, tree, order, ax, ay, az);
}
