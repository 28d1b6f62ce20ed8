/* The CUDA runtime API for host code that runs on simt2simd: C and C++.
 *
 * The device is the CPU: device pointers are host pointers. What the default stream is asked to do is done when the
 * call returns; other streams run beside each other and the host, each in its order. Names, numbers and meanings are
 * those of NVIDIA's CUDA Runtime API reference; what is missing here is refused by the compiler, not ignored at run
 * time.
 */
#ifndef S2S_CUDA_RUNTIME_H
#define S2S_CUDA_RUNTIME_H

#include <stddef.h>

/* By these, programs and NVIDIA's other headers know that the headers of these names were included. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__

/* nvcc includes these into every .cu file, and programs rely on it. */
#ifdef __CUDACC__
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>
#endif
#endif

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

/* In the host part of a .cu file these words are simt2simd's to remove; in other files they mean nothing. */
#ifndef __SIMT2SIMD_SPLIT__
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
/* What NVIDIA's headers mark their own declarations with; programs copy it. */
#define __device_builtin__
#define __nv_pure__ __attribute__((pure))
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

/* ---- types ---- */

#include "device_types.h"
#include "library_types.h"
#include "vector_functions.h"
#include "vector_types.h"

typedef enum cudaError {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInitializationError = 3,
	cudaErrorCudartUnloading = 4,
	cudaErrorProfilerDisabled = 5,
	cudaErrorProfilerNotInitialized = 6,
	cudaErrorProfilerAlreadyStarted = 7,
	cudaErrorProfilerAlreadyStopped = 8,
	cudaErrorInvalidConfiguration = 9,
	cudaErrorInvalidPitchValue = 12,
	cudaErrorInvalidSymbol = 13,
	cudaErrorInvalidHostPointer = 16,
	cudaErrorInvalidDevicePointer = 17,
	cudaErrorInvalidTexture = 18,
	cudaErrorInvalidTextureBinding = 19,
	cudaErrorInvalidChannelDescriptor = 20,
	cudaErrorInvalidMemcpyDirection = 21,
	cudaErrorAddressOfConstant = 22,
	cudaErrorTextureFetchFailed = 23,
	cudaErrorTextureNotBound = 24,
	cudaErrorSynchronizationError = 25,
	cudaErrorInvalidFilterSetting = 26,
	cudaErrorInvalidNormSetting = 27,
	cudaErrorMixedDeviceExecution = 28,
	cudaErrorNotYetImplemented = 31,
	cudaErrorMemoryValueTooLarge = 32,
	cudaErrorStubLibrary = 34,
	cudaErrorInsufficientDriver = 35,
	cudaErrorCallRequiresNewerDriver = 36,
	cudaErrorInvalidSurface = 37,
	cudaErrorDuplicateVariableName = 43,
	cudaErrorDuplicateTextureName = 44,
	cudaErrorDuplicateSurfaceName = 45,
	cudaErrorDevicesUnavailable = 46,
	cudaErrorIncompatibleDriverContext = 49,
	cudaErrorMissingConfiguration = 52,
	cudaErrorPriorLaunchFailure = 53,
	cudaErrorLaunchMaxDepthExceeded = 65,
	cudaErrorLaunchFileScopedTex = 66,
	cudaErrorLaunchFileScopedSurf = 67,
	cudaErrorSyncDepthExceeded = 68,
	cudaErrorLaunchPendingCountExceeded = 69,
	cudaErrorInvalidDeviceFunction = 98,
	cudaErrorNoDevice = 100,
	cudaErrorInvalidDevice = 101,
	cudaErrorDeviceNotLicensed = 102,
	cudaErrorSoftwareValidityNotEstablished = 103,
	cudaErrorStartupFailure = 127,
	cudaErrorInvalidKernelImage = 200,
	cudaErrorDeviceUninitialized = 201,
	cudaErrorMapBufferObjectFailed = 205,
	cudaErrorUnmapBufferObjectFailed = 206,
	cudaErrorArrayIsMapped = 207,
	cudaErrorAlreadyMapped = 208,
	cudaErrorNoKernelImageForDevice = 209,
	cudaErrorAlreadyAcquired = 210,
	cudaErrorNotMapped = 211,
	cudaErrorNotMappedAsArray = 212,
	cudaErrorNotMappedAsPointer = 213,
	cudaErrorECCUncorrectable = 214,
	cudaErrorUnsupportedLimit = 215,
	cudaErrorDeviceAlreadyInUse = 216,
	cudaErrorPeerAccessUnsupported = 217,
	cudaErrorInvalidPtx = 218,
	cudaErrorInvalidGraphicsContext = 219,
	cudaErrorNvlinkUncorrectable = 220,
	cudaErrorJitCompilerNotFound = 221,
	cudaErrorUnsupportedPtxVersion = 222,
	cudaErrorJitCompilationDisabled = 223,
	cudaErrorUnsupportedExecAffinity = 224,
	cudaErrorUnsupportedDevSideSync = 225,
	cudaErrorContained = 226,
	cudaErrorInvalidSource = 300,
	cudaErrorFileNotFound = 301,
	cudaErrorSharedObjectSymbolNotFound = 302,
	cudaErrorSharedObjectInitFailed = 303,
	cudaErrorOperatingSystem = 304,
	cudaErrorInvalidResourceHandle = 400,
	cudaErrorIllegalState = 401,
	cudaErrorLossyQuery = 402,
	cudaErrorSymbolNotFound = 500,
	cudaErrorNotReady = 600,
	cudaErrorIllegalAddress = 700,
	cudaErrorLaunchOutOfResources = 701,
	cudaErrorLaunchTimeout = 702,
	cudaErrorLaunchIncompatibleTexturing = 703,
	cudaErrorPeerAccessAlreadyEnabled = 704,
	cudaErrorPeerAccessNotEnabled = 705,
	cudaErrorSetOnActiveProcess = 708,
	cudaErrorContextIsDestroyed = 709,
	cudaErrorAssert = 710,
	cudaErrorTooManyPeers = 711,
	cudaErrorHostMemoryAlreadyRegistered = 712,
	cudaErrorHostMemoryNotRegistered = 713,
	cudaErrorHardwareStackError = 714,
	cudaErrorIllegalInstruction = 715,
	cudaErrorMisalignedAddress = 716,
	cudaErrorInvalidAddressSpace = 717,
	cudaErrorInvalidPc = 718,
	cudaErrorLaunchFailure = 719,
	cudaErrorCooperativeLaunchTooLarge = 720,
	cudaErrorTensorMemoryLeak = 721,
	cudaErrorNotPermitted = 800,
	cudaErrorNotSupported = 801,
	cudaErrorSystemNotReady = 802,
	cudaErrorSystemDriverMismatch = 803,
	cudaErrorCompatNotSupportedOnDevice = 804,
	cudaErrorMpsConnectionFailed = 805,
	cudaErrorMpsRpcFailure = 806,
	cudaErrorMpsServerNotReady = 807,
	cudaErrorMpsMaxClientsReached = 808,
	cudaErrorMpsMaxConnectionsReached = 809,
	cudaErrorMpsClientTerminated = 810,
	cudaErrorCdpNotSupported = 811,
	cudaErrorCdpVersionMismatch = 812,
	cudaErrorStreamCaptureUnsupported = 900,
	cudaErrorStreamCaptureInvalidated = 901,
	cudaErrorStreamCaptureMerge = 902,
	cudaErrorStreamCaptureUnmatched = 903,
	cudaErrorStreamCaptureUnjoined = 904,
	cudaErrorStreamCaptureIsolation = 905,
	cudaErrorStreamCaptureImplicit = 906,
	cudaErrorCapturedEvent = 907,
	cudaErrorStreamCaptureWrongThread = 908,
	cudaErrorTimeout = 909,
	cudaErrorGraphExecUpdateFailure = 910,
	cudaErrorExternalDevice = 911,
	cudaErrorInvalidClusterSize = 912,
	cudaErrorFunctionNotLoaded = 913,
	cudaErrorInvalidResourceType = 914,
	cudaErrorInvalidResourceConfiguration = 915,
	cudaErrorUnknown = 999,
	cudaErrorApiFailureBase = 10000
} cudaError_t;

