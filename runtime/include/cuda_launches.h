/* Launches with attributes, handles of kernels, libraries of kernels, and attributes of streams. cuda_runtime.h
 * includes this. */
#ifndef S2S_CUDA_LAUNCHES_H
#define S2S_CUDA_LAUNCHES_H

typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;

enum cudaAccessProperty {
	cudaAccessPropertyNormal = 0,
	cudaAccessPropertyStreaming = 1,
	cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	enum cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
	cudaSyncPolicyAuto = 1,
	cudaSyncPolicySpin = 2,
	cudaSyncPolicyYield = 3,
	cudaSyncPolicyBlockingSync = 4
};
enum cudaClusterSchedulingPolicy {
	cudaClusterSchedulingPolicyDefault = 0,
	cudaClusterSchedulingPolicySpread = 1,
	cudaClusterSchedulingPolicyLoadBalancing = 2
};
typedef enum cudaLaunchMemSyncDomain {
	cudaLaunchMemSyncDomainDefault = 0,
	cudaLaunchMemSyncDomainRemote = 1
} cudaLaunchMemSyncDomain;
typedef struct cudaLaunchMemSyncDomainMap_st {
	unsigned char default_, remote;
} cudaLaunchMemSyncDomainMap;

typedef enum cudaLaunchAttributeID {
	cudaLaunchAttributeIgnore = 0,
	cudaLaunchAttributeAccessPolicyWindow = 1,
	cudaLaunchAttributeCooperative = 2,
	cudaLaunchAttributeSynchronizationPolicy = 3,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6,
	cudaLaunchAttributeProgrammaticEvent = 7,
	cudaLaunchAttributePriority = 8,
	cudaLaunchAttributeMemSyncDomainMap = 9,
	cudaLaunchAttributeMemSyncDomain = 10,
	cudaLaunchAttributePreferredClusterDimension = 11,
	cudaLaunchAttributeLaunchCompletionEvent = 12,
	cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
	cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
	cudaLaunchAttributeNvlinkUtilCentricScheduling = 16
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
	char pad[64];
	struct cudaAccessPolicyWindow accessPolicyWindow;
	int cooperative;
	enum cudaSynchronizationPolicy syncPolicy;
	struct {
		unsigned int x, y, z;
	} clusterDim;
	enum cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
	int programmaticStreamSerializationAllowed;
	struct {
		cudaEvent_t event;
		int flags;
		int triggerAtBlockStart;
	} programmaticEvent;
	int priority;
	cudaLaunchMemSyncDomainMap memSyncDomainMap;
	cudaLaunchMemSyncDomain memSyncDomain;
	struct {
		unsigned int x, y, z;
	} preferredClusterDim;
	struct {
		cudaEvent_t event;
		int flags;
	} launchCompletionEvent;
	struct {
		int deviceUpdatable;
		cudaGraphDeviceNode_t devNode;
	} deviceUpdatableKernelNode;
	unsigned int sharedMemCarveout;
	unsigned int nvlinkUtilCentricScheduling;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
	cudaLaunchAttributeID id;
	char pad[8 - sizeof(cudaLaunchAttributeID)];
	cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
} cudaLaunchConfig_t;

#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttrID cudaLaunchAttributeID
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority

#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference cudaLaunchAttributeClusterSchedulingPolicyPreference
#define cudaKernelNodeAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaKernelNodeAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout
#define cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaLaunchAttributeDeviceUpdatableKernelNode
#define cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling

enum cudaJitOption {
	cudaJitMaxRegisters = 0,
	cudaJitThreadsPerBlock = 1,
	cudaJitWallTime = 2,
	cudaJitInfoLogBuffer = 3,
	cudaJitInfoLogBufferSizeBytes = 4,
	cudaJitErrorLogBuffer = 5,
	cudaJitErrorLogBufferSizeBytes = 6,
	cudaJitOptimizationLevel = 7,
	cudaJitFallbackStrategy = 10,
	cudaJitGenerateDebugInfo = 11,
	cudaJitLogVerbose = 12,
	cudaJitGenerateLineInfo = 13,
	cudaJitCacheMode = 14,
	cudaJitPositionIndependentCode = 30,
	cudaJitMinCtaPerSm = 31,
	cudaJitMaxThreadsPerBlock = 32,
	cudaJitOverrideDirectiveValues = 33
};
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };

struct cudalibraryHostUniversalFunctionAndDataTable {
	void *functionTable;
	size_t functionWindowSize;
	void *dataTable;
	size_t dataWindowSize;
};

enum cudaDriverEntryPointQueryResult {
	cudaDriverEntryPointSuccess = 0,
	cudaDriverEntryPointSymbolNotFound = 1,
	cudaDriverEntryPointVersionNotSufficent = 2
};
enum cudaGetDriverEntryPointFlags {
	cudaEnableDefault = 0,
	cudaEnableLegacyStream = 1,
	cudaEnablePerThreadDefaultStream = 2
};

enum cudaJit_CacheMode { cudaJitCacheOptionNone = 0, cudaJitCacheOptionCG = 1, cudaJitCacheOptionCA = 2 };

enum cudaJit_Fallback { cudaPreferPtx = 0, cudaPreferBinary = 1 };

enum cudaCGScope { cudaCGScopeInvalid = 0, cudaCGScopeGrid = 1, cudaCGScopeReserved = 2 };

