/* The sum of floats, a partial one for each task; with -DONE_ELEMENT the sum of every 256 floats. */
#include "../bench.h"

#ifdef ONE_ELEMENT
extern "C" void sum_blocks(const float *x, int n, float *sums, int first, int end, int block);

static const int BLOCK = 256, BLOCKS = 64; /* BLOCKS: of a task */
#else
extern "C" float sum(const float *x, int first, int end);

static const int ELEMENTS = 1 << 16; /* of a task */
#endif

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

static void run() {
#ifdef ONE_ELEMENT
	const int blocks = sums.size();
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < blocks; i += BLOCKS)
		sum_blocks(x, n, sums.data(), i, std::min(i + BLOCKS, blocks), BLOCK);
#else
	float total = 0.0f;
#pragma omp parallel for schedule(dynamic) reduction(+ : total)
	for (int i = 0; i < n; i += ELEMENTS)
		total += sum(x, i, std::min(i + ELEMENTS, n));
	sums[0] = total;
#endif
}

static void results(Outputs &out) {
	out.array("sums", sums.data(), sums.size());
}
