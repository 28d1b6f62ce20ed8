/* CUB: an allocator, and what says that a call failed. */
#ifndef S2S_CUB_UTIL_ALLOCATOR_CUH
#define S2S_CUB_UTIL_ALLOCATOR_CUH

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CUB_RUNTIME_FUNCTION
#define CUB_RUNTIME_FUNCTION
#endif
#define CUB_VERSION 200800
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 8
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX

namespace cub {

inline cudaError_t Debug(cudaError_t error, const char *file, int line) {
	if (error != cudaSuccess)
		fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line, cudaGetErrorString(error));
	return error;
}

/* The runtime's allocations are cheap: there is nothing to keep. */
struct CachingDeviceAllocator {
	explicit CachingDeviceAllocator(bool = false, bool = false) {
	}
	CachingDeviceAllocator(unsigned, unsigned = 1, unsigned = 9, size_t = 0, bool = false, bool = false) {
	}
	cudaError_t DeviceAllocate(void **memory, size_t bytes, cudaStream_t = 0) {
		return cudaMalloc(memory, bytes);
	}
	cudaError_t DeviceAllocate(int, void **memory, size_t bytes, cudaStream_t = 0) {
		return cudaMalloc(memory, bytes);
	}
	cudaError_t DeviceFree(void *memory) {
		return cudaFree(memory);
	}
	cudaError_t DeviceFree(int, void *memory) {
		return cudaFree(memory);
	}
	cudaError_t FreeAllCached() {
		return cudaSuccess;
	}
};

} /* namespace cub */

#ifndef CubDebug
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#endif
#ifndef CubDebugExit
#define CubDebugExit(e)                                                                                                \
	if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) {                                                            \
		exit(1);                                                                                                       \
	}
#endif

#endif
