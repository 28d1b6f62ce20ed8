/* CUB: prefixes over the threads of a warp. */
#ifndef S2S_CUB_WARP_SCAN_CUH
#define S2S_CUB_WARP_SCAN_CUH

#include "warp_reduce.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpScan {
  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ WarpScan(TempStorage &) {
	}

	__device__ __forceinline__ void InclusiveSum(T input, T &inclusive) {
		InclusiveScan(input, inclusive, cub::Sum());
	}
	__device__ __forceinline__ void InclusiveSum(T input, T &inclusive, T &aggregate) {
		InclusiveScan(input, inclusive, cub::Sum(), aggregate);
	}
	__device__ __forceinline__ void ExclusiveSum(T input, T &exclusive) {
		ExclusiveScan(input, exclusive, T(0), cub::Sum());
	}
	__device__ __forceinline__ void ExclusiveSum(T input, T &exclusive, T &aggregate) {
		ExclusiveScan(input, exclusive, T(0), cub::Sum(), aggregate);
	}

	template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &inclusive, Op op) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		T value = input;
#pragma unroll
		for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
			T other = warp.up(value, by);
			if ((int)warp.rank >= by)
				value = op(other, value);
		}
		inclusive = value;
	}
	template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &inclusive, Op op, T &aggregate) {
		InclusiveScan(input, inclusive, op);
		aggregate = last(inclusive);
	}

	/* Without an initial value, the result of the first thread is undefined. */
	template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T &exclusive, Op op) {
		T inclusive;
		InclusiveScan(input, inclusive, op);
		exclusive = before(inclusive);
	}
	template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T &exclusive, T initial, Op op) {
		T inclusive;
		Scan(input, inclusive, exclusive, initial, op);
	}
	template <class Op>
	__device__ __forceinline__ void ExclusiveScan(T input, T &exclusive, T initial, Op op, T &aggregate) {
		T inclusive;
		InclusiveScan(input, inclusive, op);
		exclusive = with(initial, inclusive, op);
		aggregate = last(inclusive);
	}

	__device__ __forceinline__ void Sum(T input, T &inclusive, T &exclusive) {
		Scan(input, inclusive, exclusive, T(0), cub::Sum());
	}
	template <class Op> __device__ __forceinline__ void Scan(T input, T &inclusive, T &exclusive, Op op) {
		InclusiveScan(input, inclusive, op);
		exclusive = before(inclusive);
	}
	template <class Op> __device__ __forceinline__ void Scan(T input, T &inclusive, T &exclusive, T initial, Op op) {
		InclusiveScan(input, inclusive, op);
		exclusive = with(initial, inclusive, op);
		inclusive = op(initial, inclusive);
	}

	__device__ __forceinline__ T Broadcast(T input, unsigned source) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		return details::from_lane(warp.mask, input, warp.lane - warp.rank + source);
	}

  private:
	__device__ __forceinline__ static T before(T inclusive) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		return warp.up(inclusive, 1);
	}
	template <class Op> __device__ __forceinline__ static T with(T initial, T inclusive, Op op) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		T other = before(inclusive);
		if (warp.rank == 0)
			return initial;
		return op(initial, other);
	}
	__device__ __forceinline__ static T last(T inclusive) {
		details::LogicalWarp<LOGICAL_WARP_THREADS> warp;
		return details::from_lane(warp.mask, inclusive, warp.end() - 1);
	}
};

} /* namespace cub */

#endif
