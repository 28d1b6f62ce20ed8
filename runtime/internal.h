/* What the files of the runtime share, and nobody else sees.
 *
 * launch.c checks a launch, chooses how to run it and reports how it ended; small_launches.c runs small ones beside
 * each other; query_sort.c sorts threads that search trees; ropes.c installs ropes in trees; pool.c hands items to
 * hthreads; block.c runs blocks; stack.c gives kernels stacks to run on and turns faults into errors; interrupt.c is
 * for Ctrl-C, timeout.c for launches that take too long; traversal_stats.c counts what traversals do, profile.c what
 * kernels do; printf.c, assert.c, heap.c, string.c and clock.c are what kernels may call; switch.c is the assembly;
 * fibers.c is for blocks whose threads wait for each other, gang_split.c for lanes that do, deadlock.c and
 * foreign_threads.c for those that wait in vain; children.c has what kernels ask for that launch kernels, and
 * nested_grids.c and child_streams.c run these in the memory of arena.c; queue.c has what streams have still to do;
 * guards.c is where device memory lies.
 */
#ifndef S2S_INTERNAL_H
#define S2S_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "s2s.h"

enum {
	CACHE_LINE = 64,
	MAX_GANGS = 64,           /* of a block: 1024 threads */
	MAX_FIBERS = 128,         /* gangs that an hthread may have begun at a time */
	MAX_RESIDENT_BLOCKS = 32, /* blocks likewise */
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
	FAULT_WAIT,   /* all wait for what nobody will do */
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

/* The place with this number where places are counted along x first, then along y. */
static inline s2s_dim3 s2s_nth(s2s_dim3 size, uint64_t number) {
	uint64_t row = number / size.x;
	return (s2s_dim3){(uint32_t)(number % size.x), (uint32_t)(row % size.y), (uint32_t)(row / size.y)};
}

/* Why an hthread left a kernel early. */
typedef struct {
	fault_kind kind;
	position at;        /* of a fault that a signal told of */
	void *address;      /* FAULT_ADDRESS */
	size_t stack_bytes; /* FAULT_STACK: how big the stack was */
	const char *claim;  /* FAULT_CLAIM: what failed, and where; FAULT_WAIT: who waits where; FAULT_ASSERTION: what */
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
	uint64_t seen;              /* the sum of all changes when it last told of its rounds */
	_Atomic uint64_t confirmed; /* a sum under which it waited. This and the next are read by other hthreads */
	_Atomic uint64_t changes;   /* items and waits that it brought to an end */
} waiting;

enum { WARP_LANES = 32 };

/* Lanes of a gang that wait apart from the others; see gang_split.c. */
typedef struct s2s_piece s2s_piece;
typedef struct s2s_pieces {
	s2s_piece *todo;    /* those that can run */
	s2s_piece *arrived; /* those that wait at the barrier, if not among fibers */
	/* Where pieces of a warp meet for a function of warps, see s2s_meet. */
	uint64_t posted, left; /* lanes whose values are in the box; those of them that have taken what they need */
	uint64_t box[S2S_MOST_POSTED][WARP_LANES];
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
	uint32_t finished;      /* gangs that came to their end in this round; counted up by s2s_gang_start */
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

/* ---- switch.c ---- */

/* Call function(arg) on the stack that ends at `stack_top` (a multiple of 64); return 0 when it returns, 1 when
 * s2s_escape ended it. Clears in_kernel when it returns. `self` is s2s_this_hthread. */
int s2s_enter(hthread *self, void *stack_top, void (*function)(void *), void *arg);

/* Leave the function that s2s_enter called, from any stack of this thread. */
_Noreturn void s2s_escape(hthread *self);

/* Save the scheduler in *own, which lies behind the gangs' contexts, and resume the first of these. Return when the
 * ring comes to *own; with `go_on`, it begins anew instead as long as no gang is finished. */
void s2s_run_ring(s2s_context *own, s2s_context *first, uint32_t *finished, bool go_on);

/* Where a gang begins (a label, not a function); see switch.c. */
extern const char s2s_gang_start[];

/* ---- stack.c ---- */

/* Make the calling thread ready to run kernels: a stack for signal handlers, and the handlers themselves. */
bool s2s_prepare_thread(void);

/* See that self has a stack for `range` functions, shared memory, and stacks for so many gangs, each with the
 * stack limit's size. Returns false if there is no memory. */
bool s2s_prepare_hthread(hthread *self, uint32_t gangs, uint32_t lanes);

/* Run function(arg) as kernel code of `job` on self's own stack. True if it came to its end; otherwise self->fault
 * says why not. */
bool s2s_run_guarded(hthread *self, struct launch_job *job, void (*function)(void *), void *arg);

/* The highest address of stack i, a multiple of 64. Tops are staggered over the cache sets. */
void *s2s_stack_top(const gang_stacks *stacks, uint32_t i);

/* See that self has a stack for each of these `count` fibers, at most MAX_FIBERS. Returns false if there is no memory.
 */
bool s2s_map_fiber_stacks(hthread *self, s2s_gang *gangs, uint32_t count, uint32_t lanes);

/* Shared memory for a block, S2S_SHARED_ROOM_BYTES between pages that cannot be touched; behind it is first a page for
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

/* ---- thread_local.c ---- */

/* Return what *holder, a thread-local pointer, points to: so many bytes, at first 0, which are the calling thread's as
 * long as it lives. Null if there is no memory. Signal handlers may not call it. */
void *s2s_own_memory(void **holder, size_t bytes);

/* ---- deadlock.c ---- */

/* Count what self brought to an end: an item or a wait. */
void s2s_note_change(hthread *self);

/* All gangs that self has begun wait, and have since self last asked: whether nobody will ever do anything about it. */
bool s2s_confirm_wait(hthread *self);

/* The pool has lost hthreads: sums of changes are other ones now. */
void s2s_forget_waits(void);

/* ---- traversal_stats.c ---- */

/* Read $S2S_STATS, once. */
void s2s_read_stats_setting(void);

/* Have what the launches of this process count printed when it ends; said before each launch. */
void s2s_expect_stats(const s2s_kernel *kernel);

/* See that self has room for what a counted kernel counts. Returns false if there is no memory. */
bool s2s_prepare_tally(hthread *self, const s2s_kernel *kernel);

/* Add what all hthreads have counted in the launch that has just ended to what earlier ones did. */
void s2s_collect_tallies(void);

/* ---- profile.c ---- */

/* See that self has counters for the sites of a kernel. Returns false if there is no memory. */
bool s2s_prepare_counts(hthread *self, const s2s_counted_kernel *kernel);

/* So many launches of a kernel have begun; self has counters for it if it is counted. */
void s2s_count_launches(hthread *self, const s2s_kernel *kernel, uint64_t launches);

/* The same of launches by kernels; they are among those of s2s_count_launches, too. */
void s2s_count_children(hthread *self, const s2s_kernel *kernel, uint64_t launches);

/* A launch of a kernel has sorted so many of its threads. */
void s2s_count_sorted(hthread *self, const s2s_kernel *kernel, uint64_t threads);

/* Add what an hthread has counted in the launch that has just ended to what earlier ones did. These and all that
 * follows: under the lock of traversal_stats.c. The last hthread of a launch has been added: s2s_end_of_counts. */
void s2s_collect_counts(hthread *self);
void s2s_end_of_counts(void);

/* ---- traffic.c ---- */

enum { S2S_CACHES = 6 }; /* of 4 KiB, 32 KiB, 256 KiB, 2 MiB, 16 MiB, 128 MiB */

/* What gangs asked of memory. `lines`, of 64 bytes, and `sectors`, of 32, are those that an access had to do with. */
typedef struct s2s_traffic {
	uint64_t global, uniform, stores, bytes, sectors, lines; /* accesses of gangs; the uniform ones; those that write */
	uint64_t missed[S2S_CACHES];                             /* lines that a cache would not have had */
	uint64_t shared, shared_rounds;                          /* accesses; with those for banks that were busy */
	uint64_t local, local_bytes;
	uint64_t atomics, atomic_lanes, atomic_addresses, atomic_hottest; /* the last: lanes at one address of a launch */
	uint64_t longest; /* accesses of the gang that made most of a launch, in all launches */
} s2s_traffic;

/* See that self has caches. Returns false if there is no memory. */
bool s2s_prepare_traffic(hthread *self);

/* What the calling hthread has counted for the kernel of a launch. */
s2s_traffic *s2s_traffic_of(const s2s_launch *launch);

/* The launch has ended: no gang of self goes on. */
void s2s_end_traffic(hthread *self, s2s_traffic *sum);

/* What kernels did, as the items of a list in JSON, and as a table. */
void s2s_print_kernels(FILE *out);
void s2s_print_kernel_table(FILE *out);
void s2s_forget_kernels(void);

/* ---- printf.c ---- */

/* When a launch has ended: join what its hthreads have printed, for s2s_flush_output. */
void s2s_collect_output(void);

/* The same for one hthread, which calls it: one that is not the pool's, or one of a launch with children. */
void s2s_hand_over_output(hthread *self);

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

/* Wait until *word is not `old`, or somebody calls s2s_futex_wake on it; may return early. */
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

/* ---- hooks.c ---- */

struct s2s_parent;

/* Functions of later folders. kernels.c writes the table before main begins. */
typedef struct {
	/* Queues of streams. For a fork: between the first two nothing changes, and the child has no executors and nothing
	 * to do. */
	void (*lock_queues)(void);
	void (*unlock_queues)(void);
	void (*forget_queues)(void);
	/* Wake so many executors, for s2s_help_beside. */
	void (*call_helpers)(uint32_t count);
	/* Whether a stream has a task that could be done now, and nobody does it yet. */
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
	void (*end_parent)(hthread *self, struct s2s_parent *parent);
	/* Do something that others have launched, or own children; false if there is nothing. */
	bool (*do_a_duty)(hthread *self, struct launch_job *root);
} s2s_hook_table;

extern s2s_hook_table s2s_hooks;

/* How many tasks of streams wait or run, and streams capture: as long as that is none, nothing has to be waited for. */
extern _Atomic uint32_t s2s_stream_activity;

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
	_Atomic uint64_t next_block;   /* launches with teams, and with fibers: the next block that nobody has taken */
	bool renumbered;               /* blocks are not those of the launch, by their numbers: a kernel runs that helps */
	bool cooperative;              /* all blocks have begun before one waits for good: there is a barrier of the grid */
	_Atomic bool impatient;        /* all wait: lanes that wait in loops part from others of their gangs */
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

/* Whether a launch by s2s_launch_beside, which waits for nothing that others do, ends sooner than another thread would
 * come for it. */
bool s2s_is_short_launch(const s2s_kernel *kernel, uint64_t nblocks);

/* Choose the version of a kernel for a launch, by ranges of blocks or by gangs; see s2s_kernel. */
uint32_t s2s_choose_version(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, bool ranges);

/* Fill in what a launch needs but its fault: to clear that takes longer than the rest, and nobody reads it before it is
 * set. */
static inline __attribute__((always_inline)) void s2s_begin_job(
	launch_job *job, const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, const void *args, bool cooperative) {
	uint32_t threads = block.x * block.y * block.z;
	job->launch = (s2s_launch){grid, block, threads, (threads + kernel->lanes - 1) >> __builtin_ctz(kernel->lanes),
		args, kernel, S2S_SHARED_ROOM_BYTES};
	job->kernel = kernel;
	job->nblocks = (uint64_t)grid.x * grid.y * grid.z;
	job->version = job->team_size = job->nteams = 0;
	job->parts_x = job->parts_y = 1;
	job->pthread_barrier = job->renumbered = false;
	job->cooperative = cooperative;
	job->teams = NULL;
	job->root = job;
	job->family = NULL;
	job->at_fault = NULL;
	atomic_init(&job->next_block, 0);
	atomic_init(&job->impatient, false);
	atomic_init(&job->grid_arrived, 0);
	atomic_init(&job->grid_phase, 0);
	atomic_init(&job->failed, false);
}

/* ---- nested_grids.c ---- */

/* Run blocks `first` to `first + count - 1` of `kernel`, which is the job's kernel or helps it, with these arguments;
 * return what s2s_pool_run returns. */
uint64_t s2s_run_blocks(launch_job *job, const s2s_kernel *kernel, const void *args, uint64_t first, uint64_t count,
	uint32_t hthreads, uint64_t block_ps);

/* ---- query_sort.c ---- */

/* Run blocks of a launch whose kernel has an `order`, in that order if that is worth it. `block_ps`: how long a block
 * took when blocks last ran as they are, or UNKNOWN_TIME. Returns the first block that is left to run, or the number of
 * all blocks if the launch failed. */
uint64_t s2s_run_sorted(launch_job *job, uint32_t hthreads, uint64_t block_ps);

/* ---- ropes.c ---- */

/* Make a launch whose kernel has `ropes` one of the kernel that follows them, if they can be installed. */
void s2s_use_ropes(launch_job *job);

/* ---- interrupt.c ---- */

/* Take the lock for a launch, which SIGINT may end from now on; false if it did so before there was the lock. */
bool s2s_begin_launch(launch_job *job);

/* In a child process, there is no thread that hears of SIGINT: start another one when it is needed. */
void s2s_forget_listener(void);

/* Make the fault of a launch that failed ready to be read. */
void s2s_settle_interrupt(void);

/* Give back the lock. */
void s2s_end_launch(void);

/* ---- guards.c ---- */

/* Write where `address` lies, seen from the allocation that is nearest, into text: ": 4 bytes behind an allocation of
 * 400 bytes at 0x7f...", ": in an allocation of 400 bytes at 0x7f... that was freed"; nothing if none is near. */
void s2s_tell_nearest(const void *address, char *text, size_t room);

/* ---- dwarf_lines.c ---- */

/* Write the line that an instruction comes from, "walk.cu:17", into text; false if nothing tells it. */
bool s2s_tell_line(const void *instruction, char *text, size_t room);

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

/* ---- foreign_threads.c ---- */

/* Whether a thread that is not ours could write what all of ours wait for. */
bool s2s_others_may_write(void);

/* The system's number of the calling thread. */
long s2s_thread_id(void);

/* ---- block.c ---- */

/* Items of s2s_pool_run: blocks by range functions; blocks gang by gang; members of teams, one by one. */
item_function s2s_run_ranges, s2s_run_gangs, s2s_run_team_member;

/* Run function(arg) as kernel code if self is `prepared`; write down the fault if it ends by one. */
void s2s_run_item(hthread *self, launch_job *job, void (*function)(void *), void *arg, bool prepared);

/* ---- gang_split.c ---- */

/* Begin without any piece. */
void s2s_forget_pieces(hthread *self);

/* Make `pieces` those of a gang that is whole so far. */
void s2s_begin_pieces(s2s_gang *gang, s2s_pieces *pieces);

/* Make the gang one piece with all threads that it begins with. */
static inline void s2s_make_whole(s2s_gang *gang) {
	uint32_t threads = gang->launch->threads - gang->first_thread, lanes = gang->launch->kernel->lanes;
	uint32_t existing = threads < lanes ? threads : lanes;
	gang->alive = gang->expected = gang->counted = existing < 64 ? (1ull << existing) - 1 : ~0ull;
	gang->absent = lanes - existing;
	gang->pieces = NULL;
}

/* Among fibers: part the gang into `lanes`, which are not all that it has, and the others. True for the former, who go
 * on; the others get their turn when the scheduler changes pieces. */
bool s2s_part(s2s_gang *gang, uint64_t lanes);

/* Let another piece of a gang that waits have the next turn, if there is one. */
void s2s_change_pieces(hthread *self, s2s_context *context);

/* The records of the pieces of a fiber that are away, one after the other; null behind the last. */
const s2s_gang *s2s_first_away(const s2s_gang *gang);
const s2s_gang *s2s_next_away(const s2s_gang *away);

/* Whether a fiber that has ended has pieces left, and make one of them the gang that `context` resumes. */
bool s2s_has_pieces(const s2s_gang *gang);
void s2s_next_piece(hthread *self, s2s_gang *gang, s2s_context *context);

/* ---- fibers.c ---- */

/* An item of s2s_pool_run: the blocks that self takes, one beside the other where threads wait. */
item_function s2s_run_fibers;

/* Let `lanes` of a fiber wait apart from the others. True for them, false for the others, who go on. */
bool s2s_wait_apart(s2s_gang *gang, uint64_t lanes);

/* Save the gang in its context and resume the next one; come back when the gang has its turn. */
void s2s_yield(s2s_gang *gang);

/* The top of the stack on which a fiber runs. */
void *s2s_fiber_stack_top(const hthread *self, const s2s_gang *gang);

/* Teams for a launch, each of `team_size` hthreads, ready to start; null if there is no memory. */
team *s2s_teams_for(uint32_t nteams, uint32_t team_size);

#endif
