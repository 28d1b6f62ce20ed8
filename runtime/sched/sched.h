/* Hardware threads and what they run on.
 *
 * pool.c hands items of a launch to hthreads; small_launches.c runs small launches beside others; stack.c gives kernels
 * stacks to run on and turns faults into errors; switch.c is the assembly; interrupt.c is for Ctrl-C, timeout.c for
 * launches that take too long, deadlock.c and foreign_threads.c for those that wait in vain.
 */
#ifndef S2S_SCHED_H
#define S2S_SCHED_H

#include "base/base.h"
#include "sched/hooks.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum {
	MAX_GANGS = 64,              /* of a block: 1024 threads */
	MAX_FIBERS = 128,            /* gangs that an hthread may have begun at a time */
	MAX_RESIDENT_BLOCKS = 32,    /* blocks likewise */
	MOST_FIBERS = 1 << 14,       /* gangs that all hthreads may have begun where these wait for later ones */
	MOST_RESIDENT_BLOCKS = 4224, /* blocks likewise: 32 on each of 132 multiprocessors */
};

/* ---- faults ---- */

typedef enum {
	FAULT_NONE,
	FAULT_INTERRUPTED, /* another hthread's fault ended the launch */
	FAULT_STOPPED,     /* SIGINT ended it */
	FAULT_TIMEOUT,     /* it took longer than $S2S_TIMEOUT */
	FAULT_ADDRESS,
	FAULT_PROTECTION,
	FAULT_STACK,
	FAULT_INSTRUCTION,
	FAULT_ARITHMETIC,
	FAULT_CLAIM,  /* --verify: a value is not as uniform as the compiler claimed */
	FAULT_WAIT,   /* all wait for what no thread will do */
	FAULT_MEMORY, /* no memory for stacks */
	FAULT_ASSERTION,
	FAULT_CHILDREN, /* no memory for children that wait */
	FAULT_DEPTH     /* a child lies in too many grids */
} fault_kind;

enum { S2S_MOST_NESTED = 1 << 20 }; /* grids, each launched by the one before */

/* Where a thread was, as far as that is known. */
typedef struct {
	const void *instruction;          /* null: unknown */
	uint32_t blocks;                  /* in how many it may have been; 0: unknown */
	s2s_dim3 first_block, last_block; /* of these */
	bool has_threads;                 /* it is known which ones the gang has: */
	bool linear; /* those from `first_thread` on in the block, else those from `thread` on along x or y */
	bool along_y;
	uint32_t lanes; /* how many */
	uint32_t first_thread;
	s2s_dim3 thread; /* threadIdx of lane 0; it may lie beyond the block's end, in the next block */
} position;

/* Why an hthread left a kernel early. */
typedef struct {
	fault_kind kind;
	position at;        /* of a fault that a signal reported */
	void *address;      /* FAULT_ADDRESS */
	size_t stack_bytes; /* FAULT_STACK: how big the stack was */
	const char *claim;  /* FAULT_CLAIM: what failed, and where; FAULT_WAIT: the waits; FAULT_ASSERTION: what */
	const char *file;   /* FAULT_ASSERTION: where, with `line` */
	uint32_t line;
} fault;

/* ---- hthreads ---- */

/* Memory between guard pages: [base, base + guard_bytes) traps, then comes the stack, then as many bytes that trap. */
typedef struct {
	char *base;
	size_t guard_bytes, stack_bytes;
} guarded_stack;

/* The stacks of an hthread's gangs, one slot after the other in one mapping; each slot begins with its guard, and
 * after the last comes one more. */
typedef struct {
	char *base;
	s2s_gang *gangs; /* gang i runs on stack i */
	size_t guard_bytes, stack_bytes, slot_bytes;
	uint32_t slots; /* in all */
	uint32_t count; /* those whose stacks can be used */
} gang_stacks;

/* What an hthread has for gangs that wait for each other; see fibers.c. */
typedef struct fibers fibers;
typedef struct fiber_level fiber_level;
typedef struct s2s_block s2s_block;

/* What an hthread knows while all its gangs wait; see deadlock.c. */
typedef struct {
	uint64_t seen;              /* the sum of all changes when it last reported its iterations */
	_Atomic uint64_t confirmed; /* a sum under which it waited. This and the next are read by other hthreads */
	_Atomic uint64_t changes;   /* items and waits that it brought to an end */
} waiting;

enum { WARP_LANES = 32 };

