// cuda_runtime.h in C++, and launches as the host part of a .cu file makes them.
#include <device_launch_parameters.h>
#include <pthread.h>

#include "api.h"
#include "s2s.h"

extern "C" {
extern const struct s2s_kernel kernel_null, kernel_sum, kernel_illegal;
}

// What `__global__ void fill(char tag, double value, double *x, int n)` is compiled to.
struct fill_args {
	char tag;
	double value;
	double *x;
	int n;
};

static void fill_range(const s2s_launch *launch, void *, uint64_t first, uint64_t end) {
	const fill_args *args = (const fill_args *)launch->args;
	for (uint64_t block = first; block < end; block++)
		for (uint32_t thread = 0; thread < launch->threads; thread++)
			if ((int)(block * launch->threads + thread) < args->n)
				args->x[block * launch->threads + thread] = args->value + args->tag;
}

static void fill_gang(s2s_gang *gang) {
	if (gang->first_thread == 0) {
		uint64_t block = gang->block.x;
		fill_range(gang->launch, nullptr, block, block + 1);
	}
}

static const uint32_t fill_offsets[] = {0, 8, 16, 24}, fill_sizes[] = {1, 8, 8, 4};
static const s2s_kernel kernel_fill = {"fill", {fill_range, fill_range}, {fill_gang, fill_gang}, fill_offsets,
	fill_sizes, 4, 28, 0, 256, 0, 0, 16, 0, nullptr, 0, 0};

// What the host part makes of the kernels.
static void fill(char tag, double value, double *x, int n) {
	void *s2s_args[] = {(void *)&tag, (void *)&value, (void *)&x, (void *)&n};
	s2s_launch_pushed(&kernel_fill, s2s_args);
}

static void null(int *x) {
	void *s2s_args[] = {(void *)&x};
	s2s_launch_pushed(&kernel_null, s2s_args);
}

static void illegal(int *x) {
	void *s2s_args[] = {(void *)&x};
	s2s_launch_pushed(&kernel_illegal, s2s_args);
}

static int fill_first(double *x, int n) {
	(s2s_push_call(1, 256) ? (void)0 : fill(1, 40, x, n));
	return n;
}

static void check_launches() {
	double *x;
	const int n = 1000;
	EXPECT(cudaMalloc(&x, n * sizeof *x) == cudaSuccess);
	(s2s_push_call((n + 255) / 256, 256) ? (void)0 : fill(2, 0.5, x, n));
	EXPECT(cudaGetLastError() == cudaSuccess && x[0] == 2.5 && x[n - 1] == 2.5);
	dim3 grid(4), block = 256;
	(s2s_push_call(grid, block, 0, cudaStreamLegacy) ? (void)0 : fill(3, 0, x, fill_first(x, n)));
	EXPECT(x[0] == 3 && x[n - 1] == 3);
	fill(9, 9, x, n);
	EXPECT(cudaGetLastError() == cudaErrorMissingConfiguration && x[0] == 3);
	(s2s_push_call(0, 256) ? (void)0 : fill(4, 0, x, n));
	EXPECT(cudaDeviceSynchronize() == cudaSuccess);
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess && x[0] == 3);
	(s2s_push_call(1, 512) ? (void)0 : fill(4, 0, x, n)); // above its launch bounds
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
	(s2s_push_call(1, 32, 50000) ? (void)0 : fill(4, 0, x, n));
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue && x[0] == 3);
	EXPECT(cudaFree(x) == cudaSuccess);
}

static void *expect_fault(void *code) {
	EXPECT(cudaDeviceSynchronize() == *(cudaError_t *)code && cudaPeekAtLastError() == *(cudaError_t *)code);
	return nullptr;
}

