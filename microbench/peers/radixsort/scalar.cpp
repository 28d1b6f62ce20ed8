/* Sorts keys of 64 bits by one byte after the other: for every byte, how often each digit occurs in parts of the array
 * gives where their keys go. */
#include "../bench.h"

typedef unsigned long long Key;

static const int DIGITS = 256;
static const int PARTS = 32;

static int n;
static const Key *keys;
static std::vector<Key> one, other;
static int places[PARTS][DIGITS];

static void setup(const Inputs &in) {
	n = in.array<Key>("keys").count;
	keys = in.array<Key>("keys").data;
	one.resize(n);
	other.resize(n);
}

static void reset() {
}

static void count_digits(const Key *from, int first, int end, int shift, int *counts) {
	std::fill(counts, counts + DIGITS, 0);
	for (int i = first; i < end; i++)
		counts[(from[i] >> shift) & (DIGITS - 1)]++;
}

static void scan_counts() {
	int place = 0;
	for (int digit = 0; digit < DIGITS; digit++)
		for (int part = 0; part < PARTS; part++) {
			const int count = places[part][digit];
			places[part][digit] = place;
			place += count;
		}
}

static void move_keys(const Key *from, Key *to, int first, int end, int shift, int *place) {
	for (int i = first; i < end; i++)
		to[place[(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
}

static void run() {
	const int each = (n + PARTS - 1) / PARTS;
	const Key *from = keys;
	Key *to = other.data(), *next = one.data();
	for (int shift = 0; shift < 64; shift += 8) {
#pragma omp parallel for schedule(dynamic)
		for (int part = 0; part < PARTS; part++)
			count_digits(from, std::min(part * each, n), std::min((part + 1) * each, n), shift, places[part]);
		scan_counts();
#pragma omp parallel for schedule(dynamic)
		for (int part = 0; part < PARTS; part++)
			move_keys(from, to, std::min(part * each, n), std::min((part + 1) * each, n), shift, places[part]);
		from = to;
		std::swap(to, next);
	}
}

static void results(Outputs &out) {
	out.array("keys", one.data(), one.size());
}
