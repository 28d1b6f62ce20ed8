/* y = a x + y */
#include <vector>

#include "../bench.h"

static int n;
static float a;
static const float *x, *initial_y;
static std::vector<float> y;

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	a = in.number("a");
	x = in.array<float>("x").data;
	initial_y = in.array<float>("y").data;
	y.resize(n);
}

static void reset() {
	std::memcpy(y.data(), initial_y, n * sizeof(float));
}

static void run() {
	float *result = y.data();
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++)
		result[i] = a * x[i] + result[i];
}

static void results(Outputs &out) {
	out.array("y", y.data(), n);
}
