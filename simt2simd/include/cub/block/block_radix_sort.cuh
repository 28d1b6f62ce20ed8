/* CUB: a block sorts its items by the bits of their keys; the items are merged by these bits. */
#ifndef S2S_CUB_BLOCK_RADIX_SORT_CUH
#define S2S_CUB_BLOCK_RADIX_SORT_CUH

#include "../../parallel/launch.h"
#include "block_exchange.cuh"
#include "block_merge_sort.cuh"
#include "block_scan.cuh"

namespace cub {

namespace details {

/* Compares bits [begin, end) of keys. */
template <bool Descending> struct ByBits {
	int begin, end;
	template <class Key> __device__ __forceinline__ bool operator()(const Key &a, const Key &b) const {
		auto x = part(a), y = part(b);
		return Descending ? y < x : x < y;
	}
	template <class Key> __device__ __forceinline__ auto part(const Key &key) const {
		auto bits = s2s_parallel::ordered_bits(key);
		typedef decltype(bits) U;
		constexpr int width = 8 * sizeof(U);
		if (begin == 0 && end >= width)
			return bits;
		return end - begin >= width ? bits : (U)((bits >> begin) & (((U)1 << (end - begin)) - 1));
	}
};

} /* namespace details */

template <class Key, int BLOCK_DIM_X, int ITEMS, class Value = NullType, int RADIX_BITS = 4,
	bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
	int SMEM_CONFIG = 0, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
	typedef BlockMergeSort<Key, BLOCK_DIM_X, ITEMS, Value, BLOCK_DIM_Y, BLOCK_DIM_Z> Sorter;
	typedef BlockExchange<Key, BLOCK_DIM_X, ITEMS, false, BLOCK_DIM_Y, BLOCK_DIM_Z> Keys;
	typedef BlockExchange<Value, BLOCK_DIM_X, ITEMS, false, BLOCK_DIM_Y, BLOCK_DIM_Z> Values;

  public:
	struct TempStorage {
		union {
			typename Sorter::TempStorage sorter;
			typename Keys::TempStorage keys;
			typename Values::TempStorage values;
		};
	};
	__device__ __forceinline__ BlockRadixSort() : _storage(details::own_storage<TempStorage>()) {
	}
	__device__ __forceinline__ BlockRadixSort(TempStorage &storage) : _storage(storage) {
	}

	__device__ __forceinline__ void Sort(Key (&keys)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		Sorter(_storage.sorter).Sort(keys, details::ByBits<false>{begin_bit, end_bit});
	}
	__device__ __forceinline__ void Sort(
		Key (&keys)[ITEMS], Value (&values)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		Sorter(_storage.sorter).Sort(keys, values, details::ByBits<false>{begin_bit, end_bit});
	}
	__device__ __forceinline__ void SortDescending(
		Key (&keys)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		Sorter(_storage.sorter).Sort(keys, details::ByBits<true>{begin_bit, end_bit});
	}
	__device__ __forceinline__ void SortDescending(
		Key (&keys)[ITEMS], Value (&values)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		Sorter(_storage.sorter).Sort(keys, values, details::ByBits<true>{begin_bit, end_bit});
	}

	__device__ __forceinline__ void SortBlockedToStriped(
		Key (&keys)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		Sort(keys, begin_bit, end_bit);
		stripe(keys);
	}
	__device__ __forceinline__ void SortBlockedToStriped(
		Key (&keys)[ITEMS], Value (&values)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		Sort(keys, values, begin_bit, end_bit);
		stripe(keys, values);
	}
	__device__ __forceinline__ void SortDescendingBlockedToStriped(
		Key (&keys)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		SortDescending(keys, begin_bit, end_bit);
		stripe(keys);
	}
	__device__ __forceinline__ void SortDescendingBlockedToStriped(
		Key (&keys)[ITEMS], Value (&values)[ITEMS], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
		SortDescending(keys, values, begin_bit, end_bit);
		stripe(keys, values);
	}

  private:
	__device__ __forceinline__ void stripe(Key (&keys)[ITEMS]) {
		__syncthreads();
		Keys(_storage.keys).BlockedToStriped(keys);
	}
	__device__ __forceinline__ void stripe(Key (&keys)[ITEMS], Value (&values)[ITEMS]) {
		stripe(keys);
		__syncthreads();
		Values(_storage.values).BlockedToStriped(values);
	}
	TempStorage &_storage;
};

} /* namespace cub */

#endif
