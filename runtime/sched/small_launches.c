/* Small launches beside others: some threads run the blocks of one while the pool, or other threads, run others.
 *
 * Such a launch takes no lock. The launching thread runs blocks; idle executors help. Each has an hthread that is not
 * the pool's.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_HTHREADS = 512 };

/* A launch whose items are not all taken: blocks, or all of them as one item. */
typedef struct open_launch {
	launch_job *job;
	item_function *function;
	void (*at_end)(hthread *self);
	uint64_t nitems;
	_Atomic uint64_t next_item;
	uint32_t helpers; /* under the lock */
	struct open_launch *next;
} open_launch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these: */
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;   /* a helper has no more to do */
static open_launch *open;
static hthread *unused[MOST_HTHREADS];
static uint32_t nunused;

/* All that there are; they stay. Read by hthreads that interrupt others. */
static hthread *all[MOST_HTHREADS];
static _Atomic uint32_t nall;

uint32_t s2s_count_beside(void) {
	return atomic_load(&nall);
}

hthread *s2s_hthread_beside(uint32_t i) {
	return all[i];
}

/* An hthread for the calling thread, under the lock; null if there is no memory. */
static hthread *take_hthread(void) {
	if (nunused == 0) {
		uint32_t count = atomic_load(&nall);
		hthread *made = count < MOST_HTHREADS ? s2s_make_hthread(count) : NULL;
		if (!made)
			return NULL;
		all[count] = unused[nunused++] = made;
		atomic_store(&nall, count + 1);
	}
	hthread *self = unused[--nunused];
	atomic_store(&self->taking, true); /* before it counts as one of those of which this is looked at */
	self->thread = pthread_self();
	return self;
}

static void give_hthread_back(hthread *self) {
	atomic_store(&self->taking, false);
	unused[nunused++] = self;
}

/* Run items until all are taken. */
static void run_items(hthread *self, open_launch *launch) {
	uint64_t item;
	while ((item = atomic_fetch_add(&launch->next_item, 1)) < launch->nitems)
		launch->function(self, launch->job, item, item + 1);
	launch->at_end(self);
}

void s2s_lock_beside(void) {
	pthread_mutex_lock(&lock);
}

void s2s_unlock_beside(void) {
	pthread_mutex_unlock(&lock);
}

void s2s_forget_beside(void) {
	open = NULL;
}

bool s2s_help_beside(void) {
	pthread_mutex_lock(&lock);
	open_launch *launch = open;
	while (launch && atomic_load(&launch->next_item) >= launch->nitems)
		launch = launch->next;
	hthread *self = launch ? take_hthread() : NULL;
	if (!self) {
		pthread_mutex_unlock(&lock);
		return false;
	}
	launch->helpers++;
	pthread_mutex_unlock(&lock);
	run_items(self, launch);
	pthread_mutex_lock(&lock);
	give_hthread_back(self);
	if (--launch->helpers == 0)
		pthread_cond_broadcast(&left);
	pthread_mutex_unlock(&lock);
	return true;
}

bool s2s_run_beside(launch_job *job, item_function *function, uint64_t nitems, void (*at_end)(hthread *self)) {
	open_launch launch = {.job = job, .function = function, .at_end = at_end, .nitems = nitems};
	pthread_mutex_lock(&lock);
	hthread *self = take_hthread();
	if (self) {
		launch.next = open;
		open = &launch;
	}
	pthread_mutex_unlock(&lock);
	if (!self)
		return false;
	if (nitems > 1)
		s2s_hooks.call_helpers((uint32_t)nitems - 1);
	run_items(self, &launch);
	pthread_mutex_lock(&lock);
	open_launch **at = &open;
	while (*at != &launch)
		at = &(*at)->next;
	*at = launch.next;
	while (launch.helpers > 0)
		pthread_cond_wait(&left, &lock);
	give_hthread_back(self);
	pthread_mutex_unlock(&lock);
	return true;
}
