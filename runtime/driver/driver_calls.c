/* The driver API, second part: functions that are one call of the runtime's. */
#include "driver/driver.h"

/* ---- the device ---- */

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

/* ---- contexts ---- */

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

/* ---- kernels ---- */

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
	return IN_CONTEXT(cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config));
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
	return IN_CONTEXT(cudaFuncGetName(name, function));
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
	return IN_CONTEXT(cudaFuncGetParamInfo(function, index, offset, bytes));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, CUfunction function, int block_threads, size_t shared_bytes, unsigned int flags) {
	(void)flags; /* a hint about caches */
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, shared_bytes);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(
	size_t *shared_bytes, CUfunction function, int blocks, int block_threads) {
	return IN_CONTEXT(cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, blocks, block_threads));
}

/* ---- libraries ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values,
	unsigned int count, CUlibraryOption *library_options, void **library_values, unsigned int library_count) {
	return IN_CONTEXT(cudaLibraryLoadData(library, image, (enum cudaJitOption *)options, values, count,
		(enum cudaLibraryOption *)library_options, library_values, library_count));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
	unsigned int count, CUlibraryOption *library_options, void **library_values, unsigned int library_count) {
	return IN_CONTEXT(cudaLibraryLoadFromFile(library, path, (enum cudaJitOption *)options, values, count,
		(enum cudaLibraryOption *)library_options, library_values, library_count));
}

CUresult cuLibraryUnload(CUlibrary library) {
	return IN_CONTEXT(cudaLibraryUnload(library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
	return IN_CONTEXT(cudaLibraryGetKernel(kernel, library, name));
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
	return IN_CONTEXT(cudaLibraryGetKernelCount(count, library));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library) {
	return IN_CONTEXT(cudaLibraryEnumerateKernels(kernels, count, library));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
	return IN_CONTEXT(cudaLibraryGetGlobal((void **)pointer, bytes, library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
	return IN_CONTEXT(cudaLibraryGetManaged((void **)pointer, bytes, library, name));
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!s2s_kernel_of_handle(kernel))
		return CUDA_ERROR_INVALID_HANDLE;
	*function = (CUfunction)kernel;
	return s2s_with_context();
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
	return IN_CONTEXT(cudaFuncGetName(name, kernel));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes) {
	return IN_CONTEXT(cudaFuncGetParamInfo(kernel, index, offset, bytes));
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
	CUresult result = s2s_with_device(device);
	return result == CUDA_SUCCESS ? cuFuncGetAttribute(value, attribute, (CUfunction)kernel) : result;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
	CUresult result = s2s_with_device(device);
	return result == CUDA_SUCCESS ? cuFuncSetAttribute((CUfunction)kernel, attribute, value) : result;
}

/* ---- memory ---- */

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags) {
	return IN_CONTEXT(cudaHostGetDevicePointer((void **)device, host, flags));
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer) {
	return IN_CONTEXT(cudaHostGetFlags(flags, pointer));
}

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaHostRegister(pointer, bytes, flags));
}

