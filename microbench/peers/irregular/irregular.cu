/* Every thread reads ints at random places up to `mask` elements away from its own; the second kernel also writes
 * there. Several threads may write one element at once, but all write the same. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

__device__ unsigned first_random(unsigned thread) {
	return thread * 747796405u + 2891336453u;
}

__device__ unsigned next_random(unsigned state) {
	return state * 1664525u + 1013904223u;
}

__global__ void read(const int *in, int *out, unsigned mask, int rounds) {
	int tid = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned state = first_random(tid);
	int sum = 0;
	for (int i = 0; i < rounds; i++) {
		state = next_random(state);
		sum += in[tid + ((state >> 16) & mask)];
	}
	out[tid] = sum;
}

__global__ void read_and_write(const int *in, int *out, unsigned mask, int rounds) {
	int tid = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned state = first_random(tid);
	for (int i = 0; i < rounds; i++) {
		state = next_random(state);
		int place = tid + ((state >> 16) & mask);
		out[place] = in[place] ^ 0x5a5a;
	}
}

static int threads, rounds;
static unsigned mask;
static bool writes;
static DeviceArray<int> in_array, out_array;

static void setup(const Inputs &in) {
	const Array<int> values = in.array<int>("in");
	threads = in.number("threads");
	rounds = in.number("rounds");
	mask = in.number("mask");
	writes = in.number("writes");
	in_array.assign(values.data, values.count);
	out_array.resize(values.count);
	check(cudaMemset(out_array.data(), 0, values.count * sizeof(int)));
}

static void reset() {
}

static void run() {
	if (writes)
		read_and_write<<<threads / 256, 256>>>(in_array.data(), out_array.data(), mask, rounds);
	else
		read<<<threads / 256, 256>>>(in_array.data(), out_array.data(), mask, rounds);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<int> host = out_array.to_host();
	out.array("out", host.data(), host.size());
}
