/* How often each of 256 values occurs among bytes: a histogram in shared memory for each block, added up at its end. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define BINS 256

__global__ void histogram(const unsigned char *values, int n, unsigned int *bins) {
	__shared__ unsigned int counts[BINS];
	counts[threadIdx.x] = 0;
	__syncthreads();

	const int stride = blockDim.x * gridDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
		atomicAdd(&counts[values[i]], 1);
	__syncthreads();

	atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

static const int BLOCKS = 256;

static int n;
static DeviceArray<unsigned char> values;
static DeviceArray<unsigned int> bins;

static void setup(const Inputs &in) {
	const auto host = in.array<unsigned char>("values");
	n = host.count;
	values.assign(host.data, n);
	bins.resize(BINS);
}

static void reset() {
}

static void run() {
	check(cudaMemset(bins.data(), 0, BINS * sizeof(unsigned int)));
	histogram<<<BLOCKS, BINS>>>(values.data(), n, bins.data());
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	out.array("bins", bins.to_host().data(), BINS);
}
