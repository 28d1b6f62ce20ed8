/* y = a x + y */
#include "../bench.h"
#include "../opencl.h"

static int n;
static const float *initial_y;
static opencl::Buffer<float> x, y;
static opencl::Kernel saxpy;

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	initial_y = in.array<float>("y").data;
	x.assign(in.array<float>("x").data, n);
	y.resize(n);
	saxpy.create("saxpy");
	saxpy.arguments(n, static_cast<float>(in.number("a")), x, y);
}

static void reset() {
	y.copy_from(initial_y);
}

static void run() {
	saxpy.launch((n + 255) / 256 * 256, 256);
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host = y.to_host();
	out.array("y", host.data(), host.size());
}
