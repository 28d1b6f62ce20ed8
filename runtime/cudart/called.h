/* The functions of s2s.h that generated code calls, without `s2s_`: X is used for each. */
#ifndef S2S_CALLED_H
#define S2S_CALLED_H

#define S2S_CALLED(X)                                                                                                  \
	X(begin_traversal)                                                                                                 \
	X(block_barrier)                                                                                                   \
	X(barrier_of_lanes)                                                                                                \
	X(meet)                                                                                                            \
	X(part_at)                                                                                                         \
	X(end_piece)                                                                                                       \
	X(claim_failed)                                                                                                    \
	X(is_local)                                                                                                        \
	X(count_visit)                                                                                                     \
	X(counters)                                                                                                        \
	X(begin_gang_traffic)                                                                                              \
	X(count_access)                                                                                                    \
	X(end_traversal)                                                                                                   \
	X(grid_barrier)                                                                                                    \
	X(long_wait)                                                                                                       \
	X(give_way)                                                                                                        \
	X(assert_fail)                                                                                                     \
	X(free)                                                                                                            \
	X(divide_wide)                                                                                                     \
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
	X(awaiting)                                                                                                        \
	X(launch_children)                                                                                                 \
	X(last_error)                                                                                                      \
	X(peek_error)                                                                                                      \
	X(error_string)                                                                                                    \
	X(error_identifier)                                                                                                \
	X(await_children)                                                                                                  \
	X(create_stream)                                                                                                   \
	X(destroy_stream)                                                                                                  \
	X(stream_wait)                                                                                                     \
	X(create_event)                                                                                                    \
	X(record_event)                                                                                                    \
	X(destroy_event)                                                                                                   \
	X(copy_async)                                                                                                      \
	X(copy_2d_async)                                                                                                   \
	X(set_async)                                                                                                       \
	X(set_2d_async)                                                                                                    \
	X(device_attribute)                                                                                                \
	X(get_device)                                                                                                      \
	X(device_count)                                                                                                    \
	X(get_limit)                                                                                                       \
	X(runtime_version)                                                                                                 \
	X(device_malloc)                                                                                                   \
	X(device_free)

#endif
