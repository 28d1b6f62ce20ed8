/* The sum of floats. Every block adds up its share and leaves one partial sum; a second launch adds up those. With
 * -DONE_ELEMENT a thread brings a single element, so that nearly all of the work is the reduction in shared memory, and
 * the partial sums are the result. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define BLOCK 256

__global__ void reduce(const float *x, int n, float *partial) {
	__shared__ float sums[BLOCK];
	const int tid = threadIdx.x;
#ifdef ONE_ELEMENT
	const int i = blockIdx.x * blockDim.x + tid;
	sums[tid] = i < n ? x[i] : 0.0f;
#else
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x)
		sum += x[i];
	sums[tid] = sum;
#endif
	__syncthreads();

	for (int s = blockDim.x / 2; s > 0; s /= 2) {
		if (tid < s)
			sums[tid] += sums[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

static int n, blocks;
static DeviceArray<float> x, partial, total;

static void setup(const Inputs &in) {
	const auto host = in.array<float>("x");
	n = host.count;
#ifdef ONE_ELEMENT
	blocks = (n + BLOCK - 1) / BLOCK;
#else
	blocks = 256;
#endif
	x.assign(host.data, n);
	partial.resize(blocks);
	total.resize(1);
}

static void reset() {
}

static void run() {
	reduce<<<blocks, BLOCK>>>(x.data(), n, partial.data());
#ifndef ONE_ELEMENT
	reduce<<<1, BLOCK>>>(partial.data(), blocks, total.data());
#endif
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
#ifdef ONE_ELEMENT
	const std::vector<float> sums = partial.to_host();
#else
	const std::vector<float> sums = total.to_host();
#endif
	out.array("sums", sums.data(), sums.size());
}
