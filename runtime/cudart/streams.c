/* Streams and events. The default stream's work is done at once by the thread that asks for it; so is work for another
 * stream that is done sooner than another thread would come. All other work goes to the stream's queue; see queue.c. */
#define _GNU_SOURCE
#include "cudart/queue.h"
#include "device/guards.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams ---- */

/* The handles that programs hold: what is not here was destroyed, or never was one. */
static s2s_ranges streams = S2S_NO_RANGES, events = S2S_NO_RANGES;
static _Atomic uint32_t destroyed;             /* streams, so far */
static _Atomic unsigned long long last_id = 2; /* 1 and 2 are those of the default streams */

/* Whether 0 denotes the calling thread's own default stream: in programs made with --default-stream per-thread. */
static atomic_bool per_thread;

static pthread_once_t own_once = PTHREAD_ONCE_INIT;
static pthread_key_t own_key; /* its destructor frees a thread's default stream */
static _Thread_local cudaStream_t own;

/* Programs use one stream time and again: the last one that was found, as long as none has been destroyed since. */
static _Thread_local struct {
	cudaStream_t stream;
	uint32_t destroyed;
} seen;

static bool is_made(cudaStream_t stream) {
	uint32_t now = atomic_load(&destroyed);
	if (!stream || (seen.stream == stream && seen.destroyed == now))
		return stream;
	bool found = s2s_ranges_find(&streams, stream, sizeof *stream).begin == stream;
	if (found) {
		seen.stream = stream;
		seen.destroyed = now;
	}
	return found;
}

bool s2s_is_stream(cudaStream_t handle) {
	return !handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread || is_made(handle);
}

