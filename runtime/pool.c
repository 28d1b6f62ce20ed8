/* The pool: hthreads that take the items of a launch from one counter.
 *
 * The counter holds the epoch of the launch and how many items are left. It changes by compare-and-swap only, so
 * a worker that comes late cannot take an item of the next launch for one of the last. What it finds in the other
 * fields is sure once it has an item: the launch cannot end before that item is done.
 *
 * Workers spin a while for the next launch, then sleep on a futex. Waking one costs the launching thread more than a
 * small launch takes, and nobody waits for a worker that has not come: so the launching thread starts alone and wakes
 * others only if the work is known, or turns out, to be long.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	SPIN_NS = 50000,         /* how long a worker waits for the next launch before it sleeps */
	CROWDED_SPIN_NS = 2000,  /* the same if there are more hthreads than CPUs */
	WAKE_AFTER_NS = 20000,   /* the launching thread has worked so long and items are left: wake others */
	WORTH_A_WAKE_NS = 60000, /* work that long gains from waking others at once */
	POLLS_PER_LOOK = 32,     /* polls of a spinning thread between two looks at the clock */
	WAKES_AT_A_TIME = 2,     /* a woken worker wakes as many again */
	WORKER_STACK_BYTES = 256 << 10
};

static struct {
	alignas(CACHE_LINE) _Atomic uint64_t handout; /* epoch << 32 | items left. Claimed by all, refilled by a launch */

	alignas(
		CACHE_LINE) _Atomic uint32_t done; /* items that workers finished; each adds its share once it finds no more */
	_Atomic bool launcher_sleeps;          /* ... and must be woken when `done` grows */

	alignas(CACHE_LINE) _Atomic uint32_t wake_count; /* what workers sleep on */
	_Atomic uint32_t sleepers;
	_Atomic uint32_t hthreads; /* of the present launch: workers with higher numbers stay out */
	_Atomic bool stopping;

	alignas(CACHE_LINE) pool_work work; /* written by a launch before it refills `handout` */

	alignas(CACHE_LINE) hthread *hthread[S2S_MAX_HTHREADS];
	uint32_t allocated; /* hthreads that exist in memory; they outlive s2s_pool_stop */
	uint32_t size;      /* those that run, the launching thread included. Changes under the lock, between launches */
	uint32_t per_cpu;
	_Atomic uint64_t spin_ns; /* written when the pool grows */
	pthread_mutex_t lock;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- small tools ---- */

void s2s_futex_wait(_Atomic uint32_t *word, uint32_t old) {
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
}

void s2s_futex_wake(_Atomic uint32_t *word, uint32_t count) {
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count > INT_MAX ? INT_MAX : count, NULL, NULL, 0);
}

uint64_t s2s_now_ns(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static cpu_set_t allowed_cpus; /* the process's mask before any hthread was pinned */
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

static void find_allowed_cpus(void) {
	if (sched_getaffinity(0, sizeof allowed_cpus, &allowed_cpus) != 0 || CPU_COUNT(&allowed_cpus) == 0)
		CPU_SET(0, &allowed_cpus);
}

uint32_t s2s_cpu_count(void) {
	pthread_once(&allowed_once, find_allowed_cpus);
	return (uint32_t)CPU_COUNT(&allowed_cpus);
}

void s2s_pin(uint32_t index, uint32_t per_cpu) {
	uint32_t wanted = index / per_cpu % s2s_cpu_count();
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed_cpus) && wanted-- == 0) {
			cpu_set_t one;
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			pthread_setaffinity_np(pthread_self(), sizeof one, &one);
			return;
		}
	}
}

/* ---- taking items ---- */

static uint32_t items_left(void) {
	return (uint32_t)atomic_load_explicit(&pool.handout, memory_order_acquire);
}

