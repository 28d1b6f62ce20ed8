/* What do atomic functions cost? Threads add to counters in shared or global memory; `lanes` consecutive threads of a
 * warp share one counter, and in global memory all blocks share theirs. */
#include <vector>

#include <cuda_runtime.h>

#include "suite.h"

#define THREADS 256

/* The counter of a thread, of those of its block. */
__device__ int counter_of(int tid, int lanes) {
	return tid / 32 * 32 + tid % 32 / lanes;
}

__global__ void add_in_shared(unsigned *out, int lanes, int rounds) {
	__shared__ unsigned counters[THREADS];
	int tid = threadIdx.x, own = counter_of(tid, lanes);
	counters[tid] = 0;
	__syncthreads();
	for (int i = 0; i < rounds; i++)
		atomicAdd(&counters[own], tid + i);
	__syncthreads();
	out[blockIdx.x * THREADS + tid] = counters[tid];
}

__global__ void add_in_global(unsigned *counters, int lanes, int rounds) {
	int tid = threadIdx.x, own = counter_of(tid, lanes);
	for (int i = 0; i < rounds; i++)
		atomicAdd(&counters[own], tid + i);
}

/* What all threads of one block add to its counters. */
static std::vector<unsigned> expected_sums(int lanes, unsigned rounds) {
	std::vector<unsigned> sums(THREADS, 0);
	for (unsigned tid = 0; tid < THREADS; tid++)
		for (unsigned i = 0; i < rounds; i++)
			sums[tid / 32 * 32 + tid % 32 / lanes] += tid + i;
	return sums;
}

static Measured measure(const Point &point) {
	const bool shared = point.text("memory") == "shared";
	const int lanes = point.number("lanes"), blocks = point.number("blocks");
	DeviceArray<unsigned> counters(std::vector<unsigned>(shared ? blocks * THREADS : THREADS, 0));
	const auto launch = [&](int rounds) {
		if (shared)
			add_in_shared<<<blocks, THREADS>>>(counters.data(), lanes, rounds);
		else
			add_in_global<<<blocks, THREADS>>>(counters.data(), lanes, rounds);
	};
	const int rounds = affordable(point, point.number("rounds"), launch);
	const auto times = several_runs(point, [&] { return device_ms([&] { launch(rounds); }); });

	check(cudaMemset(counters.data(), 0, (shared ? blocks * THREADS : THREADS) * sizeof(unsigned)));
	launch(rounds);
	check(cudaDeviceSynchronize());
	std::vector<unsigned> expected;
	const std::vector<unsigned> sums = expected_sums(lanes, rounds);
	if (shared)
		for (int block = 0; block < blocks; block++)
			expected.insert(expected.end(), sums.begin(), sums.end());
	else
		for (unsigned sum : sums)
			expected.push_back(sum * blocks);
	return {"ns per 32 operations", ns_per_piece(times, static_cast<double>(rounds) * blocks * (THREADS / 32)),
		counters.to_host() == expected, "rounds", rounds};
}

int main(int argc, char **argv) {
	return suite(argc, argv,
		{{"memory", "shared,global"}, {"blocks", "1,1024"}, {"lanes", "1,2,4,8,16,32"}, {"rounds", "10000"}}, measure);
}
