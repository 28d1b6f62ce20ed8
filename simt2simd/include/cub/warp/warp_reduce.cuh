/* CUB: reductions over the threads of a warp. The result is for its first thread. */
#ifndef S2S_CUB_WARP_REDUCE_CUH
#define S2S_CUB_WARP_REDUCE_CUH

#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"

namespace cub {

namespace details {

/* The lanes of a logical warp, of which the block may lack some, and this thread's place among them. */
template <int Size> struct LogicalWarp {
	unsigned lane, rank, mask;
	__device__ LogicalWarp() {
		lane = LaneId();
		rank = Size == 32 ? lane : lane % Size;
		if constexpr (Size == 32)
			mask = 0xffffffffu;
		else
			mask = ((1u << Size) - 1) << (lane - rank);
	}
	/* The lane after the last one that the block has. */
	__device__ unsigned end() const {
		return 32 - __clz(mask & lanes_of_block());
	}
	/* The value of the thread `by` places on, or back: of the own thread where there is none. */
	template <class T> __device__ __forceinline__ T down(const T &value, int by) const {
		if constexpr (IsShuffled<T>::value && is_power_of_two(Size))
			return __shfl_down_sync(mask, value, by, Size);
		else
			return from_lane(mask, value, rank + by < Size ? lane + by : lane);
	}
	template <class T> __device__ __forceinline__ T up(const T &value, int by) const {
		if constexpr (IsShuffled<T>::value && is_power_of_two(Size))
			return __shfl_up_sync(mask, value, by, Size);
		else
			return from_lane(mask, value, (int)rank >= by ? lane - by : lane);
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
		if constexpr (!details::is_power_of_two(LOGICAL_WARP_THREADS))
			return Reduce(input, op, LOGICAL_WARP_THREADS);
		/* What later threads take from beyond the warp never gets to the first one. */
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		T value = input;
#pragma unroll
		for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2)
			value = op(value, warp.down(value, by));
		return value;
	}
	template <class Op> __device__ __forceinline__ T Reduce(T input, Op op, int valid_items) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		T value = input;
#pragma unroll
		for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
			T other = warp.down(value, by);
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
		return until(warp, input, op, later == 0 ? warp.end() : __ffs(later) - 1);
	}

	/* A segment ends where the flag is set. */
	template <class Flag> __device__ __forceinline__ T TailSegmentedSum(T input, Flag flag) {
		return TailSegmentedReduce(input, flag, cub::Sum());
	}
	template <class Flag, class Op> __device__ __forceinline__ T TailSegmentedReduce(T input, Flag flag, Op op) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		unsigned later = __ballot_sync(warp.mask, flag ? 1 : 0) & warp.mask & LaneMaskGe();
		return until(warp, input, op, later == 0 ? warp.end() : __ffs(later));
	}

  private:
	template <class Op>
	__device__ __forceinline__ static T until(
		const details::LogicalWarp<LOGICAL_WARP_THREADS> &warp, T value, Op op, int end) {
#pragma unroll
		for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
			T other = warp.down(value, by);
			if ((int)warp.lane + by < end)
				value = op(value, other);
		}
		return value;
	}
};

} /* namespace cub */

#endif
