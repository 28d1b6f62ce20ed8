/* The device: what it is, its limits and its attributes. */
#define _GNU_SOURCE
#include "cudart/queue.h"
#include "device/guards.h"
#include "nested/nested.h"
#include "s2s.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the device ---- */

enum { DEFAULT_PENDING_LAUNCHES = 2048 };

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

static _Atomic unsigned int device_flags;

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
	const unsigned int known = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
	unsigned int schedule = flags & cudaDeviceScheduleMask; /* how a thread waits: one way, or as it is by default */
	if (flags & ~known || (schedule & (schedule - 1)) != 0)
		return s2s_note(cudaErrorInvalidValue);
	atomic_store(&device_flags, flags);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
	if (!flags)
		return s2s_note(cudaErrorInvalidValue);
	*flags = atomic_load(&device_flags) | cudaDeviceMapHost;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
	if (count < 0 || count > 1 || (count == 1 && !devices))
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(count == 0 || devices[0] == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned int to_set, unsigned int flags) {
	if (flags & ~(unsigned int)cudaInitDeviceFlagsAreValid)
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	return flags & cudaInitDeviceFlagsAreValid ? cudaSetDeviceFlags(to_set) : s2s_note(cudaSuccess);
}

static const char PCI_BUS_ID[] = "0000:00:00.0";

cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device) {
	if (!id || bytes <= (int)strlen(PCI_BUS_ID))
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	strcpy(id, PCI_BUS_ID);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
	if (!id || strcmp(id, PCI_BUS_ID) != 0)
		return s2s_note(cudaErrorInvalidValue);
	return cudaGetDevice(device);
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

/* The number of multiprocessors that programs see: as many as hthreads, or what $S2S_MULTIPROCESSORS says, so that
 * grids which are sized by them are counted as on a GPU. */
static int multiprocessors(uint32_t hthreads) {
	const char *text = getenv("S2S_MULTIPROCESSORS");
	int asked = text ? atoi(text) : 0;
	return asked > 0 ? asked : (int)hthreads;
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
		.multiProcessorCount = multiprocessors(hthreads),
		.integrated = 1,
		.deviceOverlap = 1,
		.asyncEngineCount = 1,
		.concurrentKernels = 1,
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
		.cooperativeLaunch = 1,
		.canUseHostPointerForRegisteredMem = 1,
		.sharedMemPerBlockOptin = S2S_MOST_SHARED_BYTES,
		.pageableMemoryAccessUsesHostPageTables = 1,
		.directManagedMemAccessFromHost = 1,
		.maxBlocksPerMultiProcessor = 1,
		.hostRegisterSupported = 1,
		.reservedSharedMemPerBlock = 1024,
		.memoryPoolsSupported = 1,
		.surfaceAlignment = 512,
		.maxTexture1D = 131072,
		.maxTexture1DLinear = 1 << 28,
		.maxTexture1DLayered = {32768, 2048},
		.maxTexture2D = {131072, 65536},
		.maxTexture2DLinear = {131072, 65000, 2097120},
		.maxTexture2DGather = {32768, 32768},
		.maxTexture2DLayered = {32768, 32768, 2048},
		.maxTexture3D = {16384, 16384, 16384},
		.maxTexture3DAlt = {8192, 8192, 32768},
		.maxTextureCubemap = 32768,
		.maxTextureCubemapLayered = {32768, 2046},
		.maxSurface1D = 32768,
		.maxSurface1DLayered = {32768, 2048},
		.maxSurface2D = {131072, 65536},
		.maxSurface2DLayered = {32768, 32768, 2048},
		.maxSurface3D = {16384, 16384, 16384},
		.maxSurfaceCubemap = 32768,
		.maxSurfaceCubemapLayered = {32768, 2046},
		.uuid = {"simt2simd device"},
	};
	describe_cpu(properties);
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
	cudaError_t fault = s2s_fault_of_waiting_for_all();
	return fault == cudaSuccess ? s2s_finish_device() : s2s_note(fault);
}

