/* y = a exp(x) + b for few elements, again and again: the host part for kernels.ispc. One thread does it all, as others
 * would take longer to wake up than it takes. */
#include "../bench.h"

extern "C" void scaled_exp(const float *x, float *y, int n, float a, float b);

static int n, calls;
static float a, b;
static const float *x;
static std::vector<float> y;

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	x = in.array<float>("x").data;
	a = in.number("a");
	b = in.number("b");
	calls = in.number("calls");
	y.resize(n);
}

static void reset() {
}

static void run() {
	for (int i = 0; i < calls; i++)
		scaled_exp(x, y.data(), n, a, b);
}

static void results(Outputs &out) {
	out.array("y", y.data(), y.size());
}
