/* Dynamic parallelism. A family is a launch from the host with all its descendants.
 *
 * Known as: dynamic parallelism; completion by reference counts.
 *
 * A child starts when its parent block has ended, or waits for it. Until then it is a record in a list of its hthread.
 * The children that a block launches into one stream are a sequence, which runs in order. Sequences are independent of
 * each other. They are tasks of the hthread whose blocks launched them (work_stealing.c).
 *
 * Of children that launch nothing, an hthread runs the newest first, so that few wait at a time. Children that may
 * launch run after all others and in order, as on a GPU, unless too many wait. A search that launches a grid for each
 * node then reaches most nodes by the shortest path first, and few nodes twice. An idle hthread steals tasks from
 * others.
 *
 * No hthread waits for a child on its stack. A grid that may launch has a reference count, which reaches zero when the
 * grid is complete; the hthread that brings it to zero continues the sequence of the grid. References are passed
 * on where possible: a block's to the sequence that it has launched, a sequence's to its last child. So most children
 * complete without a write to shared data. Grids that launch nothing need no count, and most belong to no family: see
 * child_streams.c.
 */
#define _GNU_SOURCE
#include "nested/nested.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum {
	MOST_PAUSES = 64,     /* of an idle hthread between two polls: exponential backoff up to these; ... */
	POLLS_PER_YIELD = 16, /* ... it also yields its CPU, once in so many polls */
	BLOCKS_AT_A_TIME = 8, /* taken of a grid that may have children, at most */
	PARTS_PER_HTHREAD = 8,
};

static void lock(atomic_flag *flag) {
	while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire))
		s2s_pause();
}

static void unlock(atomic_flag *flag) {
	atomic_flag_clear_explicit(flag, memory_order_release);
}

_Alignas(2 * CACHE_LINE) _Atomic uint32_t s2s_idle;

/* Queue a sequence. Its children run in the order of the file's first comment, unless a block waits for them. The stack
 * of such a block lies below what its hthread starts meanwhile: so its descendants run first. */
static void push_sequence(hthread *self, s2s_sequence *sequence) {
	bool may_launch = sequence->first->kernel->flags & S2S_LAUNCHES;
	bool waits = sequence->parent || sequence->first->kernel->flags & S2S_FIBERS || self->depth > 0;
	if (may_launch && !waits)
		s2s_push_in_order(self, &sequence->duty);
	else
		s2s_push(self, &sequence->duty);
}

/* ---- completion ---- */

static void begin_tail(hthread *self, s2s_family *family) {
	s2s_sequence *tail = family->tail;
	family->tail = NULL;
	atomic_store(&family->left, 1);
	s2s_push(self, &tail->duty);
}

/* Acquire and release: the last holder sees all writes of the other holders, such as the tail that their blocks made,
 * and data for the children that run now. A hold that was passed on orders both holders: the first one's writes come
 * before it passes the hold on. */
void s2s_give_back(hthread *self, s2s_family *family, uint64_t holds) {
	while (atomic_fetch_sub_explicit(&family->left, holds, memory_order_acq_rel) == holds) {
		if (family->tail) {
			begin_tail(self, family);
			return;
		}
		s2s_family *up = family->up;
		s2s_sequence *in = family->in;
		if (!up) {
			atomic_store(&family->complete, true);
			return;
		}
		s2s_drop(self, family->launched);
		s2s_drop(self, family);
		if (in) {
			s2s_push(self, &in->duty);
			return;
		}
		family = up;
		holds = 1;
	}
}

/* ---- what blocks have made ---- */

void s2s_begin_parent(s2s_parent *parent, const s2s_launch *launch, s2s_dim3 block, bool may_wait) {
	parent->launch = launch;
	parent->block = block;
	parent->in_order = parent->loose = parent->tail = NULL;
	parent->made = (s2s_sequences){NULL, NULL};
	parent->epoch++;
	parent->errors = NULL;
	parent->may_wait = may_wait;
	atomic_store_explicit(&parent->left, 0, memory_order_relaxed);
}

static void append(s2s_sequences *list, s2s_sequences more) {
	if (!more.first)
		return;
	*(list->last ? &list->last->made : &list->first) = more.first;
	list->last = more.last;
}

static void add_tail(hthread *self, s2s_family *family, s2s_sequence *tail) {
	lock(&family->lock);
	bool is_first = !family->tail;
	if (is_first) {
		family->tail = tail;
	} else {
		family->tail->last->next = tail->first;
		family->tail->last = tail->last;
	}
	unlock(&family->lock);
	if (!is_first)
		s2s_drop(self, tail);
}

