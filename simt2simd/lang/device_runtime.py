"""CUDA's runtime in device code: its types, its constants, and the functions that a kernel may call.

Source: CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"; the numbers are those of `driver_types.h`.
"""

from __future__ import annotations

from dataclasses import replace

from ..source import NOWHERE
from .ctype import INT, UINT, CType, Enumeration, Pointer, Scalar, Struct

ERROR: Scalar = replace(UINT, enum=Enumeration("cudaError_t", NOWHERE))
LIMIT: Scalar = replace(UINT, enum=Enumeration("cudaLimit", NOWHERE))
ATTRIBUTE: Scalar = replace(UINT, enum=Enumeration("cudaDeviceAttr", NOWHERE))
COPY_KIND: Scalar = replace(UINT, enum=Enumeration("cudaMemcpyKind", NOWHERE))
STREAM_STRUCT, EVENT_STRUCT = Struct("CUstream_st", NOWHERE), Struct("CUevent_st", NOWHERE)
STREAM, EVENT = Pointer(STREAM_STRUCT), Pointer(EVENT_STRUCT)

RUNTIME_TYPES: dict[str, CType] = {
    "cudaError_t": ERROR, "cudaError": ERROR, "cudaLimit": LIMIT, "cudaDeviceAttr": ATTRIBUTE,
    "cudaMemcpyKind": COPY_KIND, "cudaStream_t": STREAM, "cudaEvent_t": EVENT,
    "CUstream_st": STREAM_STRUCT, "CUevent_st": EVENT_STRUCT,
}  # fmt: skip

# The streams that have names of their own; the address says which one it is.
NAMED_STREAMS = {
    "cudaStreamLegacy": 1, "cudaStreamPerThread": 2, "cudaStreamTailLaunch": 3, "cudaStreamFireAndForget": 4,
}  # fmt: skip

