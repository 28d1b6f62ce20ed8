/* Ctrl-C: how SIGINT ends a kernel in a program that handles the signal itself, as Python does.
 *
 * Such a program's handler only notes the signal; the program looks at the note when the launch is over. Our handler
 * calls the program's, then ends the launch as a fault would: all hthreads leave their kernel code.
 *
 * The system gives the signal to the main thread, as a rule. A launch of another thread may end at any moment, and a
 * handler cannot take a lock against that. So it notifies a thread of ours, which does.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

/* What the handler knows of the thread that it interrupts. */
static _Thread_local struct {
	launch_job *volatile job;       /* that runs by this thread's launch; null: none */
	volatile sig_atomic_t presses;  /* SIGINTs since the launch was called */
	volatile sig_atomic_t handling; /* a handler that ours calls may call ours */
} launching __attribute__((tls_model("initial-exec")));

static struct sigaction previous;         /* the program's handler; written while ours is not installed */
static _Atomic sig_atomic_t most_presses; /* of a launch that do not end it */
static atomic_bool watched;               /* our handler has been installed */

/* ---- launches of other threads ---- */

static _Atomic uint32_t all_presses; /* of this process, as far as our handler got them */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t pressed;
static atomic_bool listening; /* there is a thread that waits for `pressed` */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these: */
static launch_job *elsewhere;                            /* runs by a launch of another thread than the main one */
static uint32_t presses_before;                          /* it was called */

static bool is_enough(uint32_t before) {
	return atomic_load(&all_presses) - before > (uint32_t)atomic_load(&most_presses);
}

static void *listen(void *unused) {
	(void)unused;
	for (;;) {
		while (sem_wait(&pressed) != 0)
			;
		pthread_mutex_lock(&lock);
		if (elsewhere && is_enough(presses_before)) {
			if (!atomic_exchange(&elsewhere->failed, true))
				elsewhere->fault = (fault){.kind = FAULT_STOPPED};
			s2s_interrupt_others(NULL);
		}
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

/* Start the thread, which gets no signals. Without it, only the launches of the thread that gets SIGINT end. */
static void start(void) {
	sigset_t all, before;
	sigfillset(&all);
	sem_init(&pressed, 0, 0);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_t thread;
	bool started = pthread_create(&thread, NULL, listen, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started)
		pthread_detach(thread);
	atomic_store(&listening, started);
}

/* Programs that handle SIGINT and have several threads. */
static bool is_elsewhere(void) {
	static _Thread_local long known;
	if (known == 0)
		known = s2s_thread_id();
	return atomic_load(&watched) && known != getpid();
}

/* ---- the handler ---- */

static void call_previous(int signal, siginfo_t *info, void *context) {
	if (previous.sa_flags & SA_SIGINFO)
		previous.sa_sigaction(signal, info, context);
	else
		previous.sa_handler(signal);
}

static void on_interrupt(int signal, siginfo_t *info, void *context) {
	if (launching.handling)
		return;
	int error = errno;
	launching.handling = true;
	call_previous(signal, info, context);
	launching.handling = false;
	launching.presses++;
	atomic_fetch_add(&all_presses, 1);
	if (!launching.job && atomic_load(&listening))
		sem_post(&pressed);
	if (launching.job && launching.presses > atomic_load(&most_presses))
		s2s_stop_job(launching.job, context);
	errno = error;
}

static bool is_ours(const struct sigaction *action) {
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_interrupt;
}

static bool is_a_handler(const struct sigaction *action) {
	return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

bool s2s_interrupts_are_watched(void) {
	struct sigaction now;
	return sigaction(SIGINT, NULL, &now) != 0 || is_ours(&now) || !is_a_handler(&now);
}

void s2s_watch_interrupts(uint32_t ignored) {
	struct sigaction now;
	atomic_store(&most_presses, (sig_atomic_t)ignored);
	atomic_store(&watched, true);
	if (sigaction(SIGINT, NULL, &now) != 0 || is_ours(&now) || !is_a_handler(&now))
		return;
	previous = now;
	now.sa_sigaction = on_interrupt;
	now.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	s2s_block_faults(&now.sa_mask);
	sigaction(SIGINT, &now, NULL);
}

bool s2s_begin_launch(launch_job *job) {
	bool other = is_elsewhere();
	uint32_t before = atomic_load(&all_presses);
	launching.presses = 0;
	bool locked = false, stopped = false;
	while (!locked && !stopped) {
		locked = s2s_pool_lock_soon();
		stopped = launching.presses > atomic_load(&most_presses) || (other && is_enough(before));
	}
	if (stopped) {
		if (locked)
			s2s_pool_unlock();
		return false;
	}
	launching.job = job;
	if (other) {
		pthread_once(&once, start);
		pthread_mutex_lock(&lock);
		elsewhere = job;
		presses_before = before;
		pthread_mutex_unlock(&lock);
	}
	return true;
}

void s2s_forget_listener(void) {
	once = (pthread_once_t)PTHREAD_ONCE_INIT;
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	elsewhere = NULL;
	atomic_store(&listening, false);
}

void s2s_settle_interrupt(void) {
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

void s2s_end_launch(void) {
	if (is_elsewhere()) {
		pthread_mutex_lock(&lock);
		elsewhere = NULL;
		pthread_mutex_unlock(&lock);
	}
	launching.job = NULL;
	s2s_pool_unlock();
}