// After a kernel that failed every call of every thread fails, until the device is reset.
static void check_faults_stay(void (*kernel)(int *), cudaError_t code) {
	int host = 0, count = 0;
	double *x, *y = nullptr;
	size_t bytes;
	void *handle;
	cudaEvent_t event;
	EXPECT(cudaMalloc(&x, 8 * 256) == cudaSuccess && cudaMemset(x, 0, 8 * 256) == cudaSuccess);
	(s2s_push_call(0, 256) ? (void)0 : fill(4, 0, x, 256));
	(s2s_push_call(4, 32) ? (void)0 : kernel(&host));
	for (int i = 0; i < 3; i++) {
		EXPECT(cudaPeekAtLastError() == code && cudaGetLastError() == code);
		EXPECT(cudaDeviceSynchronize() == code && cudaStreamSynchronize(nullptr) == code);
		EXPECT(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost) == code && cudaMemset(x, 1, 8) == code);
		EXPECT(cudaMalloc(&y, 8) == code && !y && cudaMemGetInfo(&bytes, &bytes) == code);
		EXPECT(cudaEventCreate(&event) == code && cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == code);
		EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
		(s2s_push_call(1, 256) ? (void)0 : fill(2, 0.5, x, 256));
		EXPECT(x[0] == 0);
	}
	pthread_t thread;
	EXPECT(pthread_create(&thread, nullptr, expect_fault, &code) == 0 && pthread_join(thread, &handle) == 0);
	EXPECT(cudaDeviceReset() == cudaSuccess && cudaGetLastError() == cudaSuccess);
	(s2s_push_call(1, 256) ? (void)0 : fill(2, 0.5, x, 256));
	EXPECT(cudaDeviceSynchronize() == cudaSuccess && x[0] == 2.5 && cudaFree(x) == cudaSuccess);
	(s2s_push_call(4, 32) ? (void)0 : kernel(&host));
	EXPECT(cudaMalloc(&x, 8) == code && cudaFree(nullptr) == code);
	EXPECT(cudaDeviceReset() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
}

template <class T> static void check_typed_allocation() {
	T *a = nullptr, *b = nullptr, *c = nullptr;
	EXPECT(cudaMalloc(&a, 8 * sizeof *a) == cudaSuccess && cudaMallocManaged(&b, 8) == cudaSuccess);
	EXPECT(cudaMallocHost(&c, 8) == cudaSuccess);
	EXPECT(cudaFree(a) == cudaSuccess && cudaFree(b) == cudaSuccess && cudaFreeHost(c) == cudaSuccess);
}

// Large arrays begin where CUDA promises, and neighbours not at the same place of a page.
static void check_large_allocations() {
	const size_t large = 3 << 20;
	char *array[40];
	for (int i = 0; i < 40; i++) {
		EXPECT(cudaMalloc(&array[i], large + i) == cudaSuccess && (size_t)array[i] % 256 == 0);
		EXPECT(cudaMemset(array[i], i, large + i) == cudaSuccess);
		for (int j = i - 1; j >= 0 && j > i - 8; j--)
			EXPECT((size_t)array[i] % 4096 != (size_t)array[j] % 4096);
	}
	for (int i = 0; i < 40; i++)
		EXPECT(array[i][0] == i && array[i][large + i - 1] == i && cudaFree(array[i]) == cudaSuccess);
	EXPECT(cudaFree(array[7]) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
}

#ifdef __CUDACC__
// What .cu files use on the host as if it were C++.
static void check_min_max() {
	EXPECT(min(3, 4) == 3 && max(3u, 4) == 4u && max(-1, 1u) == 0xffffffffu && min(5ul, 7l) == 5);
	EXPECT(min(2.5f, 1.0) == 1.0 && max(1.5f, 0.5f) == 1.5f && max(0.0 / 0.0, 1.0) == 1.0);
	EXPECT(rsqrtf(4) == 0.5f && rsqrt(16.0) == 0.25 && rsqrt(4.0f) == 0.5f);
}
#endif

int main() {
	check_large_allocations();
	static_assert(sizeof(dim3) == 12 && dim3(2).y == 1, "dim3");
	uint3 u = dim3(1, 2, 3);
	EXPECT(u.z == 3 && dim3(u).y == 2);
	check_memory();
	check_copies();
	check_wild_copies();
	check_memory_is_there();
	check_device();
	check_events();
	check_kinds_of_memory();
	check_pools_and_peers();
	check_functions_in_streams();
	check_typed_allocation<float>();
	check_typed_allocation<float *>();
	EXPECT(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1) == cudaSuccess);
	int blocks = -1;
	EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0) == cudaSuccess && blocks == 1);
	EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1056, 0) == cudaSuccess && blocks == 0);
	EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, 32, 50000, 0) == cudaSuccess);
	EXPECT(blocks == 0 && cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0) == cudaErrorInvalidValue);
	cudaGetLastError();
#ifdef __CUDACC__
	check_min_max();
#endif
	check_launches();
	check_faults_stay(null, cudaErrorIllegalAddress);
	check_faults_stay(illegal, cudaErrorIllegalInstruction);
	puts("done");
	return 0;
}
