/* Kernels written by hand as the compiler writes them: what the runtime's tests launch. */
#ifndef S2S_TEST_KERNELS_H
#define S2S_TEST_KERNELS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "s2s.h"

/* What generated code does at a barrier: save this gang, resume the next one, note the context one is resumed with. */
static inline void barrier(s2s_gang *gang) {
	s2s_context *own = gang->context, *next = own + 1;
	__asm__ volatile("lea 1f(%%rip), %%rax\n\t"
					 "mov %%rsp, (%0)\n\t"
					 "mov %%rax, 8(%0)\n\t"
					 "mov %%rbp, 16(%0)\n\t"
					 "mov (%1), %%rsp\n\t"
					 "mov 16(%1), %%rbp\n\t"
					 "jmp *8(%1)\n\t"
					 ".p2align 4\n"
					 "1:"
		: "+D"(own), "+S"(next)
		:
		: "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
		"xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
		"memory", "cc");
	gang->context = next;
}

/* The linear index of a gang's block. */
static inline uint64_t block_number(const s2s_gang *gang) {
	const s2s_dim3 *grid = &gang->launch->grid;
	return gang->block.x + (uint64_t)grid->x * (gang->block.y + (uint64_t)grid->y * gang->block.z);
}

/* Kernels below take one parameter, a pointer. */
static inline void *pointer_arg(const s2s_launch *launch) {
	return *(void *const *)launch->args;
}

void store_to_address_16(void);

/* Blocks first to end - 1 take `ns` each, the others next to nothing; each adds 1 to its own count. */
typedef struct {
	uint64_t first, end;
	long ns;
	uint32_t *count;
} wait_args;

/* A grid that launches others, and how many of its descendants are not complete. */
typedef struct plant {
	struct plants *garden;
	struct plant *above, *before;         /* its parent, and the one before it in its stream */
	_Atomic uint32_t blocks, open, tails; /* that have not ended: its blocks; descendants; those of its tails */
	uint32_t number, height;
	bool is_tail;
} plant;

enum { MOST_PLANTS = 1500 };

typedef struct plants {
	plant plant[MOST_PLANTS];
	_Atomic uint32_t sown, wrong;
} plants;

/* Children of some 20 us, which then wait until so many have come, or for 10 s. */
typedef struct {
	uint32_t grids, blocks, wanted;
	_Atomic uint32_t came, met;
} meeting;

typedef struct {
	uint32_t *count; /* how often each block ran */
	uint32_t grain;
	_Atomic uint32_t divided; /* pieces that begin or end within a grain */
} pieces_args;

extern const s2s_kernel kernel_empty;        /* does nothing */
extern const s2s_kernel kernel_count;        /* uint32_t count[blocks * gangs]: each gang adds 1 to its own */
extern const s2s_kernel kernel_late;         /* ditto, but a block takes about 10 us */
extern const s2s_kernel kernel_wait;         /* wait_args */
extern const s2s_kernel kernel_meet;         /* uint32_t arrived: each block waits until all have come */
extern const s2s_kernel kernel_meet_counted; /* ditto, counting iterations */
extern const s2s_kernel kernel_meet_none;    /* they wait for one more */
extern const s2s_kernel kernel_take_turns;   /* uint32_t turn: two blocks add 1 to it, 40 times each, in turns */
extern const s2s_kernel kernel_step, kernel_add_up, kernel_step_below; /* children */
extern const s2s_kernel kernel_breed;    /* uint32_t count: each block adds 1, and launches 4 that are one less high */
extern const s2s_kernel kernel_in_order; /* uint32_t numbers[51]: each of 50 blocks has 120 children */
extern const s2s_kernel kernel_wait_for_children; /* uint32_t count: each adds 1, and its two children do before */
extern const s2s_kernel kernel_grow;   /* plant: each block launches some; counts in `wrong` what comes too early */
extern const s2s_kernel kernel_invite; /* meeting: each block launches the grids */
extern const s2s_kernel kernel_invite_waiting; /* ditto, and waits for them */
extern const s2s_kernel kernel_where;       /* uint32_t numbers[1 + blocks]: ditto; numbers[1 + b] is block b's CPU */
extern const s2s_kernel kernel_pieces;      /* pieces_args: gangs may span its blocks; which pieces hthreads take */
extern const s2s_kernel kernel_version;     /* uint32_t version: which of the two versions ran */
extern const s2s_kernel kernel_empty_gangs; /* has barriers, reaches none */
extern const s2s_kernel kernel_barriers;    /* 1000 barriers in each gang */
extern const s2s_kernel kernel_no_barriers; /* as kernel_barriers without the barriers: subtract */
extern const s2s_kernel kernel_sum; /* uint32_t sum[blocks]: the sum of the thread numbers of the block, by a tree in
									   shared memory */
extern const s2s_kernel kernel_registers;  /* uint32_t wrong: values that did not survive 5 barriers */
extern const s2s_kernel kernel_early_exit; /* uint32_t rounds[blocks * gangs]: gang g leaves after g barriers */
extern const s2s_counted_kernel
	kernel_traverse; /* gang i makes a traversal of i + 1 nodes, which takes two steps each */
extern const s2s_counted_kernel kernel_traverse_waiting; /* ditto, with a barrier between these */
extern const s2s_kernel kernel_uneven; /* uint32_t rounds[blocks * threads]: each waits in so many rounds, then all */
extern const s2s_kernel kernel_ended;  /* uint32_t seen[blocks * threads]: how many ended before the others continued */
extern const s2s_kernel kernel_copied_barrier; /* uint32_t rounds[]: gang g leaves after g + 3, at two copies of one */
extern const s2s_kernel kernel_leaves;         /* as kernel_count, but the last gang leaves for good, the others wait */
extern const s2s_kernel kernel_recurse;        /* block 1 recurses without end, on the block stack */
extern const s2s_kernel kernel_recurse_gang;   /* ditto, on a gang's stack */
extern const s2s_kernel kernel_deep_gang;      /* uint32_t bytes: each gang uses that much stack */
extern const s2s_kernel kernel_null;           /* block 1 stores to address 16 */
extern const s2s_kernel kernel_null_gang;      /* ditto, between barriers */
extern const s2s_kernel kernel_wild;           /* stores to what is no address */
extern const s2s_kernel kernel_divide;         /* divides by zero */
extern const s2s_kernel kernel_huge_frame;     /* the last gang has a frame of 3 MiB */
extern const s2s_kernel kernel_overrun;        /* block 1 writes past a local array */
extern const s2s_kernel kernel_overrun_gang;   /* ditto, the last gang, between barriers */
extern const s2s_kernel kernel_lose_registers; /* returns with other values in registers that are to be kept */
extern const s2s_kernel kernel_illegal;        /* executes an undefined instruction */
extern const s2s_kernel kernel_flush_then_fault; /* sets FTZ and DAZ, then faults */
extern const s2s_kernel kernel_spin;             /* block 1 faults, the others wait for it for ever */
extern const s2s_kernel kernel_endless;          /* never ends */
extern const s2s_kernel kernel_last_endless;     /* ditto, the last block */
extern const s2s_kernel kernel_endless_barriers; /* ditto, from barrier to barrier */

enum { KERNEL_BARRIERS = 1000 };

#endif
