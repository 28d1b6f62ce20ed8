/* Sets of address ranges: the memory and the handles that a program was given and has not given back. */
#define _GNU_SOURCE
#include "ranges.h"

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
	s2s_range wanted = {begin, bytes, 0};
	return tfind(&wanted, &set->root, compare);
}

bool s2s_ranges_add(s2s_ranges *set, const void *begin, size_t bytes) {
	return s2s_ranges_add_with(set, begin, bytes, 0);
}

bool s2s_ranges_add_with(s2s_ranges *set, const void *begin, size_t bytes, unsigned int flags) {
	s2s_range *range = malloc(sizeof *range);
	if (!range)
		return false;
	*range = (s2s_range){begin, bytes, flags};
	pthread_mutex_lock(&set->lock);
	bool added = tsearch(range, &set->root, compare) != NULL;
	if (added)
		set->bytes += bytes;
	pthread_mutex_unlock(&set->lock);
	if (!added)
		free(range);
	return added;
}

bool s2s_ranges_remove(s2s_ranges *set, const void *begin) {
	pthread_mutex_lock(&set->lock);
	s2s_range **found = find(set, begin, 1);
	s2s_range *range = found && (*found)->begin == begin ? *found : NULL;
	if (range) {
		set->bytes -= range->bytes;
		tdelete(range, &set->root, compare);
	}
	pthread_mutex_unlock(&set->lock);
	free(range);
	return range != NULL;
}

s2s_range s2s_ranges_find(s2s_ranges *set, const void *begin, size_t bytes) {
	pthread_mutex_lock(&set->lock);
	s2s_range **found = find(set, begin, bytes);
	s2s_range range = found ? **found : (s2s_range){0};
	pthread_mutex_unlock(&set->lock);
	return range;
}

size_t s2s_range_distance(s2s_range range, const void *address) {
	uintptr_t begin = (uintptr_t)range.begin, at = (uintptr_t)address;
	return at < begin ? begin - at : at - begin - range.bytes;
}

/* What `see` is after; twalk passes nothing on. */
static _Thread_local struct {
	const void *address;
	s2s_range nearest;
} search;

static void see(const void *node, VISIT visit, int depth) {
	(void)depth;
	s2s_range range = **(s2s_range *const *)node;
	bool nearer = !search.nearest.begin ||
				  s2s_range_distance(range, search.address) < s2s_range_distance(search.nearest, search.address);
	if ((visit == postorder || visit == leaf) && nearer)
		search.nearest = range;
}

s2s_range s2s_ranges_nearest(s2s_ranges *set, const void *address) {
	pthread_mutex_lock(&set->lock);
	search.address = address;
	search.nearest = (s2s_range){0};
	twalk(set->root, see);
	pthread_mutex_unlock(&set->lock);
	return search.nearest;
}

size_t s2s_ranges_bytes(s2s_ranges *set) {
	pthread_mutex_lock(&set->lock);
	size_t bytes = set->bytes;
	pthread_mutex_unlock(&set->lock);
	return bytes;
}
