/* One work-group that writes to and reads from random places of local memory. */
#include "../bench.h"
#include "../opencl.h"

static int threads;
static opencl::Buffer<int> out_array;
static opencl::Kernel kernel;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	out_array.resize(threads);
	kernel.create("write_and_read");
	kernel.arguments(out_array, static_cast<unsigned>(in.number("mask")), static_cast<int>(in.number("rounds")));
}

static void reset() {
}

static void run() {
	kernel.launch(threads, threads);
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<int> host = out_array.to_host();
	out.array("out", host.data(), host.size());
}