cudaError_t cudaThreadSynchronize(void) {
	return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void) {
	s2s_finish_device();
	s2s_look_at_everything();
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
	case cudaLimitDevRuntimePendingLaunchCount:
		s2s_set_pending_limit(value);
		return s2s_note(cudaSuccess);
	case cudaLimitDevRuntimeSyncDepth: /* an H200 has none */
	case cudaLimitMaxL2FetchGranularity:
	case cudaLimitPersistingL2CacheSize:
		break;
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
	case cudaLimitDevRuntimePendingLaunchCount:
		*value = s2s_pending_limit() > 0 ? s2s_pending_limit() : DEFAULT_PENDING_LAUNCHES;
		return s2s_note(cudaSuccess);
	case cudaLimitDevRuntimeSyncDepth:
	case cudaLimitMaxL2FetchGranularity:
	case cudaLimitPersistingL2CacheSize:
		break;
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

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
	return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) {
	return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
	if (!config)
		return s2s_note(cudaErrorInvalidValue);
	*config = cudaSharedMemBankSizeFourByte;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
	(void)config;
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
	case cudaDevAttrHostRegisterSupported:
		return properties->hostRegisterSupported;
	case cudaDevAttrReservedSharedMemoryPerBlock:
		return (int64_t)properties->reservedSharedMemPerBlock;
	case cudaDevAttrMemoryPoolsSupported:
		return properties->memoryPoolsSupported;
	case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
		return properties->pageableMemoryAccessUsesHostPageTables;
	case cudaDevAttrDirectManagedMemAccessFromHost:
		return properties->directManagedMemAccessFromHost;
	case cudaDevAttrMaxBlocksPerMultiprocessor:
		return properties->maxBlocksPerMultiProcessor;
	case cudaDevAttrMaxPersistingL2CacheSize:
		return properties->persistingL2CacheMaxSize;
	case cudaDevAttrSurfaceAlignment:
		return (int64_t)properties->surfaceAlignment;
	case cudaDevAttrMaxTexture1DWidth:
		return properties->maxTexture1D;
	case cudaDevAttrMaxTexture1DLinearWidth:
		return properties->maxTexture1DLinear;
	case cudaDevAttrMaxTexture1DMipmappedWidth:
		return properties->maxTexture1DMipmap;
	case cudaDevAttrMaxTexture1DLayeredWidth:
		return properties->maxTexture1DLayered[0];
	case cudaDevAttrMaxTexture1DLayeredLayers:
		return properties->maxTexture1DLayered[1];
	case cudaDevAttrMaxTexture2DWidth:
		return properties->maxTexture2D[0];
	case cudaDevAttrMaxTexture2DHeight:
		return properties->maxTexture2D[1];
	case cudaDevAttrMaxTexture2DLinearWidth:
		return properties->maxTexture2DLinear[0];
	case cudaDevAttrMaxTexture2DLinearHeight:
		return properties->maxTexture2DLinear[1];
	case cudaDevAttrMaxTexture2DLinearPitch:
		return properties->maxTexture2DLinear[2];
	case cudaDevAttrMaxTexture2DGatherWidth:
		return properties->maxTexture2DGather[0];
	case cudaDevAttrMaxTexture2DGatherHeight:
		return properties->maxTexture2DGather[1];
	case cudaDevAttrMaxTexture2DMipmappedWidth:
		return properties->maxTexture2DMipmap[0];
	case cudaDevAttrMaxTexture2DMipmappedHeight:
		return properties->maxTexture2DMipmap[1];
	case cudaDevAttrMaxTexture2DLayeredWidth:
		return properties->maxTexture2DLayered[0];
	case cudaDevAttrMaxTexture2DLayeredHeight:
		return properties->maxTexture2DLayered[1];
	case cudaDevAttrMaxTexture2DLayeredLayers:
		return properties->maxTexture2DLayered[2];
	case cudaDevAttrMaxTexture3DWidth:
		return properties->maxTexture3D[0];
	case cudaDevAttrMaxTexture3DHeight:
		return properties->maxTexture3D[1];
	case cudaDevAttrMaxTexture3DDepth:
		return properties->maxTexture3D[2];
	case cudaDevAttrMaxTexture3DWidthAlt:
		return properties->maxTexture3DAlt[0];
	case cudaDevAttrMaxTexture3DHeightAlt:
		return properties->maxTexture3DAlt[1];
	case cudaDevAttrMaxTexture3DDepthAlt:
		return properties->maxTexture3DAlt[2];
	case cudaDevAttrMaxTextureCubemapLayeredWidth:
		return properties->maxTextureCubemapLayered[0];
	case cudaDevAttrMaxTextureCubemapLayeredLayers:
		return properties->maxTextureCubemapLayered[1];
	case cudaDevAttrMaxSurface1DLayeredWidth:
		return properties->maxSurface1DLayered[0];
	case cudaDevAttrMaxSurface1DLayeredLayers:
		return properties->maxSurface1DLayered[1];
	case cudaDevAttrMaxSurface2DWidth:
		return properties->maxSurface2D[0];
	case cudaDevAttrMaxSurface2DHeight:
		return properties->maxSurface2D[1];
	case cudaDevAttrMaxSurface2DLayeredWidth:
		return properties->maxSurface2DLayered[0];
	case cudaDevAttrMaxSurface2DLayeredHeight:
		return properties->maxSurface2DLayered[1];
	case cudaDevAttrMaxSurface2DLayeredLayers:
		return properties->maxSurface2DLayered[2];
	case cudaDevAttrMaxSurface3DWidth:
		return properties->maxSurface3D[0];
	case cudaDevAttrMaxSurface3DHeight:
		return properties->maxSurface3D[1];
	case cudaDevAttrMaxSurface3DDepth:
		return properties->maxSurface3D[2];
	case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
		return properties->maxSurfaceCubemapLayered[0];
	case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
		return properties->maxSurfaceCubemapLayered[1];
	case cudaDevAttrMaxTextureCubemapWidth:
		return properties->maxTextureCubemap;
	case cudaDevAttrMaxSurface1DWidth:
		return properties->maxSurface1D;
	case cudaDevAttrMaxSurfaceCubemapWidth:
		return properties->maxSurfaceCubemap;
	default: /* what newer GPUs have, and numbers of the driver API alone */
		return attribute > 0 && attribute < cudaDevAttrMax ? 0 : -1;
	}
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

/* ---- what device code asks ---- */

static int attribute_in_kernel(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)gang;
	int value = 0;
	s2s_begin_hold(self);
	int code = cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)lane[stride], (int)lane[2 * stride]);
	if (code != cudaSuccess)
		cudaGetLastError(); /* of the thread of the host */
	s2s_end_hold(self);
	if (code == cudaSuccess)
		*(int *)(uintptr_t)lane[0] = value;
	return code;
}

static int limit_in_kernel(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride) {
	(void)gang;
	size_t value = 0;
	s2s_begin_hold(self);
	int code = cudaDeviceGetLimit(&value, (enum cudaLimit)lane[stride]);
	if (code != cudaSuccess)
		cudaGetLastError();
	s2s_end_hold(self);
	if (code == cudaSuccess)
		*(size_t *)(uintptr_t)lane[0] = value;
	return code;
}

S2S_ANSWERED(device_attribute, attribute_in_kernel)
S2S_ANSWERED(get_limit, limit_in_kernel)
