/* Where device memory lies: in address ranges of its own, far from the host's memory.
 *
 * Known as: guard pages, red zones and a quarantine (as in Electric Fence and AddressSanitizer).
 *
 * An allocation has a slot, which never moves. Pages lie after each that no access may touch: a kernel that runs over
 * the end stops there, and the launch fails. What is left between an allocation and these pages is filled with a
 * pattern, a red zone. Small allocations beyond the first lie side by side in slabs, with red zones alone between them.
 * When the host waits for kernels, and when memory is freed, we look whether red zones are whole.
 *
 * A freed slot waits after others before it is used again. Before the next kernel begins, its pages are closed, so
 * that an access to them is a fault with its place, or else the begin of it is filled with the pattern.
 *
 * Looking and closing take time from the program. They have a credit, which grows by a small part of the time that
 * passes; what must not wait, which is freed large memory, is done without.
 */
#define _GNU_SOURCE
#include "device/guards.h"
#include "base/errors.h"
#include "device/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
	PAGE = 4096,
	GUARD_BYTES = 64 << 10, /* after each allocation; addresses cost nothing, and rows that are skipped are shorter */
	ALIGNMENT = 256,        /* CUDA's promise; at least the 64 that aligned vector loads need */
	RED_BYTES = 256,        /* of a red zone: before an allocation, and at least between two of a slab */
	POISON_BYTES = 256,     /* of freed memory that is filled */
	SLAB_BYTES = 1 << 18,
	MOST_LONE_PAGES = 1024,     /* small allocations that have a page each: one costs some microseconds, once */
	MOST_GUARDED = 8192,        /* slots with pages after them: each divides the process's map twice */
	STAGGERED_BYTES = 16 << 10, /* from here on, allocations begin at different places of their pages */
	CLOSED_BYTES = 1 << 20,     /* from here on, freed memory is closed whatever that takes */
	RETAINED_BYTES = 64 << 20,  /* pages of freed slots that are kept: they are warm */
	NEAR_BYTES = 1 << 20,       /* in the host's memory, an address that is farther than this and its own size from an
								 * allocation has nothing of it */
};

/* Kernels that jump about in large arrays spend much of their time on address translation: ask for huge pages. */
static const size_t HUGE_PAGE = (size_t)2 << 20;

/* Arrays that all begin at a page make CPUs wait: a read looks like one of what was just written to another array, if
 * their addresses have the last 12 bits in common. So each begins elsewhere in its first page: 2304 bytes after the
 * one before, modulo 4096. Kernels that read one and write another are up to 3 times as fast (a stencil of 1024 x 1024,
 * Xeon). Smaller arrays end at the end of a page instead. */
enum { BEHIND_THE_LAST = 9 * 256, MOST_OFFSET = PAGE - ALIGNMENT };

/* A large negative int, and no index of anything; as float -6.2e32. */
enum { PATTERN = 0xF5 };

/* ---- slots ---- */

typedef enum {
	LIVE,     /* holds an allocation */
	LOOSE,    /* freed; no kernel has begun since */
	POISONED, /* freed, and its begin filled */
	CLOSED    /* freed, and out of reach */
} slot_state;

struct s2s_slot {
	char *base;
	size_t room; /* addresses that are its own, from base on */
	size_t open; /* of these, those that can be touched */
	char *begin; /* the allocation that it holds, or held last */
	size_t bytes;
	size_t retained; /* pages that it keeps while it is free */
	uint32_t looked; /* s2s_kernels_begun when its red zones were whole */
	uint16_t offset; /* of staggered allocations */
	uint8_t class;
	bool guarded;  /* the end of its room cannot be touched */
	bool filled;   /* its red zones are */
	bool in_loose; /* in the list of loose slots */
	s2s_memory_kind kind;
	slot_state state;
	s2s_slot *next, *next_loose; /* in the queue of its class, in that list */
};

/* Class 0: a page each. The next: places of slabs, for 256 bytes times a power of two. Then ranges of pages, their
 * sizes four to each power of two; last, those that lie one after the other. */
enum { LONE, SLABS, NSLABS = 5, RANGES = SLABS + NSLABS, NRANGES = 112, OPEN = RANGES + NRANGES };
enum { NCLASSES = OPEN + NRANGES };

