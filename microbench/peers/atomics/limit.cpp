/* The same additions in the same order, one `lock xadd` each: sixteen threads make a round, then the next. */
#include "../bench.h"
#include "../simd.h"

static const int THREADS = 256;

static int blocks, apart, rounds;
static size_t count;
static unsigned *counters;

static void setup(const Inputs &in) {
	blocks = in.number("blocks");
	apart = in.number("apart");
	rounds = in.number("rounds");
	count = static_cast<size_t>(blocks - 1) * apart + THREADS;
	counters = aligned_array<unsigned>(count);
}

static void reset() {
	std::memset(counters, 0, count * sizeof(unsigned));
}

static inline void add(unsigned &counter, unsigned value) {
	asm volatile("lock xaddl %0, %1" : "+r"(value), "+m"(counter) : : "memory");
}

static void add_block(unsigned *own) {
	for (int first = 0; first < THREADS; first += LANES)
		for (int i = 0; i < rounds; i++)
			for (int tid = first; tid < first + LANES; tid++)
				add(own[tid], tid + i);
}

static void run() {
#pragma omp parallel for schedule(dynamic)
	for (int block = 0; block < blocks; block++)
		add_block(counters + static_cast<size_t>(block) * apart);
}

static void results(Outputs &out) {
	out.array("counters", counters, count);
}
