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
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* Devices: there is one, number 0. */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);

/* What is known of a kernel. `kernel` is its host function, of which `k` and `k<float>` are the address. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared_bytes S2S_DEFAULT(0),
	cudaStream_t stream S2S_DEFAULT(0));

/* For kernels with a barrier of the grid: all blocks must have room on the device at once. */
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args,
	size_t shared_bytes S2S_DEFAULT(0), cudaStream_t stream S2S_DEFAULT(0));

/* How many blocks of a kernel can have begun on a multiprocessor at once: 1, or more if threads of the kernel wait for
 * each other; 0 if a block is too large. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, const void *kernel, int block_threads, size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, const void *kernel, int block_threads, size_t shared_bytes, unsigned int flags);

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *shared_bytes, const void *kernel, int blocks, int block_threads);

/* Memory. A copy may not go past the end of an allocation, and what its kind calls the device's must lie in one; else
 * it returns cudaErrorInvalidValue and copies nothing. cudaMalloc promises no more than the machine has. */
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height);
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags S2S_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(
	void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width_bytes, size_t height);
cudaError_t cudaMemset2DAsync(
	void *to, size_t pitch, int value, size_t width_bytes, size_t height, cudaStream_t stream S2S_DEFAULT(0));

/* Memory in the order of a stream: a pointer is there at once, and is given back when the stream reaches that. */
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);

/* Other devices, of which there are none, and advice, which is remembered and changes nothing. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(
	void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags,
	cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemAdvise(
	const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location);

/* Variables at file scope. A symbol is the variable itself; its name as a string is cudaErrorInvalidSymbol. */
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset S2S_DEFAULT(0),
	enum cudaMemcpyKind kind S2S_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset S2S_DEFAULT(0),
	enum cudaMemcpyKind kind S2S_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);

/* The same for a constant too, of which each side has a copy: `readable_bytes` of it, else 0. */
cudaError_t s2s_copy_from_symbol(
	void *to, const void *symbol, size_t readable_bytes, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t s2s_copy_from_symbol_async(void *to, const void *symbol, size_t readable_bytes, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t s2s_find_symbol(void **pointer, size_t *bytes, const void *symbol, size_t readable_bytes);

/* Streams and events. */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes S2S_DEFAULT(0),
	unsigned int flags S2S_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags S2S_DEFAULT(0));
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(
	cudaEvent_t event, cudaStream_t stream S2S_DEFAULT(0), unsigned int flags S2S_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

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
int s2s_push_call(dim3 grid, dim3 block, size_t shared_bytes S2S_DEFAULT(0), cudaStream_t stream S2S_DEFAULT(0));
void s2s_launch_pushed(const struct s2s_kernel *kernel, void **args);

/* The host function of a kernel that may have several forms (templates, overloads) refers to its own by where the
 * kernel is and by its template arguments; the device code of the file has a list of them. `kernel` is written when
 * the form is first looked for. */
struct s2s_instances;
struct s2s_reference {
	const struct s2s_kernel *kernel;
	const struct s2s_instances *instances;
	const char *place, *arguments;
};
void s2s_launch_instance(struct s2s_reference *reference, void **args);

/* What a device function does on the host: says so and ends the program. */
void s2s_not_on_host(const char *function) __attribute__((noreturn));

#ifdef __cplusplus
} /* extern "C" */

/* The same with the types of C++ programs. */
template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
	return cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width_bytes, size_t height) {
	return cudaMallocPitch((void **)(void *)pointer, pitch, width_bytes, height);
}
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
	return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
	return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
	return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
	return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
	return cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
	return cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
	return cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
