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
	void *owner;        /* known to the code that added it */
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

bool s2s_ranges_add_of(s2s_ranges *set, const void *begin, size_t bytes, void *owner);

/* Remove the range that begins at `begin`, and return it; its `begin` is null if there is none. */
s2s_range s2s_ranges_take(s2s_ranges *set, const void *begin);
bool s2s_ranges_remove(s2s_ranges *set, const void *begin);

/* A range that meets [begin, begin + bytes), which is not empty; its `begin` is null if there is none. */
s2s_range s2s_ranges_find(s2s_ranges *set, const void *begin, size_t bytes);

size_t s2s_ranges_bytes(s2s_ranges *set);

#endif
