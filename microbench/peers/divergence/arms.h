/* BRANCHES arms of an if/else-if chain, one of them for every thread. Each is a loop of its own with its own constants:
 * some integer and some float arithmetic that depends on the step before, and no memory. CUDA-C, C++, OpenCL C and
 * ISPC. */
#ifndef PEERS_DIVERGENCE_ARMS_H
#define PEERS_DIVERGENCE_ARMS_H

#define SHIFT(k) (5 + (k) % 9)
#define ADDEND(k) (0x9e3779b9u * (2 * (k) + 1))
#define FACTOR(k) ((float)(0.90 + 0.003 * (k)))
#define OFFSET(k) ((float)(0.25 + 0.01 * (k)))

/* One step of arm `k`. */
#define MIX(k, x)                                                                                                      \
	((k) % 3 == 0      ? ((x) ^ ((x) >> SHIFT(k))) + ADDEND(k)                                                         \
		: (k) % 3 == 1 ? ((x) ^ ((x) << SHIFT(k))) - ADDEND(k)                                                         \
					   : ((x) + ((x) >> SHIFT(k))) ^ ADDEND(k))

#define ARM(k)                                                                                                         \
	if (branch == (k)) {                                                                                               \
		for (int i = 0; i < steps; i++) {                                                                              \
			x = MIX(k, x);                                                                                             \
			f = f * FACTOR(k) + OFFSET(k);                                                                             \
		}                                                                                                              \
	}

#if BRANCHES == 1
#define ARMS ARM(0)
#elif BRANCHES == 2
#define ARMS ARM(0) else ARM(1)
#elif BRANCHES == 4
#define ARMS ARM(0) else ARM(1) else ARM(2) else ARM(3)
#elif BRANCHES == 8
#define ARMS ARM(0) else ARM(1) else ARM(2) else ARM(3) else ARM(4) else ARM(5) else ARM(6) else ARM(7)
#elif BRANCHES == 16
#define ARMS                                                                                                           \
	ARM(0)                                                                                                             \
	else ARM(1) else ARM(2) else ARM(3) else ARM(4) else ARM(5) else ARM(6) else ARM(7) else ARM(8) else ARM(          \
		9) else ARM(10) else ARM(11) else ARM(12) else ARM(13) else ARM(14) else ARM(15)
#endif

#endif
