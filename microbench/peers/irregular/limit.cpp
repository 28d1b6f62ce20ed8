/* Reads at random places up to `mask` elements away from the own one, or reads and writes: gathers and scatters of
 * sixteen 32-bit elements. Two gangs read at a time, so that one's arithmetic hides in the other's gathers. */
#include "../bench.h"
#include "../simd.h"

static int threads, rounds;
static unsigned mask;
static bool writes;
static int *from, *to;
static size_t count;

static void setup(const Inputs &in) {
	const Array<int> values = in.array<int>("in");
	count = values.count;
	threads = in.number("threads");
	rounds = in.number("rounds");
	mask = in.number("mask");
	writes = in.number("writes");
	from = aligned_array<int>(count);
	to = aligned_array<int>(count);
	std::memcpy(from, values.data, count * sizeof(int));
	std::memset(to, 0, count * sizeof(int));
}

static void reset() {
}

struct Gang {
	__m512i thread, state;

	explicit Gang(int first)
		: thread(_mm512_add_epi32(
			  _mm512_set1_epi32(first), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
		  state(_mm512_add_epi32(
			  _mm512_mullo_epi32(thread, _mm512_set1_epi32(747796405)), _mm512_set1_epi32(2891336453u))) {
	}

	__m512i next_place(__m512i wide_mask) {
		state = _mm512_add_epi32(_mm512_mullo_epi32(state, _mm512_set1_epi32(1664525)), _mm512_set1_epi32(1013904223));
		return _mm512_add_epi32(thread, _mm512_and_epi32(_mm512_srli_epi32(state, 16), wide_mask));
	}
};

static void read() {
	const __m512i wide_mask = _mm512_set1_epi32(mask);
#pragma omp parallel for schedule(static)
	for (int first = 0; first < threads; first += 2 * LANES) {
		Gang a(first), b(first + LANES);
		__m512i sum_a = _mm512_setzero_si512(), sum_b = sum_a;
		for (int i = 0; i < rounds; i++) {
			sum_a = _mm512_add_epi32(sum_a, _mm512_i32gather_epi32(a.next_place(wide_mask), from, 4));
			sum_b = _mm512_add_epi32(sum_b, _mm512_i32gather_epi32(b.next_place(wide_mask), from, 4));
		}
		_mm512_store_si512(to + first, sum_a);
		_mm512_store_si512(to + first + LANES, sum_b);
	}
}

static void read_and_write() {
	const __m512i wide_mask = _mm512_set1_epi32(mask), flip = _mm512_set1_epi32(0x5a5a);
#pragma omp parallel for schedule(static)
	for (int first = 0; first < threads; first += LANES) {
		Gang gang(first);
		for (int i = 0; i < rounds; i++) {
			const __m512i place = gang.next_place(wide_mask);
			const __m512i value = _mm512_xor_epi32(_mm512_i32gather_epi32(place, from, 4), flip);
			_mm512_i32scatter_epi32(to, place, value, 4);
		}
	}
}

static void run() {
	if (writes)
		read_and_write();
	else
		read();
}

static void results(Outputs &out) {
	out.array("out", to, count);
}
