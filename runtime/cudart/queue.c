/* Streams that run beside each other.
 *
 * Known as: task queues on a thread pool; waiting threads help.
 *
 * Each stream has a list of tasks. Executors are threads that are started when streams have tasks and no thread runs
 * them. An executor runs the first task of a stream, then the next. A task that waits for a point of another stream
 * holds up its own stream, but no executor. A thread that waits for a stream runs the tasks of that stream itself, as
 * long as no executor does.
 */
#define _GNU_SOURCE
#include "cudart/queue.h"
#include "sched/sched.h"

#include <signal.h>
#include <stdlib.h>

enum {
	MOST_EXECUTORS = 128,          /* CUDA's limit of kernels at a time */
	SPIN_NS = 20000,               /* how long an executor waits for tasks before it sleeps */
	POLLS_PER_LOOK = 32,           /* between two looks at the clock */
	EXECUTOR_STACK_BYTES = 1 << 20 /* host functions run there */
};

struct s2s_point {
	unsigned int users;
	bool is_past;
	struct timespec time;
};

typedef enum { TASK_WORK, TASK_CALLBACK, TASK_FREE, TASK_POINT, TASK_WAIT } task_kind;

struct s2s_task {
	task_kind kind;
	s2s_task *next;
	uint64_t number; /* tasks of all streams are counted */
	s2s_node work;
	cudaStreamCallback_t callback;
	cudaStream_t handle; /* as the program wrote it */
	void *data;          /* the callback's, or what is freed */
	s2s_point *point;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these: */
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;   /* there are tasks */
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;   /* a task is done */
static cudaStream_t busy;                                /* the streams with tasks */
static uint64_t tasks_given;
static uint32_t executors;
static _Atomic uint32_t idle; /* those of them that have nothing to do */
static uint64_t tasks_done;

static _Atomic uint32_t posts; /* changes when there is something to do */
static _Atomic cudaError_t late_error;
static _Thread_local bool does_task;

bool s2s_does_task(void) {
	return does_task;
}

cudaError_t s2s_late_error(void) {
	if (atomic_load_explicit(&late_error, memory_order_relaxed) == cudaSuccess)
		return cudaSuccess;
	return atomic_exchange(&late_error, cudaSuccess);
}

/* ---- tasks ---- */

static void release(s2s_point *point) {
	if (point && --point->users == 0)
		free(point);
}

static cudaError_t run_task(const s2s_task *task) {
	switch (task->kind) {
	case TASK_WORK:
		return s2s_run_node(&task->work);
	case TASK_CALLBACK:
		task->callback(task->handle, s2s_device_fault(), task->data);
		return cudaSuccess;
	case TASK_FREE:
		return s2s_free_memory(task->data);
	case TASK_POINT:
	case TASK_WAIT:
		break;
	}
	return cudaSuccess;
}

static bool is_ready(cudaStream_t stream) {
	return stream->first && !stream->runs && (stream->first->kind != TASK_WAIT || stream->first->point->is_past);
}

/* Take a stream that has no tasks from the list of those that have. */
static void leave_list(cudaStream_t stream) {
	for (cudaStream_t *at = &busy; *at; at = &(*at)->next)
		if (*at == stream) {
			*at = stream->next;
			break;
		}
	if (stream->is_left)
		free(stream);
}

/* Do the first task of a stream, under the lock, which is given away meanwhile. */
static void do_first(cudaStream_t stream) {
	s2s_task *task = stream->first;
	stream->runs = true;
	pthread_mutex_unlock(&lock);
	does_task = true;
	cudaError_t code = run_task(task);
	does_task = false;
	if (code != cudaSuccess && code != s2s_device_fault())
		atomic_store(&late_error, code);
	s2s_free_work(&task->work);
	pthread_mutex_lock(&lock);
	if (task->kind == TASK_POINT) {
		task->point->is_past = true;
		clock_gettime(CLOCK_MONOTONIC, &task->point->time);
		pthread_cond_broadcast(&come); /* other streams may wait for it */
		atomic_fetch_add(&posts, 1);
	}
	release(task->point);
	stream->runs = false;
	stream->first = task->next;
	if (!stream->first) {
		stream->last = NULL;
		leave_list(stream);
	}
	free(task);
	atomic_fetch_sub(&s2s_stream_activity, 1);
	tasks_done++;
	pthread_cond_broadcast(&done);
}

/* ---- executors ---- */

static cudaStream_t next_ready(void) {
	cudaStream_t found = busy;
	while (found && !is_ready(found))
		found = found->next;
	return found;
}

/* Wait for something to do, a while without sleeping. */
static void wait_for_tasks(void) {
	uint32_t seen = atomic_load(&posts);
	atomic_fetch_add(&idle, 1);
	pthread_mutex_unlock(&lock);
	uint64_t sleep_at = s2s_now_ns() + SPIN_NS;
	for (uint32_t polls = 1; atomic_load_explicit(&posts, memory_order_relaxed) == seen; polls++) {
		s2s_pause();
		if (polls % POLLS_PER_LOOK == 0 && s2s_now_ns() >= sleep_at)
			break;
	}
	pthread_mutex_lock(&lock);
	while (atomic_load(&posts) == seen)
		pthread_cond_wait(&come, &lock);
	atomic_fetch_sub(&idle, 1);
}

static void *execute(void *unused) {
	(void)unused;
	s2s_prepare_thread();
	pthread_mutex_lock(&lock);
	atomic_fetch_sub(&idle, 1);
	for (;;) {
		cudaStream_t stream = next_ready();
		if (stream) {
			do_first(stream);
			continue;
		}
		pthread_mutex_unlock(&lock);
		bool helped = s2s_help_beside();
		pthread_mutex_lock(&lock);
		if (!helped && !next_ready())
			wait_for_tasks();
	}
	return NULL;
}

/* A forked child has none of the threads, and nothing to do. */
void s2s_lock_queues(void) {
	pthread_mutex_lock(&lock);
	s2s_lock_beside();
}

void s2s_unlock_queues(void) {
	s2s_unlock_beside();
	pthread_mutex_unlock(&lock);
}

void s2s_forget_queues(void) {
	for (cudaStream_t stream = busy; stream; stream = stream->next) {
		stream->first = stream->last = NULL;
		stream->runs = false;
	}
	busy = NULL;
	s2s_forget_beside();
	executors = 0;
	atomic_store(&idle, 0);
	atomic_store(&s2s_stream_activity, 0);
	pthread_cond_init(&come, NULL);
	pthread_cond_init(&done, NULL);
	s2s_unlock_queues();
}

/* Executors leave all signals but those of their own faults to the program's threads. */
static bool start_executor(void) {
	s2s_watch_forks();
	sigset_t held, before, faults;
	sigfillset(&held);
	sigemptyset(&faults);
	s2s_block_faults(&faults);
	for (int signal = 1; signal < NSIG; signal++)
		if (sigismember(&faults, signal) == 1)
			sigdelset(&held, signal);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, EXECUTOR_STACK_BYTES);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &held, &before);
	pthread_t thread;
	bool started = pthread_create(&thread, &attributes, execute, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	executors += started;
	atomic_fetch_add(&idle, started); /* until it has looked for tasks */
	return started;
}

