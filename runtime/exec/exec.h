/* Launches.
 *
 * launch.c checks a launch, chooses how to run it and reports how it ended; block.c runs blocks, fibers.c those whose
 * threads wait for each other, gang_split.c gangs whose lanes do. query_sort.c sorts threads that search trees; ropes.c
 * installs ropes in trees. traversal_stats.c counts what traversals do, profile.c and traffic.c what kernels do.
 */
#ifndef S2S_EXEC_H
#define S2S_EXEC_H

#include "device/device.h"

/* The companion of a kernel that is for this; null without. */
static inline const s2s_companion *s2s_companion_for(const s2s_kernel *kernel, enum s2s_companion_kind kind) {
	for (uint32_t i = 0; i < kernel->ncompanions; i++)
		if (kernel->companions[i].kind == kind)
			return &kernel->companions[i];
	return NULL;
}

/* ---- launch.c ---- */

/* Whether a launch by s2s_launch_beside, which waits for nothing that others do, ends sooner than another thread would
 * come for it. */
bool s2s_is_short_launch(const s2s_kernel *kernel, uint64_t nblocks);

/* Choose the version of a kernel for a launch, by ranges of blocks or by gangs; see s2s_kernel. */
uint32_t s2s_choose_version(const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, bool ranges);

/* Fill in what a launch needs but its fault: to clear that takes longer than the rest, and it is not read before it is
 * set. */
static inline __attribute__((always_inline)) void s2s_begin_job(launch_job *job, const s2s_kernel *kernel,
	s2s_dim3 grid, s2s_dim3 block, size_t shared_bytes, const void *args, bool cooperative) {
	uint32_t threads = block.x * block.y * block.z;
	job->launch = (s2s_launch){grid, block, threads, (threads + kernel->lanes - 1) >> __builtin_ctz(kernel->lanes),
		args, kernel, S2S_SHARED_ROOM_BYTES, (uint32_t)shared_bytes};
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

/* Run blocks `first` to `first + count - 1` of `kernel`, which is the job's kernel or helps it, with these arguments;
 * return what s2s_pool_run returns. */
uint64_t s2s_run_blocks(launch_job *job, const s2s_kernel *kernel, const void *args, uint64_t first, uint64_t count,
	uint32_t hthreads, uint64_t block_ps);

/* ---- query_sort.c ---- */

/* Run blocks of a launch whose kernel has a companion for it in the order of what threads search for, if that is worth
 * it. `block_ps`: how long a block took when blocks last ran as they are, or UNKNOWN_TIME. Returns the first block that
 * is left to run, or the number of all blocks if the launch failed. */
uint64_t s2s_run_sorted(launch_job *job, uint32_t hthreads, uint64_t block_ps);

/* ---- ropes.c ---- */

/* Make a launch of a kernel one of its companion that follows ropes, if they can be installed. */
void s2s_use_ropes(launch_job *job);

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

/* Among fibers: split the gang into `lanes`, which are not all that it has, and the others. True for the former, which
 * continue; the others get their turn when the scheduler changes pieces. */
bool s2s_part(s2s_gang *gang, uint64_t lanes);

/* Let another piece of a gang that waits have the next turn, if there is one. */
void s2s_change_pieces(hthread *self, s2s_context *context);

/* The records of the pieces of a fiber that are away, one after the other; null after the last. */
const s2s_gang *s2s_first_away(const s2s_gang *gang);
const s2s_gang *s2s_next_away(const s2s_gang *away);

/* Whether a fiber that has ended has pieces left, and make one of them the gang that `context` resumes. */
bool s2s_has_pieces(const s2s_gang *gang);
void s2s_next_piece(hthread *self, s2s_gang *gang, s2s_context *context);

/* ---- fibers.c ---- */

/* An item of s2s_pool_run: the blocks that self takes, one beside the other where threads wait. */
item_function s2s_run_fibers;

/* Let `lanes` of a fiber wait without the others. True for them, false for the others, which continue. */
bool s2s_wait_separately(s2s_gang *gang, uint64_t lanes);

/* Save the gang in its context and resume the next one; come back when the gang has its turn. */
void s2s_yield(s2s_gang *gang);

/* The top of the stack on which a fiber runs. */
void *s2s_fiber_stack_top(const hthread *self, const s2s_gang *gang);

/* Teams for a launch, each of `team_size` hthreads, ready to start; null if there is no memory. */
team *s2s_teams_for(uint32_t nteams, uint32_t team_size);

/* ---- blocks that launch children ---- */

typedef struct s2s_sequence s2s_sequence;

/* A list of sequences. */
typedef struct {
	s2s_sequence *first, *last;
} s2s_sequences;

/* Errors that threads have not asked for; see child_errors.c. */
typedef struct s2s_gang_errors s2s_gang_errors;

/* A block that launches children. */
typedef struct s2s_parent {
	const s2s_launch *launch;
	s2s_dim3 block;
	s2s_sequence *in_order, *loose,
		*tail;             /* of its default stream, of launches that are forgotten, and of the last ones */
	s2s_sequences made;    /* not handed over yet, except the tail */
	uint64_t epoch;        /* changes when these are */
	_Atomic uint32_t left; /* sequences that are not complete, of those handed over. Others count down */
	s2s_gang_errors *errors;
	bool may_wait; /* it is a block of fibers */
} s2s_parent;

/* Among fibers: the parent that a gang's block is. */
s2s_parent *s2s_parent_of_resident(s2s_gang *gang);

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

/* The launch has ended: no gang of self continues. */
void s2s_end_traffic(hthread *self, s2s_traffic *sum);

/* What kernels did, as the items of a list in JSON, and as a table. */
void s2s_print_kernels(FILE *out);
void s2s_print_kernel_table(FILE *out);
void s2s_forget_kernels(void);

/* ---- dwarf_lines.c ---- */

/* Write the line that an instruction comes from, "walk.cu:17", into text; false if it is unknown. */
bool s2s_find_line(const void *instruction, char *text, size_t room);

#endif
