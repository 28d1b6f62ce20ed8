/* How often each of 256 values occurs among bytes: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

static const int BINS = 256, GROUPS = 256;

static int n;
static opencl::Buffer<unsigned char> values;
static opencl::Buffer<unsigned int> bins;
static opencl::Kernel histogram;

static void setup(const Inputs &in) {
	const auto host = in.array<unsigned char>("values");
	n = host.count;
	values.assign(host.data, n);
	bins.resize(BINS);
	histogram.create("histogram");
	histogram.arguments(values, n, bins);
}

static void reset() {
}

static void run() {
	bins.fill(0);
	histogram.launch(GROUPS * BINS, BINS);
	opencl::finish();
}

static void results(Outputs &out) {
	out.array("bins", bins.to_host().data(), BINS);
}
