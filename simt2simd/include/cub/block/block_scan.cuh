/* CUB: prefixes over the threads of a block. */
#ifndef S2S_CUB_BLOCK_SCAN_CUH
#define S2S_CUB_BLOCK_SCAN_CUH

#include "../warp/warp_scan.cuh"
#include "block_reduce.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/* All algorithms are one: each warp makes its prefixes, and every thread combines the results of the warps before. */
template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
	int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, warps = (threads + 31) / 32;

  public:
	struct TempStorage {
		details::Cells<T, warps> aggregates;
		details::Cells<T, 1> prefix;
	};
	__device__ __forceinline__ BlockScan() : _storage(details::own_storage<TempStorage>()) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockScan(TempStorage &storage) : _storage(storage) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}

	/* ---- one value a thread: exclusive ---- */

	__device__ __forceinline__ void ExclusiveSum(T input, T &output) {
		ExclusiveScan(input, output, T(0), cub::Sum());
	}
	__device__ __forceinline__ void ExclusiveSum(T input, T &output, T &aggregate) {
		ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
	}
	template <class Prefix> __device__ __forceinline__ void ExclusiveSum(T input, T &output, Prefix &prefix) {
		ExclusiveScan(input, output, cub::Sum(), prefix);
	}
	template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T &output, T initial, Op op) {
		T aggregate;
		ExclusiveScan(input, output, initial, op, aggregate);
	}
	template <class Op>
	__device__ __forceinline__ void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate) {
		T inclusive, before;
		bool any = prefixes(input, inclusive, before, op, aggregate);
		output = any ? op(initial, before) : initial;
	}
	template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T &output, Op op) {
		T inclusive, aggregate;
		prefixes(input, inclusive, output, op, aggregate);
	}
	template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T &output, Op op, T &aggregate) {
		T inclusive;
		prefixes(input, inclusive, output, op, aggregate);
	}
	template <class Op, class Prefix>
	__device__ __forceinline__ void ExclusiveScan(T input, T &output, Op op, Prefix &prefix) {
		T inclusive, before, aggregate;
		bool any = prefixes(input, inclusive, before, op, aggregate);
		T first = prefix_of(aggregate, prefix);
		output = any ? op(first, before) : first;
	}

	/* ---- one value a thread: inclusive ---- */

	__device__ __forceinline__ void InclusiveSum(T input, T &output) {
		InclusiveScan(input, output, cub::Sum());
	}
	__device__ __forceinline__ void InclusiveSum(T input, T &output, T &aggregate) {
		InclusiveScan(input, output, cub::Sum(), aggregate);
	}
	template <class Prefix> __device__ __forceinline__ void InclusiveSum(T input, T &output, Prefix &prefix) {
		InclusiveScan(input, output, cub::Sum(), prefix);
	}
	template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &output, Op op) {
		T before, aggregate;
		prefixes(input, output, before, op, aggregate);
	}
	template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &output, Op op, T &aggregate) {
		T before;
		prefixes(input, output, before, op, aggregate);
	}
	template <class Op, class Prefix>
	__device__ __forceinline__ void InclusiveScan(T input, T &output, Op op, Prefix &prefix) {
		T inclusive, before, aggregate;
		prefixes(input, inclusive, before, op, aggregate);
		output = op(prefix_of(aggregate, prefix), inclusive);
	}

	/* ---- several values a thread: exclusive ---- */

	template <int ITEMS> __device__ __forceinline__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
		ExclusiveScan(input, output, T(0), cub::Sum());
	}
	template <int ITEMS>
	__device__ __forceinline__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T &aggregate) {
		ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
	}
	template <int ITEMS, class Prefix>
	__device__ __forceinline__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], Prefix &prefix) {
		ExclusiveScan(input, output, cub::Sum(), prefix);
	}
	template <int ITEMS, class Op>
	__device__ __forceinline__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial, Op op) {
		T aggregate;
		ExclusiveScan(input, output, initial, op, aggregate);
	}
	template <int ITEMS, class Op>
	__device__ __forceinline__ void ExclusiveScan(
		T (&input)[ITEMS], T (&output)[ITEMS], T initial, Op op, T &aggregate) {
		T before;
		ExclusiveScan(ThreadReduce(input, op), before, initial, op, aggregate);
		details::exclusive_of_items(input, output, op, before, true);
	}
	template <int ITEMS, class Op>
	__device__ __forceinline__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op) {
		T aggregate;
		ExclusiveScan(input, output, op, aggregate);
	}
	template <int ITEMS, class Op>
	__device__ __forceinline__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, T &aggregate) {
		T before, inclusive;
		bool any = prefixes(ThreadReduce(input, op), inclusive, before, op, aggregate);
		details::exclusive_of_items(input, output, op, before, any);
	}
	template <int ITEMS, class Op, class Prefix>
	__device__ __forceinline__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, Prefix &prefix) {
		T before;
		ExclusiveScan(ThreadReduce(input, op), before, op, prefix);
		details::exclusive_of_items(input, output, op, before, true);
	}

	/* ---- several values a thread: inclusive ---- */

	template <int ITEMS> __device__ __forceinline__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
		InclusiveScan(input, output, cub::Sum());
	}
	template <int ITEMS>
	__device__ __forceinline__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T &aggregate) {
		InclusiveScan(input, output, cub::Sum(), aggregate);
	}
	template <int ITEMS, class Prefix>
	__device__ __forceinline__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], Prefix &prefix) {
		InclusiveScan(input, output, cub::Sum(), prefix);
	}
	template <int ITEMS, class Op>
	__device__ __forceinline__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op) {
		T aggregate;
		InclusiveScan(input, output, op, aggregate);
	}
	template <int ITEMS, class Op>
	__device__ __forceinline__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, T &aggregate) {
		T before, inclusive;
		bool any = prefixes(ThreadReduce(input, op), inclusive, before, op, aggregate);
		details::inclusive_of_items(input, output, op, before, any);
	}
	template <int ITEMS, class Op, class Prefix>
	__device__ __forceinline__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, Prefix &prefix) {
		T before;
		ExclusiveScan(ThreadReduce(input, op), before, op, prefix);
		details::inclusive_of_items(input, output, op, before, true);
	}

  private:
	/* Return whether there are values before this thread's; `aggregate` is what all make together. */
	template <class Op>
	__device__ __forceinline__ bool prefixes(T input, T &inclusive, T &before, Op op, T &aggregate) {
		NullType none;
		int lane = _thread & 31, warp = __shfl_sync(0xffffffffu, _thread / 32, 0),
			last = lane == 31 || _thread == threads - 1;
		WarpScan<T>(none).Scan(input, inclusive, before, op);
		if constexpr (warps == 1) {
			details::LogicalWarp<32> lanes;
			aggregate = details::from_lane(lanes.mask, inclusive, threads - 1);
			return lane > 0;
		}
		if (last)
			_storage.aggregates[warp] = inclusive;
		__syncthreads();
		T sum = _storage.aggregates[0];
		int other = 1;
		for (; other < warp; other++)
			sum = op(sum, _storage.aggregates[other]);
		T prefix = sum;
		for (; other < warps; other++)
			sum = op(sum, _storage.aggregates[other]);
		aggregate = sum;
		if (warp > 0) {
			before = lane > 0 ? op(prefix, before) : prefix;
			inclusive = op(prefix, inclusive);
		}
		return _thread > 0;
	}

	/* The first warp asks for the prefix; what its first thread gets counts. */
	template <class Prefix> __device__ __forceinline__ T prefix_of(T aggregate, Prefix &prefix) {
		if (_thread < 32) {
			T value = prefix(aggregate);
			if (_thread == 0)
				_storage.prefix[0] = value;
		}
		__syncthreads();
		return _storage.prefix[0];
	}

	TempStorage &_storage;
	int _thread;
};

} /* namespace cub */

#endif
