/* The limit of pending launches: how many children may wait to begin.
 *
 * Known as: a distributed counting semaphore.
 *
 * A launch needs a place, which is free again when the child begins. One shared count would take longer than the
 * launches. So an hthread claims a portion of the places, and keeps the places that it frees. It gives back what
 * exceeds its need. An hthread without places takes some of the other hthreads'. A launch is refused only if no
 * hthread has any left.
 *
 * The counts order nothing: the child reaches its hthread by a list. Each change is one atomic operation, after which
 * no place exists twice. Kernel code may end between two of them; then the launch has failed, and all counts start
 * anew.
 */
#define _GNU_SOURCE
#include "nested/nested.h"

enum {
	PORTIONS_PER_HTHREAD = 8, /* so that the places suffice for all */
	MOST_CLAIMED = 1024,      /* places at a time */
};

static _Atomic size_t limit; /* for launches from the host that come; 0: none */

/* Of the launch: read by all, and written when it begins. */
static _Alignas(2 * CACHE_LINE) struct {
	bool is_limited;
	int64_t portion;
} places;

static _Alignas(2 * CACHE_LINE) _Atomic int64_t unclaimed;

void s2s_set_pending_limit(size_t count) {
	atomic_store(&limit, count);
}

size_t s2s_pending_limit(void) {
	return atomic_load_explicit(&limit, memory_order_relaxed);
}

/* Take up to `most` places; return how many. */
static int64_t take_places(_Atomic int64_t *from, int64_t most) {
	int64_t there = atomic_load_explicit(from, memory_order_relaxed);
	while (there > 0) {
		int64_t taken = there < most ? there : most;
		if (atomic_compare_exchange_weak_explicit(
				from, &there, there - taken, memory_order_relaxed, memory_order_relaxed))
			return taken;
	}
	return 0;
}

static int64_t take_half(_Atomic int64_t *from) {
	return take_places(from, (atomic_load_explicit(from, memory_order_relaxed) + 1) / 2);
}

/* Take free places, or else some of another hthread's. */
static int64_t claim(hthread *self) {
	int64_t claimed = take_places(&unclaimed, places.portion);
	for (uint32_t i = 1; claimed == 0 && i < s2s_pool_size(); i++) {
		hthread *other = s2s_pool_hthread((self->index + i) % s2s_pool_size());
		s2s_brood *brood = __atomic_load_n(&other->brood, __ATOMIC_ACQUIRE);
		if (brood)
			claimed = take_half(&brood->places);
	}
	return claimed;
}

bool s2s_count_pending(hthread *self) {
	_Atomic int64_t *own = &self->brood->places;
	if (!places.is_limited || take_places(own, 1) > 0)
		return true;
	int64_t claimed = claim(self);
	if (claimed > 1)
		atomic_fetch_add_explicit(own, claimed - 1, memory_order_relaxed);
	return claimed > 0;
}

void s2s_count_begun(hthread *self, uint32_t count) {
	if (!places.is_limited)
		return;
	_Atomic int64_t *own = &self->brood->places;
	int64_t there = atomic_fetch_add_explicit(own, count, memory_order_relaxed) + count;
	if (there > 2 * places.portion)
		atomic_fetch_add_explicit(&unclaimed, take_places(own, there - places.portion), memory_order_relaxed);
}

void s2s_forget_pending(uint32_t hthreads) {
	size_t most = s2s_pending_limit();
	uint64_t portion = most / (hthreads * PORTIONS_PER_HTHREAD);
	places.is_limited = most > 0;
	places.portion = portion < 1 ? 1 : portion < MOST_CLAIMED ? (int64_t)portion : MOST_CLAIMED;
	atomic_store(&unclaimed, most < INT64_MAX ? (int64_t)most : INT64_MAX);
	for (uint32_t i = 0; i < s2s_pool_size(); i++)
		if (s2s_pool_hthread(i)->brood)
			atomic_store(&s2s_pool_hthread(i)->brood->places, 0);
}
