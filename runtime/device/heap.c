/* malloc and free in kernels: a heap of cudaLimitMallocHeapSize bytes that lives from launch to launch.
 *
 * Known as: segregated free lists, with coalescing of free neighbours.
 *
 * Blocks lie one after the other, each after a header; free neighbours are joined. Free blocks are kept in lists by
 * size, four to each power of two, and the first that fits is taken. One lock serves a whole gang at a time.
 *
 * The program may write where it has no business to. So every address that is read from the heap is looked at before
 * it is followed, and a free of what malloc did not give is the kernel's fault.
 */
#define _GNU_SOURCE
#include "device/device.h"
#include "device/guards.h"

#include <stddef.h>
#include <string.h>

enum {
	UNIT = 16,
	MANTISSA_BITS = 2,
	LISTS = 64 << MANTISSA_BITS,
	DEFAULT_HEAP_BYTES = 8 << 20 /* CUDA's */
};

/* `bytes` counts the header too. The blocks before and after in memory are `before` bytes back and `bytes` on. */
typedef struct block {
	size_t bytes;
	uint32_t before_units;         /* 0: this is the first block */
	uint32_t mark;                 /* USED or FREE, mixed with the address */
	struct block *next, *previous; /* in its list, if it is free */
} block;

enum { HEADER = offsetof(block, next), LEAST_BYTES = sizeof(block) };
_Static_assert(offsetof(block, next) == UNIT && sizeof(block) % UNIT == 0, "malloc gives multiples of 16");

static const uint32_t USED = 0x5bd1e995, FREE = 0xc2b2ae35;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static size_t limit = DEFAULT_HEAP_BYTES;
static char *base; /* null until the first malloc */
static s2s_slot *slot;
static size_t heap_bytes, used_blocks;
static block *lists[LISTS];
static uint64_t filled[LISTS / 64]; /* a bit for each list that has a block */

static uint32_t mark_of(const block *block, uint32_t state) {
	return (uint32_t)((uintptr_t)block >> 4) ^ state;
}

static bool is_block(const block *block, uint32_t state) {
	uintptr_t distance = (uintptr_t)block - (uintptr_t)base;
	return base && distance < heap_bytes && distance % UNIT == 0 && heap_bytes - distance >= LEAST_BYTES &&
		   block->mark == mark_of(block, state) && block->bytes <= heap_bytes - distance &&
		   block->bytes >= LEAST_BYTES && block->before_units * (size_t)UNIT <= distance;
}

/* The list of free blocks that have this size or up to a quarter more. */
static uint32_t list_of(size_t bytes) {
	uint32_t top = 63 - (uint32_t)__builtin_clzll(bytes);
	return top << MANTISSA_BITS | (uint32_t)(bytes >> (top - MANTISSA_BITS) & ((1u << MANTISSA_BITS) - 1));
}

static void insert(block *block) {
	uint32_t list = list_of(block->bytes);
	block->mark = mark_of(block, FREE);
	block->previous = NULL;
	block->next = lists[list];
	if (lists[list])
		lists[list]->previous = block;
	lists[list] = block;
	filled[list / 64] |= 1ull << list % 64;
}

static bool remove_free(block *block) {
	struct block *next = block->next, *previous = block->previous;
	uint32_t list = list_of(block->bytes);
	if ((next && !is_block(next, FREE)) || (previous ? !is_block(previous, FREE) : lists[list] != block))
		return false;
	if (next)
		next->previous = previous;
	if (previous)
		previous->next = next;
	else
		lists[list] = next;
	if (!lists[list])
		filled[list / 64] &= ~(1ull << list % 64);
	return true;
}

static block *after(const block *own) {
	char *end = (char *)own + own->bytes;
	return end < base + heap_bytes ? (block *)end : NULL;
}

static void set_size(block *own, size_t bytes) {
	own->bytes = bytes;
	block *next = after(own);
	if (next)
		next->before_units = (uint32_t)(bytes / UNIT);
}

static bool begin_heap(void) {
	if (base)
		return true;
	size_t bytes = limit / UNIT * UNIT;
	if (bytes < LEAST_BYTES)
		return false;
	slot = s2s_take_slot(bytes, S2S_HEAP);
	if (!slot)
		return false;
	base = s2s_slot_begin(slot);
	heap_bytes = bytes;
	block *whole = (block *)base;
	*whole = (block){.bytes = bytes};
	insert(whole);
	return true;
}