void s2s_end_parent(hthread *self, s2s_parent *parent) {
	for (s2s_sequence *each = parent->made.first; each; each = each->made)
		each->parent = NULL;
	append(&self->brood->ended, parent->made);
	if (parent->tail) {
		parent->tail->made = NULL;
		append(&self->brood->ended, (s2s_sequences){parent->tail, parent->tail});
		parent->tail->parent = (s2s_parent *)1; /* a tail */
	}
	s2s_begin_parent(parent, NULL, (s2s_dim3){0, 0, 0}, false);
}

static bool is_tail(const s2s_sequence *sequence) {
	return sequence->parent == (s2s_parent *)1;
}

/* Give the tails among sequences to their families; return the others. */
static s2s_sequences add_tails(hthread *self, s2s_sequences list) {
	s2s_sequences others = {NULL, NULL};
	for (s2s_sequence *each = list.first, *next; each; each = next) {
		next = each->made;
		each->made = NULL;
		if (is_tail(each)) {
			each->parent = NULL;
			add_tail(self, each->of, each);
		} else {
			append(&others, (s2s_sequences){each, each});
		}
	}
	return others;
}

/* Start sequences that blocks of a family launched; each holds the family. The caller passes on `holds` holds, of which
 * the surplus is given back. Then, or when the last sequence has started, the family may be complete and freed: so its
 * tail is handled first. A block that ended among fibers, below this one, may have made some for another family. */
static void hand_over_list(hthread *self, s2s_family *family, s2s_sequences list, uint64_t holds) {
	s2s_sequences ready = add_tails(self, list);
	uint64_t count = 0;
	for (s2s_sequence *each = ready.first; each; each = each->made)
		count += each->of == family;
	if (count > holds)
		s2s_hold(family, count - holds);
	for (s2s_sequence *each = ready.first, *next; each; each = next) {
		next = each->made;
		if (each->of != family)
			s2s_hold(each->of, 1);
		if (each->parent)
			atomic_fetch_add(&each->parent->left, 1);
		push_sequence(self, each);
	}
	if (count < holds)
		s2s_give_back(self, family, holds - count);
}

void s2s_hand_over(hthread *self, s2s_parent *parent) {
	s2s_sequences made = parent->made;
	parent->made = (s2s_sequences){NULL, NULL};
	parent->in_order = parent->loose = NULL;
	parent->epoch++;
	for (s2s_sequence *each = made.first; each; each = each->made)
		each->ordered = true; /* else it would be over when its last child has begun */
	if (made.first)
		hand_over_list(self, made.first->of, made, 0);
}

/* ---- running grids ---- */

item_function *s2s_how_to_run(const s2s_kernel *kernel, uint32_t version) {
	if (kernel->flags & S2S_FIBERS)
		return s2s_run_fibers;
	return kernel->range[version] ? s2s_run_ranges : s2s_run_gangs;
}

void s2s_fill_in_child(launch_job *job, launch_job *root, const s2s_launched *child) {
	bool ranges = !(child->kernel->flags & S2S_FIBERS);
	s2s_begin_job(job, child->kernel, child->grid, child->block, child->shared_bytes, child->args, false);
	job->version = s2s_choose_version(child->kernel, child->grid, child->block, ranges);
	job->team_size = 1;
	job->root = root;
}

static bool offer_share(hthread *self, s2s_family *family) {
	s2s_share *share = s2s_take(self, sizeof *share);
	if (!share)
		return false;
	share->duty.is_share = true;
	share->family = family;
	s2s_hold(family, 1);
	s2s_push_open(self, &share->duty);
	return true;
}

/* Fail the launch because of a grid that cannot start or continue. */
static void fail_for(launch_job *root, const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, fault_kind kind) {
	if (atomic_exchange(&root->failed, true))
		return;
	root->fault = (fault){.kind = kind};
	root->at_fault = kernel;
	root->launch_at_fault = (s2s_launch){.grid = grid, .block = block};
}

/* Offer a share in the remaining blocks of a grid, from this one on. False if the launch has failed by that. */
static bool offer_rest(hthread *self, s2s_family *family, uint64_t from) {
	launch_job *job = family->job;
	if (from >= job->nblocks || offer_share(self, family))
		return true;
	fail_for(job->root, job->kernel, job->launch.grid, job->launch.block, FAULT_CHILDREN);
	return false;
}

/* Run blocks of a grid that may have children, and queue these. The children inherit the caller's hold on the family.
 * The rest of the grid is offered to other hthreads: at once, or below the children, which run first. */
