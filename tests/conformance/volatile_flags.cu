// features: volatile dynamic-shared function-templates kernel-templates device-variables memcpy-symbol specialisation
// A sum in one launch: the last block to finish adds up the parts of the others, through volatile memory and fences.
#include "check.h"

__device__ unsigned blocks_done = 0;
__device__ volatile int progress[64];

template <typename T> __device__ T block_sum(volatile T *shared, T mine) {
	shared[threadIdx.x] = mine;
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
		if (threadIdx.x < half)
			shared[threadIdx.x] = shared[threadIdx.x] + shared[threadIdx.x + half];
		__syncthreads();
	}
	T sum = shared[0];
	__syncthreads();
	return sum;
}

template <typename T> struct Memory;
template <> struct Memory<float> {
	static __device__ volatile float *get() {
		extern __shared__ float floats[];
		return floats;
	}
};
template <> struct Memory<long long> {
	static __device__ volatile long long *get() {
		extern __shared__ long long longs[];
		return longs;
	}
};

template <typename T> __global__ void sum_once(const T *in, int n, volatile T *parts, T *out) {
	volatile T *shared = Memory<T>::get();
	__shared__ bool last;
	T mine = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		mine += in[i];
	T sum = block_sum(shared, mine);
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = sum;
		progress[blockIdx.x] = progress[blockIdx.x] + 1;
		__threadfence();
		unsigned ticket = atomicInc(&blocks_done, gridDim.x - 1); // back to 0 for the next launch
		last = ticket == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return;
	mine = 0;
	for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
		mine += parts[i];
	sum = block_sum(shared, mine);
	if (threadIdx.x == 0)
		*out = sum;
}

// The first thread of a block sets flags that all of it reads, phase after phase.
__global__ void phases(const int *limits, int *out) {
	__shared__ volatile int phase;
	__shared__ volatile bool stop;
	volatile int local = threadIdx.x;
	if (threadIdx.x == 0) {
		phase = 0;
		stop = false;
	}
	__syncthreads();
	while (!stop) {
		local = local + phase;
		__syncthreads();
		if (threadIdx.x == 0) {
			phase = phase + 1;
			stop = phase >= limits[blockIdx.x];
		}
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = local * 100 + phase;
}

template <typename T> void test(const char *name, int n, int blocks, int block) {
	std::vector<T> in(n);
	Random random(n);
	double expected = 0;
	for (T &x : in)
		expected += x = (T)random.below(16);
	T *d_in = to_device(in), *parts = device_array<T>(blocks), *out = device_array<T>(1);
	for (int k = 0; k < 3; k++) {
		CHECK(cudaMemset(out, 0xff, sizeof(T)));
		sum_once<T><<<blocks, block, block * sizeof(T)>>>(d_in, n, parts, out);
		CHECK_LAUNCH();
		expect_near(name, k, to_host(out, 1)[0], expected, 1e-6);
	}
}

int main() {
	test<float>("float", 10000, 24, 128);
	test<long long>("long long", 4321, 64, 32);
	test<float>("one block", 100, 1, 64);
	int counts[64];
	CHECK(cudaMemcpyFromSymbol(counts, progress, sizeof counts));
	for (int b = 0; b < 64; b++)
		expect_equal("progress", b, counts[b], 3 * ((b < 24) + 1 + (b < 1)));

	const int blocks = 6, block = 48;
	std::vector<int> limits = {1, 5, 2, 9, 30, 3};
	int *out = device_array<int>(blocks * block);
	phases<<<blocks, block>>>(to_device(limits), out);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(out, blocks * block);
	for (int i = 0; i < blocks * block; i++) {
		int limit = limits[i / block];
		expect_equal("phases", i, got[i], (i % block + limit * (limit - 1) / 2) * 100 + limit);
	}
	return verdict();
}
