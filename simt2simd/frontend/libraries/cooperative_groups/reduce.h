/* Cooperative groups: reductions over a group. */
#ifndef S2S_COOPERATIVE_GROUPS_REDUCE_H
#define S2S_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

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

/* The first thread of the group adds what it makes together to memory. */
template <class Group, class T> __device__ inline void reduce_update_async_add(const Group &group, T &to, T value) {
	T sum = details::reduced(group, value, plus<T>());
	if (group.thread_rank() == 0)
		atomicAdd(&to, sum);
}

} /* namespace cooperative_groups */

#endif
