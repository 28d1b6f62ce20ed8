/* Errors of CUDA's runtime in device code, each of which is its thread's own until it asks for it.
 *
 * An hthread keeps those of the threads that it runs. They lie in sets, into which they are thrown by the grid, the
 * block and the thread; of too many in a set, the oldest is lost. A grid has a number that no other grid of the program
 * has: what its threads have left is nobody else's.
 */
#define _GNU_SOURCE
#include "cuda_runtime.h"
#include "family.h"

#include <stdlib.h>

enum { SETS = 1024, ENTRIES = 8 };

typedef struct {
	uint64_t grid; /* its number; 0: there is no error */
	s2s_dim3 block, thread;
	uint32_t first_thread, lane; /* these two and `thread` tell the thread */
	int code;
} entry;

struct s2s_child_errors {
	entry sets[SETS][ENTRIES];
};

bool s2s_prepare_errors(s2s_brood *brood) {
	brood->errors = calloc(1, sizeof *brood->errors);
	return brood->errors;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static entry key_of(const s2s_gang *gang, uint32_t lane, int code) {
	return (entry){s2s_family_of(gang)->number, gang->block, gang->thread, gang->first_thread, lane, code};
}

static entry *set_of(const hthread *self, const entry *key) {
	uint64_t hash = mixed(key->grid, (uint64_t)key->block.x << 32 | key->block.y);
	hash = mixed(hash, (uint64_t)key->block.z << 32 | key->thread.x);
	hash = mixed(hash, (uint64_t)key->thread.y << 32 | key->thread.z);
	hash = mixed(hash, (uint64_t)key->first_thread << 32 | key->lane);
	return self->brood->errors->sets[hash % SETS];
}

static bool is_of(const entry *one, const entry *other) {
	return one->grid == other->grid && s2s_is_same(one->block, other->block) &&
		   s2s_is_same(one->thread, other->thread) && one->first_thread == other->first_thread &&
		   one->lane == other->lane;
}

/* The error of a lane; null if it has none. */
static entry *find(const hthread *self, const s2s_gang *gang, uint32_t lane) {
	if (!self->brood->has_errors)
		return NULL;
	entry key = key_of(gang, lane, 0), *set = set_of(self, &key);
	for (uint32_t i = 0; i < ENTRIES; i++)
		if (is_of(&set[i], &key))
			return &set[i];
	return NULL;
}

int s2s_note_error(hthread *self, const s2s_gang *gang, uint32_t lane, int code) {
	if (code == cudaSuccess)
		return code;
	entry *found = find(self, gang, lane);
	if (found) {
		found->code = code;
		return code;
	}
	self->brood->has_errors = true;
	entry key = key_of(gang, lane, code), *set = set_of(self, &key);
	uint32_t at = 0;
	while (at < ENTRIES - 1 && set[at].grid != 0) /* what comes later in a set is older */
		at++;
	for (; at > 0; at--)
		set[at] = set[at - 1];
	set[0] = key;
	return code;
}

/* Tell each lane its error; `forget`: it has none from then on. */
static void tell(const s2s_gang *gang, uint64_t lanes, uint64_t *slots, bool forget) {
	const hthread *self = s2s_current();
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		entry *found = find(self, gang, lane);
		slots[lane] = found ? (uint64_t)found->code : cudaSuccess;
		if (found && forget)
			found->grid = 0;
	}
}

void s2s_last_error(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)stride;
	(void)count;
	tell(gang, lanes, slots, true);
}

void s2s_peek_error(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)stride;
	(void)count;
	tell(gang, lanes, slots, false);
}
