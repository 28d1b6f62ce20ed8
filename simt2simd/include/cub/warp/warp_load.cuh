/* CUB: loads of a tile of a logical warp, in several arrangements. */
#ifndef S2S_CUB_WARP_LOAD_CUH
#define S2S_CUB_WARP_LOAD_CUH

#include "../block/block_load.cuh"

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

	/* `limits`: how many elements there are, and the value of those that are not. */
	template <class It, class... Limits>
	__device__ __forceinline__ void Load(It from, T (&items)[ITEMS], Limits... limits) {
		if constexpr (ALGORITHM == WARP_LOAD_STRIPED)
			LoadDirectStriped<LOGICAL_WARP_THREADS>(_lane, from, items, limits...);
		else
			LoadDirectBlocked(_lane, from, items, limits...);
	}

  private:
	int _lane;
};

} /* namespace cub */

#endif
