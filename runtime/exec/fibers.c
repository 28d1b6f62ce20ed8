/* Blocks whose threads wait for each other: their gangs are fibers, and an hthread runs several blocks in turns.
 *
 * Known as: cooperative scheduling of fibers (user-mode threads).
 *
 * A gang that waits, in a loop or at a barrier, yields to the next one (s2s_yield). The scheduler runs when every gang
 * has had a turn. If no gang has made progress, or one waits in a loop, it starts the next block beside the present
 * ones. So threads may wait for threads of later blocks, as many as an hthread can hold. If no hthread has a block
 * left either, the launch can make no progress, and ends with an error.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* How often a gang reports a loop in which some of its lanes wait, until these are split off. */
enum { PATIENCE = 1 << 10, POLLS_PER_YIELD = 256 };

/* Where blocks wait for others that have no room, an hthread makes more: so many turns of all gangs after one ended, or
 * as many in which nothing changed. */
enum { TURNS_BEFORE_ROOM = 1 << 10, IDLE_TURNS_BEFORE_ROOM = 1 << 6 };

/* To look at what the other hthreads do takes them time. */
enum { BETWEEN_LOOKS_NS = 20000 };

/* A barrier with a number. Threads that end without coming count as if they had come where all of the block meet.
 * Where a number of threads meet, those of a warp that have ended or never existed come with the others. */
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
	uint32_t gangs;                                      /* that have not ended */
	uint32_t threads;                                    /* that have not ended, as far as their gangs have reported */
	uint32_t arrived;                                    /* threads at the barrier */
	uint32_t phase;                                      /* changes when the barrier opens */
	uint32_t meeting;                                    /* named barriers at which threads are */
	named_barrier named[S2S_NAMED_BARRIERS + S2S_TILES]; /* those of tiles after the others */
	s2s_parent parent;                                   /* what it has launched */
};

enum { MOST_LEVELS = 100 }; /* CUDA has 24 */

/* Fibers that wait for children, while their hthread runs others. */
struct fiber_level {
	fibers *fibers; /* this and the next: while others are in use */
	gang_stacks stacks;
	fiber_level *deeper; /* what is used while these wait; null until then */
};

/* What an hthread has for fibers. Gang i runs on stack i. */
struct fibers {
	s2s_context context[MOST_FIBERS + 1]; /* of the gangs that have not ended, then the scheduler's */
	s2s_gang gang[MOST_FIBERS];
	s2s_pieces pieces[MOST_FIBERS]; /* of the gangs, those that are away */
	bool lives[MOST_FIBERS];        /* those that have not ended; only drop_ended uses it */
	bool waited;                    /* one of the gangs has, in a loop, since the scheduler had its turn */
	bool split;                     /* one of the gangs is */
	bool full;                      /* there is no room for more gangs, and none can be made */
	uint32_t count;                 /* gangs that have not ended */
	uint32_t turns;                 /* of all gangs, since one ended or there was more room */
	uint32_t room;                  /* gangs that have stacks */
	uint32_t free[MOST_FIBERS];     /* the gangs that are free, the next one last */
	uint32_t nfree;
	s2s_block block[MOST_RESIDENT_BLOCKS];
	s2s_block *free_block[MOST_RESIDENT_BLOCKS];
	uint32_t room_blocks; /* blocks that have shared memory */
	uint32_t nfree_blocks;
	uint64_t looked_ns; /* when it looked last at what the other hthreads do */
	bool impatient;     /* the launch is, and this hthread knows */
	char text[1024];    /* which threads wait, when a launch fails for that */
};

/* ---- switches ---- */

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

static void open_if_all_came(s2s_block *block) {
	if (block->arrived < block->threads || block->arrived == 0)
		return;
	block->arrived = 0;
	block->phase++;
}

