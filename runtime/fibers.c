/* Blocks whose threads wait for each other: their gangs are fibers, and an hthread runs several blocks in turns.
 *
 * A gang that waits, in a loop or at a barrier, hands over to the next one (s2s_yield). The scheduler gets its turn
 * when every gang has had one. If none of them has come any further, it begins the next block beside those that wait:
 * so threads may wait for those of later blocks, as many as an hthread can have at a time. If no block is left either,
 * in any hthread, the launch can make no progress, and ends with an error.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A barrier with a number. Threads that end without coming count as if they had come where all of the block meet. */
typedef struct {
	uint32_t arrived; /* threads */
	uint32_t count;   /* that meet, 0 for all of the block */
	uint32_t votes;
	uint32_t counted; /* votes, when it opened last */
	uint32_t phase;   /* changes when it opens */
} named_barrier;

/* A block that has begun. */
struct s2s_block {
	char *shared;
	uint32_t gangs;   /* that have not ended */
	uint32_t arrived; /* at the barrier */
	uint32_t phase;   /* changes when the barrier opens */
	uint32_t site;    /* the barrier at which gangs wait, as generated code numbers it */
	named_barrier named[S2S_NAMED_BARRIERS + S2S_TILES]; /* those of tiles behind the others */
};

/* What an hthread has for fibers. Gang i runs on stack i. */
struct fibers {
	s2s_context context[MAX_FIBERS + 1]; /* of the gangs that have not ended, then the scheduler's */
	s2s_gang gang[MAX_FIBERS];
	uint32_t count;            /* gangs that have not ended */
	uint32_t free[MAX_FIBERS]; /* the gangs that are free, the next one last */
	uint32_t nfree;
	s2s_block block[MAX_RESIDENT_BLOCKS];
	s2s_block *free_block[MAX_RESIDENT_BLOCKS];
	uint32_t nfree_blocks;
	char text[1024]; /* who waits, when a launch fails for that */
};

/* ---- switches ---- */

/* s2s_yield(gang): save the gang in its context and resume the next one; come back when the gang has its turn. */
void s2s_yield(s2s_gang *gang);
__asm__(".text\n"
		".globl s2s_yield\n"
		".hidden s2s_yield\n"
		".type s2s_yield, @function\n"
		".p2align 4\n"
		"s2s_yield:\n"
		"	push %rbp\n"
		"	push %rbx\n"
		"	push %r12\n"
		"	push %r13\n"
		"	push %r14\n"
		"	push %r15\n"
		"	push %rdi\n"
		"	mov 32(%rdi), %rax\n"
		"	lea 1f(%rip), %rcx\n"
		"	mov %rsp, (%rax)\n"
		"	mov %rcx, 8(%rax)\n"
		"	mov %rbp, 16(%rax)\n"
		"	lea 32(%rax), %rsi\n"
		"	mov (%rsi), %rsp\n"
		"	mov 16(%rsi), %rbp\n"
		"	jmp *8(%rsi)\n"
		"1:	pop %rdi\n"
		"	mov %rsi, 32(%rdi)\n"
		"	pop %r15\n"
		"	pop %r14\n"
		"	pop %r13\n"
		"	pop %r12\n"
		"	pop %rbx\n"
		"	pop %rbp\n"
		"	ret\n"
		".size s2s_yield, . - s2s_yield\n");

/* ---- what kernels wait at ---- */

/* Where gangs wait for threads of their own block, and for nobody else. */
static const char NAMED_BARRIER[] = "a named barrier", BARRIER_OBJECT[] = "a barrier in shared memory";

static void open_barrier(s2s_block *block) {
	block->arrived = 0;
	block->phase++;
}

void s2s_block_barrier(s2s_gang *gang, uint32_t site) {
	s2s_block *block = gang->resident;
	hthread *self = s2s_current();
	if (block->arrived > 0 && block->site != site)
		s2s_raise_barrier_fault(self, gang, block->site, site);
	block->site = site;
	s2s_note_change(self);
	uint32_t phase = block->phase;
	if (++block->arrived == block->gangs)
		open_barrier(block);
	while (block->phase == phase)
		s2s_yield(gang);
}

static void open_if_complete(const s2s_block *block, named_barrier *barrier, uint32_t lanes) {
	uint32_t wanted = barrier->count > 0 ? barrier->count : block->gangs * lanes;
	if (barrier->arrived == 0 || barrier->arrived < wanted)
		return;
	barrier->counted = barrier->votes;
	barrier->arrived = barrier->votes = 0;
	barrier->phase++;
}