static void run_blocks(hthread *self, s2s_family *family, uint64_t first, uint64_t end) {
	launch_job *job = family->job;
	s2s_brood *brood = self->brood;
	bool may_launch = job->kernel->flags & S2S_LAUNCHES;
	if (!may_launch && !offer_rest(self, family, end))
		return;
	s2s_begin_parent(&brood->parent, NULL, (s2s_dim3){0, 0, 0}, false);
	bool measures = !(job->kernel->flags & (S2S_LAUNCHES | S2S_FIBERS));
	uint64_t begin = measures ? __rdtsc() : 0;
	s2s_how_to_run(job->kernel, job->version)(self, job, first, end);
	if (s2s_has_failed(job))
		return;
	if (measures)
		s2s_note_blocks(job->kernel, __rdtsc() - begin, end - first);
	s2s_end_parent(self, &brood->parent);
	if (may_launch && !offer_rest(self, family, end))
		return;
	s2s_sequences ended = brood->ended;
	brood->ended = (s2s_sequences){NULL, NULL};
	hand_over_list(self, family, ended, 1);
}

static bool take_blocks(s2s_family *family, uint64_t *first, uint64_t *end) {
	uint64_t nblocks = family->job->nblocks, at_a_time = family->at_a_time;
	if (atomic_load_explicit(&family->begun, memory_order_relaxed) >= nblocks)
		return false;
	*first = atomic_fetch_add(&family->begun, at_a_time);
	*end = nblocks - *first < at_a_time ? nblocks : *first + at_a_time;
	return *first < nblocks;
}

/* How many blocks an hthread takes at a time. Fibers get all: they share them among themselves. */
static void divide(s2s_family *family, uint32_t hthreads) {
	uint64_t nblocks = family->job->nblocks, part = nblocks / ((uint64_t)hthreads * PARTS_PER_HTHREAD);
	bool may_launch = family->job->kernel->flags & S2S_LAUNCHES;
	family->at_a_time = part < 1 ? 1 : may_launch && part > BLOCKS_AT_A_TIME ? BLOCKS_AT_A_TIME : part;
}

/* Run some blocks of a grid. Consumes the caller's hold on it. */
static void run_grid(hthread *self, s2s_family *family) {
	uint64_t first, end;
	if (s2s_has_failed(family->job))
		return;
	if (family->job->kernel->flags & S2S_FIBERS)
		run_blocks(self, family, 0, UINT64_MAX);
	else if (take_blocks(family, &first, &end))
		run_blocks(self, family, first, end);
	else
		s2s_give_back(self, family, 1);
}

/* Offer a share in a grid to each idle hthread. */
static void offer_shares(hthread *self, s2s_family *family) {
	uint32_t wanted = atomic_load_explicit(&s2s_idle, memory_order_relaxed);
	uint64_t most = family->job->nblocks - 1;
	for (uint32_t i = 0; i < wanted && i < most && offer_share(self, family); i++)
		;
}

s2s_family *s2s_new_family(hthread *self, s2s_sequence *in, s2s_launched *child, uint64_t begun, launch_job *root) {
	s2s_family *family = s2s_take(self, sizeof *family);
	if (!family || in->of->depth == S2S_MOST_NESTED) {
		fail_for(root, child->kernel, child->grid, child->block, family ? FAULT_DEPTH : FAULT_CHILDREN);
		return NULL;
	}
	family->job = &family->own;
	s2s_fill_in_child(&family->own, root, child);
	family->own.family = family;
	family->up = in->of;
	family->in = in->ordered ? in : NULL;
	atomic_init(&family->left, 1);
	atomic_init(&family->begun, begun);
	family->depth = in->of->depth + 1;
	family->launched = child;
	atomic_flag_clear(&family->lock);
	family->tail = NULL;
	divide(family, s2s_pool_size());
	return family;
}

void s2s_begin_grid(hthread *self, s2s_family *family) {
	s2s_count_begun(self, 1);
	s2s_count_children(self, family->job->kernel, 1);
	if (family->job->nblocks > 1 && atomic_load_explicit(&s2s_idle, memory_order_relaxed) > 0)
		offer_shares(self, family);
	run_grid(self, family);
}

/* ---- duties ---- */

static void do_duty(hthread *self, s2s_duty *duty, launch_job *root) {
	if (!duty->is_share) {
		s2s_run_sequence(self, (s2s_sequence *)duty, root);
		return;
	}
	s2s_share *share = (s2s_share *)duty;
	s2s_family *family = share->family;
	s2s_drop(self, share);
	run_grid(self, family);
}

