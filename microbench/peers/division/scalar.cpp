/* Quotient and remainder of unsigned integers, all different. */
#include "../bench.h"

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

static void divide(const unsigned *a, const unsigned *b, unsigned *quotient, unsigned *remainder) {
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++) {
		const unsigned x = a[i], y = b[i];
		quotient[i] = x / y;
		remainder[i] = x % y;
	}
}

static void run() {
	for (int i = 0; i < rounds; i++)
		divide(a, b, quotient.data(), remainders.data());
}

static void results(Outputs &out) {
	out.array("quotient", quotient.data(), n);
	out.array("remainder", remainders.data(), n);
}
