/* The functions of s2s.h that generated code calls, without `s2s_`: X is used for each. */
#ifndef S2S_CALLED_H
#define S2S_CALLED_H

#define S2S_CALLED(X)                                                                                                  \
	X(begin_traversal)                                                                                                 \
	X(block_barrier)                                                                                                   \
	X(barrier_of_lanes)                                                                                                \
	X(meet)                                                                                                            \
	X(end_piece)                                                                                                       \
	X(claim_failed)                                                                                                    \
	X(is_local)                                                                                                        \
	X(count_visit)                                                                                                     \
	X(end_traversal)                                                                                                   \
	X(grid_barrier)                                                                                                    \
	X(long_wait)                                                                                                       \
	X(give_way)                                                                                                        \
	X(assert_fail)                                                                                                     \
	X(free)                                                                                                            \
	X(globaltimer)                                                                                                     \
	X(malloc)                                                                                                          \
	X(memcmp)                                                                                                          \
	X(memcpy)                                                                                                          \
	X(memset)                                                                                                          \
	X(nanosleep)                                                                                                       \
	X(printf)                                                                                                          \
	X(strcmp)                                                                                                          \
	X(strcpy)                                                                                                          \
	X(strlen)                                                                                                          \
	X(strncmp)                                                                                                         \
	X(swap_16)                                                                                                         \
	X(named_barrier)                                                                                                   \
	X(awaiting)

#endif
