/* Counting what kernels that were compiled with --warp-stats ask of memory: bytes, sectors, cache lines, the caches
 * that would hold them.
 *
 * Known as: cache simulation with sampled lines.
 *
 * Each hthread keeps caches of its own: 8-way, with the least recently used line going first. Of all lines only one in
 * SAMPLED is followed, in caches that are smaller by as much: what they miss, times SAMPLED, is near what the whole
 * ones would. They stay as they are from launch to launch, as real ones do.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <stdlib.h>
#include <string.h>

enum {
	SAMPLED_BITS = 3,
	SAMPLED = 1 << SAMPLED_BITS,
	WAYS = 8,
	LINE_BITS = 6,
	SECTOR_BITS = 5,
	FIRST_CACHE_BITS = 12, /* 4 KiB */
	CACHE_STEP_BITS = 3,   /* the next one is 8 times as large */
	BANKS = 32,
	BANK_BYTES = 4,
	MEETINGS = 1024, /* counters of atomic functions, by sector: more than the sectors in which most lanes meet */
	RUNS = 256,      /* gangs at a time, more or less */
	PLACES = 256,    /* of the table that distinguishes lines: more than twice the lanes */
};

typedef struct {
	uint32_t (*sets)[WAYS]; /* of each line its number, the last one first; 0: none */
	uint32_t mask;          /* sets - 1 */
} cache;

struct traffic {
	cache caches[S2S_CACHES];
	uint64_t stamp;
	struct {
		uint64_t stamp, key;
	} seen[PLACES];
	struct {
		uint64_t accesses; /* since the gang began */
		s2s_traffic *sum;  /* of its kernel; null if there are none */
	} runs[RUNS];
	uint64_t meetings[MEETINGS], met; /* of lanes in atomic functions, in this launch; in all */
};

static traffic *new_traffic(void) {
	traffic *made = calloc(1, sizeof *made);
	for (uint32_t i = 0; made && i < S2S_CACHES; i++) {
		uint32_t bits = FIRST_CACHE_BITS + i * CACHE_STEP_BITS - LINE_BITS - SAMPLED_BITS;
		uint32_t sets = (1u << bits) / WAYS;
		made->caches[i].mask = sets - 1;
		made->caches[i].sets = calloc(sets, sizeof *made->caches[i].sets);
		if (made->caches[i].sets)
			continue;
		for (uint32_t k = 0; k < i; k++)
			free(made->caches[k].sets);
		free(made);
		return NULL;
	}
	return made;
}

bool s2s_prepare_traffic(hthread *self) {
	return self->traffic || (self->traffic = new_traffic());
}

/* Steele, Lea and Flood's SplitMix64. */
static uint64_t mixed(uint64_t key) {
	key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9u;
	key = (key ^ key >> 27) * 0x94D049BB133111EBu;
	return key ^ key >> 31;
}

/* Whether no lane has asked for `key` since the stamp changed. */
static bool is_new(traffic *traffic, uint64_t key) {
	for (uint32_t i = (uint32_t)mixed(key) % PLACES;; i = (i + 1) % PLACES) {
		if (traffic->seen[i].stamp != traffic->stamp) {
			traffic->seen[i].stamp = traffic->stamp;
			traffic->seen[i].key = key;
			return true;
		}
		if (traffic->seen[i].key == key)
			return false;
	}
}

/* Whether a line is in a set; it is the last one that was used from now on. */
static bool touch(uint32_t set[WAYS], uint32_t line) {
	uint32_t way = 0;
	while (way < WAYS - 1 && set[way] != line)
		way++;
	bool hit = set[way] == line;
	memmove(set + 1, set, way * sizeof *set);
	set[0] = line;
	return hit;
}

/* Follow a line through the caches, from the smallest one on to the first that has it. */
static void follow(traffic *traffic, s2s_traffic *sum, uint64_t line) {
	uint64_t hash = mixed(line);
	if (hash % SAMPLED != 0)
		return;
	for (uint32_t i = 0; i < S2S_CACHES; i++) {
		cache *cache = &traffic->caches[i];
		if (touch(cache->sets[(hash >> SAMPLED_BITS) & cache->mask], (uint32_t)line | 1u << 31))
			return;
		sum->missed[i] += SAMPLED;
	}
}

static void count_global(
	traffic *traffic, s2s_traffic *sum, const uint64_t *addresses, uint64_t lanes, uint32_t bytes) {
	enum { SECTORS_ARE = 1, LINES_ARE = 2 };
	uint64_t sectors = 0, lines = 0, last = ~(uint64_t)0;
	traffic->stamp++;
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint64_t address = addresses[__builtin_ctzll(left)];
		for (uint64_t sector = address >> SECTOR_BITS; sector <= (address + bytes - 1) >> SECTOR_BITS; sector++) {
			if (sector == last)
				continue;
			last = sector;
			if (!is_new(traffic, sector << 2 | SECTORS_ARE))
				continue;
			sectors++;
			uint64_t line = sector >> (LINE_BITS - SECTOR_BITS);
			if (is_new(traffic, line << 2 | LINES_ARE)) {
				lines++;
				follow(traffic, sum, line);
			}
		}
	}
	sum->sectors += sectors;
	sum->lines += lines;
}

