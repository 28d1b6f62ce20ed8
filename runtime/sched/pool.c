/* The pool: hthreads that take the items of a launch.
 *
 * Known as: affinity scheduling (Markatos and LeBlanc): guided self-scheduling of own shares; an event count;
 * spin-then-park.
 *
 * A launch deals its items evenly into slices, one for each hthread. An hthread takes from its own slice, a part of
 * what is left at a time: large parts first, small ones at the end. When its slice is empty it takes from the fullest
 * one. So no thread waits for a worker that is late, and hthreads share a cache line only when there is something to
 * balance. In launch after launch an hthread works on the same part of the data.
 *
 * A slice is one number: the epoch of a launch, and how many units of that launch are taken. An older epoch means that
 * no unit was taken yet. So a launch begins by publishing one number and touches no slice. It ends when all slices are
 * empty: a late worker finds them empty, or of a newer epoch, and takes nothing. It may rely on the other fields once
 * it has taken something: the launch cannot end before that is done.
 *
 * Workers spin a while for the next launch, then sleep on a futex. Waking one costs the launching thread more than a
 * small launch takes. So others are woken only if the work is known, or turns out, to be long. If it is known to be
 * short, it is not even published.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	SPIN_NS = 50000,         /* how long a worker waits for the next launch before it sleeps */
	CROWDED_SPIN_NS = 2000,  /* the same if there are more hthreads than CPUs */
	ALONE_NS = 4000,         /* work that short is done before others have noticed it */
	WORTH_A_TRY_NS = 100000, /* work that seemed so long, on a busy machine, may yet be short: ... */
	LAUNCHES_PER_TRY = 16,   /* ... one launch of so many finds out */
	WORTH_A_WAKE_NS = 50000, /* work that long, of one launch or of several in a row, gains from waking others */
	LOOK_AFTER_NS = 20000,   /* otherwise the launching thread looks after so long how much is left, and then ... */
	WORTH_A_LATE_WAKE_NS = 30000, /* ... wakes others for that much */
	NS_PER_WAKE = 12000,          /* one worker is woken for so much work */
	WAKES_AT_A_TIME = 2,          /* a woken worker wakes as many again */
	PART_NS = 3000,               /* a part that short is not divided ... */
	PART_COST_NS = 100,           /* ... because so much goes into taking it and calling its function */
	PARTS_OF_REST = 16,           /* an hthread takes such a part of what is left in a slice */
	LOCK_WAIT_NS = 20000000,      /* between two looks whether SIGINT has come while another thread launches */
	POLLS_PER_LOOK = 32,          /* polls of a spinning thread between two looks at the clock */
	WORKER_STACK_BYTES = 256 << 10
};

#define NEVER UINT64_MAX /* as a time in ns */

/* What a launch publishes: epoch << 32 | (slices - 1) << UNIT_BITS | units of a slice. */
enum { UNIT_BITS = 21, MAX_UNITS = (1 << UNIT_BITS) - 1 };

typedef struct {
	alignas(2 * CACHE_LINE) _Atomic uint64_t taken; /* epoch << 32 | units that were taken; claimed by all */
} slice;

static struct {
	alignas(2 * CACHE_LINE) _Atomic uint64_t launch; /* the present launch, or the last one */
	_Atomic uint32_t hthreads;                       /* workers with higher numbers stay out of it */
	_Atomic uint32_t least_units;                    /* that an hthread takes */
	item_function *function;                         /* this and what follows is written before `launch` */
	void *job;
	uint64_t first_item, nitems, unit_items, grain;

	alignas(2 * CACHE_LINE) _Atomic uint32_t done; /* units that workers finished; each adds its share at the end */
	_Atomic bool launcher_sleeps;                  /* ... and must be woken when `done` grows */
	_Atomic uint64_t busy_ns;                      /* how long they worked; added before `done` */

	alignas(2 * CACHE_LINE) _Atomic uint32_t wake_count; /* what workers sleep on */
	_Atomic uint32_t sleepers;
	_Atomic bool stopping;

	alignas(2 * CACHE_LINE) hthread *hthread[S2S_MAX_HTHREADS];
	uint32_t allocated; /* hthreads that exist in memory; they outlive s2s_pool_stop */
	uint32_t size;      /* those that run, the launching thread included. Changes under the lock, between launches */
	uint32_t per_cpu;
	uint32_t tries;           /* launches that might have been short */
	uint64_t unshared_ns;     /* work of launches in a row that others could have shared, had they been awake */
	uint64_t last_end_ns;     /* when the last launch ended that others could have shared */
	_Atomic uint64_t spin_ns; /* written when the pool grows */
	pthread_mutex_t lock;

