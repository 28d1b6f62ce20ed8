/* Streams that capture: what they are asked to do becomes nodes of a graph. */
#define _GNU_SOURCE
#include "cudart/queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct capture capture;

/* A stream that captures, with the nodes that come before its next one. */
typedef struct member {
	cudaStream_t stream;
	capture *into;
	s2s_node **last;
	size_t nlast;
	struct member *next;
} member;

/* What a stream has captured up to an event. */
typedef struct mark {
	cudaEvent_t event;
	capture *into;
	s2s_node **last;
	size_t nlast;
	struct mark *next;
} mark;

struct capture {
	cudaGraph_t graph;
	cudaStream_t begun_by;
	unsigned long long id;
	enum cudaStreamCaptureMode mode;
	pthread_t thread; /* that began it */
	bool is_given;    /* the graph is the program's */
	bool spoilt;
};

/* What captures forbid the calling thread. */
static _Thread_local enum cudaStreamCaptureMode own_mode = cudaStreamCaptureModeGlobal;

/* All under the lock; `capturing` counts the members, so that no call takes it in vain. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static member *members;
static mark *marks;
static atomic_uint capturing;

static member *find(cudaStream_t stream) {
	member *found = members;
	while (found && found->stream != stream)
		found = found->next;
	return found;
}

__attribute__((noinline)) static bool find_locked(cudaStream_t stream) {
	pthread_mutex_lock(&lock);
	bool found = find(stream);
	pthread_mutex_unlock(&lock);
	return found;
}

bool s2s_captures(cudaStream_t stream) {
	return atomic_load_explicit(&capturing, memory_order_relaxed) > 0 && !s2s_does_task() && find_locked(stream);
}

static member *join(cudaStream_t stream, capture *into) {
	member *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	*made = (member){.stream = stream, .into = into, .next = members};
	members = made;
	atomic_fetch_add(&capturing, 1);
	atomic_fetch_add(&s2s_stream_activity, 1);
	return made;
}

/* Make the next node of a stream come after these ones too. */
static bool wait_for(member *at, s2s_node *const *nodes, size_t count) {
	s2s_node **list = realloc(at->last, (at->nlast + count + 1) * sizeof *list);
	if (!list)
		return false;
	at->last = list;
	for (size_t i = 0; i < count; i++)
		list[at->nlast++] = nodes[i];
	return true;
}

static void leave_all(capture *ended) {
	for (member **at = &members; *at;) {
		member *here = *at;
		if (here->into != ended) {
			at = &here->next;
			continue;
		}
		*at = here->next;
		free(here->last);
		free(here);
		atomic_fetch_sub(&capturing, 1);
		atomic_fetch_sub(&s2s_stream_activity, 1);
	}
	for (mark **at = &marks; *at;) {
		mark *here = *at;
		if (here->into != ended) {
			at = &here->next;
			continue;
		}
		*at = here->next;
		free(here->last);
		free(here);
	}
}

/* ---- begin and end ---- */

