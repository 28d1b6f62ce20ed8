/* Reads at random places up to `mask` elements away from the own one, or reads and writes. */
#include <vector>

#include "../bench.h"

static int threads, rounds;
static unsigned mask;
static bool writes;
static const int *values;
static std::vector<int> out_array;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	rounds = in.number("rounds");
	mask = in.number("mask");
	writes = in.number("writes");
	values = in.array<int>("in").data;
	out_array.resize(in.array<int>("in").count);
}

static void reset() {
}

static inline unsigned first_random(unsigned thread) {
	return thread * 747796405u + 2891336453u;
}

static inline unsigned next_random(unsigned state) {
	return state * 1664525u + 1013904223u;
}

static void read() {
	const int *from = values;
	int *to = out_array.data();
#pragma omp parallel for schedule(static)
	for (int tid = 0; tid < threads; tid++) {
		unsigned state = first_random(tid);
		int sum = 0;
		for (int i = 0; i < rounds; i++) {
			state = next_random(state);
			sum += from[tid + ((state >> 16) & mask)];
		}
		to[tid] = sum;
	}
}

/* Threads of OpenMP may write one element at once, the same value, which relaxed atomic stores allow; they cost
 * nothing. */
static void read_and_write() {
	const int *from = values;
	int *to = out_array.data();
#pragma omp parallel for schedule(static)
	for (int tid = 0; tid < threads; tid++) {
		unsigned state = first_random(tid);
		for (int i = 0; i < rounds; i++) {
			state = next_random(state);
			const int place = tid + ((state >> 16) & mask);
			__atomic_store_n(&to[place], from[place] ^ 0x5a5a, __ATOMIC_RELAXED);
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
	out.array("out", out_array.data(), out_array.size());
}