	slice slice[S2S_MAX_HTHREADS];
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
static uint32_t allowed_count;
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

static void find_allowed_cpus(void) {
	if (sched_getaffinity(0, sizeof allowed_cpus, &allowed_cpus) != 0 || CPU_COUNT(&allowed_cpus) == 0)
		CPU_SET(0, &allowed_cpus);
	allowed_count = (uint32_t)CPU_COUNT(&allowed_cpus);
}

uint32_t s2s_cpu_count(void) {
	pthread_once(&allowed_once, find_allowed_cpus);
	return allowed_count;
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

static uint32_t epoch_of(uint64_t launch_or_taken) {
	return (uint32_t)(launch_or_taken >> 32);
}

static uint32_t slices_of(uint64_t launch) {
	return ((uint32_t)launch >> UNIT_BITS) + 1;
}

static uint32_t units_of(uint64_t launch) {
	return (uint32_t)launch & MAX_UNITS;
}

/* Units of `launch` that are left in a slice that says `taken`. */
static uint32_t units_left(uint64_t launch, uint64_t taken) {
	int32_t newer = (int32_t)(epoch_of(taken) - epoch_of(launch));
	if (newer != 0)
		return newer < 0 ? units_of(launch) : 0;
	return units_of(launch) - (uint32_t)taken;
}

/* Take units of a slice: return how many, from *first; 0 if none is left. */
static uint32_t take(uint64_t launch, uint32_t number, uint32_t *first) {
	_Atomic uint64_t *taken = &pool.slice[number].taken;
	uint64_t seen = atomic_load_explicit(taken, memory_order_acquire);
	uint32_t left;
	while ((left = units_left(launch, seen)) > 0) {
		uint32_t least = atomic_load_explicit(&pool.least_units, memory_order_relaxed);
		uint32_t count = left / PARTS_OF_REST > least ? left / PARTS_OF_REST : least < left ? least : left;
		*first = units_of(launch) - left;
		uint64_t now_taken = (uint64_t)epoch_of(launch) << 32 | (*first + count);
		if (atomic_compare_exchange_weak_explicit(taken, &seen, now_taken, memory_order_acq_rel, memory_order_acquire))
			return count;
	}
	return 0;
}

/* The slice of which most is left; slices_of(launch) if all are empty. */
static uint32_t fullest_slice(uint64_t launch) {
	uint32_t slices = slices_of(launch), fullest = slices, most = 0;
	for (uint32_t i = 0; i < slices; i++) {
		uint32_t left = units_left(launch, atomic_load_explicit(&pool.slice[i].taken, memory_order_relaxed));
		if (left > most) {
			most = left;
			fullest = i;
		}
	}
	return fullest;
}

/* Run units of a slice. The last units of the last slices may have no items. */
static void run_units(hthread *self, uint32_t slices, uint32_t number, uint32_t first, uint32_t count) {
	uint64_t grains = (pool.nitems + pool.grain - 1) / pool.grain;
	uint64_t share = grains / slices, longer = grains % slices; /* so many slices have a grain more */
	uint64_t begin = (share * number + (number < longer ? number : longer)) * pool.grain;
	uint64_t end = begin + (share + (number < longer)) * pool.grain;
	uint64_t from = begin + first * pool.unit_items, to = from + count * pool.unit_items;
	to = to < end ? to : end;
	to = to < pool.nitems ? to : pool.nitems;
	if (from < to)
		pool.function(self, pool.job, pool.first_item + from, pool.first_item + to);
}

static void wake_workers(uint64_t count) {
	atomic_fetch_add(&pool.wake_count, 1);
	if (atomic_load(&pool.sleepers) > 0)
		s2s_futex_wake(&pool.wake_count, count < INT_MAX ? (uint32_t)count : INT_MAX);
}

/* Wake workers if what is left is worth it: the launching thread, at work for `busy_ns`, has finished `units`. */
static void wake_for_the_rest(uint64_t launch, uint64_t busy_ns, uint32_t units) {
	uint64_t left = 0;
	for (uint32_t i = 0; i < slices_of(launch); i++)
		left += units_left(launch, atomic_load_explicit(&pool.slice[i].taken, memory_order_relaxed));
	uint64_t left_ns = busy_ns / units * left;
	if (left_ns > WORTH_A_LATE_WAKE_NS)
		wake_workers(left_ns / NS_PER_WAKE);
}

/* How long so many parts took that were done after `busy_ns`, without what goes into taking them. */
static uint64_t net_ns(uint64_t busy_ns, uint32_t parts) {
	uint64_t cost = (uint64_t)parts * PART_COST_NS;
	return busy_ns > cost ? busy_ns - cost : 0;
}

/* What an hthread did of a launch. */
typedef struct {
	uint32_t units;
	uint64_t busy_ns;
} contribution;

/* Work on a launch until nothing is left. */
static contribution take_part(hthread *self, uint64_t launch) {
	atomic_store_explicit(&self->taking, true, memory_order_relaxed); /* before the next locked instruction */
	uint64_t start = s2s_now_ns(), look_at = self->index == 0 ? start + LOOK_AFTER_NS : NEVER;
	uint32_t slices = slices_of(launch), finished = 0, parts = 0;
	uint32_t number = self->index < slices ? self->index : fullest_slice(launch);
	for (; number < slices; number = fullest_slice(launch)) {
		uint32_t first, count;
		while ((count = take(launch, number, &first)) > 0) {
			run_units(self, slices, number, first, count);
			finished += count;
			parts++;
			if (look_at != NEVER && atomic_load_explicit(&pool.sleepers, memory_order_relaxed) > 0 &&
				s2s_now_ns() >= look_at) {
				uint64_t busy_ns = s2s_now_ns() - start;
				wake_for_the_rest(launch, busy_ns, finished);
				look_at = start + 2 * busy_ns;
			}
		}
	}
	atomic_store_explicit(&self->taking, false, memory_order_relaxed);
	return (contribution){finished, net_ns(s2s_now_ns() - start, parts)};
}

bool s2s_pool_calls_idle(void) {
	uint64_t launch = atomic_load(&pool.launch);
	uint32_t hthreads = atomic_load_explicit(&pool.hthreads, memory_order_relaxed);
	if (fullest_slice(launch) == slices_of(launch))
		return false;
	for (uint32_t i = 0; i < hthreads && i < pool.size; i++) {
		if (!atomic_load(&pool.hthread[i]->taking)) {
			wake_workers(INT_MAX);
			return true;
		}
	}
	return false;
}

/* ---- workers ---- */

/* The present launch if `self` may take part in it and has not done so, else 0. */
static uint64_t new_launch(const hthread *self, uint64_t last) {
	uint64_t launch = atomic_load(&pool.launch);
	bool invited = self->index < atomic_load_explicit(&pool.hthreads, memory_order_relaxed);
	return launch != last && invited ? launch : 0;
}

/* Wait for a launch after `last`; return 0 if the pool stops. */
static uint64_t wait_for_launch(const hthread *self, uint64_t last) {
	uint64_t sleep_at = s2s_now_ns() + atomic_load_explicit(&pool.spin_ns, memory_order_relaxed);
	for (uint32_t polls = 1; !atomic_load_explicit(&pool.stopping, memory_order_relaxed); polls++) {
		uint64_t launch = new_launch(self, last);
		if (launch != 0)
			return launch;
		s2s_pause();
		if (polls % POLLS_PER_LOOK != 0 || s2s_now_ns() < sleep_at)
			continue;
		uint32_t seen = atomic_load(&pool.wake_count);
		atomic_fetch_add(&pool.sleepers, 1);
		/* Sequentially consistent with publish() and wake_workers(): we see the launch, or they see us asleep. */
		if (new_launch(self, last) == 0 && !atomic_load(&pool.stopping))
			s2s_futex_wait(&pool.wake_count, seen);
		atomic_fetch_sub(&pool.sleepers, 1);
		launch = new_launch(self, last);
		if (launch != 0 && fullest_slice(launch) < slices_of(launch) && atomic_load(&pool.sleepers) > 0)
			wake_workers(WAKES_AT_A_TIME);
		sleep_at = s2s_now_ns() + atomic_load_explicit(&pool.spin_ns, memory_order_relaxed);
	}
	return 0;
}

static void *worker(void *arg) {
	hthread *self = arg;
	if (pool.per_cpu > 0)
		s2s_pin(self->index, pool.per_cpu);
	/* Without a signal stack a fault ends the process; the launches themselves need none. */
	s2s_prepare_thread();
	uint64_t launch = 0;
	while ((launch = wait_for_launch(self, launch)) != 0) {
		contribution own = take_part(self, launch);
		if (own.units == 0)
			continue;
		atomic_fetch_add_explicit(&pool.busy_ns, own.busy_ns, memory_order_relaxed);
		atomic_fetch_add(&pool.done, own.units);
		if (atomic_load(&pool.launcher_sleeps))
			s2s_futex_wake(&pool.done, 1);
	}
	return NULL;
}

/* ---- launches ---- */

/* How long `nitems` items take, each `item_ps` picoseconds. */
static uint64_t all_ns(uint64_t item_ps, uint64_t nitems) {
	uint64_t ps;
	return item_ps == UNKNOWN_TIME || __builtin_mul_overflow(item_ps, nitems, &ps) ? NEVER : ps / 1000;
}

static uint64_t ps_per_item(uint64_t ns, uint64_t nitems) {
	uint64_t ps;
	return __builtin_mul_overflow(ns, 1000, &ps) ? UNKNOWN_TIME - 1 : ps / nitems;
}

/* How many items of `item_ps` picoseconds are worth dividing: at least 1, at most `most`. */
static uint64_t items_of_part(uint64_t item_ps, uint64_t most) {
	uint64_t count = item_ps == UNKNOWN_TIME ? 1 : item_ps == 0 ? most : PART_NS * 1000ull / item_ps;
	return count > most && most > 0 ? most : count > 0 ? count : 1;
}

static uint64_t grain_of(const pool_work *work) {
	return work->grain > 0 ? work->grain : 1;
}

static uint64_t rounded_up(uint64_t count, uint64_t grain) {
	return (count + grain - 1) / grain * grain;
}

/* Run the first items of a launch that was short last time, and see how long that takes. Each call runs as much as all
 * before it: if the work is longer this time, little is lost. Return how many items were run. */
static uint64_t run_alone(hthread *self, const pool_work *work, uint64_t *busy_ns) {
	uint64_t count = items_of_part(work->item_ps, work->nitems / (4 * work->hthreads)), first = 0;
	count = rounded_up(count, grain_of(work));
	uint64_t start = s2s_now_ns(), ns;
	uint32_t parts = 0;
	do {
		uint64_t end = work->nitems - first > count ? first + count : work->nitems;
		work->function(self, work->job, first, end);
		first = count = end;
		parts++;
		ns = s2s_now_ns() - start;
	} while (first < work->nitems && ns < ALONE_NS);
	*busy_ns = net_ns(ns, parts);
	return first;
}

/* Let the workers see the items from `first` on, each of `item_ps` picoseconds. Sequentially consistent with a worker
 * that is about to sleep. */
static uint64_t publish(const pool_work *work, uint64_t first, uint64_t item_ps) {
	uint64_t nitems = work->nitems - first;
	uint64_t grain = grain_of(work), grains = (nitems + grain - 1) / grain;
	uint64_t slices = grains < work->hthreads ? grains : work->hthreads;
	uint64_t share = (grains + slices - 1) / slices * grain;
	uint64_t unit_items = rounded_up((share + MAX_UNITS - 1) / MAX_UNITS, grain);
	uint64_t units = (share + unit_items - 1) / unit_items;
	uint64_t least_units = items_of_part(item_ps, share / 4) / unit_items;
	atomic_store_explicit(&pool.done, 0, memory_order_relaxed);
	atomic_store_explicit(&pool.busy_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&pool.hthreads, work->hthreads, memory_order_relaxed);
	atomic_store_explicit(&pool.least_units, least_units > 0 ? (uint32_t)least_units : 1, memory_order_relaxed);
	pool.function = work->function;
	pool.job = work->job;
	pool.first_item = first;
	pool.nitems = nitems;
	pool.unit_items = unit_items;
	pool.grain = grain;
	uint32_t epoch = epoch_of(atomic_load_explicit(&pool.launch, memory_order_relaxed)) + 1;
	uint64_t launch = (uint64_t)epoch << 32 | (slices - 1) << UNIT_BITS | units;
	atomic_store(&pool.launch, launch);
	return launch;
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

/* Wake workers if the launch that begins is worth it, or it and the ones before it: not for one of a few microseconds,
 * but launches may come by the thousand. */
static void wake_for_launches(uint64_t expected_ns) {
	if (s2s_now_ns() - pool.last_end_ns > SPIN_NS)
		pool.unshared_ns = 0;
	pool.unshared_ns = expected_ns < NEVER - pool.unshared_ns ? pool.unshared_ns + expected_ns : NEVER;
	if (pool.unshared_ns <= WORTH_A_WAKE_NS)
		return;
	wake_workers(pool.unshared_ns / NS_PER_WAKE);
	pool.unshared_ns = 0;
}

/* Run the items from `first` on together with the workers, each of `item_ps` picoseconds; return how long all hthreads
 * worked. */
static uint64_t run_with_workers(hthread *self, const pool_work *work, uint64_t first, uint64_t item_ps) {
	uint64_t launch = publish(work, first, item_ps);
	if (work->together) /* it takes all, as those that wake may be ones with higher numbers, that stay out */
		wake_workers(pool.size > work->hthreads ? pool.size : work->nitems - 1);
	else if (atomic_load(&pool.sleepers) > 0)
		wake_for_launches(all_ns(item_ps, work->nitems - first));
	contribution own = take_part(self, launch);
	uint32_t units = units_of(launch) * slices_of(launch);
	if (own.units < units)
		wait_until_done(units - own.units);
	pool.last_end_ns = s2s_now_ns();
	return own.busy_ns + atomic_load_explicit(&pool.busy_ns, memory_order_relaxed);
}

static bool may_be_short(uint64_t expected_ns) {
	return expected_ns < ALONE_NS || (expected_ns < WORTH_A_TRY_NS && ++pool.tries % LAUNCHES_PER_TRY == 0);
}

uint64_t s2s_pool_run(const pool_work *work) {
	hthread *self = pool.hthread[0];
	self->thread = pthread_self();
	atomic_store_explicit(&self->taking, true, memory_order_relaxed);
	if (work->nitems == 1 || work->hthreads == 1 || pool.size == 1) {
		work->function(self, work->job, 0, work->nitems);
		atomic_store_explicit(&self->taking, false, memory_order_relaxed);
		return UNKNOWN_TIME;
	}
	uint64_t alone = 0, busy_ns = 0, item_ps = work->item_ps;
	if (!work->together && may_be_short(all_ns(item_ps, work->nitems))) {
		alone = run_alone(self, work, &busy_ns);
		item_ps = ps_per_item(busy_ns, alone);
	}
	if (alone < work->nitems)
		busy_ns += run_with_workers(self, work, alone, item_ps);
	return ps_per_item(busy_ns, work->nitems);
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

bool s2s_pool_lock_soon(void) {
#if __has_include(<sys/single_threaded.h>)
	if (__libc_single_threaded) { /* the lock is free; unlike trylock, lock then does without an atomic operation */
		s2s_pool_lock();
		return true;
	}
#endif
	if (pthread_mutex_trylock(&pool.lock) == 0)
		return true;
	struct timespec end;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += LOCK_WAIT_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	return pthread_mutex_timedlock(&pool.lock, &end) == 0;
}

void s2s_pool_unlock(void) {
	pthread_mutex_unlock(&pool.lock);
}

/* The locks are held across a fork, so no launch is half done. */
static void before_fork(void) {
	s2s_pool_lock();
	s2s_hooks.lock_queues();
	s2s_hooks.lock_guards();
}

static void after_fork_in_parent(void) {
	s2s_hooks.unlock_guards();
	s2s_hooks.unlock_queues();
	s2s_pool_unlock();
}

/* A forked child has the thread that forked only. */
static void after_fork_in_child(void) {
	s2s_hooks.unlock_guards();
	s2s_hooks.forget_queues();
	s2s_forget_listener();
	pool.size = pool.size > 0;
	s2s_forget_waits();
	atomic_store(&pool.sleepers, 0);
	s2s_pool_unlock();
}

static void watch_forks(void) {
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void s2s_watch_forks(void) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, watch_forks);
}

hthread *s2s_make_hthread(uint32_t index) {
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
	if (pool.size >= count)
		return count;
	s2s_watch_forks();
	pool.per_cpu = per_cpu;
	atomic_store(&pool.spin_ns, count <= s2s_cpu_count() ? SPIN_NS : CROWDED_SPIN_NS);
	while (pool.size < count) {
		if (pool.size == pool.allocated) {
			pool.hthread[pool.size] = s2s_make_hthread(pool.size);
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
	s2s_forget_waits();
}
