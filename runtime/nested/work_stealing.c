/* Work-stealing task queues: the hthreads of a launch share the tasks of its children. A task is called a duty.
 *
 * Known as: work stealing with split queues: a private part, and a shared one under a lock.
 *
 * Each hthread has a stack and a queue of duties of its own, which need no lock. A small shared part, guarded by a
 * lock, holds the oldest duties of the stack, and all of the queue but a portion and the newest ones. The hthread
 * refills the shared part when it is empty, so that idle hthreads find work while there is any. An idle hthread steals
 * half of the shared part, at most a portion, and shares what it does not run at once.
 *
 * The lock orders everything: an hthread writes a duty before it releases the lock, and a thief reads the duty after it
 * has acquired the lock. The two counts are hints: a stale one costs a look, or a moment until the next one. A thief
 * never waits for a lock: its holder shares duties, or takes some.
 */
#define _GNU_SOURCE
#include "nested/nested.h"

enum {
	PORTION = 16,            /* duties that change hands at a time */
	PARTS_OF_QUEUE = 8,      /* an hthread takes such a part of its own queue, so that others can take the rest */
	MOST_IN_ORDER = 1 << 16, /* duties in a queue; what comes when there are more goes onto the stack */
};

/* ---- lists ---- */

static void add_first(s2s_duties *list, s2s_duty *duty) {
	duty->before = NULL;
	duty->next = list->first;
	*(list->first ? &list->first->before : &list->last) = duty;
	list->first = duty;
	list->count++;
}

static void add_last(s2s_duties *list, s2s_duty *duty) {
	duty->next = NULL;
	duty->before = list->last;
	*(list->last ? &list->last->next : &list->first) = duty;
	list->last = duty;
	list->count++;
}

static s2s_duty *take_first(s2s_duties *list) {
	s2s_duty *duty = list->first;
	list->first = duty->next;
	*(list->first ? &list->first->before : &list->last) = NULL;
	list->count--;
	return duty;
}

static s2s_duty *take_last(s2s_duties *list) {
	s2s_duty *duty = list->last;
	list->last = duty->before;
	*(list->last ? &list->last->next : &list->first) = NULL;
	list->count--;
	return duty;
}

/* Put all of `more` after a list. */
static void append(s2s_duties *list, s2s_duties *more) {
	if (!more->first)
		return;
	more->first->before = list->last;
	*(list->last ? &list->last->next : &list->first) = more->first;
	list->last = more->last;
	list->count += more->count;
	*more = (s2s_duties){NULL, NULL, 0};
}

/* ---- the open part ---- */

static void lock(s2s_open *open) {
	while (atomic_flag_test_and_set_explicit(&open->lock, memory_order_acquire))
		s2s_pause();
}

static bool try_lock(s2s_open *open) {
	return !atomic_flag_test_and_set_explicit(&open->lock, memory_order_acquire);
}

/* Under the lock, which is given back. */
static void unlock(s2s_open *open) {
	atomic_store_explicit(&open->stacked, open->stack.count, memory_order_relaxed);
	atomic_store_explicit(&open->queued, open->queue.count, memory_order_relaxed);
	atomic_flag_clear_explicit(&open->lock, memory_order_release);
}

static bool has_stacked(const s2s_open *open) {
	return atomic_load_explicit(&open->stacked, memory_order_relaxed) > 0;
}

static bool has_queued(const s2s_open *open) {
	return atomic_load_explicit(&open->queued, memory_order_relaxed) > 0;
}

/* A half of so many, as far as it is no more than a portion. */
static uint32_t half(uint32_t count) {
	return count / 2 < PORTION ? (count + 1) / 2 : PORTION;
}

/* The oldest of the own stack are for others, if these have none. */
static void open_stack(s2s_brood *brood) {
	if (brood->alone || brood->stack.count < 2 || has_stacked(&brood->open))
		return;
	lock(&brood->open);
	for (uint32_t i = half(brood->stack.count - 1); i > 0; i--)
		add_first(&brood->open.stack, take_last(&brood->stack));
	unlock(&brood->open);
}

/* The same for the newest of the queue. */
static void open_queue(s2s_brood *brood) {
	if (brood->alone || !brood->queued.first || has_queued(&brood->open))
		return;
	lock(&brood->open);
	append(&brood->open.queue, &brood->queued);
	unlock(&brood->open);
}

/* ---- giving ---- */

void s2s_push(hthread *self, s2s_duty *duty) {
	add_first(&self->brood->stack, duty);
	open_stack(self->brood);
}

