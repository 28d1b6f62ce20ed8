/* Time in kernels. */
#define _GNU_SOURCE
#include "device/device.h"

#include <time.h>

enum { MOST_SLEEP_NS = 1000000 }; /* CUDA's */

static const uint64_t NS_PER_S = 1000000000;

uint64_t s2s_globaltimer(void) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void s2s_nanosleep(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang;
	(void)stride;
	(void)count;
	uint64_t longest = 0;
	for (; lanes != 0; lanes &= lanes - 1) {
		uint64_t wanted = slots[__builtin_ctzll(lanes)];
		longest = wanted > longest ? wanted : longest;
	}
	struct timespec time = {0, (long)(longest < MOST_SLEEP_NS ? longest : MOST_SLEEP_NS)};
	nanosleep(&time, NULL);
}