static void open_if_complete(s2s_block *block, named_barrier *barrier) {
	uint32_t wanted = barrier->count > 0 ? barrier->count : block->threads;
	if (barrier->arrived == 0 || barrier->arrived < wanted)
		return;
	barrier->counted = barrier->votes;
	barrier->arrived = barrier->votes = 0;
	block->meeting--;
	barrier->phase++;
}

/* Threads of the block have ended: all barriers that waited for these only open. */
static void lose_threads(s2s_block *block, uint32_t count) {
	if (count == 0)
		return;
	block->threads -= count;
	open_if_all_came(block);
	for (uint32_t i = 0; i < S2S_NAMED_BARRIERS + S2S_TILES && block->meeting > 0; i++)
		open_if_complete(block, &block->named[i]);
}

/* Report to the block which lanes of the gang have ended since the last report. */
static void report_ended(s2s_gang *gang) {
	uint32_t ended = (uint32_t)__builtin_popcountll(gang->counted & ~gang->alive);
	gang->counted = gang->alive;
	gang->absent += ended;
	lose_threads(gang->resident, ended);
}

static bool wait_separately(s2s_gang *gang, uint64_t lanes) {
	report_ended(gang);
	if (lanes == gang->alive)
		return true;
	hthread *self = s2s_current();
	fibers *set = self->fibers;
	set->split = true;
	s2s_note_change(self);
	if (!gang->pieces)
		s2s_begin_pieces(gang, &set->pieces[gang - set->gang]);
	bool here = s2s_part(gang, lanes);
	gang->counted = gang->alive;
	gang->absent = here ? gang->absent : 0;
	return here;
}

bool s2s_wait_separately(s2s_gang *gang, uint64_t lanes) {
	return wait_separately(gang, lanes);
}

void s2s_part_at(s2s_gang *gang, uint64_t named, uint64_t active) {
	report_ended(gang);
	active &= gang->alive;
	if (active == 0)
		return;
	if (named & gang->alive & ~active)
		(void)wait_separately(gang, active);
	if (!gang->pieces) /* those that are named have ended meanwhile */
		s2s_begin_pieces(gang, &s2s_current()->fibers->pieces[gang - s2s_current()->fibers->gang]);
}

void s2s_block_barrier(s2s_gang *gang, const char *where, uint64_t active) {
	if (!wait_separately(gang, active))
		return;
	s2s_block *block = gang->resident;
	s2s_note_change(s2s_current());
	uint32_t phase = block->phase;
	block->arrived += (uint32_t)__builtin_popcountll(active);
	open_if_all_came(block);
	gang->where = where;
	gang->of_block = true;
	while (block->phase == phase)
		s2s_yield(gang);
	gang->where = NULL;
}

/* The lanes that reach the same named barrier as the first of `lanes`, and do the same there. */
static uint64_t that_meet(uint64_t lanes, const uint64_t *slots, uint32_t stride) {
	const uint64_t *first = slots + __builtin_ctzll(lanes);
	uint64_t same = 0;
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		const uint64_t *lane = slots + __builtin_ctzll(left);
		if (lane[0] == first[0] && lane[2 * stride] == first[2 * stride])
			same |= left & -left;
	}
	return same;
}

/* Let lanes arrive at their barrier, that of `lane`. */
static named_barrier *arrive(s2s_gang *gang, uint64_t lanes, const uint64_t *slots, uint32_t stride) {
	s2s_block *block = gang->resident;
	const uint64_t *first = slots + __builtin_ctzll(lanes);
	uint32_t number = (uint32_t)first[0], how = (uint32_t)first[2 * stride];
	bool of_tiles = how & S2S_OF_TILES;
	if (number >= (of_tiles ? S2S_TILES : S2S_NAMED_BARRIERS))
		s2s_claim_failed(gang, "a block has the barriers 0 to 15");
	named_barrier *barrier = &block->named[number + (of_tiles ? S2S_NAMED_BARRIERS : 0)];
	barrier->count = (uint32_t)first[stride];
	for (uint64_t left = lanes; left != 0; left &= left - 1)
		barrier->votes += (uint32_t)slots[__builtin_ctzll(left) + 3 * stride] != 0;
	uint32_t arrived = (uint32_t)__builtin_popcountll(lanes);
	if (barrier->count > 0 && how & S2S_OF_WARPS)
		arrived = gang->launch->kernel->lanes;
	else if (barrier->count > 0 && lanes == gang->alive)
		arrived += gang->absent;
	block->meeting += barrier->arrived == 0;
	barrier->arrived += arrived;
	return barrier;
}

