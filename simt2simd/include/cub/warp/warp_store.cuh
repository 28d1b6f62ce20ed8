/* CUB: stores of a tile of a logical warp, in several arrangements. */
#ifndef S2S_CUB_WARP_STORE_CUH
#define S2S_CUB_WARP_STORE_CUH

#include "../block/block_store.cuh"

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

	/* `valid`: how many elements there are; all, without it. */
	template <class It, class... Valid>
	__device__ __forceinline__ void Store(It to, T (&items)[ITEMS], Valid... valid) {
		if constexpr (ALGORITHM == WARP_STORE_STRIPED)
			StoreDirectStriped<LOGICAL_WARP_THREADS>(_lane, to, items, valid...);
		else
			StoreDirectBlocked(_lane, to, items, valid...);
	}

  private:
	int _lane;
};

} /* namespace cub */

#endif
