/* Sorts keys of 64 bits by one byte after the other. A thread has a run of keys: for every byte the threads count how
 * often each digit occurs in their runs, prefix sums give where each thread's keys with each digit go, and the threads
 * take them there, in order. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define DIGITS 256
#define BLOCKS 32
#define THREADS 32

typedef unsigned long long Key;

/* `counts` has a number for each block, digit and thread; `totals` one for each digit and block. */
__global__ void count_digits(const Key *keys, int n, int run, int shift, int *counts, int *totals) {
	__shared__ int mine[DIGITS][THREADS];
	const int t = threadIdx.x;
	for (int digit = 0; digit < DIGITS; digit++)
		mine[digit][t] = 0;

	const int first = min((blockIdx.x * THREADS + t) * run, n), end = min(first + run, n);
	for (int i = first; i < end; i++)
		mine[(keys[i] >> shift) & (DIGITS - 1)][t]++;
	__syncthreads();

	for (int digit = 0; digit < DIGITS; digit++)
		counts[(blockIdx.x * DIGITS + digit) * THREADS + t] = mine[digit][t];
	for (int digit = t; digit < DIGITS; digit += THREADS) {
		int total = 0;
		for (int i = 0; i < THREADS; i++)
			total += mine[digit][i];
		totals[digit * BLOCKS + blockIdx.x] = total;
	}
}

/* Make of each total where the keys of this digit and block begin in the sorted array. A thread has a digit. */
__global__ void scan_totals(int *totals) {
	__shared__ int sums[DIGITS];
	const int digit = threadIdx.x;
	int total = 0;
	for (int block = 0; block < BLOCKS; block++)
		total += totals[digit * BLOCKS + block];
	sums[digit] = total;
	__syncthreads();
	for (int distance = 1; distance < DIGITS; distance *= 2) {
		const int before = digit >= distance ? sums[digit - distance] : 0;
		__syncthreads();
		sums[digit] += before;
		__syncthreads();
	}
	int place = sums[digit] - total;
	for (int block = 0; block < BLOCKS; block++) {
		const int count = totals[digit * BLOCKS + block];
		totals[digit * BLOCKS + block] = place;
		place += count;
	}
}

__global__ void move_keys(
	const Key *keys, Key *sorted, int n, int run, int shift, const int *counts, const int *starts) {
	__shared__ int places[DIGITS][THREADS];
	const int t = threadIdx.x;
	for (int digit = 0; digit < DIGITS; digit++)
		places[digit][t] = counts[(blockIdx.x * DIGITS + digit) * THREADS + t];
	__syncthreads();
	for (int digit = t; digit < DIGITS; digit += THREADS) {
		int place = starts[digit * BLOCKS + blockIdx.x];
		for (int i = 0; i < THREADS; i++) {
			const int count = places[digit][i];
			places[digit][i] = place;
			place += count;
		}
	}
	__syncthreads();

	const int first = min((blockIdx.x * THREADS + t) * run, n), end = min(first + run, n);
	for (int i = first; i < end; i++) {
		const Key key = keys[i];
		const int digit = (key >> shift) & (DIGITS - 1);
		sorted[places[digit][t]++] = key;
	}
}

static int n;
static DeviceArray<Key> keys, one, other;
static DeviceArray<int> counts, totals;

static void setup(const Inputs &in) {
	n = in.array<Key>("keys").count;
	keys.assign(in.array<Key>("keys").data, n);
	one.resize(n);
	other.resize(n);
	counts.resize(BLOCKS * DIGITS * THREADS);
	totals.resize(DIGITS * BLOCKS);
}

static void reset() {
}

static void run() {
	const int each = (n + BLOCKS * THREADS - 1) / (BLOCKS * THREADS);
	const Key *from = keys.data();
	Key *to = other.data(), *next = one.data();
	for (int shift = 0; shift < 64; shift += 8) {
		count_digits<<<BLOCKS, THREADS>>>(from, n, each, shift, counts.data(), totals.data());
		scan_totals<<<1, DIGITS>>>(totals.data());
		move_keys<<<BLOCKS, THREADS>>>(from, to, n, each, shift, counts.data(), totals.data());
		from = to;
		std::swap(to, next);
	}
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<Key> host = one.to_host();
	out.array("keys", host.data(), host.size());
}
