/* CUB: sorts by the bits of keys. */
#ifndef S2S_CUB_DEVICE_RADIX_SORT_CUH
#define S2S_CUB_DEVICE_RADIX_SORT_CUH

#include "../../parallel/radix_sort.h"
#include "../util_ptx.cuh"

namespace cub {

/* Two arrays, one of which holds the data; sorts may use the other one and say which holds the result. */
template <class T> struct DoubleBuffer {
	T *d_buffers[2];
	int selector;
	__host__ __device__ DoubleBuffer() : selector(0) {
		d_buffers[0] = d_buffers[1] = nullptr;
	}
	__host__ __device__ DoubleBuffer(T *current, T *alternate) : selector(0) {
		d_buffers[0] = current;
		d_buffers[1] = alternate;
	}
	__host__ __device__ T *Current() {
		return d_buffers[selector];
	}
	__host__ __device__ T *Alternate() {
		return d_buffers[selector ^ 1];
	}
};

namespace details {

template <bool Descending, class Key, class Value>
cudaError_t radix_sorted(void *storage, size_t &bytes, const Key *keys, Key *out_keys, const Value *values,
	Value *out_values, size_t count, int begin_bit, int end_bit, cudaStream_t stream) {
	s2s_parallel::Arena arena(storage);
	bool spare = s2s_parallel::radix_passes(begin_bit, end_bit) > 1;
	constexpr bool has_values = !std::is_same<Value, s2s_parallel::NoValue>::value;
	size_t *counts = arena.take<size_t>(s2s_parallel::radix_counts(count));
	Key *spare_keys = arena.take<Key>(spare ? count : 0);
	Value *spare_values = arena.take<Value>(spare && has_values ? count : 0);
	cudaError_t answer;
	if (arena.only_asks(bytes, answer))
		return answer;
	return s2s_parallel::radix_sort<Descending>(
		keys, values, out_keys, out_values, spare_keys, spare_values, counts, count, begin_bit, end_bit, stream);
}

/* The result is in the alternate buffers where the number of passes is odd. */
template <bool Descending, class Key, class Value>
cudaError_t radix_sorted(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> *values,
	size_t count, int begin_bit, int end_bit, cudaStream_t stream) {
	s2s_parallel::Arena arena(storage);
	size_t *counts = arena.take<size_t>(s2s_parallel::radix_counts(count));
	cudaError_t answer;
	if (arena.only_asks(bytes, answer))
		return answer;
	int odd = s2s_parallel::radix_passes(begin_bit, end_bit) & 1;
	if (count == 0 || end_bit <= begin_bit)
		return cudaSuccess;
	Value *current = values ? values->Current() : nullptr, *alternate = values ? values->Alternate() : nullptr;
	answer = s2s_parallel::radix_sort<Descending>(keys.Current(), current, odd ? keys.Alternate() : keys.Current(),
		odd ? alternate : current, odd ? keys.Current() : keys.Alternate(), odd ? current : alternate, counts, count,
		begin_bit, end_bit, stream);
	keys.selector ^= odd;
	if (values)
		values->selector ^= odd;
	return answer;
}

} /* namespace details */

struct DeviceRadixSort {
	template <class Key, class N>
	static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::radix_sorted<false>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none, none,
			count, begin_bit, end_bit, stream);
	}
	template <class Key, class N>
	static cudaError_t SortKeys(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, N count, int begin_bit = 0,
		int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		DoubleBuffer<s2s_parallel::NoValue> *none = nullptr;
		return details::radix_sorted<false>(storage, bytes, keys, none, count, begin_bit, end_bit, stream);
	}
	template <class Key, class Value, class N>
	static cudaError_t SortPairs(void *storage, size_t &bytes, const Key *keys, Key *out_keys, const Value *values,
		Value *out_values, N count, int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0,
		bool = false) {
		return details::radix_sorted<false>(
			storage, bytes, keys, out_keys, values, out_values, count, begin_bit, end_bit, stream);
	}
	template <class Key, class Value, class N>
	static cudaError_t SortPairs(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,
		N count, int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		return details::radix_sorted<false>(storage, bytes, keys, &values, count, begin_bit, end_bit, stream);
	}
	template <class Key, class N>
	static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::radix_sorted<true>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none, none,
			count, begin_bit, end_bit, stream);
	}
	template <class Key, class N>
	static cudaError_t SortKeysDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, N count,
		int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		DoubleBuffer<s2s_parallel::NoValue> *none = nullptr;
		return details::radix_sorted<true>(storage, bytes, keys, none, count, begin_bit, end_bit, stream);
	}
	template <class Key, class Value, class N>
	static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys,
		const Value *values, Value *out_values, N count, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
		cudaStream_t stream = 0, bool = false) {
		return details::radix_sorted<true>(
			storage, bytes, keys, out_keys, values, out_values, count, begin_bit, end_bit, stream);
	}
	template <class Key, class Value, class N>
	static cudaError_t SortPairsDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
		DoubleBuffer<Value> &values, N count, int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0,
		bool = false) {
		return details::radix_sorted<true>(storage, bytes, keys, &values, count, begin_bit, end_bit, stream);
	}
};

} /* namespace cub */

#endif
