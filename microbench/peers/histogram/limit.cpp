/* How often each of 256 values occurs among bytes. Counting is a load and a store a byte whatever one does, and scalar
 * ones are faster than gathers and scatters. Two tables in turn keep equal neighbours from waiting for each other;
 * vectors add the tables up. */
#include <immintrin.h>

#include "../bench.h"

static const int BINS = 256, CHUNK = 1 << 16;

static int n;
static const unsigned char *values;
alignas(64) static unsigned int bins[BINS];

static void setup(const Inputs &in) {
	n = in.array<unsigned char>("values").count;
	values = in.array<unsigned char>("values").data;
}

static void reset() {
}

static void count(unsigned int (*tables)[BINS], const unsigned char *first, const unsigned char *end) {
	for (; end - first >= 16; first += 16)
#pragma GCC unroll 16
		for (int i = 0; i < 16; i++)
			tables[i % 2][first[i]]++;
	for (; first < end; first++)
		tables[0][*first]++;
}

static void run() {
	std::memset(bins, 0, sizeof(bins));
#pragma omp parallel
	{
		alignas(64) unsigned int tables[2][BINS] = {};
#pragma omp for schedule(static) nowait
		for (int first = 0; first < n; first += CHUNK)
			count(tables, values + first, values + std::min(first + CHUNK, n));
#pragma omp critical
		for (int bin = 0; bin < BINS; bin += 16) {
			const __m512i own =
				_mm512_add_epi32(_mm512_load_si512(&tables[0][bin]), _mm512_load_si512(&tables[1][bin]));
			_mm512_store_si512(&bins[bin], _mm512_add_epi32(_mm512_load_si512(&bins[bin]), own));
		}
	}
}

static void results(Outputs &out) {
	out.array("bins", bins, BINS);
}
