/* Reads at random places up to `mask` elements away from the own one, or reads and writes. */
#include "../bench.h"
#include "../opencl.h"

static int threads;
static opencl::Buffer<int> in_array, out_array;
static opencl::Kernel kernel;

static void setup(const Inputs &in) {
	const Array<int> values = in.array<int>("in");
	threads = in.number("threads");
	in_array.assign(values.data, values.count);
	out_array.resize(values.count);
	out_array.fill(0);
	kernel.create(in.number("writes") ? "read_and_write" : "read");
	const unsigned mask = in.number("mask");
	const int rounds = in.number("rounds");
	kernel.arguments(in_array, out_array, mask, rounds);
}

static void reset() {
}

static void run() {
	kernel.launch(threads, 256);
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<int> host = out_array.to_host();
	out.array("out", host.data(), host.size());
}