/* So many freed slots wait, so that what is freed is not at once another allocation. Large ones are used again at once,
 * as their pages are warm. */
static uint32_t waiting_slots(size_t bytes) {
	return bytes <= PAGE ? 8 : bytes < STAGGERED_BYTES ? 2 : 0;
}

typedef struct {
	s2s_slot *first, *last;
	uint32_t waiting;
	char *next_place, *end; /* of the slab that is not full */
} slot_class;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static slot_class classes[NCLASSES];
static s2s_slot *loose;
static size_t retained_bytes;
static uint32_t lone_pages, guarded_slots;

enum { CHUNK_SLOTS = 1024 };
static s2s_slot **chunks; /* all slots, CHUNK_SLOTS in each */
static size_t nslots;
static size_t next_looked; /* the slot at which looking continues */

static s2s_slot *nth_slot(size_t i) {
	return &chunks[i / CHUNK_SLOTS][i % CHUNK_SLOTS];
}

static s2s_slot *new_slot(void) {
	if (nslots % CHUNK_SLOTS == 0) {
		s2s_slot **more = realloc(chunks, (nslots / CHUNK_SLOTS + 1) * sizeof *more);
		if (!more)
			return NULL;
		chunks = more;
		chunks[nslots / CHUNK_SLOTS] = calloc(CHUNK_SLOTS, sizeof **chunks);
		if (!chunks[nslots / CHUNK_SLOTS])
			return NULL;
	}
	return nth_slot(nslots++);
}

static size_t round_up(size_t bytes, size_t unit) {
	return (bytes + unit - 1) / unit * unit;
}

/* ---- address space ---- */

/* An int that is an index of 16 bytes leads less far than this from an allocation. */
static const size_t MARGIN_BYTES = (size_t)64 << 30;
#ifdef __SANITIZE_THREAD__ /* which keeps a record of every address */
static const size_t REGION_BYTES = (size_t)1 << 33;
#else
static const size_t REGION_BYTES = (size_t)1 << 43;
#endif

static char *region_next, *region_end; /* what is left of the last region */

enum { MOST_REGIONS = 64 };
static struct {
	const char *begin, *end;
} regions[MOST_REGIONS]; /* the first ones */
static uint32_t nregions;

/* Reserve addresses of which nothing can be touched, and with them no memory. */
static bool reserve_region(size_t needed) {
	static bool will_look;
	if (!will_look)
		atexit(s2s_look_at_everything);
	will_look = true;
	struct rlimit limit;
	bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
	size_t bytes = limited ? 2 * needed + ((size_t)64 << 20) : REGION_BYTES;
	for (; bytes >= needed; bytes /= 2) {
		size_t margin = bytes / 8 < MARGIN_BYTES ? bytes / 8 / HUGE_PAGE * HUGE_PAGE : MARGIN_BYTES;
		if (bytes < needed + 2 * margin)
			margin = (bytes - needed) / 2 / PAGE * PAGE;
		char *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (base == MAP_FAILED)
			continue;
		region_next = base + margin;
		region_end = base + bytes - margin;
		if (nregions < MOST_REGIONS) {
			regions[nregions].begin = base;
			regions[nregions++].end = base + bytes;
		}
		s2s_watch_forks();
		return true;
	}
	return false;
}

static char *take_addresses(size_t bytes, size_t alignment) {
	for (int tries = 0; tries < 2; tries++) {
		char *base = (char *)round_up((uintptr_t)region_next, alignment);
		if (region_next && base < region_end && bytes <= (size_t)(region_end - base)) {
			region_next = base + bytes;
			return base;
		}
		if (!reserve_region(bytes + alignment))
			return NULL;
	}
	return NULL;
}

/* Have `open` bytes of a slot in reach. Pages that go out of reach here are the system's again. */
static bool reach(s2s_slot *slot, size_t open) {
	char *from = slot->base + slot->open;
	if (open > slot->open && mprotect(from, open - slot->open, PROT_READ | PROT_WRITE) != 0)
		return false;
	if (open < slot->open) {
		from = slot->base + open;
		if (mprotect(from, slot->open - open, PROT_NONE) != 0)
			return false;
		madvise(from, slot->open - open, MADV_DONTNEED);
	}
	slot->open = open;
	return true;
}

