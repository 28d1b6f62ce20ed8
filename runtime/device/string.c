/* <string.h> in kernels: one lane after the other, so that lanes whose memory overlaps write it in their order.
 *
 * Argument i of lane l is slots[i * stride + l]; the result of lane l replaces its argument 0. An address that cannot
 * be accessed is the kernel's fault.
 */
#define _GNU_SOURCE
#include "device/device.h"

#include <string.h>

static void *pointer(uint64_t slot) {
	return (void *)(uintptr_t)slot;
}

#define EACH_LANE(lanes, slots, lane)                                                                                  \
	for (uint64_t *lane; (lanes) != 0 && ((lane) = (slots) + __builtin_ctzll(lanes), true); (lanes) &= (lanes) - 1)

#define BYTES_FUNCTION(NAME) void NAME(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count)

BYTES_FUNCTION(s2s_memcpy) {
	(void)gang, (void)count;
	EACH_LANE(lanes, slots, lane)
	memmove(pointer(lane[0]), pointer(lane[stride]), lane[2 * stride]);
}

BYTES_FUNCTION(s2s_memset) {
	(void)gang, (void)count;
	EACH_LANE(lanes, slots, lane)
	memset(pointer(lane[0]), (int)lane[stride], lane[2 * stride]);
}

static int sign(int value) {
	return (value > 0) - (value < 0);
}

BYTES_FUNCTION(s2s_memcmp) {
	(void)gang, (void)count;
	EACH_LANE(lanes, slots, lane)
	lane[0] = (uint64_t)sign(memcmp(pointer(lane[0]), pointer(lane[stride]), lane[2 * stride]));
}

BYTES_FUNCTION(s2s_strlen) {
	(void)gang, (void)stride, (void)count;
	EACH_LANE(lanes, slots, lane)
	lane[0] = strlen(pointer(lane[0]));
}

BYTES_FUNCTION(s2s_strcmp) {
	(void)gang, (void)count;
	EACH_LANE(lanes, slots, lane)
	lane[0] = (uint64_t)sign(strcmp(pointer(lane[0]), pointer(lane[stride])));
}

BYTES_FUNCTION(s2s_strncmp) {
	(void)gang, (void)count;
	EACH_LANE(lanes, slots, lane)
	lane[0] = (uint64_t)sign(strncmp(pointer(lane[0]), pointer(lane[stride]), lane[2 * stride]));
}

BYTES_FUNCTION(s2s_strcpy) {
	(void)gang, (void)count;
	EACH_LANE(lanes, slots, lane)
	strcpy(pointer(lane[0]), pointer(lane[stride]));
}
