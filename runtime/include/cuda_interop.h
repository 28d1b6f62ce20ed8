/* What the device has not: memory and semaphores of graphics libraries, mipmaps, sparse arrays, notifications, logs.
 * cuda_runtime.h includes this. Each function returns cudaErrorNotSupported, or what CUDA returns for a handle that was
 * never given out. */
#ifndef S2S_CUDA_INTEROP_H
#define S2S_CUDA_INTEROP_H

typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef enum cudaAsyncNotificationType_enum { cudaAsyncNotificationTypeOverBudget = 1 } cudaAsyncNotificationType;
typedef struct cudaAsyncNotificationInfo {
	cudaAsyncNotificationType type;
	union {
		struct {
			unsigned long long bytesOverBudget;
		} overBudget;
	} info;
} cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t);

enum cudaExternalMemoryHandleType {
	cudaExternalMemoryHandleTypeOpaqueFd = 1,
	cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
	cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
	cudaExternalMemoryHandleTypeD3D12Heap = 4,
	cudaExternalMemoryHandleTypeD3D12Resource = 5,
	cudaExternalMemoryHandleTypeD3D11Resource = 6,
	cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
	cudaExternalMemoryHandleTypeNvSciBuf = 8
};
#define cudaExternalMemoryDedicated 1
struct cudaExternalMemoryHandleDesc {
	enum cudaExternalMemoryHandleType type;
	union {
		int fd;
		struct {
			void *handle;
			const void *name;
		} win32;
		const void *nvSciBufObject;
	} handle;
	unsigned long long size;
	unsigned int flags, reserved[16];
};
struct cudaExternalMemoryBufferDesc {
	unsigned long long offset, size;
	unsigned int flags, reserved[16];
};
struct cudaExternalMemoryMipmappedArrayDesc {
	unsigned long long offset;
	struct cudaChannelFormatDesc formatDesc;
	struct cudaExtent extent;
	unsigned int flags, numLevels, reserved[16];
};
enum cudaExternalSemaphoreHandleType {
	cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
	cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
	cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
	cudaExternalSemaphoreHandleTypeD3D12Fence = 4,
	cudaExternalSemaphoreHandleTypeD3D11Fence = 5,
	cudaExternalSemaphoreHandleTypeNvSciSync = 6,
	cudaExternalSemaphoreHandleTypeKeyedMutex = 7,
	cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
	cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
	cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
};
struct cudaExternalSemaphoreHandleDesc {
	enum cudaExternalSemaphoreHandleType type;
	union {
		int fd;
		struct {
			void *handle;
			const void *name;
		} win32;
		const void *nvSciSyncObj;
	} handle;
	unsigned int flags, reserved[16];
};
struct cudaExternalSemaphoreSignalParams {
	struct {
		struct {
			unsigned long long value;
		} fence;
		union {
			void *fence;
			unsigned long long reserved;
		} nvSciSync;
		struct {
			unsigned long long key;
		} keyedMutex;
		unsigned int reserved[12];
	} params;
	unsigned int flags, reserved[16];
};
struct cudaExternalSemaphoreWaitParams {
	struct {
		struct {
			unsigned long long value;
		} fence;
		union {
			void *fence;
			unsigned long long reserved;
		} nvSciSync;
		struct {
			unsigned long long key;
			unsigned int timeoutMs;
		} keyedMutex;
		unsigned int reserved[10];
	} params;
	unsigned int flags, reserved[16];
};
struct cudaExternalSemaphoreSignalNodeParams {
	cudaExternalSemaphore_t *extSemArray;
	const struct cudaExternalSemaphoreSignalParams *paramsArray;
	unsigned int numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
	cudaExternalSemaphore_t *extSemArray;
	const struct cudaExternalSemaphoreWaitParams *paramsArray;
	unsigned int numExtSems;
};
struct cudaExternalSemaphoreSignalNodeParamsV2 {
	cudaExternalSemaphore_t *extSemArray;
	const struct cudaExternalSemaphoreSignalParams *paramsArray;
	unsigned int numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParamsV2 {
	cudaExternalSemaphore_t *extSemArray;
	const struct cudaExternalSemaphoreWaitParams *paramsArray;
	unsigned int numExtSems;
};

#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02
#define cudaNvSciSyncAttrSignal 0x1
#define cudaNvSciSyncAttrWait 0x2

enum cudaGraphicsRegisterFlags {
	cudaGraphicsRegisterFlagsNone = 0,
	cudaGraphicsRegisterFlagsReadOnly = 1,
	cudaGraphicsRegisterFlagsWriteDiscard = 2,
	cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
	cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
	cudaGraphicsMapFlagsNone = 0,
	cudaGraphicsMapFlagsReadOnly = 1,
	cudaGraphicsMapFlagsWriteDiscard = 2
};

#define cudaArrayColorAttachment 0x20
#define cudaArraySparse 0x40
#define cudaArrayDeferredMapping 0x80
#define cudaArraySparsePropertiesSingleMipTail 0x1
struct cudaArraySparseProperties {
	struct {
		unsigned int width, height, depth;
	} tileExtent;
	unsigned int miptailFirstLevel;
	unsigned long long miptailSize;
	unsigned int flags, reserved[4];
};
struct cudaArrayMemoryRequirements {
	size_t size, alignment;
	unsigned int reserved[4];
};

typedef enum CUlogLevel_enum { cudaLogLevelError = 0, cudaLogLevelWarning = 1 } cudaLogLevel;
typedef unsigned int cudaLogIterator;
typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
typedef void (*cudaLogsCallback_t)(void *data, cudaLogLevel level, char *text, size_t length);

enum cudaGraphicsCubeFace {
	cudaGraphicsCubeFacePositiveX = 0,
	cudaGraphicsCubeFaceNegativeX = 1,
	cudaGraphicsCubeFacePositiveY = 2,
	cudaGraphicsCubeFaceNegativeY = 3,
	cudaGraphicsCubeFacePositiveZ = 4,
	cudaGraphicsCubeFaceNegativeZ = 5
};

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *__memory, const struct cudaExternalMemoryHandleDesc *__desc);
cudaError_t cudaExternalMemoryGetMappedBuffer(
	void **__pointer, cudaExternalMemory_t __memory, const struct cudaExternalMemoryBufferDesc *__desc);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *__array, cudaExternalMemory_t __memory,
	const struct cudaExternalMemoryMipmappedArrayDesc *__desc);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t __memory);