/* A location as programs for CUDA before 13 write it. */
static inline struct cudaMemLocation s2s_location(int device) {
	struct cudaMemLocation location;
	location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
	location.id = device;
	return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream = 0) {
	return cudaMemPrefetchAsync(pointer, bytes, s2s_location(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
	return cudaMemAdvise(pointer, bytes, advice, s2s_location(device));
}
/* For `T name[] = {...}`, of which the host has but a declaration: how many elements the braces have. */
template <class T> using s2s_array = T;
template <class T> struct s2s_element;
template <class T> struct s2s_element<T[]> {
	typedef T type;
};

/* Each side has a copy of a constant. What is made of `const char` may be a string literal: that is no symbol. */
template <class T> struct s2s_constant_bytes {
	static const size_t value = 0;
};
template <class T> struct s2s_constant_bytes<const T> {
	static const size_t value = sizeof(T);
};
template <size_t N> struct s2s_constant_bytes<const char[N]> {
	static const size_t value = 0;
};
template <class T> static inline const void *s2s_symbol(T &symbol) {
	return (const void *)__builtin_addressof(symbol);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(
	T &symbol, const void *from, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
	return cudaMemcpyToSymbol(s2s_symbol(symbol), from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(
	T &symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
	return cudaMemcpyToSymbolAsync(s2s_symbol(symbol), from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(
	void *to, T &symbol, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
	return s2s_copy_from_symbol(to, s2s_symbol(symbol), s2s_constant_bytes<T>::value, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(
	void *to, T &symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
	return s2s_copy_from_symbol_async(
		to, s2s_symbol(symbol), s2s_constant_bytes<T>::value, bytes, offset, kind, stream);
}
template <class P, class T> static inline cudaError_t cudaGetSymbolAddress(P **pointer, T &symbol) {
	return s2s_find_symbol((void **)(void *)pointer, 0, s2s_symbol(symbol), s2s_constant_bytes<T>::value);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, T &symbol) {
	return s2s_find_symbol(0, bytes, s2s_symbol(symbol), s2s_constant_bytes<T>::value);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config) {
	return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T> static inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config) {
	return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T> static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel) {
	return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value) {
	return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(
	T *kernel, dim3 grid, dim3 block, void **args, size_t shared_bytes = 0, cudaStream_t stream = 0) {
	return cudaLaunchKernel((const void *)kernel, grid, block, args, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(
	T *kernel, dim3 grid, dim3 block, void **args, size_t shared_bytes = 0, cudaStream_t stream = 0) {
	return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared_bytes, stream);
}

/* The block size with which most threads run at once, and how many such blocks there must be for that. Blocks of as
 * many threads as they may have are best; `shared_bytes` of one, or what a function of its size returns. */
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
	int *grid, int *block, T *kernel, F shared_bytes, int most_threads = 0) {
	struct cudaFuncAttributes attributes;
	int device = 0, processors = 0, blocks = 0;
	cudaError_t code = cudaFuncGetAttributes(&attributes, (const void *)kernel);
	if (code == cudaSuccess)
		code = cudaGetDevice(&device);
	if (code == cudaSuccess)
		code = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
	if (code != cudaSuccess)
		return code;
	int threads = attributes.maxThreadsPerBlock;
	if (most_threads > 0 && most_threads < threads)
		threads = most_threads;
	for (; threads > 0; threads = threads > 32 ? (threads - 1) / 32 * 32 : 0) {
		code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&blocks, (const void *)kernel, threads, shared_bytes(threads));
		if (code != cudaSuccess)
			return code;
		if (blocks > 0)
			break;
	}
	*block = threads;
	*grid = blocks * processors;
	return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(
	int *grid, int *block, T *kernel, size_t shared_bytes = 0, int most_threads = 0) {
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
		grid, block, kernel, [=](int) { return shared_bytes; }, most_threads);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
	int *grid, int *block, T *kernel, size_t shared_bytes = 0, int most_threads = 0, unsigned int = 0) {
	return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_bytes, most_threads);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, T *kernel, int block_threads, size_t shared_bytes) {
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_threads, shared_bytes);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *shared_bytes, T *kernel, int blocks, int block_threads) {
	return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void *)kernel, blocks, block_threads);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, T *kernel, int block_threads, size_t shared_bytes, unsigned int) {
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_threads, shared_bytes);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
	return cudaEventCreateWithFlags(event, flags);
}

#ifdef __SIMT2SIMD_SPLIT__
/* The template arguments of a kernel as text: `s2s_text<s2s_list<T, s2s_value<int, N>>>()`. The C++ compiler writes
 * them into the name of this function, where no name is shortened. */
template <class...> struct s2s_list;
template <class T, T value> struct s2s_value;
template <template <class...> class> struct s2s_template;
template <class S2S_ARGUMENTS> constexpr const char *s2s_text() {
	return __PRETTY_FUNCTION__;
}

/* A lambda that the device runs: `Tag` says where it is, and what it captures. */
template <class T> using s2s_held = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
template <class T> using s2s_decayed = typename std::decay<T>::type;
template <class Tag, class Lambda> struct s2s_closure : Lambda {
	explicit s2s_closure(const Lambda &lambda) : Lambda(lambda) {
	}
	using Lambda::operator();
};
template <class Tag, class Lambda> static inline s2s_closure<Tag, Lambda> s2s_close(const Lambda &lambda) {
	return s2s_closure<Tag, Lambda>(lambda);
}
#endif

#ifdef __SIMT2SIMD_SPLIT__
/* A program and each of its shared libraries register their variables at file scope: the runtime may be in
 * another one of these. The linker makes the two names, null where there are no variables, and the function is null
 * where no variables are used. */
extern "C" {
extern const char __start_s2s_variables __attribute__((weak, visibility("hidden")));
extern const char __stop_s2s_variables __attribute__((weak, visibility("hidden")));
void s2s_add_variables(const void *begin, const void *end) __attribute__((weak));
void s2s_remove_variables(const void *begin, const void *end) __attribute__((weak));
}
/* Whether NVIDIA's runtime has the place of ours, or precedes it: a program that is started beside an installed
 * CUDA toolkit may load the wrong library. `weakref`: the program needs these no more than it does without us. */
extern "C" {
bool s2s_is_hidden_by(const void *nvidias, const void *cuda_malloc) __attribute__((weak));
void __cudaPushCallConfiguration(void) __attribute__((weak)); /* which only NVIDIA's has */
static cudaError_t s2s_found_malloc(void **, size_t) __attribute__((weakref("cudaMalloc")));
}
__attribute__((constructor(101))) static void s2s_come(void) {
	const void *nvidias = (const void *)&__cudaPushCallConfiguration;
	if (nvidias && (!s2s_is_hidden_by || s2s_is_hidden_by(nvidias, (const void *)&s2s_found_malloc))) {
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
	static inline constexpr RESULT min(A a, B b) {                                                                     \
		return (RESULT)b < (RESULT)a ? (RESULT)b : (RESULT)a;                                                          \
	}                                                                                                                  \
	static inline constexpr RESULT max(A a, B b) {                                                                     \
		return (RESULT)a < (RESULT)b ? (RESULT)b : (RESULT)a;                                                          \
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
static inline float min(float a, float b) {
	return fminf(a, b);
}
static inline double min(double a, double b) {
	return fmin(a, b);
}
static inline double min(float a, double b) {
	return fmin(a, b);
}
static inline double min(double a, float b) {
	return fmin(a, b);
}
static inline float max(float a, float b) {
	return fmaxf(a, b);
}
static inline double max(double a, double b) {
	return fmax(a, b);
}
static inline double max(float a, double b) {
	return fmax(a, b);
}
static inline double max(double a, float b) {
	return fmax(a, b);
}
#if !(defined(__GLIBC__) && __GLIBC_PREREQ(2, 42)) /* whose math.h has these two */
static inline float rsqrtf(float x) {
	return (float)(1.0 / sqrt((double)x));
}
static inline double rsqrt(double x) {
	return 1.0 / sqrt(x);
}
#endif
static inline float rsqrt(float x) {
	return rsqrtf(x);
}
static inline float rcbrtf(float x) {
	return (float)(1.0 / cbrt((double)x));
}
static inline double rcbrt(double x) {
	return 1.0 / cbrt(x);
}
static inline float fdividef(float x, float y) {
	return x / y;
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
