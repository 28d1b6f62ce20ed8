/* Blocks of 256 threads, each of which adds to a counter of its own in global memory: the counters are the block's own,
 * or the same for all blocks. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define THREADS 256

__global__ void add(unsigned *counters, int apart, int rounds) {
	int tid = threadIdx.x, own = blockIdx.x * apart + tid;
	for (int i = 0; i < rounds; i++)
		atomicAdd(&counters[own], tid + i);
}

static int blocks, apart, rounds;
static DeviceArray<unsigned> counters;

static void setup(const Inputs &in) {
	blocks = in.number("blocks");
	apart = in.number("apart");
	rounds = in.number("rounds");
	counters.resize((blocks - 1) * apart + THREADS);
}

static void reset() {
	check(cudaMemset(counters.data(), 0, ((blocks - 1) * apart + THREADS) * sizeof(unsigned)));
}

static void run() {
	add<<<blocks, THREADS>>>(counters.data(), apart, rounds);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<unsigned> host = counters.to_host();
	out.array("counters", host.data(), host.size());
}
