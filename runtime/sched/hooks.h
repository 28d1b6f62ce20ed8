/* Callbacks into later folders, and what these return. */
#ifndef S2S_HOOKS_H
#define S2S_HOOKS_H

#include "s2s.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct hthread;
struct launch_job;
struct s2s_parent;

/* cudart/kernels.c writes the table before main begins. */
typedef struct {
	/* Queues of streams. For a fork: between the first two nothing changes, and the child has no executors and nothing
	 * to do. */
	void (*lock_queues)(void);
	void (*unlock_queues)(void);
	void (*forget_queues)(void);
	/* Wake so many executors, for s2s_help_beside. */
	void (*call_helpers)(uint32_t count);
	/* Whether a stream has a task that could be done now, and no thread does it yet. */
	bool (*tasks_are_ready)(void);
	/* Device memory. For a fork: between these two nothing changes. */
	void (*lock_guards)(void);
	void (*unlock_guards)(void);
	/* Children. Run a launch of a kernel that may launch some, and these, on so many hthreads; false if there is no
	 * memory. */
	bool (*run_family)(struct launch_job *job, uint32_t hthreads);
	/* A block begins that may launch children: it waits for them if it is one of fibers. */
	void (*begin_parent)(struct s2s_parent *parent, const s2s_launch *launch, s2s_dim3 block, bool may_wait);
	/* The block has ended; its hthread hands over what it has launched. */
	void (*end_parent)(struct hthread *self, struct s2s_parent *parent);
	/* Do something that others have launched, or own children; false if there is nothing. */
	bool (*do_a_duty)(struct hthread *self, struct launch_job *root);
} s2s_hook_table;

extern s2s_hook_table s2s_hooks;

/* How many tasks of streams wait or run, and streams capture: as long as that is none, nothing has to be waited for. */
extern _Atomic uint32_t s2s_stream_activity;

#endif