/* ---- classes ---- */

static uint32_t slab_class_of(size_t bytes) {
	uint32_t class = SLABS;
	for (size_t room = ALIGNMENT; room < bytes; room *= 2)
		class++;
	return class;
}

static size_t place_bytes(uint32_t class) {
	return ((size_t)ALIGNMENT << (class - SLABS)) + RED_BYTES;
}

/* The class of so many pages, more than 2; makes them those of the class. */
static uint32_t range_class_of(size_t *pages) {
	if (*pages <= 8)
		return RANGES + (uint32_t)*pages;
	uint32_t top = 63 - (uint32_t)__builtin_clzll(*pages - 1);
	size_t fourths = ((*pages - 1) >> (top - 2)) + 1;
	*pages = fourths << (top - 2);
	return RANGES + top * 4 + (uint32_t)fourths - 4;
}

static s2s_slot *make_lone_page(void) {
	s2s_slot *slot = new_slot();
	char *base = slot ? take_addresses(PAGE + GUARD_BYTES, PAGE) : NULL;
	if (!base)
		return slot; /* which stays empty */
	*slot = (s2s_slot){.base = base, .room = PAGE + GUARD_BYTES, .class = LONE, .guarded = true, .state = CLOSED};
	lone_pages++;
	guarded_slots++;
	return slot;
}

static s2s_slot *make_place(uint32_t class) {
	slot_class *list = &classes[class];
	size_t room = place_bytes(class);
	if (!list->next_place || room > (size_t)(list->end - list->next_place)) {
		char *slab = take_addresses(SLAB_BYTES + GUARD_BYTES, PAGE);
		if (!slab || mprotect(slab, SLAB_BYTES, PROT_READ | PROT_WRITE) != 0)
			return NULL;
		list->next_place = slab;
		list->end = slab + SLAB_BYTES;
	}
	s2s_slot *slot = new_slot();
	if (!slot)
		return NULL;
	*slot = (s2s_slot){.base = list->next_place, .room = room, .open = room, .class = (uint8_t)class, .state = LOOSE};
	list->next_place += room;
	return slot;
}

static s2s_slot *make_range(uint32_t class, size_t pages, bool guarded) {
	static size_t staggered;
	size_t room = pages * PAGE;
	bool huge = room > HUGE_PAGE + GUARD_BYTES;
	room = huge ? round_up(room, HUGE_PAGE) : room;
	s2s_slot *slot = new_slot();
	char *base = slot ? take_addresses(room, huge ? HUGE_PAGE : PAGE) : NULL;
	if (!base)
		return slot;
	uint16_t offset = (uint16_t)(staggered++ * BEHIND_THE_LAST % PAGE);
	*slot = (s2s_slot){.base = base, .room = room, .offset = offset, .class = (uint8_t)class, .state = CLOSED};
	slot->guarded = guarded;
	guarded_slots += guarded;
	if (huge)
		madvise(base, room, MADV_HUGEPAGE); /* a wish: without it, pages are small */
	return slot;
}

/* The freed slot of a class that has waited longest; null if none has waited for enough others. */
static s2s_slot *take_freed(uint32_t class, size_t bytes) {
	slot_class *list = &classes[class];
	if (list->waiting <= waiting_slots(bytes))
		return NULL;
	s2s_slot *slot = list->first;
	list->first = slot->next;
	list->waiting--;
	retained_bytes -= slot->retained;
	slot->retained = 0;
	return slot;
}

static s2s_slot *find_small(size_t bytes) {
	s2s_slot *slot = take_freed(LONE, bytes);
	if (slot)
		return slot;
	if (lone_pages < MOST_LONE_PAGES)
		return make_lone_page();
	uint32_t class = slab_class_of(bytes);
	slot = take_freed(class, bytes);
	return slot ? slot : make_place(class);
}