_ERRORS = {
    "cudaSuccess": 0, "cudaErrorInvalidValue": 1, "cudaErrorMemoryAllocation": 2, "cudaErrorInitializationError": 3,
    "cudaErrorCudartUnloading": 4, "cudaErrorInvalidConfiguration": 9, "cudaErrorInvalidPitchValue": 12,
    "cudaErrorInvalidSymbol": 13, "cudaErrorInvalidHostPointer": 16, "cudaErrorInvalidDevicePointer": 17,
    "cudaErrorInvalidTexture": 18, "cudaErrorInvalidTextureBinding": 19, "cudaErrorInvalidChannelDescriptor": 20,
    "cudaErrorInvalidMemcpyDirection": 21, "cudaErrorInvalidFilterSetting": 26, "cudaErrorInvalidNormSetting": 27,
    "cudaErrorInsufficientDriver": 35, "cudaErrorInvalidSurface": 37, "cudaErrorDevicesUnavailable": 46,
    "cudaErrorMissingConfiguration": 52, "cudaErrorPriorLaunchFailure": 53, "cudaErrorLaunchMaxDepthExceeded": 65,
    "cudaErrorSyncDepthExceeded": 68, "cudaErrorLaunchPendingCountExceeded": 69, "cudaErrorInvalidDeviceFunction": 98,
    "cudaErrorNoDevice": 100, "cudaErrorInvalidDevice": 101, "cudaErrorInvalidKernelImage": 200,
    "cudaErrorNoKernelImageForDevice": 209, "cudaErrorUnsupportedLimit": 215, "cudaErrorPeerAccessUnsupported": 217,
    "cudaErrorFileNotFound": 301, "cudaErrorOperatingSystem": 304, "cudaErrorInvalidResourceHandle": 400,
    "cudaErrorIllegalState": 401, "cudaErrorSymbolNotFound": 500, "cudaErrorNotReady": 600,
    "cudaErrorIllegalAddress": 700, "cudaErrorLaunchOutOfResources": 701, "cudaErrorLaunchTimeout": 702,
    "cudaErrorPeerAccessAlreadyEnabled": 704, "cudaErrorPeerAccessNotEnabled": 705,
    "cudaErrorSetOnActiveProcess": 708, "cudaErrorContextIsDestroyed": 709, "cudaErrorAssert": 710,
    "cudaErrorHostMemoryAlreadyRegistered": 712, "cudaErrorHostMemoryNotRegistered": 713,
    "cudaErrorHardwareStackError": 714, "cudaErrorIllegalInstruction": 715, "cudaErrorMisalignedAddress": 716,
    "cudaErrorInvalidAddressSpace": 717, "cudaErrorInvalidPc": 718, "cudaErrorLaunchFailure": 719,
    "cudaErrorCooperativeLaunchTooLarge": 720, "cudaErrorNotPermitted": 800, "cudaErrorNotSupported": 801,
    "cudaErrorStreamCaptureUnsupported": 900, "cudaErrorStreamCaptureInvalidated": 901,
    "cudaErrorStreamCaptureMerge": 902, "cudaErrorStreamCaptureUnmatched": 903, "cudaErrorStreamCaptureUnjoined": 904,
    "cudaErrorStreamCaptureIsolation": 905, "cudaErrorStreamCaptureImplicit": 906, "cudaErrorCapturedEvent": 907,
    "cudaErrorStreamCaptureWrongThread": 908, "cudaErrorGraphExecUpdateFailure": 910, "cudaErrorUnknown": 999,
}  # fmt: skip
_LIMITS = {
    "cudaLimitStackSize": 0, "cudaLimitPrintfFifoSize": 1, "cudaLimitMallocHeapSize": 2,
    "cudaLimitDevRuntimeSyncDepth": 3, "cudaLimitDevRuntimePendingLaunchCount": 4, "cudaLimitMaxL2FetchGranularity": 5,
    "cudaLimitPersistingL2CacheSize": 6,
}  # fmt: skip
_ATTRIBUTES = {
    "cudaDevAttrMaxThreadsPerBlock": 1, "cudaDevAttrMaxBlockDimX": 2, "cudaDevAttrMaxBlockDimY": 3,
    "cudaDevAttrMaxBlockDimZ": 4, "cudaDevAttrMaxGridDimX": 5, "cudaDevAttrMaxGridDimY": 6,
    "cudaDevAttrMaxGridDimZ": 7, "cudaDevAttrMaxSharedMemoryPerBlock": 8, "cudaDevAttrTotalConstantMemory": 9,
    "cudaDevAttrWarpSize": 10, "cudaDevAttrMaxPitch": 11, "cudaDevAttrMaxRegistersPerBlock": 12,
    "cudaDevAttrClockRate": 13, "cudaDevAttrTextureAlignment": 14, "cudaDevAttrGpuOverlap": 15,
    "cudaDevAttrMultiProcessorCount": 16, "cudaDevAttrKernelExecTimeout": 17, "cudaDevAttrIntegrated": 18,
    "cudaDevAttrCanMapHostMemory": 19, "cudaDevAttrComputeMode": 20, "cudaDevAttrConcurrentKernels": 31,
    "cudaDevAttrEccEnabled": 32, "cudaDevAttrPciBusId": 33, "cudaDevAttrPciDeviceId": 34, "cudaDevAttrTccDriver": 35,
    "cudaDevAttrMemoryClockRate": 36, "cudaDevAttrGlobalMemoryBusWidth": 37, "cudaDevAttrL2CacheSize": 38,
    "cudaDevAttrMaxThreadsPerMultiProcessor": 39, "cudaDevAttrAsyncEngineCount": 40,
    "cudaDevAttrUnifiedAddressing": 41, "cudaDevAttrPciDomainId": 50, "cudaDevAttrTexturePitchAlignment": 51,
    "cudaDevAttrComputeCapabilityMajor": 75, "cudaDevAttrComputeCapabilityMinor": 76,
    "cudaDevAttrStreamPrioritiesSupported": 78, "cudaDevAttrGlobalL1CacheSupported": 79,
    "cudaDevAttrLocalL1CacheSupported": 80, "cudaDevAttrMaxSharedMemoryPerMultiprocessor": 81,
    "cudaDevAttrMaxRegistersPerMultiprocessor": 82, "cudaDevAttrManagedMemory": 83, "cudaDevAttrIsMultiGpuBoard": 84,
    "cudaDevAttrMultiGpuBoardGroupID": 85, "cudaDevAttrHostNativeAtomicSupported": 86,
    "cudaDevAttrSingleToDoublePrecisionPerfRatio": 87, "cudaDevAttrPageableMemoryAccess": 88,
    "cudaDevAttrConcurrentManagedAccess": 89, "cudaDevAttrComputePreemptionSupported": 90,
    "cudaDevAttrCanUseHostPointerForRegisteredMem": 91, "cudaDevAttrCooperativeLaunch": 95,
    "cudaDevAttrMaxSharedMemoryPerBlockOptin": 97, "cudaDevAttrHostRegisterSupported": 99,
    "cudaDevAttrPageableMemoryAccessUsesHostPageTables": 100, "cudaDevAttrDirectManagedMemAccessFromHost": 101,
    "cudaDevAttrMaxBlocksPerMultiprocessor": 106, "cudaDevAttrMaxPersistingL2CacheSize": 108,
    "cudaDevAttrReservedSharedMemoryPerBlock": 111, "cudaDevAttrMemoryPoolsSupported": 115,
}  # fmt: skip
_COPY_KINDS = {
    "cudaMemcpyHostToHost": 0, "cudaMemcpyHostToDevice": 1, "cudaMemcpyDeviceToHost": 2, "cudaMemcpyDeviceToDevice": 3,
    "cudaMemcpyDefault": 4,
}  # fmt: skip
_FLAGS = {
    "cudaStreamDefault": 0, "cudaStreamNonBlocking": 1, "cudaEventDefault": 0, "cudaEventBlockingSync": 1,
    "cudaEventDisableTiming": 2,
}  # fmt: skip

