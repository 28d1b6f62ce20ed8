/* Every element takes one of BRANCHES ways, each a loop of arithmetic. */
#include "../bench.h"

extern "C" void diverge(unsigned *out_x, float *out_f, int steps, int first, int end);

const int ELEMENTS = 1 << 10; /* of a task */

static int threads, steps;
static std::vector<unsigned> out_x;
static std::vector<float> out_f;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	steps = in.number("steps");
	out_x.resize(threads);
	out_f.resize(threads);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < threads; i += ELEMENTS)
		diverge(out_x.data(), out_f.data(), steps, i, std::min(i + ELEMENTS, threads));
}

static void results(Outputs &out) {
	out.array("x", out_x.data(), out_x.size());
	out.array("f", out_f.data(), out_f.size());
}
