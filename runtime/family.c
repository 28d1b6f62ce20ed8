/* Families: the launch of a kernel from the host with all the children, and theirs, that it brings about.
 *
 * A child begins when its parent block has ended, or waits for it: until then it is a record in a list of its hthread.
 * Children of a block that go into one stream make a sequence, which is run one by one; sequences know nothing of each
 * other. An hthread keeps those that its blocks have made in a list of its own. Of children that launch nothing it does
 * the newest first, so that little waits at a time. Those that may have children come behind all else and in order, as
 * on a GPU, as long as not too many wait: a search that launches a grid for each node it finds gets to most nodes by
 * the shortest way first, and to few of them twice. One that has nothing to do takes from another one's list.
 *
 * Nobody waits for a child on a stack: a grid that may have children has a count of what keeps it from being complete,
 * and who counts it down to nothing goes on with the sequence in which it stands. Grids that launch nothing, which most
 * children are, need none of this: those that follow each other run in one go, in one call of kernel code.
 */
#define _GNU_SOURCE
#include "family.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
	POLLS_PER_YIELD = 256, /* of an hthread that has nothing to do */
	BLOCKS_AT_A_TIME = 8,  /* taken of a grid that may have children, at most */
	PARTS_PER_HTHREAD = 8,
	MOST_IN_ORDER = 1 << 16, /* sequences in a list */
};

static void lock(atomic_flag *flag) {
	while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire))
		s2s_pause();
}

static void unlock(atomic_flag *flag) {
	atomic_flag_clear_explicit(flag, memory_order_release);
}

/* ---- duties ---- */

static _Atomic uint32_t idle; /* hthreads of the launch that have nothing to do */

static void push(hthread *self, s2s_duty *duty) {
	s2s_brood *brood = self->brood;
	duty->in_order = false;
	lock(&brood->lock);
	duty->next = brood->newest;
	duty->before = NULL;
	*(brood->newest ? &brood->newest->before : &brood->oldest) = duty;
	brood->newest = duty;
	atomic_store_explicit(&brood->count, brood->count + 1, memory_order_relaxed);
	unlock(&brood->lock);
}

/* Add a sequence that is handed over: its children come in the order of the file's first comment. */
static void push_sequence(hthread *self, s2s_sequence *sequence) {
	s2s_brood *brood = self->brood;
	uint32_t count = atomic_load_explicit(&brood->count, memory_order_relaxed);
	bool may_launch = sequence->first->kernel->flags & S2S_LAUNCHES;
	bool waits = sequence->parent || sequence->first->kernel->flags & S2S_FIBERS; /* on a stack, below what it begins */
	if (!may_launch || waits || count >= MOST_IN_ORDER) {
		push(self, &sequence->duty);
		return;
	}
	sequence->duty.in_order = true;
	lock(&brood->lock);
	sequence->duty.next = NULL;
	sequence->duty.before = brood->oldest;
	*(brood->oldest ? &brood->oldest->next : &brood->newest) = &sequence->duty;
	brood->oldest = &sequence->duty;
	atomic_store_explicit(&brood->count, brood->count + 1, memory_order_relaxed);
	unlock(&brood->lock);
}

static s2s_duty *pop(s2s_brood *brood, bool newest) {
	if (atomic_load_explicit(&brood->count, memory_order_relaxed) == 0)
		return NULL;
	lock(&brood->lock);
	s2s_duty *duty = newest || (brood->oldest && brood->oldest->in_order) ? brood->newest : brood->oldest;
	if (duty) {
		*(duty->before ? &duty->before->next : &brood->newest) = duty->next;
		*(duty->next ? &duty->next->before : &brood->oldest) = duty->before;
		atomic_store_explicit(&brood->count, brood->count - 1, memory_order_relaxed);
	}
	unlock(&brood->lock);
	return duty;
}

static s2s_duty *next_duty(hthread *self) {
	s2s_duty *duty = pop(self->brood, true);
	for (uint32_t i = 1; !duty && i < s2s_pool_size(); i++) {
		hthread *other = s2s_pool_hthread((self->index + i) % s2s_pool_size());
		s2s_brood *brood = __atomic_load_n(&other->brood, __ATOMIC_ACQUIRE);
		if (brood)
			duty = pop(brood, false);
	}
	return duty;
}

/* ---- completion ---- */

