/* How often each of 256 values occurs among bytes: a histogram for each task, added up at its end. */
#include "../bench.h"

extern "C" void histogram(const unsigned char *values, int first, int end, unsigned *bins);

static const int BINS = 256, CHUNK = 1 << 18; /* CHUNK: bytes of a task */

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
#pragma omp parallel for schedule(dynamic) reduction(+ : bins)
	for (int first = 0; first < n; first += CHUNK)
		histogram(values, first, std::min(first + CHUNK, n), bins);
}

static void results(Outputs &out) {
	out.array("bins", bins, BINS);
}
