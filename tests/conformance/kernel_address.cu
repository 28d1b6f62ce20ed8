// features: kernel-address kernel-templates explicit-instantiation dynamic-shared function-pointers launch-in-template decltype nullptr
// Instances of kernel templates as values: attributes, tables of pointers, cudaLaunchKernel, dynamic shared memory.
#include "check.h"

template <typename T> __global__ void scale(T *data, T by, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		data[i] *= by;
}
template <typename T, int BYTES> __global__ void with_shared(T *data, int n) {
	__shared__ char padding[BYTES];
	padding[threadIdx.x % BYTES] = (char)(data[0] * 0);
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		data[i] += T(BYTES) + padding[0];
}
template <typename T> __global__ void __launch_bounds__(128) reverse_blocks(T *data, int n) {
	extern __shared__ unsigned char raw[];
	T *shared = reinterpret_cast<T *>(raw);
	int i = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.x * blockDim.x;
	int count = min((int)blockDim.x, n - first);
	if (i < n)
		shared[threadIdx.x] = data[i];
	__syncthreads();
	if (i < n)
		data[i] = shared[count - 1 - threadIdx.x];
}
template __global__ void reverse_blocks<short>(short *, int);

typedef void (*ScaleFloats)(float *, float, int);

template <typename T> void launch_by_address(void (*kernel)(T *, int), T *data, int n, size_t shared) {
	void *arguments[] = {&data, &n};
	dim3 grid((n + 63) / 64), block(64);
	CHECK(cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, (cudaStream_t)0));
}

template <typename T> int largest_block(void (*kernel)(T *, int)) {
	cudaFuncAttributes attributes;
	CHECK(cudaFuncGetAttributes(&attributes, kernel));
	return attributes.maxThreadsPerBlock;
}

template <typename T> void test(const char *name) {
	const int n = 200;
	std::vector<T> host(n);
	for (int i = 0; i < n; i++)
		host[i] = T(i + 1);
	T *data = to_device(host);

	cudaFuncAttributes attributes;
	CHECK(cudaFuncGetAttributes(&attributes, scale<T>));
	expect(attributes.maxThreadsPerBlock >= 256, "threads of a block");
	expect(attributes.sharedSizeBytes == 0, "no shared memory");
	CHECK(cudaFuncGetAttributes(&attributes, with_shared<T, 256>));
	expect(attributes.sharedSizeBytes >= 256 && attributes.sharedSizeBytes < 512, "static shared memory");
	expect(largest_block(reverse_blocks<T>) == 128, "launch bounds");

	T by = 2;
	int count = n;
	void *arguments[] = {(void *)&data, (void *)&by, (void *)&count};
	CHECK(cudaLaunchKernel((void *)scale<T>, dim3(4), dim3(64), arguments, 0, nullptr));
	launch_by_address(&with_shared<T, 16>, data, n, 0);
	auto reverse = reverse_blocks<T>;
	CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 32 * 1024));
	launch_by_address<T>(reverse, data, n, 64 * sizeof(T));
	reverse<<<4, 64, 64 * sizeof(T)>>>(data, n);
	decltype(&with_shared<T, 1>) table[] = {with_shared<T, 1>, with_shared<T, 2>, reverse_blocks<T>, nullptr};
	for (int k = 0; table[k]; k++)
		table[k]<<<4, 64, 64 * sizeof(T)>>>(data, n);
	CHECK_LAUNCH();
	std::vector<T> got = to_host(data, n);
	for (int i = 0; i < n; i++) {
		int first = i / 64 * 64, size = n - first < 64 ? n - first : 64, from = first + size - 1 - (i - first);
		expect_equal(name, i, got[i], T((from + 1) * 2 + 16 + 1 + 2));
	}
	cudaFree(data);
}

int main() {
	test<int>("int");
	test<float>("float");
	test<double>("double");
	ScaleFloats f = scale;
	std::vector<float> ones(10, 1.0f);
	float *data = to_device(ones);
	(*f)<<<1, 32>>>(data, 2.5f, 10);
	f<<<1, 32>>>(data, 2.0f, 5);
	int blocks = 0;
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale<double>, 128, 0));
	expect(blocks >= 1, "a block fits");
	CHECK(cudaFuncSetCacheConfig(scale<float>, cudaFuncCachePreferL1));
	CHECK_LAUNCH();
	std::vector<float> got = to_host(data, 10);
	for (int i = 0; i < 10; i++)
		expect_near("scaled", i, got[i], i < 5 ? 5.0f : 2.5f, 0);
	return verdict();
}