static void end_heap(void) {
	if (base)
		s2s_give_slot(slot);
	base = NULL;
	heap_bytes = used_blocks = 0;
	memset(lists, 0, sizeof lists);
	memset(filled, 0, sizeof filled);
}

/* The first list from `list` on that has a block; LISTS if there is none. */
static uint32_t next_filled(uint32_t list) {
	if (list >= LISTS)
		return LISTS;
	uint32_t word = list / 64;
	uint64_t bits = filled[word] & ~0ull << list % 64;
	while (bits == 0 && ++word < LISTS / 64)
		bits = filled[word];
	return bits != 0 ? word * 64 + (uint32_t)__builtin_ctzll(bits) : LISTS;
}

/* A free block of at least so many bytes, of no list any more; null if there is none. */
static block *find(size_t bytes) {
	for (uint32_t list = next_filled(list_of(bytes)); list < LISTS; list = next_filled(list + 1))
		for (block *found = lists[list]; found; found = found->next) {
			if (!is_block(found, FREE))
				return NULL;
			if (found->bytes >= bytes)
				return remove_free(found) ? found : NULL;
		}
	return NULL;
}

static void *allocate(uint64_t wanted) {
	if (wanted == 0 || wanted > heap_bytes)
		return NULL;
	size_t bytes = (wanted + HEADER + UNIT - 1) / UNIT * UNIT;
	bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
	block *own = find(bytes);
	if (!own)
		return NULL;
	if (own->bytes - bytes >= LEAST_BYTES) {
		block *rest = (block *)((char *)own + bytes);
		size_t all = own->bytes;
		rest->before_units = (uint32_t)(bytes / UNIT);
		own->bytes = bytes;
		set_size(rest, all - bytes);
		insert(rest);
	}
	own->mark = mark_of(own, USED);
	used_blocks++;
	return (char *)own + HEADER;
}

/* False if malloc did not give this, or it is free already. */
static bool give_back(void *memory) {
	block *own = (block *)((char *)memory - HEADER);
	if (!is_block(own, USED))
		return false;
	block *next = after(own);
	if (next && is_block(next, FREE) && remove_free(next)) {
		next->mark = 0;
		set_size(own, own->bytes + next->bytes);
	}
	block *before = (block *)((char *)own - (size_t)own->before_units * UNIT);
	if (own->before_units > 0 && is_block(before, FREE) && remove_free(before)) {
		own->mark = 0;
		set_size(before, before->bytes + own->bytes);
		own = before;
	}
	insert(own);
	used_blocks--;
	return true;
}

void s2s_malloc(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang, (void)stride, (void)count;
	hthread *self = s2s_current();
	s2s_begin_hold(self);
	pthread_mutex_lock(&lock);
	bool there = begin_heap();
	for (; lanes != 0; lanes &= lanes - 1) {
		uint64_t *slot = &slots[__builtin_ctzll(lanes)];
		*slot = there ? (uint64_t)(uintptr_t)allocate(*slot) : 0;
	}
	pthread_mutex_unlock(&lock);
	s2s_end_hold(self);
}

void s2s_free(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang, (void)stride, (void)count;
	hthread *self = s2s_current();
	bool fine = true;
	s2s_begin_hold(self);
	pthread_mutex_lock(&lock);
	for (; lanes != 0; lanes &= lanes - 1) {
		void *memory = (void *)(uintptr_t)slots[__builtin_ctzll(lanes)];
		fine &= !memory || give_back(memory);
	}
	pthread_mutex_unlock(&lock);
	s2s_end_hold(self);
	if (fine)
		return;
	self->fault = (fault){.kind = FAULT_CLAIM, .claim = "free() of an address that malloc() did not give, or twice"};
	s2s_raise(self);
}

/* ---- the host ---- */

bool s2s_set_heap_limit(size_t bytes) {
	pthread_mutex_lock(&lock);
	bool can = used_blocks == 0 && bytes <= S2S_MAX_HEAP_BYTES;
	if (can) {
		end_heap();
		limit = bytes;
	}
	pthread_mutex_unlock(&lock);
	return can;
}

size_t s2s_heap_limit(void) {
	pthread_mutex_lock(&lock);
	size_t bytes = limit;
	pthread_mutex_unlock(&lock);
	return bytes;
}

void s2s_reset_heap(void) {
	pthread_mutex_lock(&lock);
	end_heap();
	limit = DEFAULT_HEAP_BYTES;
	pthread_mutex_unlock(&lock);
}
