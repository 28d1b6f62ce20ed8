/* The sum of floats: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

static const int GROUP = 256;

static int groups;
static opencl::Buffer<float> x, partial, total;
static opencl::Kernel reduce, reduce_partial;

static void setup(const Inputs &in) {
	const auto host = in.array<float>("x");
	const int n = host.count;
#ifdef ONE_ELEMENT
	groups = (n + GROUP - 1) / GROUP;
#else
	groups = 256;
#endif
	x.assign(host.data, n);
	partial.resize(groups);
	total.resize(1);
	reduce.create("reduce");
	reduce.arguments(x, n, partial);
	reduce_partial.create("reduce");
	reduce_partial.arguments(partial, groups, total);
}

static void reset() {
}

static void run() {
	reduce.launch(groups * GROUP, GROUP);
#ifndef ONE_ELEMENT
	reduce_partial.launch(GROUP, GROUP);
#endif
	opencl::finish();
}

static void results(Outputs &out) {
#ifdef ONE_ELEMENT
	const std::vector<float> sums = partial.to_host();
#else
	const std::vector<float> sums = total.to_host();
#endif
	out.array("sums", sums.data(), sums.size());
}
