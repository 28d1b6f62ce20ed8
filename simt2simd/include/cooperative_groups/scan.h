/* Cooperative groups: prefixes over a group. */
#ifndef S2S_COOPERATIVE_GROUPS_SCAN_H
#define S2S_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

namespace details {

template <bool Exclusive, class Group, class T, class F>
__device__ inline T scanned(const Group &group, T value, F &&function) {
	for (unsigned by = 1; by < group.size(); by *= 2) {
		T other = group.shfl_up(value, by);
		if (group.thread_rank() >= by)
			value = function(other, value);
	}
	if constexpr (Exclusive) {
		T before = group.shfl_up(value, 1);
		return group.thread_rank() == 0 ? T() : before;
	} else {
		return value;
	}
}

template <bool Exclusive, unsigned Size, class Parent, class T, class F>
__device__ inline T scan_of(const thread_block_tile<Size, Parent> &tile, T value, F &&function) {
	if constexpr (Size > 32)
		return tile.template scanned<Exclusive>(value, function);
	else
		return scanned<Exclusive>(tile, value, function);
}

template <bool Exclusive, class T, class F>
__device__ inline T scan_of(const coalesced_group &group, T value, F &&function) {
	return scanned<Exclusive>(group, value, function);
}

} /* namespace details */

template <class Group, class T, class F> __device__ inline T inclusive_scan(const Group &group, T value, F &&function) {
	return details::scan_of<false>(group, value, function);
}

template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T value) {
	return cooperative_groups::inclusive_scan(group, value, plus<T>());
}

/* The first thread gets the value that all bits of which are 0, as of a sum. */
template <class Group, class T, class F> __device__ inline T exclusive_scan(const Group &group, T value, F &&function) {
	return details::scan_of<true>(group, value, function);
}

template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T value) {
	return cooperative_groups::exclusive_scan(group, value, plus<T>());
}

namespace details {

/* The last thread brings what all make together into an atomic object; return what it held. */
template <class Group, class Atomic, class T, class F>
__device__ inline T scanned_into(const Group &group, Atomic &to, T inclusive, F &&function) {
	T old = T();
	if (group.thread_rank() == group.size() - 1)
		old = updated(to, inclusive, function);
	return group.shfl(old, group.size() - 1);
}

} /* namespace details */

#define S2S_COMMA ,

/* Prefixes that begin with what an atomic object holds, to which the group adds its values. */
#define S2S_SCAN_UPDATES(OBJECT)                                                                                       \
	template <class Group, class V, cuda::thread_scope Scope, class T, class F>                                        \
	__device__ inline V inclusive_scan_update(const Group &group, OBJECT &to, const T &value, F &&function) {          \
		V own = cooperative_groups::inclusive_scan(group, V(value), function);                                         \
		return function(details::scanned_into(group, to, own, function), own);                                         \
	}                                                                                                                  \
	template <class Group, class V, cuda::thread_scope Scope, class T>                                                 \
	__device__ inline V inclusive_scan_update(const Group &group, OBJECT &to, const T &value) {                        \
		return cooperative_groups::inclusive_scan_update(group, to, value, plus<V>());                                 \
	}                                                                                                                  \
	template <class Group, class V, cuda::thread_scope Scope, class T, class F>                                        \
	__device__ inline V exclusive_scan_update(const Group &group, OBJECT &to, const T &value, F &&function) {          \
		V own = cooperative_groups::inclusive_scan(group, V(value), function);                                         \
		V old = details::scanned_into(group, to, own, function), before = group.shfl_up(own, 1);                       \
		return group.thread_rank() == 0 ? old : V(function(old, before));                                              \
	}                                                                                                                  \
	template <class Group, class V, cuda::thread_scope Scope, class T>                                                 \
	__device__ inline V exclusive_scan_update(const Group &group, OBJECT &to, const T &value) {                        \
		return cooperative_groups::exclusive_scan_update(group, to, value, plus<V>());                                 \
	}
S2S_SCAN_UPDATES(cuda::atomic<V S2S_COMMA Scope>)
S2S_SCAN_UPDATES(const cuda::atomic_ref<V S2S_COMMA Scope>)
#undef S2S_SCAN_UPDATES
#undef S2S_COMMA

} /* namespace cooperative_groups */

#endif
