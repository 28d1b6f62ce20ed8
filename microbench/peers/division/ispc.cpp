/* Quotient and remainder of unsigned integers, all different. */
#include "../bench.h"

extern "C" void divide(
	const unsigned *a, const unsigned *b, unsigned *quotient, unsigned *remainder, int first, int end);

const int ELEMENTS = 1 << 13; /* of a task */

static int n, rounds;
static const unsigned *a, *b;
static std::vector<unsigned> quotient, remainders;

static void setup(const Inputs &in) {
	n = in.array<unsigned>("a").count;
	rounds = in.number("rounds");
	a = in.array<unsigned>("a").data;
	b = in.array<unsigned>("b").data;
	quotient.resize(n);
	remainders.resize(n);
}

static void reset() {
}

static void run() {
	for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(dynamic)
		for (int i = 0; i < n; i += ELEMENTS)
			divide(a, b, quotient.data(), remainders.data(), i, std::min(i + ELEMENTS, n));
	}
}

static void results(Outputs &out) {
	out.array("quotient", quotient.data(), n);
	out.array("remainder", remainders.data(), n);
}