/* Take an item: true, and *left items were left before. */
static bool take(uint32_t *left) {
	uint64_t seen = atomic_load_explicit(&pool.handout, memory_order_acquire);
	while ((uint32_t)seen > 0) {
		if (atomic_compare_exchange_weak_explicit(
				&pool.handout, &seen, seen - 1, memory_order_acq_rel, memory_order_acquire)) {
			*left = (uint32_t)seen;
			return true;
		}
	}
	return false;
}

static void wake_workers(uint32_t count) {
	atomic_fetch_add(&pool.wake_count, 1);
	if (atomic_load(&pool.sleepers) > 0)
		s2s_futex_wake(&pool.wake_count, count);
}

/* ---- workers ---- */

/* Work on the present launch until no item is left. */
static void take_part(hthread *self) {
	uint32_t left, finished = 0;
	while (take(&left)) {
		pool.work.function(self, pool.work.job, pool.work.nitems - left);
		finished++;
	}
	if (finished == 0)
		return;
	atomic_fetch_add(&pool.done, finished);
	if (atomic_load(&pool.launcher_sleeps))
		s2s_futex_wake(&pool.done, 1);
}

static bool may_take_part(const hthread *self) {
	return items_left() > 0 && self->index < atomic_load_explicit(&pool.hthreads, memory_order_relaxed);
}

/* Wait for something to do; false if the pool stops. */
static bool wait_for_work(const hthread *self) {
	uint64_t sleep_at = s2s_now_ns() + atomic_load_explicit(&pool.spin_ns, memory_order_relaxed);
	for (uint32_t polls = 1;; polls++) {
		if (atomic_load_explicit(&pool.stopping, memory_order_relaxed))
			return false;
		if (may_take_part(self))
			return true;
		s2s_pause();
		if (polls % POLLS_PER_LOOK != 0 || s2s_now_ns() < sleep_at)
			continue;
		uint32_t seen = atomic_load(&pool.wake_count);
		atomic_fetch_add(&pool.sleepers, 1);
		/* Sequentially consistent with refill() and wake_workers(): either we see the items, or they see us asleep. */
		if (!may_take_part(self) && !atomic_load(&pool.stopping))
			s2s_futex_wait(&pool.wake_count, seen);
		atomic_fetch_sub(&pool.sleepers, 1);
		if (may_take_part(self) && atomic_load(&pool.sleepers) > 0)
			wake_workers(WAKES_AT_A_TIME);
		sleep_at = s2s_now_ns() + atomic_load_explicit(&pool.spin_ns, memory_order_relaxed);
	}
}

static void *worker(void *arg) {
	hthread *self = arg;
	if (pool.per_cpu > 0)
		s2s_pin(self->index, pool.per_cpu);
	/* Without a signal stack a fault ends the process; the launches themselves need none. */
	s2s_prepare_thread();
	while (wait_for_work(self))
		take_part(self);
	return NULL;
}

/* ---- launches ---- */

/* Publish the items. Sequentially consistent with a worker that is about to sleep. */
static void refill(const pool_work *work) {
	pool.work = *work;
	atomic_store_explicit(&pool.done, 0, memory_order_relaxed);
	atomic_store_explicit(&pool.hthreads, work->hthreads, memory_order_relaxed);
	uint64_t epoch = (atomic_load_explicit(&pool.handout, memory_order_relaxed) >> 32) + 1;
	atomic_store(&pool.handout, epoch << 32 | work->nitems);
}

static void wait_until_done(uint32_t by_workers) {
	uint64_t sleep_at = s2s_now_ns() + atomic_load_explicit(&pool.spin_ns, memory_order_relaxed);
	for (uint32_t polls = 1;; polls++) {
		uint32_t done = atomic_load_explicit(&pool.done, memory_order_acquire);
		if (done == by_workers)
			return;
		s2s_pause();
		if (polls % POLLS_PER_LOOK != 0 || s2s_now_ns() < sleep_at)
			continue;
		atomic_store(&pool.launcher_sleeps, true);
		if (atomic_load(&pool.done) == done)
			s2s_futex_wait(&pool.done, done);
		atomic_store(&pool.launcher_sleeps, false);
	}
}