static s2s_slot *find_range(size_t bytes, size_t bytes_after, bool guarded) {
	size_t offset = guarded || bytes >= STAGGERED_BYTES ? MOST_OFFSET : 0;
	size_t pages = (round_up(offset + round_up(bytes, ALIGNMENT) + bytes_after, PAGE)) / PAGE;
	uint32_t class = range_class_of(&pages) + (guarded ? 0 : NRANGES);
	s2s_slot *slot = take_freed(class, bytes);
	return slot || (guarded && guarded_slots >= MOST_GUARDED) ? slot : make_range(class, pages, guarded);
}

/* A slot for so many bytes: the one that was freed longest ago, or a new one. */
static s2s_slot *find_slot(size_t bytes) {
	if (bytes <= PAGE)
		return find_small(bytes);
	s2s_slot *slot = find_range(bytes, PAGE + GUARD_BYTES, true);
	return slot ? slot : find_range(bytes, RED_BYTES, false);
}

static void put_back(s2s_slot *slot) {
	slot_class *list = &classes[slot->class];
	slot->next = NULL;
	*(list->waiting > 0 ? &list->last->next : &list->first) = slot;
	list->last = slot;
	list->waiting++;
}

/* ---- red zones ---- */

/* None lies before allocations whose pages do not stay: to fill it takes a huge page. */
static char *begin_of_zone(const s2s_slot *slot) {
	if (slot->bytes > RETAINED_BYTES)
		return slot->begin;
	return slot->begin - slot->base > RED_BYTES ? slot->begin - RED_BYTES : slot->base;
}

static char *end_of_zone(const s2s_slot *slot) {
	return slot->class >= OPEN ? slot->begin + round_up(slot->bytes, ALIGNMENT) + RED_BYTES : slot->base + slot->open;
}

static size_t poisoned_bytes(const s2s_slot *slot) {
	return slot->bytes < POISON_BYTES ? slot->bytes : POISON_BYTES;
}

static void fill(char *from, const char *to) {
	memset(from, PATTERN, (size_t)(to - from));
}

static void fill_zones(s2s_slot *slot) {
	fill(begin_of_zone(slot), slot->begin);
	fill(slot->begin + slot->bytes, end_of_zone(slot));
	slot->filled = true;
}

/* 64 bytes, which the compiler compares in vector registers. */
typedef uint64_t eight_words __attribute__((vector_size(64), aligned(8), may_alias));

/* The first byte of [from, to) that is not the pattern's; null if there is none. */
static const char *first_damaged(const char *from, const char *to) {
	for (; from < to && (uintptr_t)from % sizeof(uint64_t) != 0; from++)
		if ((unsigned char)*from != PATTERN)
			return from;
	const char *at = from;
	eight_words damaged = {0};
	for (; (size_t)(to - at) >= sizeof damaged; at += sizeof damaged)
		damaged |= *(const eight_words *)at ^ PATTERN * 0x0101010101010101ull;
	uint64_t any = 0;
	for (int i = 0; i < 8; i++)
		any |= damaged[i];
	for (from = any ? from : at; from < to; from++)
		if ((unsigned char)*from != PATTERN)
			return from;
	return NULL;
}

static const char *damage_of(const s2s_slot *slot) {
	const char *end = slot->begin + slot->bytes;
	if (slot->state == POISONED)
		return first_damaged(slot->begin, slot->begin + poisoned_bytes(slot));
	const char *found = first_damaged(end, end_of_zone(slot));
	return found ? found : first_damaged(begin_of_zone(slot), slot->begin);
}

/* ---- what a kernel did ---- */

_Atomic uint32_t s2s_kernels_begun, s2s_next_look = 1;
static uint32_t looked_after; /* s2s_kernels_begun when all red zones were whole */
_Atomic(const void *) s2s_last_kernel;
_Atomic bool s2s_has_loose_memory;

/* Those that have begun since all was looked at; `more`: others, too. */
enum { MOST_BEGUN = 8 };
static _Atomic(const s2s_kernel *) begun[MOST_BEGUN];
static atomic_bool more_begun;

void s2s_note_kernel(const void *kernel) {
	atomic_store_explicit(&s2s_last_kernel, kernel, memory_order_relaxed);
	for (int i = 0; i < MOST_BEGUN; i++) {
		const s2s_kernel *there = atomic_load_explicit(&begun[i], memory_order_relaxed);
		if (there == kernel || (!there && atomic_compare_exchange_strong(&begun[i], &there, kernel)) || there == kernel)
			return;
	}
	atomic_store_explicit(&more_begun, true, memory_order_relaxed);
}