/* Lanes that come to one named barrier, and what they bring. */
typedef struct {
	uint64_t lanes;
	named_barrier *barrier;
	uint32_t phase;
	bool waits;
} meeting;

/* Let the lanes arrive that come to the same barrier as the first of `lanes`. */
static meeting arrive(s2s_gang *gang, uint64_t lanes, const uint64_t *slots, uint32_t stride) {
	s2s_block *block = gang->resident;
	const uint64_t *first = slots + __builtin_ctzll(lanes);
	uint32_t number = (uint32_t)first[0], how = (uint32_t)first[2 * stride];
	bool of_tiles = how & S2S_OF_TILES;
	if (number >= (of_tiles ? S2S_TILES : S2S_NAMED_BARRIERS))
		s2s_claim_failed(gang, "a block has the barriers 0 to 15");
	named_barrier *barrier = &block->named[number + (of_tiles ? S2S_NAMED_BARRIERS : 0)];
	meeting here = {0, barrier, barrier->phase, !(how & S2S_ARRIVES)};
	barrier->count = (uint32_t)first[stride];
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		const uint64_t *lane = slots + __builtin_ctzll(left);
		if (lane[0] != first[0])
			continue;
		here.lanes |= left & -left;
		barrier->votes += (uint32_t)lane[3 * stride] != 0;
	}
	uint32_t threads = gang->launch->threads - gang->first_thread, width = gang->launch->kernel->lanes;
	uint64_t existing = threads < width ? (1ull << threads) - 1 : width < 64 ? (1ull << width) - 1 : ~0ull;
	bool counts_whole = (how & S2S_OF_WARPS) || here.lanes == existing;
	barrier->arrived += counts_whole ? width : (uint32_t)__builtin_popcountll(here.lanes);
	open_if_complete(block, barrier, width);
	return here;
}

void s2s_named_barrier(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)count;
	s2s_note_change(s2s_current());
	meeting met[S2S_NAMED_BARRIERS + S2S_TILES];
	uint32_t nmet = 0;
	for (; lanes != 0; lanes &= ~met[nmet++].lanes)
		met[nmet] = arrive(gang, lanes, slots, stride);
	gang->where = NAMED_BARRIER;
	for (uint32_t i = 0; i < nmet; i++) {
		const named_barrier *barrier = met[i].barrier;
		while (met[i].waits && barrier->phase == met[i].phase)
			s2s_yield(gang);
		for (uint64_t left = met[i].lanes; left != 0; left &= left - 1)
			slots[__builtin_ctzll(left)] = barrier->counted;
	}
	gang->where = NULL;
	s2s_note_change(s2s_current());
}

void s2s_awaiting(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)count;
	s2s_note_change(s2s_current());
	for (; lanes != 0; lanes &= lanes - 1) {
		const uint64_t *lane = slots + __builtin_ctzll(lanes);
		const volatile uint64_t *number = (const volatile uint64_t *)(uintptr_t)lane[0];
		bool shared = lane[0] - (uint64_t)(uintptr_t)gang->shared < S2S_SHARED_ROOM_BYTES;
		gang->where = shared ? BARRIER_OBJECT : "a barrier that is an object";
		while (*number == lane[stride])
			s2s_yield(gang);
	}
	gang->where = NULL;
	s2s_note_change(s2s_current());
}

void s2s_grid_barrier(s2s_gang *gang, const char *where) {
	hthread *self = s2s_current();
	launch_job *job = self->job;
	if (!job->cooperative) {
		self->fault = (fault){.kind = FAULT_CLAIM, .claim = where};
		s2s_raise(self);
	}
	s2s_note_change(self);
	uint32_t phase = atomic_load(&job->grid_phase);
	if (atomic_fetch_add(&job->grid_arrived, 1) + 1 == job->nblocks * job->launch.gangs) {
		atomic_store(&job->grid_arrived, 0);
		atomic_fetch_add(&job->grid_phase, 1);
	}
	gang->where = where;
	while (atomic_load_explicit(&job->grid_phase, memory_order_acquire) == phase)
		s2s_yield(gang);
	gang->where = NULL;
	s2s_note_change(self);
}

void s2s_long_wait(s2s_gang *gang, const char *where, uint32_t rounds, uint64_t active) {
	bool goes_on = rounds > S2S_WAIT_ROUNDS && gang->where == where && gang->waiting_lanes == active;
	gang->where = where;
	gang->waiting_lanes = active;
	if (!goes_on)
		s2s_note_change(s2s_current());
	s2s_yield(gang);
}