void s2s_named_barrier(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)count;
	s2s_note_change(s2s_current());
	report_ended(gang);
	while (lanes != 0) {
		uint64_t here = that_meet(lanes, slots, stride);
		bool waits = !(slots[__builtin_ctzll(here) + 2 * stride] & S2S_ARRIVES);
		if (waits && !wait_separately(gang, here)) {
			lanes &= gang->alive;
			continue;
		}
		named_barrier *barrier = arrive(gang, here, slots, stride);
		uint32_t phase = barrier->phase;
		open_if_complete(gang->resident, barrier);
		gang->where = "a named barrier";
		gang->of_block = true;
		while (waits && barrier->phase == phase)
			s2s_yield(gang);
		gang->where = NULL;
		for (uint64_t left = here; left != 0; left &= left - 1)
			slots[__builtin_ctzll(left)] = barrier->counted;
		lanes &= ~here;
	}
	s2s_note_change(s2s_current());
}

/* The lanes for which `awaited` has happened already. */
static uint64_t that_need_not_wait(uint64_t lanes, const uint64_t *slots, uint32_t stride) {
	uint64_t found = 0;
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		const uint64_t *lane = slots + __builtin_ctzll(left);
		if (*(const volatile uint64_t *)(uintptr_t)lane[0] != lane[stride])
			found |= left & -left;
	}
	return found;
}

void s2s_awaiting(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)count;
	s2s_note_change(s2s_current());
	uint64_t left = lanes & ~that_need_not_wait(lanes, slots, stride);
	if (left == 0 || !wait_separately(gang, left))
		return;
	for (; left != 0; left &= ~that_need_not_wait(left, slots, stride)) {
		const uint64_t *lane = slots + __builtin_ctzll(left);
		gang->of_block = lane[0] - (uint64_t)(uintptr_t)gang->shared < S2S_SHARED_ROOM_BYTES;
		gang->where = gang->of_block ? "a barrier in shared memory" : "a barrier that is an object";
		s2s_yield(gang);
	}
	gang->where = NULL;
	s2s_note_change(s2s_current());
}

void s2s_grid_barrier(s2s_gang *gang, const char *where, uint64_t active) {
	hthread *self = s2s_current();
	launch_job *job = self->job;
	if (!job->cooperative) {
		self->fault = (fault){.kind = FAULT_CLAIM, .claim = where};
		s2s_raise(self);
	}
	if (!wait_separately(gang, active))
		return;
	s2s_note_change(self);
	uint64_t phase = atomic_load(&job->grid_phase);
	uint32_t threads = (uint32_t)__builtin_popcountll(active) + gang->absent;
	uint64_t all = job->nblocks * job->launch.gangs * job->kernel->lanes;
	if (atomic_fetch_add(&job->grid_arrived, threads) + threads == all) {
		atomic_store(&job->grid_arrived, 0);
		atomic_fetch_add(&job->grid_phase, 1);
	}
	gang->where = where;
	gang->of_block = false;
	while (atomic_load_explicit(&job->grid_phase, memory_order_acquire) == phase)
		s2s_yield(gang);
	gang->where = NULL;
	s2s_note_change(self);
}

