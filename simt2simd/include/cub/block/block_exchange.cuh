/* CUB: the threads of a block exchange their items by way of shared memory. */
#ifndef S2S_CUB_BLOCK_EXCHANGE_CUH
#define S2S_CUB_BLOCK_EXCHANGE_CUH

#include "../util_ptx.cuh"
#include "block_reduce.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int ITEMS, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
	int LEGACY_PTX_ARCH = 0>
class BlockExchange {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
	static constexpr int warp_threads = threads < 32 ? threads : 32;

  public:
	struct TempStorage {
		details::Cells<T, threads * ITEMS> items;
	};
	__device__ __forceinline__ BlockExchange() : _storage(details::own_storage<TempStorage>()) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockExchange(TempStorage &storage) : _storage(storage) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}

	template <class Out>
	__device__ __forceinline__ void StripedToBlocked(const T (&input)[ITEMS], Out (&output)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[striped(i)] = input[i];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[blocked(i)];
	}
	template <class Out>
	__device__ __forceinline__ void BlockedToStriped(const T (&input)[ITEMS], Out (&output)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[blocked(i)] = input[i];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[striped(i)];
	}
	template <class Out>
	__device__ __forceinline__ void WarpStripedToBlocked(const T (&input)[ITEMS], Out (&output)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[warp_striped(i)] = input[i];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[blocked(i)];
	}
	template <class Out>
	__device__ __forceinline__ void BlockedToWarpStriped(const T (&input)[ITEMS], Out (&output)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[blocked(i)] = input[i];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[warp_striped(i)];
	}
	template <class Out, class Rank>
	__device__ __forceinline__ void ScatterToBlocked(
		const T (&input)[ITEMS], Out (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
		scatter(input, ranks);
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[blocked(i)];
	}
	template <class Out, class Rank>
	__device__ __forceinline__ void ScatterToStriped(
		const T (&input)[ITEMS], Out (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
		scatter(input, ranks);
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			output[i] = _storage.items[striped(i)];
	}

	/* In place. */
	__device__ __forceinline__ void StripedToBlocked(T (&items)[ITEMS]) {
		StripedToBlocked(items, items);
	}
	__device__ __forceinline__ void BlockedToStriped(T (&items)[ITEMS]) {
		BlockedToStriped(items, items);
	}
	__device__ __forceinline__ void WarpStripedToBlocked(T (&items)[ITEMS]) {
		WarpStripedToBlocked(items, items);
	}
	__device__ __forceinline__ void BlockedToWarpStriped(T (&items)[ITEMS]) {
		BlockedToWarpStriped(items, items);
	}
	template <class Rank> __device__ __forceinline__ void ScatterToBlocked(T (&items)[ITEMS], Rank (&ranks)[ITEMS]) {
		ScatterToBlocked(items, items, ranks);
	}
	template <class Rank> __device__ __forceinline__ void ScatterToStriped(T (&items)[ITEMS], Rank (&ranks)[ITEMS]) {
		ScatterToStriped(items, items, ranks);
	}

  private:
	template <class Rank> __device__ __forceinline__ void scatter(const T (&input)[ITEMS], Rank (&ranks)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			_storage.items[ranks[i]] = input[i];
		__syncthreads();
	}
	__device__ __forceinline__ int blocked(int i) const {
		return _thread * ITEMS + i;
	}
	__device__ __forceinline__ int striped(int i) const {
		return i * threads + _thread;
	}
	__device__ __forceinline__ int warp_striped(int i) const {
		int lane = _thread % warp_threads;
		return (_thread - lane) * ITEMS + i * warp_threads + lane;
	}

	TempStorage &_storage;
	int _thread;
};

} /* namespace cub */

#endif
