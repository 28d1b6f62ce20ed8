/* C = A B for square matrices, row by row: the inner loop runs along rows of B and C. */
#include <algorithm>
#include <vector>

#include "../bench.h"

static int n;
static const float *a, *b;
static std::vector<float> c;

static void setup(const Inputs &in) {
	n = in.number("n");
	a = in.array<float>("a").data;
	b = in.array<float>("b").data;
	c.resize((size_t)n * n);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int row = 0; row < n; row++) {
		float *out = &c[(size_t)row * n];
		std::fill(out, out + n, 0.0f);
		for (int k = 0; k < n; k++)
			for (int column = 0; column < n; column++)
				out[column] += a[(size_t)row * n + k] * b[(size_t)k * n + column];
	}
}

static void results(Outputs &out) {
	out.array("c", c.data(), c.size());
}
