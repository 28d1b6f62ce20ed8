/* y = a exp(x) + b for few elements, again and again. */
#include <cmath>

#include "../bench.h"

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

static void compute() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++)
		y[i] = a * std::exp(x[i]) + b;
}

static void run() {
	for (int i = 0; i < calls; i++)
		compute();
}

static void results(Outputs &out) {
	out.array("y", y.data(), y.size());
}
