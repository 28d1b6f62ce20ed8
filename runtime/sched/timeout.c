/* $S2S_TIMEOUT: launches that take longer end with cudaErrorLaunchTimeout.
 *
 * Known as: a watchdog.
 *
 * A thread watches the launches that run. It sleeps until the time of one is up, or another one begins.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double limit; /* seconds; 0: none */
static bool watching;
static _Atomic long watcher; /* the watching thread */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these: */
static pthread_cond_t changed;
static s2s_watch *watched; /* those that run and whose time is not up, the last one to begin first */

static void end_job(launch_job *job) {
	if (!atomic_exchange(&job->failed, true))
		job->fault = (fault){.kind = FAULT_TIMEOUT};
	s2s_interrupt_others(NULL);
}

static bool is_over(const struct timespec *deadline) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

static void forget(const s2s_watch *launch) {
	s2s_watch **at = &watched;
	while (*at && *at != launch)
		at = &(*at)->next;
	if (*at)
		*at = launch->next;
}

/* The one whose time is up first: all have the same limit, so that it is the first that began. */
static s2s_watch *first_to_end(void) {
	s2s_watch *found = watched;
	while (found && found->next)
		found = found->next;
	return found;
}

static void *watch(void *unused) {
	(void)unused;
	atomic_store(&watcher, s2s_thread_id());
	pthread_mutex_lock(&lock);
	for (;;) {
		s2s_watch *first = first_to_end();
		struct timespec deadline = first ? first->deadline : (struct timespec){0};
		if (!first) {
			pthread_cond_wait(&changed, &lock);
		} else if (is_over(&deadline)) {
			end_job(first->job);
			forget(first);
		} else {
			pthread_cond_timedwait(&changed, &lock, &deadline);
		}
	}
	return NULL;
}

/* Start the thread, which gets no signals: they are for the program's own. */
static void start(void) {
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_t thread;
	watching = pthread_create(&thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (watching)
		pthread_detach(thread);
	else
		fprintf(stderr, "simt2simd: S2S_TIMEOUT is ignored: there is no thread to watch launches\n");
}

void s2s_read_timeout_setting(void) {
	const char *text = getenv("S2S_TIMEOUT");
	if (!text || !*text)
		return;
	char *end;
	limit = strtod(text, &end);
	if (*end != '\0' || !(limit >= 0 && limit <= 1e9)) {
		fprintf(stderr, "simt2simd: S2S_TIMEOUT=%s is ignored: expected seconds\n", text);
		limit = 0;
	}
	if (limit > 0)
		start();
}

void s2s_begin_timeout(s2s_watch *launch, launch_job *job) {
	if (!watching)
		return;
	pthread_mutex_lock(&lock);
	struct timespec *deadline = &launch->deadline;
	clock_gettime(CLOCK_MONOTONIC, deadline);
	double nanoseconds = (double)deadline->tv_nsec + (limit - (double)(time_t)limit) * 1e9;
	deadline->tv_sec += (time_t)limit + (nanoseconds >= 1e9);
	deadline->tv_nsec = (long)nanoseconds % 1000000000;
	launch->job = job;
	launch->next = watched;
	watched = launch;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

void s2s_end_timeout(s2s_watch *launch) {
	if (!watching)
		return;
	pthread_mutex_lock(&lock);
	forget(launch);
	pthread_mutex_unlock(&lock);
}

double s2s_timeout(void) {
	return limit;
}

long s2s_timeout_thread(void) {
	return atomic_load(&watcher);
}
