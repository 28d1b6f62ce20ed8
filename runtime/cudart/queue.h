/* What streams have still to do, and the threads that do it; see queue.c. */
#ifndef S2S_QUEUE_H
#define S2S_QUEUE_H

#include "cudart/graph.h"
#include "sched/hooks.h"

#include <stdatomic.h>
#include <time.h>

typedef struct s2s_task s2s_task;

struct CUstream_st {
	unsigned int flags;
	unsigned long long id;
	cudaStreamAttrValue attributes[cudaLaunchAttributeMemSyncDomain + 1];
	s2s_task *first, *last; /* this and what follows: under the queue's lock */
	bool runs;              /* a thread is at its first task */
	bool is_left;           /* the program has destroyed it */
	struct CUstream_st *next;
};

/* A moment in the work of a stream: done when all that came before is. */
typedef struct s2s_point s2s_point;

/* Whether a call for a stream can be done at once, as nothing could come before it, and nothing captures. */
static inline bool s2s_is_plain(cudaStream_t stream) {
	return !stream && atomic_load_explicit(&s2s_stream_activity, memory_order_acquire) == 0;
}

/* ---- streams.c ---- */

/* The stream with a queue that a handle denotes; null: it is the default stream, whose work is done at once. */
cudaStream_t s2s_stream_of(cudaStream_t handle);
bool s2s_is_stream(cudaStream_t handle);
bool s2s_is_event(cudaEvent_t event);

/* Wait for what has to be done before work that a call for this stream does at once. */
void s2s_wait_before(cudaStream_t handle);

/* Whether work on so many bytes goes to a stream's queue. */
bool s2s_goes_later(cudaStream_t handle, size_t bytes);
enum { S2S_SHORT_COPY = 64 << 10 }; /* is done sooner than another thread would come */

/* cudaSuccess if there is such a stream, without waiting. */
cudaError_t s2s_check_stream(cudaStream_t handle);

/* Wait for all work; return why something failed. */
cudaError_t s2s_finish_device(void);

/* ---- queue.c ---- */

/* Whether the calling thread does a task of a stream: what it asks for is done at once. */
bool s2s_does_task(void);

/* Hooks; see sched/hooks.h. */
void s2s_lock_queues(void);
void s2s_unlock_queues(void);
void s2s_forget_queues(void);
void s2s_call_helpers(uint32_t count);
bool s2s_tasks_are_ready(void);

/* Whether a stream has work left; any stream, if null. */
bool s2s_has_work(cudaStream_t stream);
bool s2s_has_blocking_work(void); /* any stream that the default stream waits for */

/* Have a stream do this, after all that it has to do. `work` is copied. */
cudaError_t s2s_queue_work(cudaStream_t stream, const s2s_node *work);
cudaError_t s2s_queue_callback(cudaStream_t stream, cudaStream_t handle, cudaStreamCallback_t callback, void *data);
cudaError_t s2s_queue_free(cudaStream_t stream, void *pointer);

/* The point after all that a stream has to do, for s2s_release_point; null if there is no memory. */
s2s_point *s2s_queue_point(cudaStream_t stream);

/* Have a stream wait for a point. */
cudaError_t s2s_queue_wait(cudaStream_t stream, s2s_point *point);

/* Whether a point is past, and then, when that was. */
bool s2s_is_past(s2s_point *point, struct timespec *time);
void s2s_await_point(s2s_point *point);
void s2s_release_point(s2s_point *point);
void s2s_hold_point(s2s_point *point); /* released once more */

/* Wait until a stream has nothing left to do; or all streams, without those that are non-blocking if these are not
 * asked for. */
void s2s_finish(cudaStream_t stream);
void s2s_finish_all(bool with_nonblocking);

/* Free a stream, which may have work left. */
void s2s_leave_stream(cudaStream_t stream);

/* An error that has not been reported yet; cudaSuccess if there is none. */
cudaError_t s2s_late_error(void);

#endif
