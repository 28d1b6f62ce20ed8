// features: dynamic-shared function-templates kernel-templates launch-in-template generic-pointers pointers-to-arrays references
// Two arrays of different types in one piece of dynamic shared memory: a moving average with a halo, by the pointer
// cast that programs use in templates, and device functions that get the pieces as arguments.
#include "check.h"

constexpr int RADIUS = 3;

template <typename T> __device__ T *carve(unsigned char *&cursor, int count) {
	T *piece = reinterpret_cast<T *>(cursor);
	cursor += (count * sizeof(T) + 15) / 16 * 16;
	return piece;
}

template <typename T> __device__ void load_tile(T *tile, const T *in, int n) {
	int first = (int)(blockIdx.x * blockDim.x) - RADIUS;
	for (int k = threadIdx.x; k < (int)blockDim.x + 2 * RADIUS; k += blockDim.x) {
		int at = first + k;
		tile[k] = at >= 0 && at < n ? in[at] : T(0);
	}
}

template <typename T> __device__ inline T window_sum(const T *centre) {
	T sum = 0;
	for (int d = -RADIUS; d <= RADIUS; d++)
		sum += centre[d];
	return sum;
}

template <typename T, typename Flag> __global__ void average(const T *in, T *out, int *above, int n, T limit) {
	extern __shared__ __align__(16) unsigned char raw[];
	unsigned char *cursor = raw;
	T *tile = carve<T>(cursor, blockDim.x + 2 * RADIUS);
	Flag *flags = carve<Flag>(cursor, blockDim.x);
	load_tile(tile, in, n);
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T value = window_sum(tile + threadIdx.x + RADIUS) / T(2 * RADIUS + 1);
	flags[threadIdx.x] = static_cast<Flag>(i < n && value > limit);
	if (i < n)
		out[i] = value;
	__syncthreads();
	if (threadIdx.x == 0) {
		int count = 0;
		for (unsigned k = 0; k < blockDim.x; k++)
			count += flags[k];
		above[blockIdx.x] = count;
	}
}

template <typename T, typename Flag> void test(const char *name, int n, int block) {
	std::vector<T> host(n), expected(n);
	Random random(n + block);
	for (T &value : host)
		value = T(random.below(1000)) / T(4);
	int blocks = (n + block - 1) / block, expected_above = 0;
	for (int i = 0; i < n; i++) {
		T sum = 0;
		for (int d = -RADIUS; d <= RADIUS; d++)
			sum += i + d >= 0 && i + d < n ? host[i + d] : T(0);
		expected[i] = sum / T(2 * RADIUS + 1);
		expected_above += expected[i] > T(120);
	}
	T *in = to_device(host), *out = device_array<T>(n);
	int *above = device_array<int>(blocks);
	size_t bytes = (block + 2 * RADIUS) * sizeof(T) + 16 + block * sizeof(Flag);
	average<T, Flag><<<blocks, block, bytes>>>(in, out, above, n, T(120));
	CHECK_LAUNCH();
	std::vector<T> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_near(name, i, got[i], expected[i], 1e-6);
	int total = 0;
	for (int count : to_host(above, blocks))
		total += count;
	expect(std::abs(total - expected_above) <= 2, "count of large averages");
	cudaFree(in);
	cudaFree(out);
	cudaFree(above);
}

int main() {
	test<float, unsigned char>("float", 10000, 256);
	test<double, int>("double", 777, 96);
	test<int, short>("int", 1000, 33);
	test<float, unsigned char>("small", 5, 64);
	return verdict();
}