/* Lanes of a gang that wait without the others; see gang_split.c. */
typedef struct s2s_piece s2s_piece;
typedef struct s2s_pieces {
	s2s_piece *todo;    /* those that can run */
	s2s_piece *arrived; /* those that wait at the barrier, if not among fibers */
	/* Where pieces of a warp meet for a function of warps, see s2s_meet. */
	uint64_t posted, left; /* lanes whose values are in the box; those of them that have taken what they need */
	uint64_t box[S2S_MOST_POSTED][WARP_LANES];
	uint32_t kind[WARP_LANES]; /* of the function for which a lane has posted */
} s2s_pieces;

/* Text that grows. */
typedef struct {
	char *data;
	size_t used, room;
} s2s_text;

/* What an hthread has counted in a launch: of traversals, see traversal_stats.c, and for each kernel, see profile.c. */
typedef struct tally tally;
typedef struct kernel_counts kernel_counts;
typedef struct traffic traffic;

/* One hardware thread. Number 0 is whichever thread launches; the others belong to the pool.
 * Only its own thread writes here, except where a field says otherwise. */
typedef struct hthread {
	void *escape_rsp;       /* where s2s_enter came from; the assembly knows that it comes first, then in_kernel */
	_Atomic bool in_kernel; /* a fault belongs to the kernel. Read by its signal handler and by faulty hthreads */
	uint32_t index;
	uint32_t finished;      /* gangs that ended in this phase; counted up by s2s_gang_start */
	struct launch_job *job; /* valid while in_kernel */
	fault fault;            /* why s2s_enter returned 1 */
	_Atomic long thread_id; /* the system's number of its thread, once it has waited; read by hthreads that wait */
	_Atomic bool taking;    /* it takes items of a launch, or runs them. Read by hthreads that wait */
	waiting wait;
	uint64_t block; /* the block that runs, if by gangs */
	pthread_t thread;
	guarded_stack stack;
	gang_stacks gang_stacks;
	char *shared;                        /* S2S_SHARED_ROOM_BYTES for the block that it runs */
	s2s_context contexts[MAX_GANGS + 1]; /* those that wait, then the scheduler's */
	void *gang_top[MAX_GANGS];           /* the tops of the gang stacks */
	s2s_gang gangs[MAX_GANGS];           /* gang i of this hthread runs on gang stack i */
	fibers *fibers;                      /* null until it has run a kernel of that kind; with it: */
	gang_stacks fiber_stacks;
	fiber_level *fiber_level;     /* which of several sets these are; null until there are some */
	uint32_t depth;               /* how many sets wait meanwhile */
	s2s_pieces pieces[MAX_GANGS]; /* of its gangs, those that do not run */
	s2s_piece *free_pieces, *all_pieces;
	s2s_text output;         /* what its threads have printed in this launch; see printf.c */
	tally *tally;            /* null until it has run a kernel that was compiled with --stats */
	kernel_counts *counts;   /* likewise */
	traffic *traffic;        /* the same, with --warp-stats */
	struct s2s_brood *brood; /* null until it has run a kernel that may launch children; see nested.h */
} hthread;

/* ---- launches ---- */

/* The hthreads that run one block together. */
typedef struct team team;

/* One launch while it runs. launch.c fills it in; then only the atomic fields change. */
typedef struct launch_job {
	s2s_launch launch;
	const s2s_kernel *kernel;
	uint32_t version; /* which of the versions of the kernel */
	uint64_t nblocks;
	uint32_t parts_x, parts_y; /* of each block that the program has launched, along these axes: `launch` is of parts */
	uint32_t team_size;        /* hthreads that run a block together */
	uint32_t nteams;
	bool pthread_barrier;          /* they meet at pthread's barrier, not at ours */
	_Atomic uint64_t next_block;   /* launches with teams, and with fibers: the next block that no hthread has taken */
	bool renumbered;               /* blocks are not those of the launch, by their numbers: a helper kernel runs */
	bool cooperative;              /* all blocks have begun before one waits for good: there is a barrier of the grid */
	_Atomic bool impatient;        /* all wait: lanes that wait in loops are split off from their gangs */
	_Atomic uint64_t grid_arrived; /* threads, at that barrier */
	_Atomic uint32_t grid_phase;   /* changes when it opens */
	team *teams;
	struct launch_job *root;    /* the launch from the host that this one is a part of; itself, if it is that */
	struct s2s_family *family;  /* its children; null for kernels that launch none */
	_Atomic bool failed;        /* of the root: set by the hthread that writes `fault` */
	fault fault;                /* of the root, as what follows: read when the launch is over */
	const s2s_kernel *at_fault; /* the child whose fault it is; null: the kernel itself */
	s2s_launch launch_at_fault; /* of that child */
} launch_job;