cudaError_t cudaImportExternalSemaphore(
	cudaExternalSemaphore_t *__semaphore, const struct cudaExternalSemaphoreHandleDesc *__desc);
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *__semaphores,
	const struct cudaExternalSemaphoreSignalParams *__params, unsigned int __count,
	cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *__semaphores,
	const struct cudaExternalSemaphoreWaitParams *__params, unsigned int __count, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t __semaphore);
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
	const cudaGraphNode_t *__after, size_t __count, const struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
	const cudaGraphNode_t *__after, size_t __count, const struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
	cudaGraphNode_t __node, struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
	cudaGraphNode_t __node, const struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
	cudaGraphNode_t __node, struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
	cudaGraphNode_t __node, const struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, const struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
	cudaGraphExec_t __exec, cudaGraphNode_t __node, const struct cudaExternalSemaphoreWaitNodeParams *__params);

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t __resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t __resource, unsigned int __flags);
cudaError_t cudaGraphicsMapResources(
	int __count, cudaGraphicsResource_t *__resources, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaGraphicsUnmapResources(
	int __count, cudaGraphicsResource_t *__resources, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaGraphicsResourceGetMappedPointer(void **__pointer, size_t *__bytes, cudaGraphicsResource_t __resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(
	cudaArray_t *__array, cudaGraphicsResource_t __resource, unsigned int __index, unsigned int __level);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(
	cudaMipmappedArray_t *__array, cudaGraphicsResource_t __resource);

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *__array, const struct cudaChannelFormatDesc *__format,
	struct cudaExtent __extent, unsigned int __levels, unsigned int __flags S2S_DEFAULT(0));
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t __array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *__array, cudaMipmappedArray_const_t __mipmap, unsigned int __level);
cudaError_t cudaArrayGetPlane(cudaArray_t *__plane, cudaArray_t __array, unsigned int __index);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *__properties, cudaArray_t __array);
cudaError_t cudaMipmappedArrayGetSparseProperties(
	struct cudaArraySparseProperties *__properties, cudaMipmappedArray_t __array);
cudaError_t cudaArrayGetMemoryRequirements(
	struct cudaArrayMemoryRequirements *__requirements, cudaArray_t __array, int __device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(
	struct cudaArrayMemoryRequirements *__requirements, cudaMipmappedArray_t __array, int __device);

cudaError_t cudaDeviceGetNvSciSyncAttributes(void *__list, int __device, int __flags);
cudaError_t cudaDeviceRegisterAsyncNotification(
	int __device, cudaAsyncCallback __callback, void *__data, cudaAsyncCallbackHandle_t *__handle);
cudaError_t cudaDeviceUnregisterAsyncNotification(int __device, cudaAsyncCallbackHandle_t __handle);
cudaError_t cudaGetExportTable(const void **__table, const cudaUUID_t *__id);

/* Messages about errors go to stderr: the log is empty. */
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t __callback, void *__data, cudaLogsCallbackHandle *__handle);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle __handle);
cudaError_t cudaLogsCurrent(cudaLogIterator *__iterator, unsigned int __flags);
cudaError_t cudaLogsDumpToFile(cudaLogIterator *__iterator, const char *__path, unsigned int __flags);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator *__iterator, char *__buffer, size_t *__bytes, unsigned int __flags);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
