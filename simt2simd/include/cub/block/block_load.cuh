/* CUB: loads of a tile of a block, in several arrangements. */
#ifndef S2S_CUB_BLOCK_LOAD_CUH
#define S2S_CUB_BLOCK_LOAD_CUH

#include "block_exchange.cuh"

namespace cub {

/* Thread t has elements t * ITEMS, t * ITEMS + 1, ... */
template <class T, int ITEMS, class It>
__device__ __forceinline__ void LoadDirectBlocked(int thread, It from, T (&items)[ITEMS]) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		items[i] = from[thread * ITEMS + i];
}
template <class T, int ITEMS, class It>
__device__ __forceinline__ void LoadDirectBlocked(int thread, It from, T (&items)[ITEMS], int valid) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		if (thread * ITEMS + i < valid)
			items[i] = from[thread * ITEMS + i];
}
template <class T, class Default, int ITEMS, class It>
__device__ __forceinline__ void LoadDirectBlocked(int thread, It from, T (&items)[ITEMS], int valid, Default other) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		items[i] = thread * ITEMS + i < valid ? (T)from[thread * ITEMS + i] : (T)other;
}
template <class T, int ITEMS>
__device__ __forceinline__ void LoadDirectBlockedVectorized(int thread, T *from, T (&items)[ITEMS]) {
	LoadDirectBlocked(thread, from, items);
}

/* Thread t has elements t, t + threads, ... */
template <int THREADS, class T, int ITEMS, class It>
__device__ __forceinline__ void LoadDirectStriped(int thread, It from, T (&items)[ITEMS]) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		items[i] = from[thread + i * THREADS];
}
template <int THREADS, class T, int ITEMS, class It>
__device__ __forceinline__ void LoadDirectStriped(int thread, It from, T (&items)[ITEMS], int valid) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		if (thread + i * THREADS < valid)
			items[i] = from[thread + i * THREADS];
}
template <int THREADS, class T, class Default, int ITEMS, class It>
__device__ __forceinline__ void LoadDirectStriped(int thread, It from, T (&items)[ITEMS], int valid, Default other) {
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		items[i] = thread + i * THREADS < valid ? (T)from[thread + i * THREADS] : (T)other;
}

enum BlockLoadAlgorithm {
	BLOCK_LOAD_DIRECT,
	BLOCK_LOAD_STRIPED,
	BLOCK_LOAD_VECTORIZE,
	BLOCK_LOAD_TRANSPOSE,
	BLOCK_LOAD_WARP_TRANSPOSE,
	BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

/* A load by way of shared memory has the arrangement of a direct one, so it is a direct one. */
template <class T, int BLOCK_DIM_X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
	int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ BlockLoad() {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockLoad(TempStorage &) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	/* `limits`: how many elements there are, and the value of those that are not. */
	template <class It, class... Limits>
	__device__ __forceinline__ void Load(It from, T (&items)[ITEMS], Limits... limits) {
		if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
			LoadDirectStriped<threads>(_thread, from, items, limits...);
		else
			LoadDirectBlocked(_thread, from, items, limits...);
	}

  private:
	int _thread;
};

} /* namespace cub */

#endif
