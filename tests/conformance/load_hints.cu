// features: load-store-hints assume grid-constant trap volatile alignment function-templates generic-pointers
// Loads and stores with hints of all kinds, promises to the compiler, parameters in constant memory, and __trap in a
// child process.
#include <cstring>
#include <string>

#include "check.h"

struct Parameters {
	int n, stride;
	float weights[60];
	__device__ float weight(int i) const { return weights[i % 60]; }
};

template <typename T> __device__ T load(const T *p, int how) {
	switch (how % 6) {
	case 0: return __ldg(p);
	case 1: return __ldcg(p);
	case 2: return __ldca(p);
	case 3: return __ldcs(p);
	case 4: return __ldlu(p);
	default: return __ldcv(p);
	}
}
template <typename T> __device__ void store(T *p, T x, int how) {
	switch (how & 3) {
	case 0: __stwb(p, x); break;
	case 1: __stcg(p, x); break;
	case 2: __stcs(p, x); break;
	default: __stwt(p, x); break;
	}
}

__device__ float weighted(const float *values, const Parameters &parameters, int from, int count) {
	__builtin_assume(count > 0 && count <= 8);
	float sum = 0;
	for (int k = 0; k < count; k++)
		sum += values[k] * parameters.weight(from + k);
	return sum;
}

template <typename T> __global__ void copy(const T *__restrict__ in, T *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		store(out + i, load(in + i, i), i / 7);
}

__global__ void combine(const float *in, float *out, const __grid_constant__ Parameters parameters) {
	const float *aligned = static_cast<const float *>(__builtin_assume_aligned(in, 16));
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (__builtin_expect(i >= parameters.n, 0))
		return;
	float local[8];
	const int count = 1 + i % 8;
	for (int k = 0; k < count; k++)
		local[k] = aligned[(i + k * parameters.stride) % parameters.n];
	const float *source = i % 2 ? local : parameters.weights; // local or parameter memory
	out[i] = weighted(source, parameters, i, count);
}

__global__ void check(const int *in, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && in[i] < 0)
		__trap();
}

template <typename T, typename Make> void test(const char *name, Make make) {
	const int n = 500;
	std::vector<T> in(n);
	for (int i = 0; i < n; i++)
		in[i] = make(i);
	T *out = device_array<T>(n);
	copy<<<8, 64>>>(to_device(in), out, n);
	CHECK_LAUNCH();
	std::vector<T> got = to_host(out, n);
	expect(memcmp(got.data(), in.data(), n * sizeof(T)) == 0, name);
}

int main(int argc, char **argv) {
	if (argc > 1 && strcmp(argv[1], "--trap") == 0) {
		check<<<1, 64>>>(to_device(std::vector<int>{1, 2, -3}), 3);
		return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
	}
	test<int>("int", [](int i) { return i * i; });
	test<unsigned char>("unsigned char", [](int i) { return (unsigned char)i; });
	test<double>("double", [](int i) { return i / 3.0; });
	test<long long>("long long", [](int i) { return (long long)i << 35; });
	test<float4>("float4", [](int i) { return make_float4(i, -i, 1, 2); });
	test<short2>("short2", [](int i) { return make_short2((short)i, 7); });
	test<uint2>("uint2", [](int i) { return make_uint2(i, 1u << 31); });

	const int n = 300;
	Parameters parameters = {n, 17, {}};
	for (int k = 0; k < 60; k++)
		parameters.weights[k] = k * 0.125f - 2;
	std::vector<float> in(n);
	for (int i = 0; i < n; i++)
		in[i] = i % 13 * 0.5f;
	float *out = device_array<float>(n);
	combine<<<5, 64>>>(to_device(in), out, parameters);
	check<<<1, 64>>>(to_device(std::vector<int>(64, 1)), 64);
	CHECK_LAUNCH();
	std::vector<float> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		float sum = 0;
		for (int k = 0; k < 1 + i % 8; k++)
			sum += (i % 2 ? in[(i + k * 17) % n] : parameters.weights[k]) * parameters.weights[(i + k) % 60];
		expect_near("combined", i, got[i], sum, 1e-5);
	}
	std::string command = std::string("'") + argv[0] + "' --trap 2>/dev/null";
	expect(system(command.c_str()) == 7 << 8, "a trap ends the launch with an error");
	return verdict();
}
