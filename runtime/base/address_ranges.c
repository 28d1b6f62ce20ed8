/* Sets of address ranges: the memory and the handles that a program was given and has not given back. */
#define _GNU_SOURCE
#include "base/address_ranges.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>

/* Ranges of one set do not overlap: ranges that do count as equal, so that one finds what it meets. */
static int compare(const void *a, const void *b) {
	const s2s_range *x = a, *y = b;
	if ((uintptr_t)x->begin + x->bytes <= (uintptr_t)y->begin)
		return -1;
	return (uintptr_t)x->begin >= (uintptr_t)y->begin + y->bytes;
}

/* A range that meets [begin, begin + bytes); null if there is none. The caller holds the lock. */
static s2s_range **find(s2s_ranges *set, const void *begin, size_t bytes) {
	s2s_range wanted = {begin, bytes, 0, NULL};
	return tfind(&wanted, &set->root, compare);
}

static bool add(s2s_ranges *set, s2s_range added) {
	s2s_range *range = malloc(sizeof *range);
	if (!range)
		return false;
	*range = added;
	pthread_mutex_lock(&set->lock);
	bool is_added = tsearch(range, &set->root, compare) != NULL;
	if (is_added)
		set->bytes += added.bytes;
	pthread_mutex_unlock(&set->lock);
	if (!is_added)
		free(range);
	return is_added;
}

bool s2s_ranges_add(s2s_ranges *set, const void *begin, size_t bytes) {
	return add(set, (s2s_range){begin, bytes, 0, NULL});
}

bool s2s_ranges_add_with(s2s_ranges *set, const void *begin, size_t bytes, unsigned int flags) {
	return add(set, (s2s_range){begin, bytes, flags, NULL});
}

bool s2s_ranges_add_of(s2s_ranges *set, const void *begin, size_t bytes, void *owner) {
	return add(set, (s2s_range){begin, bytes, 0, owner});
}

s2s_range s2s_ranges_take(s2s_ranges *set, const void *begin) {
	s2s_range taken = {0};
	pthread_mutex_lock(&set->lock);
	s2s_range **found = find(set, begin, 1);
	s2s_range *range = found && (*found)->begin == begin ? *found : NULL;
	if (range) {
		taken = *range;
		set->bytes -= range->bytes;
		tdelete(range, &set->root, compare);
	}
	pthread_mutex_unlock(&set->lock);
	free(range);
	return taken;
}

bool s2s_ranges_remove(s2s_ranges *set, const void *begin) {
	return s2s_ranges_take(set, begin).begin != NULL;
}

s2s_range s2s_ranges_find(s2s_ranges *set, const void *begin, size_t bytes) {
	pthread_mutex_lock(&set->lock);
	s2s_range **found = find(set, begin, bytes);
	s2s_range range = found ? **found : (s2s_range){0};
	pthread_mutex_unlock(&set->lock);
	return range;
}

size_t s2s_ranges_bytes(s2s_ranges *set) {
	pthread_mutex_lock(&set->lock);
	size_t bytes = set->bytes;
	pthread_mutex_unlock(&set->lock);
	return bytes;
}