static void begin_tail(hthread *self, s2s_family *family) {
	s2s_sequence *tail = family->tail;
	family->tail = NULL;
	atomic_store(&family->left, 1);
	push(self, &tail->duty);
}

/* Count down what keeps a family from being complete, and go on with what waits for that. */
static void count_down(hthread *self, s2s_family *family) {
	while (atomic_fetch_sub(&family->left, 1) == 1) {
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
		s2s_drop(family->launched);
		s2s_drop(family);
		if (in) {
			push(self, &in->duty);
			return;
		}
		family = up;
	}
}

/* ---- what blocks have made ---- */

void s2s_begin_parent(s2s_parent *parent, const s2s_launch *launch, s2s_dim3 block, bool may_wait) {
	parent->launch = launch;
	parent->block = block;
	parent->in_order = parent->loose = parent->tail = NULL;
	parent->made = (s2s_sequences){NULL, NULL};
	parent->epoch++;
	parent->may_wait = may_wait;
	atomic_store_explicit(&parent->left, 0, memory_order_relaxed);
}

static void append(s2s_sequences *list, s2s_sequences more) {
	if (!more.first)
		return;
	*(list->last ? &list->last->made : &list->first) = more.first;
	list->last = more.last;
}

static void add_tail(s2s_family *family, s2s_sequence *tail) {
	lock(&family->lock);
	if (!family->tail) {
		family->tail = tail;
	} else {
		family->tail->last->next = tail->first;
		family->tail->last = tail->last;
	}
	unlock(&family->lock);
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

static void hand_over_list(hthread *self, s2s_sequences list) {
	for (s2s_sequence *each = list.first, *next; each; each = next) {
		next = each->made;
		if (each->parent == (s2s_parent *)1) {
			each->parent = NULL;
			add_tail(each->of, each);
			continue;
		}
		atomic_fetch_add(&each->of->left, 1);
		if (each->parent)
			atomic_fetch_add(&each->parent->left, 1);
		push_sequence(self, each);
	}
}

void s2s_hand_over(hthread *self, s2s_parent *parent) {
	s2s_sequences made = parent->made;
	parent->made = (s2s_sequences){NULL, NULL};
	parent->in_order = parent->loose = NULL;
	parent->epoch++;
	hand_over_list(self, made);
}

/* ---- running grids ---- */

static item_function *how_to_run(const s2s_kernel *kernel, uint32_t version) {
	if (kernel->flags & S2S_FIBERS)
		return s2s_run_fibers;
	return kernel->range[version] ? s2s_run_ranges : s2s_run_gangs;
}

static void fill_in_child(launch_job *job, launch_job *root, const s2s_launched *child) {
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
	atomic_fetch_add(&family->left, 1);
	push(self, &share->duty);
	return true;
}

static void fail_for_memory(launch_job *root) {
	if (!atomic_exchange(&root->failed, true))
		root->fault = (fault){.kind = FAULT_MEMORY};
}

/* Run blocks of a grid that may have children, and hand these over. */
static void run_blocks(hthread *self, s2s_family *family, uint64_t first, uint64_t end) {
	launch_job *job = family->job;
	s2s_brood *brood = self->brood;
	s2s_begin_parent(&brood->parent, NULL, (s2s_dim3){0, 0, 0}, false);
	how_to_run(job->kernel, job->version)(self, job, first, end);
	if (s2s_has_failed(job))
		return;
	s2s_end_parent(self, &brood->parent);
	if (end < job->nblocks && !offer_share(self, family)) { /* it is below the children, which come first */
		fail_for_memory(job->root);
		return;
	}
	s2s_sequences ended = brood->ended;
	brood->ended = (s2s_sequences){NULL, NULL};
	hand_over_list(self, ended);
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
	family->at_a_time = part < 1 ? 1 : part > BLOCKS_AT_A_TIME ? BLOCKS_AT_A_TIME : part;
}

/* Run some blocks of a grid. Who finds that there are more, says so in a share. */
static void run_grid(hthread *self, s2s_family *family) {
	uint64_t first, end;
	if (family->job->kernel->flags & S2S_FIBERS)
		run_blocks(self, family, 0, UINT64_MAX);
	else if (!s2s_has_failed(family->job) && take_blocks(family, &first, &end))
		run_blocks(self, family, first, end);
}

/* Offer a share in a grid to each hthread that has nothing to do. */
static void offer_shares(hthread *self, s2s_family *family) {
	uint32_t wanted = atomic_load_explicit(&idle, memory_order_relaxed);
	uint64_t most = family->job->nblocks - 1;
	for (uint32_t i = 0; i < wanted && i < most && offer_share(self, family); i++)
		;
}

/* A number that no other grid has. */
static uint64_t new_number(hthread *self) {
	return ++self->brood->grids << 16 | self->index;
}

static s2s_family *new_family(hthread *self, s2s_sequence *in, s2s_launched *child, launch_job *root) {
	s2s_family *family = s2s_take(self, sizeof *family);
	if (!family)
		return NULL;
	family->job = &family->own;
	fill_in_child(&family->own, root, child);
	family->own.family = family;
	family->up = in->of;
	family->in = in->ordered ? in : NULL;
	if (!in->ordered)
		atomic_fetch_add(&in->of->left, 1);
	atomic_init(&family->left, 1);
	atomic_init(&family->begun, 0);
	family->number = new_number(self);
	family->launched = child;
	atomic_flag_clear(&family->lock);
	family->tail = NULL;
	divide(family, s2s_pool_size());
	return family;
}

/* ---- running sequences ---- */

/* Whether a kernel runs as a call for all its blocks, and launches nothing. */
static bool is_leaf(const s2s_launched *child) {
	return !(child->kernel->flags & (S2S_LAUNCHES | S2S_FIBERS)) &&
		   child->kernel->range[s2s_choose_version(child->kernel, child->grid, child->block, true)];
}

typedef struct {
	hthread *self;
	s2s_sequence *sequence;
	launch_job *root;
} leaf_call;

/* Run the first children of a sequence that are of one kernel. */
static void call_leaves(void *arg) {
	const leaf_call *call = arg;
	s2s_sequence *sequence = call->sequence;
	launch_job *job = &call->self->brood->leaf;
	const s2s_kernel *kernel = job->kernel;
	char *shared = call->self->shared;
	uint32_t done = 0;
	s2s_launched *child = sequence->first;
	s2s_chunk *chunk = s2s_chunk_of(child);
	s2s_range_function *range = kernel->range[job->version];
	*s2s_progress_of(shared) = (s2s_progress){UINT64_MAX, 1, NULL};
	while (child && child->kernel == kernel) {
		if (!s2s_is_same(child->block, job->launch.block) || !s2s_is_same(child->grid, job->launch.grid)) {
			fill_in_child(job, call->root, child);
			range = kernel->range[job->version];
			if (!range)
				break;
		}
		job->launch.args = child->args;
		range(&job->launch, shared, 0, job->nblocks);
		if (s2s_chunk_of(child) != chunk) {
			s2s_drop_from(chunk, done);
			chunk = s2s_chunk_of(child);
			done = 0;
		}
		done++;
		sequence->count--;
		sequence->first = child = child->next;
	}
	s2s_drop_from(chunk, done);
}

static void run_leaves(hthread *self, s2s_sequence *sequence, launch_job *root) {
	s2s_launched *child = sequence->first;
	launch_job *job = &self->brood->leaf;
	uint32_t before = sequence->count;
	fill_in_child(job, root, child);
	leaf_call call = {self, sequence, root};
	s2s_run_item(self, job, call_leaves, &call, s2s_prepare_hthread(self, 0, child->kernel->lanes));
	s2s_count_begun(before - sequence->count);
}

/* Run the first child of a sequence, which launches nothing, but has threads that wait. */
static void run_waiting(hthread *self, s2s_sequence *sequence, launch_job *root) {
	s2s_launched *child = sequence->first;
	launch_job job;
	fill_in_child(&job, root, child);
	s2s_count_begun(1);
	how_to_run(job.kernel, job.version)(self, &job, 0, job.nblocks);
	sequence->first = child->next;
	sequence->count--;
	s2s_drop(child);
}

static void finish(hthread *self, s2s_sequence *sequence) {
	s2s_family *of = sequence->of;
	if (sequence->parent)
		atomic_fetch_sub(&sequence->parent->left, 1);
	s2s_drop(sequence);
	count_down(self, of);
}

/* Run the first child of a sequence, which may have children. False if the sequence goes on later. */
static bool run_parent(hthread *self, s2s_sequence *sequence, launch_job *root) {
	s2s_launched *child = sequence->first;
	s2s_family *family = new_family(self, sequence, child, root);
	if (!family) {
		fail_for_memory(root);
		return false;
	}
	sequence->first = child->next;
	sequence->count--;
	s2s_count_begun(1);
	bool ordered = sequence->ordered;
	if (family->job->nblocks > 1 && atomic_load_explicit(&idle, memory_order_relaxed) > 0)
		offer_shares(self, family);
	run_grid(self, family);
	if (!s2s_has_failed(root))
		count_down(self, family);
	return !ordered;
}

static void run_sequence(hthread *self, s2s_sequence *sequence, launch_job *root) {
	while (sequence->first) {
		if (s2s_has_failed(root))
			return;
		const s2s_kernel *kernel = sequence->first->kernel;
		if (kernel->flags & S2S_LAUNCHES) {
			if (!run_parent(self, sequence, root))
				return;
		} else if (is_leaf(sequence->first)) {
			run_leaves(self, sequence, root);
		} else {
			run_waiting(self, sequence, root);
		}
	}
	if (!s2s_has_failed(root))
		finish(self, sequence);
}

bool s2s_do_a_duty(hthread *self, launch_job *root) {
	s2s_duty *duty = next_duty(self);
	if (!duty)
		return false;
	if (!duty->is_share) {
		run_sequence(self, (s2s_sequence *)duty, root);
		return true;
	}
	s2s_share *share = (s2s_share *)duty;
	s2s_family *family = share->family;
	s2s_drop(share);
	run_grid(self, family);
	if (!s2s_has_failed(root))
		count_down(self, family);
	return true;
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
	if (!s2s_prepare_errors(brood)) {
		free(brood);
		return false;
	}
	atomic_flag_clear(&brood->lock);
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

/* An item of s2s_pool_run: work on the family until it is complete. */
static void run_member(hthread *self, void *arg, uint64_t first, uint64_t end) {
	s2s_family *family = arg;
	launch_job *root = family->job;
	(void)first;
	(void)end;
	if (atomic_load(&family->complete) || !join(family))
		return;
	run_grid(self, family);
	if (s2s_has_failed(root))
		return;
	count_down(self, family);
	bool is_idle = false;
	for (uint32_t polls = 0; !atomic_load(&family->complete) && !s2s_has_failed(root); polls++) {
		if (is_idle)
			atomic_fetch_sub(&idle, 1);
		atomic_store(&self->taking, true); /* before it takes something: others may wait for what it does */
		bool did = s2s_do_a_duty(self, root);
		atomic_store(&self->taking, did);
		is_idle = !did;
		if (did) {
			polls = 0;
			continue;
		}
		atomic_fetch_add(&idle, 1);
		if (polls % POLLS_PER_YIELD == POLLS_PER_YIELD - 1)
			sched_yield();
		else
			s2s_pause();
	}
	if (is_idle)
		atomic_fetch_sub(&idle, 1);
}

bool s2s_run_family(launch_job *job, uint32_t hthreads) {
	static s2s_family family; /* launches come one at a time */
	for (uint32_t i = 0; i < hthreads; i++)
		if (!prepare(s2s_pool_hthread(i)))
			return false;
	for (uint32_t i = 0; i < s2s_pool_size(); i++) {
		s2s_brood *brood = s2s_pool_hthread(i)->brood;
		if (!brood)
			continue;
		brood->newest = brood->oldest = NULL;
		atomic_store(&brood->count, 0);
		brood->chunk = NULL;
		brood->ended = (s2s_sequences){NULL, NULL};
		brood->has_errors = false;
	}
	atomic_store(&idle, 0);
	s2s_forget_pending();
	job->version =
		s2s_choose_version(job->kernel, job->launch.grid, job->launch.block, !(job->kernel->flags & S2S_FIBERS));
	job->family = &family;
	family.job = job;
	family.up = NULL;
	family.in = NULL;
	family.number = new_number(s2s_pool_hthread(0));
	family.launched = NULL;
	family.tail = NULL;
	atomic_flag_clear(&family.lock);
	atomic_store(&family.left, 1);
	atomic_store(&family.begun, 0);
	atomic_store(&family.complete, false);
	atomic_store(&family.joined, false);
	divide(&family, hthreads);
	pool_work work = {run_member, &family, hthreads, hthreads, true, UNKNOWN_TIME};
	s2s_pool_run(&work);
	s2s_free_chunks();
	return true;
}
