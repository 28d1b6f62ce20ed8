/* CUB: a logical warp sorts its items by a comparison. */
#ifndef S2S_CUB_WARP_MERGE_SORT_CUH
#define S2S_CUB_WARP_MERGE_SORT_CUH

#include "../block/block_merge_sort.cuh"
#include "warp_exchange.cuh"

namespace cub {

template <class Key, int ITEMS, int LOGICAL_WARP_THREADS = 32, class Value = NullType, int LEGACY_PTX_ARCH = 0>
class WarpMergeSort
	: public details::MergeSort<Key, LOGICAL_WARP_THREADS, ITEMS, Value, details::MeetWarp<LOGICAL_WARP_THREADS>> {
	typedef details::MergeSort<Key, LOGICAL_WARP_THREADS, ITEMS, Value, details::MeetWarp<LOGICAL_WARP_THREADS>> Base;

  public:
	typedef typename Base::TempStorage TempStorage;
	__device__ __forceinline__ WarpMergeSort(TempStorage &storage) : Base(storage, LaneId() % LOGICAL_WARP_THREADS) {
	}
};

} /* namespace cub */

#endif
