/* CUB: sorts by a comparison. */
#ifndef S2S_CUB_DEVICE_MERGE_SORT_CUH
#define S2S_CUB_DEVICE_MERGE_SORT_CUH

#include "../../parallel/merge_sort.h"
#include "../util_ptx.cuh"

namespace cub {

struct DeviceMergeSort {
	template <class Key, class N, class Compare>
	static cudaError_t SortKeys(
		void *storage, size_t &bytes, Key *keys, N count, Compare compare, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return sort(storage, bytes, keys, none, count, compare, stream);
	}
	template <class Key, class Value, class N, class Compare>
	static cudaError_t SortPairs(void *storage, size_t &bytes, Key *keys, Value *values, N count, Compare compare,
		cudaStream_t stream = 0, bool = false) {
		return sort(storage, bytes, keys, values, count, compare, stream);
	}
	template <class Key, class N, class Compare>
	static cudaError_t SortKeysCopy(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		Compare compare, cudaStream_t stream = 0, bool = false) {
		if (storage != nullptr)
			s2s_parallel::each(count, s2s_parallel::CopyOf<Key>{keys, out_keys}, stream);
		return SortKeys(storage, bytes, out_keys, count, compare, stream);
	}
	template <class Key, class Value, class N, class Compare>
	static cudaError_t SortPairsCopy(void *storage, size_t &bytes, const Key *keys, const Value *values, Key *out_keys,
		Value *out_values, N count, Compare compare, cudaStream_t stream = 0, bool = false) {
		if (storage != nullptr) {
			s2s_parallel::each(count, s2s_parallel::CopyOf<Key>{keys, out_keys}, stream);
			s2s_parallel::each(count, s2s_parallel::CopyOf<Value>{values, out_values}, stream);
		}
		return SortPairs(storage, bytes, out_keys, out_values, count, compare, stream);
	}
	template <class Key, class N, class Compare>
	static cudaError_t StableSortKeys(
		void *storage, size_t &bytes, Key *keys, N count, Compare compare, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return sort(storage, bytes, keys, none, count, compare, stream);
	}
	template <class Key, class Value, class N, class Compare>
	static cudaError_t StableSortPairs(void *storage, size_t &bytes, Key *keys, Value *values, N count, Compare compare,
		cudaStream_t stream = 0, bool = false) {
		return sort(storage, bytes, keys, values, count, compare, stream);
	}
	template <class Key, class N, class Compare>
	static cudaError_t StableSortKeysCopy(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		Compare compare, cudaStream_t stream = 0, bool = false) {
		if (storage != nullptr)
			s2s_parallel::each(count, s2s_parallel::CopyOf<Key>{keys, out_keys}, stream);
		return StableSortKeys(storage, bytes, out_keys, count, compare, stream);
	}
	template <class Key, class Value, class N, class Compare>
	static cudaError_t StableSortPairsCopy(void *storage, size_t &bytes, const Key *keys, const Value *values,
		Key *out_keys, Value *out_values, N count, Compare compare, cudaStream_t stream = 0, bool = false) {
		if (storage != nullptr) {
			s2s_parallel::each(count, s2s_parallel::CopyOf<Key>{keys, out_keys}, stream);
			s2s_parallel::each(count, s2s_parallel::CopyOf<Value>{values, out_values}, stream);
		}
		return StableSortPairs(storage, bytes, out_keys, out_values, count, compare, stream);
	}

  private:
	template <class Key, class Value, class Compare>
	static cudaError_t sort(
		void *storage, size_t &bytes, Key *keys, Value *values, size_t count, Compare compare, cudaStream_t stream) {
		s2s_parallel::Arena arena(storage);
		Key *spare_keys = arena.take<Key>(count);
		Value *spare_values = arena.take<Value>(std::is_same<Value, s2s_parallel::NoValue>::value ? 0 : count);
		cudaError_t answer;
		if (arena.only_asks(bytes, answer))
			return answer;
		return s2s_parallel::merge_sort(keys, values, spare_keys, spare_values, count, compare, stream);
	}
};

} /* namespace cub */

#endif