/* Whether the launch has failed that a job is a part of. */
static inline bool s2s_has_failed(const launch_job *job) {
	return atomic_load(&job->root->failed);
}

/* ---- switch.c ---- */

/* Call function(arg) on the stack that ends at `stack_top` (a multiple of 64); return 0 when it returns, 1 when
 * s2s_escape ended it. Clears in_kernel when it returns. `self` is s2s_this_hthread. */
int s2s_enter(hthread *self, void *stack_top, void (*function)(void *), void *arg);

/* Leave the function that s2s_enter called, from any stack of this thread. */
_Noreturn void s2s_escape(hthread *self);

/* Save the scheduler in *own, which lies after the gangs' contexts, and resume the first of these. Return when the
 * ring reaches *own; with `go_on`, it begins anew instead as long as no gang is finished. */
void s2s_run_ring(s2s_context *own, s2s_context *first, uint32_t *finished, bool go_on);

/* Where a gang begins (a label, not a function); see switch.c. */
extern const char s2s_gang_start[];

/* ---- stack.c ---- */

/* Make the calling thread ready to run kernels: a stack for signal handlers, and the handlers themselves. */
bool s2s_prepare_thread(void);

/* See that self has a stack for `range` functions, shared memory, and stacks for so many gangs, each with the
 * stack limit's size. Returns false if there is no memory. */
bool s2s_prepare_hthread(hthread *self, uint32_t gangs, uint32_t lanes);

/* Run function(arg) as kernel code of `job` on self's own stack. True if it ended; otherwise self->fault
 * says why not. */
bool s2s_run_guarded(hthread *self, struct launch_job *job, void (*function)(void *), void *arg);

/* The highest address of stack i, a multiple of 64. Tops are staggered over the cache sets. */
void *s2s_stack_top(const gang_stacks *stacks, uint32_t i);

/* See that self has a stack for each of these `count` fibers, at most MOST_FIBERS. Returns false if there is no
 * memory. */
bool s2s_map_fiber_stacks(hthread *self, s2s_gang *gangs, uint32_t count, uint32_t lanes);

/* Shared memory for a block, S2S_SHARED_ROOM_BYTES between pages that cannot be touched; after it is first a page for
 * an s2s_progress. Null if there is no memory. */
char *s2s_map_shared(void);
s2s_progress *s2s_progress_of(char *shared);

/* End the kernel code that self runs; self->fault says why. */
_Noreturn void s2s_raise(hthread *self);

/* Between these two, nothing but a fault of the runtime's own ends the code that self runs: it may take a lock or
 * allocate memory. It must not touch what the kernel gave it. The second does not come back if the launch has failed
 * meanwhile. */
void s2s_begin_hold(hthread *self);
void s2s_end_hold(hthread *self);

/* Make every other hthread leave the kernel code that it runs. Called by an hthread of a launch that failed, once
 * job->failed is set. */
void s2s_interrupt_others(const hthread *self); /* null: of all hthreads */

/* Make the launch of the calling thread fail with FAULT_STOPPED. Called by a signal handler with its context: if the
 * thread runs kernel code, it leaves that when the handler returns. */
void s2s_stop_job(struct launch_job *job, void *context);

/* Add the signals of faults to those that a handler holds back, so that an interrupt does not break into it. */
void s2s_block_faults(sigset_t *blocked);

/* The hthread that the calling thread runs kernel code as; null outside. */
hthread *s2s_current(void);

/* The same for the assembly and the signal handler, which may run on threads that never launched anything: it must not
 * be allocated on first use. */
extern _Thread_local hthread *s2s_this_hthread __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ---- deadlock.c ---- */

/* Count what self brought to an end: an item or a wait. */
void s2s_note_change(hthread *self);

/* All gangs that self has begun wait, and have since self last asked: whether no thread will ever end that. */
bool s2s_confirm_wait(hthread *self);

/* The pool has lost hthreads: sums of changes are other ones now. */
void s2s_forget_waits(void);

/* ---- foreign_threads.c ---- */

/* Whether a thread that is not ours could write what all of ours wait for. */
bool s2s_others_may_write(void);

/* The system's number of the calling thread. */
long s2s_thread_id(void);

/* ---- pool.c ---- */

/* Runs some items of a launch, first to end - 1. Must come back, whatever the kernel does. */
typedef void item_function(hthread *self, void *job, uint64_t first, uint64_t end);

