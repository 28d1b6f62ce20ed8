/* Sets of address ranges. All functions may be called from any thread. */
#ifndef S2S_RANGES_H
#define S2S_RANGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Never empty. */
typedef struct {
	const void *begin;
	size_t bytes;
	unsigned int flags; /* the program's */
} s2s_range;

typedef struct {
	pthread_mutex_t lock;
	void *root;   /* a tree of s2s_range */
	size_t bytes; /* of all ranges */
} s2s_ranges;

#define S2S_NO_RANGES {PTHREAD_MUTEX_INITIALIZER, NULL, 0}

/* Add a range that meets no other one. False: no memory. */
bool s2s_ranges_add(s2s_ranges *set, const void *begin, size_t bytes);

/* The same with flags of the program's. */
bool s2s_ranges_add_with(s2s_ranges *set, const void *begin, size_t bytes, unsigned int flags);

/* Remove the range that begins at `begin`. False if there is none. */
bool s2s_ranges_remove(s2s_ranges *set, const void *begin);

/* A range that meets [begin, begin + bytes), which is not empty; its `begin` is null if there is none. */
s2s_range s2s_ranges_find(s2s_ranges *set, const void *begin, size_t bytes);

/* The range that is nearest to `address`, which lies in none; its `begin` is null if there is none. */
s2s_range s2s_ranges_nearest(s2s_ranges *set, const void *address);

/* How many bytes `address`, which is not in `range`, lies before its begin or behind its end. */
size_t s2s_range_distance(s2s_range range, const void *address);

size_t s2s_ranges_bytes(s2s_ranges *set);

#endif
