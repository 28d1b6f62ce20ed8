/* Dynamic parallelism. A family is a launch from the host with all its children, and theirs.
 *
 * Known as: dynamic parallelism; completion by reference counts.
 *
 * A child begins when its parent block has ended, or waits for it: until then it is a record in a list of its hthread.
 * Children of a block that go into one stream make a sequence, which is run one by one; sequences know nothing of each
 * other. They are duties of the hthread whose blocks have made them (work_stealing.c). Of children that launch nothing
 * it does the newest first, so that little waits at a time. Those that may have children come after all else and in
 * order, as on a GPU, as long as not too many wait: a search that launches a grid for each node it finds gets to most
 * nodes by the shortest way first, and to few of them twice. One that has nothing to do takes from others.
 *
 * Nobody waits for a child on a stack: a grid that may have children has a count of what keeps it from being complete,
 * and who brings this reference count to zero goes on with the sequence in which it stands. A hold on a grid is handed
 * on where that can be done: a block's to the sequence that it has made, a sequence's to its last child. So most
 * children are complete without a write to anything that others write, too. Grids that launch nothing need none of
 * this, and most are none of a family's: see child_streams.c.
 */
#define _GNU_SOURCE
#include "nested/nested.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum {
	MOST_PAUSES = 64, /* of an hthread that has nothing to do, between two looks: more each time, up to these; ... */
	POLLS_PER_YIELD = 16, /* ... then it also lets others have its CPU, after so many looks */
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

/* Add a sequence that is handed over: its children come in the order of the file's first comment, but where a block
 * waits. That lies on a stack below what its hthread begins meanwhile: so its descendants come before all else. */
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

/* Acquire and release: who comes last sees what all have done that had a hold, such as the tail that their blocks have
 * made, and what they wrote for the children that come now. A hold that was handed on counts for both that had it: the
 * first has written before it handed it on. */
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

/* Let sequences begin that blocks of a family have made, each with a hold on it. They come with so many holds already,
 * of which those that are too many are given back: then, or when the last of them has begun, the family may be
 * complete, and gone; so its tail comes first. A block that ended among fibers, below this one, may have made some for
 * another family. */
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
	s2s_begin_job(job, child->kernel, child->grid, child->block, child->args, false);
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

/* Let the launch fail for a grid that cannot begin, or go on. */
static void fail_for(launch_job *root, const s2s_kernel *kernel, s2s_dim3 grid, s2s_dim3 block, fault_kind kind) {
	if (atomic_exchange(&root->failed, true))
		return;
	root->fault = (fault){.kind = kind};
	root->at_fault = kernel;
	root->launch_at_fault = (s2s_launch){.grid = grid, .block = block};
}

/* Offer a share in the blocks that are left of a grid from this one on. False if that cannot be: the launch has failed.
 */
static bool offer_rest(hthread *self, s2s_family *family, uint64_t from) {
	launch_job *job = family->job;
	if (from >= job->nblocks || offer_share(self, family))
		return true;
	fail_for(job->root, job->kernel, job->launch.grid, job->launch.block, FAULT_CHILDREN);
	return false;
}

/* Run blocks of a grid that may have children, and hand these over; they take the place of the hold that the caller has
 * on the family. What is left of the grid is offered to others: at once, or below the children, which come first. */
static void run_blocks(hthread *self, s2s_family *family, uint64_t first, uint64_t end) {
	launch_job *job = family->job;
	s2s_brood *brood = self->brood;
	bool may_launch = job->kernel->flags & S2S_LAUNCHES;
	if (!may_launch && !offer_rest(self, family, end))
		return;
	s2s_begin_parent(&brood->parent, NULL, (s2s_dim3){0, 0, 0}, false);
	bool tells = !(job->kernel->flags & (S2S_LAUNCHES | S2S_FIBERS));
	uint64_t begin = tells ? __rdtsc() : 0;
	s2s_how_to_run(job->kernel, job->version)(self, job, first, end);
	if (s2s_has_failed(job))
		return;
	if (tells)
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

/* How many blocks an hthread takes at a time. Fibers are given all: they share them among themselves. */
static void divide(s2s_family *family, uint32_t hthreads) {
	uint64_t nblocks = family->job->nblocks, part = nblocks / ((uint64_t)hthreads * PARTS_PER_HTHREAD);
	bool may_launch = family->job->kernel->flags & S2S_LAUNCHES;
	family->at_a_time = part < 1 ? 1 : may_launch && part > BLOCKS_AT_A_TIME ? BLOCKS_AT_A_TIME : part;
}

/* Run some blocks of a grid, on which the caller has a hold, which is given away. */
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

/* Offer a share in a grid to each hthread that has nothing to do. */
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

/* Be one of those that work on a launch; false if it is complete. Who comes first has been counted already. */
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

/* Do what there is; false if the launch is over. */
static bool work_off(hthread *self, launch_job *root, const s2s_family *family) {
	atomic_store(&self->taking, true); /* before it takes something: others may wait for what it does */
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

/* Look for something to do until there is, and do it; false if the launch is over. */
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
