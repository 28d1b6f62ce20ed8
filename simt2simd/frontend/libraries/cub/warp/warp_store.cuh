/* CUB: stores of a tile of a logical warp. Whether a thread's items lie side by side or a warp apart is all that
 * algorithms differ in. */
#ifndef S2S_CUB_WARP_STORE_CUH
#define S2S_CUB_WARP_STORE_CUH

#include "../util_ptx.cuh"

namespace cub {

enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

template <class T, int ITEMS, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT, int LOGICAL_WARP_THREADS = 32,
	int LEGACY_PTX_ARCH = 0>
class WarpStore {
  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ WarpStore() : _lane(LaneId() % LOGICAL_WARP_THREADS) {
	}
	__device__ __forceinline__ WarpStore(TempStorage &) : _lane(LaneId() % LOGICAL_WARP_THREADS) {
	}

	template <class It> __device__ __forceinline__ void Store(It to, T (&items)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			to[place(i)] = items[i];
	}
	template <class It> __device__ __forceinline__ void Store(It to, T (&items)[ITEMS], int valid) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			if (place(i) < valid)
				to[place(i)] = items[i];
	}

  private:
	__device__ __forceinline__ int place(int i) const {
		return ALGORITHM == WARP_STORE_STRIPED ? _lane + i * LOGICAL_WARP_THREADS : _lane * ITEMS + i;
	}
	int _lane;
};

} /* namespace cub */

#endif
