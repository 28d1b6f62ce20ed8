/* Division of integers of 128 bits, for which CPUs have no instruction. */
#define _GNU_SOURCE
#include "device/device.h"

#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static unsigned_wide magnitude(unsigned_wide value) {
	return (wide)value < 0 ? -value : value;
}

/* The quotient of x / 0 is all ones, and its remainder x; that of the least number and -1 is the least number. */
static unsigned_wide divided(unsigned_wide left, unsigned_wide right, bool is_signed, bool remainder) {
	if (right == 0)
		return remainder ? left : ~(unsigned_wide)0;
	if (!is_signed)
		return remainder ? left % right : left / right;
	unsigned_wide of = magnitude(left), by = magnitude(right), found = remainder ? of % by : of / by;
	bool is_negative = (wide)(remainder ? left : left ^ right) < 0;
	return is_negative ? -found : found;
}

void s2s_divide_wide(
	const void *left, const void *right, void *result, uint32_t count, uint32_t is_signed, uint32_t remainder) {
	for (uint32_t i = 0; i < count; i++) {
		unsigned_wide x, y;
		memcpy(&x, (const char *)left + i * sizeof x, sizeof x);
		memcpy(&y, (const char *)right + i * sizeof y, sizeof y);
		x = divided(x, y, is_signed, remainder);
		memcpy((char *)result + i * sizeof x, &x, sizeof x);
	}
}
