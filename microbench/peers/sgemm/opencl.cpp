/* C = A B: the host part for kernels.cl. */
#include "../bench.h"
#include "../opencl.h"

#ifdef BLOCKED
static const int EACH = 4; /* elements of a work-item, a side */
#else
static const int EACH = 1;
#endif

static int rows, inner, columns; /* multiples of 16 EACH */
static opencl::Buffer<float> a, b, c;
static opencl::Kernel multiply;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	inner = in.number("inner");
	columns = in.number("columns");
	a.assign(in.array<float>("a").data, (size_t)rows * inner);
	b.assign(in.array<float>("b").data, (size_t)inner * columns);
	c.resize((size_t)rows * columns);
	multiply.create("multiply");
	multiply.arguments(a, b, c, inner, columns);
}

static void reset() {
}

static void run() {
	multiply.launch({size_t(columns / EACH), size_t(rows / EACH)}, {16, 16});
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host = c.to_host();
	out.array("c", host.data(), host.size());
}
