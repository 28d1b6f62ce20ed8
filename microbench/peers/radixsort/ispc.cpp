/* Sorts keys of 64 bits by one byte after the other: the host part for kernels.ispc. */
#include "../bench.h"

typedef unsigned long long Key;

extern "C" {
int lanes();
void count_digits(const Key *keys, int first, int end, int shift, int *counts, int *totals, int tasks);
void scan_totals(int *totals, int tasks);
void move_keys(const Key *keys, Key *sorted, int first, int end, int shift, int *counts, const int *starts, int tasks);
}

static const int DIGITS = 256;
static const int TASKS = 32;

static int n;
static const Key *keys;
static std::vector<Key> one, other;
static std::vector<int> counts;
static int totals[TASKS * DIGITS]; /* a digit after the other, for each of which a task after the other */

static void setup(const Inputs &in) {
	n = in.array<Key>("keys").count;
	keys = in.array<Key>("keys").data;
	one.resize(n);
	other.resize(n);
	counts.resize(TASKS * DIGITS * lanes());
}

static void reset() {
}

static void run() {
	const int each = (n + TASKS - 1) / TASKS;
	const Key *from = keys;
	Key *to = other.data(), *next = one.data();
	for (int shift = 0; shift < 64; shift += 8) {
#pragma omp parallel for schedule(dynamic)
		for (int task = 0; task < TASKS; task++) {
			const int first = std::min(task * each, n), end = std::min(first + each, n);
			count_digits(from, first, end, shift, &counts[task * DIGITS * lanes()], &totals[task], TASKS);
		}
		scan_totals(totals, TASKS);
#pragma omp parallel for schedule(dynamic)
		for (int task = 0; task < TASKS; task++) {
			const int first = std::min(task * each, n), end = std::min(first + each, n);
			move_keys(from, to, first, end, shift, &counts[task * DIGITS * lanes()], &totals[task], TASKS);
		}
		from = to;
		std::swap(to, next);
	}
}

static void results(Outputs &out) {
	out.array("keys", one.data(), one.size());
}
