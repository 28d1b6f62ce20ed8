/* CUB: the threads of a logical warp exchange their items by way of shared memory. */
#ifndef S2S_CUB_WARP_EXCHANGE_CUH
#define S2S_CUB_WARP_EXCHANGE_CUH

#include "../util_ptx.cuh"
#include "warp_reduce.cuh"

namespace cub {

namespace details {

template <int Size> struct MeetWarp {
	__device__ __forceinline__ static void now() {
		__syncwarp(LogicalWarp<Size>().mask & lanes_of_block());
	}
};

} /* namespace details */

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int ITEMS, int LOGICAL_WARP_THREADS = 32, int ALGORITHM = WARP_EXCHANGE_SMEM> class WarpExchange {
	typedef details::MeetWarp<LOGICAL_WARP_THREADS> Meet;

  public:
	struct TempStorage {
		details::Cells<T, LOGICAL_WARP_THREADS * ITEMS> items;
	};
	__device__ __forceinline__ WarpExchange(TempStorage &storage)
		: _storage(storage), _lane(LaneId() % LOGICAL_WARP_THREADS) {
	}

	template <class Out>
	__device__ __forceinline__ void BlockedToStriped(const T (&input)[ITEMS], Out (&output)[ITEMS]) {
		Meet::now();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[_lane * ITEMS + i] = input[i];
		Meet::now();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[_lane + i * LOGICAL_WARP_THREADS];
	}
	template <class Out>
	__device__ __forceinline__ void StripedToBlocked(const T (&input)[ITEMS], Out (&output)[ITEMS]) {
		Meet::now();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[_lane + i * LOGICAL_WARP_THREADS] = input[i];
		Meet::now();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[_lane * ITEMS + i];
	}
	template <class Offset>
	__device__ __forceinline__ void ScatterToStriped(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) {
		ScatterToStriped(items, items, ranks);
	}
	template <class Out, class Offset>
	__device__ __forceinline__ void ScatterToStriped(
		const T (&input)[ITEMS], Out (&output)[ITEMS], Offset (&ranks)[ITEMS]) {
		Meet::now();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[ranks[i]] = input[i];
		Meet::now();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[_lane + i * LOGICAL_WARP_THREADS];
	}

  private:
	TempStorage &_storage;
	int _lane;
};

} /* namespace cub */

#endif