/* Have executors come for so many tasks, under the lock. */
static void call_executors(uint32_t tasks) {
	while (atomic_load(&idle) < tasks && executors < MOST_EXECUTORS && start_executor())
		;
	atomic_fetch_add(&posts, 1);
	if (tasks == 1)
		pthread_cond_signal(&come);
	else
		pthread_cond_broadcast(&come);
}

void s2s_call_helpers(uint32_t count) {
	pthread_mutex_lock(&lock);
	call_executors(count);
	pthread_mutex_unlock(&lock);
}

/* ---- giving streams tasks ---- */

static uint32_t count_ready(void) {
	uint32_t count = 0;
	for (cudaStream_t stream = busy; stream; stream = stream->next)
		count += is_ready(stream);
	return count;
}

bool s2s_tasks_are_ready(void) {
	pthread_mutex_lock(&lock);
	bool are_ready = next_ready();
	pthread_mutex_unlock(&lock);
	return are_ready;
}

static cudaError_t give(cudaStream_t stream, s2s_task *task) {
	pthread_mutex_lock(&lock);
	task->number = ++tasks_given;
	if (stream->last) {
		stream->last->next = task;
	} else {
		stream->first = task;
		stream->next = busy;
		busy = stream;
	}
	stream->last = task;
	atomic_fetch_add(&s2s_stream_activity, 1);
	if (stream->first == task && is_ready(stream))
		call_executors(count_ready());
	while (executors == 0 && stream->first) /* the system gives no threads */
		do_first(stream);
	pthread_mutex_unlock(&lock);
	return s2s_note(cudaSuccess);
}

