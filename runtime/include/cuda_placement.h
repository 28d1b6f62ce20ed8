/* Where memory is and which processors may use it: pools, advice, batches of copies, other devices and other processes.
 * cuda_runtime.h includes this. There is one memory: nothing moves, and no process sees another's. */
#ifndef S2S_CUDA_PLACEMENT_H
#define S2S_CUDA_PLACEMENT_H

enum cudaMemAllocationType {
	cudaMemAllocationTypeInvalid = 0,
	cudaMemAllocationTypePinned = 1,
	cudaMemAllocationTypeManaged = 2,
	cudaMemAllocationTypeMax = 0x7FFFFFFF
};
enum cudaMemAllocationHandleType {
	cudaMemHandleTypeNone = 0,
	cudaMemHandleTypePosixFileDescriptor = 1,
	cudaMemHandleTypeWin32 = 2,
	cudaMemHandleTypeWin32Kmt = 4,
	cudaMemHandleTypeFabric = 8
};
#define cudaMemPoolCreateUsageHwDecompress 0x2
enum cudaMemAccessFlags {
	cudaMemAccessFlagsProtNone = 0,
	cudaMemAccessFlagsProtRead = 1,
	cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemPoolProps {
	enum cudaMemAllocationType allocType;
	enum cudaMemAllocationHandleType handleTypes;
	struct cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize; /* 0: as much as the device has */
	unsigned short usage;
	unsigned char reserved[54];
};
typedef struct cudaMemPoolProps cudaMemPoolProps;
struct cudaMemAccessDesc {
	struct cudaMemLocation location;
	enum cudaMemAccessFlags flags;
};
typedef struct cudaMemAccessDesc cudaMemAccessDesc;
struct cudaMemPoolPtrExportData {
	unsigned char reserved[64];
};

enum cudaMemRangeAttribute {
	cudaMemRangeAttributeReadMostly = 1,
	cudaMemRangeAttributePreferredLocation = 2,
	cudaMemRangeAttributeAccessedBy = 3,
	cudaMemRangeAttributeLastPrefetchLocation = 4,
	cudaMemRangeAttributePreferredLocationType = 5,
	cudaMemRangeAttributePreferredLocationId = 6,
	cudaMemRangeAttributeLastPrefetchLocationType = 7,
	cudaMemRangeAttributeLastPrefetchLocationId = 8
};

enum cudaDeviceP2PAttr {
	cudaDevP2PAttrPerformanceRank = 1,
	cudaDevP2PAttrAccessSupported = 2,
	cudaDevP2PAttrNativeAtomicSupported = 3,
	cudaDevP2PAttrCudaArrayAccessSupported = 4,
	cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5
};

enum cudaAtomicOperation {
	cudaAtomicOperationIntegerAdd = 0,
	cudaAtomicOperationIntegerMin = 1,
	cudaAtomicOperationIntegerMax = 2,
	cudaAtomicOperationIntegerIncrement = 3,
	cudaAtomicOperationIntegerDecrement = 4,
	cudaAtomicOperationAnd = 5,
	cudaAtomicOperationOr = 6,
	cudaAtomicOperationXOR = 7,
	cudaAtomicOperationExchange = 8,
	cudaAtomicOperationCAS = 9,
	cudaAtomicOperationFloatAdd = 10,
	cudaAtomicOperationFloatMin = 11,
	cudaAtomicOperationFloatMax = 12
};
enum cudaAtomicOperationCapability {
	cudaAtomicCapabilitySigned = 1u << 0,
	cudaAtomicCapabilityUnsigned = 1u << 1,
	cudaAtomicCapabilityReduction = 1u << 2,
	cudaAtomicCapabilityScalar32 = 1u << 3,
	cudaAtomicCapabilityScalar64 = 1u << 4,
	cudaAtomicCapabilityScalar128 = 1u << 5,
	cudaAtomicCapabilityVector32x4 = 1u << 6
};

enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0 };
enum cudaFlushGPUDirectRDMAWritesScope {
	cudaFlushGPUDirectRDMAWritesToOwner = 100,
	cudaFlushGPUDirectRDMAWritesToAllDevices = 200
};

enum cudaMemcpySrcAccessOrder {
	cudaMemcpySrcAccessOrderInvalid = 0,
	cudaMemcpySrcAccessOrderStream = 1,
	cudaMemcpySrcAccessOrderDuringApiCall = 2,
	cudaMemcpySrcAccessOrderAny = 3,
	cudaMemcpySrcAccessOrderMax = 0x7FFFFFFF
};
enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };
struct cudaMemcpyAttributes {
	enum cudaMemcpySrcAccessOrder srcAccessOrder;
	struct cudaMemLocation srcLocHint, dstLocHint;
	unsigned int flags;
};
typedef struct cudaMemcpyAttributes cudaMemcpyAttributes;

enum cudaMemcpy3DOperandType {
	cudaMemcpyOperandTypePointer = 1,
	cudaMemcpyOperandTypeArray = 2,
	cudaMemcpyOperandTypeMax = 0x7fffffff
};
struct cudaOffset3D {
	size_t x, y, z;
};
struct cudaMemcpy3DOperand {
	enum cudaMemcpy3DOperandType type;
	union {
		struct {
			void *ptr;
			size_t rowLength, layerHeight; /* elements and rows; 0: those of the extent */
			struct cudaMemLocation locHint;
		} ptr;
		struct {
			cudaArray_t array;
			struct cudaOffset3D offset;
		} array;
	} op;
};
struct cudaMemcpy3DBatchOp {
	struct cudaMemcpy3DOperand src, dst;
	struct cudaExtent extent;
	enum cudaMemcpySrcAccessOrder srcAccessOrder;
	unsigned int flags;
};

