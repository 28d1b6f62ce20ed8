/* CUB: stores of a tile of a block, in several arrangements. */
#ifndef S2S_CUB_BLOCK_STORE_CUH
#define S2S_CUB_BLOCK_STORE_CUH

#include "block_exchange.cuh"

namespace cub {

template <class T, int ITEMS, class It>
__device__ __forceinline__ void StoreDirectBlocked(int thread, It to, T (&items)[ITEMS]) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		to[thread * ITEMS + i] = items[i];
}
template <class T, int ITEMS, class It>
__device__ __forceinline__ void StoreDirectBlocked(int thread, It to, T (&items)[ITEMS], int valid) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		if (thread * ITEMS + i < valid)
			to[thread * ITEMS + i] = items[i];
}
template <class T, int ITEMS>
__device__ __forceinline__ void StoreDirectBlockedVectorized(int thread, T *to, T (&items)[ITEMS]) {
	StoreDirectBlocked(thread, to, items);
}

template <int THREADS, class T, int ITEMS, class It>
__device__ __forceinline__ void StoreDirectStriped(int thread, It to, T (&items)[ITEMS]) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		to[thread + i * THREADS] = items[i];
}
template <int THREADS, class T, int ITEMS, class It>
__device__ __forceinline__ void StoreDirectStriped(int thread, It to, T (&items)[ITEMS], int valid) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		if (thread + i * THREADS < valid)
			to[thread + i * THREADS] = items[i];
}

enum BlockStoreAlgorithm {
	BLOCK_STORE_DIRECT,
	BLOCK_STORE_STRIPED,
	BLOCK_STORE_VECTORIZE,
	BLOCK_STORE_TRANSPOSE,
	BLOCK_STORE_WARP_TRANSPOSE,
	BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
	int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ BlockStore() {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockStore(TempStorage &) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	/* `valid`: how many elements there are; all, without it. */
	template <class It, class... Valid>
	__device__ __forceinline__ void Store(It to, T (&items)[ITEMS], Valid... valid) {
		if constexpr (ALGORITHM == BLOCK_STORE_STRIPED)
			StoreDirectStriped<threads>(_thread, to, items, valid...);
		else
			StoreDirectBlocked(_thread, to, items, valid...);
	}

  private:
	int _thread;
};

} /* namespace cub */

#endif
