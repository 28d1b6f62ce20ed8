/* The sum of floats; with -DONE_ELEMENT the sum of every 256 floats. */
#include <algorithm>
#include <vector>

#include "../bench.h"

static const int BLOCK = 256;

static int n;
static const float *x;
static std::vector<float> sums;

static void setup(const Inputs &in) {
	n = in.array<float>("x").count;
	x = in.array<float>("x").data;
#ifdef ONE_ELEMENT
	sums.resize((n + BLOCK - 1) / BLOCK);
#else
	sums.resize(1);
#endif
}

static void reset() {
}

/* `omp simd reduction` lets the compiler add in another order, which it may not do with plain C++. */
static void run() {
#ifdef ONE_ELEMENT
#pragma omp parallel for schedule(static)
	for (int block = 0; block < (int)sums.size(); block++) {
		float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
		for (int i = block * BLOCK; i < std::min((block + 1) * BLOCK, n); i++)
			sum += x[i];
		sums[block] = sum;
	}
#else
	float sum = 0.0f;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += x[i];
	sums[0] = sum;
#endif
}

static void results(Outputs &out) {
	out.array("sums", sums.data(), sums.size());
}
