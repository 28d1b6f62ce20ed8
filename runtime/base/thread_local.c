/* Memory of one thread, allocated when the thread first needs it and freed when the thread ends.
 *
 * Thread-local variables of a shared library with one that must be there at once (`s2s_this_hthread`) all lie in the
 * static TLS block. The C library keeps less than 2 KiB of it for libraries that are loaded later, and OpenMP's takes
 * most: what is large is reached through a thread-local pointer. */
#define _GNU_SOURCE
#include "base/base.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct piece {
	struct piece *next;
	void **holder; /* the thread-local pointer to `memory` */
	_Alignas(16) char memory[];
} piece;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of the last piece; unusable if `failed` */
static bool failed;

static void free_pieces(void *last) {
	for (piece *now = last; now;) {
		piece *next = now->next;
		*now->holder = NULL; /* what runs later at the thread's end may ask again */
		free(now);
		now = next;
	}
}

static void initialise(void) {
	failed = pthread_key_create(&key, free_pieces) != 0;
}

void *s2s_own_memory(void **holder, size_t bytes) {
	if (*holder)
		return *holder;
	pthread_once(&once, initialise);
	piece *made = failed ? NULL : calloc(1, sizeof *made + bytes);
	if (!made)
		return NULL;
	*made = (piece){.next = pthread_getspecific(key), .holder = holder};
	if (pthread_setspecific(key, made) != 0) {
		free(made);
		return NULL;
	}
	return *holder = made->memory;
}
