/* Streams of a grid's children. The children of a stream, a sequence, run one after the other.
 *
 * Most children launch nothing. Such grids run as they are in the sequence: one call of kernel code runs all
 * neighbours among them, and no count is kept. If they take long, other hthreads help. Then a grid gets a family, as
 * grids that may launch do, and its blocks are shared; of a sequence without order, other hthreads get half.
 */
#define _GNU_SOURCE
#include "nested/nested.h"

#include <x86intrin.h>

enum {
	MANY_THREADS = 1024, /* of a grid that launches nothing: it is shared with hthreads that have nothing to do, ... */
	LONG_TICKS = 10000,  /* ... and a smaller one, if it would take so many ticks of the processor's counter */
	FIRST_PART = 16,     /* of which so small a part decides, ... */
	LONG_ONES = 64,      /* ... or what its blocks took last time, which is kept for so many kernels at most */
	CHILDREN_PER_LOOK = 8, /* of a sequence, at the time that they take */
};

/* ---- what blocks take ---- */

/* Kernels of which a block has taken LONG_TICKS. They launch nothing. Two may want the same place: the later one has
 * it. Hthreads write it as they find; it says only what is quicker. */
static _Atomic(const s2s_kernel *) long_ones[LONG_ONES];

static _Atomic(const s2s_kernel *) *place_of(const s2s_kernel *kernel) {
	return &long_ones[((uintptr_t)kernel >> 4) * 0x9E3779B97F4A7C15u >> 32 & (LONG_ONES - 1)];
}

static bool has_long_blocks(const s2s_kernel *kernel) {
	return atomic_load_explicit(place_of(kernel), memory_order_relaxed) == kernel;
}

void s2s_note_blocks(const s2s_kernel *kernel, uint64_t ticks, uint64_t blocks) {
	bool is_long = ticks / blocks >= LONG_TICKS;
	if (is_long != has_long_blocks(kernel))
		atomic_store_explicit(place_of(kernel), is_long ? kernel : NULL, memory_order_relaxed);
}

/* ---- running sequences ---- */

/* Let others have the second half of a sequence whose children may run at the same time, if these are worth it: what
 * launches nothing is so if it takes long. */
static void split(hthread *self, s2s_sequence *sequence) {
	const s2s_kernel *kernel = sequence->first->kernel;
	bool is_worth_it = kernel->flags & S2S_LAUNCHES ? atomic_load_explicit(&s2s_idle, memory_order_relaxed) > 0
													: has_long_blocks(kernel);
	s2s_sequence *half = is_worth_it && !s2s_leaves_duties(self) ? s2s_take(self, sizeof *half) : NULL;
	if (!half)
		return; /* they come one after the other */
	s2s_launched *last = sequence->first;
	uint32_t kept = (sequence->count + 1) / 2;
	for (uint32_t i = 1; i < kept; i++)
		last = last->next;
	*half = *sequence;
	half->first = last->next;
	half->count -= kept;
	half->holds = 0;
	last->next = NULL;
	sequence->last = last;
	sequence->count = kept;
	s2s_hold(sequence->of, 1);
	if (half->parent)
		atomic_fetch_add(&half->parent->left, 1);
	s2s_push_open(self, &half->duty);
}

/* Whether a kernel runs as a call for all its blocks, and launches nothing. */
static bool is_leaf(const s2s_launched *child) {
	return !(child->kernel->flags & (S2S_LAUNCHES | S2S_FIBERS)) &&
		   child->kernel->range[s2s_choose_version(child->kernel, child->grid, child->block, true)];
}

/* Whether a grid is so large that others are to help with it. */
static bool is_shared(hthread *self, const s2s_launched *child) {
	uint64_t nblocks = (uint64_t)child->grid.x * child->grid.y * child->grid.z;
	if (nblocks == 1 || self->brood->alone)
		return false;
	return has_long_blocks(child->kernel) ||
		   (nblocks * child->block.x * child->block.y * child->block.z >= MANY_THREADS &&
			   atomic_load_explicit(&s2s_idle, memory_order_relaxed) > 0);
}

typedef struct {
	hthread *self;
	s2s_sequence *sequence;
	launch_job *root;
	uint64_t begun; /* blocks of the sequence's first child, of which the others are to be shared */
} leaf_call;

/* Run blocks of a grid that launches nothing: all, or a first part, if the rest would take long. Returns how many. */
static uint64_t call_leaf(hthread *self, s2s_range_function *range, launch_job *job) {
	char *shared = self->shared;
	if (job->nblocks == 1 || self->brood->alone) {
		range(&job->launch, shared, 0, job->nblocks);
		return job->nblocks;
	}
	uint64_t part = (job->nblocks + FIRST_PART - 1) / FIRST_PART, left = job->nblocks - part, begin = __rdtsc();
	range(&job->launch, shared, 0, part);
	uint64_t ticks = __rdtsc() - begin;
	s2s_note_blocks(job->kernel, ticks, part);
	if (ticks * left / part > LONG_TICKS)
		return part;
	range(&job->launch, shared, part, job->nblocks);
	return job->nblocks;
}

/* Whether children that follow each other, so many of them since `begin`, take so long that others are to have some. */
static bool take_long(const s2s_kernel *kernel, uint64_t *begin, uint32_t children) {
	uint64_t now = __rdtsc();
	s2s_note_blocks(kernel, now - *begin, children);
	*begin = now;
	return has_long_blocks(kernel);
}