uint64_t s2s_pool_run(const pool_work *work) {
	hthread *self = pool.hthread[0];
	self->thread = pthread_self();
	if (work->nitems == 1 || work->hthreads == 1 || pool.size == 1) {
		for (uint32_t item = 0; item < work->nitems; item++)
			work->function(self, work->job, item);
		return 0;
	}
	refill(work);
	if (work->together)
		wake_workers(pool.size);
	else if (work->expected_ns > WORTH_A_WAKE_NS && atomic_load(&pool.sleepers) > 0)
		wake_workers(WAKES_AT_A_TIME);
	uint64_t start = s2s_now_ns(), wake_at = start + WAKE_AFTER_NS;
	uint32_t left, finished = 0;
	while (take(&left)) {
		work->function(self, work->job, work->nitems - left);
		finished++;
		if (left > 1 && atomic_load_explicit(&pool.sleepers, memory_order_relaxed) > 0 && s2s_now_ns() >= wake_at) {
			wake_workers(WAKES_AT_A_TIME);
			wake_at = UINT64_MAX;
		}
	}
	uint64_t ns_per_item = finished > 0 ? (s2s_now_ns() - start) / finished : 0;
	if (finished < work->nitems)
		wait_until_done(work->nitems - finished);
	return ns_per_item;
}

/* ---- the pool itself ---- */

hthread *s2s_pool_hthread(uint32_t index) {
	return pool.hthread[index];
}

uint32_t s2s_pool_size(void) {
	return pool.size;
}

void s2s_pool_lock(void) {
	pthread_mutex_lock(&pool.lock);
}

void s2s_pool_unlock(void) {
	pthread_mutex_unlock(&pool.lock);
}

/* A forked child has the launching thread only. The lock is held across the fork, so no launch is half done. */
static void after_fork_in_child(void) {
	pool.size = pool.size > 0;
	atomic_store(&pool.sleepers, 0);
	s2s_pool_unlock();
}

static void watch_forks(void) {
	pthread_atfork(s2s_pool_lock, s2s_pool_unlock, after_fork_in_child);
}

static hthread *allocate_hthread(uint32_t index) {
	size_t bytes = (sizeof(hthread) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	hthread *self = aligned_alloc(CACHE_LINE, bytes);
	if (self) {
		memset(self, 0, bytes);
		self->index = index;
	}
	return self;
}

/* Workers leave all signals but those of their own faults to the program's threads. */
static bool start_worker(hthread *self) {
	sigset_t blocked, before;
	sigfillset(&blocked);
	for (const int *fault_signal = (const int[]){SIGSEGV, SIGBUS, SIGILL, SIGFPE, 0}; *fault_signal; fault_signal++)
		sigdelset(&blocked, *fault_signal);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	bool started = pthread_create(&self->thread, &attributes, worker, self) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return started;
}

uint32_t s2s_pool_grow(uint32_t count, uint32_t per_cpu) {
	static pthread_once_t forks_once = PTHREAD_ONCE_INIT;
	if (pool.size >= count)
		return count;
	pthread_once(&forks_once, watch_forks);
	pool.per_cpu = per_cpu;
	atomic_store(&pool.spin_ns, count <= s2s_cpu_count() ? SPIN_NS : CROWDED_SPIN_NS);
	while (pool.size < count) {
		if (pool.size == pool.allocated) {
			pool.hthread[pool.size] = allocate_hthread(pool.size);
			if (!pool.hthread[pool.size])
				break;
			pool.allocated++;
		}
		if (pool.size > 0 && !start_worker(pool.hthread[pool.size]))
			break;
		pool.size++;
	}
	return pool.size;
}

void s2s_pool_stop(void) {
	atomic_store(&pool.stopping, true);
	wake_workers(INT_MAX);
	for (uint32_t i = 1; i < pool.size; i++)
		pthread_join(pool.hthread[i]->thread, NULL);
	atomic_store(&pool.stopping, false);
	pool.size = pool.size > 0;
}
