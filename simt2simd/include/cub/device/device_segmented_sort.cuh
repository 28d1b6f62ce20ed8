/* CUB: sorts of the segments of an array. */
#ifndef S2S_CUB_DEVICE_SEGMENTED_SORT_CUH
#define S2S_CUB_DEVICE_SEGMENTED_SORT_CUH

#include "../../parallel/merge_sort.h"
#include "../util_ptx.cuh"

namespace cub {

namespace details {

template <bool Descending, class Key> struct ByOrder {
	__host__ __device__ bool operator()(const Key &a, const Key &b) const {
		auto x = s2s_parallel::ordered_bits(a), y = s2s_parallel::ordered_bits(b);
		return Descending ? y < x : x < y;
	}
};

/* One segment: runs are merged until there is one. */
template <bool Descending, class Key, class Value, class Begins, class Ends> struct SortSegment {
	const Key *keys;
	Key *out_keys, *spare_keys;
	const Value *values;
	Value *out_values, *spare_values;
	Begins begins;
	Ends ends;
	__device__ void operator()(size_t segment) const {
		size_t begin = begins[segment], end = ends[segment];
		for (size_t i = begin; i < end; i++) {
			out_keys[i] = keys[i];
			if constexpr (!std::is_same<Value, s2s_parallel::NoValue>::value)
				out_values[i] = values[i];
		}
		if (end <= begin)
			return;
		int passes = 0;
		while (((size_t)16 << passes) < end - begin)
			passes++;
		passes += passes & 1; /* so that the result is where it was */
		s2s_parallel::Chunks all = {end - begin, end - begin, 1};
		typedef s2s_parallel::SortChunk<Key, Value, ByOrder<Descending, Key>> Sorter;
		Sorter sorter = {out_keys + begin, spare_keys + begin, out_values + begin, spare_values + begin,
			ByOrder<Descending, Key>(), all, passes};
		sorter(0);
	}
};

template <bool Descending, class Key, class Value, class Begins, class Ends>
cudaError_t segments_sorted(void *storage, size_t &bytes, const Key *keys, Key *out_keys, const Value *values,
	Value *out_values, size_t count, int segments, Begins begins, Ends ends, cudaStream_t stream) {
	s2s_parallel::Arena arena(storage);
	Key *spare_keys = arena.take<Key>(count);
	Value *spare_values = arena.take<Value>(std::is_same<Value, s2s_parallel::NoValue>::value ? 1 : count);
	cudaError_t answer;
	if (arena.only_asks(bytes, answer))
		return answer;
	typedef SortSegment<Descending, Key, Value, Begins, Ends> Body;
	return s2s_parallel::chunks_of(
		(unsigned)segments, Body{keys, out_keys, spare_keys, values, out_values, spare_values, begins, ends}, stream);
}

} /* namespace details */

struct DeviceSegmentedSort {
	template <class Key, class N, class Begins, class Ends>
	static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count, int segments,
		Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::segments_sorted<false>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none,
			none, count, segments, begins, ends, stream);
	}
	template <class Key, class Value, class N, class Begins, class Ends>
	static cudaError_t SortPairs(void *storage, size_t &bytes, const Key *keys, Key *out_keys, const Value *values,
		Value *out_values, N count, int segments, Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
		return details::segments_sorted<false>(
			storage, bytes, keys, out_keys, values, out_values, count, segments, begins, ends, stream);
	}
	template <class Key, class N, class Begins, class Ends>
	static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		int segments, Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::segments_sorted<true>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none, none,
			count, segments, begins, ends, stream);
	}
	template <class Key, class Value, class N, class Begins, class Ends>
	static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys,
		const Value *values, Value *out_values, N count, int segments, Begins begins, Ends ends,
		cudaStream_t stream = 0, bool = false) {
		return details::segments_sorted<true>(
			storage, bytes, keys, out_keys, values, out_values, count, segments, begins, ends, stream);
	}
	template <class Key, class N, class Begins, class Ends>
	static cudaError_t StableSortKeys(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		int segments, Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::segments_sorted<false>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none,
			none, count, segments, begins, ends, stream);
	}
	template <class Key, class Value, class N, class Begins, class Ends>
	static cudaError_t StableSortPairs(void *storage, size_t &bytes, const Key *keys, Key *out_keys,
		const Value *values, Value *out_values, N count, int segments, Begins begins, Ends ends,
		cudaStream_t stream = 0, bool = false) {
		return details::segments_sorted<false>(
			storage, bytes, keys, out_keys, values, out_values, count, segments, begins, ends, stream);
	}
	template <class Key, class N, class Begins, class Ends>
	static cudaError_t StableSortKeysDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		int segments, Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::segments_sorted<true>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none, none,
			count, segments, begins, ends, stream);
	}
	template <class Key, class Value, class N, class Begins, class Ends>
	static cudaError_t StableSortPairsDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys,
		const Value *values, Value *out_values, N count, int segments, Begins begins, Ends ends,
		cudaStream_t stream = 0, bool = false) {
		return details::segments_sorted<true>(
			storage, bytes, keys, out_keys, values, out_values, count, segments, begins, ends, stream);
	}
};

struct DeviceSegmentedRadixSort {
	template <class Key, class N, class Begins, class Ends>
	static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count, int segments,
		Begins begins, Ends ends, int = 0, int = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::segments_sorted<false>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none,
			none, count, segments, begins, ends, stream);
	}
	template <class Key, class Value, class N, class Begins, class Ends>
	static cudaError_t SortPairs(void *storage, size_t &bytes, const Key *keys, Key *out_keys, const Value *values,
		Value *out_values, N count, int segments, Begins begins, Ends ends, int = 0, int = sizeof(Key) * 8,
		cudaStream_t stream = 0, bool = false) {
		return details::segments_sorted<false>(
			storage, bytes, keys, out_keys, values, out_values, count, segments, begins, ends, stream);
	}
	template <class Key, class N, class Begins, class Ends>
	static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys, N count,
		int segments, Begins begins, Ends ends, int = 0, int = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::NoValue *none = nullptr;
		return details::segments_sorted<true>(storage, bytes, keys, out_keys, (const s2s_parallel::NoValue *)none, none,
			count, segments, begins, ends, stream);
	}
	template <class Key, class Value, class N, class Begins, class Ends>
	static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const Key *keys, Key *out_keys,
		const Value *values, Value *out_values, N count, int segments, Begins begins, Ends ends, int = 0,
		int = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) {
		return details::segments_sorted<true>(
			storage, bytes, keys, out_keys, values, out_values, count, segments, begins, ends, stream);
	}
};

} /* namespace cub */

#endif