static void forget_begun(void) {
	for (int i = 0; i < MOST_BEGUN; i++)
		atomic_store(&begun[i], NULL);
	atomic_store(&more_begun, false);
	atomic_store(&s2s_last_kernel, NULL);
}

/* "kernel 'a'", "one of the kernels 'a', 'b' and others". */
static void list_begun(char *text, size_t room) {
	size_t count = 0, used = 0;
	while (count < MOST_BEGUN && atomic_load(&begun[count]))
		count++;
	bool more = atomic_load(&more_begun);
	if (count == 0) {
		snprintf(text, room, "a kernel");
		return;
	}
	for (size_t i = 0; i < count && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s'%s'",
			i > 0 ? ", " : (count > 1 || more ? "one of the kernels " : "kernel "), atomic_load(&begun[i])->name);
	if (more && used < room)
		snprintf(text + used, room - used, " and others");
}

/* The slot whose allocation is nearest to an address; of freed ones, only one that it lies in. */
static const s2s_slot *nearest(const char *address, size_t *distance) {
	const s2s_slot *found = NULL;
	*distance = SIZE_MAX;
	for (size_t i = 0; i < nslots; i++) {
		const s2s_slot *slot = nth_slot(i);
		if (!slot->begin || slot->kind == S2S_HEAP)
			continue;
		bool before = address < slot->begin, inside = !before && address < slot->begin + slot->bytes;
		const char *end = slot->begin + slot->bytes;
		size_t away = inside ? 0 : (size_t)(before ? slot->begin - address : address - end);
		if ((slot->state == LIVE && away < *distance) || inside) {
			found = slot;
			*distance = away;
		}
		if (inside)
			return found;
	}
	return found;
}

/* Whether addresses around this one are for device memory alone. */
static bool is_in_region(const char *address) {
	for (uint32_t i = 0; i < nregions; i++)
		if (address >= regions[i].begin && address < regions[i].end)
			return true;
	return false;
}

/* Write where an address lies: "4 bytes after an allocation of 400 bytes at 0x7f...", or nothing. */
static void describe_place(const char *address, char *text, size_t room) {
	size_t distance;
	const s2s_slot *slot = nearest(address, &distance);
	*text = '\0';
	if (!slot || (distance > slot->bytes && distance > NEAR_BYTES && !is_in_region(address)))
		return;
	bool before = address < slot->begin, inside = !before && address < slot->begin + slot->bytes;
	if (inside && slot->state != LIVE)
		snprintf(text, room, "in an allocation of %zu bytes at %p that was freed", slot->bytes, (void *)slot->begin);
	else if (!inside)
		snprintf(text, room, "%zu bytes %s an allocation of %zu bytes at %p", distance, before ? "before" : "after",
			slot->bytes, (void *)slot->begin);
}

void s2s_describe_nearest(const void *address, char *text, size_t room) {
	pthread_mutex_lock(&lock);
	memcpy(text, ": ", 3);
	describe_place(address, text + 2, room - 2);
	if (!text[2])
		*text = '\0';
	pthread_mutex_unlock(&lock);
}

__attribute__((cold)) static void report(const s2s_slot *slot, const char *at) {
	char kernels[512], place[128];
	list_begun(kernels, sizeof kernels);
	describe_place(at, place, sizeof place);
	fprintf(stderr, "simt2simd: %s: illegal memory access: the byte at address %p was overwritten: %s%s\n", kernels,
		(const void *)at, place, slot->kind == S2S_MANAGED ? "; or the host wrote there" : "");
	s2s_note_launch(cudaErrorIllegalAddress);
}

/* Look at the red zones of a slot, and at its begin if that is filled. Damage is mended. */
static void look_at(s2s_slot *slot) {
	uint32_t now = atomic_load_explicit(&s2s_kernels_begun, memory_order_relaxed);
	if (!slot->filled || slot->looked == now || (slot->state != LIVE && slot->state != POISONED))
		return;
	if (atomic_load_explicit(&s2s_stream_activity, memory_order_relaxed) == 0) /* none that has begun still runs */
		slot->looked = now;
	const char *at = damage_of(slot);
	if (!at)
		return;
	if (s2s_device_fault() == cudaSuccess)
		report(slot, at);
	fill_zones(slot);
	if (slot->state == POISONED)
		fill(slot->begin, slot->begin + poisoned_bytes(slot));
}

