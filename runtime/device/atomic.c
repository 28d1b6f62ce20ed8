/* Atomic functions on 16 bytes, one lane after the other. */
#define _GNU_SOURCE
#include "device/device.h"

#include <string.h>

/* Put `desired` in the place of what is there if that is `expected`, which becomes what was there; return whether. The
 * compiler's own function for it would come from libatomic. An address that is not a multiple of 16 is a fault. */
static bool swap(void *place, uint64_t *expected, const uint64_t *desired) {
	bool same;
	__asm__ volatile("lock cmpxchg16b %1"
		: "=@ccz"(same), "+m"(*(char (*)[16])place), "+a"(expected[0]), "+d"(expected[1])
		: "b"(desired[0]), "c"(desired[1])
		: "memory");
	return same;
}

void s2s_swap_16(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang, (void)count;
	for (; lanes != 0; lanes &= lanes - 1) {
		uint64_t *lane = slots + __builtin_ctzll(lanes), expected[2], desired[2];
		void *found = (void *)(uintptr_t)lane[stride];
		memcpy(expected, found, sizeof expected);
		memcpy(desired, (void *)(uintptr_t)lane[2 * stride], sizeof desired);
		lane[0] = swap((void *)(uintptr_t)lane[0], expected, desired);
		memcpy(found, expected, sizeof expected);
	}
}