void s2s_long_wait(s2s_gang *gang, const char *where, uint32_t iterations, uint64_t active) {
	hthread *self = s2s_current();
	self->fibers->waited = true;
	report_ended(gang);
	active &= gang->alive;
	bool patient = gang->long_waits < PATIENCE && !atomic_load_explicit(&self->job->impatient, memory_order_relaxed);
	if (active != 0 && active != gang->alive && !patient && !wait_separately(gang, active))
		return;
	bool works = iterations == 0;
	bool goes_on = (works || iterations > S2S_WAIT_ITERATIONS) && gang->where == where && gang->waiting_lanes == active;
	gang->where = where;
	gang->of_block = false;
	gang->waiting_lanes = active;
	gang->long_waits = goes_on ? gang->long_waits + 1 : 0;
	if (!goes_on)
		s2s_note_change(self);
	gang->works = works;
	s2s_yield(gang);
	gang->works = false;
}

void s2s_give_way(s2s_gang *gang) {
	hthread *self = s2s_current();
	self->fibers->waited = true;
	s2s_note_change(self);
	s2s_yield(gang);
}

/* ---- blocks ---- */

static s2s_dim3 place_of(const launch_job *job, uint64_t block) {
	const s2s_dim3 *grid = &job->launch.grid;
	uint64_t row = block / grid->x;
	return (s2s_dim3){(uint32_t)(block % grid->x), (uint32_t)(row % grid->y), (uint32_t)(row / grid->y)};
}

s2s_parent *s2s_parent_of_resident(s2s_gang *gang) {
	return &gang->resident->parent;
}

static bool has_room(const fibers *set, const launch_job *job) {
	return set->nfree_blocks > 0 && set->nfree >= job->launch.gangs;
}

static void begin_block(hthread *self, launch_job *job, uint64_t number) {
	fibers *set = self->fibers;
	s2s_block *block = set->free_block[--set->nfree_blocks];
	if (block->meeting > 0) /* threads came there last, and no others */
		memset(block->named, 0, sizeof block->named);
	block->gangs = job->launch.gangs;
	block->threads = job->launch.threads;
	block->arrived = block->meeting = 0;
	s2s_dim3 place = place_of(job, number);
	if (job->family)
		s2s_hooks.begin_parent(&block->parent, &job->launch, place, true);
	for (uint32_t i = 0; i < job->launch.gangs; i++) {
		uint32_t slot = set->free[--set->nfree];
		s2s_gang *gang = &set->gang[slot];
		*gang = (s2s_gang){.launch = &job->launch,
			.shared = block->shared,
			.block = place,
			.first_thread = i * job->kernel->lanes,
			.resident = block};
		s2s_make_whole(gang);
		void **top = s2s_stack_top(&self->fiber_stacks, slot);
		top[0] = (void *)job->kernel->gang[job->version];
		top[1] = gang;
		top[2] = &self->finished;
		set->context[set->count++] = (s2s_context){top, (void *)s2s_gang_start, NULL, gang};
	}
	s2s_note_change(self);
}

/* Give more gangs stacks, and more blocks shared memory, which are free then. False if there is no memory. */
static bool add_room(hthread *self, const launch_job *job, uint32_t gangs, uint32_t blocks) {
	fibers *set = self->fibers;
	if (!s2s_map_fiber_stacks(self, set->gang, gangs, job->kernel->lanes))
		return false;
	for (uint32_t slot = gangs; slot-- > set->room;) {
		set->gang[slot].resident = NULL;
		set->free[set->nfree++] = slot;
	}
	set->room = gangs;
	for (uint32_t i = blocks; i-- > set->room_blocks;) {
		s2s_block *block = &set->block[i];
		if (!block->shared && !(block->shared = s2s_map_shared()))
			return false;
		set->free_block[set->nfree_blocks++] = block;
	}
	set->room_blocks = blocks;
	return true;
}

/* All that have begun wait, perhaps for blocks that have not: make room for twice as many. An hthread has its share of
 * what the system can map: each stack lies between two guards. */
