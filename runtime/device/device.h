/* What kernels call; s2s.h declares most of it. */
#ifndef S2S_DEVICE_H
#define S2S_DEVICE_H

#include "sched/sched.h"

/* ---- printf.c ---- */

/* When a launch has ended: join what its hthreads have printed, for s2s_flush_output. */
void s2s_collect_output(void);

/* The same for one hthread, which calls it: one that is not the pool's, or one of a launch with children. */
void s2s_hand_over_output(hthread *self);

#endif
