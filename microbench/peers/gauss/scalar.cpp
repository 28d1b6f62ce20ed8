/* Gaussian elimination without pivoting, a column after the other, row by row. */
#include <cstring>
#include <vector>

#include "../bench.h"

static int size;
static const float *initial_a, *initial_b;
static std::vector<float> a, b;

static void setup(const Inputs &in) {
	size = in.number("size");
	initial_a = in.array<float>("a").data;
	initial_b = in.array<float>("b").data;
	a.resize((size_t)size * size);
	b.resize(size);
}

static void reset() {
	std::memcpy(a.data(), initial_a, a.size() * sizeof(float));
	std::memcpy(b.data(), initial_b, b.size() * sizeof(float));
}

static void run() {
#pragma omp parallel
	for (int t = 0; t < size - 1; t++) {
#pragma omp for schedule(static)
		for (int x = t + 1; x < size; x++) {
			const float *pivot = &a[(size_t)size * t];
			float *row = &a[(size_t)size * x];
			const float factor = row[t] / pivot[t];
#pragma omp simd
			for (int y = t; y < size; y++)
				row[y] -= factor * pivot[y];
			b[x] -= factor * b[t];
		}
	}
}

static void results(Outputs &out) {
	out.array("a", a.data(), a.size());
	out.array("b", b.data(), b.size());
}
