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
	char from[12] = "hello world", to[12] = "", *device;
	EXPECT(cudaMalloc((void **)&device, 64) == cudaSuccess);
	EXPECT(cudaMemcpy(device, from, 12, cudaMemcpyHostToDevice) == cudaSuccess);
	EXPECT(cudaMemcpy(to, device, 12, cudaMemcpyDeviceToHost) == cudaSuccess && strcmp(to, from) == 0);
	EXPECT(cudaMemcpyAsync(to, "HELLO", 5, cudaMemcpyDefault, NULL) == cudaSuccess && strcmp(to, "HELLO world") == 0);
	EXPECT(cudaMemcpy(to, device + 6, 6, cudaMemcpyDefault) == cudaSuccess && strcmp(to, "world") == 0);
	EXPECT(cudaMemcpy(device + 1, device, 12, cudaMemcpyDeviceToDevice) == cudaSuccess);
	EXPECT(strcmp(device, "hhello world") == 0);
	EXPECT(cudaMemcpy(to, from, 12, cudaMemcpyHostToHost) == cudaSuccess && strcmp(to, from) == 0);
	EXPECT(cudaMemcpy(to, from, 12, (enum cudaMemcpyKind)5) == cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault) == cudaSuccess);
	char grid[4 * 10], part[3 * 5];
	memset(part, '#', sizeof part);
	EXPECT(cudaMemset(device, '.', 40) == cudaSuccess);
	EXPECT(cudaMemcpy2D(device + 11, 10, part, 5, 5, 3, cudaMemcpyHostToDevice) == cudaSuccess);
	EXPECT(memcmp(device, "...........#####.....#####.....#####....", 40) == 0);
	EXPECT(cudaMemset2D(device + 11, 10, '*', 2, 2) == cudaSuccess);
	EXPECT(cudaMemcpy2D(grid, 10, device, 10, 10, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
	EXPECT(memcmp(grid, "...........**###.....**###.....#####....", 40) == 0);
	EXPECT(cudaMemcpy2D(device, 3, part, 5, 5, 3, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
	EXPECT(cudaMemset2D(device, 3, 0, 5, 3) == cudaErrorInvalidPitchValue);
	EXPECT(cudaFree(device) == cudaSuccess);
	cudaGetLastError();
}

/* What would go past an allocation, or to what is none, is refused and writes nothing. */
static inline void check_wild_copies(void) {
	static char host[4096];
	char *a, *b, *freed, *managed, *pinned;
	EXPECT(cudaMalloc((void **)&a, 256) == cudaSuccess && cudaMalloc((void **)&b, 256) == cudaSuccess);
	EXPECT(cudaMalloc((void **)&freed, 256) == cudaSuccess && cudaFree(freed) == cudaSuccess);
	EXPECT(cudaMallocManaged((void **)&managed, 300, cudaMemAttachGlobal) == cudaSuccess);
	EXPECT(cudaMallocHost((void **)&pinned, 300) == cudaSuccess);
	EXPECT(cudaMemset(a, 1, 256) == cudaSuccess && cudaMemset(b, 2, 256) == cudaSuccess);
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
	const enum cudaMemcpyKind across = cudaMemcpyDeviceToDevice, any = cudaMemcpyDefault;
	EXPECT(cudaMemcpy(a, host, 257, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(a, host, (size_t)4 << 20, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(a, host, SIZE_MAX, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(a + 255, host, 2, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(a - 1, host, 2, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(a - 1, host, 2, any) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(a + 256, host, 1, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(host, a, 257, out) == cudaErrorInvalidValue &&
		   cudaMemcpy(host, a, 257, any) == cudaErrorInvalidValue);
	EXPECT(
		cudaMemcpy(a, b, 257, across) == cudaErrorInvalidValue && cudaMemcpy(a, b, 257, any) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy((void *)16, host, 4, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(host, (void *)16, 4, out) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(NULL, host, 4, any) == cudaErrorInvalidValue &&
		   cudaMemcpy(host, NULL, 4, any) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(freed, host, 4, in) == cudaErrorInvalidValue && cudaMemset(freed, 0, 4) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(host, host + 8, 4, in) == cudaErrorInvalidValue &&
		   cudaMemcpy(host, host + 8, 4, out) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(host, a, 4, in) == cudaErrorInvalidValue); /* the wrong way round */
	EXPECT(cudaMemset(a, 0, 257) == cudaErrorInvalidValue && cudaMemset(host, 0, 4) == cudaErrorInvalidValue);
	EXPECT(cudaMemset(NULL, 0, 1) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy2D(a, 100, host, 100, 56, 3, in) == cudaSuccess);
	EXPECT(cudaMemcpy2D(a, 100, host, 100, 57, 3, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy2D(a, SIZE_MAX / 2, host, 100, 4, 4, in) == cudaErrorInvalidValue);
	EXPECT(cudaMemset2D(a, 100, 1, 57, 3) == cudaErrorInvalidValue);
	EXPECT(cudaMemset2D(a, 100, 1, 56, 3) == cudaSuccess);
	EXPECT(cudaMemcpy(managed, pinned, 300, any) == cudaSuccess && cudaMemcpy(pinned, managed, 300, in) == cudaSuccess);
	EXPECT(cudaMemcpy(pinned, managed, 301, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
	for (int i = 0; i < 256; i++)
		EXPECT(b[i] == 2 && (a[i] == 1 || i % 100 >= 56));
	EXPECT(cudaFree(a + 1) == cudaErrorInvalidValue);
	EXPECT(cudaFree(a) == cudaSuccess && cudaFree(b) == cudaSuccess && cudaFree(a) == cudaErrorInvalidValue);
	EXPECT(cudaFree(managed) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
	cudaGetLastError();
}

/* Memory that is never touched is not there either. */
static inline void check_memory_is_there(void) {
	enum { MOST = 4096 };
	static void *pointers[MOST];
	size_t free_bytes, total_bytes, bytes = (size_t)4 << 30;
	int count = 0;
	EXPECT(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess);
	while (count < MOST && cudaMalloc(&pointers[count], bytes) == cudaSuccess)
		count++;
	EXPECT(count == MOST || cudaGetLastError() == cudaErrorMemoryAllocation);
	EXPECT(count * bytes <= total_bytes);
	while (count > 0)
		EXPECT(cudaFree(pointers[--count]) == cudaSuccess);
	EXPECT(cudaGetLastError() == cudaSuccess);
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
	char id[16];
	EXPECT(cudaDeviceGetPCIBusId(id, 12, 0) == cudaErrorInvalidValue);
	EXPECT(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
	EXPECT(cudaDeviceGetByPCIBusId(&value, id) == cudaSuccess && value == 0);
	EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 0) == cudaSuccess && value == 1);
	cudaGetLastError();
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
	EXPECT(cudaEventDestroy(start) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaEventRecord(start, NULL) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaEventSynchronize(end) == cudaErrorInvalidResourceHandle &&
		   cudaEventQuery(NULL) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaEventElapsedTime(&ms, start, end) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
	EXPECT(cudaStreamSynchronize(NULL) == cudaSuccess && cudaStreamQuery(cudaStreamPerThread) == cudaSuccess);
	cudaGetLastError();
}

static inline void check_kinds_of_memory(void) {
	static char own[64];
	struct cudaPointerAttributes is;
	void *device, *host, *managed;
	EXPECT(cudaMalloc(&device, 100) == cudaSuccess);
	EXPECT(cudaMallocHost(&host, 100) == cudaSuccess);
	EXPECT(cudaMallocManaged(&managed, 100, cudaMemAttachHost) == cudaSuccess);
	EXPECT(cudaPointerGetAttributes(&is, (char *)device + 7) == cudaSuccess && is.type == cudaMemoryTypeDevice);
	EXPECT(is.devicePointer == (char *)device + 7 && !is.hostPointer && is.device == 0);
	EXPECT(cudaPointerGetAttributes(&is, host) == cudaSuccess && is.type == cudaMemoryTypeHost);
	EXPECT(is.hostPointer == host && is.devicePointer == host);
	EXPECT(cudaPointerGetAttributes(&is, managed) == cudaSuccess && is.type == cudaMemoryTypeManaged);
	EXPECT(cudaPointerGetAttributes(&is, own) == cudaSuccess && is.type == cudaMemoryTypeUnregistered);
	EXPECT(!is.devicePointer && is.hostPointer == own);
	EXPECT(cudaPointerGetAttributes(&is, NULL) == cudaErrorInvalidValue);

	EXPECT(cudaMemcpy(own, device, 10, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
	EXPECT(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped) == cudaSuccess);
	EXPECT(cudaPointerGetAttributes(&is, own + 3) == cudaSuccess && is.type == cudaMemoryTypeHost);
	EXPECT(cudaMemcpy(own, device, 10, cudaMemcpyDeviceToDevice) == cudaSuccess);
	EXPECT(cudaMemcpy(own + 60, device, 10, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
	EXPECT(cudaHostRegister(own + 8, 8, cudaHostRegisterDefault) == cudaErrorHostMemoryAlreadyRegistered);
	EXPECT(cudaHostRegister(host, 8, cudaHostRegisterDefault) == cudaErrorHostMemoryAlreadyRegistered);
	EXPECT(cudaHostRegister(NULL, 8, cudaHostRegisterDefault) == cudaErrorInvalidValue);
	EXPECT(cudaHostUnregister(own) == cudaSuccess && cudaHostUnregister(own) == cudaErrorHostMemoryNotRegistered);
	EXPECT(cudaFree(device) == cudaSuccess && cudaFreeHost(host) == cudaSuccess && cudaFree(managed) == cudaSuccess);
	EXPECT(cudaPointerGetAttributes(&is, managed) == cudaSuccess && is.type == cudaMemoryTypeUnregistered);
	cudaGetLastError();
}

static inline void check_pools_and_peers(void) {
	cudaMemPool_t pool, other = NULL;
	unsigned long long threshold = 0;
	int follows = 0, can = 1;
	void *memory;
	EXPECT(cudaMallocAsync(&memory, 100, NULL) == cudaSuccess && memory);
	EXPECT(cudaMemsetAsync(memory, 1, 100, NULL) == cudaSuccess && cudaFreeAsync(memory, NULL) == cudaSuccess);
	EXPECT(cudaFreeAsync(memory, NULL) == cudaErrorInvalidValue && cudaFreeAsync(NULL, NULL) == cudaSuccess);
	EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess && cudaDeviceGetMemPool(&other, 0) == cudaSuccess);
	EXPECT(pool == other && cudaDeviceSetMemPool(0, pool) == cudaSuccess);
	EXPECT(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaErrorInvalidDevice);
	EXPECT(cudaMallocFromPoolAsync(&memory, 100, pool, NULL) == cudaSuccess && cudaFree(memory) == cudaSuccess);
	threshold = ~0ull;
	EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
	threshold = 0;
	EXPECT(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
	EXPECT(threshold == ~0ull);
	EXPECT(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &follows) == cudaSuccess);
	EXPECT(follows == 1 && cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
	EXPECT(cudaMemPoolTrimTo(NULL, 0) == cudaErrorInvalidValue);

	EXPECT(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can == 0);
	EXPECT(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
	EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
	char *a, *b;
	EXPECT(cudaMalloc((void **)&a, 8) == cudaSuccess && cudaMalloc((void **)&b, 8) == cudaSuccess);
	EXPECT(cudaMemset(a, 5, 8) == cudaSuccess && cudaMemcpyPeer(b, 0, a, 0, 8) == cudaSuccess && b[7] == 5);
	EXPECT(cudaMemcpyPeer(b, 1, a, 0, 8) == cudaErrorInvalidDevice);
	struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, nowhere = {cudaMemLocationTypeDevice, 3};
	EXPECT(cudaMemPrefetchAsync(a, 8, here, 0, NULL) == cudaErrorInvalidValue);
	EXPECT(cudaMemAdvise(a, 8, cudaMemAdviseSetReadMostly, here) == cudaErrorInvalidValue);
	EXPECT(cudaFree(a) == cudaSuccess && cudaMallocManaged((void **)&a, 8, cudaMemAttachGlobal) == cudaSuccess);
	EXPECT(cudaMemPrefetchAsync(a, 8, here, 0, NULL) == cudaSuccess);
	EXPECT(cudaMemPrefetchAsync(a, 8, nowhere, 0, NULL) == cudaErrorInvalidDevice);
	EXPECT(cudaMemAdvise(a, 8, cudaMemAdviseSetReadMostly, here) == cudaSuccess);
	EXPECT(cudaFree(a) == cudaSuccess && cudaFree(b) == cudaSuccess);
	cudaGetLastError();
}

static inline void add_to(void *data) {
	++*(int *)data;
}

static inline void add_ten_to(cudaStream_t stream, cudaError_t status, void *data) {
	*(int *)data += stream && status == cudaSuccess ? 10 : 0;
}

static inline void check_functions_in_streams(void) {
	cudaStream_t stream;
	int least = 7, greatest = 7, priority = 7, called = 0;
	unsigned int flags = 7;
	EXPECT(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && least == 0 && greatest == 0);
	EXPECT(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest) == cudaSuccess);
	EXPECT(cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == 0);
	EXPECT(cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking);
	EXPECT(cudaStreamGetFlags(NULL, &flags) == cudaSuccess && flags == cudaStreamDefault);
	EXPECT(cudaLaunchHostFunc(stream, add_to, &called) == cudaSuccess);
	EXPECT(cudaStreamAddCallback(stream, add_ten_to, &called, 0) == cudaSuccess);
	EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && called == 11);
	EXPECT(cudaStreamAddCallback(stream, add_ten_to, &called, 1) == cudaErrorInvalidValue);
	int *managed;
	EXPECT(cudaMallocManaged((void **)&managed, 8, cudaMemAttachHost) == cudaSuccess);
	EXPECT(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle) == cudaSuccess);
	EXPECT(cudaStreamAttachMemAsync(stream, &called, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
	EXPECT(cudaFree(managed) == cudaSuccess);
	EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
	EXPECT(cudaLaunchHostFunc(stream, add_to, &called) == cudaErrorInvalidResourceHandle && called == 11);
	cudaGetLastError();
}

#endif
