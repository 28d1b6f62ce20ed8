/* The device, streams and events: the rest of cuda_runtime.h. */
#define _GNU_SOURCE
#include "host.h"
#include "ranges.h"
#include "s2s.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the device ---- */

enum { PRINTF_FIFO_BYTES = 1 << 20 }; /* CUDA's default; nothing depends on it here */

static _Atomic size_t printf_fifo_bytes = PRINTF_FIFO_BYTES;

cudaError_t cudaGetDeviceCount(int *count) {
	if (!count)
		return s2s_note(cudaErrorInvalidValue);
	*count = 1;
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
	return s2s_note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int *device) {
	if (!device)
		return s2s_note(cudaErrorInvalidValue);
	*device = 0;
	return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
	return properties ? cudaGetDevice(device) : s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
	(void)flags;
	return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
	return cudaRuntimeGetVersion(version);
}

cudaError_t cudaRuntimeGetVersion(int *version) {
	if (!version)
		return s2s_note(cudaErrorInvalidValue);
	*version = CUDART_VERSION;
	return cudaSuccess;
}

/* Put the CPU's name and clock, as /proc/cpuinfo has them, in *properties. */
static void describe_cpu(struct cudaDeviceProp *properties) {
	snprintf(properties->name, sizeof properties->name, "x86-64 CPU");
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[512];
	bool has_name = false;
	while (file && fgets(line, sizeof line, file)) {
		char *colon = strchr(line, ':');
		if (!colon || colon[1] != ' ')
			continue;
		char *value = colon + 2;
		value[strcspn(value, "\n")] = '\0';
		if (!has_name && strncmp(line, "model name", 10) == 0) {
			snprintf(properties->name, sizeof properties->name, "%s", value);
			has_name = true;
		} else if (properties->clockRate == 0 && strncmp(line, "cpu MHz", 7) == 0) {
			properties->clockRate = (int)(atof(value) * 1000);
		}
	}
	if (file)
		fclose(file);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
	if (!properties)
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	uint32_t hthreads;
	s2s_configuration(&hthreads, NULL, NULL);
	long l2_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
	*properties = (struct cudaDeviceProp){
		.totalGlobalMem = s2s_memory_bytes(),
		.sharedMemPerBlock = BLOCK_SHARED_BYTES,
		.regsPerBlock = 65536,
		.warpSize = 32,
		.memPitch = INT32_MAX,
		.maxThreadsPerBlock = BLOCK_THREADS,
		.maxThreadsDim = {1024, 1024, 64},
		.maxGridSize = {INT32_MAX, 65535, 65535},
		.totalConstMem = 64 << 10,
		.major = 9,
		.minor = 0,
		.textureAlignment = 512,
		.texturePitchAlignment = 32,
		.multiProcessorCount = (int)hthreads,
		.integrated = 1,
		.canMapHostMemory = 1,
		.computeMode = cudaComputeModeDefault,
		.unifiedAddressing = 1,
		.l2CacheSize = l2_bytes > 0 ? (int)l2_bytes : 0,
		.maxThreadsPerMultiProcessor = BLOCK_THREADS,
		.globalL1CacheSupported = 1,
		.localL1CacheSupported = 1,
		.sharedMemPerMultiprocessor = S2S_MOST_SHARED_BYTES + 1024, /* CUDA keeps 1 KiB of it for itself */
		.regsPerMultiprocessor = 65536,
		.managedMemory = 1,
		.hostNativeAtomicSupported = 1,
		.singleToDoublePrecisionPerfRatio = 2,
		.pageableMemoryAccess = 1,
		.concurrentManagedAccess = 1,
		.canUseHostPointerForRegisteredMem = 1,
		.sharedMemPerBlockOptin = S2S_MOST_SHARED_BYTES,
		.pageableMemoryAccessUsesHostPageTables = 1,
		.directManagedMemAccessFromHost = 1,
		.maxBlocksPerMultiProcessor = 1,
	};
	describe_cpu(properties);
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
	s2s_flush_output();
	return s2s_note(cudaSuccess);
}

cudaError_t cudaThreadSynchronize(void) {
	return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void) {
	s2s_flush_output();
	s2s_reset_heap();
	s2s_forget_errors();
	return cudaSuccess;
}

