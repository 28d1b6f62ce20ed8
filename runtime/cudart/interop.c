/* What the device has not: see cuda_interop.h. */
#include "cudart/cuda_array.h"
#include "cudart/queue.h"

#include <stdio.h>

/* ---- memory and semaphores of others ---- */

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *memory, const struct cudaExternalMemoryHandleDesc *desc) {
	return s2s_note(memory && desc ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaImportExternalSemaphore(
	cudaExternalSemaphore_t *semaphore, const struct cudaExternalSemaphoreHandleDesc *desc) {
	return s2s_note(semaphore && desc ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

/* A function of a handle that does not exist. */
#define NO_SUCH_HANDLE(NAME, ...)                                                                                      \
	cudaError_t NAME(__VA_ARGS__) {                                                                                    \
		return s2s_note(cudaErrorInvalidResourceHandle);                                                               \
	}
#pragma GCC diagnostic ignored "-Wunused-parameter"

NO_SUCH_HANDLE(cudaExternalMemoryGetMappedBuffer, void **pointer, cudaExternalMemory_t memory,
	const struct cudaExternalMemoryBufferDesc *desc)
NO_SUCH_HANDLE(cudaExternalMemoryGetMappedMipmappedArray, cudaMipmappedArray_t *array, cudaExternalMemory_t memory,
	const struct cudaExternalMemoryMipmappedArrayDesc *desc)
NO_SUCH_HANDLE(cudaDestroyExternalMemory, cudaExternalMemory_t memory)
NO_SUCH_HANDLE(cudaSignalExternalSemaphoresAsync, const cudaExternalSemaphore_t *semaphores,
	const struct cudaExternalSemaphoreSignalParams *params, unsigned int count, cudaStream_t stream)
NO_SUCH_HANDLE(cudaWaitExternalSemaphoresAsync, const cudaExternalSemaphore_t *semaphores,
	const struct cudaExternalSemaphoreWaitParams *params, unsigned int count, cudaStream_t stream)
NO_SUCH_HANDLE(cudaDestroyExternalSemaphore, cudaExternalSemaphore_t semaphore)
NO_SUCH_HANDLE(cudaGraphAddExternalSemaphoresSignalNode, cudaGraphNode_t *node, cudaGraph_t graph,
	const cudaGraphNode_t *after, size_t count, const struct cudaExternalSemaphoreSignalNodeParams *params)
NO_SUCH_HANDLE(cudaGraphAddExternalSemaphoresWaitNode, cudaGraphNode_t *node, cudaGraph_t graph,
	const cudaGraphNode_t *after, size_t count, const struct cudaExternalSemaphoreWaitNodeParams *params)
NO_SUCH_HANDLE(cudaGraphExternalSemaphoresSignalNodeGetParams, cudaGraphNode_t node,
	struct cudaExternalSemaphoreSignalNodeParams *params)
NO_SUCH_HANDLE(cudaGraphExternalSemaphoresSignalNodeSetParams, cudaGraphNode_t node,
	const struct cudaExternalSemaphoreSignalNodeParams *params)
NO_SUCH_HANDLE(cudaGraphExternalSemaphoresWaitNodeGetParams, cudaGraphNode_t node,
	struct cudaExternalSemaphoreWaitNodeParams *params)
NO_SUCH_HANDLE(cudaGraphExternalSemaphoresWaitNodeSetParams, cudaGraphNode_t node,
	const struct cudaExternalSemaphoreWaitNodeParams *params)
NO_SUCH_HANDLE(cudaGraphExecExternalSemaphoresSignalNodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,
	const struct cudaExternalSemaphoreSignalNodeParams *params)
NO_SUCH_HANDLE(cudaGraphExecExternalSemaphoresWaitNodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,
	const struct cudaExternalSemaphoreWaitNodeParams *params)
NO_SUCH_HANDLE(cudaGraphicsUnregisterResource, cudaGraphicsResource_t resource)
NO_SUCH_HANDLE(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t resource, unsigned int flags)
NO_SUCH_HANDLE(cudaGraphicsMapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
NO_SUCH_HANDLE(cudaGraphicsUnmapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
NO_SUCH_HANDLE(cudaGraphicsResourceGetMappedPointer, void **pointer, size_t *bytes, cudaGraphicsResource_t resource)
NO_SUCH_HANDLE(cudaGraphicsSubResourceGetMappedArray, cudaArray_t *array, cudaGraphicsResource_t resource,
	unsigned int index, unsigned int level)
NO_SUCH_HANDLE(
	cudaGraphicsResourceGetMappedMipmappedArray, cudaMipmappedArray_t *array, cudaGraphicsResource_t resource)
NO_SUCH_HANDLE(cudaGetMipmappedArrayLevel, cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned int level)
NO_SUCH_HANDLE(
	cudaMipmappedArrayGetSparseProperties, struct cudaArraySparseProperties *properties, cudaMipmappedArray_t array)
NO_SUCH_HANDLE(cudaMipmappedArrayGetMemoryRequirements, struct cudaArrayMemoryRequirements *requirements,
	cudaMipmappedArray_t array, int device)
NO_SUCH_HANDLE(cudaDeviceUnregisterAsyncNotification, int device, cudaAsyncCallbackHandle_t handle)
NO_SUCH_HANDLE(cudaLogsUnregisterCallback, cudaLogsCallbackHandle handle)

/* ---- arrays ---- */

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *format,
	struct cudaExtent extent, unsigned int levels, unsigned int flags) {
	return s2s_note(array && format ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
	return s2s_note(array ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

/* What only arrays of several planes, sparse ones and such with memory to come have. */
static cudaError_t not_such_an_array(cudaArray_t array) {
	return s2s_note(s2s_is_array(array) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned int index) {
	return not_such_an_array(array);
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties, cudaArray_t array) {
	return not_such_an_array(array);
}

cudaError_t cudaArrayGetMemoryRequirements(
	struct cudaArrayMemoryRequirements *requirements, cudaArray_t array, int device) {
	return not_such_an_array(array);
}

/* ---- the rest ---- */

cudaError_t cudaDeviceGetNvSciSyncAttributes(void *list, int device, int flags) {
	return s2s_note(device == 0 ? cudaErrorNotSupported : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceRegisterAsyncNotification(
	int device, cudaAsyncCallback callback, void *data, cudaAsyncCallbackHandle_t *handle) {
	if (!callback || !handle)
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(device == 0 ? cudaErrorNotSupported : cudaErrorInvalidDevice);
}

cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *id) {
	return s2s_note(table && id ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callback, void *data, cudaLogsCallbackHandle *handle) {
	return s2s_note(callback && handle ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator, unsigned int flags) {
	if (!iterator || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	*iterator = 0;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned int flags) {
	if (!path || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	FILE *file = fopen(path, "w");
	if (!file)
		return s2s_note(cudaErrorInvalidValue);
	fclose(file);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *bytes, unsigned int flags) {
	if (!buffer || !bytes || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	if (*bytes > 0)
		*buffer = '\0';
	*bytes = 0;
	return s2s_note(cudaSuccess);
}
