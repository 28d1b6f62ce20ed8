/* Cooperative groups: prefixes over a group. */
#ifndef S2S_COOPERATIVE_GROUPS_SCAN_H
#define S2S_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <class Group, class T, class F> __device__ inline T inclusive_scan(const Group &group, T value, F &&function) {
	for (unsigned by = 1; by < group.size(); by *= 2) {
		T other = group.shfl_up(value, by);
		if (group.thread_rank() >= by)
			value = function(other, value);
	}
	return value;
}

template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T value) {
	return cooperative_groups::inclusive_scan(group, value, plus<T>());
}

/* The first thread gets the value that all bits of which are 0, as of a sum. */
template <class Group, class T, class F> __device__ inline T exclusive_scan(const Group &group, T value, F &&function) {
	T before = group.shfl_up(cooperative_groups::inclusive_scan(group, value, function), 1);
	return group.thread_rank() == 0 ? T() : before;
}

template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T value) {
	return cooperative_groups::exclusive_scan(group, value, plus<T>());
}

} /* namespace cooperative_groups */

#endif