static void make_more_room(hthread *self, const launch_job *job) {
	fibers *set = self->fibers;
	uint32_t hthreads = s2s_pool_size() > 0 ? s2s_pool_size() : 1;
	uint32_t most = MOST_FIBERS / hthreads, most_blocks = MOST_RESIDENT_BLOCKS / hthreads;
	uint32_t gangs = 2 * set->room, blocks = 2 * set->room_blocks;
	set->turns = 0;
	set->full = gangs > most || blocks > most_blocks;
	if (set->full)
		return;
	s2s_begin_hold(self);
	set->full = !add_room(self, job, gangs, blocks);
	s2s_end_hold(self);
	s2s_note_change(self);
}

/* Whether a gang that has ended continues as another piece; then it is put in the ring. */
static bool resumes_as_piece(hthread *self, uint32_t slot) {
	fibers *set = self->fibers;
	s2s_gang *gang = &set->gang[slot];
	uint32_t ended = (uint32_t)__builtin_popcountll(gang->counted), absent = gang->absent;
	s2s_block *block = gang->resident;
	bool more = gang->pieces && s2s_has_pieces(gang);
	if (more) {
		s2s_next_piece(self, gang, &set->context[set->count++]);
		gang->absent += ended + absent;
	}
	lose_threads(block, ended);
	return more;
}

/* Take the contexts of gangs that have ended out of the ring, and those of blocks that have. */
static void drop_ended(hthread *self) {
	fibers *set = self->fibers;
	uint32_t kept = 0, before = set->count;
	for (uint32_t i = 0; i < before; i++)
		if (set->context[i].gang)
			set->context[kept++] = set->context[i];
	set->count = kept;
	memset(set->lives, 0, set->room);
	for (uint32_t i = 0; i < kept; i++)
		set->lives[set->context[i].gang - set->gang] = true;
	set->turns = 0;
	for (uint32_t slot = 0; slot < set->room; slot++) {
		s2s_block *block = set->gang[slot].resident;
		if (set->lives[slot] || !block || resumes_as_piece(self, slot))
			continue;
		set->gang[slot].resident = NULL;
		set->free[set->nfree++] = slot;
		if (--block->gangs > 0)
			continue;
		if (self->job->family)
			s2s_hooks.end_parent(self, &block->parent);
		set->free_block[set->nfree_blocks++] = block;
	}
	s2s_note_change(self);
}

/* Whether this holds for one of the gangs, or for a piece of one that is away. */
static bool any_gang(const fibers *set, bool (*holds)(const s2s_gang *)) {
	for (uint32_t i = 0; i < set->count; i++) {
		const s2s_gang *gang = set->context[i].gang;
		if (holds(gang))
			return true;
		for (const s2s_gang *away = s2s_first_away(gang); away; away = s2s_next_away(away))
			if (holds(away))
				return true;
	}
	return false;
}

/* Whether it waits for others than the threads of its own block. */
static bool waits_beyond_block(const s2s_gang *gang) {
	return !gang->of_block;
}

/* Whether it changes something while it waits, which others may see. */
static bool works(const s2s_gang *gang) {
	return gang->works;
}

/* Write the threads that lanes of a gang are: `3`, `3, 5 to 7`. */
static void describe_threads(const s2s_gang *gang, char *text, size_t room) {
	size_t used = 0;
	text[0] = '\0';
	for (uint64_t left = gang->alive; left != 0 && used < room;) {
		uint32_t first = (uint32_t)__builtin_ctzll(left), last = first;
		while (last < 63 && left >> (last + 1) & 1)
			last++;
		left &= last < 63 ? ~0ull << (last + 1) : 0;
		const char *format = first == last ? "%s%u" : "%s%u to %u";
		int length = snprintf(text + used, room - used, format, used > 0 ? ", " : "", gang->first_thread + first,
			gang->first_thread + last);
		used += length > 0 ? (size_t)length : 0;
	}
}

enum { MOST_PLACES = 4 };

