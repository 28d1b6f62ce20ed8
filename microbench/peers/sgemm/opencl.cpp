/* C = A B for square matrices: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

#ifdef BLOCKED
static const int EACH = 4; /* elements of a work-item, a side */
#else
static const int EACH = 1;
#endif

static int n; /* a multiple of 16 EACH */
static opencl::Buffer<float> a, b, c;
static opencl::Kernel multiply;

static void setup(const Inputs &in) {
	n = in.number("n");
	a.assign(in.array<float>("a").data, (size_t)n * n);
	b.assign(in.array<float>("b").data, (size_t)n * n);
	c.resize((size_t)n * n);
	multiply.create("multiply");
	multiply.arguments(a, b, c, n);
}

static void reset() {
}

static void run() {
	const size_t side = n / EACH;
	multiply.launch({side, side}, {16, 16});
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host = c.to_host();
	out.array("c", host.data(), host.size());
}