bool s2s_do_a_duty(hthread *self, launch_job *root) {
	s2s_duty *duty = s2s_next_duty(self);
	if (duty)
		do_duty(self, duty, root);
	return duty;
}

/* ---- launches from the host ---- */

static bool prepare(hthread *self) {
	if (self->brood)
		return true;
	s2s_brood *brood =
		aligned_alloc(2 * CACHE_LINE, (sizeof *brood + 2 * CACHE_LINE - 1) / (2 * CACHE_LINE) * (2 * CACHE_LINE));
	if (!brood)
		return false;
	memset(brood, 0, sizeof *brood);
	atomic_flag_clear(&brood->open.lock);
	__atomic_store_n(&self->brood, brood, __ATOMIC_RELEASE);
	return true;
}

/* Join the hthreads that work on a launch; false if it is complete. The first one is counted from the start. */
static bool join(s2s_family *family) {
	if (!atomic_exchange(&family->joined, true))
		return true;
	uint64_t left = atomic_load(&family->left);
	while (left > 0 && !atomic_compare_exchange_weak(&family->left, &left, left + 1))
		;
	return left > 0;
}

static bool is_over(const s2s_family *family, const launch_job *root) {
	return atomic_load_explicit(&family->complete, memory_order_acquire) || s2s_has_failed(root);
}

/* Run tasks until there are none; false if the launch is over. */
static bool work_off(hthread *self, launch_job *root, const s2s_family *family) {
	atomic_store(&self->taking, true); /* before it takes a task: others may wait for the result */
	while (!is_over(family, root))
		if (!s2s_do_a_duty(self, root))
			return true;
	return false;
}

static void pause_before(uint32_t look) {
	for (uint32_t i = 0; i < MOST_PAUSES && i >> look == 0; i++)
		s2s_pause();
	if (look % POLLS_PER_YIELD == POLLS_PER_YIELD - 1)
		sched_yield();
}

/* Poll for a task and run it; false if the launch is over. */
static bool wait_for_duties(hthread *self, launch_job *root, const s2s_family *family) {
	s2s_duty *duty = NULL;
	atomic_fetch_add(&s2s_idle, 1);
	for (uint32_t look = 0; !duty && !is_over(family, root); look++) {
		atomic_store(&self->taking, false);
		pause_before(look);
		atomic_store(&self->taking, true); /* as in work_off */
		duty = s2s_next_duty(self);
	}
	atomic_fetch_sub(&s2s_idle, 1);
	if (duty)
		do_duty(self, duty, root);
	return duty;
}

/* An item of s2s_pool_run: work on the family until it is complete. */
static void run_member(hthread *self, void *arg, uint64_t first, uint64_t end) {
	s2s_family *family = arg;
	launch_job *root = family->job;
	(void)first;
	(void)end;
	if (atomic_load(&family->complete) || !join(family))
		return;
	run_grid(self, family);
	while (work_off(self, root, family) && wait_for_duties(self, root, family))
		;
}

bool s2s_run_family(launch_job *job, uint32_t hthreads) {
	static _Alignas(2 * CACHE_LINE) s2s_family family; /* launches come one at a time */
	for (uint32_t i = 0; i < hthreads; i++)
		if (!prepare(s2s_pool_hthread(i)))
			return false;
	for (uint32_t i = 0; i < s2s_pool_size(); i++) {
		hthread *each = s2s_pool_hthread(i);
		if (!each->brood)
			continue;
		s2s_forget_duties(each, hthreads == 1);
		each->brood->ended = (s2s_sequences){NULL, NULL};
	}
	atomic_store(&s2s_idle, 0);
	s2s_forget_pending(hthreads);
	job->version =
		s2s_choose_version(job->kernel, job->launch.grid, job->launch.block, !(job->kernel->flags & S2S_FIBERS));
	job->family = &family;
	family.job = job;
	family.up = NULL;
	family.in = NULL;
	family.depth = 0;
	family.launched = NULL;
	family.tail = NULL;
	atomic_flag_clear(&family.lock);
	atomic_store(&family.left, 1);
	atomic_store(&family.begun, 0);
	atomic_store(&family.complete, false);
	atomic_store(&family.joined, false);
	divide(&family, hthreads);
	pool_work work = {run_member, &family, hthreads, hthreads, true, UNKNOWN_TIME, 1};
	s2s_pool_run(&work);
	s2s_free_chunks();
	return true;
}
