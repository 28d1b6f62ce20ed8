/* The gravity of all bodies on each. */
#include <vector>

#include "../bench.h"

struct Body {
	float x, y, z, mass;
};

extern "C" void gravity(
	const Body *bodies, float *ax, float *ay, float *az, int n, float softening, int first, int end);

const int BODIES = 256; /* of a task */

static int n;
static float softening;
static const Body *bodies;
static std::vector<float> ax, ay, az;

static void setup(const Inputs &in) {
	n = in.array<Body>("bodies").count;
	softening = in.number("softening");
	bodies = in.array<Body>("bodies").data;
	ax.resize(n);
	ay.resize(n);
	az.resize(n);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i += BODIES)
		gravity(bodies, ax.data(), ay.data(), az.data(), n, softening, i, std::min(i + BODIES, n));
}

static void results(Outputs &out) {
	out.array("ax", ax.data(), n);
	out.array("ay", ay.data(), n);
	out.array("az", az.data(), n);
}