struct cudaMemcpy3DPeerParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	int srcDevice;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	int dstDevice;
	struct cudaExtent extent;
};
typedef struct cudaMemcpy3DPeerParms cudaMemcpy3DPeerParms;

typedef struct cudaMemFabricHandle_st {
	char reserved[64];
} cudaMemFabricHandle_t;

#define CUDA_IPC_HANDLE_SIZE 64
#define cudaIpcMemLazyEnablePeerAccess 0x01
typedef struct cudaIpcMemHandle_st {
	char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
	char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;

enum cudaFlushGPUDirectRDMAWritesOptions {
	cudaFlushGPUDirectRDMAWritesOptionHost = 1,
	cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
};

enum cudaGPUDirectRDMAWritesOrdering {
	cudaGPUDirectRDMAWritesOrderingNone = 0,
	cudaGPUDirectRDMAWritesOrderingOwner = 100,
	cudaGPUDirectRDMAWritesOrderingAllDevices = 200
};

enum cudaDeviceNumaConfig { cudaDeviceNumaConfigNone = 0, cudaDeviceNumaConfigNumaNode = 1 };

#ifdef __cplusplus
extern "C" {
#endif

/* Pools. What a pool allocates goes back to the system when it is freed, whatever its release threshold is. A pool that
 * is destroyed stays for as long as something of it is allocated. */
cudaError_t cudaMemGetDefaultMemPool(
	cudaMemPool_t *__pool, struct cudaMemLocation *__location, enum cudaMemAllocationType __type);
cudaError_t cudaMemGetMemPool(
	cudaMemPool_t *__pool, struct cudaMemLocation *__location, enum cudaMemAllocationType __type);
cudaError_t cudaMemSetMemPool(
	struct cudaMemLocation *__location, enum cudaMemAllocationType __type, cudaMemPool_t __pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *__pool, const struct cudaMemPoolProps *__properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t __pool);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t __pool, const struct cudaMemAccessDesc *__list, size_t __count);
cudaError_t cudaMemPoolGetAccess(
	enum cudaMemAccessFlags *__flags, cudaMemPool_t __pool, struct cudaMemLocation *__location);
cudaError_t cudaMemPoolExportToShareableHandle(
	void *__handle, cudaMemPool_t __pool, enum cudaMemAllocationHandleType __type, unsigned int __flags);
cudaError_t cudaMemPoolImportFromShareableHandle(
	cudaMemPool_t *__pool, void *__handle, enum cudaMemAllocationHandleType __type, unsigned int __flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *__data, void *__pointer);
cudaError_t cudaMemPoolImportPointer(void **__pointer, cudaMemPool_t __pool, struct cudaMemPoolPtrExportData *__data);

/* Other devices, of which there are none. */
cudaError_t cudaDeviceGetP2PAttribute(int *__value, enum cudaDeviceP2PAttr __attr, int __from, int __to);
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *__capabilities,
	const enum cudaAtomicOperation *__operations, unsigned int __count, int __from, int __to);
cudaError_t cudaDeviceGetHostAtomicCapabilities(
	unsigned int *__capabilities, const enum cudaAtomicOperation *__operations, unsigned int __count, int __device);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(
	enum cudaFlushGPUDirectRDMAWritesTarget __target, enum cudaFlushGPUDirectRDMAWritesScope __scope);
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *__copy);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *__copy, cudaStream_t __stream S2S_DEFAULT(0));

/* Advice about managed memory, which is remembered and changes nothing. */
cudaError_t cudaMemRangeGetAttribute(
	void *__data, size_t __data_bytes, enum cudaMemRangeAttribute __attr, const void *__pointer, size_t __bytes);
cudaError_t cudaMemRangeGetAttributes(void **__data, size_t *__data_bytes, enum cudaMemRangeAttribute *__attributes,
	size_t __count, const void *__pointer, size_t __bytes);
cudaError_t cudaMemPrefetchBatchAsync(void **__pointers, size_t *__bytes, size_t __count,
	struct cudaMemLocation *__locations, size_t *__firsts, size_t __nlocations, unsigned long long __flags,
	cudaStream_t __stream);
cudaError_t cudaMemDiscardBatchAsync(
	void **__pointers, size_t *__bytes, size_t __count, unsigned long long __flags, cudaStream_t __stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **__pointers, size_t *__bytes, size_t __count,
	struct cudaMemLocation *__locations, size_t *__firsts, size_t __nlocations, unsigned long long __flags,
	cudaStream_t __stream);

/* Copies in one call, in any order. `firsts` has for each of the attributes the first copy that has it. */
cudaError_t cudaMemcpyBatchAsync(void *const *__to, const void *const *__from, const size_t *__bytes, size_t __count,
	struct cudaMemcpyAttributes *__attributes, size_t *__firsts, size_t __nattributes, cudaStream_t __stream);
cudaError_t cudaMemcpy3DBatchAsync(
	size_t __count, struct cudaMemcpy3DBatchOp *__copies, unsigned long long __flags, cudaStream_t __stream);

/* Other processes. Their memory and events are not to be had: cudaErrorNotSupported. */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *__handle, void *__pointer);
cudaError_t cudaIpcOpenMemHandle(void **__pointer, cudaIpcMemHandle_t __handle, unsigned int __flags);
cudaError_t cudaIpcCloseMemHandle(void *__pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *__handle, cudaEvent_t __event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *__event, cudaIpcEventHandle_t __handle);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