cudaError_t s2s_check_stream(cudaStream_t handle) {
	return s2s_note(s2s_is_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static void leave_own(void *stream) {
	s2s_leave_stream(stream);
}

static void make_key(void) {
	pthread_key_create(&own_key, leave_own);
}

static cudaStream_t own_stream(void) {
	if (!own) {
		pthread_once(&own_once, make_key);
		own = calloc(1, sizeof *own);
		if (own) {
			own->id = 2;
			pthread_setspecific(own_key, own);
		}
	}
	return own;
}

cudaStream_t s2s_stream_of(cudaStream_t handle) {
	if (handle == cudaStreamPerThread || (!handle && atomic_load_explicit(&per_thread, memory_order_relaxed)))
		return own_stream();
	return handle == cudaStreamLegacy ? NULL : handle;
}

void s2s_use_per_thread_streams(void) {
	if (!atomic_exchange(&per_thread, true))
		atomic_fetch_add(&s2s_stream_activity, 1);
}

void s2s_wait_before(cudaStream_t handle) {
	if (s2s_is_plain(handle))
		return;
	cudaStream_t stream = s2s_stream_of(handle);
	if (stream)
		s2s_finish(stream);
	else
		s2s_finish_all(false);
}

bool s2s_goes_later(cudaStream_t handle, size_t bytes) {
	if (!handle && !atomic_load_explicit(&per_thread, memory_order_relaxed))
		return false;
	cudaStream_t stream = s2s_stream_of(handle);
	return stream && !s2s_does_task() && (bytes > S2S_SHORT_COPY || s2s_has_work(stream));
}

/* What a call returns that has waited. */
static cudaError_t after_waiting(cudaError_t code) {
	cudaError_t late = s2s_late_error();
	return s2s_note(code == cudaSuccess ? late : code);
}

cudaError_t s2s_finish_device(void) {
	s2s_finish_all(true);
	s2s_look_after_kernels();
	s2s_flush_output();
	return after_waiting(cudaSuccess);
}

static cudaError_t make_stream(cudaStream_t *stream, unsigned int flags) {
	if (!stream || flags > cudaStreamNonBlocking)
		return s2s_note(cudaErrorInvalidValue);
	cudaStream_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&streams, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	made->flags = flags;
	made->id = atomic_fetch_add(&last_id, 1) + 1;
	*stream = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
	return make_stream(stream, flags);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
	return make_stream(stream, cudaStreamDefault);
}

/* There is one priority: the nearest to any other. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
	(void)priority;
	return make_stream(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
	if (!stream || !s2s_ranges_remove(&streams, stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	atomic_fetch_add(&destroyed, 1);
	s2s_leave_stream(stream);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
	if (s2s_captures(handle))
		return s2s_spoil_capture(handle);
	if (s2s_is_stream(handle))
		s2s_wait_before(handle);
	s2s_look_after_kernels();
	s2s_flush_output();
	return after_waiting(s2s_is_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
	if (s2s_captures(handle))
		return s2s_spoil_capture(handle);
	if (!s2s_is_stream(handle) || s2s_is_plain(handle))
		return s2s_check_stream(handle);
	cudaStream_t stream = s2s_stream_of(handle);
	bool has_work = stream ? s2s_has_work(stream) : s2s_has_blocking_work();
	return has_work ? s2s_note(cudaErrorNotReady) : after_waiting(cudaSuccess);
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
	return s2s_check_stream(stream);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
	if (!flags)
		return s2s_note(cudaErrorInvalidValue);
	*flags = is_made(stream) ? stream->flags : cudaStreamDefault;
	return s2s_check_stream(stream);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
	if (!id)
		return s2s_note(cudaErrorInvalidValue);
	if (!s2s_is_stream(handle))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaStream_t stream = s2s_stream_of(handle);
	*id = stream ? stream->id : 1;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
	if (!device)
		return s2s_note(cudaErrorInvalidValue);
	*device = 0;
	return s2s_check_stream(stream);
}

/* Attributes, of which nothing depends on any: a stream keeps what programs set. There is one priority. */

static bool is_attribute(cudaStreamAttrID id) {
	return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributeSynchronizationPolicy ||
		   id == cudaLaunchAttributePriority || id == cudaLaunchAttributeMemSyncDomainMap ||
		   id == cudaLaunchAttributeMemSyncDomain;
}

static struct CUstream_st default_stream = {.id = 1};

/* Where the attributes of a stream are. */
static cudaStream_t holder(cudaStream_t handle) {
	cudaStream_t stream = s2s_stream_of(handle);
	return stream ? stream : &default_stream;
}

static cudaError_t fault_of_attribute(cudaStream_t handle, cudaStreamAttrID id, const cudaStreamAttrValue *value) {
	if (!value || !is_attribute(id))
		return cudaErrorInvalidValue;
	return s2s_is_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id, const cudaStreamAttrValue *value) {
	cudaError_t fault = fault_of_attribute(handle, id, value);
	if (fault == cudaSuccess && id != cudaLaunchAttributePriority)
		holder(handle)->attributes[id] = *value;
	return s2s_note(fault);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id, cudaStreamAttrValue *value) {
	cudaError_t fault = fault_of_attribute(handle, id, value);
	if (fault == cudaSuccess)
		*value = holder(handle)->attributes[id];
	if (fault == cudaSuccess && id == cudaLaunchAttributeSynchronizationPolicy && value->syncPolicy == 0)
		value->syncPolicy = cudaSyncPolicyAuto; /* nothing has been set */
	return s2s_note(fault);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
	if (!s2s_is_stream(to) || !s2s_is_stream(from))
		return s2s_note(cudaErrorInvalidResourceHandle);
	memmove(holder(to)->attributes, holder(from)->attributes, sizeof default_stream.attributes);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
	return s2s_note(cudaSuccess); /* no line of a CPU's cache persists */
}

/* Functions of the host that run when the work before them is done. */

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data) {
	if (!function)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_node work = {.type = cudaGraphNodeTypeHost, .work.host = {function, data}};
	if (s2s_captures(handle))
		return s2s_capture_work(handle, &work);
	cudaError_t fault = s2s_check_stream(handle);
	if (fault != cudaSuccess)
		return fault;
	cudaStream_t stream = s2s_stream_of(handle);
	if (stream && !s2s_does_task())
		return s2s_queue_work(stream, &work);
	s2s_wait_before(handle);
	function(data);
	return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void *data, unsigned int flags) {
	if (!callback || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	if (!s2s_is_stream(handle))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (s2s_captures(handle))
		return s2s_spoil_capture(handle);
	cudaStream_t stream = s2s_stream_of(handle);
	if (stream && !s2s_does_task())
		return s2s_queue_callback(stream, handle, callback, data);
	s2s_wait_before(handle);
	callback(handle, s2s_device_fault(), data);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags) {
	if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle))
		return s2s_note(cudaErrorInvalidValue);
	s2s_range found = s2s_managed_memory_at(pointer);
	if (!found.begin || (bytes != 0 && bytes != found.bytes))
		return s2s_note(cudaErrorInvalidValue);
	return s2s_check_stream(stream);
}

/* ---- events: points in time ---- */

struct CUevent_st {
	bool recorded, has_time;
	struct timespec time;
	s2s_point *point; /* null: it is past */
};

