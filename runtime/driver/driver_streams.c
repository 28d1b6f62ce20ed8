/* The driver API: streams, their capture, and events. */
#include "driver/driver.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
	return IN_CONTEXT(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamDestroy(CUstream stream) {
	return IN_CONTEXT(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
	return IN_CONTEXT(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream) {
	return IN_CONTEXT(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
	return IN_CONTEXT(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
	return IN_CONTEXT(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
	return IN_CONTEXT(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
	return IN_CONTEXT(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
	return IN_CONTEXT(cudaEventRecord(event, stream));
}

CUresult cuEventSynchronize(CUevent event) {
	return IN_CONTEXT(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event) {
	return IN_CONTEXT(cudaEventQuery(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
	return IN_CONTEXT(cudaEventElapsedTime(ms, start, end));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
	return IN_CONTEXT(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
	return IN_CONTEXT(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
	return IN_CONTEXT(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
	return IN_CONTEXT(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
	return IN_CONTEXT(cudaStreamGetDevice(stream, device));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags) {
	return IN_CONTEXT(cudaStreamAddCallback(stream, (cudaStreamCallback_t)callback, data, flags));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaStreamAttachMemAsync(stream, s2s_at(pointer), bytes, flags));
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
	return IN_CONTEXT(cudaStreamCopyAttributes(to, from));
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value) {
	return IN_CONTEXT(cudaStreamGetAttribute(stream, id, value));
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value) {
	return IN_CONTEXT(cudaStreamSetAttribute(stream, id, value));
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
	return IN_CONTEXT(cudaStreamBeginCapture(stream, mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
	return IN_CONTEXT(cudaStreamEndCapture(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
	return IN_CONTEXT(cudaStreamIsCapturing(stream, status));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
	return IN_CONTEXT(cudaThreadExchangeStreamCaptureMode(mode));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
	return IN_CONTEXT(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
	CUresult result = context ? IN_CONTEXT(s2s_check_stream(stream)) : CUDA_ERROR_INVALID_VALUE;
	return result == CUDA_SUCCESS ? cuCtxGetCurrent(context) : result;
}
