/* Memory for children, and how many of them may wait.
 *
 * An hthread fills a chunk, and then the next one; what is in it, any hthread may drop. Kernel code may end at any
 * instruction: so it takes no lock, and when the launch is over all chunks are free, whatever was in them.
 */
#define _GNU_SOURCE
#include "family.h"

#include <stdlib.h>

enum { KEPT_CHUNKS = 512 }; /* for later launches */

static struct {
	pthread_mutex_t lock; /* of these: */
	s2s_chunk *used;      /* all of the launch but those that are free again */
	s2s_chunk *free;
	uint32_t nfree;
	_Atomic(s2s_chunk *) dead; /* of the used ones, those in which nothing is left */
} chunks = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep(s2s_chunk *chunk) {
	chunk->next = chunks.free;
	chunks.free = chunk;
	chunks.nfree++;
}

/* Move those that are dead to the free ones. */
static void bury(void) {
	for (s2s_chunk *chunk = atomic_exchange(&chunks.dead, NULL), *next; chunk; chunk = next) {
		next = chunk->next_dead;
		*(chunk->before ? &chunk->before->next : &chunks.used) = chunk->next;
		if (chunk->next)
			chunk->next->before = chunk->before;
		keep(chunk);
	}
}

static s2s_chunk *new_chunk(void) {
	pthread_mutex_lock(&chunks.lock);
	bury();
	s2s_chunk *chunk = chunks.free;
	if (chunk) {
		chunks.free = chunk->next;
		chunks.nfree--;
	} else {
		chunk = aligned_alloc(CHUNK_BYTES, CHUNK_BYTES);
	}
	if (chunk) {
		atomic_store(&chunk->live, 1);
		chunk->used = sizeof *chunk;
		chunk->before = NULL;
		chunk->next = chunks.used;
		if (chunk->next)
			chunk->next->before = chunk;
		chunks.used = chunk;
	}
	pthread_mutex_unlock(&chunks.lock);
	return chunk;
}

void s2s_drop_from(s2s_chunk *chunk, uint32_t count) {
	if (atomic_fetch_sub_explicit(&chunk->live, count, memory_order_acq_rel) != count)
		return;
	chunk->next_dead = atomic_load(&chunks.dead);
	while (!atomic_compare_exchange_weak(&chunks.dead, &chunk->next_dead, chunk))
		;
}

void s2s_drop(void *taken) {
	s2s_drop_from(s2s_chunk_of(taken), 1);
}

static void *take_from_new(hthread *self, size_t bytes) {
	s2s_brood *brood = self->brood;
	bool in_kernel = atomic_load_explicit(&self->in_kernel, memory_order_relaxed);
	if (in_kernel)
		s2s_begin_hold(self);
	s2s_chunk *before = brood->chunk;
	brood->chunk = new_chunk();
	if (before)
		s2s_drop_from(before, 1);
	if (in_kernel)
		s2s_end_hold(self);
	return brood->chunk ? s2s_take(self, bytes) : NULL;
}

void *s2s_take(hthread *self, size_t bytes) {
	s2s_chunk *chunk = self->brood->chunk;
	size_t from = chunk ? (chunk->used + 15) / 16 * 16 : CHUNK_BYTES;
	if (from + bytes > CHUNK_BYTES)
		return take_from_new(self, bytes);
	chunk->used = (uint32_t)(from + bytes);
	atomic_fetch_add_explicit(&chunk->live, 1, memory_order_relaxed);
	return (char *)chunk + from;
}

void s2s_free_chunks(void) {
	atomic_store(&chunks.dead, NULL);
	for (s2s_chunk *chunk = chunks.used, *next; chunk; chunk = next) {
		next = chunk->next;
		if (chunks.nfree < KEPT_CHUNKS)
			keep(chunk);
		else
			free(chunk);
	}
	chunks.used = NULL;
	while (chunks.nfree > KEPT_CHUNKS) {
		s2s_chunk *chunk = chunks.free;
		chunks.free = chunk->next;
		chunks.nfree--;
		free(chunk);
	}
}

/* ---- limits ---- */

static _Atomic size_t pending_limit;
static _Atomic int64_t pending; /* while there is a limit */

void s2s_set_pending_limit(size_t count) {
	atomic_store(&pending_limit, count);
	atomic_store(&pending, 0);
}

size_t s2s_pending_limit(void) {
	return atomic_load_explicit(&pending_limit, memory_order_relaxed);
}

bool s2s_count_pending(void) {
	size_t limit = s2s_pending_limit();
	if (limit == 0)
		return true;
	if (atomic_fetch_add(&pending, 1) < (int64_t)limit)
		return true;
	atomic_fetch_sub(&pending, 1);
	return false;
}

void s2s_count_begun(uint32_t count) {
	if (s2s_pending_limit() > 0)
		atomic_fetch_sub(&pending, count);
}

void s2s_forget_pending(void) {
	atomic_store(&pending, 0);
}