cudaError_t s2s_queue_work(cudaStream_t stream, const s2s_node *work) {
	s2s_task *task = calloc(1, sizeof *task);
	if (task)
		task->work.type = work->type;
	if (!task || !s2s_copy_work(&task->work, work)) {
		free(task);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	task->kind = TASK_WORK;
	return give(stream, task);
}

static cudaError_t give_new(cudaStream_t stream, s2s_task task) {
	s2s_task *made = malloc(sizeof *made);
	if (!made)
		return s2s_note(cudaErrorMemoryAllocation);
	*made = task;
	return give(stream, made);
}

cudaError_t s2s_queue_callback(cudaStream_t stream, cudaStream_t handle, cudaStreamCallback_t callback, void *data) {
	return give_new(stream, (s2s_task){.kind = TASK_CALLBACK, .callback = callback, .handle = handle, .data = data});
}

cudaError_t s2s_queue_free(cudaStream_t stream, void *pointer) {
	return give_new(stream, (s2s_task){.kind = TASK_FREE, .data = pointer});
}

/* ---- points ---- */

s2s_point *s2s_queue_point(cudaStream_t stream) {
	s2s_point *point = calloc(1, sizeof *point);
	if (!point)
		return NULL;
	point->users = 2;
	if (give_new(stream, (s2s_task){.kind = TASK_POINT, .point = point}) != cudaErrorMemoryAllocation)
		return point;
	free(point);
	return NULL;
}

cudaError_t s2s_queue_wait(cudaStream_t stream, s2s_point *point) {
	pthread_mutex_lock(&lock);
	bool is_past = point->is_past;
	point->users += !is_past;
	pthread_mutex_unlock(&lock);
	if (is_past)
		return s2s_note(cudaSuccess);
	cudaError_t code = give_new(stream, (s2s_task){.kind = TASK_WAIT, .point = point});
	if (code == cudaErrorMemoryAllocation)
		s2s_release_point(point);
	return code;
}

bool s2s_is_past(s2s_point *point, struct timespec *time) {
	pthread_mutex_lock(&lock);
	bool is_past = point->is_past;
	*time = point->time;
	pthread_mutex_unlock(&lock);
	return is_past;
}

void s2s_hold_point(s2s_point *point) {
	pthread_mutex_lock(&lock);
	point->users++;
	pthread_mutex_unlock(&lock);
}

void s2s_release_point(s2s_point *point) {
	pthread_mutex_lock(&lock);
	release(point);
	pthread_mutex_unlock(&lock);
}

/* ---- waiting ---- */

static void wait_for_a_task(void) {
	uint64_t seen = tasks_done;
	while (tasks_done == seen)
		pthread_cond_wait(&done, &lock);
}

void s2s_await_point(s2s_point *point) {
	pthread_mutex_lock(&lock);
	while (!point->is_past && !does_task)
		wait_for_a_task();
	pthread_mutex_unlock(&lock);
}

bool s2s_has_work(cudaStream_t stream) {
	pthread_mutex_lock(&lock);
	bool has = stream ? stream->first != NULL : busy != NULL;
	pthread_mutex_unlock(&lock);
	return has;
}

bool s2s_has_blocking_work(void) {
	pthread_mutex_lock(&lock);
	cudaStream_t stream = busy;
	while (stream && stream->flags & cudaStreamNonBlocking)
		stream = stream->next;
	pthread_mutex_unlock(&lock);
	return stream;
}

/* A thread that does tasks while it waits stops doing so: executors do what is ready. None was called for a task that
 * was given while this thread did the one before it. */
static void leave_to_executors(void) {
	uint32_t ready = count_ready();
	if (ready > 0)
		call_executors(ready);
}

void s2s_finish(cudaStream_t stream) {
	if (does_task)
		return;
	pthread_mutex_lock(&lock);
	uint64_t last = tasks_given;
	while (stream->first && stream->first->number <= last) {
		if (is_ready(stream)) {
			do_first(stream);
		} else {
			leave_to_executors();
			wait_for_a_task();
		}
	}
	leave_to_executors();
	pthread_mutex_unlock(&lock);
}

/* A stream that has a task up to `last`, best one that can be done now. */
static cudaStream_t unfinished(uint64_t last, bool with_nonblocking) {
	cudaStream_t found = NULL;
	for (cudaStream_t stream = busy; stream; stream = stream->next) {
		bool asked = with_nonblocking || !(stream->flags & cudaStreamNonBlocking);
		if (asked && stream->first->number <= last && (!found || is_ready(stream)))
			found = stream;
	}
	return found;
}

void s2s_finish_all(bool with_nonblocking) {
	if (does_task || atomic_load(&s2s_stream_activity) == 0)
		return;
	pthread_mutex_lock(&lock);
	uint64_t last = tasks_given;
	for (cudaStream_t stream; (stream = unfinished(last, with_nonblocking));) {
		if (is_ready(stream)) {
			do_first(stream);
		} else {
			leave_to_executors();
			wait_for_a_task();
		}
	}
	leave_to_executors();
	pthread_mutex_unlock(&lock);
}

void s2s_leave_stream(cudaStream_t stream) {
	pthread_mutex_lock(&lock);
	stream->is_left = true;
	if (!stream->first)
		free(stream);
	pthread_mutex_unlock(&lock);
}