/* ---- blocks ---- */

static s2s_dim3 place_of(const launch_job *job, uint64_t block) {
	const s2s_dim3 *grid = &job->launch.grid;
	uint64_t row = block / grid->x;
	return (s2s_dim3){(uint32_t)(block % grid->x), (uint32_t)(row % grid->y), (uint32_t)(row / grid->y)};
}

static bool has_room(const fibers *set, const launch_job *job) {
	return set->nfree_blocks > 0 && set->nfree >= job->launch.gangs;
}

const s2s_gang *s2s_fiber(const hthread *self, uint32_t slot) {
	return &self->fibers->gang[slot];
}

static void begin_block(hthread *self, launch_job *job, uint64_t number) {
	fibers *set = self->fibers;
	s2s_block *block = set->free_block[--set->nfree_blocks];
	*block = (s2s_block){.shared = block->shared, .gangs = job->launch.gangs};
	s2s_dim3 place = place_of(job, number);
	for (uint32_t i = 0; i < job->launch.gangs; i++) {
		uint32_t slot = set->free[--set->nfree];
		s2s_gang *gang = &set->gang[slot];
		*gang = (s2s_gang){.launch = &job->launch,
			.shared = block->shared,
			.block = place,
			.first_thread = i * job->kernel->lanes,
			.resident = block};
		void **top = s2s_stack_top(&self->fiber_stacks, slot);
		top[0] = (void *)job->kernel->gang[job->version];
		top[1] = gang;
		top[2] = &self->finished;
		set->context[set->count++] = (s2s_context){top, (void *)s2s_gang_start, NULL, gang};
	}
	s2s_note_change(self);
}

/* Take the contexts of gangs that have ended out of the ring, and those of blocks that have. */
static void drop_ended(hthread *self) {
	fibers *set = self->fibers;
	uint32_t kept = 0, before = set->count;
	for (uint32_t i = 0; i < before; i++)
		if (set->context[i].gang)
			set->context[kept++] = set->context[i];
	set->count = kept;
	bool lives[MAX_FIBERS] = {false};
	for (uint32_t i = 0; i < kept; i++)
		lives[set->context[i].gang - set->gang] = true;
	for (uint32_t slot = 0; slot < MAX_FIBERS; slot++) {
		s2s_block *block = set->gang[slot].resident;
		if (lives[slot] || !block)
			continue;
		set->gang[slot].resident = NULL;
		set->free[set->nfree++] = slot;
		if (--block->gangs == 0)
			set->free_block[set->nfree_blocks++] = block;
		else if (block->arrived == block->gangs) /* who has ended counts as arrived */
			open_barrier(block);
		for (uint32_t i = 0; i < S2S_NAMED_BARRIERS + S2S_TILES && block->gangs > 0; i++)
			open_if_complete(block, &block->named[i], self->job->kernel->lanes);
	}
	s2s_note_change(self);
}

static bool is_alone_in_the_end(const hthread *self, const launch_job *job) {
	const s2s_gang *gang = self->fibers->context[0].gang;
	const s2s_dim3 *grid = &job->launch.grid, *block = &gang->block;
	return self->fibers->count == 1 && gang->first_thread + job->kernel->lanes >= job->launch.threads &&
		   block->x == grid->x - 1 && block->y == grid->y - 1 && block->z == grid->z - 1;
}

/* Whether all that wait here wait for threads of their own blocks, which wait here too. */
static bool only_blocks_wait(const fibers *set) {
	for (uint32_t i = 0; i < set->count; i++) {
		const char *where = set->context[i].gang->where;
		if (where && where != NAMED_BARRIER && where != BARRIER_OBJECT)
			return false;
	}
	return true;
}

/* Where a gang waits, as a text: in a loop, or at a barrier, of which not all have a number. */
static void tell_where(const launch_job *job, const s2s_gang *gang, char *text, size_t room) {
	const s2s_block *block = gang->resident;
	if (gang->where)
		snprintf(text, room, "%s", gang->where);
	else if (block->site > 0) {
		const s2s_site *site = &job->kernel->sites[block->site - 1];
		snprintf(text, room, "the barrier at %s:%u:%u", site->file, site->line, site->column);
	} else
		snprintf(text, room, "a barrier");
}