/* ---- credit ---- */

/* At the start, and at most; and the part of the time that passes: one in so many. */
enum { FIRST_CREDIT_NS = 500000, MOST_CREDIT_NS = 2000000, CREDIT_PART = 100 };

static int64_t credit_ns = FIRST_CREDIT_NS;
static uint64_t credited_ns, credited_cpu_ns; /* until when time is counted; 0 before the first time */

static uint64_t clock_ns(clockid_t clock) {
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The coarse clock is some milliseconds late, and takes some nanoseconds to read. Of the time that passes, that counts
 * in which the process had a CPU. */
static bool has_credit(void) {
	uint64_t now = clock_ns(CLOCK_MONOTONIC_COARSE);
	if (now != credited_ns) {
		uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		uint64_t passed = now - credited_ns, used = cpu - credited_cpu_ns;
		if (credited_ns != 0)
			credit_ns += (int64_t)((passed < used ? passed : used) / CREDIT_PART);
		credit_ns = credit_ns < MOST_CREDIT_NS ? credit_ns : MOST_CREDIT_NS;
		credited_ns = now;
		credited_cpu_ns = cpu;
	}
	return credit_ns > 0;
}

/* ---- looking ---- */

/* What it takes to look at a slot, and at any; to close one. Measured times would be longer on a machine that is busy,
 * and what is found would depend on that. */
enum { SLOT_NS = 20, LOOK_NS = 120, CLOSE_NS = 1500 };

/* Look at all slots, or as many as the credit allows; whether it was all. */
static bool look_at_slots(bool all) {
	size_t most = credit_ns > 0 ? (size_t)credit_ns / SLOT_NS : 0;
	size_t count = all || nslots < most ? nslots : most;
	for (size_t i = 0; i < count; i++) {
		next_looked = next_looked + 1 < nslots ? next_looked + 1 : 0;
		look_at(nth_slot(next_looked));
	}
	credit_ns -= all ? 0 : (int64_t)(count * SLOT_NS) + LOOK_NS;
	return count == nslots;
}

/* Without credit, so many kernels begin before it is counted again: to ask for the time takes some. */
enum { KERNELS_A_CLOCK = 64 };

void s2s_look(void) {
	if (s2s_device_fault() != cudaSuccess)
		return;
	pthread_mutex_lock(&lock);
	uint32_t now = atomic_load(&s2s_kernels_begun);
	bool quiet = atomic_load(&s2s_stream_activity) == 0;
	bool can = has_credit();
	if (can && look_at_slots(false) && quiet) {
		looked_after = now;
		if (s2s_device_fault() == cudaSuccess)
			forget_begun();
	}
	atomic_store(&s2s_next_look, looked_after == now ? now + 1 : can ? now : now + KERNELS_A_CLOCK);
	pthread_mutex_unlock(&lock);
}

void s2s_look_at_everything(void) {
	pthread_mutex_lock(&lock);
	uint32_t now = atomic_load(&s2s_kernels_begun);
	if (now != looked_after)
		look_at_slots(true);
	looked_after = now;
	atomic_store(&s2s_next_look, now + 1);
	forget_begun();
	pthread_mutex_unlock(&lock);
}

void s2s_forget_begun_kernels(const void *begin, size_t bytes) {
	bool any = false;
	for (int i = 0; i < MOST_BEGUN; i++) {
		const s2s_kernel *kernel = atomic_load(&begun[i]);
		any = any || (kernel && (uintptr_t)kernel - (uintptr_t)begin < bytes);
	}
	if (any)
		s2s_look_at_everything();
}

/* ---- taking and giving ---- */

/* Where an allocation lies in its slot. What the host may run over begins at a page, as NVIDIA's does. */
static char *place_of(const s2s_slot *slot, size_t bytes, s2s_memory_kind kind) {
	size_t room = round_up(bytes, ALIGNMENT);
	if (bytes >= STAGGERED_BYTES && kind != S2S_HEAP)
		return slot->base + slot->offset;
	return kind == S2S_PINNED || !slot->guarded ? slot->base : slot->base + round_up(room, PAGE) - room;
}

static bool prepare(s2s_slot *slot, size_t bytes, s2s_memory_kind kind) {
	look_at(slot);
	char *begin = place_of(slot, bytes, kind);
	size_t open = slot->room;
	if (slot->guarded)
		open = round_up((size_t)(begin - slot->base) + round_up(bytes, ALIGNMENT), PAGE);
	bool same = slot->begin == begin && slot->bytes == bytes && slot->filled;
	if (slot->open != open && !reach(slot, open))
		return false;
	slot->begin = begin;
	slot->bytes = bytes;
	slot->kind = kind;
	slot->state = LIVE;
	slot->looked = atomic_load_explicit(&s2s_kernels_begun, memory_order_relaxed);
	if (kind == S2S_PINNED || kind == S2S_HEAP)
		slot->filled = false;
	else if (!same)
		fill_zones(slot);
	return true;
}

s2s_slot *s2s_take_slot(size_t bytes, s2s_memory_kind kind) {
	pthread_mutex_lock(&lock);
	s2s_slot *slot = find_slot(bytes);
	if (slot && (!slot->base || !prepare(slot, bytes, kind))) {
		if (slot->base)
			put_back(slot);
		slot = NULL;
	}
	pthread_mutex_unlock(&lock);
	return slot;
}

void *s2s_slot_begin(const s2s_slot *slot) {
	return slot->begin;
}

s2s_memory_kind s2s_slot_kind(const s2s_slot *slot) {
	return slot->kind;
}

/* Take a freed slot out of reach; its pages stay. */
static void close_slot(s2s_slot *slot) {
	if (mprotect(slot->base, slot->open, PROT_NONE) != 0)
		return;
	slot->open = 0;
	slot->state = CLOSED;
}

/* Give the pages of a freed slot back to the system. */
static void drop_pages(s2s_slot *slot) {
	slot->filled = false;
	if (slot->guarded && reach(slot, 0))
		slot->state = CLOSED;
	else
		madvise(slot->base, slot->open, MADV_DONTNEED);
}

void s2s_give_slot(s2s_slot *slot) {
	pthread_mutex_lock(&lock);
	look_at(slot);
	slot->state = LOOSE;
	put_back(slot);
	bool has_pages = slot->class < SLABS || slot->class >= RANGES;
	if (has_pages && slot->open > RETAINED_BYTES - retained_bytes) {
		drop_pages(slot);
	} else if (has_pages) {
		slot->retained = slot->open;
		retained_bytes += slot->open;
	}
	if (slot->state == LOOSE && !slot->in_loose) {
		slot->in_loose = true;
		slot->next_loose = loose;
		loose = slot;
		atomic_store_explicit(&s2s_has_loose_memory, true, memory_order_relaxed);
	}
	pthread_mutex_unlock(&lock);
}

static void seal(s2s_slot *slot, bool can_close) {
	if (slot->guarded && slot->open < CLOSED_BYTES && can_close)
		credit_ns -= CLOSE_NS;
	if (slot->guarded && (can_close || slot->open >= CLOSED_BYTES))
		close_slot(slot);
	if (slot->state == LOOSE && slot->filled) {
		fill(slot->begin, slot->begin + poisoned_bytes(slot));
		slot->state = POISONED;
	}
}

void s2s_seal_loose_memory(void) {
	pthread_mutex_lock(&lock);
	static uint32_t without_credit;
	bool can_close = without_credit++ % KERNELS_A_CLOCK == 0 && has_credit();
	without_credit = can_close ? 0 : without_credit;
	for (s2s_slot *next; loose; loose = next) {
		next = loose->next_loose;
		loose->in_loose = false;
		if (loose->state == LOOSE)
			seal(loose, can_close && credit_ns > 0);
	}
	atomic_store_explicit(&s2s_has_loose_memory, false, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
}

void s2s_lock_guards(void) {
	pthread_mutex_lock(&lock);
}

void s2s_unlock_guards(void) {
	pthread_mutex_unlock(&lock);
}
