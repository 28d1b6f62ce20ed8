/* Random places of shared memory: each thread has a sequence of numbers, and a place at most `mask` elements behind its
 * own for each. */
#ifndef MICROBENCH_SHARED_PLACES_H
#define MICROBENCH_SHARED_PLACES_H

#define ELEMENTS 2048
#define SEED(tid) ((unsigned)(tid) * 747796405u + 2891336453u)
#define NEXT(state) ((state) * 1664525u + 1013904223u)
#define PLACE(tid, state, mask) (((tid) + ((state) >> 16 & (mask))) % ELEMENTS)

#endif
