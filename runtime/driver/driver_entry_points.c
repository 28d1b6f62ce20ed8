/* Functions of the driver API by their names. */
#include "driver/driver.h"

#include <string.h>

#define F(name) {#name, (void *)name}
static const struct {
	const char *name;
	void *function;
} functions[] = {F(cuArray3DCreate), F(cuArray3DGetDescriptor), F(cuArrayCreate), F(cuArrayDestroy),
	F(cuArrayGetDescriptor), F(cuCtxDestroy), F(cuCtxDisablePeerAccess), F(cuCtxEnablePeerAccess), F(cuCtxFromGreenCtx),
	F(cuCtxGetApiVersion), F(cuCtxGetCacheConfig), F(cuCtxGetCurrent), F(cuCtxGetDevResource), F(cuCtxGetDevice),
	F(cuCtxGetFlags), F(cuCtxGetLimit), F(cuCtxGetStreamPriorityRange), F(cuCtxPopCurrent), F(cuCtxPushCurrent),
	F(cuCtxResetPersistingL2Cache), F(cuCtxSetCacheConfig), F(cuCtxSetCurrent), F(cuCtxSetLimit), F(cuCtxSynchronize),
	F(cuDevResourceGenerateDesc), F(cuDeviceCanAccessPeer), F(cuDeviceComputeCapability), F(cuDeviceGet),
	F(cuDeviceGetAttribute), F(cuDeviceGetByPCIBusId), F(cuDeviceGetCount), F(cuDeviceGetDefaultMemPool),
	F(cuDeviceGetDevResource), F(cuDeviceGetMemPool), F(cuDeviceGetName), F(cuDeviceGetP2PAttribute),
	F(cuDeviceGetPCIBusId), F(cuDeviceGetProperties), F(cuDeviceGetUuid), F(cuDevicePrimaryCtxGetState),
	F(cuDevicePrimaryCtxRelease), F(cuDevicePrimaryCtxReset), F(cuDevicePrimaryCtxRetain),
	F(cuDevicePrimaryCtxSetFlags), F(cuDeviceSetMemPool), F(cuDeviceTotalMem), F(cuDriverGetVersion), F(cuEventCreate),
	F(cuEventDestroy), F(cuEventElapsedTime), F(cuEventQuery), F(cuEventRecord), F(cuEventRecordWithFlags),
	F(cuEventSynchronize), F(cuFuncGetAttribute), F(cuFuncGetModule), F(cuFuncGetName), F(cuFuncGetParamInfo),
	F(cuFuncLoad), F(cuFuncSetAttribute), F(cuFuncSetCacheConfig), F(cuGetErrorName), F(cuGetErrorString),
	F(cuGetProcAddress), F(cuGraphAddChildGraphNode), F(cuGraphAddEmptyNode), F(cuGraphAddHostNode),
	F(cuGraphAddKernelNode), F(cuGraphClone), F(cuGraphCreate), F(cuGraphDestroy), F(cuGraphDestroyNode),
	F(cuGraphExecDestroy), F(cuGraphGetNodes), F(cuGraphGetRootNodes), F(cuGraphInstantiateWithFlags),
	F(cuGraphKernelNodeGetAttribute), F(cuGraphKernelNodeSetAttribute), F(cuGraphLaunch), F(cuGraphNodeGetType),
	F(cuGraphUpload), F(cuGreenCtxCreate), F(cuGreenCtxDestroy), F(cuGreenCtxGetId), F(cuGreenCtxStreamCreate),
	F(cuInit), F(cuIpcCloseMemHandle), F(cuIpcGetEventHandle), F(cuIpcGetMemHandle), F(cuIpcOpenEventHandle),
	F(cuIpcOpenMemHandle), F(cuKernelGetAttribute), F(cuKernelGetFunction), F(cuKernelGetLibrary), F(cuKernelGetName),
	F(cuKernelGetParamInfo), F(cuKernelSetAttribute), F(cuLaunchCooperativeKernel), F(cuLaunchHostFunc),
	F(cuLaunchKernel), F(cuLaunchKernelEx), F(cuLibraryEnumerateKernels), F(cuLibraryGetGlobal), F(cuLibraryGetKernel),
	F(cuLibraryGetKernelCount), F(cuLibraryGetManaged), F(cuLibraryGetModule), F(cuLibraryLoadData),
	F(cuLibraryLoadFromFile), F(cuLibraryUnload), F(cuLinkCreate), F(cuMemAdvise), F(cuMemAlloc), F(cuMemAllocAsync),
	F(cuMemAllocFromPoolAsync), F(cuMemAllocHost), F(cuMemAllocManaged), F(cuMemAllocPitch), F(cuMemFree),
	F(cuMemFreeAsync), F(cuMemFreeHost), F(cuMemGetAddressRange), F(cuMemGetDefaultMemPool), F(cuMemGetInfo),
	F(cuMemHostAlloc), F(cuMemHostGetDevicePointer), F(cuMemHostGetFlags), F(cuMemHostRegister), F(cuMemHostUnregister),
	F(cuMemPoolCreate), F(cuMemPoolDestroy), F(cuMemPoolGetAccess), F(cuMemPoolGetAttribute), F(cuMemPoolSetAccess),
	F(cuMemPoolSetAttribute), F(cuMemPoolTrimTo), F(cuMemPrefetchAsync), F(cuMemRangeGetAttribute), F(cuMemcpy),
	F(cuMemcpy2D), F(cuMemcpy2DAsync), F(cuMemcpy2DUnaligned), F(cuMemcpy3D), F(cuMemcpy3DAsync), F(cuMemcpyAsync),
	F(cuMemcpyAtoA), F(cuMemcpyAtoD), F(cuMemcpyAtoH), F(cuMemcpyBatchAsync), F(cuMemcpyDtoA), F(cuMemcpyDtoD),
	F(cuMemcpyDtoDAsync), F(cuMemcpyDtoH), F(cuMemcpyDtoHAsync), F(cuMemcpyHtoA), F(cuMemcpyHtoD), F(cuMemcpyHtoDAsync),
	F(cuMemcpyPeer), F(cuMemcpyPeerAsync), F(cuMemsetD16), F(cuMemsetD16Async), F(cuMemsetD2D16), F(cuMemsetD2D32),
	F(cuMemsetD2D8), F(cuMemsetD2D8Async), F(cuMemsetD32), F(cuMemsetD32Async), F(cuMemsetD8), F(cuMemsetD8Async),
	F(cuModuleGetFunction), F(cuModuleGetFunctionCount), F(cuModuleGetGlobal), F(cuModuleGetLoadingMode),
	F(cuModuleLoad), F(cuModuleLoadData), F(cuModuleLoadDataEx), F(cuModuleLoadFatBinary), F(cuModuleUnload),
	F(cuOccupancyAvailableDynamicSMemPerBlock), F(cuOccupancyMaxActiveBlocksPerMultiprocessor),
	F(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags), F(cuOccupancyMaxPotentialBlockSize),
	F(cuPointerGetAttribute), F(cuPointerGetAttributes), F(cuProfilerStart), F(cuProfilerStop), F(cuStreamAddCallback),
	F(cuStreamAttachMemAsync), F(cuStreamBeginCapture), F(cuStreamCopyAttributes), F(cuStreamCreate),
	F(cuStreamCreateWithPriority), F(cuStreamDestroy), F(cuStreamEndCapture), F(cuStreamGetAttribute),
	F(cuStreamGetCtx), F(cuStreamGetDevice), F(cuStreamGetFlags), F(cuStreamGetId), F(cuStreamGetPriority),
	F(cuStreamIsCapturing), F(cuStreamQuery), F(cuStreamSetAttribute), F(cuStreamSynchronize), F(cuStreamWaitEvent),
	F(cuSurfObjectCreate), F(cuSurfObjectDestroy), F(cuSurfObjectGetResourceDesc), F(cuTensorMapEncodeTiled),
	F(cuTexObjectCreate), F(cuTexObjectDestroy), F(cuTexObjectGetResourceDesc), F(cuThreadExchangeStreamCaptureMode)};
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
