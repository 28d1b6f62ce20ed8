/* What all folders use: memory of a thread, how much memory there is, places in grids. */
#ifndef S2S_BASE_H
#define S2S_BASE_H

#include "s2s.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_LINE = 64 };

/* The place with this number where places are counted along x first, then along y. */
static inline s2s_dim3 s2s_nth(s2s_dim3 size, uint64_t number) {
	uint64_t row = number / size.x;
	return (s2s_dim3){(uint32_t)(number % size.x), (uint32_t)(row % size.y), (uint32_t)(row / size.y)};
}

/* ---- thread_local.c ---- */

/* Return what *holder, a thread-local pointer, points to: so many bytes, at first 0, which are the calling thread's as
 * long as it lives. Null if there is no memory. Signal handlers may not call it. */
void *s2s_own_memory(void **holder, size_t bytes);

/* ---- machine.c ---- */

/* The number in the first line of a file that begins with `label`, in kB if the label is not empty; SIZE_MAX if there
 * is none. */
size_t s2s_read_size(const char *path, const char *label);

/* The machine's memory in bytes, or what a container has of it. */
size_t s2s_memory_bytes(void);

#endif