static pthread_mutex_t event_lock = PTHREAD_MUTEX_INITIALIZER; /* of all events' points */

bool s2s_is_event(cudaEvent_t event) {
	return event && s2s_ranges_find(&events, event, sizeof *event).begin == event;
}

/* The point of an event that is not past, for s2s_release_point; null if it is. */
static s2s_point *point_of(cudaEvent_t event) {
	pthread_mutex_lock(&event_lock);
	s2s_point *point = event->point;
	if (point && s2s_is_past(point, &event->time)) {
		s2s_release_point(point);
		point = event->point = NULL;
	}
	if (point)
		s2s_hold_point(point);
	pthread_mutex_unlock(&event_lock);
	return point;
}

static void set_point(cudaEvent_t event, s2s_point *point) {
	pthread_mutex_lock(&event_lock);
	s2s_point *before = event->point;
	event->point = point;
	event->recorded = true;
	if (!point)
		clock_gettime(CLOCK_MONOTONIC, &event->time);
	pthread_mutex_unlock(&event_lock);
	if (before)
		s2s_release_point(before);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
	unsigned int known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
	bool alone = flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming);
	if (!event || flags & ~known || alone)
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

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
	if (!s2s_is_event(event) || !s2s_is_stream(handle))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaError_t code = s2s_capture_record(event, handle);
	if (code != cudaSuccess || s2s_captures(handle))
		return code;
	cudaStream_t stream = s2s_stream_of(handle);
	s2s_point *point = NULL;
	if (stream && !s2s_does_task() && s2s_has_work(stream)) {
		point = s2s_queue_point(stream);
		if (!point)
			return s2s_note(cudaErrorMemoryAllocation);
	} else {
		s2s_wait_before(handle);
	}
	set_point(event, point);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
	bool unknown = flags & ~cudaEventRecordExternal;
	if (unknown && s2s_is_event(event))
		return s2s_note(cudaErrorInvalidValue);
	if (flags & cudaEventRecordExternal && s2s_is_event(event) && s2s_captures(stream))
		return s2s_capture_work(stream, &(s2s_node){.type = cudaGraphNodeTypeEventRecord, .work.event = event});
	return cudaEventRecord(event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
	if (flags & ~cudaEventWaitExternal)
		return s2s_note(cudaErrorInvalidValue);
	if (!s2s_is_event(event) || !s2s_is_stream(handle))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (flags & cudaEventWaitExternal && s2s_captures(handle))
		return s2s_capture_work(handle, &(s2s_node){.type = cudaGraphNodeTypeWaitEvent, .work.event = event});
	if (s2s_is_captured(event))
		return s2s_capture_wait(handle, event);
	s2s_point *point = point_of(event);
	if (!point)
		return s2s_note(cudaSuccess);
	cudaStream_t stream = s2s_stream_of(handle);
	cudaError_t code = cudaSuccess;
	if (stream && !s2s_does_task())
		code = s2s_queue_wait(stream, point);
	else
		s2s_await_point(point);
	s2s_release_point(point);
	return s2s_note(code);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
	if (!s2s_is_event(event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (s2s_is_captured(event))
		return s2s_spoil_captured(event);
	s2s_point *point = point_of(event);
	if (point) {
		s2s_await_point(point);
		s2s_release_point(point);
	}
	s2s_look_after_kernels();
	s2s_flush_output();
	return after_waiting(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
	if (!s2s_is_event(event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (s2s_is_captured(event))
		return s2s_spoil_captured(event);
	cudaError_t fault = s2s_fault_of_unsafe_call();
	if (fault != cudaSuccess)
		return s2s_note(fault);
	s2s_point *point = point_of(event);
	if (!point)
		return after_waiting(cudaSuccess);
	s2s_release_point(point);
	return s2s_note(cudaErrorNotReady);
}

static bool is_timed(cudaEvent_t event) {
	return s2s_is_event(event) && event->recorded && event->has_time;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
	if (!ms)
		return s2s_note(cudaErrorInvalidValue);
	if (!is_timed(start) || !is_timed(end))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaError_t code = cudaEventQuery(start);
	if (code == cudaSuccess)
		code = cudaEventQuery(end);
	if (code != cudaSuccess)
		return code;
	double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
	*ms = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
	if (!event || !s2s_ranges_remove(&events, event))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (event->point)
		s2s_release_point(event->point);
	free(event);
	return s2s_note(cudaSuccess);
}