cudaError_t cudaThreadExit(void) {
	return cudaDeviceReset();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
	switch (limit) {
	case cudaLimitStackSize:
		return s2s_note((cudaError_t)s2s_set_stack_limit(value));
	case cudaLimitPrintfFifoSize:
		atomic_store(&printf_fifo_bytes, value);
		return s2s_note(cudaSuccess);
	case cudaLimitMallocHeapSize:
		return s2s_note(s2s_set_heap_limit(value) ? cudaSuccess : cudaErrorInvalidValue);
	}
	return s2s_note(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
	if (!value)
		return s2s_note(cudaErrorInvalidValue);
	switch (limit) {
	case cudaLimitStackSize:
		*value = s2s_stack_limit();
		return s2s_note(cudaSuccess);
	case cudaLimitPrintfFifoSize:
		*value = atomic_load(&printf_fifo_bytes);
		return s2s_note(cudaSuccess);
	case cudaLimitMallocHeapSize:
		*value = s2s_heap_limit();
		return s2s_note(cudaSuccess);
	}
	return s2s_note(cudaErrorUnsupportedLimit);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
	return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
	return cudaDeviceGetLimit(value, limit);
}

/* A CPU's caches cannot be divided: these preferences are hints, and are not followed. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
	(void)config;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
	if (!config)
		return s2s_note(cudaErrorInvalidValue);
	*config = cudaFuncCachePreferNone;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
	(void)config;
	return s2s_note(cudaSuccess);
}

/* ---- streams: every call has finished when it returns, so a stream has no state ---- */

struct CUstream_st {
	unsigned int flags;
};

/* The handles that programs hold: what is not here was destroyed, or never was one. */
static s2s_ranges streams = S2S_NO_RANGES, events = S2S_NO_RANGES;

static bool is_stream(cudaStream_t stream) {
	return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
		   s2s_ranges_find(&streams, stream, sizeof *stream).begin == stream;
}

static bool is_event(cudaEvent_t event);

/* What a call returns that has nothing to wait for. */
static cudaError_t nothing_to_do(bool has_handles) {
	return s2s_note(has_handles ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
	if (!stream || flags > cudaStreamNonBlocking)
		return s2s_note(cudaErrorInvalidValue);
	cudaStream_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&streams, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	made->flags = flags;
	*stream = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
	if (!s2s_ranges_remove(&streams, stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	free(stream);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
	s2s_flush_output();
	return nothing_to_do(is_stream(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
	return nothing_to_do(is_stream(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
	(void)flags;
	return nothing_to_do(is_stream(stream) && is_event(event));
}

/* ---- events: points in time ---- */

struct CUevent_st {
	bool recorded, has_time;
	struct timespec time;
};

static bool is_event(cudaEvent_t event) {
	return event && s2s_ranges_find(&events, event, sizeof *event).begin == event;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
	if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming))
		return s2s_note(cudaErrorInvalidValue);
	cudaEvent_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&events, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	made->has_time = !(flags & cudaEventDisableTiming);
	*event = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
	if (!is_event(event) || !is_stream(stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	clock_gettime(CLOCK_MONOTONIC, &event->time);
	event->recorded = true;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
	s2s_flush_output();
	return nothing_to_do(is_event(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
	return nothing_to_do(is_event(event));
}

static bool tells_time(cudaEvent_t event) {
	return is_event(event) && event->recorded && event->has_time;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
	if (!ms)
		return s2s_note(cudaErrorInvalidValue);
	if (!tells_time(start) || !tells_time(end))
		return s2s_note(cudaErrorInvalidResourceHandle);
	double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
	*ms = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
	if (!s2s_ranges_remove(&events, event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	free(event);
	return s2s_note(cudaSuccess);
}

/* ---- attributes of the device, one by one ---- */

/* Return the value of an attribute, -1 for one that does not exist. */
static int64_t attribute_of(const struct cudaDeviceProp *properties, enum cudaDeviceAttr attribute) {
	switch (attribute) {
	case cudaDevAttrMaxThreadsPerBlock:
		return properties->maxThreadsPerBlock;
	case cudaDevAttrMaxBlockDimX:
		return properties->maxThreadsDim[0];
	case cudaDevAttrMaxBlockDimY:
		return properties->maxThreadsDim[1];
	case cudaDevAttrMaxBlockDimZ:
		return properties->maxThreadsDim[2];
	case cudaDevAttrMaxGridDimX:
		return properties->maxGridSize[0];
	case cudaDevAttrMaxGridDimY:
		return properties->maxGridSize[1];
	case cudaDevAttrMaxGridDimZ:
		return properties->maxGridSize[2];
	case cudaDevAttrMaxSharedMemoryPerBlock:
		return (int64_t)properties->sharedMemPerBlock;
	case cudaDevAttrTotalConstantMemory:
		return (int64_t)properties->totalConstMem;
	case cudaDevAttrWarpSize:
		return properties->warpSize;
	case cudaDevAttrMaxPitch:
		return (int64_t)properties->memPitch;
	case cudaDevAttrMaxRegistersPerBlock:
		return properties->regsPerBlock;
	case cudaDevAttrClockRate:
		return properties->clockRate;
	case cudaDevAttrTextureAlignment:
		return (int64_t)properties->textureAlignment;
	case cudaDevAttrGpuOverlap:
		return properties->deviceOverlap;
	case cudaDevAttrMultiProcessorCount:
		return properties->multiProcessorCount;
	case cudaDevAttrKernelExecTimeout:
		return properties->kernelExecTimeoutEnabled;
	case cudaDevAttrIntegrated:
		return properties->integrated;
	case cudaDevAttrCanMapHostMemory:
		return properties->canMapHostMemory;
	case cudaDevAttrComputeMode:
		return properties->computeMode;
	case cudaDevAttrConcurrentKernels:
		return properties->concurrentKernels;
	case cudaDevAttrEccEnabled:
		return properties->ECCEnabled;
	case cudaDevAttrPciBusId:
		return properties->pciBusID;
	case cudaDevAttrPciDeviceId:
		return properties->pciDeviceID;
	case cudaDevAttrTccDriver:
		return properties->tccDriver;
	case cudaDevAttrMemoryClockRate:
		return properties->memoryClockRate;
	case cudaDevAttrGlobalMemoryBusWidth:
		return properties->memoryBusWidth;
	case cudaDevAttrL2CacheSize:
		return properties->l2CacheSize;
	case cudaDevAttrMaxThreadsPerMultiProcessor:
		return properties->maxThreadsPerMultiProcessor;
	case cudaDevAttrAsyncEngineCount:
		return properties->asyncEngineCount;
	case cudaDevAttrUnifiedAddressing:
		return properties->unifiedAddressing;
	case cudaDevAttrPciDomainId:
		return properties->pciDomainID;
	case cudaDevAttrTexturePitchAlignment:
		return (int64_t)properties->texturePitchAlignment;
	case cudaDevAttrComputeCapabilityMajor:
		return properties->major;
	case cudaDevAttrComputeCapabilityMinor:
		return properties->minor;
	case cudaDevAttrStreamPrioritiesSupported:
		return properties->streamPrioritiesSupported;
	case cudaDevAttrGlobalL1CacheSupported:
		return properties->globalL1CacheSupported;
	case cudaDevAttrLocalL1CacheSupported:
		return properties->localL1CacheSupported;
	case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
		return (int64_t)properties->sharedMemPerMultiprocessor;
	case cudaDevAttrMaxRegistersPerMultiprocessor:
		return properties->regsPerMultiprocessor;
	case cudaDevAttrManagedMemory:
		return properties->managedMemory;
	case cudaDevAttrIsMultiGpuBoard:
		return properties->isMultiGpuBoard;
	case cudaDevAttrMultiGpuBoardGroupID:
		return properties->multiGpuBoardGroupID;
	case cudaDevAttrHostNativeAtomicSupported:
		return properties->hostNativeAtomicSupported;
	case cudaDevAttrSingleToDoublePrecisionPerfRatio:
		return properties->singleToDoublePrecisionPerfRatio;
	case cudaDevAttrPageableMemoryAccess:
		return properties->pageableMemoryAccess;
	case cudaDevAttrConcurrentManagedAccess:
		return properties->concurrentManagedAccess;
	case cudaDevAttrComputePreemptionSupported:
		return properties->computePreemptionSupported;
	case cudaDevAttrCanUseHostPointerForRegisteredMem:
		return properties->canUseHostPointerForRegisteredMem;
	case cudaDevAttrCooperativeLaunch:
		return properties->cooperativeLaunch;
	case cudaDevAttrMaxSharedMemoryPerBlockOptin:
		return (int64_t)properties->sharedMemPerBlockOptin;
	case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
		return properties->pageableMemoryAccessUsesHostPageTables;
	case cudaDevAttrDirectManagedMemAccessFromHost:
		return properties->directManagedMemAccessFromHost;
	case cudaDevAttrMaxBlocksPerMultiprocessor:
		return properties->maxBlocksPerMultiProcessor;
	case cudaDevAttrMaxPersistingL2CacheSize:
		return properties->persistingL2CacheMaxSize;
	}
	return -1;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
	if (!value)
		return s2s_note(cudaErrorInvalidValue);
	struct cudaDeviceProp properties;
	cudaError_t code = cudaGetDeviceProperties(&properties, device);
	if (code != cudaSuccess)
		return code;
	int64_t found = attribute_of(&properties, attribute);
	if (found < 0)
		return s2s_note(cudaErrorInvalidValue);
	*value = found < INT32_MAX ? (int)found : INT32_MAX;
	return cudaSuccess;
}