/* The places where self's gangs wait, each with the first threads that are there. */
static const char *tell_who_waits(hthread *self, const launch_job *job) {
	fibers *set = self->fibers;
	enum { MOST_PLACES = 4 };
	char places[MOST_PLACES][256];
	uint32_t nplaces = 0;
	size_t used = 0;
	for (uint32_t i = 0; i < set->count && nplaces < MOST_PLACES; i++) {
		const s2s_gang *gang = set->context[i].gang;
		tell_where(job, gang, places[nplaces], sizeof *places);
		uint32_t same = 0;
		while (strcmp(places[same], places[nplaces]) != 0)
			same++;
		if (same < nplaces)
			continue;
		const s2s_dim3 *block = &gang->block;
		uint32_t last = gang->first_thread + job->kernel->lanes;
		last = last < job->launch.threads ? last : job->launch.threads;
		int length =
			snprintf(set->text + used, sizeof set->text - used, "%sblock (%u, %u, %u), threads %u to %u, at %s",
				nplaces > 0 ? "; " : "", block->x, block->y, block->z, gang->first_thread, last - 1, places[nplaces]);
		used += length > 0 ? (size_t)length : 0;
		if (used >= sizeof set->text)
			break;
		nplaces++;
	}
	return set->text;
}

/* All wait, and no block is left to begin: find out whether the other hthreads are in the same state. */
static void wait_for_others(hthread *self, launch_job *job, uint32_t rounds) {
	if (!only_blocks_wait(self->fibers) && (is_alone_in_the_end(self, job) || !s2s_confirm_wait(self))) {
		if (rounds > 16)
			sched_yield();
		return;
	}
	self->fault = (fault){.kind = FAULT_WAIT, .claim = tell_who_waits(self, job)};
	s2s_raise(self);
}

static void call_fibers(void *arg) {
	hthread *self = arg;
	launch_job *job = self->job;
	fibers *set = self->fibers;
	uint32_t idle_rounds = 0;
	for (;;) {
		bool waits = set->count > 0 && idle_rounds == 0;
		if (!waits && has_room(set, job)) {
			uint64_t next = atomic_fetch_add(&job->next_block, 1);
			if (next < job->nblocks) {
				begin_block(self, job, next);
				idle_rounds = 0;
			}
		}
		if (set->count == 0)
			return;
		uint64_t before = atomic_load_explicit(&self->wait.changes, memory_order_relaxed);
		self->finished = 0;
		s2s_run_ring(&set->context[set->count], &set->context[0], &self->finished, false);
		if (self->finished > 0)
			drop_ended(self);
		bool idle = atomic_load_explicit(&self->wait.changes, memory_order_relaxed) == before;
		idle_rounds = idle ? idle_rounds + 1 : 0;
		if (idle_rounds > 1 && atomic_load(&job->next_block) >= job->nblocks)
			wait_for_others(self, job, idle_rounds);
		else if (idle_rounds > 1 && !has_room(set, job))
			wait_for_others(self, job, idle_rounds);
	}
}

/* ---- launches ---- */

static bool prepare(hthread *self, const launch_job *job) {
	if (!self->fibers) {
		self->fibers = calloc(1, sizeof *self->fibers);
		if (!self->fibers)
			return false;
	}
	fibers *set = self->fibers;
	set->count = set->nfree = set->nfree_blocks = 0;
	for (uint32_t i = 0; i < MAX_FIBERS; i++) {
		set->gang[i].resident = NULL;
		set->free[set->nfree++] = MAX_FIBERS - 1 - i;
	}
	uint32_t blocks = MAX_FIBERS / job->launch.gangs;
	blocks = blocks < MAX_RESIDENT_BLOCKS ? blocks : MAX_RESIDENT_BLOCKS;
	for (uint32_t i = 0; i < blocks; i++) {
		s2s_block *block = &set->block[blocks - 1 - i];
		if (!block->shared)
			block->shared = s2s_map_shared();
		if (!block->shared)
			return false;
		set->free_block[set->nfree_blocks++] = block;
	}
	return s2s_prepare_hthread(self, 0, job->kernel->lanes) &&
		   s2s_map_fiber_stacks(self, MAX_FIBERS, job->kernel->lanes);
}

void s2s_run_fibers(hthread *self, void *arg, uint64_t first, uint64_t end) {
	launch_job *job = arg;
	(void)first;
	(void)end;
	s2s_run_item(self, job, call_fibers, self, prepare(self, job));
}

uint32_t s2s_resident_blocks(const s2s_kernel *kernel, uint32_t threads) {
	if (!(kernel->flags & S2S_FIBERS))
		return 1;
	uint32_t blocks = MAX_FIBERS / ((threads + kernel->lanes - 1) / kernel->lanes);
	return blocks < MAX_RESIDENT_BLOCKS ? blocks : MAX_RESIDENT_BLOCKS;
}
