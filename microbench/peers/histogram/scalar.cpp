/* How often each of 256 values occurs among bytes: a histogram for each thread, added up at the end. */
#include <algorithm>

#include "../bench.h"

static const int BINS = 256;

static int n;
static const unsigned char *values;
static unsigned int bins[BINS];

static void setup(const Inputs &in) {
	n = in.array<unsigned char>("values").count;
	values = in.array<unsigned char>("values").data;
}

static void reset() {
}

static void run() {
	std::fill(bins, bins + BINS, 0);
#pragma omp parallel for schedule(static) reduction(+ : bins)
	for (int i = 0; i < n; i++)
		bins[values[i]]++;
}

static void results(Outputs &out) {
	out.array("bins", bins, BINS);
}
