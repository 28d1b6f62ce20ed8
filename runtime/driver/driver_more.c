/* The driver API, third part: what is more than one call of the runtime's, and functions by name. */
#include "driver/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device and contexts ---- */

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

/* ---- modules and kernels ---- */

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
	return cuModuleLoadData(module, image);
}

static CUresult launch_with(const CUlaunchConfig *config, CUfunction function, void **params) {
	const cudaLaunchConfig_t made = {{config->gridDimX, config->gridDimY, config->gridDimZ},
		{config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes, config->hStream,
		config->attrs, config->numAttrs};
	return IN_CONTEXT(cudaLaunchKernelExC(&made, function, params));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra) {
	if (!config || (params && extra))
		return CUDA_ERROR_INVALID_VALUE;
	if (!s2s_kernel_of_handle(function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!extra)
		return launch_with(config, function, params);
	if (config->numAttrs > 0)
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
		config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream, NULL, extra);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_bytes,
	size_t fixed_shared_bytes, int most_threads) {
	struct cudaFuncAttributes attributes;
	int processors, blocks = 0, threads = most_threads;
	if (!grid || !block)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = IN_CONTEXT(cudaFuncGetAttributes(&attributes, function));
	if (result == CUDA_SUCCESS)
		result = s2s_result_of(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
	if (result != CUDA_SUCCESS)
		return result;
	if (threads <= 0 || threads > attributes.maxThreadsPerBlock)
		threads = attributes.maxThreadsPerBlock;
	for (; threads > 0 && result == CUDA_SUCCESS; threads = threads > 32 ? (threads - 1) / 32 * 32 : 0) {
		size_t bytes = shared_bytes ? shared_bytes(threads) : fixed_shared_bytes;
		result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes);
		if (blocks > 0)
			break;
	}
	*block = threads;
	*grid = blocks * processors;
	return result;
}

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state) {
	(void)count, (void)options, (void)values;
	return state ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

/* ---- memory ---- */

CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *bytes, CUdeviceptr pointer) {
	s2s_range found = s2s_device_memory_at(s2s_at(pointer), 1, true);
	if (s2s_with_context() != CUDA_SUCCESS)
		return s2s_with_context();
	if (!found.begin)
		return CUDA_ERROR_NOT_FOUND;
	if (begin)
		*begin = (uintptr_t)found.begin;
	if (bytes)
		*bytes = found.bytes;
	return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
	struct cudaPointerAttributes all;
	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = IN_CONTEXT(cudaPointerGetAttributes(&all, s2s_at(pointer)));
	if (result != CUDA_SUCCESS)
		return result;
	if (all.type == cudaMemoryTypeUnregistered)
		return CUDA_ERROR_INVALID_VALUE;
	s2s_range found = s2s_device_memory_at(s2s_at(pointer), 1, true);
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		return cuCtxGetCurrent(value);
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(unsigned int *)value = all.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*(CUdeviceptr *)value = pointer;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		*(void **)value = all.hostPointer;
		return all.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned int *)value = all.type == cudaMemoryTypeManaged;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)value = 0;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		*(CUdeviceptr *)value = (uintptr_t)found.begin;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		*(size_t *)value = found.bytes;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_MAPPED:
		*(unsigned int *)value = 1;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* What a pointer has not is 0. */
CUresult cuPointerGetAttributes(
	unsigned int count, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer) {
	if (!attributes || !values || count == 0)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned int i = 0; i < count; i++)
		if (cuPointerGetAttribute(values[i], attributes[i], pointer) != CUDA_SUCCESS)
			*(unsigned int *)values[i] = 0;
	return s2s_with_context();
}