#ifdef __cplusplus
extern "C" {
#endif

/* Launches. `kernel` is a host function, or a handle of a kernel. Of the attributes, the cooperative one counts;
 * clusters of more than one block are cudaErrorNotSupported; those that let kernels overlap, or say where data may
 * stay, are permissions that are not used. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, const void *__kernel, void **__args);

/* Clusters: they have one block. */
cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, const void *__kernel, const cudaLaunchConfig_t *__config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *__size, const void *__kernel, const cudaLaunchConfig_t *__config);

/* Kernels by name and as handles, for the driver API too. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *__function, const void *__kernel);
cudaError_t cudaGetKernel(cudaKernel_t *__handle, const void *__kernel);
cudaError_t cudaFuncGetName(const char **__name, const void *__kernel);
cudaError_t cudaFuncGetParamInfo(const void *__kernel, size_t __index, size_t *__offset, size_t *__bytes);
cudaError_t cudaKernelSetAttributeForDevice(
	cudaKernel_t __kernel, enum cudaFuncAttribute __attr, int __value, int __device);

/* Libraries: images that NVRTC or `--cubin` has made. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *__library, const void *__image, enum cudaJitOption *__options,
	void **__values, unsigned int __count, enum cudaLibraryOption *__library_options, void **__library_values,
	unsigned int __library_count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *__library, const char *__path, enum cudaJitOption *__options,
	void **__values, unsigned int __count, enum cudaLibraryOption *__library_options, void **__library_values,
	unsigned int __library_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t __library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *__kernel, cudaLibrary_t __library, const char *__name);
cudaError_t cudaLibraryGetGlobal(void **__pointer, size_t *__bytes, cudaLibrary_t __library, const char *__name);
cudaError_t cudaLibraryGetManaged(void **__pointer, size_t *__bytes, cudaLibrary_t __library, const char *__name);
cudaError_t cudaLibraryGetUnifiedFunction(void **__function, cudaLibrary_t __library, const char *__name);
cudaError_t cudaLibraryGetKernelCount(unsigned int *__count, cudaLibrary_t __library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *__kernels, unsigned int __count, cudaLibrary_t __library);

/* Functions of the driver API by name. */
cudaError_t cudaGetDriverEntryPoint(const char *__name, void **__function, unsigned long long __flags,
	enum cudaDriverEntryPointQueryResult *__result S2S_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char *__name, void **__function, unsigned int __version,
	unsigned long long __flags, enum cudaDriverEntryPointQueryResult *__result S2S_DEFAULT(0));

/* Attributes of streams: they are kept, and change nothing. */
cudaError_t cudaStreamSetAttribute(cudaStream_t __stream, cudaStreamAttrID __id, const cudaStreamAttrValue *__value);
cudaError_t cudaStreamGetAttribute(cudaStream_t __stream, cudaStreamAttrID __id, cudaStreamAttrValue *__value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t __to, cudaStream_t __from);
cudaError_t cudaCtxResetPersistingL2Cache(void);

/* The same of nodes that launch kernels. */
cudaError_t cudaGraphKernelNodeSetAttribute(
	cudaGraphNode_t __node, cudaKernelNodeAttrID __id, const cudaKernelNodeAttrValue *__value);
cudaError_t cudaGraphKernelNodeGetAttribute(
	cudaGraphNode_t __node, cudaKernelNodeAttrID __id, cudaKernelNodeAttrValue *__value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t __to, cudaGraphNode_t __from);

#ifdef __cplusplus
} /* extern "C" */

template <class... __Parameters, class... __Arguments>
static inline cudaError_t cudaLaunchKernelEx(
	const cudaLaunchConfig_t *__config, void (*__kernel)(__Parameters...), __Arguments &&...__arguments) {
	return [&](__Parameters... converted) {
		void *args[] = {(void *)&converted..., nullptr};
		return cudaLaunchKernelExC(__config, (const void *)__kernel, args);
	}(static_cast<__Arguments &&>(__arguments)...);
}
template <class __T>
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, __T *__kernel, void **__args) {
	return cudaLaunchKernelExC(__config, (const void *)__kernel, __args);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxActiveClusters(
	int *__clusters, __T *__kernel, const cudaLaunchConfig_t *__config) {
	return cudaOccupancyMaxActiveClusters(__clusters, (const void *)__kernel, __config);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(
	int *__size, __T *__kernel, const cudaLaunchConfig_t *__config) {
	return cudaOccupancyMaxPotentialClusterSize(__size, (const void *)__kernel, __config);
}
template <class __T> static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *__function, __T *__kernel) {
	return cudaGetFuncBySymbol(__function, (const void *)__kernel);
}
template <class __T> static inline cudaError_t cudaGetKernel(cudaKernel_t *__handle, __T *__kernel) {
	return cudaGetKernel(__handle, (const void *)__kernel);
}
template <class __T> static inline cudaError_t cudaFuncGetName(const char **__name, __T *__kernel) {
	return cudaFuncGetName(__name, (const void *)__kernel);
}
template <class __T>
static inline cudaError_t cudaLibraryGetGlobal(
	__T **__pointer, size_t *__bytes, cudaLibrary_t __library, const char *__name) {
	return cudaLibraryGetGlobal((void **)(void *)__pointer, __bytes, __library, __name);
}
#endif

#endif
