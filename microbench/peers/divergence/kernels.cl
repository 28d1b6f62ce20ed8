/* The work-items take BRANCHES ways, each a loop of arithmetic. */
#include "arms.h"

__kernel void diverge(__global uint *out_x, __global float *out_f, int steps) {
	int id = get_global_id(0);
	int branch = id % 32 % BRANCHES;
	uint x = id;
	float f = id * 1e-6f;
	ARMS out_x[id] = x;
	out_f[id] = f;
}