# Names of numbers, each with its type.
RUNTIME_CONSTANTS: dict[str, tuple[Scalar, int]] = {
    name: (ctype, value)
    for ctype, table in (
        (ERROR, _ERRORS),
        (LIMIT, _LIMITS),
        (ATTRIBUTE, _ATTRIBUTES),
        (COPY_KIND, _COPY_KINDS),
        (INT, _FLAGS),
    )
    for name, value in table.items()
}

ERROR_NAMES = {value: name for name, value in _ERRORS.items()}

# What CUDA says of the errors that device code can make.
ERROR_TEXTS = {
    0: "no error", 1: "invalid argument", 2: "out of memory", 9: "invalid configuration argument",
    12: "invalid pitch argument", 21: "invalid copy direction for memcpy",
    69: "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount",
    215: "limit is not supported on this architecture", 400: "invalid resource handle",
}  # fmt: skip

# Rows as in `lang/builtins`.
RUNTIME_FUNCTIONS = """
cudaGetLastError            last_error        error()
cudaPeekAtLastError         peek_error        error()
cudaGetErrorString          error_string      const_char*(error)
cudaGetErrorName            error_identifier  const_char*(error)
cudaDeviceSynchronize       await_children    error()
cudaStreamCreateWithFlags   create_stream     error(stream*,uint)
cudaStreamDestroy           destroy_stream    error(stream)
cudaStreamWaitEvent         stream_wait       error(stream,event,uint)
cudaEventCreateWithFlags    create_event      error(event*,uint)
cudaEventRecord             record_event      error(event,stream)
cudaEventRecordWithFlags    record_event      error(event,stream,uint)
cudaEventDestroy            destroy_event     error(event)
cudaMemcpyAsync             copy_async        error(void*,const_void*,ulong,copy_kind,stream)
cudaMemcpy2DAsync           copy_2d_async     error(void*,ulong,const_void*,ulong,ulong,ulong,copy_kind,stream)
cudaMemsetAsync             set_async         error(void*,int,ulong,stream)
cudaMemset2DAsync           set_2d_async      error(void*,ulong,int,ulong,ulong,stream)
cudaDeviceGetAttribute      device_attribute  error(int*,attribute,int)
cudaGetDevice               get_device        error(int*)
cudaGetDeviceCount          device_count      error(int*)
cudaDeviceGetLimit          get_limit         error(ulong*,limit)
cudaRuntimeGetVersion       runtime_version   error(int*)
cudaMalloc                  device_malloc     error(void**,ulong)
cudaFree                    device_free       error(void*)
"""

# The functions whose last argument is 0 where a call has none.
LAST_IS_OPTIONAL = frozenset(
    """
    cudaStreamWaitEvent cudaEventRecord cudaMemcpyAsync cudaMemcpy2DAsync cudaMemsetAsync cudaMemset2DAsync
    """.split()
)

RUNTIME_OPS = frozenset(line.split()[1] for line in RUNTIME_FUNCTIONS.strip().splitlines())

SIGNATURE_TYPES: dict[str, CType] = {
    "error": ERROR, "limit": LIMIT, "attribute": ATTRIBUTE, "copy_kind": COPY_KIND, "stream": STREAM, "event": EVENT,
}  # fmt: skip

# What device code may call under nvcc, and not here.
UNSUPPORTED_OF_RUNTIME = (
    "cudaFuncGetAttributes", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaDeviceGetCacheConfig",
    "cudaDeviceGetSharedMemConfig", "cudaGetCurrentGraphExec", "cudaGraphLaunch",
)  # fmt: skip
