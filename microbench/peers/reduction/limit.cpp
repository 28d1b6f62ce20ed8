/* The sum of floats by vectors; with -DONE_ELEMENT the sum of every 256 floats through an array in memory, step by step
 * as in the kernel: the cost of these steps is what that workload asks for. */
#include <immintrin.h>

#include "../bench.h"

static const int BLOCK = 256, LANES = 16, CHUNK = 1 << 16;

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

/* Up to 16 floats; those from `end` on count as zero. */
static inline __m512 load(const float *first, const float *end) {
	const long left = end - first;
	return left >= LANES ? _mm512_loadu_ps(first) : _mm512_maskz_loadu_ps(left > 0 ? (1 << left) - 1 : 0, first);
}

#ifdef ONE_ELEMENT

/* The kernel's steps: `part` stays in memory from one to the next, as shared memory does. */
static float sum_of_block(float *part, const float *first, const float *end) {
	for (int i = 0; i < BLOCK; i += LANES)
		_mm512_store_ps(part + i, load(first + i, end));
	int half = BLOCK / 2;
	for (; half >= LANES; half /= 2)
		for (int i = 0; i < half; i += LANES)
			_mm512_store_ps(part + i, _mm512_add_ps(_mm512_load_ps(part + i), _mm512_load_ps(part + i + half)));
	for (; half > 0; half /= 2)
		_mm512_mask_store_ps(part, (1 << half) - 1, _mm512_add_ps(_mm512_load_ps(part), _mm512_loadu_ps(part + half)));
	return part[0];
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int block = 0; block < (int)sums.size(); block++) {
		alignas(64) float part[BLOCK];
		sums[block] = sum_of_block(part, x + block * BLOCK, x + n);
	}
}

#else

static float sum_of_chunk(const float *first, const float *end) {
	__m512 part[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
	for (; first < end; first += 4 * LANES)
		for (int i = 0; i < 4; i++)
			part[i] = _mm512_add_ps(part[i], load(first + i * LANES, end));
	return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(part[0], part[1]), _mm512_add_ps(part[2], part[3])));
}

static void run() {
	float sum = 0.0f;
#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int first = 0; first < n; first += CHUNK)
		sum += sum_of_chunk(x + first, x + std::min(first + CHUNK, n));
	sums[0] = sum;
}

#endif

static void results(Outputs &out) {
	out.array("sums", sums.data(), sums.size());
}