/* Fill with elements. In cudaStreamLegacy, which has no queue, that is done when the call returns. */
static CUresult fill(CUdeviceptr to, size_t pitch, unsigned int value, unsigned int element_bytes, size_t width,
	size_t height, CUstream stream) {
	const struct cudaMemsetParams params = {s2s_at(to), pitch, value, element_bytes, width, height};
	return IN_CONTEXT(s2s_fill_in(stream, &params));
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
	return fill(to, 0, value, 2, count, 1, cudaStreamLegacy);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
	return fill(to, 0, value, 4, count, 1, cudaStreamLegacy);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
	return fill(to, 0, value, 2, count, 1, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
	return fill(to, 0, value, 4, count, 1, stream);
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
	return fill(to, pitch, value, 2, width, height, cudaStreamLegacy);
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
	return fill(to, pitch, value, 4, width, height, cudaStreamLegacy);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
	CUresult result = context ? IN_CONTEXT(s2s_check_stream(stream)) : CUDA_ERROR_INVALID_VALUE;
	return result == CUDA_SUCCESS ? cuCtxGetCurrent(context) : result;
}

/* ---- functions by name ---- */

#define F(name) {#name, (void *)name}
static const struct {
	const char *name;
	void *function;
} functions[] = {F(cuArray3DCreate), F(cuArray3DGetDescriptor), F(cuArrayCreate), F(cuArrayDestroy),
	F(cuArrayGetDescriptor), F(cuCtxDestroy), F(cuCtxDisablePeerAccess), F(cuCtxEnablePeerAccess),
	F(cuCtxGetApiVersion), F(cuCtxGetCacheConfig), F(cuCtxGetCurrent), F(cuCtxGetDevice), F(cuCtxGetFlags),
	F(cuCtxGetLimit), F(cuCtxGetStreamPriorityRange), F(cuCtxPopCurrent), F(cuCtxPushCurrent),
	F(cuCtxResetPersistingL2Cache), F(cuCtxSetCacheConfig), F(cuCtxSetCurrent), F(cuCtxSetLimit), F(cuCtxSynchronize),
	F(cuDeviceCanAccessPeer), F(cuDeviceComputeCapability), F(cuDeviceGet), F(cuDeviceGetAttribute),
	F(cuDeviceGetByPCIBusId), F(cuDeviceGetCount), F(cuDeviceGetDefaultMemPool), F(cuDeviceGetMemPool),
	F(cuDeviceGetName), F(cuDeviceGetP2PAttribute), F(cuDeviceGetPCIBusId), F(cuDeviceGetProperties),
	F(cuDeviceGetUuid), F(cuDevicePrimaryCtxGetState), F(cuDevicePrimaryCtxRelease), F(cuDevicePrimaryCtxReset),
	F(cuDevicePrimaryCtxRetain), F(cuDevicePrimaryCtxSetFlags), F(cuDeviceSetMemPool), F(cuDeviceTotalMem),
	F(cuDriverGetVersion), F(cuEventCreate), F(cuEventDestroy), F(cuEventElapsedTime), F(cuEventQuery),
	F(cuEventRecord), F(cuEventRecordWithFlags), F(cuEventSynchronize), F(cuFuncGetAttribute), F(cuFuncGetModule),
	F(cuFuncGetName), F(cuFuncGetParamInfo), F(cuFuncSetAttribute), F(cuFuncSetCacheConfig), F(cuGetErrorName),
	F(cuGetErrorString), F(cuGetProcAddress), F(cuGraphAddChildGraphNode), F(cuGraphAddEmptyNode),
	F(cuGraphAddHostNode), F(cuGraphClone), F(cuGraphCreate), F(cuGraphDestroy), F(cuGraphDestroyNode),
	F(cuGraphExecDestroy), F(cuGraphGetNodes), F(cuGraphGetRootNodes), F(cuGraphInstantiateWithFlags), F(cuGraphLaunch),
	F(cuGraphNodeGetType), F(cuGraphUpload), F(cuInit), F(cuIpcCloseMemHandle), F(cuIpcGetEventHandle),
	F(cuIpcGetMemHandle), F(cuIpcOpenEventHandle), F(cuIpcOpenMemHandle), F(cuKernelGetAttribute),
	F(cuKernelGetFunction), F(cuKernelGetName), F(cuKernelGetParamInfo), F(cuKernelSetAttribute),
	F(cuLaunchCooperativeKernel), F(cuLaunchHostFunc), F(cuLaunchKernel), F(cuLaunchKernelEx),
	F(cuLibraryEnumerateKernels), F(cuLibraryGetGlobal), F(cuLibraryGetKernel), F(cuLibraryGetKernelCount),
	F(cuLibraryGetManaged), F(cuLibraryGetModule), F(cuLibraryLoadData), F(cuLibraryLoadFromFile), F(cuLibraryUnload),
	F(cuLinkCreate), F(cuMemAdvise), F(cuMemAlloc), F(cuMemAllocAsync), F(cuMemAllocFromPoolAsync), F(cuMemAllocHost),
	F(cuMemAllocManaged), F(cuMemAllocPitch), F(cuMemFree), F(cuMemFreeAsync), F(cuMemFreeHost),
	F(cuMemGetAddressRange), F(cuMemGetInfo), F(cuMemHostAlloc), F(cuMemHostGetDevicePointer), F(cuMemHostGetFlags),
	F(cuMemHostRegister), F(cuMemHostUnregister), F(cuMemPoolCreate), F(cuMemPoolDestroy), F(cuMemPoolGetAttribute),
	F(cuMemPoolSetAttribute), F(cuMemPoolTrimTo), F(cuMemPrefetchAsync), F(cuMemRangeGetAttribute), F(cuMemcpy),
	F(cuMemcpy2D), F(cuMemcpy2DAsync), F(cuMemcpy2DUnaligned), F(cuMemcpy3D), F(cuMemcpy3DAsync), F(cuMemcpyAsync),
	F(cuMemcpyAtoA), F(cuMemcpyAtoD), F(cuMemcpyAtoH), F(cuMemcpyDtoA), F(cuMemcpyDtoD), F(cuMemcpyDtoDAsync),
	F(cuMemcpyDtoH), F(cuMemcpyDtoHAsync), F(cuMemcpyHtoA), F(cuMemcpyHtoD), F(cuMemcpyHtoDAsync), F(cuMemcpyPeer),
	F(cuMemcpyPeerAsync), F(cuMemsetD16), F(cuMemsetD16Async), F(cuMemsetD2D16), F(cuMemsetD2D32), F(cuMemsetD2D8),
	F(cuMemsetD2D8Async), F(cuMemsetD32), F(cuMemsetD32Async), F(cuMemsetD8), F(cuMemsetD8Async),
	F(cuModuleGetFunction), F(cuModuleGetFunctionCount), F(cuModuleGetGlobal), F(cuModuleGetLoadingMode),
	F(cuModuleLoad), F(cuModuleLoadData), F(cuModuleLoadDataEx), F(cuModuleLoadFatBinary), F(cuModuleUnload),
	F(cuOccupancyAvailableDynamicSMemPerBlock), F(cuOccupancyMaxActiveBlocksPerMultiprocessor),
	F(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags), F(cuOccupancyMaxPotentialBlockSize),
	F(cuPointerGetAttribute), F(cuPointerGetAttributes), F(cuProfilerStart), F(cuProfilerStop), F(cuStreamAddCallback),
	F(cuStreamAttachMemAsync), F(cuStreamBeginCapture), F(cuStreamCopyAttributes), F(cuStreamCreate),
	F(cuStreamCreateWithPriority), F(cuStreamDestroy), F(cuStreamEndCapture), F(cuStreamGetAttribute),
	F(cuStreamGetCtx), F(cuStreamGetDevice), F(cuStreamGetFlags), F(cuStreamGetId), F(cuStreamGetPriority),
	F(cuStreamIsCapturing), F(cuStreamQuery), F(cuStreamSetAttribute), F(cuStreamSynchronize), F(cuStreamWaitEvent),
	F(cuSurfObjectCreate), F(cuSurfObjectDestroy), F(cuSurfObjectGetResourceDesc), F(cuTexObjectCreate),
	F(cuTexObjectDestroy), F(cuTexObjectGetResourceDesc), F(cuThreadExchangeStreamCaptureMode)};
#undef F

static void *find(const char *name) {
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].function;
	return NULL;
}

CUresult cuGetProcAddress(
	const char *name, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *result) {
	if (!name || !function || version < 2000 || flags > 2)
		return CUDA_ERROR_INVALID_VALUE;
	*function = find(name);
	if (result)
		*result = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return *function || result ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int version,
	unsigned long long flags, enum cudaDriverEntryPointQueryResult *result) {
	if (!name || !function || version > INT32_MAX || flags > cudaEnablePerThreadDefaultStream)
		return s2s_note(cudaErrorInvalidValue);
	*function = find(name);
	if (result)
		*result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return s2s_note(*function || result ? cudaSuccess : cudaErrorSymbolNotFound);
}

cudaError_t cudaGetDriverEntryPoint(
	const char *name, void **function, unsigned long long flags, enum cudaDriverEntryPointQueryResult *result) {
	return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}
