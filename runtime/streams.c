/* Streams and events. Every call has finished when it returns, so a stream has no state, and there is nothing to wait
 * for. */
#define _GNU_SOURCE
#include "graph.h"
#include "ranges.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* ---- streams ---- */

struct CUstream_st {
	unsigned int flags;
};

/* The handles that programs hold: what is not here was destroyed, or never was one. */
static s2s_ranges streams = S2S_NO_RANGES, events = S2S_NO_RANGES;

static bool is_made(cudaStream_t stream) {
	return stream && s2s_ranges_find(&streams, stream, sizeof *stream).begin == stream;
}

static bool is_stream(cudaStream_t stream) {
	return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || is_made(stream);
}

static bool is_event(cudaEvent_t event);

/* What a call returns that has nothing to wait for. */
static cudaError_t nothing_to_do(bool has_handles) {
	return s2s_note(has_handles ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
	if (!stream || flags > cudaStreamNonBlocking)
		return s2s_note(cudaErrorInvalidValue);
	cudaStream_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&streams, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	made->flags = flags;
	*stream = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
	if (!s2s_ranges_remove(&streams, stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	free(stream);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
	s2s_flush_output();
	if (s2s_captures(stream))
		return s2s_spoil_capture(stream);
	return nothing_to_do(is_stream(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
	return nothing_to_do(is_stream(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
	(void)flags;
	if (!is_stream(stream) || !is_event(event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	return s2s_is_captured(event) ? s2s_capture_wait(stream, event) : s2s_note(cudaSuccess);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
	(void)priority;
	return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
	if (least)
		*least = 0;
	if (greatest)
		*greatest = 0;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
	if (!priority)
		return s2s_note(cudaErrorInvalidValue);
	*priority = 0;
	return nothing_to_do(is_stream(stream));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
	if (!flags)
		return s2s_note(cudaErrorInvalidValue);
	*flags = is_made(stream) ? stream->flags : cudaStreamDefault;
	return nothing_to_do(is_stream(stream));
}

/* Functions of the host that run when the work before them is done: that is now. */

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
	if (!function)
		return s2s_note(cudaErrorInvalidValue);
	if (s2s_captures(stream))
		return s2s_capture_host(stream, function, data);
	cudaError_t fault = nothing_to_do(is_stream(stream));
	if (fault == cudaSuccess)
		function(data);
	return fault;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags) {
	if (!callback || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	if (!is_stream(stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (s2s_captures(stream))
		return s2s_spoil_capture(stream);
	callback(stream, s2s_device_fault(), data);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags) {
	(void)bytes;
	if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle))
		return s2s_note(cudaErrorInvalidValue);
	return nothing_to_do(is_stream(stream));
}

/* ---- events: points in time ---- */

struct CUevent_st {
	bool recorded, has_time;
	struct timespec time;
};

static bool is_event(cudaEvent_t event) {
	return event && s2s_ranges_find(&events, event, sizeof *event).begin == event;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
	if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming))
		return s2s_note(cudaErrorInvalidValue);
	cudaEvent_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&events, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	made->has_time = !(flags & cudaEventDisableTiming);
	*event = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
	if (!is_event(event) || !is_stream(stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaError_t code = s2s_capture_record(event, stream);
	if (code != cudaSuccess || s2s_captures(stream))
		return code;
	clock_gettime(CLOCK_MONOTONIC, &event->time);
	event->recorded = true;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
	return flags == cudaEventRecordDefault ? cudaEventRecord(event, stream) : s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
	s2s_flush_output();
	return nothing_to_do(is_event(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
	return nothing_to_do(is_event(event));
}

static bool tells_time(cudaEvent_t event) {
	return is_event(event) && event->recorded && event->has_time;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
	if (!ms)
		return s2s_note(cudaErrorInvalidValue);
	if (!tells_time(start) || !tells_time(end))
		return s2s_note(cudaErrorInvalidResourceHandle);
	double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
	*ms = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
	if (!s2s_ranges_remove(&events, event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	free(event);
	return s2s_note(cudaSuccess);
}
