/* Arena allocation for children.
 *
 * Known as: arena (region) allocation, a reference count for each chunk; chunks return by a lock-free (Treiber) stack.
 *
 * An hthread fills one chunk after the other; any hthread may drop what a chunk holds. Only the hthread that fills a
 * chunk counts what is taken. While a chunk is being filled, `live` is larger by BEING_FILLED; when it is full, this
 * is replaced by the count of what was taken. An hthread counts what it drops by itself, and subtracts that from
 * `live` when it drops from other chunks. An empty chunk returns to the hthread that filled it, whose cache holds it.
 *
 * Kernel code may end at any instruction. So it takes no lock, and all chunks are free when the launch is over.
 */
#define _GNU_SOURCE
#include "nested/nested.h"

#include <stdlib.h>

enum {
	BEING_FILLED = 1 << 30,
	KEPT_CHUNKS = 4096, /* for later launches, of all hthreads */
	LEAST_KEPT = 8,     /* of each */
};

/* ---- chunks ---- */

static _Atomic size_t allocated; /* bytes of all chunks that there are */

/* Kernels that launch themselves without end are to fail, not the machine: chunks take half of its memory at most. */
static s2s_chunk *allocate(void) {
	bool fits = atomic_fetch_add(&allocated, CHUNK_BYTES) < s2s_memory_bytes() / 2;
	s2s_chunk *chunk = fits ? aligned_alloc(CHUNK_BYTES, CHUNK_BYTES) : NULL;
	if (!chunk)
		atomic_fetch_sub(&allocated, CHUNK_BYTES);
	return chunk;
}

static void release(s2s_chunk *chunk) {
	free(chunk);
	atomic_fetch_sub(&allocated, CHUNK_BYTES);
}

static s2s_chunk *new_chunk(s2s_brood *brood) {
	if (!brood->free)
		brood->free = atomic_exchange_explicit(&brood->dead, NULL, memory_order_acquire);
	s2s_chunk *chunk = brood->free;
	if (chunk) {
		brood->free = chunk->next_free;
	} else {
		chunk = allocate();
		if (!chunk)
			return NULL;
		chunk->owner = brood;
		chunk->next = brood->chunks;
		brood->chunks = chunk;
	}
	atomic_init(&chunk->live, BEING_FILLED);
	chunk->taken = 0;
	chunk->used = sizeof *chunk;
	return chunk;
}

/* Acquire and release: a new use of the chunk happens after all uses of what was in it. */
static void count_dropped(s2s_chunk *chunk, uint32_t count) {
	if (atomic_fetch_sub_explicit(&chunk->live, count, memory_order_acq_rel) != count)
		return;
	_Atomic(s2s_chunk *) *dead = &chunk->owner->dead;
	chunk->next_free = atomic_load_explicit(dead, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		dead, &chunk->next_free, chunk, memory_order_release, memory_order_relaxed))
		;
}

/* ---- things in chunks ---- */

void s2s_drop_from(hthread *self, s2s_chunk *chunk, uint32_t count) {
	s2s_dropped *dropped = &self->brood->dropped[(uintptr_t)chunk / CHUNK_BYTES % DROPPED_FROM];
	if (dropped->chunk == chunk) {
		dropped->count += count;
		return;
	}
	if (dropped->chunk)
		count_dropped(dropped->chunk, dropped->count);
	*dropped = (s2s_dropped){chunk, count};
}

void s2s_drop(hthread *self, void *taken) {
	s2s_drop_from(self, s2s_chunk_of(taken), 1);
}

static void *take_from_new(hthread *self, size_t bytes) {
	s2s_brood *brood = self->brood;
	bool in_kernel = atomic_load_explicit(&self->in_kernel, memory_order_relaxed);
	if (in_kernel)
		s2s_begin_hold(self);
	s2s_chunk *full = brood->chunk;
	if (full)
		count_dropped(full, BEING_FILLED - full->taken);
	brood->chunk = new_chunk(brood);
	if (in_kernel)
		s2s_end_hold(self);
	return brood->chunk ? s2s_take(self, bytes) : NULL;
}

void *s2s_take(hthread *self, size_t bytes) {
	s2s_chunk *chunk = self->brood->chunk;
	size_t room = (bytes + 15) / 16 * 16;
	if (!chunk || chunk->used + room > CHUNK_BYTES)
		return take_from_new(self, bytes);
	void *taken = (char *)chunk + chunk->used;
	chunk->used += (uint32_t)room;
	chunk->taken++;
	return taken;
}

static void keep_some(s2s_brood *brood, uint32_t most) {
	s2s_chunk *next, *kept = NULL;
	for (s2s_chunk *chunk = brood->chunks; chunk; chunk = next) {
		next = chunk->next;
		if (most == 0) {
			release(chunk);
			continue;
		}
		chunk->next = chunk->next_free = kept;
		kept = chunk;
		most--;
	}
	brood->chunks = brood->free = kept;
	brood->chunk = NULL;
	atomic_store(&brood->dead, NULL);
	for (uint32_t i = 0; i < DROPPED_FROM; i++)
		brood->dropped[i] = (s2s_dropped){NULL, 0};
}

void s2s_free_chunks(void) {
	uint32_t hthreads = s2s_pool_size(), most = KEPT_CHUNKS / hthreads;
	for (uint32_t i = 0; i < hthreads; i++) {
		s2s_brood *brood = s2s_pool_hthread(i)->brood;
		if (brood)
			keep_some(brood, most > LEAST_KEPT ? most : LEAST_KEPT);
	}
}
