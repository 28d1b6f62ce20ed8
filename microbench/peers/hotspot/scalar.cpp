/* Heat in a chip: a 5-point stencil, one sweep a step. */
#include <cstring>
#include <utility>
#include <vector>

#include "../bench.h"

static int rows, columns, steps;
static float step_over_cap, rx_inverse, ry_inverse, rz_inverse;
static const float *initial, *power;
static std::vector<float> from, to;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	columns = in.number("columns");
	steps = in.number("steps");
	step_over_cap = (float)in.number("step") / (float)in.number("cap");
	rx_inverse = 1.0f / (float)in.number("rx");
	ry_inverse = 1.0f / (float)in.number("ry");
	rz_inverse = 1.0f / (float)in.number("rz");
	initial = in.array<float>("temperature").data;
	power = in.array<float>("power").data;
	from.resize((size_t)rows * columns);
	to.resize((size_t)rows * columns);
}

static void reset() {
	std::memcpy(from.data(), initial, from.size() * sizeof(float));
}

static inline float heat(float here, float power, float north, float south, float west, float east) {
	const float ambient = 80.0f;
	return here + step_over_cap * (power + (south + north - 2.0f * here) * ry_inverse +
									  (east + west - 2.0f * here) * rx_inverse + (ambient - here) * rz_inverse);
}

static void one_step() {
#pragma omp parallel for schedule(static)
	for (int y = 0; y < rows; y++) {
		const float *here = &from[(size_t)y * columns], *tile_power = power + (size_t)y * columns;
		const float *north = y > 0 ? here - columns : here, *south = y < rows - 1 ? here + columns : here;
		float *out = &to[(size_t)y * columns];
		const int last = columns - 1;
		out[0] = heat(here[0], tile_power[0], north[0], south[0], here[0], here[1]);
#pragma omp simd
		for (int x = 1; x < last; x++)
			out[x] = heat(here[x], tile_power[x], north[x], south[x], here[x - 1], here[x + 1]);
		out[last] = heat(here[last], tile_power[last], north[last], south[last], here[last - 1], here[last]);
	}
}

static void run() {
	for (int i = 0; i < steps; i++) {
		one_step();
		std::swap(from, to);
	}
}

static void results(Outputs &out) {
	out.array("temperature", from.data(), from.size());
}
