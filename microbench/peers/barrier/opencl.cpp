/* One work-group that meets at barriers: with nothing between them, and passing numbers round. */
#include "../bench.h"
#include "../opencl.h"

static int threads;
static opencl::Buffer<int> out_array;
static opencl::Kernel kernel;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	const int barriers = in.number("barriers");
	out_array.resize(threads);
	if (in.number("with_data")) {
		kernel.create("pass_round");
		kernel.arguments(out_array, barriers, opencl::Local{threads * sizeof(int)});
	} else {
		kernel.create("empty");
		kernel.arguments(out_array, barriers);
	}
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
