/* Reads at random places up to `mask` elements away from the own one, or reads and writes. */
#include <vector>

#include "../bench.h"

extern "C" void read_some(const int *in, int *out, unsigned mask, int rounds, int first, int end);
extern "C" void read_and_write(const int *in, int *out, unsigned mask, int rounds, int first, int end);

const int ELEMENTS = 1 << 13; /* of a task */

static int threads, rounds;
static unsigned mask;
static bool writes;
static const int *values;
static std::vector<int> out_array;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	rounds = in.number("rounds");
	mask = in.number("mask");
	writes = in.number("writes");
	values = in.array<int>("in").data;
	out_array.resize(in.array<int>("in").count);
}

static void reset() {
}

/* Several tasks may write one element at once, but all write the same. */
static void run() {
	const auto kernel = writes ? read_and_write : read_some;
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < threads; i += ELEMENTS)
		kernel(values, out_array.data(), mask, rounds, i, std::min(i + ELEMENTS, threads));
}

static void results(Outputs &out) {
	out.array("out", out_array.data(), out_array.size());
}
