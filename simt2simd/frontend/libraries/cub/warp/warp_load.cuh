/* CUB: loads of a tile of a logical warp. Whether a thread's items lie side by side or a warp apart is all that
 * algorithms differ in. */
#ifndef S2S_CUB_WARP_LOAD_CUH
#define S2S_CUB_WARP_LOAD_CUH

#include "../util_ptx.cuh"

namespace cub {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

template <class T, int ITEMS, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT, int LOGICAL_WARP_THREADS = 32,
	int LEGACY_PTX_ARCH = 0>
class WarpLoad {
  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ WarpLoad() : _lane(LaneId() % LOGICAL_WARP_THREADS) {
	}
	__device__ __forceinline__ WarpLoad(TempStorage &) : _lane(LaneId() % LOGICAL_WARP_THREADS) {
	}

	template <class It> __device__ __forceinline__ void Load(It from, T (&items)[ITEMS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			items[i] = from[place(i)];
	}
	template <class It> __device__ __forceinline__ void Load(It from, T (&items)[ITEMS], int valid) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			if (place(i) < valid)
				items[i] = from[place(i)];
	}
	template <class It, class Default>
	__device__ __forceinline__ void Load(It from, T (&items)[ITEMS], int valid, Default others) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			items[i] = others;
		Load(from, items, valid);
	}

  private:
	__device__ __forceinline__ int place(int i) const {
		return ALGORITHM == WARP_LOAD_STRIPED ? _lane + i * LOGICAL_WARP_THREADS : _lane * ITEMS + i;
	}
	int _lane;
};

} /* namespace cub */

#endif
