/* C = A B: the host part for kernels.ispc. */
#include "../bench.h"

extern "C" void multiply(
	const float *a, const float *b, float *c, int first, int end, int left, int right, int inner, int columns);

const int ROWS = 64, COLUMNS = 128; /* of a task */

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
#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int row = 0; row < rows; row += ROWS)
		for (int column = 0; column < columns; column += COLUMNS) {
			const int end = std::min(row + ROWS, rows), right = std::min(column + COLUMNS, columns);
			multiply(a, b, c.data(), row, end, column, right, inner, columns);
		}
}

static void results(Outputs &out) {
	out.array("c", c.data(), c.size());
}
