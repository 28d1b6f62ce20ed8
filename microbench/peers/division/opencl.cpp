/* Quotient and remainder of unsigned integers, all different. */
#include "../bench.h"
#include "../opencl.h"

static int n, rounds;
static opencl::Buffer<unsigned> a, b, quotient, remainders;
static opencl::Kernel divide;

static void setup(const Inputs &in) {
	n = in.array<unsigned>("a").count;
	rounds = in.number("rounds");
	a.assign(in.array<unsigned>("a").data, n);
	b.assign(in.array<unsigned>("b").data, n);
	quotient.resize(n);
	remainders.resize(n);
	divide.create("divide");
	divide.arguments(a, b, quotient, remainders, n);
}

static void reset() {
}

static void run() {
	for (int i = 0; i < rounds; i++)
		divide.launch((n + 255) / 256 * 256, 256);
	opencl::finish();
}

static void results(Outputs &out) {
	std::vector<unsigned> host = quotient.to_host();
	out.array("quotient", host.data(), host.size());
	host = remainders.to_host();
	out.array("remainder", host.data(), host.size());
}
