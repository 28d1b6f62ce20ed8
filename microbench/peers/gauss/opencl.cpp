/* Gaussian elimination: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

static int size;
static const float *initial_a, *initial_b;
static opencl::Buffer<float> factor, a, b;
static opencl::Kernel factors, eliminate;

static void setup(const Inputs &in) {
	size = in.number("size");
	initial_a = in.array<float>("a").data;
	initial_b = in.array<float>("b").data;
	factor.resize(size * size);
	factor.fill(0.0f);
	a.resize(size * size);
	b.resize(size);
	factors.create("factors");
	factors.arguments(factor, a, size, 0);
	eliminate.create("eliminate");
	eliminate.arguments(factor, a, b, size, 0);
}

static void reset() {
	a.copy_from(initial_a);
	b.copy_from(initial_b);
}

static void run() {
	const size_t side = (size + 15) / 16 * 16;
	for (int t = 0; t < size - 1; t++) {
		factors.argument(3, t);
		factors.launch((size + 127) / 128 * 128, 128);
		eliminate.argument(4, t);
		eliminate.launch({side, side}, {16, 16});
	}
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host_a = a.to_host(), host_b = b.to_host();
	out.array("a", host_a.data(), host_a.size());
	out.array("b", host_b.data(), host_b.size());
}
