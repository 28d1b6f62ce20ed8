/* CUB: reductions over the threads of a warp. The result is for its first thread. */
#ifndef S2S_CUB_WARP_REDUCE_CUH
#define S2S_CUB_WARP_REDUCE_CUH

#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"

namespace cub {

namespace details {

/* The lanes of a logical warp that the block has, this thread's place among them, and the lane of the first. */
template <int Size> struct LogicalWarp {
	unsigned lane, rank, mask;
	__device__ LogicalWarp() {
		lane = LaneId();
		if constexpr (Size == 32) {
			rank = lane;
			mask = lanes_of_block();
		} else {
			rank = lane % Size;
			mask = (((1u << Size) - 1) << (lane - rank)) & lanes_of_block();
		}
	}
};

} /* namespace details */

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpReduce {
  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ WarpReduce(TempStorage &) {
	}

	__device__ __forceinline__ T Sum(T input) {
		return Reduce(input, cub::Sum());
	}
	__device__ __forceinline__ T Sum(T input, int valid_items) {
		return Reduce(input, cub::Sum(), valid_items);
	}
	__device__ __forceinline__ T Max(T input) {
		return Reduce(input, cub::Max());
	}
	__device__ __forceinline__ T Min(T input) {
		return Reduce(input, cub::Min());
	}
	template <class Op> __device__ __forceinline__ T Reduce(T input, Op op) {
		return Reduce(input, op, LOGICAL_WARP_THREADS);
	}
	template <class Op> __device__ __forceinline__ T Reduce(T input, Op op, int valid_items) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		T value = input;
#pragma unroll
		for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
			T other = details::from_lane(warp.mask, value, warp.lane + by);
			if ((int)warp.rank + by < valid_items)
				value = op(value, other);
		}
		return value;
	}

	/* A segment begins where the flag is set. */
	template <class Flag> __device__ __forceinline__ T HeadSegmentedSum(T input, Flag flag) {
		return HeadSegmentedReduce(input, flag, cub::Sum());
	}
	template <class Flag, class Op> __device__ __forceinline__ T HeadSegmentedReduce(T input, Flag flag, Op op) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		unsigned later = __ballot_sync(warp.mask, flag ? 1 : 0) & warp.mask & LaneMaskGt();
		return until(warp, input, op, later == 0 ? 32 - __clz(warp.mask) : __ffs(later) - 1);
	}

	/* A segment ends where the flag is set. */
	template <class Flag> __device__ __forceinline__ T TailSegmentedSum(T input, Flag flag) {
		return TailSegmentedReduce(input, flag, cub::Sum());
	}
	template <class Flag, class Op> __device__ __forceinline__ T TailSegmentedReduce(T input, Flag flag, Op op) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		unsigned later = __ballot_sync(warp.mask, flag ? 1 : 0) & warp.mask & LaneMaskGe();
		return until(warp, input, op, later == 0 ? 32 - __clz(warp.mask) : __ffs(later));
	}

  private:
	template <class Op>
	__device__ __forceinline__ static T until(
		const details::LogicalWarp<LOGICAL_WARP_THREADS> &warp, T value, Op op, int end) {
#pragma unroll
		for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
			T other = details::from_lane(warp.mask, value, warp.lane + by);
			if ((int)warp.lane + by < end)
				value = op(value, other);
		}
		return value;
	}
};

} /* namespace cub */

#endif
