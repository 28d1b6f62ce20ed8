/* Twenty steps of a 5-point stencil; the edge of the grid stays as it is. */
#include "../bench.h"
#include "../opencl.h"

static int width, height, steps;
static const float *initial;
static opencl::Buffer<float> a, b;
static opencl::Kernel forth, back;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	steps = in.number("steps");
	initial = in.array<float>("grid").data;
	a.assign(initial, width * height);
	b.assign(initial, width * height);
	forth.create("step_once");
	forth.arguments(a, b, width, height);
	back.create("step_once");
	back.arguments(b, a, width, height);
}

static void reset() {
	a.copy_from(initial);
}

static void run() {
	const opencl::Range global((width + 31) / 32 * 32, (height + 7) / 8 * 8), local(32, 8);
	for (int i = 0; i < steps; i += 2) {
		forth.launch(global, local);
		back.launch(global, local);
	}
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host = a.to_host();
	out.array("grid", host.data(), host.size());
}
