/* Twenty steps of a 5-point stencil; the edge of the grid stays as it is. */
#include "../bench.h"

extern "C" void step(const float *in, float *out, int first, int end, int width);

const int ROWS = 32; /* of a task */

static int width, height, steps;
static const float *initial;
static std::vector<float> a, b;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	steps = in.number("steps");
	initial = in.array<float>("grid").data;
	a.assign(initial, initial + width * height);
	b = a;
}

static void reset() {
	std::memcpy(a.data(), initial, a.size() * sizeof(float));
}

static void step_all(const float *in, float *out) {
#pragma omp parallel for schedule(dynamic)
	for (int y = 1; y < height - 1; y += ROWS)
		step(in, out, y, std::min(y + ROWS, height - 1), width);
}

static void run() {
	for (int i = 0; i < steps; i += 2) {
		step_all(a.data(), b.data());
		step_all(b.data(), a.data());
	}
}

static void results(Outputs &out) {
	out.array("grid", a.data(), a.size());
}
