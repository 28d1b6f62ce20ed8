/* The driver API: memory, copies, fills, pools, attributes of pointers, memory of other processes. */
#include "driver/driver.h"

#include <string.h>

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
	return IN_CONTEXT(cudaMemGetInfo(free_bytes, total_bytes));
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
	if (!pointer || bytes == 0)
		return CUDA_ERROR_INVALID_VALUE;
	return IN_CONTEXT(cudaMalloc((void **)pointer, bytes));
}

CUresult cuMemAllocPitch(
	CUdeviceptr *pointer, size_t *pitch, size_t width_bytes, size_t height, unsigned int element_bytes) {
	if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
		return CUDA_ERROR_INVALID_VALUE;
	return IN_CONTEXT(cudaMallocPitch((void **)pointer, pitch, width_bytes, height));
}

CUresult cuMemAllocHost(void **pointer, size_t bytes) {
	return IN_CONTEXT(cudaMallocHost(pointer, bytes));
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaHostAlloc(pointer, bytes, flags));
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaMallocManaged((void **)pointer, bytes, flags));
}

CUresult cuMemFree(CUdeviceptr pointer) {
	return IN_CONTEXT(cudaFree(s2s_at(pointer)));
}

CUresult cuMemFreeHost(void *pointer) {
	return IN_CONTEXT(cudaFreeHost(pointer));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(s2s_at(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(to, s2s_at(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(s2s_at(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(to, s2s_at(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
	return IN_CONTEXT(cudaMemset(s2s_at(to), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
	return IN_CONTEXT(cudaMemsetAsync(s2s_at(to), value, count, stream));
}

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

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
	if (!pool || !location)
		return CUDA_ERROR_INVALID_VALUE;
	return IN_CONTEXT(cudaMemGetDefaultMemPool(pool, location, (enum cudaMemAllocationType)type));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t count) {
	return IN_CONTEXT(cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)list, count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
	return IN_CONTEXT(cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, location));
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

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
	CUmemcpyAttributes *attributes, size_t *firsts, size_t nattributes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyBatchAsync((void *const *)to, (const void *const *)from, bytes, count,
		(struct cudaMemcpyAttributes *)attributes, firsts, nattributes, stream));
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
	default:
		break;
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
