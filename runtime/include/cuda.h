/* CUDA's driver API. Programs for the runtime API often include this too, and rely on what else it includes. */
#ifndef S2S_CUDA_H
#define S2S_CUDA_H
#define __cuda_cuda_h__
#define CUDAAPI
#define CUDA_CB

#include <stdint.h>
#include <stdlib.h>

#include "cuda_runtime.h"

typedef enum cudaError_enum {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_NOT_INITIALIZED = 3,
	CUDA_ERROR_DEINITIALIZED = 4,
	CUDA_ERROR_PROFILER_DISABLED = 5,
	CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
	CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,
	CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,
	CUDA_ERROR_STUB_LIBRARY = 34,
	CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36,
	CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
	CUDA_ERROR_NO_DEVICE = 100,
	CUDA_ERROR_INVALID_DEVICE = 101,
	CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
	CUDA_ERROR_INVALID_IMAGE = 200,
	CUDA_ERROR_INVALID_CONTEXT = 201,
	CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
	CUDA_ERROR_MAP_FAILED = 205,
	CUDA_ERROR_UNMAP_FAILED = 206,
	CUDA_ERROR_ARRAY_IS_MAPPED = 207,
	CUDA_ERROR_ALREADY_MAPPED = 208,
	CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
	CUDA_ERROR_ALREADY_ACQUIRED = 210,
	CUDA_ERROR_NOT_MAPPED = 211,
	CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
	CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,
	CUDA_ERROR_ECC_UNCORRECTABLE = 214,
	CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
	CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
	CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
	CUDA_ERROR_INVALID_PTX = 218,
	CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
	CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
	CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
	CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
	CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
	CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224,
	CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,
	CUDA_ERROR_CONTAINED = 226,
	CUDA_ERROR_INVALID_SOURCE = 300,
	CUDA_ERROR_FILE_NOT_FOUND = 301,
	CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
	CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
	CUDA_ERROR_OPERATING_SYSTEM = 304,
	CUDA_ERROR_INVALID_HANDLE = 400,
	CUDA_ERROR_ILLEGAL_STATE = 401,
	CUDA_ERROR_LOSSY_QUERY = 402,
	CUDA_ERROR_NOT_FOUND = 500,
	CUDA_ERROR_NOT_READY = 600,
	CUDA_ERROR_ILLEGAL_ADDRESS = 700,
	CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
	CUDA_ERROR_LAUNCH_TIMEOUT = 702,
	CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
	CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
	CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
	CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
	CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
	CUDA_ERROR_ASSERT = 710,
	CUDA_ERROR_TOO_MANY_PEERS = 711,
	CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
	CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
	CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
	CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
	CUDA_ERROR_MISALIGNED_ADDRESS = 716,
	CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
	CUDA_ERROR_INVALID_PC = 718,
	CUDA_ERROR_LAUNCH_FAILED = 719,
	CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
	CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
	CUDA_ERROR_NOT_PERMITTED = 800,
	CUDA_ERROR_NOT_SUPPORTED = 801,
	CUDA_ERROR_SYSTEM_NOT_READY = 802,
	CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
	CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
	CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
	CUDA_ERROR_MPS_RPC_FAILURE = 806,
	CUDA_ERROR_MPS_SERVER_NOT_READY = 807,
	CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
	CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
	CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
	CUDA_ERROR_CDP_NOT_SUPPORTED = 811,
	CUDA_ERROR_CDP_VERSION_MISMATCH = 812,
	CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
	CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
	CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
	CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
	CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
	CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
	CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
	CUDA_ERROR_CAPTURED_EVENT = 907,
	CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
	CUDA_ERROR_TIMEOUT = 909,
	CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
	CUDA_ERROR_EXTERNAL_DEVICE = 911,
	CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
	CUDA_ERROR_FUNCTION_NOT_LOADED = 913,
	CUDA_ERROR_INVALID_RESOURCE_TYPE = 914,
	CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
	CUDA_ERROR_KEY_ROTATION = 916,
	CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaHostFn_t CUhostFn;
typedef size_t (*CUoccupancyB2DSize)(int block_threads);

/* The numbers are those of cudaDeviceAttr. */
typedef enum CUdevice_attribute_enum {
	CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = cudaDevAttrMaxThreadsPerBlock,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = cudaDevAttrMaxBlockDimX,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = cudaDevAttrMaxBlockDimY,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = cudaDevAttrMaxBlockDimZ,
	CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = cudaDevAttrMaxGridDimX,
	CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = cudaDevAttrMaxGridDimY,
	CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = cudaDevAttrMaxGridDimZ,
	CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = cudaDevAttrMaxSharedMemoryPerBlock,
	CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
	CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = cudaDevAttrTotalConstantMemory,
	CU_DEVICE_ATTRIBUTE_WARP_SIZE = cudaDevAttrWarpSize,
	CU_DEVICE_ATTRIBUTE_MAX_PITCH = cudaDevAttrMaxPitch,
	CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = cudaDevAttrMaxRegistersPerBlock,
	CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
	CU_DEVICE_ATTRIBUTE_CLOCK_RATE = cudaDevAttrClockRate,
	CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = cudaDevAttrTextureAlignment,
	CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = cudaDevAttrGpuOverlap,
	CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = cudaDevAttrMultiProcessorCount,
	CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = cudaDevAttrKernelExecTimeout,
	CU_DEVICE_ATTRIBUTE_INTEGRATED = cudaDevAttrIntegrated,
	CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = cudaDevAttrCanMapHostMemory,
	CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = cudaDevAttrComputeMode,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
	CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
	CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = cudaDevAttrConcurrentKernels,
	CU_DEVICE_ATTRIBUTE_ECC_ENABLED = cudaDevAttrEccEnabled,
	CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = cudaDevAttrPciBusId,
	CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = cudaDevAttrPciDeviceId,
	CU_DEVICE_ATTRIBUTE_TCC_DRIVER = cudaDevAttrTccDriver,
	CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = cudaDevAttrMemoryClockRate,
	CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = cudaDevAttrGlobalMemoryBusWidth,
	CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = cudaDevAttrL2CacheSize,
	CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = cudaDevAttrMaxThreadsPerMultiProcessor,
	CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = cudaDevAttrAsyncEngineCount,
	CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = cudaDevAttrUnifiedAddressing,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43,
	CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49,
	CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = cudaDevAttrPciDomainId,
	CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74,
	CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = cudaDevAttrComputeCapabilityMajor,
	CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = cudaDevAttrComputeCapabilityMinor,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77,
	CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
	CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
	CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
	CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = cudaDevAttrMaxSharedMemoryPerMultiprocessor,
	CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = cudaDevAttrMaxRegistersPerMultiprocessor,
	CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = cudaDevAttrManagedMemory,
	CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
	CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
	CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
	CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
	CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
	CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
	CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
	CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
	CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92,
	CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93,
	CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94,
	CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = cudaDevAttrCooperativeLaunch,
	CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
	CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = cudaDevAttrMaxSharedMemoryPerBlockOptin,
	CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98,
	CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
	CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
	CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101,
	CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
	CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
	CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
	CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,
	CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
	CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
	CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
	CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112,
	CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113,
	CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114,
	CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
	CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
	CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117,
	CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118,
	CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119,
	CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,
	CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121,
	CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122,
	CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123,
	CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124,
	CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125,
	CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126,
	CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128,
	CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129,
	CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130,
	CU_DEVICE_ATTRIBUTE_NUMA_ID = 131,
	CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132,
	CU_DEVICE_ATTRIBUTE_MPS_ENABLED = 133,
	CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,
	CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED = 135,
	CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136,
	CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137,
	CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED = 138,
	CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID = 139,
	CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID = 140,
	CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141,
	CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED = 142,
	CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED = 143,
	CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED = 144,
	CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145,
	CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146,
	CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED = 147,
	CU_DEVICE_ATTRIBUTE_MAX = 148
} CUdevice_attribute;

typedef enum CUfunction_attribute_enum {
	CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
	CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
	CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
	CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
	CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
	CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
	CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
	CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
	CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
	CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
	CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
	CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
	CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
	CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
	CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
	CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
	CU_FUNC_ATTRIBUTE_MAX = 16
} CUfunction_attribute;

typedef enum CUjit_option_enum {
	CU_JIT_MAX_REGISTERS = 0,
	CU_JIT_THREADS_PER_BLOCK = 1,
	CU_JIT_WALL_TIME = 2,
	CU_JIT_INFO_LOG_BUFFER = 3,
	CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
	CU_JIT_ERROR_LOG_BUFFER = 5,
	CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
	CU_JIT_OPTIMIZATION_LEVEL = 7,
	CU_JIT_TARGET_FROM_CUCONTEXT = 8,
	CU_JIT_TARGET = 9,
	CU_JIT_FALLBACK_STRATEGY = 10,
	CU_JIT_GENERATE_DEBUG_INFO = 11,
	CU_JIT_LOG_VERBOSE = 12,
	CU_JIT_GENERATE_LINE_INFO = 13,
	CU_JIT_CACHE_MODE = 14,
	CU_JIT_NEW_SM3X_OPT = 15,
	CU_JIT_FAST_COMPILE = 16,
	CU_JIT_GLOBAL_SYMBOL_NAMES = 17,
	CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
	CU_JIT_GLOBAL_SYMBOL_COUNT = 19,
	CU_JIT_LTO = 20,
	CU_JIT_FTZ = 21,
	CU_JIT_PREC_DIV = 22,
	CU_JIT_PREC_SQRT = 23,
	CU_JIT_FMA = 24,
	CU_JIT_REFERENCED_KERNEL_NAMES = 25,
	CU_JIT_REFERENCED_KERNEL_COUNT = 26,
	CU_JIT_REFERENCED_VARIABLE_NAMES = 27,
	CU_JIT_REFERENCED_VARIABLE_COUNT = 28,
	CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
	CU_JIT_POSITION_INDEPENDENT_CODE = 30,
	CU_JIT_MIN_CTA_PER_SM = 31,
	CU_JIT_MAX_THREADS_PER_BLOCK = 32,
	CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
	CU_JIT_SPLIT_COMPILE = 34,
	CU_JIT_NUM_OPTIONS = 35
} CUjit_option;

/* What is the same in both APIs. */
typedef cudaMemPool_t CUmemoryPool;
typedef cudaGraph_t CUgraph;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaKernel_t CUkernel;
typedef cudaLibrary_t CUlibrary;
typedef struct cudaMemPoolProps CUmemPoolProps;
typedef struct cudaMemLocation CUmemLocation;
typedef cudaIpcMemHandle_t CUipcMemHandle;
typedef cudaIpcEventHandle_t CUipcEventHandle;
typedef cudaLaunchAttributeID CUlaunchAttributeID, CUstreamAttrID;
typedef cudaLaunchAttributeValue CUlaunchAttributeValue, CUstreamAttrValue;
typedef cudaLaunchAttribute CUlaunchAttribute;
typedef enum cudaStreamCaptureMode CUstreamCaptureMode;
typedef enum cudaStreamCaptureStatus CUstreamCaptureStatus;
typedef enum cudaGraphNodeType CUgraphNodeType;
typedef struct cudaHostNodeParams CUDA_HOST_NODE_PARAMS;
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_STREAM_CAPTURE_MODE_GLOBAL cudaStreamCaptureModeGlobal
#define CU_STREAM_CAPTURE_MODE_THREAD_LOCAL cudaStreamCaptureModeThreadLocal
#define CU_STREAM_CAPTURE_MODE_RELAXED cudaStreamCaptureModeRelaxed
#define CU_STREAM_CAPTURE_STATUS_NONE cudaStreamCaptureStatusNone
#define CU_STREAM_CAPTURE_STATUS_ACTIVE cudaStreamCaptureStatusActive
#define CU_STREAM_CAPTURE_STATUS_INVALIDATED cudaStreamCaptureStatusInvalidated
#define CU_LAUNCH_ATTRIBUTE_IGNORE cudaLaunchAttributeIgnore
#define CU_LAUNCH_ATTRIBUTE_COOPERATIVE cudaLaunchAttributeCooperative
#define CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION cudaLaunchAttributeClusterDimension
#define CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION cudaLaunchAttributeProgrammaticStreamSerialization
#define CU_LAUNCH_ATTRIBUTE_PRIORITY cudaLaunchAttributePriority

typedef enum CUlimit_enum {
	CU_LIMIT_STACK_SIZE = 0,
	CU_LIMIT_PRINTF_FIFO_SIZE = 1,
	CU_LIMIT_MALLOC_HEAP_SIZE = 2,
	CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
	CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
	CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5,
	CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6,
	CU_LIMIT_SHMEM_SIZE = 7,
	CU_LIMIT_CIG_ENABLED = 8,
	CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 9,
	CU_LIMIT_MAX = 10
} CUlimit;
typedef enum CUfunc_cache_enum {
	CU_FUNC_CACHE_PREFER_NONE = 0,
	CU_FUNC_CACHE_PREFER_SHARED = 1,
	CU_FUNC_CACHE_PREFER_L1 = 2,
	CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;
typedef enum CUdevice_P2PAttribute_enum {
	CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1,
	CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2,
	CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3,
	CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED = 4,
	CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 4,
	CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 5
} CUdevice_P2PAttribute;
typedef enum CUmemPool_attribute_enum {
	CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
	CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
	CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
	CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
	CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
	CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
	CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
	CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8
} CUmemPool_attribute;
typedef enum CUmem_advise_enum {
	CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
	CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
	CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
	CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
	CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
	CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;
typedef enum CUmem_range_attribute_enum {
	CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
	CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
	CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
	CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
	CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5,
	CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
	CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
	CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} CUmem_range_attribute;
typedef enum CUpointer_attribute_enum {
	CU_POINTER_ATTRIBUTE_CONTEXT = 1,
	CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
	CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
	CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
	CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
	CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
	CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
	CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
	CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
	CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10,
	CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
	CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
	CU_POINTER_ATTRIBUTE_MAPPED = 13,
	CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
	CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
	CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
	CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
	CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
	CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
	CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20,
	CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21
} CUpointer_attribute;
typedef enum CUlibraryOption_enum {
	CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
	CU_LIBRARY_BINARY_IS_PRESERVED = 1,
	CU_LIBRARY_NUM_OPTIONS = 2
} CUlibraryOption;
typedef enum CUmoduleLoadingMode_enum { CU_MODULE_EAGER_LOADING = 1, CU_MODULE_LAZY_LOADING = 2 } CUmoduleLoadingMode;
typedef enum CUdriverProcAddressQueryResult_enum {
	CU_GET_PROC_ADDRESS_SUCCESS = 0,
	CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
	CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;
typedef unsigned long long cuuint64_t;
typedef unsigned int cuuint32_t;
typedef cudaUUID_t CUuuid;
#define CU_UUID_HAS_BEEN_DEFINED
typedef struct CUdevprop_st {
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
	int sharedMemPerBlock, totalConstantMemory, SIMDWidth, memPitch, regsPerBlock, clockRate, textureAlign;
} CUdevprop;
typedef struct CUlaunchConfig_st {
	unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	unsigned int numAttrs;
} CUlaunchConfig;
typedef enum CUjitInputType_enum {
	CU_JIT_INPUT_CUBIN = 0,
	CU_JIT_INPUT_PTX = 1,
	CU_JIT_INPUT_FATBINARY = 2,
	CU_JIT_INPUT_OBJECT = 3,
	CU_JIT_INPUT_LIBRARY = 4,
	CU_JIT_INPUT_NVVM = 5,
	CU_JIT_NUM_INPUT_TYPES = 6
} CUjitInputType;
typedef struct CUlinkState_st *CUlinkState;

#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuInit(unsigned int __flags);
CUresult cuDriverGetVersion(int *__version);
CUresult cuGetErrorName(CUresult __error, const char **__name);
CUresult cuGetErrorString(CUresult __error, const char **__text);

CUresult cuDeviceGet(CUdevice *__device, int __ordinal);
CUresult cuDeviceGetCount(int *__count);
CUresult cuDeviceGetName(char *__name, int __bytes, CUdevice __device);
CUresult cuDeviceTotalMem(size_t *__bytes, CUdevice __device);
CUresult cuDeviceGetAttribute(int *__value, CUdevice_attribute __attr, CUdevice __device);
CUresult cuDeviceComputeCapability(int *__major, int *__minor, CUdevice __device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *__context, CUdevice __device);
CUresult cuDevicePrimaryCtxRelease(CUdevice __device);

/* All contexts share the device's memory. */
CUresult s2s_create_context(CUcontext *__context, unsigned int __flags, CUdevice __device);
CUresult cuCtxDestroy(CUcontext __context);
CUresult cuCtxGetCurrent(CUcontext *__context);
CUresult cuCtxSetCurrent(CUcontext __context);
CUresult cuCtxPushCurrent(CUcontext __context);
CUresult cuCtxPopCurrent(CUcontext *__context);
CUresult cuCtxGetDevice(CUdevice *__device);
CUresult cuCtxSynchronize(void);

/* An image is what NVRTC has made, or simt2simd nvcc with -cubin, -fatbin or -ptx. */
CUresult cuModuleLoad(CUmodule *__module, const char *__path);
CUresult cuModuleLoadData(CUmodule *__module, const void *__image);
CUresult cuModuleLoadDataEx(
	CUmodule *__module, const void *__image, unsigned int __count, CUjit_option *__options, void **__values);
CUresult cuModuleUnload(CUmodule __module);
CUresult cuModuleGetFunction(CUfunction *__function, CUmodule __module, const char *__name);
CUresult cuModuleGetGlobal(CUdeviceptr *__pointer, size_t *__bytes, CUmodule __module, const char *__name);

CUresult cuLaunchKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y, unsigned int __grid_z,
	unsigned int __block_x, unsigned int __block_y, unsigned int __block_z, unsigned int __shared_bytes,
	CUstream __stream, void **__params, void **__extra);
CUresult cuLaunchCooperativeKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y,
	unsigned int __grid_z, unsigned int __block_x, unsigned int __block_y, unsigned int __block_z,
	unsigned int __shared_bytes, CUstream __stream, void **__params);
CUresult cuFuncGetAttribute(int *__value, CUfunction_attribute __attr, CUfunction __function);
CUresult cuFuncSetAttribute(CUfunction __function, CUfunction_attribute __attr, int __value);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
	int *__blocks, CUfunction __function, int __block_threads, size_t __shared_bytes);

CUresult cuMemGetInfo(size_t *__free_bytes, size_t *__total_bytes);
CUresult cuMemAlloc(CUdeviceptr *__pointer, size_t __bytes);
CUresult cuMemAllocPitch(
	CUdeviceptr *__pointer, size_t *__pitch, size_t __width_bytes, size_t __height, unsigned int __element_bytes);
CUresult cuMemAllocHost(void **__pointer, size_t __bytes);
CUresult cuMemHostAlloc(void **__pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemAllocManaged(CUdeviceptr *__pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemFree(CUdeviceptr __pointer);
CUresult cuMemFreeHost(void *__pointer);
CUresult cuMemcpy(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyHtoD(CUdeviceptr __to, const void *__from, size_t __bytes);
CUresult cuMemcpyDtoH(void *__to, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyDtoD(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyAsync(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr __to, const void *__from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyDtoHAsync(void *__to, CUdeviceptr __from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes, CUstream __stream);
CUresult cuMemsetD8(CUdeviceptr __to, unsigned char __value, size_t __count);
CUresult cuMemsetD16(CUdeviceptr __to, unsigned short __value, size_t __count);
CUresult cuMemsetD32(CUdeviceptr __to, unsigned int __value, size_t __count);
CUresult cuMemsetD8Async(CUdeviceptr __to, unsigned char __value, size_t __count, CUstream __stream);

CUresult cuStreamCreate(CUstream *__stream, unsigned int __flags);
CUresult cuStreamDestroy(CUstream __stream);
CUresult cuStreamSynchronize(CUstream __stream);
CUresult cuStreamQuery(CUstream __stream);
CUresult cuStreamWaitEvent(CUstream __stream, CUevent __event, unsigned int __flags);
CUresult cuLaunchHostFunc(CUstream __stream, CUhostFn __function, void *__data);
CUresult cuEventCreate(CUevent *__event, unsigned int __flags);
CUresult cuEventDestroy(CUevent __event);
CUresult cuEventRecord(CUevent __event, CUstream __stream);
CUresult cuEventSynchronize(CUevent __event);
CUresult cuEventQuery(CUevent __event);
CUresult cuEventElapsedTime(float *__ms, CUevent __start, CUevent __end);

CUresult cuDeviceGetPCIBusId(char *__id, int __bytes, CUdevice __device);
CUresult cuDeviceGetByPCIBusId(CUdevice *__device, const char *__id);
CUresult cuDeviceCanAccessPeer(int *__can, CUdevice __device, CUdevice __peer);
CUresult cuDeviceGetP2PAttribute(int *__value, CUdevice_P2PAttribute __attr, CUdevice __from, CUdevice __to);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *__pool, CUdevice __device);
CUresult cuDeviceGetMemPool(CUmemoryPool *__pool, CUdevice __device);
CUresult cuDeviceSetMemPool(CUdevice __device, CUmemoryPool __pool);

CUresult cuCtxGetLimit(size_t *__value, CUlimit __limit);
CUresult cuCtxSetLimit(CUlimit __limit, size_t __value);
CUresult cuCtxGetCacheConfig(CUfunc_cache *__config);
CUresult cuCtxSetCacheConfig(CUfunc_cache __config);
CUresult cuCtxGetStreamPriorityRange(int *__least, int *__greatest);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxEnablePeerAccess(CUcontext __peer, unsigned int __flags);
CUresult cuCtxDisablePeerAccess(CUcontext __peer);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

CUresult cuFuncSetCacheConfig(CUfunction __function, CUfunc_cache __config);
CUresult cuFuncLoad(CUfunction __function);
CUresult cuFuncGetName(const char **__name, CUfunction __function);
CUresult cuFuncGetParamInfo(CUfunction __function, size_t __index, size_t *__offset, size_t *__bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *__blocks, CUfunction __function, int __block_threads, size_t __shared_bytes, unsigned int __flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(
	size_t *__shared_bytes, CUfunction __function, int __blocks, int __block_threads);

CUresult cuLibraryLoadData(CUlibrary *__library, const void *__image, CUjit_option *__options, void **__values,
	unsigned int __count, CUlibraryOption *__library_options, void **__library_values, unsigned int __library_count);
CUresult cuLibraryLoadFromFile(CUlibrary *__library, const char *__path, CUjit_option *__options, void **__values,
	unsigned int __count, CUlibraryOption *__library_options, void **__library_values, unsigned int __library_count);
CUresult cuLibraryUnload(CUlibrary __library);
CUresult cuLibraryGetKernel(CUkernel *__kernel, CUlibrary __library, const char *__name);
CUresult cuLibraryGetKernelCount(unsigned int *__count, CUlibrary __library);
CUresult cuLibraryEnumerateKernels(CUkernel *__kernels, unsigned int __count, CUlibrary __library);
CUresult cuLibraryGetGlobal(CUdeviceptr *__pointer, size_t *__bytes, CUlibrary __library, const char *__name);
CUresult cuLibraryGetModule(CUmodule *__module, CUlibrary __library);
CUresult cuLibraryGetManaged(CUdeviceptr *__pointer, size_t *__bytes, CUlibrary __library, const char *__name);
CUresult cuKernelGetFunction(CUfunction *__function, CUkernel __kernel);
CUresult cuKernelGetLibrary(CUlibrary *__library, CUkernel __kernel);
CUresult cuKernelGetName(const char **__name, CUkernel __kernel);
CUresult cuKernelGetParamInfo(CUkernel __kernel, size_t __index, size_t *__offset, size_t *__bytes);
CUresult cuKernelGetAttribute(int *__value, CUfunction_attribute __attr, CUkernel __kernel, CUdevice __device);
CUresult cuKernelSetAttribute(CUfunction_attribute __attr, int __value, CUkernel __kernel, CUdevice __device);

CUresult cuMemHostGetDevicePointer(CUdeviceptr *__device, void *__host, unsigned int __flags);
CUresult cuMemHostGetFlags(unsigned int *__flags, void *__pointer);
CUresult cuMemHostRegister(void *__pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemHostUnregister(void *__pointer);
CUresult cuMemAllocAsync(CUdeviceptr *__pointer, size_t __bytes, CUstream __stream);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *__pointer, size_t __bytes, CUmemoryPool __pool, CUstream __stream);
CUresult cuMemFreeAsync(CUdeviceptr __pointer, CUstream __stream);
CUresult cuMemPoolCreate(CUmemoryPool *__pool, const CUmemPoolProps *__properties);
CUresult cuMemPoolDestroy(CUmemoryPool __pool);
CUresult cuMemPoolTrimTo(CUmemoryPool __pool, size_t __bytes_to_keep);
CUresult cuMemPoolSetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
CUresult cuMemPoolGetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
CUresult cuMemcpyPeer(
	CUdeviceptr __to, CUcontext __to_context, CUdeviceptr __from, CUcontext __from_context, size_t __bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr __to, CUcontext __to_context, CUdeviceptr __from, CUcontext __from_context,
	size_t __bytes, CUstream __stream);
CUresult cuMemsetD2D8(CUdeviceptr __to, size_t __pitch, unsigned char __value, size_t __width, size_t __height);
CUresult cuMemsetD2D8Async(
	CUdeviceptr __to, size_t __pitch, unsigned char __value, size_t __width, size_t __height, CUstream __stream);
CUresult cuMemPrefetchAsync(
	CUdeviceptr __pointer, size_t __bytes, CUmemLocation __location, unsigned int __flags, CUstream __stream);
CUresult cuMemAdvise(CUdeviceptr __pointer, size_t __bytes, CUmem_advise __advice, CUmemLocation __location);
CUresult cuMemRangeGetAttribute(
	void *__data, size_t __data_bytes, CUmem_range_attribute __attr, CUdeviceptr __pointer, size_t __bytes);
CUresult cuIpcGetMemHandle(CUipcMemHandle *__handle, CUdeviceptr __pointer);
CUresult cuIpcOpenMemHandle(CUdeviceptr *__pointer, CUipcMemHandle __handle, unsigned int __flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr __pointer);
CUresult cuIpcGetEventHandle(CUipcEventHandle *__handle, CUevent __event);
CUresult cuIpcOpenEventHandle(CUevent *__event, CUipcEventHandle __handle);

CUresult cuStreamCreateWithPriority(CUstream *__stream, unsigned int __flags, int __priority);
CUresult cuStreamGetPriority(CUstream __stream, int *__priority);
CUresult cuStreamGetFlags(CUstream __stream, unsigned int *__flags);
CUresult cuStreamGetId(CUstream __stream, unsigned long long *__id);
CUresult cuStreamGetDevice(CUstream __stream, CUdevice *__device);
CUresult cuStreamAddCallback(CUstream __stream, CUstreamCallback __callback, void *__data, unsigned int __flags);
CUresult cuStreamAttachMemAsync(CUstream __stream, CUdeviceptr __pointer, size_t __bytes, unsigned int __flags);
CUresult cuStreamCopyAttributes(CUstream __to, CUstream __from);
CUresult cuStreamGetAttribute(CUstream __stream, CUstreamAttrID __id, CUstreamAttrValue *__value);
CUresult cuStreamSetAttribute(CUstream __stream, CUstreamAttrID __id, const CUstreamAttrValue *__value);
CUresult cuStreamBeginCapture(CUstream __stream, CUstreamCaptureMode __mode);
CUresult cuStreamEndCapture(CUstream __stream, CUgraph *__graph);
CUresult cuStreamIsCapturing(CUstream __stream, CUstreamCaptureStatus *__status);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *__mode);
CUresult cuEventRecordWithFlags(CUevent __event, CUstream __stream, unsigned int __flags);

CUresult cuGraphCreate(CUgraph *__graph, unsigned int __flags);
CUresult cuGraphDestroy(CUgraph __graph);
CUresult cuGraphClone(CUgraph *__clone, CUgraph __graph);
CUresult cuGraphAddEmptyNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__after, size_t __count);
CUresult cuGraphAddHostNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__after, size_t __count,
	const CUDA_HOST_NODE_PARAMS *__params);
CUresult cuGraphAddChildGraphNode(
	CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__after, size_t __count, CUgraph __child);
CUresult cuGraphGetNodes(CUgraph __graph, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphGetRootNodes(CUgraph __graph, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphNodeGetType(CUgraphNode __node, CUgraphNodeType *__type);
CUresult cuGraphDestroyNode(CUgraphNode __node);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *__exec, CUgraph __graph, unsigned long long __flags);
CUresult cuGraphUpload(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphLaunch(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphExecDestroy(CUgraphExec __exec);

/* What is more than one call of the runtime's. */
CUresult cuDeviceGetUuid(CUuuid *__id, CUdevice __device);
CUresult cuDeviceGetProperties(CUdevprop *__properties, CUdevice __device);
CUresult cuDevicePrimaryCtxGetState(CUdevice __device, unsigned int *__flags, int *__is_active);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice __device, unsigned int __flags);
CUresult cuDevicePrimaryCtxReset(CUdevice __device);
CUresult cuCtxGetFlags(unsigned int *__flags);
CUresult cuCtxGetApiVersion(CUcontext __context, unsigned int *__version);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *__mode);
CUresult cuModuleLoadFatBinary(CUmodule *__module, const void *__image);
CUresult cuModuleGetFunctionCount(unsigned int *__count, CUmodule __module);
CUresult cuFuncGetModule(CUmodule *__module, CUfunction __function);
CUresult cuLaunchKernelEx(const CUlaunchConfig *__config, CUfunction __function, void **__params, void **__extra);
CUresult cuMemGetAddressRange(CUdeviceptr *__begin, size_t *__bytes, CUdeviceptr __pointer);
CUresult cuPointerGetAttribute(void *__value, CUpointer_attribute __attr, CUdeviceptr __pointer);
CUresult cuPointerGetAttributes(
	unsigned int __count, CUpointer_attribute *__attributes, void **__values, CUdeviceptr __pointer);
CUresult cuMemsetD16Async(CUdeviceptr __to, unsigned short __value, size_t __count, CUstream __stream);
CUresult cuMemsetD32Async(CUdeviceptr __to, unsigned int __value, size_t __count, CUstream __stream);
CUresult cuMemsetD2D16(CUdeviceptr __to, size_t __pitch, unsigned short __value, size_t __width, size_t __height);
CUresult cuMemsetD2D32(CUdeviceptr __to, size_t __pitch, unsigned int __value, size_t __width, size_t __height);
CUresult cuStreamGetCtx(CUstream __stream, CUcontext *__context);
CUresult cuOccupancyMaxPotentialBlockSize(int *__grid, int *__block_, CUfunction __function,
	CUoccupancyB2DSize __shared_bytes, size_t __fixed_shared_bytes, int __most_threads);
/* There is no linker of images at run time: CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuLinkCreate(unsigned int __count, CUjit_option *__options, void **__values, CUlinkState *__state);
CUresult cuGetProcAddress(
	const char *__name, void **__function, int __version, cuuint64_t __flags, CUdriverProcAddressQueryResult *__result);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include "cuda_arrays.h"

#include "cuda_driver_enums.h"

#include "cuda_driver_structs.h"

#ifdef __cplusplus
extern "C" {
#endif
/* All hthreads, of CU_DEV_RESOURCE_TYPE_SM. They cannot be split up. */
CUresult cuDeviceGetDevResource(CUdevice __device, CUdevResource *__resource, CUdevResourceType __type);
CUresult cuCtxGetDevResource(CUcontext __context, CUdevResource *__resource, CUdevResourceType __type);

CUresult cuMemGetDefaultMemPool(CUmemoryPool *__pool, CUmemLocation *__location, CUmemAllocationType __type);
CUresult cuMemPoolSetAccess(CUmemoryPool __pool, const CUmemAccessDesc *__list, size_t __count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags *__flags, CUmemoryPool __pool, CUmemLocation *__location);
CUresult cuMemcpyBatchAsync(CUdeviceptr *__to, CUdeviceptr *__from, size_t *__bytes, size_t __count,
	CUmemcpyAttributes *__attributes, size_t *__firsts, size_t __nattributes, CUstream __stream);
CUresult cuGraphAddKernelNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__after, size_t __count,
	const CUDA_KERNEL_NODE_PARAMS *__params);
CUresult cuGraphKernelNodeSetAttribute(
	CUgraphNode __node, CUkernelNodeAttrID __id, const CUkernelNodeAttrValue *__value);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode __node, CUkernelNodeAttrID __id, CUkernelNodeAttrValue *__value);

/* There are no parts of a device with contexts of their own, and no unit that copies tiles: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *__description, CUdevResource *__resources, unsigned int __count);
CUresult cuGreenCtxCreate(
	CUgreenCtx *__context, CUdevResourceDesc __description, CUdevice __device, unsigned int __flags);
CUresult cuGreenCtxDestroy(CUgreenCtx __context);
CUresult cuGreenCtxGetId(CUgreenCtx __context, unsigned long long *__id);
CUresult cuGreenCtxStreamCreate(CUstream *__stream, CUgreenCtx __context, unsigned int __flags, int __priority);
CUresult cuCtxFromGreenCtx(CUcontext *__context, CUgreenCtx __green);
CUresult cuTensorMapEncodeTiled(CUtensorMap *__map, CUtensorMapDataType __type, cuuint32_t __rank, void *__address,
	const cuuint64_t *__extents, const cuuint64_t *__strides, const cuuint32_t *__box,
	const cuuint32_t *__element_strides, CUtensorMapInterleave __interleave, CUtensorMapSwizzle __swizzle,
	CUtensorMapL2promotion __promotion, CUtensorMapFloatOOBfill __fill);
#ifdef __cplusplus
} /* extern "C" */

/* As programs for CUDA 13 and for those before it write it. */
static inline CUresult cuCtxCreate(
	CUcontext *__context, CUctxCreateParams *__params, unsigned int __flags, CUdevice __device) {
	bool __plain = !__params || (__params->numExecAffinityParams == 0 && !__params->cigParams);
	return __plain ? s2s_create_context(__context, __flags, __device) : CUDA_ERROR_NOT_SUPPORTED;
}
static inline CUresult cuCtxCreate(CUcontext *__context, unsigned int __flags, CUdevice __device) {
	return s2s_create_context(__context, __flags, __device);
}
#else
#define cuCtxCreate s2s_create_context
#endif

#endif