/* Run the first children of a sequence that are of one kernel; not all, if others are to have some. */
static void call_leaves(void *arg) {
	leaf_call *call = arg;
	s2s_sequence *sequence = call->sequence;
	launch_job *job = &call->self->brood->leaf;
	const s2s_kernel *kernel = job->kernel;
	char *shared = call->self->shared;
	uint32_t done = 0, looked_at = sequence->count;
	uint64_t begin = __rdtsc();
	s2s_launched *child = sequence->first;
	s2s_chunk *chunk = s2s_chunk_of(child);
	s2s_range_function *range = kernel->range[job->version];
	*s2s_progress_of(shared) = (s2s_progress){UINT64_MAX, 1, NULL};
	while (child && child->kernel == kernel) {
		if (!s2s_is_same(child->block, job->launch.block) || !s2s_is_same(child->grid, job->launch.grid) ||
			child->shared_bytes != job->launch.dynamic_shared_bytes) {
			s2s_fill_in_child(job, call->root, child);
			range = kernel->range[job->version];
			if (!range)
				break;
		}
		job->launch.args = child->args;
		uint64_t begun = call_leaf(call->self, range, job);
		if (begun < job->nblocks) {
			call->begun = begun;
			break;
		}
		if (s2s_chunk_of(child) != chunk) {
			s2s_drop_from(call->self, chunk, done);
			chunk = s2s_chunk_of(child);
			done = 0;
		}
		done++;
		sequence->count--;
		sequence->first = child = child->next;
		if (sequence->loose && sequence->count % CHILDREN_PER_LOOK == 1) {
			if (take_long(kernel, &begin, looked_at - sequence->count))
				break;
			looked_at = sequence->count;
		}
	}
	s2s_drop_from(call->self, chunk, done);
}

/* The same. Returns how many blocks of the then first child are done: not 0, if the others are to be shared. */
static uint64_t run_leaves(hthread *self, s2s_sequence *sequence, launch_job *root) {
	s2s_launched *child = sequence->first;
	launch_job *job = &self->brood->leaf;
	uint32_t before = sequence->count;
	s2s_fill_in_child(job, root, child);
	leaf_call call = {self, sequence, root, 0};
	s2s_run_item(self, job, call_leaves, &call, s2s_prepare_hthread(self, 0, child->kernel->lanes));
	s2s_count_begun(self, before - sequence->count);
	s2s_count_children(self, job->kernel, before - sequence->count);
	return call.begun;
}

/* Run the first child of a sequence, which launches nothing, but has threads that wait. */
static void run_waiting(hthread *self, s2s_sequence *sequence, launch_job *root) {
	s2s_launched *child = sequence->first;
	launch_job job;
	s2s_fill_in_child(&job, root, child);
	s2s_count_begun(self, 1);
	s2s_count_children(self, job.kernel, 1);
	uint64_t begin = __rdtsc();
	s2s_how_to_run(job.kernel, job.version)(self, &job, 0, job.nblocks);
	s2s_note_blocks(job.kernel, __rdtsc() - begin, job.nblocks);
	sequence->first = child->next;
	sequence->count--;
	s2s_drop(self, child);
}

/* Give back a sequence of which all children have begun, and so many holds on the family. */
static void finish(hthread *self, s2s_sequence *sequence, uint64_t holds) {
	s2s_family *of = sequence->of;
	if (sequence->parent)
		atomic_fetch_sub(&sequence->parent->left, 1);
	s2s_drop(self, sequence);
	if (holds > 0)
		s2s_give_back(self, of, holds);
}

/* Run the first child of an ordered sequence, but for blocks that are done. The sequence continues when it is over. */
static void run_in_turn(hthread *self, s2s_sequence *sequence, uint64_t begun, launch_job *root) {
	s2s_launched *child = sequence->first;
	s2s_family *family = s2s_new_family(self, sequence, child, begun, root);
	if (!family)
		return;
	sequence->first = child->next;
	sequence->count--;
	s2s_begin_grid(self, family);
}

/* Run the first child of a sequence without order. It gets a hold on the sequence's family; the last one gets the
 * sequence's own, and others some that were asked for together. False if the sequence is at its end. */
static bool run_loose(hthread *self, s2s_sequence *sequence, uint64_t begun, launch_job *root) {
	s2s_launched *child = sequence->first;
	s2s_family *family = s2s_new_family(self, sequence, child, begun, root);
	if (!family)
		return false;
	sequence->first = child->next;
	bool is_last = --sequence->count == 0;
	if (is_last) {
		finish(self, sequence, sequence->holds);
	} else {
		if (sequence->holds == 0)
			s2s_hold(sequence->of, sequence->holds = (uint16_t)sequence->count);
		sequence->holds--;
	}
	s2s_begin_grid(self, family);
	return !is_last;
}

void s2s_run_sequence(hthread *self, s2s_sequence *sequence, launch_job *root) {
	while (sequence->first) {
		if (s2s_has_failed(root))
			return;
		if (sequence->loose && sequence->count > 1 && !self->brood->alone)
			split(self, sequence);
		s2s_launched *child = sequence->first;
		uint64_t begun = 0;
		if (!(child->kernel->flags & S2S_LAUNCHES) && !is_shared(self, child)) {
			if (is_leaf(child))
				begun = run_leaves(self, sequence, root);
			else
				run_waiting(self, sequence, root);
			if (begun == 0)
				continue;
		}
		if (sequence->ordered) {
			run_in_turn(self, sequence, begun, root);
			return;
		}
		if (!run_loose(self, sequence, begun, root))
			return;
	}
	if (!s2s_has_failed(root))
		finish(self, sequence, 1 + sequence->holds);
}