CUresult cuMemHostUnregister(void *pointer) {
	return IN_CONTEXT(cudaHostUnregister(pointer));
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMallocAsync((void **)pointer, bytes, stream));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
	return IN_CONTEXT(cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream));
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
	return IN_CONTEXT(cudaFreeAsync(s2s_at(pointer), stream));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
	return IN_CONTEXT(cudaMemPoolCreate(pool, properties));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
	return IN_CONTEXT(cudaMemPoolDestroy(pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
	return IN_CONTEXT(cudaMemPoolTrimTo(pool, bytes_to_keep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
	return IN_CONTEXT(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
	return IN_CONTEXT(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
	(void)to_context, (void)from_context; /* all share the device's memory */
	return cuMemcpyDtoD(to, from, bytes);
}

CUresult cuMemcpyPeerAsync(
	CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes, CUstream stream) {
	(void)to_context, (void)from_context;
	return cuMemcpyDtoDAsync(to, from, bytes, stream);
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
	return IN_CONTEXT(cudaMemset2D(s2s_at(to), pitch, value, width, height));
}

CUresult cuMemsetD2D8Async(
	CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream) {
	return IN_CONTEXT(cudaMemset2DAsync(s2s_at(to), pitch, value, width, height, stream));
}

CUresult cuMemPrefetchAsync(
	CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags, CUstream stream) {
	return IN_CONTEXT(cudaMemPrefetchAsync(s2s_at(pointer), bytes, location, flags, stream));
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location) {
	return IN_CONTEXT(cudaMemAdvise(s2s_at(pointer), bytes, (enum cudaMemoryAdvise)advice, location));
}

CUresult cuMemRangeGetAttribute(
	void *data, size_t data_bytes, CUmem_range_attribute attribute, CUdeviceptr pointer, size_t bytes) {
	return IN_CONTEXT(
		cudaMemRangeGetAttribute(data, data_bytes, (enum cudaMemRangeAttribute)attribute, s2s_at(pointer), bytes));
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr pointer) {
	return IN_CONTEXT(cudaIpcGetMemHandle(handle, s2s_at(pointer)));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pointer, CUipcMemHandle handle, unsigned int flags) {
	return IN_CONTEXT(cudaIpcOpenMemHandle((void **)pointer, handle, flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
	return IN_CONTEXT(cudaIpcCloseMemHandle(s2s_at(pointer)));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
	return IN_CONTEXT(cudaIpcGetEventHandle(handle, event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
	return IN_CONTEXT(cudaIpcOpenEventHandle(event, handle));
}

/* ---- streams and events ---- */

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
	return IN_CONTEXT(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
	return IN_CONTEXT(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
	return IN_CONTEXT(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
	return IN_CONTEXT(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
	return IN_CONTEXT(cudaStreamGetDevice(stream, device));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags) {
	return IN_CONTEXT(cudaStreamAddCallback(stream, (cudaStreamCallback_t)callback, data, flags));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaStreamAttachMemAsync(stream, s2s_at(pointer), bytes, flags));
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
	return IN_CONTEXT(cudaStreamCopyAttributes(to, from));
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value) {
	return IN_CONTEXT(cudaStreamGetAttribute(stream, id, value));
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value) {
	return IN_CONTEXT(cudaStreamSetAttribute(stream, id, value));
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
	return IN_CONTEXT(cudaStreamBeginCapture(stream, mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
	return IN_CONTEXT(cudaStreamEndCapture(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
	return IN_CONTEXT(cudaStreamIsCapturing(stream, status));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
	return IN_CONTEXT(cudaThreadExchangeStreamCaptureMode(mode));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
	return IN_CONTEXT(cudaEventRecordWithFlags(event, stream, flags));
}

/* ---- graphs ---- */

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags) {
	return IN_CONTEXT(cudaGraphCreate(graph, flags));
}

CUresult cuGraphDestroy(CUgraph graph) {
	return IN_CONTEXT(cudaGraphDestroy(graph));
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph) {
	return IN_CONTEXT(cudaGraphClone(clone, graph));
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count) {
	return IN_CONTEXT(cudaGraphAddEmptyNode(node, graph, after, count));
}

CUresult cuGraphAddHostNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, const CUDA_HOST_NODE_PARAMS *params) {
	return IN_CONTEXT(cudaGraphAddHostNode(node, graph, after, count, params));
}

CUresult cuGraphAddChildGraphNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, CUgraph child) {
	return IN_CONTEXT(cudaGraphAddChildGraphNode(node, graph, after, count, child));
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
	return IN_CONTEXT(cudaGraphGetNodes(graph, nodes, count));
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
	return IN_CONTEXT(cudaGraphGetRootNodes(graph, nodes, count));
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
	return IN_CONTEXT(cudaGraphNodeGetType(node, type));
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
	return IN_CONTEXT(cudaGraphDestroyNode(node));
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
	return IN_CONTEXT(cudaGraphInstantiateWithFlags(exec, graph, flags));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
	return IN_CONTEXT(cudaGraphUpload(exec, stream));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
	return IN_CONTEXT(cudaGraphLaunch(exec, stream));
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
	return IN_CONTEXT(cudaGraphExecDestroy(exec));
}