void s2s_push_open(hthread *self, s2s_duty *duty) {
	s2s_brood *brood = self->brood;
	if (brood->alone) {
		s2s_push(self, duty);
		return;
	}
	lock(&brood->open);
	add_first(&brood->open.stack, duty);
	unlock(&brood->open);
}

void s2s_push_in_order(hthread *self, s2s_duty *duty) {
	s2s_brood *brood = self->brood;
	uint32_t open = atomic_load_explicit(&brood->open.queued, memory_order_relaxed);
	if (open + brood->portion.count + brood->queued.count >= MOST_IN_ORDER) {
		s2s_push(self, duty);
		return;
	}
	add_last(&brood->queued, duty);
	open_queue(brood);
}

bool s2s_leaves_duties(const hthread *self) {
	return has_stacked(&self->brood->open) || has_queued(&self->brood->open);
}

/* ---- taking ---- */

/* Take the newest back that no hthread has taken. */
static void close_stack(s2s_brood *brood) {
	lock(&brood->open);
	for (uint32_t i = half(brood->open.stack.count); i > 0; i--)
		add_last(&brood->stack, take_first(&brood->open.stack));
	unlock(&brood->open);
}

/* Take the next portion of the queue. */
static void next_portion(s2s_brood *brood) {
	if (brood->alone) {
		append(&brood->portion, &brood->queued);
		return;
	}
	lock(&brood->open);
	append(&brood->open.queue, &brood->queued);
	uint32_t part = brood->open.queue.count / PARTS_OF_QUEUE + 1;
	for (uint32_t i = 0; i < part && i < PORTION && brood->open.queue.first; i++)
		add_last(&brood->portion, take_first(&brood->open.queue));
	unlock(&brood->open);
}

static s2s_duty *own_duty(s2s_brood *brood) {
	open_stack(brood);
	open_queue(brood);
	if (!brood->stack.first && has_stacked(&brood->open))
		close_stack(brood);
	if (brood->stack.first)
		return take_first(&brood->stack);
	if (!brood->portion.first && (brood->queued.first || has_queued(&brood->open)))
		next_portion(brood);
	return brood->portion.first ? take_first(&brood->portion) : NULL;
}

/* Take some of what another hthread leaves open: of the queue first, where a duty creates more of them. */
static s2s_duties loot(s2s_open *open, bool *in_order) {
	s2s_duties loot = {NULL, NULL, 0};
	*in_order = false;
	if ((!has_queued(open) && !has_stacked(open)) || !try_lock(open))
		return loot;
	*in_order = open->queue.count > 0;
	for (uint32_t i = half(*in_order ? open->queue.count : open->stack.count); i > 0; i--) {
		if (*in_order)
			add_last(&loot, take_first(&open->queue));
		else
			add_first(&loot, take_last(&open->stack));
	}
	unlock(open);
	return loot;
}

/* Leave what was taken open for others. */
static void leave_open(s2s_open *open, s2s_duties *duties, bool in_order) {
	if (!duties->first)
		return;
	lock(open);
	append(in_order ? &open->queue : &open->stack, duties);
	unlock(open);
}

static s2s_duty *take_from_others(hthread *self) {
	s2s_brood *brood = self->brood;
	uint32_t hthreads = s2s_pool_size(), first = brood->looked_at;
	for (uint32_t i = 0; i < hthreads; i++) {
		uint32_t number = first + i < hthreads ? first + i : first + i - hthreads;
		s2s_brood *other = __atomic_load_n(&s2s_pool_hthread(number)->brood, __ATOMIC_ACQUIRE);
		if (!other || other == brood)
			continue;
		bool in_order;
		s2s_duties found = loot(&other->open, &in_order);
		if (!found.first)
			continue;
		brood->looked_at = number;
		s2s_duty *duty = in_order ? take_first(&found) : take_last(&found);
		leave_open(&brood->open, &found, in_order);
		return duty;
	}
	return NULL;
}

s2s_duty *s2s_next_duty(hthread *self) {
	s2s_duty *duty = own_duty(self->brood);
	return duty || self->brood->alone ? duty : take_from_others(self);
}

void s2s_forget_duties(hthread *self, bool alone) {
	s2s_brood *brood = self->brood;
	s2s_duties none = {NULL, NULL, 0};
	brood->stack = brood->portion = brood->queued = none;
	brood->alone = alone;
	brood->looked_at = self->index;
	brood->open.stack = brood->open.queue = none;
	atomic_flag_clear(&brood->open.lock);
	atomic_store(&brood->open.stacked, 0);
	atomic_store(&brood->open.queued, 0);
}