enum cudaMemcpyKind {
	cudaMemcpyHostToHost = 0,
	cudaMemcpyHostToDevice = 1,
	cudaMemcpyDeviceToHost = 2,
	cudaMemcpyDeviceToDevice = 3,
	cudaMemcpyDefault = 4
};

enum cudaLimit {
	cudaLimitStackSize = 0,
	cudaLimitPrintfFifoSize = 1,
	cudaLimitMallocHeapSize = 2,
	cudaLimitDevRuntimeSyncDepth = 3, /* the device has none of these, and of those after the next one */
	cudaLimitDevRuntimePendingLaunchCount = 4,
	cudaLimitMaxL2FetchGranularity = 5,
	cudaLimitPersistingL2CacheSize = 6
};

enum cudaFuncCache {
	cudaFuncCachePreferNone = 0,
	cudaFuncCachePreferShared = 1,
	cudaFuncCachePreferL1 = 2,
	cudaFuncCachePreferEqual = 3
};

enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault = 0,
	cudaSharedMemBankSizeFourByte = 1,
	cudaSharedMemBankSizeEightByte = 2
};

struct cudaFuncAttributes {
	size_t sharedSizeBytes; /* static */
	size_t constSizeBytes;
	size_t localSizeBytes; /* 0: a thread's variables are on the stack */
	int maxThreadsPerBlock;
	int numRegs; /* as many as a GPU's thread may have */
	int ptxVersion, binaryVersion;
	int cacheModeCA;
	int maxDynamicSharedSizeBytes;
	int preferredShmemCarveout;                                                                 /* -1: no preference */
	int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth; /* 0: none */
	int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};
typedef struct cudaFuncAttributes cudaFuncAttributes;

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeClusterDimMustBeSet = 10, /* clusters have one block */
	cudaFuncAttributeRequiredClusterWidth = 11,
	cudaFuncAttributeRequiredClusterHeight = 12,
	cudaFuncAttributeRequiredClusterDepth = 13,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
	cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
	cudaFuncAttributeMax = 16
};

enum cudaSharedCarveout {
	cudaSharedmemCarveoutDefault = -1,
	cudaSharedmemCarveoutMaxL1 = 0,
	cudaSharedmemCarveoutMaxShared = 100
};

enum cudaComputeMode {
	cudaComputeModeDefault = 0,
	cudaComputeModeExclusive = 1,
	cudaComputeModeProhibited = 2,
	cudaComputeModeExclusiveProcess = 3
};

