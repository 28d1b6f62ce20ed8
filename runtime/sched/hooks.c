/* Callbacks into later folders. They do nothing in a program without these folders. */
#include "sched/hooks.h"

static void nothing(void) {
}

static void call_none(uint32_t count) {
	(void)count;
}

static bool no_family(struct launch_job *job, uint32_t hthreads) {
	(void)job, (void)hthreads;
	return false;
}

static bool no_task(void) {
	return false;
}

s2s_hook_table s2s_hooks = {
	.lock_queues = nothing,
	.unlock_queues = nothing,
	.forget_queues = nothing,
	.call_helpers = call_none,
	.tasks_are_ready = no_task,
	.lock_guards = nothing,
	.unlock_guards = nothing,
	.run_family = no_family, /* the rest is for what it runs */
};

_Atomic uint32_t s2s_stream_activity;
