/* y = a x + y */
#include <vector>

#include "../bench.h"

extern "C" void saxpy(int first, int end, float a, const float *x, float *y);

const int ELEMENTS = 1 << 16; /* of a task */

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
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i += ELEMENTS)
		saxpy(i, std::min(i + ELEMENTS, n), a, x, y.data());
}

static void results(Outputs &out) {
	out.array("y", y.data(), n);
}
