/* Sorts by a comparison: stable. Chunks are sorted one by one; then neighbours are merged, all tiles at a time. */
#ifndef S2S_PARALLEL_MERGE_SORT_H
#define S2S_PARALLEL_MERGE_SORT_H

#include <type_traits>

#include "radix_sort.h"

namespace s2s_parallel {

/* How many of the first `k` elements of two sorted runs, merged, are of the first run. */
template <class Key, class Compare>
__host__ __device__ inline size_t merge_path(
	const Key *a, size_t a_count, const Key *b, size_t b_count, size_t k, Compare compare) {
	size_t low = k > b_count ? k - b_count : 0, high = k < a_count ? k : a_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (compare(b[k - 1 - middle], a[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Write elements `from` to `until` of the merger of two runs that are side by side: [begin, middle), [middle, end).
 */
template <class Key, class Value, class Compare> struct Merger {
	const Key *keys;
	const Value *values;
	Key *new_keys;
	Value *new_values;
	mutable Compare compare;
	__host__ __device__ void merge(size_t begin, size_t middle, size_t end, size_t from, size_t until) const {
		size_t i = begin + merge_path(keys + begin, middle - begin, keys + middle, end - middle, from - begin, compare);
		size_t j = middle + (from - begin) - (i - begin);
		for (size_t at = from; at < until; at++) {
			bool second = i == middle || (j < end && compare(keys[j], keys[i]));
			size_t source = second ? j : i;
			new_keys[at] = keys[source];
			if constexpr (!std::is_same<Value, NoValue>::value)
				new_values[at] = values[source];
			j += second;
			i += !second;
		}
	}
};

/* Sort 16 elements by insertion, then merge longer and longer runs, until the chunk is one run in `keys`. */
template <class Key, class Value, class Compare> struct SortChunk {
	Key *keys, *spare_keys;
	Value *values, *spare_values;
	mutable Compare compare;
	Chunks chunks;
	int passes; /* even: the result is where it was */
	__device__ void operator()(size_t chunk) const {
		size_t begin = chunks.begin(chunk), end = chunks.end(chunk);
		for (size_t first = begin; first < end; first += 16)
			insert(first, first + 16 < end ? first + 16 : end);
		for (int pass = 0; pass < passes; pass++) {
			bool odd = pass & 1;
			Merger<Key, Value, Compare> merger = {odd ? spare_keys : keys, odd ? spare_values : values,
				odd ? keys : spare_keys, odd ? values : spare_values, compare};
			size_t run = (size_t)16 << pass;
			for (size_t first = begin; first < end; first += 2 * run) {
				size_t middle = first + run < end ? first + run : end;
				size_t last = first + 2 * run < end ? first + 2 * run : end;
				merger.merge(first, middle, last, first, last);
			}
		}
	}
	__device__ void insert(size_t begin, size_t end) const {
		for (size_t i = begin + 1; i < end; i++) {
			Key key = keys[i];
			size_t at = i;
			if constexpr (std::is_same<Value, NoValue>::value) {
				for (; at > begin && compare(key, keys[at - 1]); at--)
					keys[at] = keys[at - 1];
			} else {
				Value value = values[i];
				for (; at > begin && compare(key, keys[at - 1]); at--) {
					keys[at] = keys[at - 1];
					values[at] = values[at - 1];
				}
				values[at] = value;
			}
			keys[at] = key;
		}
	}
};

/* One tile of the mergers of runs of `run` elements each. */
template <class Key, class Value, class Compare> struct MergeTile {
	Merger<Key, Value, Compare> merger;
	size_t run;
	Chunks tiles;
	__device__ void operator()(size_t tile) const {
		size_t from = tiles.begin(tile), end = tiles.end(tile);
		while (from < end) {
			size_t first = from / (2 * run) * (2 * run);
			size_t middle = first + run < tiles.count ? first + run : tiles.count;
			size_t last = first + 2 * run < tiles.count ? first + 2 * run : tiles.count;
			size_t until = last < end ? last : end;
			merger.merge(first, middle, last, from, until);
			from = until;
		}
	}
};

/* Sort `keys`, and `values` with them, with the help of as much spare memory. */
template <class Key, class Value, class Compare>
cudaError_t merge_sort(Key *keys, Value *values, Key *spare_keys, Value *spare_values, size_t count, Compare compare,
	cudaStream_t stream) {
	constexpr bool has_values = !std::is_same<Value, NoValue>::value;
	if (count < 2)
		return cudaSuccess;
	constexpr int passes = 8;
	size_t run = 16 << passes;
	Chunks chunks = {count, run, (unsigned)((count + run - 1) / run)};
	cudaError_t error = chunks_of(chunks.number,
		SortChunk<Key, Value, Compare>{keys, spare_keys, values, spare_values, compare, chunks, passes}, stream);
	Key *from_keys = keys, *to_keys = spare_keys;
	Value *from_values = values, *to_values = spare_values;
	for (; run < count; run *= 2) {
		Merger<Key, Value, Compare> merger = {from_keys, from_values, to_keys, to_values, compare};
		Chunks tiles = divided(count);
		error = chunks_of(tiles.number, MergeTile<Key, Value, Compare>{merger, run, tiles}, stream);
		Key *new_keys = to_keys;
		to_keys = from_keys, from_keys = new_keys;
		Value *new_values = to_values;
		to_values = from_values, from_values = new_values;
	}
	if (from_keys != keys) {
		if constexpr (has_values)
			each(count, CopyOf<Value>{from_values, values}, stream);
		error = each(count, CopyOf<Key>{from_keys, keys}, stream);
	}
	return error;
}

} /* namespace s2s_parallel */

#endif