/* What cudaDeviceGetAttribute returns: the fields of cudaDeviceProp that are numbers. */
enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13,
	cudaDevAttrTextureAlignment = 14,
	cudaDevAttrGpuOverlap = 15,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18,
	cudaDevAttrCanMapHostMemory = 19,
	cudaDevAttrComputeMode = 20,
	cudaDevAttrMaxTexture1DWidth = 21,
	cudaDevAttrMaxTexture2DWidth = 22,
	cudaDevAttrMaxTexture2DHeight = 23,
	cudaDevAttrMaxTexture3DWidth = 24,
	cudaDevAttrMaxTexture3DHeight = 25,
	cudaDevAttrMaxTexture3DDepth = 26,
	cudaDevAttrMaxTexture2DLayeredWidth = 27,
	cudaDevAttrMaxTexture2DLayeredHeight = 28,
	cudaDevAttrMaxTexture2DLayeredLayers = 29,
	cudaDevAttrSurfaceAlignment = 30,
	cudaDevAttrConcurrentKernels = 31,
	cudaDevAttrEccEnabled = 32,
	cudaDevAttrPciBusId = 33,
	cudaDevAttrPciDeviceId = 34,
	cudaDevAttrTccDriver = 35,
	cudaDevAttrMemoryClockRate = 36,
	cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrMaxTexture1DLayeredWidth = 42,
	cudaDevAttrMaxTexture1DLayeredLayers = 43,
	cudaDevAttrMaxTexture2DGatherWidth = 45,
	cudaDevAttrMaxTexture2DGatherHeight = 46,
	cudaDevAttrMaxTexture3DWidthAlt = 47,
	cudaDevAttrMaxTexture3DHeightAlt = 48,
	cudaDevAttrMaxTexture3DDepthAlt = 49,
	cudaDevAttrPciDomainId = 50,
	cudaDevAttrTexturePitchAlignment = 51,
	cudaDevAttrMaxTextureCubemapWidth = 52,
	cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
	cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
	cudaDevAttrMaxSurface1DWidth = 55,
	cudaDevAttrMaxSurface2DWidth = 56,
	cudaDevAttrMaxSurface2DHeight = 57,
	cudaDevAttrMaxSurface3DWidth = 58,
	cudaDevAttrMaxSurface3DHeight = 59,
	cudaDevAttrMaxSurface3DDepth = 60,
	cudaDevAttrMaxSurface1DLayeredWidth = 61,
	cudaDevAttrMaxSurface1DLayeredLayers = 62,
	cudaDevAttrMaxSurface2DLayeredWidth = 63,
	cudaDevAttrMaxSurface2DLayeredHeight = 64,
	cudaDevAttrMaxSurface2DLayeredLayers = 65,
	cudaDevAttrMaxSurfaceCubemapWidth = 66,
	cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
	cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
	cudaDevAttrMaxTexture1DLinearWidth = 69,
	cudaDevAttrMaxTexture2DLinearWidth = 70,
	cudaDevAttrMaxTexture2DLinearHeight = 71,
	cudaDevAttrMaxTexture2DLinearPitch = 72,
	cudaDevAttrMaxTexture2DMipmappedWidth = 73,
	cudaDevAttrMaxTexture2DMipmappedHeight = 74,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxTexture1DMipmappedWidth = 77,
	cudaDevAttrStreamPrioritiesSupported = 78,
	cudaDevAttrGlobalL1CacheSupported = 79,
	cudaDevAttrLocalL1CacheSupported = 80,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrIsMultiGpuBoard = 84,
	cudaDevAttrMultiGpuBoardGroupID = 85,
	cudaDevAttrHostNativeAtomicSupported = 86,
	cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
	cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89,
	cudaDevAttrComputePreemptionSupported = 90,
	cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
	cudaDevAttrReserved92 = 92,
	cudaDevAttrReserved93 = 93,
	cudaDevAttrReserved94 = 94,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrReserved96 = 96,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrCanFlushRemoteWrites = 98,
	cudaDevAttrHostRegisterSupported = 99,
	cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
	cudaDevAttrDirectManagedMemAccessFromHost = 101,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrMaxPersistingL2CacheSize = 108,
	cudaDevAttrMaxAccessPolicyWindowSize = 109,
	cudaDevAttrReservedSharedMemoryPerBlock = 111,
	cudaDevAttrSparseCudaArraySupported = 112,
	cudaDevAttrHostRegisterReadOnlySupported = 113,
	cudaDevAttrTimelineSemaphoreInteropSupported = 114,
	cudaDevAttrMemoryPoolsSupported = 115,
	cudaDevAttrGPUDirectRDMASupported = 116,
	cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
	cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
	cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
	cudaDevAttrClusterLaunch = 120,
	cudaDevAttrDeferredMappingCudaArraySupported = 121,
	cudaDevAttrReserved122 = 122,
	cudaDevAttrReserved123 = 123,
	cudaDevAttrReserved124 = 124,
	cudaDevAttrIpcEventSupport = 125,
	cudaDevAttrMemSyncDomainCount = 126,
	cudaDevAttrReserved127 = 127,
	cudaDevAttrReserved128 = 128,
	cudaDevAttrReserved129 = 129,
	cudaDevAttrNumaConfig = 130,
	cudaDevAttrNumaId = 131,
	cudaDevAttrReserved132 = 132,
	cudaDevAttrMpsEnabled = 133,
	cudaDevAttrHostNumaId = 134,
	cudaDevAttrD3D12CigSupported = 135,
	cudaDevAttrVulkanCigSupported = 138,
	cudaDevAttrGpuPciDeviceId = 139,
	cudaDevAttrGpuPciSubsystemId = 140,
	cudaDevAttrReserved141 = 141,
	cudaDevAttrHostNumaMemoryPoolsSupported = 142,
	cudaDevAttrHostNumaMultinodeIpcSupported = 143,
	cudaDevAttrHostMemoryPoolsSupported = 144,
	cudaDevAttrReserved145 = 145,
	cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147,
	cudaDevAttrMax = 148
};

/* Flags are taken, and most change nothing: all memory is the host's. */
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitDefault 0x00
#define cudaEventWaitExternal 0x01
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaDeviceScheduleMask 0x07
#define cudaInitDeviceFlagsAreValid 0x01
#define cudaOccupancyDefault 0x00
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

#define cudaPeerAccessDefault 0x00
#define cudaDeviceSyncMemops 0x80
#define cudaDeviceMask 0xff
#define cudaOccupancyDisableCachingOverride 0x01

typedef struct CUuuid_st {
	char bytes[16];
} cudaUUID_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef void (*cudaHostFn_t)(void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);

enum cudaMemoryType {
	cudaMemoryTypeUnregistered = 0,
	cudaMemoryTypeHost = 1,
	cudaMemoryTypeDevice = 2,
	cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer; /* null where that side may not use it */
};
typedef struct cudaPointerAttributes cudaPointerAttributes;

enum cudaMemLocationType {
	cudaMemLocationTypeInvalid = 0,
	cudaMemLocationTypeNone = 0,
	cudaMemLocationTypeDevice = 1,
	cudaMemLocationTypeHost = 2,
	cudaMemLocationTypeHostNuma = 3,
	cudaMemLocationTypeHostNumaCurrent = 4
};

