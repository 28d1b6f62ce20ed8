/* Cooperative groups: reductions over a group. */
#ifndef S2S_COOPERATIVE_GROUPS_REDUCE_H
#define S2S_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cooperative_groups {

template <class T = void> struct plus {
	__device__ T operator()(T a, T b) const {
		return a + b;
	}
};
template <class T = void> struct less {
	__device__ T operator()(T a, T b) const {
		return b < a ? b : a;
	}
};
template <class T = void> struct greater {
	__device__ T operator()(T a, T b) const {
		return a < b ? b : a;
	}
};
template <class T = void> struct bit_and {
	__device__ T operator()(T a, T b) const {
		return a & b;
	}
};
template <class T = void> struct bit_or {
	__device__ T operator()(T a, T b) const {
		return a | b;
	}
};
template <class T = void> struct bit_xor {
	__device__ T operator()(T a, T b) const {
		return a ^ b;
	}
};

namespace details {

template <unsigned Size, class Parent, class T, class F>
__device__ inline T reduced_by_shuffles(const thread_block_tile<Size, Parent> &tile, T value, F &&function) {
	unsigned here = lanes_of_block();
	if (here == 0xffffffffu) {
#pragma unroll
		for (unsigned by = Size / 2; by > 0; by /= 2)
			value = function(value, tile.shfl_xor(value, by));
		return value;
	}
	for (unsigned by = 1; by < Size; by *= 2) {
		T other = tile.shfl_down(value, by);
		bool there = tile.thread_rank() + by < Size && here >> (lane() + by) & 1;
		if (there)
			value = function(value, other);
	}
	return tile.shfl(value, 0);
}

/* What all of a group's values make together, in every thread of it. */
template <unsigned Size, class Parent, class T, class F>
__device__ inline T reduced(const thread_block_tile<Size, Parent> &tile, T value, F &&function) {
	if constexpr (Size > 32) {
		return tile.reduced(value, function);
	} else {
		return reduced_by_shuffles(tile, value, function);
	}
}

template <class T, class F> __device__ inline T reduced(const coalesced_group &group, T value, F &&function) {
	for (unsigned by = 1; by < group.size(); by *= 2) {
		T other = group.shfl_down(value, by);
		if (group.thread_rank() + by < group.size())
			value = function(value, other);
	}
	return group.shfl(value, 0);
}

} /* namespace details */

template <class Group, class T, class F> __device__ inline T reduce(const Group &group, T value, F &&function) {
	return details::reduced(group, value, function);
}

namespace details {

/* Make what an atomic object holds and a value the new value of the object; return what it held. */
template <class Atomic, class T, class F> __device__ inline T updated(Atomic &object, T value, F &&function) {
	T old = object.load(cuda::memory_order_relaxed);
	while (!object.compare_exchange_weak(old, function(old, value), cuda::memory_order_relaxed))
		;
	return old;
}

} /* namespace details */

/* The first thread of the group brings what it makes together into an atomic object, or stores it. */
template <class Group, class V, cuda::thread_scope Scope, class T, class F>
__device__ inline void reduce_update_async(
	const Group &group, cuda::atomic<V, Scope> &to, const T &value, F &&function) {
	V sum = details::reduced(group, V(value), function);
	if (group.thread_rank() == 0)
		(void)details::updated(to, sum, function);
}

template <class Group, class V, cuda::thread_scope Scope, class T, class F>
__device__ inline void reduce_update_async(
	const Group &group, const cuda::atomic_ref<V, Scope> &to, const T &value, F &&function) {
	V sum = details::reduced(group, V(value), function);
	if (group.thread_rank() == 0)
		(void)details::updated(to, sum, function);
}

template <class Group, class V, cuda::thread_scope Scope, class T, class F>
__device__ inline void reduce_store_async(
	const Group &group, cuda::atomic<V, Scope> &to, const T &value, F &&function) {
	V sum = details::reduced(group, V(value), function);
	if (group.thread_rank() == 0)
		to.store(sum, cuda::memory_order_relaxed);
}

template <class Group, class V, cuda::thread_scope Scope, class T, class F>
__device__ inline void reduce_store_async(
	const Group &group, const cuda::atomic_ref<V, Scope> &to, const T &value, F &&function) {
	V sum = details::reduced(group, V(value), function);
	if (group.thread_rank() == 0)
		to.store(sum, cuda::memory_order_relaxed);
}

template <class Group, class V, class T, class F>
__device__ inline void reduce_store_async(const Group &group, V *to, const T &value, F &&function) {
	V sum = details::reduced(group, V(value), function);
	if (group.thread_rank() == 0)
		*to = sum;
}

} /* namespace cooperative_groups */

#endif
