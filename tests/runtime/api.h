/* Checks of cuda_runtime.h that are the same in C and C++. */
#ifndef S2S_TEST_API_H
#define S2S_TEST_API_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime.h"

#define EXPECT(CONDITION)                                                                                              \
	do {                                                                                                               \
		if (!(CONDITION)) {                                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                                            \
			exit(1);                                                                                                   \
		}                                                                                                              \
	} while (0)

static inline void check_memory(void) {
	void *pointers[1000];
	for (int i = 0; i < 1000; i++) {
		EXPECT(cudaMalloc(&pointers[i], (size_t)(i + 1) * 7) == cudaSuccess);
		EXPECT((uintptr_t)pointers[i] % 64 == 0);
		EXPECT(cudaMemset(pointers[i], i, (size_t)(i + 1) * 7) == cudaSuccess);
	}
	for (int i = 999; i >= 0; i -= 2)
		EXPECT(cudaFree(pointers[i]) == cudaSuccess);
	for (int i = 0; i < 1000; i += 2) {
		EXPECT(*(unsigned char *)pointers[i] == i % 256);
		EXPECT(cudaFree(pointers[i]) == cudaSuccess);
	}
	EXPECT(cudaFree(pointers[0]) == cudaErrorInvalidValue);
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
	EXPECT(cudaFree(&pointers) == cudaErrorInvalidValue);
	EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
	EXPECT(cudaGetLastError() == cudaSuccess);
	EXPECT(cudaFree(NULL) == cudaSuccess);
	void *pointer = &pointers;
	EXPECT(cudaMalloc(&pointer, (size_t)8 << 30) == cudaErrorMemoryAllocation && pointer == NULL);
	EXPECT(cudaMalloc(&pointer, SIZE_MAX) == cudaErrorMemoryAllocation);
	EXPECT(cudaMalloc(&pointer, 0) == cudaSuccess && pointer == NULL);
	EXPECT(cudaMalloc((void **)NULL, 8) == cudaErrorInvalidValue);
	EXPECT(cudaMallocHost(&pointer, 100) == cudaSuccess && cudaFreeHost(pointer) == cudaSuccess);
	EXPECT(cudaHostAlloc(&pointer, 100, cudaHostAllocMapped) == cudaSuccess && cudaFreeHost(pointer) == cudaSuccess);
	EXPECT(cudaMallocManaged(&pointer, 100, cudaMemAttachGlobal) == cudaSuccess && cudaFree(pointer) == cudaSuccess);
	size_t free_bytes, total_bytes;
	EXPECT(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess && 0 < free_bytes && free_bytes <= total_bytes);
	cudaGetLastError();
}

static inline void check_copies(void) {
	char from[12] = "hello world", to[12] = "";
	EXPECT(cudaMemcpy(to, from, 12, cudaMemcpyHostToDevice) == cudaSuccess && strcmp(to, from) == 0);
	EXPECT(cudaMemcpyAsync(to, "HELLO", 5, cudaMemcpyDefault, NULL) == cudaSuccess && strcmp(to, "HELLO world") == 0);
	EXPECT(cudaMemcpy(to, from, 12, (enum cudaMemcpyKind)5) == cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpy(NULL, from, 12, cudaMemcpyDefault) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault) == cudaSuccess);
	EXPECT(cudaMemset(NULL, 0, 1) == cudaErrorInvalidValue);
	char grid[4 * 10], part[3 * 5];
	memset(grid, '.', sizeof grid);
	memset(part, '#', sizeof part);
	EXPECT(cudaMemcpy2D(grid + 11, 10, part, 5, 5, 3, cudaMemcpyHostToDevice) == cudaSuccess);
	EXPECT(memcmp(grid, "...........#####.....#####.....#####....", 40) == 0);
	EXPECT(cudaMemset2D(grid + 11, 10, '*', 2, 2) == cudaSuccess);
	EXPECT(memcmp(grid, "...........**###.....**###.....#####....", 40) == 0);
	EXPECT(cudaMemcpy2D(grid, 3, part, 5, 5, 3, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
	cudaGetLastError();
}

static inline void check_device(void) {
	int count = 0, device = 7;
	struct cudaDeviceProp properties;
	EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
	EXPECT(cudaSetDevice(0) == cudaSuccess && cudaSetDevice(1) == cudaErrorInvalidDevice);
	EXPECT(cudaGetDevice(&device) == cudaSuccess && device == 0);
	EXPECT(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
	EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
	int value = 0;
	EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess && value == 32);
	EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, 0) == cudaSuccess && value == 64);
	EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
	EXPECT(value == properties.multiProcessorCount);
	EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
	EXPECT(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0) == cudaErrorInvalidValue);
	EXPECT(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0) == cudaErrorInvalidValue);
	EXPECT(strlen(properties.name) > 0 && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
	EXPECT(properties.multiProcessorCount >= 1 && properties.sharedMemPerBlock == 49152);
	EXPECT(properties.totalGlobalMem > (1 << 20));
	size_t bytes;
	EXPECT(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 17) == cudaSuccess);
	EXPECT(cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess && bytes == 1 << 17);
	EXPECT(cudaDeviceSetLimit(cudaLimitStackSize, SIZE_MAX) == cudaErrorInvalidValue);
	EXPECT(cudaDeviceSetLimit((enum cudaLimit)99, 1) == cudaErrorUnsupportedLimit);
	EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration") == 0);
	EXPECT(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
	EXPECT(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
	EXPECT(cudaDeviceSynchronize() == cudaSuccess && cudaThreadSynchronize() == cudaSuccess);
	EXPECT(cudaDeviceReset() == cudaSuccess && cudaThreadExit() == cudaSuccess);
	EXPECT(cudaGetLastError() == cudaSuccess);
}

static inline void check_events(void) {
	cudaEvent_t start, end;
	cudaStream_t stream;
	float ms = -1;
	EXPECT(cudaEventCreate(&start) == cudaSuccess && cudaEventCreateWithFlags(&end, 0) == cudaSuccess);
	EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
	EXPECT(cudaEventRecord(start, stream) == cudaSuccess);
	EXPECT(cudaEventElapsedTime(&ms, start, end) == cudaErrorInvalidResourceHandle);
	for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 1000;)
		;
	EXPECT(cudaEventRecord(end, NULL) == cudaSuccess);
	EXPECT(cudaEventSynchronize(end) == cudaSuccess && cudaEventQuery(end) == cudaSuccess);
	EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
	EXPECT(cudaEventElapsedTime(&ms, start, end) == cudaSuccess && ms > 0.01f && ms < 10000);
	EXPECT(cudaEventElapsedTime(&ms, end, start) == cudaSuccess && ms < 0);
	EXPECT(cudaStreamDestroy(stream) == cudaSuccess && cudaStreamDestroy(NULL) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(end) == cudaSuccess);
	cudaGetLastError();
}

#endif
