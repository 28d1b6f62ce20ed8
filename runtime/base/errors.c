/* CUDA's error codes: their names and texts, the last one of each thread, and the one that ended all work. */
#include "base/errors.h"
#include "s2s.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
	int code;
	const char *name, *text;
} error_row;

#define ROW(NAME, TEXT) {NAME, #NAME, TEXT}

static const error_row ERRORS[] = {
	ROW(cudaSuccess, "no error"),
	ROW(cudaErrorInvalidValue, "invalid argument"),
	ROW(cudaErrorMemoryAllocation, "out of memory"),
	ROW(cudaErrorInitializationError, "initialization error"),
	ROW(cudaErrorCudartUnloading, "driver shutting down"),
	ROW(cudaErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
	ROW(cudaErrorProfilerNotInitialized, "profiler not initialized: call cudaProfilerInitialize()"),
	ROW(cudaErrorProfilerAlreadyStarted, "profiler already started"),
	ROW(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
	ROW(cudaErrorInvalidConfiguration, "invalid configuration argument"),
	ROW(cudaErrorInvalidPitchValue, "invalid pitch argument"),
	ROW(cudaErrorInvalidSymbol, "invalid device symbol"),
	ROW(cudaErrorInvalidHostPointer, "invalid host pointer"),
	ROW(cudaErrorInvalidDevicePointer, "invalid device pointer"),
	ROW(cudaErrorInvalidTexture, "invalid texture reference"),
	ROW(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
	ROW(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
	ROW(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
	ROW(cudaErrorAddressOfConstant, "invalid address of constant"),
	ROW(cudaErrorTextureFetchFailed, "texture fetch failed"),
	ROW(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
	ROW(cudaErrorSynchronizationError, "synchronization error"),
	ROW(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
	ROW(cudaErrorInvalidNormSetting, "read as normalized float not supported for 32-bit non float type"),
	ROW(cudaErrorMixedDeviceExecution, "mixed device execution"),
	ROW(cudaErrorNotYetImplemented, "feature not yet implemented"),
	ROW(cudaErrorMemoryValueTooLarge, "memory value too large"),
	ROW(cudaErrorStubLibrary, "CUDA driver is a stub library"),
	ROW(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
	ROW(cudaErrorCallRequiresNewerDriver, "API call is not supported in the installed CUDA driver"),
	ROW(cudaErrorInvalidSurface, "invalid surface reference"),
	ROW(cudaErrorDuplicateVariableName, "duplicate global variable looked up by string name"),
	ROW(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name"),
	ROW(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name"),
	ROW(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
	ROW(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
	ROW(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
	ROW(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
	ROW(cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches"),
	ROW(cudaErrorLaunchFileScopedTex, "launch with file-scoped textures is not supported in device code"),
	ROW(cudaErrorLaunchFileScopedSurf, "launch with file-scoped surfaces is not supported in device code"),
	ROW(cudaErrorSyncDepthExceeded,
		"cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth"),
	ROW(cudaErrorLaunchPendingCountExceeded,
		"launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
	ROW(cudaErrorInvalidDeviceFunction, "invalid device function"),
	ROW(cudaErrorNoDevice, "no CUDA-capable device is detected"),
	ROW(cudaErrorInvalidDevice, "invalid device ordinal"),
	ROW(cudaErrorDeviceNotLicensed, "device does not have a valid license"),
	ROW(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
	ROW(cudaErrorStartupFailure, "startup failure in cuda runtime"),
	ROW(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
	ROW(cudaErrorDeviceUninitialized, "invalid device context"),
	ROW(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
	ROW(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
	ROW(cudaErrorArrayIsMapped, "array is mapped"),
	ROW(cudaErrorAlreadyMapped, "resource already mapped"),
	ROW(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
	ROW(cudaErrorAlreadyAcquired, "resource already acquired"),
	ROW(cudaErrorNotMapped, "resource not mapped"),
	ROW(cudaErrorNotMappedAsArray, "resource not mapped as array"),
	ROW(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
	ROW(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
	ROW(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
	ROW(cudaErrorDeviceAlreadyInUse, "exclusive-thread device already in use by a different thread"),
	ROW(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
	ROW(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
	ROW(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
	ROW(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error detected during the execution"),
	ROW(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
	ROW(cudaErrorUnsupportedPtxVersion, "the provided PTX was compiled with an unsupported toolchain."),
	ROW(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
	ROW(cudaErrorUnsupportedExecAffinity, "the provided execution affinity is not supported"),
	ROW(cudaErrorUnsupportedDevSideSync, "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
	ROW(cudaErrorContained, "Invalid access of peer GPU memory over nvlink or a hardware error"),
	ROW(cudaErrorInvalidSource, "device kernel image is invalid"),
	ROW(cudaErrorFileNotFound, "file not found"),
	ROW(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
	ROW(cudaErrorSharedObjectInitFailed, "shared object initialization failed"),
	ROW(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
	ROW(cudaErrorInvalidResourceHandle, "invalid resource handle"),
	ROW(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
	ROW(cudaErrorLossyQuery, "attempted introspection would be semantically lossy"),
	ROW(cudaErrorSymbolNotFound, "named symbol not found"),
	ROW(cudaErrorNotReady, "device not ready"),
	ROW(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
	ROW(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
	ROW(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
	ROW(cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode"),
	ROW(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
	ROW(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
	ROW(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
	ROW(cudaErrorContextIsDestroyed, "context is destroyed"),
	ROW(cudaErrorAssert, "device-side assert triggered"),
	ROW(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
	ROW(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
	ROW(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
	ROW(cudaErrorHardwareStackError, "hardware stack error"),
	ROW(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
	ROW(cudaErrorMisalignedAddress, "misaligned address"),
	ROW(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
	ROW(cudaErrorInvalidPc, "invalid program counter"),
	ROW(cudaErrorLaunchFailure, "unspecified launch failure"),
	ROW(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
	ROW(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
	ROW(cudaErrorNotPermitted, "operation not permitted"),
	ROW(cudaErrorNotSupported, "operation not supported"),
	ROW(cudaErrorSystemNotReady, "system not yet initialized"),
	ROW(cudaErrorSystemDriverMismatch, "system has unsupported display driver / cuda driver combination"),
	ROW(cudaErrorCompatNotSupportedOnDevice, "forward compatibility was attempted on non supported HW"),
	ROW(cudaErrorMpsConnectionFailed, "MPS client failed to connect to the MPS control daemon or the MPS server"),
	ROW(cudaErrorMpsRpcFailure, "the remote procedural call between the MPS server and the MPS client failed"),
	ROW(cudaErrorMpsServerNotReady, "MPS server is not ready to accept new MPS client requests"),
	ROW(cudaErrorMpsMaxClientsReached, "the hardware resources required to create MPS client have been exhausted"),
	ROW(cudaErrorMpsMaxConnectionsReached,
		"the hardware resources required to support device connections have been exhausted"),
	ROW(cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server"),
	ROW(cudaErrorCdpNotSupported,
		"the program is using CUDA Dynamic Parallelism, but the current configuration does not support it"),
	ROW(cudaErrorCdpVersionMismatch, "the program uses incompatible versions of CUDA Dynamic Parallelism"),
	ROW(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
	ROW(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
	ROW(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
	ROW(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
	ROW(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
	ROW(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
	ROW(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream"),
	ROW(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
	ROW(cudaErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread"),
	ROW(cudaErrorTimeout, "wait operation timed out"),
	ROW(cudaErrorGraphExecUpdateFailure, "the graph update was not performed because it included changes which "
										 "violated constraints specific to instantiated graph update"),
	ROW(cudaErrorExternalDevice, "an async error has occurred in external entity outside of CUDA"),
	ROW(cudaErrorInvalidClusterSize, "a kernel launch error has occurred due to cluster misconfiguration"),
	ROW(cudaErrorFunctionNotLoaded, "function handle is not loaded"),
	ROW(cudaErrorInvalidResourceType, "invalid resource type"),
	ROW(cudaErrorInvalidResourceConfiguration, "invalid resource configuration"),
	ROW(cudaErrorUnknown, "unknown error"),
	ROW(cudaErrorApiFailureBase, "api failure base"),
};

static const char UNRECOGNIZED[] = "unrecognized error code";

static const error_row *find(int code) {
	for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
		if (ERRORS[i].code == code)
			return &ERRORS[i];
	return NULL;
}

const char *s2s_error_name(int code) {
	const error_row *row = find(code);
	return row ? row->name : UNRECOGNIZED;
}

const char *s2s_error_text(int code) {
	const error_row *row = find(code);
	return row ? row->text : UNRECOGNIZED;
}

const char *cudaGetErrorName(cudaError_t error) {
	return s2s_error_name(error);
}

const char *cudaGetErrorString(cudaError_t error) {
	return s2s_error_text(error);
}

/* What ended a kernel in the middle of its work, for all threads of the process; cudaSuccess if nothing did. */
static _Atomic cudaError_t device_fault;

static _Thread_local cudaError_t last_error;

cudaError_t s2s_device_fault(void) {
	return atomic_load_explicit(&device_fault, memory_order_relaxed);
}

cudaError_t s2s_note(cudaError_t code) {
	cudaError_t fault = atomic_load_explicit(&device_fault, memory_order_relaxed);
	if (fault != cudaSuccess)
		return fault;
	if (code != cudaSuccess)
		last_error = code;
	return code;
}

/* Whether a kernel that fails with `code` may have left anything behind: those that never began have not. */
static bool lasts(cudaError_t code) {
	switch (code) {
	case cudaErrorIllegalAddress:
	case cudaErrorLaunchTimeout:
	case cudaErrorAssert:
	case cudaErrorIllegalInstruction:
	case cudaErrorLaunchFailure:
		return true;
	default:
		return false;
	}
}

void s2s_note_launch(cudaError_t code) {
	if (lasts(code))
		atomic_store_explicit(&device_fault, code, memory_order_relaxed);
	s2s_note(code);
}

void s2s_forget_errors(void) {
	atomic_store_explicit(&device_fault, cudaSuccess, memory_order_relaxed);
	last_error = cudaSuccess;
}

cudaError_t cudaPeekAtLastError(void) {
	cudaError_t fault = s2s_device_fault();
	return fault != cudaSuccess ? fault : last_error;
}

cudaError_t cudaGetLastError(void) {
	cudaError_t code = cudaPeekAtLastError();
	last_error = cudaSuccess;
	return code;
}
