/* The gravity of all bodies on each: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

struct Body {
	float x, y, z, mass;
};

static const int GROUP = 256;

static int n; /* a multiple of GROUP */
static opencl::Buffer<Body> bodies;
static opencl::Buffer<float> ax, ay, az;
static opencl::Kernel gravity;

static void setup(const Inputs &in) {
	const auto host = in.array<Body>("bodies");
	const float softening = in.number("softening");
	n = host.count;
	bodies.assign(host.data, n);
	ax.resize(n);
	ay.resize(n);
	az.resize(n);
	gravity.create("gravity");
	gravity.arguments(bodies, ax, ay, az, n, softening);
}

static void reset() {
}

static void run() {
	gravity.launch(n, GROUP);
	opencl::finish();
}

static void results(Outputs &out) {
	out.array("ax", ax.to_host().data(), n);
	out.array("ay", ay.to_host().data(), n);
	out.array("az", az.to_host().data(), n);
}
