/* The driver API: initialisation, the device, contexts and errors. */
#define _GNU_SOURCE
#include "driver/driver.h"

#include "base/base.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUctx_st {
	unsigned int flags;
};

/* The contexts that a thread has pushed, the current one first. */
typedef struct pushed {
	CUcontext context;
	struct pushed *below;
} pushed;

static atomic_bool initialized;
static struct CUctx_st primary;
static _Thread_local pushed *current;
static s2s_ranges contexts = S2S_NO_RANGES;

/* The numbers are the runtime's, but for those of errors that only it has. */
CUresult s2s_result_of(cudaError_t code) {
	switch (code) {
	case cudaErrorInvalidConfiguration:
	case cudaErrorInvalidPitchValue:
	case cudaErrorInvalidSymbol:
	case cudaErrorInvalidHostPointer:
	case cudaErrorInvalidDevicePointer:
	case cudaErrorInvalidMemcpyDirection:
		return CUDA_ERROR_INVALID_VALUE;
	case cudaErrorInvalidDeviceFunction:
		return CUDA_ERROR_INVALID_HANDLE;
	default:
		return (CUresult)code;
	}
}

CUresult s2s_with_device(CUdevice device) {
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult s2s_with_context(void) {
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	return current && current->context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- the device ---- */

CUresult cuInit(unsigned int flags) {
	if (flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	atomic_store(&initialized, true);
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
	return s2s_result_of(cudaDriverGetVersion(version));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
	if (device && s2s_with_device(ordinal) == CUDA_SUCCESS)
		*device = ordinal;
	return device ? s2s_with_device(ordinal) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count) {
	return s2s_with_device(0) != CUDA_SUCCESS ? s2s_with_device(0) : s2s_result_of(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
	if (s2s_with_device(device) != CUDA_SUCCESS)
		return s2s_with_device(device);
	struct cudaDeviceProp properties;
	cudaError_t code = cudaGetDeviceProperties(&properties, device);
	if (!name || bytes <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, (size_t)bytes, "%s", code == cudaSuccess ? properties.name : "");
	return s2s_result_of(code);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = s2s_memory_bytes();
	return s2s_with_device(device);
}

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type) {
	int count;
	if (!resource || type != CU_DEV_RESOURCE_TYPE_SM)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult code = cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
	if (code != CUDA_SUCCESS)
		return code;
	*resource = (CUdevResource){.type = type};
	resource->sm = (CUdevSmResource){(unsigned int)count, (unsigned int)count, 1};
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
	if (s2s_with_device(device) != CUDA_SUCCESS)
		return s2s_with_device(device);
	return s2s_result_of(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
	CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
	if (result != CUDA_SUCCESS)
		return result;
	return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetPCIBusId(char *id, int bytes, CUdevice device) {
	return ON_DEVICE(device, cudaDeviceGetPCIBusId(id, bytes, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
	return ON_DEVICE(0, cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
	return ON_DEVICE(0, cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
	return ON_DEVICE(0, cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, from, to));
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
	return ON_DEVICE(device, cudaDeviceGetDefaultMemPool(pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
	return ON_DEVICE(device, cudaDeviceGetMemPool(pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
	return ON_DEVICE(device, cudaDeviceSetMemPool(device, pool));
}

/* The same for every machine: there is one device. */
CUresult cuDeviceGetUuid(CUuuid *id, CUdevice device) {
	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(id->bytes, "simt2simd device", sizeof id->bytes);
	return s2s_with_device(device);
}

CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device) {
	struct cudaDeviceProp all;
	CUresult result = properties ? ON_DEVICE(device, cudaGetDeviceProperties(&all, device)) : CUDA_ERROR_INVALID_VALUE;
	if (result != CUDA_SUCCESS)
		return result;
	*properties = (CUdevprop){.maxThreadsPerBlock = all.maxThreadsPerBlock,
		.sharedMemPerBlock = (int)all.sharedMemPerBlock,
		.totalConstantMemory = (int)all.totalConstMem,
		.SIMDWidth = all.warpSize,
		.memPitch = (int)all.memPitch,
		.regsPerBlock = all.regsPerBlock,
		.clockRate = all.clockRate,
		.textureAlign = (int)all.textureAlignment};
	memcpy(properties->maxThreadsDim, all.maxThreadsDim, sizeof all.maxThreadsDim);
	memcpy(properties->maxGridSize, all.maxGridSize, sizeof all.maxGridSize);
	return CUDA_SUCCESS;
}

/* ---- contexts ---- */

static bool is_context(CUcontext context) {
	return context == &primary || (context && s2s_ranges_find(&contexts, context, sizeof *context).begin == context);
}

CUresult cuCtxPushCurrent(CUcontext context) {
	if (!is_context(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	pushed *made = malloc(sizeof *made);
	if (!made)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*made = (pushed){context, current};
	current = made;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
	pushed *top = current;
	if (!top)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (context)
		*context = top->context;
	current = top->below;
	free(top);
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = current ? current->context : NULL;
	return atomic_load(&initialized) ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuCtxSetCurrent(CUcontext context) {
	if (context && !is_context(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (current)
		cuCtxPopCurrent(NULL);
	return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

CUresult s2s_create_context(CUcontext *context, unsigned int flags, CUdevice device) {
	if (s2s_with_device(device) != CUDA_SUCCESS)
		return s2s_with_device(device);
	CUcontext made = context ? calloc(1, sizeof *made) : NULL;
	if (!made || !s2s_ranges_add(&contexts, made, sizeof *made)) {
		free(made);
		return context ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
	}
	made->flags = flags;
	*context = made;
	return cuCtxPushCurrent(made);
}

CUresult cuCtxDestroy(CUcontext context) {
	if (!context || context == &primary || !s2s_ranges_remove(&contexts, context))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (current && current->context == context)
		cuCtxPopCurrent(NULL);
	free(context);
	s2s_flush_output();
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = &primary;
	return s2s_with_device(device);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
	return s2s_with_device(device);
}

CUresult cuCtxGetDevice(CUdevice *device) {
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	*device = 0;
	return s2s_with_context();
}

CUresult cuCtxSynchronize(void) {
	return IN_CONTEXT(cudaDeviceSynchronize());
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
	return IN_CONTEXT(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
	return IN_CONTEXT(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
	return IN_CONTEXT(cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
	return IN_CONTEXT(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
	return IN_CONTEXT(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxResetPersistingL2Cache(void) {
	return IN_CONTEXT(cudaCtxResetPersistingL2Cache());
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
	(void)flags;
	return peer ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
	return peer ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuProfilerStart(void) {
	return IN_CONTEXT(cudaSuccess);
}

CUresult cuProfilerStop(void) {
	return IN_CONTEXT(cudaSuccess);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *is_active) {
	if (!flags || !is_active)
		return CUDA_ERROR_INVALID_VALUE;
	*is_active = 1;
	return ON_DEVICE(device, cudaGetDeviceFlags(flags));
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
	return ON_DEVICE(device, cudaSetDeviceFlags(flags));
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
	return ON_DEVICE(device, cudaDeviceReset());
}

CUresult cuCtxGetFlags(unsigned int *flags) {
	return IN_CONTEXT(cudaGetDeviceFlags(flags));
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
	(void)context;
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = CUDA_VERSION;
	return s2s_with_context();
}

/* ---- errors ---- */

CUresult cuGetErrorString(CUresult error, const char **text) {
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	switch (error) {
	case CUDA_ERROR_INVALID_CONTEXT:
		*text = "invalid device context";
		return CUDA_SUCCESS;
	case CUDA_ERROR_INVALID_PTX:
		*text = "a PTX JIT compilation failed";
		return CUDA_SUCCESS;
	case CUDA_ERROR_FILE_NOT_FOUND:
		*text = "file not found";
		return CUDA_SUCCESS;
	default:
		*text = s2s_error_text((int)error);
		return CUDA_SUCCESS;
	}
}

CUresult cuGetErrorName(CUresult error, const char **name) {
	static const struct {
		CUresult code;
		const char *name;
	} names[] = {
#define NAME(code) {code, #code}
		NAME(CUDA_SUCCESS), NAME(CUDA_ERROR_INVALID_VALUE), NAME(CUDA_ERROR_OUT_OF_MEMORY),
		NAME(CUDA_ERROR_NOT_INITIALIZED), NAME(CUDA_ERROR_DEINITIALIZED), NAME(CUDA_ERROR_NO_DEVICE),
		NAME(CUDA_ERROR_INVALID_DEVICE), NAME(CUDA_ERROR_INVALID_IMAGE), NAME(CUDA_ERROR_INVALID_CONTEXT),
		NAME(CUDA_ERROR_NO_BINARY_FOR_GPU), NAME(CUDA_ERROR_UNSUPPORTED_LIMIT),
		NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED), NAME(CUDA_ERROR_INVALID_PTX), NAME(CUDA_ERROR_INVALID_SOURCE),
		NAME(CUDA_ERROR_FILE_NOT_FOUND), NAME(CUDA_ERROR_OPERATING_SYSTEM), NAME(CUDA_ERROR_INVALID_HANDLE),
		NAME(CUDA_ERROR_NOT_FOUND), NAME(CUDA_ERROR_NOT_READY), NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
		NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES), NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
		NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED), NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
		NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED), NAME(CUDA_ERROR_ASSERT), NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
		NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED), NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
		NAME(CUDA_ERROR_MISALIGNED_ADDRESS), NAME(CUDA_ERROR_LAUNCH_FAILED),
		NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE), NAME(CUDA_ERROR_NOT_PERMITTED), NAME(CUDA_ERROR_NOT_SUPPORTED),
		NAME(CUDA_ERROR_UNKNOWN)};
#undef NAME
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].code == error)
			*name = names[i].name;
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
