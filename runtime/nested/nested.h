/* Children: launches that kernels make; see children.c for how they are made, and nested_grids.c and child_streams.c
 * for how they are run. */
#ifndef S2S_NESTED_H
#define S2S_NESTED_H

#include "exec/exec.h"

/* A child that has not begun. */
typedef struct s2s_launched {
	struct s2s_launched *next; /* in its sequence */
	const s2s_kernel *kernel;
	s2s_dim3 grid, block;
	uint32_t shared_bytes;    /* dynamic shared memory of a block */
	_Alignas(16) char args[]; /* packed as the kernel wants them */
} s2s_launched;

/* Something that an hthread can do: a sequence, or a share in a grid. */
typedef struct s2s_duty {
	struct s2s_duty *next, *before;
	bool is_share;
} s2s_duty;

typedef struct {
	s2s_duty *first, *last;
	uint32_t count;
} s2s_duties;

/* Children of one grid, one after the other. */
struct s2s_sequence {
	s2s_duty duty;
	struct s2s_family *of;     /* their parent's */
	struct s2s_parent *parent; /* the parent that may wait for them; null: none */
	s2s_launched *first, *last;
	uint32_t count;
	uint16_t holds;            /* on the family, for children that have not begun: fewer than LOOSE_CHILDREN */
	bool ordered;              /* a child begins when those before are complete */
	bool loose;                /* children may run at the same time */
	struct s2s_sequence *made; /* the next one in a list of sequences that are not handed over yet */
};

/* A part of the work on a grid, for an hthread that has nothing else to do. */
typedef struct s2s_share {
	s2s_duty duty;
	struct s2s_family *family;
} s2s_share;

/* A stream that a block has made; valid as long as the block is. */
typedef struct s2s_device_stream {
	s2s_sequence *sequence;
	uint64_t epoch; /* in which it is that */
} s2s_device_stream;

/* A grid whose threads may launch children. */
typedef struct s2s_family {
	launch_job *job; /* its own, or that of the launch from the host */
	struct s2s_family *up;
	s2s_sequence *in;       /* that continues when the family is complete; null: `up` is only notified */
	_Atomic uint64_t left;  /* what keeps it from being complete: blocks that run, shares in them, sequences */
	_Atomic uint64_t begun; /* blocks that an hthread has taken */
	uint64_t at_a_time;     /* blocks that an hthread takes */
	uint32_t depth;         /* how many grids it lies in, each launched by the one before */
	s2s_launched *launched; /* null for the launch from the host */
	atomic_flag lock;       /* of this: */
	s2s_sequence *tail;     /* what comes when all else is complete */
	launch_job own;
	_Atomic bool joined;   /* an hthread works on the launch from the host, as which this and the next are */
	_Atomic bool complete; /* all look at it, and nothing beside it is written */
} s2s_family;

enum { LOOSE_CHILDREN = 64 }; /* in a sequence without order */

/* Memory for what is above, filled by one hthread; see arena.c. */
typedef struct s2s_chunk {
	struct s2s_brood *owner;                    /* of the hthread that fills it */
	struct s2s_chunk *next;                     /* of its chunks */
	uint32_t used, taken;                       /* bytes, and things. Only the owner writes this and the above */
	struct s2s_chunk *next_free;                /* of its chunks with nothing in them */
	_Alignas(CACHE_LINE) _Atomic uint32_t live; /* things in it; all count down */
	_Alignas(CACHE_LINE) char things[];
} s2s_chunk;

enum { CHUNK_BYTES = 1 << 16 };

/* The chunk in which something lies. */
static inline s2s_chunk *s2s_chunk_of(const void *taken) {
	return (s2s_chunk *)((uintptr_t)taken & ~(uintptr_t)(CHUNK_BYTES - 1));
}

/* What others may take of an hthread's duties. */
typedef struct {
	atomic_flag lock;                 /* of these: */
	s2s_duties stack, queue;          /* the newest, and the oldest, comes first */
	_Atomic uint32_t stacked, queued; /* how many these are, for those that have not got the lock */
} s2s_open;

/* Things of a chunk that an hthread has dropped, and not counted in the chunk. */
typedef struct {
	s2s_chunk *chunk;
	uint32_t count;
} s2s_dropped;

enum { DROPPED_FROM = 4 };

/* What an hthread has for children. */
typedef struct s2s_brood {
	_Alignas(2 * CACHE_LINE) s2s_open open;
	_Alignas(2 * CACHE_LINE) _Atomic(s2s_chunk *) dead; /* of its chunks; others add to it */
	_Alignas(2 * CACHE_LINE) _Atomic int64_t places;    /* for launches; others may take some. See pending_launches.c */
	_Alignas(2 * CACHE_LINE) s2s_duties stack;          /* the newest comes first. This and what follows is its own */
	s2s_duties portion, queued; /* the oldest of the queue, and the newest: between them lie the open ones */
	bool alone;                 /* no other hthread works on the launch */
	uint32_t looked_at;         /* the hthread from which it last took something */
	s2s_chunk *chunk;           /* that is being filled */
	s2s_chunk *chunks, *free;   /* all that there are, and those that can be filled */
	s2s_dropped dropped[DROPPED_FROM];
	s2s_parent parent;   /* the block that runs, unless its threads are fibers */
	s2s_sequences ended; /* made by blocks that have ended */
	launch_job leaf;     /* the children that run, if these cannot launch any */
} s2s_brood;

