/* One block of 64 threads that writes to and reads from random places of shared memory, up to `mask` elements away from
 * the thread's own. What several threads write to one place is the same. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "places.h"

__global__ void write_and_read(int *out, unsigned mask, int rounds) {
	__shared__ int numbers[ELEMENTS];
	int tid = threadIdx.x;
	for (int i = tid; i < ELEMENTS; i += blockDim.x)
		numbers[i] = 3 * i + 1;
	__syncthreads();

	unsigned state = SEED(tid);
	int sum = 0;
	for (int i = 0; i < rounds; i++) {
		state = NEXT(state);
		int to = PLACE(tid, state, mask);
		numbers[to] = 3 * to + 1;
		state = NEXT(state);
		int from = PLACE(tid, state, mask);
		sum += numbers[from];
	}
	out[tid] = sum;
}

static int threads, rounds;
static unsigned mask;
static DeviceArray<int> out_array;

static void setup(const Inputs &in) {
	threads = in.number("threads");
	rounds = in.number("rounds");
	mask = in.number("mask");
	out_array.resize(threads);
}

static void reset() {
}

static void run() {
	write_and_read<<<1, threads>>>(out_array.data(), mask, rounds);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<int> host = out_array.to_host();
	out.array("out", host.data(), host.size());
}
