/* The same walk as recursive C++, one body after the other. */
#include <cmath>

#include "../bench.h"
#include "octree.h"

struct Body {
	const Cell *cells;
	float x, y, z;
	float ax = 0.0f, ay = 0.0f, az = 0.0f;

	void attract(int n) {
		const Cell &cell = cells[n];
		const float dx = cell.x - x, dy = cell.y - y, dz = cell.z - z;
		const float distance2 = dx * dx + dy * dy + dz * dz + SOFTENING2;
		if (distance2 > cell.opening2) {
			const float pull = cell.mass / (distance2 * std::sqrt(distance2));
			ax += pull * dx;
			ay += pull * dy;
			az += pull * dz;
			return;
		}
		for (int child : cell.child)
			if (child >= 0)
				attract(child);
	}
};

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
#pragma omp parallel for schedule(dynamic, 256)
	for (int i = 0; i < count; i++) {
		Body body{tree.cells.data(), tree.x[order[i]], tree.y[order[i]], tree.z[order[i]]};
		body.attract(0);
		ax[i] = body.ax;
		ay[i] = body.ay;
		az[i] = body.az;
	}
}

static void results(Outputs &out) {
	save_accelerations(out, tree, order, ax, ay, az);
}