/* Memory for something that lives until s2s_drop. Null if there is none. Called by kernel code, too. */
void *s2s_take(hthread *self, size_t bytes);
void s2s_drop(hthread *self, void *taken);
void s2s_drop_from(hthread *self, s2s_chunk *chunk, uint32_t count); /* so many things of one chunk */

/* When a launch is over, nothing in its chunks is needed, even if it has failed. */
void s2s_free_chunks(void);

/* The family of a gang's grid. */
static inline s2s_family *s2s_family_of(const s2s_gang *gang) {
	return ((const launch_job *)gang->launch)->family;
}

static inline bool s2s_is_same(s2s_dim3 one, s2s_dim3 other) {
	return one.x == other.x && one.y == other.y && one.z == other.z;
}

/* Note an error for the lane that made it, for cudaGetLastError; returns it. cudaSuccess is none. */
int s2s_note_error(hthread *self, s2s_gang *gang, uint32_t lane, int code);

/* Give each lane what the function makes of its arguments, and note it if it is an error. */
typedef int s2s_answer_function(hthread *self, s2s_gang *gang, const uint64_t *lane, uint32_t stride);
void s2s_answer(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, s2s_answer_function *function);

/* The service s2s_NAME, which does that. */
#define S2S_ANSWERED(name, function)                                                                                   \
	void s2s_##name(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {                \
		(void)count;                                                                                                   \
		s2s_answer(gang, lanes, slots, stride, function);                                                              \
	}

/* Drop the errors of a block that ends. */
void s2s_forget_errors_of(hthread *self, s2s_parent *parent);

/* End the launch from kernel code: there is no memory for what it asks for. */
_Noreturn void s2s_fail_for_memory(hthread *self);

/* Add to what an hthread has to do: before all else; so, but for any idle hthread, as this one is busy
 * first; or after all that came in order, as far as these are not too many. */
void s2s_push(hthread *self, s2s_duty *duty);
void s2s_push_open(hthread *self, s2s_duty *duty);
void s2s_push_in_order(hthread *self, s2s_duty *duty);

/* Whether there is something that others can take. */
bool s2s_leaves_duties(const hthread *self);

/* The next thing to do, its own or another one's; null if there is nothing. */
s2s_duty *s2s_next_duty(hthread *self);

/* Begin without anything to do. */
void s2s_forget_duties(hthread *self, bool alone);

/* The parent that a gang's block is. */
s2s_parent *s2s_parent_of(hthread *self, s2s_gang *gang);

/* Run a launch of a kernel that may launch children, and these, on so many hthreads. False if there is no memory. This
 * function and the next three of the same names are hooks; see sched/hooks.h. */
bool s2s_run_family(launch_job *job, uint32_t hthreads);

/* Begin with a block that has no children. */
void s2s_begin_parent(s2s_parent *parent, const s2s_launch *launch, s2s_dim3 block, bool may_wait);

/* What the block has made is kept until its hthread can hand it over. */
void s2s_end_parent(hthread *self, s2s_parent *parent);

/* Hand over what the block has made, for it waits. */
void s2s_hand_over(hthread *self, s2s_parent *parent);

/* Do something that others have made, or own children; false if there is nothing. */
bool s2s_do_a_duty(hthread *self, launch_job *root);

/* ---- between nested_grids.c and child_streams.c ---- */

/* Hthreads of the launch that have nothing to do. Written by them when they have found that, and when that is over;
 * read by those that have. */
extern _Atomic uint32_t s2s_idle;

/* Have more holds on a family: the caller has one, so the count cannot be zero. */
static inline void s2s_hold(s2s_family *family, uint64_t holds) {
	atomic_fetch_add_explicit(&family->left, holds, memory_order_relaxed);
}

/* Give back holds on a family, and continue with what waits for it if these were the last ones. */
void s2s_give_back(hthread *self, s2s_family *family, uint64_t holds);

/* How a child's blocks are run, and the job of doing that. */
item_function *s2s_how_to_run(const s2s_kernel *kernel, uint32_t version);
void s2s_fill_in_child(launch_job *job, launch_job *root, const s2s_launched *child);

/* The family of the first child of a sequence that is ordered or else has a hold on its family to spare. Null if there
 * can be none: then the launch has failed. So many blocks are done already. */
s2s_family *s2s_new_family(hthread *self, s2s_sequence *in, s2s_launched *child, uint64_t begun, launch_job *root);

/* Run blocks of a grid that begins, together with those that have nothing to do. */
void s2s_begin_grid(hthread *self, s2s_family *family);

/* Note what blocks of a kernel that launches nothing have taken, in ticks of the processor's counter. */
void s2s_note_blocks(const s2s_kernel *kernel, uint64_t ticks, uint64_t blocks);

/* Run the children of a sequence, until it has to wait for one. */
void s2s_run_sequence(hthread *self, s2s_sequence *sequence, launch_job *root);

/* ---- pending_launches.c ---- */

/* Count a launch, if launches are limited; false if there are too many. Then, those that have begun. */
bool s2s_count_pending(hthread *self);
void s2s_count_begun(hthread *self, uint32_t count);
void s2s_forget_pending(uint32_t hthreads); /* when a launch begins, on so many */

/* How many children may wait to begin: cudaLimitDevRuntimePendingLaunchCount; 0 without a limit. */
void s2s_set_pending_limit(size_t count);
size_t s2s_pending_limit(void);

#endif
