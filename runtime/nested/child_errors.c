/* Errors of CUDA's runtime in device code, each of which is its thread's own until it asks for it.
 *
 * A block keeps those of its threads until it ends: a record for each of its gangs that has had any.
 */
#define _GNU_SOURCE
#include "cuda_runtime.h"
#include "nested/nested.h"

enum { MAX_LANES = 64 };

struct s2s_gang_errors {
	struct s2s_gang_errors *next; /* of the block */
	s2s_dim3 thread;
	uint32_t first_thread; /* these two identify the gang */
	int codes[MAX_LANES];  /* of its lanes; cudaSuccess where there is no error */
};

/* The record of a gang; null if it has had no errors. */
static s2s_gang_errors *find(const s2s_parent *parent, const s2s_gang *gang) {
	s2s_gang_errors *each = parent->errors;
	while (each && !(each->first_thread == gang->first_thread && s2s_is_same(each->thread, gang->thread)))
		each = each->next;
	return each;
}

static s2s_gang_errors *new_record(hthread *self, s2s_parent *parent, const s2s_gang *gang) {
	s2s_gang_errors *made = s2s_take(self, sizeof *made);
	if (!made)
		s2s_fail_for_memory(self);
	*made = (s2s_gang_errors){.next = parent->errors, .thread = gang->thread, .first_thread = gang->first_thread};
	parent->errors = made;
	return made;
}

int s2s_note_error(hthread *self, s2s_gang *gang, uint32_t lane, int code) {
	if (code == cudaSuccess)
		return code;
	s2s_parent *parent = s2s_parent_of(self, gang);
	s2s_gang_errors *errors = find(parent, gang);
	if (!errors)
		errors = new_record(self, parent, gang);
	errors->codes[lane] = code;
	return code;
}

void s2s_forget_errors_of(hthread *self, s2s_parent *parent) {
	for (s2s_gang_errors *each = parent->errors, *next; each; each = next) {
		next = each->next;
		s2s_drop(self, each);
	}
	parent->errors = NULL;
}

/* Return to each lane its error; `forget`: it has none from then on. */
static void return_errors(s2s_gang *gang, uint64_t lanes, uint64_t *slots, bool forget) {
	s2s_gang_errors *errors = find(s2s_parent_of(s2s_current(), gang), gang);
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		slots[lane] = errors ? (uint64_t)errors->codes[lane] : cudaSuccess;
		if (errors && forget)
			errors->codes[lane] = cudaSuccess;
	}
}

void s2s_last_error(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)stride;
	(void)count;
	return_errors(gang, lanes, slots, true);
}

void s2s_peek_error(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)stride;
	(void)count;
	return_errors(gang, lanes, slots, false);
}