/* Where gangs wait, as a text: each place with the first threads that are there. */
typedef struct {
	const char *places[MOST_PLACES];
	uint32_t nplaces;
	size_t used;
} wait_list;

static void add_wait(fibers *set, wait_list *list, const s2s_gang *gang) {
	const char *where = gang->where ? gang->where : "a barrier";
	for (uint32_t i = 0; i < list->nplaces; i++)
		if (strcmp(list->places[i], where) == 0)
			return;
	if (list->nplaces == MOST_PLACES || list->used >= sizeof set->text)
		return;
	list->places[list->nplaces++] = where;
	char threads[256];
	describe_threads(gang, threads, sizeof threads);
	const s2s_dim3 *block = &gang->block;
	int length =
		snprintf(set->text + list->used, sizeof set->text - list->used, "%sblock (%u, %u, %u), threads %s, at %s",
			list->used > 0 ? "; " : "", block->x, block->y, block->z, threads, where);
	list->used += length > 0 ? (size_t)length : 0;
}

static const char *describe_waits(fibers *set, const launch_job *job) {
	wait_list list = {0};
	for (uint32_t i = 0; i < set->count; i++) {
		const s2s_gang *gang = set->context[i].gang;
		add_wait(set, &list, gang);
		for (const s2s_gang *away = s2s_first_away(gang); away; away = s2s_next_away(away))
			add_wait(set, &list, away);
	}
	uint64_t begun = atomic_load(&job->next_block);
	if (begun < job->nblocks && list.used < sizeof set->text)
		snprintf(set->text + list.used, sizeof set->text - list.used,
			"; there is no room for %llu blocks that have not begun", (unsigned long long)(job->nblocks - begun));
	return set->text;
}

/* All wait, and no block is left to begin: find out whether the other hthreads are in the same state. */
static void wait_for_others(hthread *self, launch_job *job, uint32_t polls) {
	fibers *set = self->fibers;
	uint64_t now = s2s_now_ns();
	bool looks = now - set->looked_ns > BETWEEN_LOOKS_NS;
	if (looks)
		set->looked_ns = now;
	if (!looks || any_gang(set, works) || (any_gang(set, waits_beyond_block) && !s2s_confirm_wait(self))) {
		if (polls > 16)
			sched_yield();
		return;
	}
	if (!set->impatient) {
		atomic_store(&job->impatient, true);
		return;
	}
	self->fault = (fault){.kind = FAULT_WAIT, .claim = describe_waits(set, job)};
	s2s_raise(self);
}

/* It waits for the children of its block. */
static bool waits_for_children(const s2s_gang *gang) {
	return gang->for_children;
}

