/* Every element takes one of BRANCHES ways, each a loop of arithmetic. With -DAS_WRITTEN nobody says that the counter of
 * steps is the same in all lanes. */
#include "arms.h"

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