/* Begin a capture into a graph of the program's, after some nodes, or into a new one. */
static cudaError_t begin(
	cudaStream_t stream, cudaGraph_t graph, s2s_node *const *after, size_t count, enum cudaStreamCaptureMode mode) {
	static atomic_ullong last_id;
	if ((unsigned int)mode > cudaStreamCaptureModeRelaxed)
		return s2s_note(cudaErrorInvalidValue);
	if (!stream || stream == cudaStreamLegacy)
		return s2s_note(cudaErrorStreamCaptureUnsupported);
	cudaError_t code = s2s_check_stream(stream);
	if (code != cudaSuccess)
		return code;
	capture *made = calloc(1, sizeof *made);
	if (made)
		made->graph = graph;
	if (!made || (!graph && cudaGraphCreate(&made->graph, 0) != cudaSuccess)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	made->begun_by = stream;
	made->mode = mode;
	made->thread = pthread_self();
	made->is_given = graph;
	made->id = atomic_fetch_add(&last_id, 1) + 1;
	pthread_mutex_lock(&lock);
	member *at = find(stream) ? NULL : join(stream, made);
	code = at ? cudaSuccess : find(stream) ? cudaErrorIllegalState : cudaErrorMemoryAllocation;
	if (at && !wait_for(at, after, count))
		code = cudaErrorMemoryAllocation;
	if (at && code != cudaSuccess)
		leave_all(made);
	pthread_mutex_unlock(&lock);
	if (code != cudaSuccess) {
		if (!graph)
			cudaGraphDestroy(made->graph);
		free(made);
	}
	return s2s_note(code);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
	return begin(stream, NULL, NULL, 0, mode);
}

static bool are_nodes(cudaGraph_t graph, s2s_node *const *list, size_t count) {
	for (size_t i = 0; i < count; i++)
		if (!list || !s2s_is_node(list[i]) || list[i]->graph != graph)
			return false;
	return true;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
	const cudaGraphEdgeData *edges, size_t count, enum cudaStreamCaptureMode mode) {
	if (!s2s_is_graph(graph) || !are_nodes(graph, after, count))
		return s2s_note(cudaErrorInvalidValue);
	return edges ? s2s_note(cudaErrorNotSupported) : begin(stream, graph, after, count, mode);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
	cudaGraph_t *graph, const cudaGraphNode_t **after, const cudaGraphEdgeData **edges, size_t *count) {
	cudaError_t code = cudaStreamIsCapturing(stream, status);
	if (code != cudaSuccess || *status != cudaStreamCaptureStatusActive)
		return code;
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	if (at && id)
		*id = at->into->id;
	if (at && graph)
		*graph = at->into->graph;
	if (at && after)
		*after = at->last;
	if (at && edges)
		*edges = NULL; /* all are plain */
	if (at && count)
		*count = at->nlast;
	pthread_mutex_unlock(&lock);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(
	cudaStream_t stream, cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t count, unsigned int flags) {
	if (flags > cudaStreamSetCaptureDependencies)
		return s2s_note(cudaErrorInvalidValue);
	if (edges)
		return s2s_note(cudaErrorNotSupported);
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	cudaError_t code = cudaSuccess;
	if (!at)
		code = cudaErrorIllegalState;
	else if (at->into->spoilt)
		code = cudaErrorStreamCaptureInvalidated;
	else if (!are_nodes(at->into->graph, after, count))
		code = cudaErrorInvalidValue;
	size_t kept = at ? at->nlast : 0;
	if (code == cudaSuccess && flags == cudaStreamSetCaptureDependencies)
		at->nlast = 0;
	if (code == cudaSuccess && !wait_for(at, after, count)) {
		at->nlast = kept;
		code = cudaErrorMemoryAllocation;
	}
	pthread_mutex_unlock(&lock);
	return s2s_note(code);
}

/* Whether the stream that began a capture waits for all that other streams have captured. */
static bool all_joined(const member *origin) {
	for (const member *other = members; other; other = other->next)
		for (size_t i = 0; other->into == origin->into && i < other->nlast; i++) {
			bool waited_for = false;
			for (size_t k = 0; !waited_for && k < origin->nlast; k++)
				waited_for = s2s_comes_after(origin->last[k], other->last[i]);
			if (!waited_for)
				return false;
		}
	return true;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
	if (!graph)
		return s2s_note(cudaErrorInvalidValue);
	*graph = NULL;
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	capture *ended = at ? at->into : NULL;
	cudaError_t code = cudaSuccess;
	if (!ended)
		code = cudaErrorIllegalState;
	else if (ended->begun_by != stream)
		code = cudaErrorStreamCaptureUnmatched;
	else if (ended->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(ended->thread, pthread_self()))
		code = cudaErrorStreamCaptureWrongThread;
	else if (ended->spoilt)
		code = cudaErrorStreamCaptureInvalidated;
	else if (!all_joined(at))
		code = cudaErrorStreamCaptureUnjoined;
	bool ends = ended && code != cudaErrorStreamCaptureUnmatched;
	if (ends)
		leave_all(ended);
	pthread_mutex_unlock(&lock);
	if (ends) {
		if (code == cudaSuccess)
			*graph = ended->graph;
		else if (!ended->is_given)
			cudaGraphDestroy(ended->graph);
		free(ended);
	}
	return s2s_note(code);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
	if (!status)
		return s2s_note(cudaErrorInvalidValue);
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	*status = !at                ? cudaStreamCaptureStatusNone
			  : at->into->spoilt ? cudaStreamCaptureStatusInvalidated
								 : cudaStreamCaptureStatusActive;
	pthread_mutex_unlock(&lock);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
	if (!mode || (unsigned int)*mode > cudaStreamCaptureModeRelaxed)
		return s2s_note(cudaErrorInvalidValue);
	enum cudaStreamCaptureMode before = own_mode;
	own_mode = *mode;
	*mode = before;
	return s2s_note(cudaSuccess);
}

/* ---- calls that spoil captures ---- */

cudaError_t s2s_spoil_capture(cudaStream_t stream) {
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	if (at)
		at->into->spoilt = true;
	pthread_mutex_unlock(&lock);
	return s2s_note(cudaErrorStreamCaptureUnsupported);
}

/* Spoil the captures of all streams for which this holds; return whether there is one. */
__attribute__((noinline)) static bool spoil_where(bool (*holds)(const member *)) {
	bool found = false;
	pthread_mutex_lock(&lock);
	for (member *at = members; at; at = at->next)
		if (holds(at))
			found = at->into->spoilt = true;
	pthread_mutex_unlock(&lock);
	return found;
}

static bool spoils(bool (*holds)(const member *)) {
	return atomic_load_explicit(&capturing, memory_order_relaxed) > 0 && !s2s_does_task() && spoil_where(holds);
}

static bool is_waited_for(const member *at) {
	unsigned int flags = cudaStreamDefault;
	cudaStreamGetFlags(at->stream, &flags);
	return !(flags & cudaStreamNonBlocking);
}

cudaError_t s2s_fault_of_waiting(cudaStream_t stream) {
	return !s2s_stream_of(stream) && spoils(is_waited_for) ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

static bool forbids(const member *at) {
	enum cudaStreamCaptureMode mode = at->into->mode;
	if (mode == cudaStreamCaptureModeRelaxed || own_mode == cudaStreamCaptureModeRelaxed)
		return false;
	return pthread_equal(at->into->thread, pthread_self()) ||
		   (mode == cudaStreamCaptureModeGlobal && own_mode == cudaStreamCaptureModeGlobal);
}

cudaError_t s2s_fault_of_unsafe_call(void) {
	return spoils(forbids) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

static bool is_any(const member *at) {
	(void)at;
	return true;
}

cudaError_t s2s_fault_of_waiting_for_all(void) {
	return spoils(is_any) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

/* ---- calls that become nodes ---- */

cudaError_t s2s_capture_work(cudaStream_t stream, const s2s_node *work) {
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	cudaError_t code = at && !at->into->spoilt ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
	if (code == cudaSuccess) {
		s2s_node *made = s2s_add_node(at->into->graph, work->type, at->last, at->nlast);
		at->nlast = 0;
		if (!made || !s2s_copy_work(made, work) || !wait_for(at, &made, 1)) {
			at->into->spoilt = true;
			code = cudaErrorMemoryAllocation;
		}
	}
	pthread_mutex_unlock(&lock);
	return s2s_note(code);
}

/* The nodes that come before the next one of a stream, in a list of the caller's. */
static s2s_node **before_next(cudaStream_t stream, cudaGraph_t *graph, size_t *count) {
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	s2s_node **copy = at && !at->into->spoilt ? malloc((at->nlast + 1) * sizeof *copy) : NULL;
	if (copy) {
		memcpy(copy, at->last, at->nlast * sizeof *copy);
		*count = at->nlast;
		*graph = at->into->graph;
	}
	pthread_mutex_unlock(&lock);
	return copy;
}

static cudaError_t go_on_from(cudaStream_t stream, s2s_node *node) {
	pthread_mutex_lock(&lock);
	member *at = find(stream);
	if (at)
		at->nlast = 0;
	bool done = at && wait_for(at, &node, 1);
	pthread_mutex_unlock(&lock);
	return s2s_note(done ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t s2s_capture_allocation(cudaStream_t stream, void **pointer, size_t bytes) {
	cudaGraph_t graph;
	size_t count;
	s2s_node **after = before_next(stream, &graph, &count), *node;
	if (!after)
		return s2s_note(cudaErrorStreamCaptureInvalidated);
	struct cudaMemAllocNodeParams params = {.bytesize = bytes};
	cudaError_t code = cudaGraphAddMemAllocNode(&node, graph, after, count, &params);
	free(after);
	if (code != cudaSuccess)
		return code;
	*pointer = params.dptr;
	return go_on_from(stream, node);
}

cudaError_t s2s_capture_free(cudaStream_t stream, void *pointer) {
	cudaGraph_t graph;
	size_t count;
	s2s_node **after = before_next(stream, &graph, &count), *node;
	if (!after)
		return s2s_note(cudaErrorStreamCaptureInvalidated);
	cudaError_t code = cudaGraphAddMemFreeNode(&node, graph, after, count, pointer);
	free(after);
	return code == cudaSuccess ? go_on_from(stream, node) : code;
}

/* ---- events ---- */

static mark *find_mark(cudaEvent_t event) {
	mark *found = marks;
	while (found && found->event != event)
		found = found->next;
	return found;
}

static void forget(cudaEvent_t event) {
	for (mark **at = &marks; *at; at = &(*at)->next)
		if ((*at)->event == event) {
			mark *here = *at;
			*at = here->next;
			free(here->last);
			free(here);
			return;
		}
}

cudaError_t s2s_capture_record(cudaEvent_t event, cudaStream_t stream) {
	if (atomic_load_explicit(&capturing, memory_order_relaxed) == 0)
		return cudaSuccess;
	pthread_mutex_lock(&lock);
	forget(event);
	member *at = find(stream);
	cudaError_t code = cudaSuccess;
	if (at) {
		mark *made = calloc(1, sizeof *made);
		s2s_node **last = malloc((at->nlast + 1) * sizeof *last);
		if (made && last) {
			memcpy(last, at->last, at->nlast * sizeof *last);
			*made = (mark){event, at->into, last, at->nlast, marks};
			marks = made;
		} else {
			free(made);
			free(last);
			code = cudaErrorMemoryAllocation;
		}
	}
	pthread_mutex_unlock(&lock);
	return s2s_note(code);
}

bool s2s_is_captured(cudaEvent_t event) {
	if (atomic_load_explicit(&capturing, memory_order_relaxed) == 0)
		return false;
	pthread_mutex_lock(&lock);
	bool found = find_mark(event);
	pthread_mutex_unlock(&lock);
	return found;
}

cudaError_t s2s_spoil_captured(cudaEvent_t event) {
	pthread_mutex_lock(&lock);
	mark *found = find_mark(event);
	if (found)
		found->into->spoilt = true;
	pthread_mutex_unlock(&lock);
	return s2s_note(cudaErrorCapturedEvent);
}

cudaError_t s2s_capture_wait(cudaStream_t stream, cudaEvent_t event) {
	pthread_mutex_lock(&lock);
	mark *from = find_mark(event);
	member *at = find(stream);
	cudaError_t code = cudaSuccess;
	if (!from)
		code = cudaErrorInvalidResourceHandle;
	else if (!stream || stream == cudaStreamLegacy)
		code = cudaErrorStreamCaptureImplicit;
	else if (at && at->into != from->into)
		code = cudaErrorStreamCaptureMerge;
	else if (!at && !(at = join(stream, from->into)))
		code = cudaErrorMemoryAllocation;
	else if (!wait_for(at, from->last, from->nlast))
		code = cudaErrorMemoryAllocation;
	pthread_mutex_unlock(&lock);
	return s2s_note(code);
}
