/* Ctrl-C: how SIGINT ends a kernel in a program that handles the signal itself, as Python does.
 *
 * Such a program's handler only notes the signal; the program looks at the note when the launch is over. Our handler
 * calls the program's, then ends the launch as a fault would: all hthreads leave their kernel code.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <signal.h>

/* What the handler knows of the thread that it interrupts. */
static _Thread_local struct {
	launch_job *volatile job;       /* that runs by this thread's launch; null: none */
	volatile sig_atomic_t presses;  /* SIGINTs since the launch was called */
	volatile sig_atomic_t handling; /* a handler that ours calls may call ours */
} launching __attribute__((tls_model("initial-exec")));

static struct sigaction previous;         /* the program's handler; written while ours is not installed */
static _Atomic sig_atomic_t most_presses; /* of a launch that do not end it */

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
	if (sigaction(SIGINT, NULL, &now) != 0 || is_ours(&now) || !is_a_handler(&now))
		return;
	previous = now;
	now.sa_sigaction = on_interrupt;
	now.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	s2s_block_faults(&now.sa_mask);
	sigaction(SIGINT, &now, NULL);
}

bool s2s_begin_launch(launch_job *job) {
	launching.presses = 0;
	while (!s2s_pool_lock_soon())
		if (launching.presses > atomic_load(&most_presses))
			return false;
	launching.job = job;
	return true;
}

void s2s_end_launch(void) {
	launching.job = NULL;
	s2s_pool_unlock();
}