struct cudaMemLocation {
	enum cudaMemLocationType type;
	int id;
};
typedef struct cudaMemLocation cudaMemLocation;

enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1,
	cudaMemAdviseUnsetReadMostly = 2,
	cudaMemAdviseSetPreferredLocation = 3,
	cudaMemAdviseUnsetPreferredLocation = 4,
	cudaMemAdviseSetAccessedBy = 5,
	cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemPoolAttr {
	cudaMemPoolReuseFollowEventDependencies = 1,
	cudaMemPoolReuseAllowOpportunistic = 2,
	cudaMemPoolReuseAllowInternalDependencies = 3,
	cudaMemPoolAttrReleaseThreshold = 4,
	cudaMemPoolAttrReservedMemCurrent = 5,
	cudaMemPoolAttrReservedMemHigh = 6,
	cudaMemPoolAttrUsedMemCurrent = 7,
	cudaMemPoolAttrUsedMemHigh = 8
};

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

/* A multiprocessor is an hthread: it runs one block at a time. */
struct cudaDeviceProp {
	char name[256];        /* the CPU's */
	size_t totalGlobalMem; /* the machine's memory */
	size_t sharedMemPerBlock;
	int regsPerBlock;
	int warpSize;
	size_t memPitch;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int clockRate; /* kHz; 0 where the system does not say */
	size_t totalConstMem;
	int major, minor; /* as of -arch=sm_90 */
	size_t textureAlignment, texturePitchAlignment;
	int deviceOverlap;
	int multiProcessorCount;
	int kernelExecTimeoutEnabled;
	int integrated;
	int canMapHostMemory;
	int computeMode;
	int concurrentKernels;
	int ECCEnabled;
	int pciBusID, pciDeviceID, pciDomainID;
	int tccDriver;
	int asyncEngineCount;
	int unifiedAddressing;
	int memoryClockRate; /* kHz; 0: not known */
	int memoryBusWidth;  /* bits; 0: not known */
	int l2CacheSize;
	int persistingL2CacheMaxSize;
	int maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported;
	int globalL1CacheSupported, localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor;
	int managedMemory;
	int isMultiGpuBoard, multiGpuBoardGroupID;
	int hostNativeAtomicSupported;
	int singleToDoublePrecisionPerfRatio;
	int pageableMemoryAccess;
	int concurrentManagedAccess;
	int computePreemptionSupported;
	int canUseHostPointerForRegisteredMem;
	int cooperativeLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables;
	int directManagedMemAccessFromHost;
	int maxBlocksPerMultiProcessor;
	int hostRegisterSupported;
	size_t reservedSharedMemPerBlock;
	int memoryPoolsSupported;
	int cooperativeMultiDeviceLaunch;
	int clusterLaunch;
	size_t surfaceAlignment;
	int maxTexture1D, maxTexture1DLinear, maxTexture1DMipmap, maxTexture1DLayered[2];
	int maxTexture2D[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture2DLayered[3];
	int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTextureCubemapLayered[2];
	int maxSurface1D, maxSurface1DLayered[2], maxSurface2D[2], maxSurface2DLayered[3], maxSurface3D[3];
	int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
	cudaUUID_t uuid;
	char luid[8]; /* of Windows */
	unsigned int luidDeviceNodeMask;
	/* What the device has not. */
	int maxTexture2DMipmap[2], accessPolicyMaxWindowSize, sparseCudaArraySupported, hostRegisterReadOnlySupported;
	int timelineSemaphoreInteropSupported, gpuDirectRDMASupported, gpuDirectRDMAWritesOrdering;
	unsigned int gpuDirectRDMAFlushWritesOptions, memoryPoolSupportedHandleTypes;
	int deferredMappingCudaArraySupported, ipcEventSupported, unifiedFunctionPointers;
	int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId, hostNumaMultinodeIpcSupported;
	unsigned int gpuPciDeviceID, gpuPciSubsystemID;
};
typedef struct cudaDeviceProp cudaDeviceProp;

/* ---- functions ---- */

#ifdef __cplusplus
#define S2S_DEFAULT(value) = value
extern "C" {
#else
#define S2S_DEFAULT(value)
#endif

/* Errors. A launch that cannot begin leaves its code for cudaGetLastError. A kernel that fails while it runs ends all
 * work, as on a GPU: later launches do nothing, and all calls of all threads return its code, except those that ask for
 * versions and properties, until cudaDeviceReset. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t __error);
const char *cudaGetErrorString(cudaError_t __error);

/* Devices: there is one, number 0. */
cudaError_t cudaGetDeviceCount(int *__count);
cudaError_t cudaSetDevice(int __device);
cudaError_t cudaGetDevice(int *__device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *__properties, int __device);
cudaError_t cudaDeviceGetAttribute(int *__value, enum cudaDeviceAttr __attr, int __device);
cudaError_t cudaChooseDevice(int *__device, const struct cudaDeviceProp *__properties);
cudaError_t cudaSetValidDevices(int *__devices, int __count);
cudaError_t cudaInitDevice(int __device, unsigned int __device_flags, unsigned int __flags);
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
cudaError_t cudaGetDeviceFlags(unsigned int *__flags);
cudaError_t cudaDeviceGetPCIBusId(char *__id, int __bytes, int __device);
cudaError_t cudaDeviceGetByPCIBusId(int *__device, const char *__id);
cudaError_t cudaDriverGetVersion(int *__version);
cudaError_t cudaRuntimeGetVersion(int *__version);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaDeviceGetLimit(size_t *__value, enum cudaLimit __limit);
cudaError_t cudaThreadSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaThreadGetLimit(size_t *__value, enum cudaLimit __limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache __config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *__config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *__config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig __config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *__config);
cudaError_t cudaFuncSetCacheConfig(const void *__kernel, enum cudaFuncCache __config);
cudaError_t cudaFuncSetSharedMemConfig(const void *__kernel, enum cudaSharedMemConfig __config);

/* What is known of a kernel. `kernel` is its host function, of which `k` and `k<float>` are the address. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, const void *__kernel);
cudaError_t cudaFuncSetAttribute(const void *__kernel, enum cudaFuncAttribute __attr, int __value);
cudaError_t cudaLaunchKernel(const void *__kernel, dim3 __grid, dim3 __block_, void **__args,
	size_t __shared_bytes S2S_DEFAULT(0), cudaStream_t __stream S2S_DEFAULT(0));

/* For kernels with a barrier of the grid: all blocks must have room on the device at once. */
cudaError_t cudaLaunchCooperativeKernel(const void *__kernel, dim3 __grid, dim3 __block_, void **__args,
	size_t __shared_bytes S2S_DEFAULT(0), cudaStream_t __stream S2S_DEFAULT(0));

/* How many blocks of a kernel can have begun on a multiprocessor at once: 1, or more if threads of the kernel wait for
 * each other; 0 if a block is too large. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *__blocks, const void *__kernel, int __block_threads, size_t __shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *__blocks, const void *__kernel, int __block_threads, size_t __shared_bytes, unsigned int __flags);

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *__shared_bytes, const void *__kernel, int __blocks, int __block_threads);

/* Memory. A copy may not go past the end of an allocation, and what its kind calls the device's must lie in one; else
 * it returns cudaErrorInvalidValue and copies nothing. cudaMalloc promises no more than the machine has. */
cudaError_t cudaMalloc(void **__pointer, size_t __bytes);
cudaError_t cudaMallocPitch(void **__pointer, size_t *__pitch, size_t __width_bytes, size_t __height);
cudaError_t cudaMallocHost(void **__pointer, size_t __bytes);
cudaError_t cudaHostAlloc(void **__pointer, size_t __bytes, unsigned int __flags);
cudaError_t cudaHostGetDevicePointer(void **__device, void *__host, unsigned int __flags);
cudaError_t cudaMallocManaged(void **__pointer, size_t __bytes, unsigned int __flags S2S_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaFree(void *__pointer);
cudaError_t cudaFreeHost(void *__pointer);
cudaError_t cudaHostRegister(void *__pointer, size_t __bytes, unsigned int __flags);
cudaError_t cudaHostUnregister(void *__pointer);
cudaError_t cudaHostGetFlags(unsigned int *__flags, void *__pointer);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *__attributes, const void *__pointer);
cudaError_t cudaMemGetInfo(size_t *__free_bytes, size_t *__total_bytes);
cudaError_t cudaMemcpy(void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyAsync(
	void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *__to, size_t __to_pitch, const void *__from, size_t __from_pitch, size_t __width_bytes,
	size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DAsync(void *__to, size_t __to_pitch, const void *__from, size_t __from_pitch,
	size_t __width_bytes, size_t __height, enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemset(void *__to, int __value, size_t __bytes);
cudaError_t cudaMemsetAsync(void *__to, int __value, size_t __bytes, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemset2D(void *__to, size_t __pitch, int __value, size_t __width_bytes, size_t __height);
cudaError_t cudaMemset2DAsync(void *__to, size_t __pitch, int __value, size_t __width_bytes, size_t __height,
	cudaStream_t __stream S2S_DEFAULT(0));

/* Memory in the order of a stream: a pointer is there at once, and is given back when the stream reaches that. */
cudaError_t cudaMallocAsync(void **__pointer, size_t __bytes, cudaStream_t __stream);
cudaError_t cudaMallocFromPoolAsync(void **__pointer, size_t __bytes, cudaMemPool_t __pool, cudaStream_t __stream);
cudaError_t cudaFreeAsync(void *__pointer, cudaStream_t __stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceSetMemPool(int __device, cudaMemPool_t __pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __pool, size_t __bytes_to_keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr, void *__value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr, void *__value);

/* Other devices, of which there are none, and advice, which is remembered and changes nothing. */
cudaError_t cudaDeviceCanAccessPeer(int *__can, int __device, int __peer);
cudaError_t cudaDeviceEnablePeerAccess(int __peer, unsigned int __flags);
cudaError_t cudaDeviceDisablePeerAccess(int __peer);
cudaError_t cudaMemcpyPeer(void *__to, int __to_device, const void *__from, int __from_device, size_t __bytes);
cudaError_t cudaMemcpyPeerAsync(void *__to, int __to_device, const void *__from, int __from_device, size_t __bytes,
	cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemPrefetchAsync(const void *__pointer, size_t __bytes, struct cudaMemLocation __location,
	unsigned int __flags, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemAdvise(
	const void *__pointer, size_t __bytes, enum cudaMemoryAdvise __advice, struct cudaMemLocation __location);

/* Variables at file scope. A symbol is the variable itself; its name as a string is cudaErrorInvalidSymbol. */
cudaError_t cudaMemcpyToSymbol(const void *__symbol, const void *__from, size_t __bytes, size_t __offset S2S_DEFAULT(0),
	enum cudaMemcpyKind __kind S2S_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *__symbol, const void *__from, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(void *__to, const void *__symbol, size_t __bytes, size_t __offset S2S_DEFAULT(0),
	enum cudaMemcpyKind __kind S2S_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *__to, const void *__symbol, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **__pointer, const void *__symbol);
cudaError_t cudaGetSymbolSize(size_t *__bytes, const void *__symbol);

/* The same for a constant too, of which each side has a copy: `readable_bytes` of it, else 0. */
cudaError_t s2s_copy_from_symbol(void *__to, const void *__symbol, size_t __readable_bytes, size_t __bytes,
	size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t s2s_copy_from_symbol_async(void *__to, const void *__symbol, size_t __readable_bytes, size_t __bytes,
	size_t __offset, enum cudaMemcpyKind __kind, cudaStream_t __stream);
cudaError_t s2s_find_symbol(void **__pointer, size_t *__bytes, const void *__symbol, size_t __readable_bytes);

/* Streams and events. */
cudaError_t cudaStreamCreate(cudaStream_t *__stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__stream, unsigned int __flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *__stream, unsigned int __flags, int __priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *__least, int *__greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t __stream, int *__priority);
cudaError_t cudaStreamGetFlags(cudaStream_t __stream, unsigned int *__flags);
cudaError_t cudaStreamGetId(cudaStream_t __stream, unsigned long long *__id);
cudaError_t cudaStreamGetDevice(cudaStream_t __stream, int *__device);
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __function, void *__data);
cudaError_t cudaStreamAddCallback(
	cudaStream_t __stream, cudaStreamCallback_t __callback, void *__data, unsigned int __flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void *__pointer, size_t __bytes S2S_DEFAULT(0),
	unsigned int __flags S2S_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamDestroy(cudaStream_t __stream);
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
cudaError_t cudaStreamQuery(cudaStream_t __stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event, unsigned int __flags S2S_DEFAULT(0));
cudaError_t cudaEventCreate(cudaEvent_t *__event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned int __flags);
cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(
	cudaEvent_t __event, cudaStream_t __stream S2S_DEFAULT(0), unsigned int __flags S2S_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
cudaError_t cudaEventQuery(cudaEvent_t __event);
cudaError_t cudaEventElapsedTime(float *__ms, cudaEvent_t __start, cudaEvent_t __end);
cudaError_t cudaEventDestroy(cudaEvent_t __event);

/* Make 0 the default stream of the calling thread (--default-stream per-thread), in all of the program. */
void s2s_use_per_thread_streams(void);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
__attribute__((constructor)) static void s2s_come_per_thread(void) {
	s2s_use_per_thread_streams();
}
#endif

/* What `kernel<<<grid, block, shared_bytes, stream>>>(...)` becomes. The first keeps the configuration for the second,
 * which the kernel's host function calls with the addresses of its parameters. Returns 0. */
struct s2s_kernel;
int s2s_push_call(
	dim3 __grid, dim3 __block_, size_t __shared_bytes S2S_DEFAULT(0), cudaStream_t __stream S2S_DEFAULT(0));
void s2s_launch_pushed(const struct s2s_kernel *__kernel, void **__args);

/* The host function of a kernel that may have several forms (templates, overloads) refers to its own by where the
 * kernel is and by its template arguments; the device code of the file has a list of them. `kernel` is written when
 * the form is first looked for. */
struct s2s_instances;
struct s2s_reference {
	const struct s2s_kernel *kernel;
	const struct s2s_instances *instances;
	const char *place, *arguments;
};
void s2s_launch_instance(struct s2s_reference *__reference, void **__args);

/* What a device function does on the host: says so and ends the program. */
void s2s_not_on_host(const char *__function) __attribute__((noreturn));

#ifdef __cplusplus
} /* extern "C" */

/* The same with the types of C++ programs. */
template <class __T> static inline cudaError_t cudaMalloc(__T **__pointer, size_t __bytes) {
	return cudaMalloc((void **)(void *)__pointer, __bytes);
}
template <class __T>
static inline cudaError_t cudaMallocPitch(__T **__pointer, size_t *__pitch, size_t __width_bytes, size_t __height) {
	return cudaMallocPitch((void **)(void *)__pointer, __pitch, __width_bytes, __height);
}
template <class __T>
static inline cudaError_t cudaMallocHost(__T **__pointer, size_t __bytes, unsigned int __flags = 0) {
	return cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}
template <class __T> static inline cudaError_t cudaHostAlloc(__T **__pointer, size_t __bytes, unsigned int __flags) {
	return cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}
template <class __T>
static inline cudaError_t cudaHostGetDevicePointer(__T **__device, void *__host, unsigned int __flags) {
	return cudaHostGetDevicePointer((void **)(void *)__device, __host, __flags);
}
template <class __T>
static inline cudaError_t cudaMallocManaged(
	__T **__pointer, size_t __bytes, unsigned int __flags = cudaMemAttachGlobal) {
	return cudaMallocManaged((void **)(void *)__pointer, __bytes, __flags);
}
template <class __T> static inline cudaError_t cudaMallocAsync(__T **__pointer, size_t __bytes, cudaStream_t __stream) {
	return cudaMallocAsync((void **)(void *)__pointer, __bytes, __stream);
}
template <class __T>
static inline cudaError_t cudaMallocFromPoolAsync(
	__T **__pointer, size_t __bytes, cudaMemPool_t __pool, cudaStream_t __stream) {
	return cudaMallocFromPoolAsync((void **)(void *)__pointer, __bytes, __pool, __stream);
}
template <class __T>
static inline cudaError_t cudaMallocAsync(
	__T **__pointer, size_t __bytes, cudaMemPool_t __pool, cudaStream_t __stream) {
	return cudaMallocFromPoolAsync((void **)(void *)__pointer, __bytes, __pool, __stream);
}
/* A location as programs for CUDA before 13 write it. */
static inline struct cudaMemLocation s2s_location(int __device) {
	struct cudaMemLocation __location;
	__location.type = __device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
	__location.id = __device;
	return __location;
}
static inline cudaError_t cudaMemPrefetchAsync(
	const void *__pointer, size_t __bytes, int __device, cudaStream_t __stream = 0) {
	return cudaMemPrefetchAsync(__pointer, __bytes, s2s_location(__device), 0, __stream);
}
static inline cudaError_t cudaMemAdvise(
	const void *__pointer, size_t __bytes, enum cudaMemoryAdvise __advice, int __device) {
	return cudaMemAdvise(__pointer, __bytes, __advice, s2s_location(__device));
}
/* For `T name[] = {...}`, of which the host has but a declaration: how many elements the braces have. */
template <class __T> using s2s_array = __T;
template <class __T> struct s2s_element;
template <class __T> struct s2s_element<__T[]> {
	typedef __T type;
};

/* Each side has a copy of a constant. What is made of `const char` may be a string literal: that is no symbol. */
template <class __T> struct s2s_constant_bytes {
	static const size_t value = 0;
};
template <class __T> struct s2s_constant_bytes<const __T> {
	static const size_t value = sizeof(__T);
};
template <size_t __N> struct s2s_constant_bytes<const char[__N]> {
	static const size_t value = 0;
};
template <class __T> static inline const void *s2s_symbol(__T &__symbol) {
	return (const void *)__builtin_addressof(__symbol);
}
template <class __T>
static inline cudaError_t cudaMemcpyToSymbol(__T &__symbol, const void *__from, size_t __bytes, size_t __offset = 0,
	enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice) {
	return cudaMemcpyToSymbol(s2s_symbol(__symbol), __from, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaMemcpyToSymbolAsync(__T &__symbol, const void *__from, size_t __bytes, size_t __offset,
	enum cudaMemcpyKind __kind, cudaStream_t __stream = 0) {
	return cudaMemcpyToSymbolAsync(s2s_symbol(__symbol), __from, __bytes, __offset, __kind, __stream);
}
template <class __T>
static inline cudaError_t cudaMemcpyFromSymbol(void *__to, __T &__symbol, size_t __bytes, size_t __offset = 0,
	enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost) {
	return s2s_copy_from_symbol(__to, s2s_symbol(__symbol), s2s_constant_bytes<__T>::value, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(
	void *__to, __T &__symbol, size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind, cudaStream_t __stream = 0) {
	return s2s_copy_from_symbol_async(
		__to, s2s_symbol(__symbol), s2s_constant_bytes<__T>::value, __bytes, __offset, __kind, __stream);
}
template <class __P, class __T> static inline cudaError_t cudaGetSymbolAddress(__P **__pointer, __T &__symbol) {
	return s2s_find_symbol((void **)(void *)__pointer, 0, s2s_symbol(__symbol), s2s_constant_bytes<__T>::value);
}
template <class __T> static inline cudaError_t cudaGetSymbolSize(size_t *__bytes, __T &__symbol) {
	return s2s_find_symbol(0, __bytes, s2s_symbol(__symbol), s2s_constant_bytes<__T>::value);
}
template <class __T> static inline cudaError_t cudaFuncSetCacheConfig(__T *__kernel, enum cudaFuncCache __config) {
	return cudaFuncSetCacheConfig((const void *)__kernel, __config);
}
template <class __T>
static inline cudaError_t cudaFuncSetSharedMemConfig(__T *__kernel, enum cudaSharedMemConfig __config) {
	return cudaFuncSetSharedMemConfig((const void *)__kernel, __config);
}
template <class __T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, __T *__kernel) {
	return cudaFuncGetAttributes(__attributes, (const void *)__kernel);
}
template <class __T>
static inline cudaError_t cudaFuncSetAttribute(__T *__kernel, enum cudaFuncAttribute __attr, int __value) {
	return cudaFuncSetAttribute((const void *)__kernel, __attr, __value);
}
template <class __T>
static inline cudaError_t cudaLaunchKernel(
	__T *__kernel, dim3 __grid, dim3 __block_, void **__args, size_t __shared_bytes = 0, cudaStream_t __stream = 0) {
	return cudaLaunchKernel((const void *)__kernel, __grid, __block_, __args, __shared_bytes, __stream);
}
template <class __T>
static inline cudaError_t cudaLaunchCooperativeKernel(
	__T *__kernel, dim3 __grid, dim3 __block_, void **__args, size_t __shared_bytes = 0, cudaStream_t __stream = 0) {
	return cudaLaunchCooperativeKernel((const void *)__kernel, __grid, __block_, __args, __shared_bytes, __stream);
}

/* The block size with which most threads run at once, and how many such blocks there must be for that. Blocks of as
 * many threads as they may have are best; `shared_bytes` of one, or what a function of its size returns. */
template <class __T, class __F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
	int *__grid, int *__block_, __T *__kernel, __F __shared_bytes, int __most_threads = 0) {
	struct cudaFuncAttributes __attributes;
	int __device = 0, __processors = 0, __blocks = 0;
	cudaError_t __code = cudaFuncGetAttributes(&__attributes, (const void *)__kernel);
	if (__code == cudaSuccess)
		__code = cudaGetDevice(&__device);
	if (__code == cudaSuccess)
		__code = cudaDeviceGetAttribute(&__processors, cudaDevAttrMultiProcessorCount, __device);
	if (__code != cudaSuccess)
		return __code;
	int __threads = __attributes.maxThreadsPerBlock;
	if (__most_threads > 0 && __most_threads < __threads)
		__threads = __most_threads;
	for (; __threads > 0; __threads = __threads > 32 ? (__threads - 1) / 32 * 32 : 0) {
		__code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&__blocks, (const void *)__kernel, __threads, __shared_bytes(__threads));
		if (__code != cudaSuccess)
			return __code;
		if (__blocks > 0)
			break;
	}
	*__block_ = __threads;
	*__grid = __blocks * __processors;
	return cudaSuccess;
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(
	int *__grid, int *__block_, __T *__kernel, size_t __shared_bytes = 0, int __most_threads = 0) {
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
		__grid, __block_, __kernel, [=](int) { return __shared_bytes; }, __most_threads);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
	int *__grid, int *__block_, __T *__kernel, size_t __shared_bytes = 0, int __most_threads = 0, unsigned int = 0) {
	return cudaOccupancyMaxPotentialBlockSize(__grid, __block_, __kernel, __shared_bytes, __most_threads);
}

template <class __T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *__blocks, __T *__kernel, int __block_threads, size_t __shared_bytes) {
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
		__blocks, (const void *)__kernel, __block_threads, __shared_bytes);
}
template <class __T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *__shared_bytes, __T *__kernel, int __blocks, int __block_threads) {
	return cudaOccupancyAvailableDynamicSMemPerBlock(__shared_bytes, (const void *)__kernel, __blocks, __block_threads);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *__blocks, __T *__kernel, int __block_threads, size_t __shared_bytes, unsigned int) {
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
		__blocks, (const void *)__kernel, __block_threads, __shared_bytes);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *__event, unsigned int __flags) {
	return cudaEventCreateWithFlags(__event, __flags);
}

#ifdef __SIMT2SIMD_SPLIT__
/* The template arguments of a kernel as text: `s2s_text<s2s_list<T, s2s_value<int, N>>>()`. The C++ compiler writes
 * them into the name of this function, where no name is shortened. */
template <class...> struct s2s_list;
template <class __T, __T __value> struct s2s_value;
template <template <class...> class> struct s2s_template;
template <class S2S_ARGUMENTS> constexpr const char *s2s_text() {
	return __PRETTY_FUNCTION__;
}

/* A lambda that the device runs: `Tag` says where it is, and what it captures. */
template <class __T> using s2s_held = typename std::remove_cv<typename std::remove_reference<__T>::type>::type;
template <class __T> using s2s_decayed = typename std::decay<__T>::type;
template <class __Tag, class __Lambda> struct s2s_closure : __Lambda {
	explicit s2s_closure(const __Lambda &__lambda) : __Lambda(__lambda) {
	}
	using __Lambda::operator();
};
template <class __Tag, class __Lambda> static inline s2s_closure<__Tag, __Lambda> s2s_close(const __Lambda &__lambda) {
	return s2s_closure<__Tag, __Lambda>(__lambda);
}
#endif

#ifdef __SIMT2SIMD_SPLIT__
/* A program and each of its shared libraries register their variables at file scope: the runtime may be in
 * another one of these. The linker makes the two names, null where there are no variables, and the function is null
 * where no variables are used. */
extern "C" {
extern const char __start_s2s_variables __attribute__((weak, visibility("hidden")));
extern const char __stop_s2s_variables __attribute__((weak, visibility("hidden")));
void s2s_add_variables(const void *__begin, const void *__end) __attribute__((weak));
void s2s_remove_variables(const void *__begin, const void *__end) __attribute__((weak));
}
/* Whether NVIDIA's runtime has the place of ours, or precedes it: a program that is started beside an installed
 * CUDA toolkit may load the wrong library. `weakref`: the program needs these no more than it does without us. */
extern "C" {
bool s2s_is_hidden_by(const void *__nvidias, const void *cuda_malloc) __attribute__((weak));
void __cudaPushCallConfiguration(void) __attribute__((weak)); /* which only NVIDIA's has */
static cudaError_t s2s_found_malloc(void **, size_t) __attribute__((weakref("cudaMalloc")));
}
__attribute__((constructor(101))) static void s2s_come(void) {
	const void *__nvidias = (const void *)&__cudaPushCallConfiguration;
	if (__nvidias && (!s2s_is_hidden_by || s2s_is_hidden_by(__nvidias, (const void *)&s2s_found_malloc))) {
		fputs("error: NVIDIA's CUDA runtime was loaded in place of simt2simd's, for which this program was compiled\n"
			  "help: link it by `nvcc` of simt2simd's toolkit or with -L$(simt2simd toolkit --path)/lib64 before other "
			  "folders, and unset LD_PRELOAD\n",
			stderr);
		_Exit(1);
	}
	if (&__start_s2s_variables && s2s_add_variables)
		s2s_add_variables(&__start_s2s_variables, &__stop_s2s_variables);
}
__attribute__((destructor(101))) static void s2s_go(void) {
	if (&__start_s2s_variables && s2s_remove_variables)
		s2s_remove_variables(&__start_s2s_variables, &__stop_s2s_variables);
}
#endif

#ifdef __CUDACC__
/* CUDA's functions that C++ has under other names or not at all; .cu files call them from host code too. */
#define S2S_MIN_MAX(A, B, RESULT)                                                                                      \
	static inline constexpr RESULT min(A __a, B __b) {                                                                 \
		return (RESULT)__b < (RESULT)__a ? (RESULT)__b : (RESULT)__a;                                                  \
	}                                                                                                                  \
	static inline constexpr RESULT max(A __a, B __b) {                                                                 \
		return (RESULT)__a < (RESULT)__b ? (RESULT)__b : (RESULT)__a;                                                  \
	}
#define S2S_MIN_MAX_INTEGERS(S, U)                                                                                     \
	S2S_MIN_MAX(S, S, S)                                                                                               \
	S2S_MIN_MAX(U, U, U)                                                                                               \
	S2S_MIN_MAX(S, U, U)                                                                                               \
	S2S_MIN_MAX(U, S, U)
S2S_MIN_MAX_INTEGERS(int, unsigned int)
S2S_MIN_MAX_INTEGERS(long, unsigned long)
S2S_MIN_MAX_INTEGERS(long long, unsigned long long)
#undef S2S_MIN_MAX_INTEGERS
#undef S2S_MIN_MAX
static inline float min(float __a, float __b) {
	return fminf(__a, __b);
}
static inline double min(double __a, double __b) {
	return fmin(__a, __b);
}
static inline double min(float __a, double __b) {
	return fmin(__a, __b);
}
static inline double min(double __a, float __b) {
	return fmin(__a, __b);
}
static inline float max(float __a, float __b) {
	return fmaxf(__a, __b);
}
static inline double max(double __a, double __b) {
	return fmax(__a, __b);
}
static inline double max(float __a, double __b) {
	return fmax(__a, __b);
}
static inline double max(double __a, float __b) {
	return fmax(__a, __b);
}
#if !(defined(__GLIBC__) && __GLIBC_PREREQ(2, 42)) /* whose math.h has these two */
static inline float rsqrtf(float __x) {
	return (float)(1.0 / sqrt((double)__x));
}
static inline double rsqrt(double __x) {
	return 1.0 / sqrt(__x);
}
#endif
static inline float rsqrt(float __x) {
	return rsqrtf(__x);
}
static inline float rcbrtf(float __x) {
	return (float)(1.0 / cbrt((double)__x));
}
static inline double rcbrt(double __x) {
	return 1.0 / cbrt(__x);
}
static inline float fdividef(float __x, float __y) {
	return __x / __y;
}
#endif
#endif

#include "cuda_textures.h"

#include "cuda_placement.h"

#include "cuda_graphs.h"

#include "cuda_launches.h"

#include "cuda_interop.h"

#undef S2S_DEFAULT
#endif
