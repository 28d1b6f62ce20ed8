/* Every element takes one of BRANCHES ways, each a loop of arithmetic. */
#include "../bench.h"
#include "arms.h"

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
#pragma omp parallel for schedule(static)
	for (int tid = 0; tid < threads; tid++) {
		[[maybe_unused]] const int branch = tid % 32 % BRANCHES;
		unsigned x = tid;
		float f = tid * 1e-6f;
		ARMS out_x[tid] = x;
		out_f[tid] = f;
	}
}

static void results(Outputs &out) {
	out.array("x", out_x.data(), out_x.size());
	out.array("f", out_f.data(), out_f.size());
}