/* Launches, and all changes to the pool, happen one at a time: the functions below are called under this lock. */
void s2s_pool_lock(void);
void s2s_pool_unlock(void);

/* Keep the locks across forks. Called before another thread may have one. */
void s2s_watch_forks(void);

/* Lock, or return false after a while. */
bool s2s_pool_lock_soon(void);

/* Have hthreads 0 to count - 1, hthread 0 being the calling thread. `per_cpu`: hthread i stays on CPU i / per_cpu;
 * 0: they move freely. Returns how many there are: fewer if the system gives no more, 0 if not even memory. */
uint32_t s2s_pool_grow(uint32_t count, uint32_t per_cpu);

/* Items of a launch, for hthreads with numbers below `hthreads`. `together`: items wait for each other, so each hthread
 * takes one item at a time, and as many hthreads as there are items come; otherwise those that sleep are woken only for
 * work worth the wake: `item_ps` foretells how long an item takes, in picoseconds. `grain`: so many items are not
 * divided, counted from the first one; 0 means 1. */
typedef struct {
	item_function *function;
	void *job;
	uint64_t nitems;
	uint32_t hthreads;
	bool together;
	uint64_t item_ps;
	uint64_t grain;
} pool_work;

#define UNKNOWN_TIME UINT64_MAX

/* Equals: function(self, job, 0, nitems), but hthreads share the items. Returns how long an item took, on average, in
 * picoseconds; UNKNOWN_TIME if it was not measured. */
uint64_t s2s_pool_run(const pool_work *work);

/* Whether items are left, and hthreads that have no work: they are woken, and will come. */
bool s2s_pool_calls_idle(void);

/* End all threads of the pool; s2s_pool_grow starts new ones. */
void s2s_pool_stop(void);

/* The hthread of a number below s2s_pool_size(). */
hthread *s2s_pool_hthread(uint32_t index);
uint32_t s2s_pool_size(void);

/* Keep the calling thread on the CPU of hthread `index`. */
void s2s_pin(uint32_t index, uint32_t per_cpu);

/* Wait until *word is not `old`, or a thread calls s2s_futex_wake on it; may return early. */
void s2s_futex_wait(_Atomic uint32_t *word, uint32_t old);
void s2s_futex_wake(_Atomic uint32_t *word, uint32_t count);

uint64_t s2s_now_ns(void);
uint32_t s2s_cpu_count(void);

static inline void s2s_pause(void) {
	__builtin_ia32_pause();
}

/* An hthread that is not the pool's; null if there is no memory. */
hthread *s2s_make_hthread(uint32_t index);

/* ---- small_launches.c ---- */

/* Run items of a launch beside all others, without the lock; false if there is no memory for it. Each hthread that has
 * run items calls at_end(self) when none is left. */
bool s2s_run_beside(struct launch_job *job, item_function *function, uint64_t nitems, void (*at_end)(hthread *self));

/* Run items of such launches until none is left; false if there were none. */
bool s2s_help_beside(void);

/* The hthreads that run such launches. */
uint32_t s2s_count_beside(void);
hthread *s2s_hthread_beside(uint32_t index);

/* For a fork: between the first two nothing changes, and the child has none of the launches. */
void s2s_lock_beside(void);
void s2s_unlock_beside(void);
void s2s_forget_beside(void);

/* ---- interrupt.c ---- */

/* Take the lock for a launch, which SIGINT may end from now on; false if it did so before there was the lock. */
bool s2s_begin_launch(launch_job *job);

/* In a child process, there is no thread that handles SIGINT: start another one when it is needed. */
void s2s_forget_listener(void);

/* Make the fault of a launch that failed ready to be read. */
void s2s_settle_interrupt(void);

/* Give back the lock. */
void s2s_end_launch(void);

/* ---- timeout.c ---- */

/* Read $S2S_TIMEOUT, once; if it is set, start the thread that watches launches. */
void s2s_read_timeout_setting(void);

/* A launch whose time is measured; only timeout.c looks into it. */
typedef struct s2s_watch {
	launch_job *job;
	struct timespec deadline;
	struct s2s_watch *next;
} s2s_watch;

/* Have the launch fail with FAULT_TIMEOUT if the second of these is not called soon enough. That makes its fault ready
 * to be read. */
void s2s_begin_timeout(s2s_watch *launch, launch_job *job);
void s2s_end_timeout(s2s_watch *launch);

/* The limit in seconds, and the number of the thread that watches it, 0 without. */
double s2s_timeout(void);
long s2s_timeout_thread(void);

#endif