static void call_fibers(void *arg) {
	hthread *self = arg;
	launch_job *job = self->job;
	fibers *set = self->fibers;
	uint32_t idle_polls = 0;
	for (;;) {
		bool busy = set->count > 0 && idle_polls == 0 && !set->waited;
		if (!busy && has_room(set, job) && atomic_load(&job->next_block) < job->nblocks) {
			uint64_t next = atomic_fetch_add(&job->next_block, 1);
			if (next < job->nblocks) {
				begin_block(self, job, next);
				idle_polls = 0;
			}
		}
		if (set->count == 0)
			return;
		uint64_t before = atomic_load_explicit(&self->wait.changes, memory_order_relaxed);
		self->finished = 0;
		set->waited = false;
		s2s_run_ring(&set->context[set->count], &set->context[0], &self->finished, false);
		if (self->finished > 0)
			drop_ended(self);
		if (set->split)
			for (uint32_t i = 0; i < set->count; i++)
				s2s_change_pieces(self, &set->context[i]);
		if (!set->impatient && atomic_load(&job->impatient)) { /* each piece has a turn, to be split where it waits */
			set->impatient = true;
			s2s_note_change(self);
		}
		bool idle = atomic_load_explicit(&self->wait.changes, memory_order_relaxed) == before;
		idle_polls = idle ? idle_polls + 1 : 0;
		uint32_t turns = set->split ? job->kernel->lanes : 1; /* until all pieces have had theirs */
		bool begun = atomic_load(&job->next_block) >= job->nblocks;
		set->turns++;
		bool lasts = set->turns >= TURNS_BEFORE_ROOM || idle_polls >= IDLE_TURNS_BEFORE_ROOM;
		if (!begun && !set->full && lasts && !has_room(set, job))
			make_more_room(self, job);
		bool no_more = begun || (set->full && !has_room(set, job));
		if (idle_polls > 0 && any_gang(set, waits_for_children))
			return; /* and come back when a child has run */
		if (idle_polls > turns && no_more)
			wait_for_others(self, job, idle_polls);
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
	set->room = set->room_blocks = set->turns = 0;
	set->split = set->waited = set->impatient = set->full = false;
	s2s_forget_pieces(self);
	uint32_t blocks = MAX_FIBERS / job->launch.gangs;
	blocks = blocks < MAX_RESIDENT_BLOCKS ? blocks : MAX_RESIDENT_BLOCKS;
	return s2s_prepare_hthread(self, 0, job->kernel->lanes) && add_room(self, job, MAX_FIBERS, blocks);
}

static bool fail(launch_job *root, fault why) {
	if (!atomic_exchange(&root->failed, true))
		root->fault = why;
	return false;
}

/* Do something for the children that fibers wait for: these keep their stacks, and others of the hthread are used.
 * Returns false if there was nothing to do, or the launch has failed. */
static bool serve_children(hthread *self, launch_job *root) {
	fiber_level *here = self->fiber_level;
	if (self->depth == MOST_LEVELS)
		return fail(root,
			(fault){.kind = FAULT_CLAIM, .claim = "kernels that wait for their children lie too deep in each other"});
	if (!here->deeper)
		here->deeper = calloc(1, sizeof *here->deeper);
	if (!here->deeper)
		return fail(root, (fault){.kind = FAULT_MEMORY});
	here->fibers = self->fibers;
	here->stacks = self->fiber_stacks;
	self->fiber_level = here->deeper;
	self->fibers = here->deeper->fibers;
	self->fiber_stacks = here->deeper->stacks;
	self->depth++;
	bool did = s2s_hooks.do_a_duty(self, root);
	self->depth--;
	here->deeper->fibers = self->fibers;
	here->deeper->stacks = self->fiber_stacks;
	self->fiber_level = here;
	self->fibers = here->fibers;
	self->fiber_stacks = here->stacks;
	return did;
}

void s2s_run_fibers(hthread *self, void *arg, uint64_t first, uint64_t end) {
	launch_job *job = arg;
	(void)first;
	(void)end;
	if (!self->fiber_level)
		self->fiber_level = calloc(1, sizeof *self->fiber_level);
	bool prepared = self->fiber_level && prepare(self, job);
	uint32_t polls = 0;
	for (;;) {
		s2s_run_item(self, job, call_fibers, self, prepared);
		if (s2s_has_failed(job) || !prepared || self->fibers->count == 0)
			return;
		polls = serve_children(self, job->root) ? 0 : polls + 1;
		if (polls % POLLS_PER_YIELD == POLLS_PER_YIELD - 1)
			sched_yield();
	}
}

void *s2s_fiber_stack_top(const hthread *self, const s2s_gang *gang) {
	return s2s_stack_top(&self->fiber_stacks, (uint32_t)(gang - self->fibers->gang));
}

uint32_t s2s_resident_blocks(const s2s_kernel *kernel, uint32_t threads) {
	if (!(kernel->flags & S2S_FIBERS))
		return 1;
	uint32_t blocks = MAX_FIBERS / ((threads + kernel->lanes - 1) / kernel->lanes);
	return blocks < MAX_RESIDENT_BLOCKS ? blocks : MAX_RESIDENT_BLOCKS;
}
