/* The work-items take BRANCHES ways, each a loop of arithmetic. */
#include "../bench.h"
#include "../opencl.h"

static int threads;
static opencl::Buffer<unsigned> x;
static opencl::Buffer<float> f;
static opencl::Kernel diverge;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	x.resize(threads);
	f.resize(threads);
	diverge.create("diverge");
	diverge.arguments(x, f, static_cast<int>(in.number("steps")));
}

static void reset() {
}

static void run() {
	diverge.launch(threads, 256);
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<unsigned> host_x = x.to_host();
	const std::vector<float> host_f = f.to_host();
	out.array("x", host_x.data(), host_x.size());
	out.array("f", host_f.data(), host_f.size());
}
