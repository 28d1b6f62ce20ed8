/* Twenty steps of a 5-point stencil; the edge of the grid stays as it is. */
#include "../bench.h"

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

static void step(const float *__restrict in, float *__restrict out) {
#pragma omp parallel for schedule(static)
	for (int y = 1; y < height - 1; y++)
		for (int x = 1; x < width - 1; x++) {
			const int i = y * width + x;
			out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
		}
}

static void run() {
	for (int i = 0; i < steps; i += 2) {
		step(a.data(), b.data());
		step(b.data(), a.data());
	}
}

static void results(Outputs &out) {
	out.array("grid", a.data(), a.size());
}