/* The words of one bank are read one after the other, as often as the bank with most words has different ones. */
static void count_shared(
	traffic *traffic, s2s_traffic *sum, const uint64_t *addresses, uint64_t lanes, uint32_t bytes) {
	uint32_t words[BANKS] = {0}, most = 1;
	traffic->stamp++;
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint64_t address = addresses[__builtin_ctzll(left)];
		for (uint64_t word = address / BANK_BYTES; word <= (address + bytes - 1) / BANK_BYTES; word++) {
			uint32_t *bank = &words[word % BANKS];
			if (is_new(traffic, word) && ++*bank > most)
				most = *bank;
		}
	}
	sum->shared++;
	sum->shared_rounds += most;
}

/* Lanes that meet at an address wait for each other, and so do those that meet in a sector. */
static void count_atomic(traffic *traffic, s2s_traffic *sum, const uint64_t *addresses, uint64_t lanes) {
	uint64_t different = 0, count = (uint64_t)__builtin_popcountll(lanes);
	traffic->stamp++;
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint64_t address = addresses[__builtin_ctzll(left)];
		different += is_new(traffic, address);
		traffic->meetings[mixed(address >> SECTOR_BITS) % MEETINGS]++;
	}
	traffic->met += count;
	sum->atomics++;
	sum->atomic_lanes += count;
	sum->atomic_addresses += different;
}

static bool is_shared(const s2s_gang *gang, uint64_t address) {
	return address - (uint64_t)gang->shared < S2S_SHARED_ROOM_BYTES;
}

static uint32_t run_of(const s2s_gang *gang) {
	return (uint32_t)((uintptr_t)gang / sizeof *gang % RUNS);
}

static void end_run(traffic *traffic, uint32_t run) {
	s2s_traffic *sum = traffic->runs[run].sum;
	uint64_t accesses = traffic->runs[run].accesses;
	if (sum && accesses > sum->longest)
		sum->longest = accesses;
	traffic->runs[run].accesses = 0;
	traffic->runs[run].sum = NULL;
}

void s2s_begin_gang_traffic(s2s_gang *gang, uint64_t lanes) {
	if (lanes == 0)
		return;
	traffic *traffic = s2s_this_hthread->traffic;
	uint32_t run = run_of(gang);
	end_run(traffic, run);
	traffic->runs[run].sum = s2s_traffic_of(gang->launch);
}

/* The counter of the sector in which most lanes have met, without what others have added to it. */
static uint64_t hottest(const traffic *traffic) {
	uint64_t most = 0;
	for (uint32_t i = 0; i < MEETINGS; i++)
		most = traffic->meetings[i] > most ? traffic->meetings[i] : most;
	uint64_t others = (traffic->met - most) / (MEETINGS - 1);
	return most > others ? most - others : 0;
}

void s2s_end_traffic(hthread *self, s2s_traffic *sum) {
	traffic *traffic = self->traffic;
	for (uint32_t i = 0; traffic && i < RUNS; i++)
		if (traffic->runs[i].sum == sum)
			end_run(traffic, i);
	if (!traffic || traffic->met == 0)
		return;
	sum->atomic_hottest += hottest(traffic);
	memset(traffic->meetings, 0, sizeof traffic->meetings);
	traffic->met = 0;
}

void s2s_count_access(s2s_gang *gang, uint64_t lanes, const uint64_t *addresses, uint32_t bytes, uint32_t how) {
	if (lanes == 0)
		return;
	traffic *traffic = s2s_this_hthread->traffic;
	s2s_traffic *sum = s2s_traffic_of(gang->launch);
	uint64_t count = (uint64_t)__builtin_popcountll(lanes);
	traffic->runs[run_of(gang)].accesses++;
	if (how & S2S_ACCESS_UNIFORM)
		lanes = 1;
	uint64_t first = addresses ? addresses[__builtin_ctzll(lanes)] : 0;
	if (!addresses || s2s_is_local(gang, first)) {
		sum->local++;
		sum->local_bytes += count * bytes;
		return;
	}
	if (is_shared(gang, first)) {
		count_shared(traffic, sum, addresses, lanes, bytes);
	} else {
		sum->global++;
		sum->uniform += how & S2S_ACCESS_UNIFORM ? 1 : 0;
		sum->stores += how & S2S_ACCESS_STORES ? 1 : 0;
		sum->bytes += count * bytes;
		count_global(traffic, sum, addresses, lanes, bytes);
	}
	if (how & S2S_ACCESS_ATOMIC)
		count_atomic(traffic, sum, addresses, how & S2S_ACCESS_UNIFORM ? 1 : lanes);
}
