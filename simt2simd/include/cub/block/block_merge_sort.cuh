/* CUB: a block sorts its items by a comparison. Each thread sorts its own; then neighbours merge, all threads at once.
 */
#ifndef S2S_CUB_BLOCK_MERGE_SORT_CUH
#define S2S_CUB_BLOCK_MERGE_SORT_CUH

#include "../util_ptx.cuh"
#include "block_reduce.cuh"

namespace cub {

namespace details {

/* Sort items by insertion; stable. */
template <bool Pairs, class Key, class Value, int ITEMS, class Compare>
__device__ __forceinline__ void sort_items(Key (&keys)[ITEMS], Value (&values)[ITEMS], Compare compare) {
#pragma unroll
	for (int i = 1; i < ITEMS; i++) {
#pragma unroll
		for (int j = i; j > 0; j--) {
			if (compare(keys[j], keys[j - 1])) {
				Key key = keys[j];
				keys[j] = keys[j - 1];
				keys[j - 1] = key;
				if constexpr (Pairs) {
					Value value = values[j];
					values[j] = values[j - 1];
					values[j - 1] = value;
				}
			}
		}
	}
}

/* Thread t of THREADS has items t * ITEMS, t * ITEMS + 1, ... before and after. Sorts are stable. */
template <class Key, int THREADS, int ITEMS, class Value, class Meet> class MergeSort {
	static constexpr int threads = THREADS, count = threads * ITEMS;
	static constexpr bool pairs = !std::is_same<Value, NullType>::value;

  public:
	struct TempStorage {
		details::Cells<Key, count> keys;
		details::Cells<Value, pairs ? count : 1> values;
	};
	__device__ __forceinline__ MergeSort(TempStorage &storage, int thread) : _storage(storage), _thread(thread) {
	}

	template <class Compare> __device__ __forceinline__ void Sort(Key (&keys)[ITEMS], Compare compare) {
		NullType none[ITEMS];
		sort(keys, none, compare, count);
	}
	template <class Compare>
	__device__ __forceinline__ void Sort(Key (&keys)[ITEMS], Value (&values)[ITEMS], Compare compare) {
		sort(keys, values, compare, count);
	}
	/* The items from `valid` on count as `last`, which no item follows. */
	template <class Compare>
	__device__ __forceinline__ void Sort(Key (&keys)[ITEMS], Compare compare, int valid, Key last) {
		NullType none[ITEMS];
		fill(keys, valid, last);
		sort(keys, none, compare, valid);
	}
	template <class Compare>
	__device__ __forceinline__ void Sort(
		Key (&keys)[ITEMS], Value (&values)[ITEMS], Compare compare, int valid, Key last) {
		fill(keys, valid, last);
		sort(keys, values, compare, valid);
	}
	template <class Compare> __device__ __forceinline__ void StableSort(Key (&keys)[ITEMS], Compare compare) {
		Sort(keys, compare);
	}
	template <class Compare>
	__device__ __forceinline__ void StableSort(Key (&keys)[ITEMS], Value (&values)[ITEMS], Compare compare) {
		Sort(keys, values, compare);
	}

  private:
	template <class V> static constexpr bool has = !std::is_same<V, NullType>::value;

	__device__ __forceinline__ void fill(Key (&keys)[ITEMS], int valid, Key last) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			if (_thread * ITEMS + i >= valid)
				keys[i] = last;
	}

	template <class V, class Compare>
	__device__ __forceinline__ void sort(Key (&keys)[ITEMS], V (&values)[ITEMS], Compare compare, int) {
		details::sort_items<has<V>>(keys, values, compare);
		for (int width = 1; width < threads; width *= 2) {
			Meet::now();
#pragma unroll
			for (int i = 0; i < ITEMS; i++) {
				_storage.keys[_thread * ITEMS + i] = keys[i];
				if constexpr (has<V>)
					_storage.values[_thread * ITEMS + i] = values[i];
			}
			Meet::now();
			merge(keys, values, compare, width);
		}
	}

	/* This thread's part of the merger of two runs, of `width` threads each. */
	template <class V, class Compare>
	__device__ __forceinline__ void merge(Key (&keys)[ITEMS], V (&values)[ITEMS], Compare compare, int width) {
		int first = (_thread & ~(2 * width - 1)) * ITEMS, from = _thread * ITEMS - first;
		int middle = first + width * ITEMS < count ? first + width * ITEMS : count;
		int end = middle + width * ITEMS < count ? middle + width * ITEMS : count;
		int low = from > end - middle ? from - (end - middle) : 0, high = from < middle - first ? from : middle - first;
		while (low < high) {
			int half = (low + high) / 2;
			if (compare(_storage.keys[middle + from - 1 - half], _storage.keys[first + half]))
				high = half;
			else
				low = half + 1;
		}
		int i = first + low, j = middle + from - low;
#pragma unroll
		for (int k = 0; k < ITEMS; k++) {
			bool second = i >= middle;
			if (!second && j < end)
				second = compare(_storage.keys[j], _storage.keys[i]);
			int at = second ? j++ : i++;
			keys[k] = _storage.keys[at];
			if constexpr (has<V>)
				values[k] = _storage.values[at];
		}
	}

	TempStorage &_storage;
	int _thread;
};

struct MeetAll {
	__device__ __forceinline__ static void now() {
		__syncthreads();
	}
};

} /* namespace details */

template <class Key, int BLOCK_DIM_X, int ITEMS, class Value = NullType, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockMergeSort
	: public details::MergeSort<Key, BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, ITEMS, Value, details::MeetAll> {
	typedef details::MergeSort<Key, BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, ITEMS, Value, details::MeetAll> Base;

  public:
	typedef typename Base::TempStorage TempStorage;
	__device__ __forceinline__ BlockMergeSort()
		: Base(details::own_storage<TempStorage>(), RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {
	}
	__device__ __forceinline__ BlockMergeSort(TempStorage &storage)
		: Base(storage, RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {
	}
};

} /* namespace cub */

#endif
