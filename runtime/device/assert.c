/* assert in kernels: every thread of the gang that fails says so on stderr, then the launch ends. */
#define _GNU_SOURCE
#include "device/device.h"

#include <stdio.h>

/* One of the numbers of threads along an axis of the grid, as CUDA counts them. */
typedef struct {
	uint32_t block, thread;
} place;

static place place_of(uint64_t number, uint32_t width) {
	return (place){(uint32_t)(number / width), (uint32_t)(number % width)};
}

void s2s_assert_fail(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)count;
	if (lanes == 0)
		return;
	hthread *self = s2s_current();
	s2s_dim3 size = gang->launch->block; /* as the program has launched it */
	if (gang->launch == &self->job->launch)
		size.x *= self->job->parts_x, size.y *= self->job->parts_y;
	s2s_begin_hold(self);
	flockfile(stderr);
	for (uint64_t left = lanes; left != 0; left &= left - 1) {
		const uint64_t *of_lane = slots + __builtin_ctzll(left);
		place x = place_of(of_lane[4 * stride], size.x), y = place_of(of_lane[5 * stride], size.y),
			  z = place_of(of_lane[6 * stride], size.z);
		fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
			(const char *)of_lane[stride], (uint32_t)of_lane[2 * stride], (const char *)of_lane[3 * stride], x.block,
			y.block, z.block, x.thread, y.thread, z.thread, (const char *)of_lane[0]);
	}
	funlockfile(stderr);
	s2s_end_hold(self);
	const uint64_t *first = slots + __builtin_ctzll(lanes);
	self->fault = (fault){.kind = FAULT_ASSERTION,
		.claim = (const char *)first[0],
		.file = (const char *)first[stride],
		.line = (uint32_t)first[2 * stride]};
	s2s_raise(self);
}
