/* C = A B, row by row: the inner loop runs along rows of B and C. */
#include <algorithm>
#include <vector>

#include "../bench.h"

static int rows, inner, columns;
static const float *a, *b;
static std::vector<float> c;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	inner = in.number("inner");
	columns = in.number("columns");
	a = in.array<float>("a").data;
	b = in.array<float>("b").data;
	c.resize((size_t)rows * columns);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int row = 0; row < rows; row++) {
		float *out = &c[(size_t)row * columns];
		std::fill(out, out + columns, 0.0f);
		for (int k = 0; k < inner; k++)
			for (int column = 0; column < columns; column++)
				out[column] += a[(size_t)row * inner + k] * b[(size_t)k * columns + column];
	}
}

static void results(Outputs &out) {
	out.array("c", c.data(), c.size());
}
