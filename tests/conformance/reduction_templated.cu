// features: function-templates value-parameters dynamic-shared partial-specialisation specialisation kernel-templates launch-in-template static-assert
// A sum of n numbers of any type: dynamic shared memory behind a class that is specialised for each type, a kernel
// template over type, block size and whether n is a power of two, chosen by a switch in a host template.
#include "check.h"

template <class T> struct SharedMemory {
	__device__ inline operator T *() {
		extern __shared__ int shared_int[];
		return (T *)shared_int;
	}
	__device__ inline operator const T *() const {
		extern __shared__ int shared_int[];
		return (T *)shared_int;
	}
};

// Doubles need another alignment, hence another name.
template <> struct SharedMemory<double> {
	__device__ inline operator double *() {
		extern __shared__ double shared_double[];
		return (double *)shared_double;
	}
	__device__ inline operator const double *() const {
		extern __shared__ double shared_double[];
		return (double *)shared_double;
	}
};

template <class T, unsigned BLOCK, bool POWER_OF_TWO>
__global__ void reduce(const T *__restrict__ in, T *__restrict__ out, unsigned n) {
	static_assert((BLOCK & (BLOCK - 1)) == 0, "the tree needs a power of two");
	T *shared = SharedMemory<T>();
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * BLOCK * 2 + threadIdx.x;
	const unsigned stride = BLOCK * 2 * gridDim.x;
	T mine = 0;
	while (i < n) {
		mine += in[i];
		if (POWER_OF_TWO || i + BLOCK < n)
			mine += in[i + BLOCK];
		i += stride;
	}
	shared[tid] = mine;
	__syncthreads();
	if (BLOCK >= 512) {
		if (tid < 256)
			shared[tid] = mine = mine + shared[tid + 256];
		__syncthreads();
	}
	if (BLOCK >= 256) {
		if (tid < 128)
			shared[tid] = mine = mine + shared[tid + 128];
		__syncthreads();
	}
	if (BLOCK >= 128) {
		if (tid < 64)
			shared[tid] = mine = mine + shared[tid + 64];
		__syncthreads();
	}
#pragma unroll
	for (unsigned half = BLOCK < 64 ? BLOCK / 2 : 32; half > 0; half >>= 1) {
		if (tid < half)
			shared[tid] = mine = mine + shared[tid + half];
		__syncthreads();
	}
	if (tid == 0)
		out[blockIdx.x] = mine;
}

template <class T, bool POWER_OF_TWO> void launch(const T *in, T *out, unsigned n, int blocks, int threads) {
	size_t bytes = threads * sizeof(T);
	switch (threads) {
	case 512: reduce<T, 512, POWER_OF_TWO><<<blocks, threads, bytes>>>(in, out, n); break;
	case 256: reduce<T, 256, POWER_OF_TWO><<<blocks, threads, bytes>>>(in, out, n); break;
	case 128: reduce<T, 128, POWER_OF_TWO><<<blocks, threads, bytes>>>(in, out, n); break;
	case 64: reduce<T, 64, POWER_OF_TWO><<<blocks, threads, bytes>>>(in, out, n); break;
	case 32: reduce<T, 32, POWER_OF_TWO><<<blocks, threads, bytes>>>(in, out, n); break;
	default: printf("FAIL no kernel for %d threads\n", threads); exit(1);
	}
}

template <class T> void test(const char *name, unsigned n, int threads, double tolerance) {
	std::vector<T> host(n);
	Random random(n);
	double expected = 0;
	for (T &value : host) {
		value = (T)(random.below(64) - 16) / (T)2;
		expected += (double)value;
	}
	const int blocks = 7;
	T *in = to_device(host), *out = device_array<T>(blocks);
	if ((n & (n - 1)) == 0)
		launch<T, true>(in, out, n, blocks, threads);
	else
		launch<T, false>(in, out, n, blocks, threads);
	CHECK_LAUNCH();
	double sum = 0;
	for (T partial : to_host(out, blocks))
		sum += (double)partial;
	expect_near(name, n, sum, expected, tolerance);
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}

int main() {
	for (int threads : {32, 64, 128, 256, 512})
		for (unsigned n : {1u << 14, 10007u}) {
			test<int>("int", n, threads, 0);
			test<float>("float", n, threads, 1e-6);
			test<double>("double", n, threads, 1e-12);
		}
	return verdict();
}
