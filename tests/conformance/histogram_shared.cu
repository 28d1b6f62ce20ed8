// features: value-parameters nested-structs function-templates kernel-templates constexpr methods device-variables symbol-address
// A histogram by atomic functions in shared memory, with bins in a struct, and a kernel that adds the parts up.
#include "check.h"

template <int BINS, int COPIES> struct SharedBins {
	static constexpr int PITCH = BINS + 1;
	struct Range {
		unsigned low, high;
	};
	unsigned count[COPIES * PITCH];
	Range range;

	__device__ void clear() {
		for (int k = threadIdx.x; k < COPIES * PITCH; k += blockDim.x)
			count[k] = 0;
		if (threadIdx.x == 0)
			range = {~0u, 0u};
		__syncthreads();
	}
	__device__ void add(unsigned value) {
		atomicAdd(&count[threadIdx.x % COPIES * PITCH + value % BINS], 1u);
		atomicMin(&range.low, value);
		atomicMax(&range.high, value);
	}
	__device__ unsigned total(int bin) const {
		unsigned sum = 0;
		for (int copy = 0; copy < COPIES; copy++)
			sum += count[copy * PITCH + bin];
		return sum;
	}
};

__device__ unsigned lowest = ~0u, highest = 0;

template <int BINS> __global__ void count_words(const uint4 *words, unsigned *parts, int n) {
	__shared__ SharedBins<BINS, 4> bins;
	bins.clear();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		uint4 four = words[i];
		bins.add(four.x);
		bins.add(four.y);
		bins.add(four.z);
		bins.add(four.w);
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
		parts[blockIdx.x * BINS + bin] = bins.total(bin);
	if (threadIdx.x == 0) {
		atomicMin(&lowest, bins.range.low);
		atomicMax(&highest, bins.range.high);
	}
}

template <int BINS> __global__ void merge(const unsigned *parts, unsigned *histogram, int count) {
	__shared__ unsigned data[64];
	unsigned sum = 0;
	for (int k = threadIdx.x; k < count; k += blockDim.x)
		sum += parts[k * BINS + blockIdx.x];
	data[threadIdx.x] = sum;
	for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
		__syncthreads();
		if (threadIdx.x < stride)
			data[threadIdx.x] += data[threadIdx.x + stride];
	}
	if (threadIdx.x == 0)
		histogram[blockIdx.x] = data[0];
}

template <int BINS> void test(int n) {
	std::vector<uint4> words(n);
	std::vector<unsigned> expected(BINS);
	unsigned low = ~0u, high = 0;
	Random random(BINS);
	for (uint4 &word : words) {
		unsigned *value = &word.x;
		for (int k = 0; k < 4; k++) {
			value[k] = 5 + random.below(BINS / 2) * random.below(3);
			expected[value[k] % BINS]++;
			low = std::min(low, value[k]);
			high = std::max(high, value[k]);
		}
	}
	const int blocks = 9;
	uint4 *d_words = to_device(words);
	unsigned *parts = device_array<unsigned>(blocks * BINS), *histogram = device_array<unsigned>(BINS);
	unsigned start = ~0u, *address;
	CHECK(cudaMemcpyToSymbol(lowest, &start, sizeof start));
	CHECK(cudaGetSymbolAddress((void **)&address, highest));
	CHECK(cudaMemset(address, 0, sizeof(unsigned)));
	count_words<BINS><<<blocks, 192>>>(d_words, parts, n);
	merge<BINS><<<BINS, 64>>>(parts, histogram, blocks);
	CHECK_LAUNCH();
	std::vector<unsigned> got = to_host(histogram, BINS);
	for (int bin = 0; bin < BINS; bin++)
		expect_equal("bin", bin, got[bin], expected[bin]);
	CHECK(cudaMemcpyFromSymbol(&start, lowest, sizeof start));
	expect_equal("lowest", 0, start, low);
	expect_equal("highest", 0, to_host(address, 1)[0], high);
}

int main() {
	test<64>(5000);
	test<256>(20000);
	test<1024>(3000);
	return verdict();
}
