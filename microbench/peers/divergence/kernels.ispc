/* Every element takes one of BRANCHES ways, each a loop of arithmetic. The loops have variables of their own, which need no
 * masks; with -DAS_WRITTEN they are as arms.h has them. */
#include "arms.h"

#ifndef AS_WRITTEN
#undef ARM
#define ARM(k)                                                                                                         \
	if (branch == (k)) {                                                                                               \
		unsigned int own_x = x;                                                                                        \
		float own_f = f;                                                                                               \
		for (uniform int i = 0; i < steps; i++) {                                                                      \
			own_x = MIX(k, own_x);                                                                                     \
			own_f = own_f * FACTOR(k) + OFFSET(k);                                                                     \
		}                                                                                                              \
		x = own_x;                                                                                                     \
		f = own_f;                                                                                                     \
	}
#endif

export void diverge(uniform unsigned int out_x[], uniform float out_f[], uniform int steps, uniform int first,
                    uniform int end) {
	foreach (tid = first ... end) {
		int branch = tid % 32 % BRANCHES;
		unsigned int x = tid;
		float f = tid * 1e-6f;
		ARMS out_x[tid] = x;
		out_f[tid] = f;
	}
}
