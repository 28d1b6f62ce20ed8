/* Sorts by the bits of keys, least significant digits first: stable, eight bits a pass.
 *
 * Each chunk counts its digits; the counts, summed by digit and then by chunk, give each chunk the place of its keys of
 * a digit.
 */
#ifndef S2S_PARALLEL_RADIX_SORT_H
#define S2S_PARALLEL_RADIX_SORT_H

#include <type_traits>

#include "launch.h"

namespace s2s_parallel {

/* Values of this type mean none. */
struct NoValue {};

template <class Key, class Value> struct RadixPass {
	const Key *keys;
	const Value *values;
	Key *new_keys;
	Value *new_values;
	size_t *counts; /* of digit d in chunk c: counts[d * number of chunks + c] */
	Chunks chunks;
	int shift;
	unsigned mask;
	__device__ unsigned digit(Key key) const {
		auto bits = ordered_bits(key);
		return (unsigned)(bits >> shift) & mask;
	}
};

/* These two are kernels of one thread a block, as `run_chunks` is, with their counters in shared memory. */
template <bool Descending, class Key, class Value> __global__ void count_digits(RadixPass<Key, Value> pass) {
	__shared__ unsigned counts[256];
	size_t chunk = blockIdx.x;
	for (int i = 0; i < 256; i++)
		counts[i] = 0;
	for (size_t i = pass.chunks.begin(chunk), end = pass.chunks.end(chunk); i < end; i++)
		counts[pass.digit(pass.keys[i])]++;
	for (unsigned i = 0; i <= pass.mask; i++)
		pass.counts[(Descending ? pass.mask - i : i) * pass.chunks.number + chunk] = counts[i];
}

struct SumDigits {
	size_t *counts;
	size_t number;
	__device__ void operator()(size_t) const {
		size_t sum = 0;
		for (size_t i = 0; i < number; i++) {
			size_t count = counts[i];
			counts[i] = sum;
			sum += count;
		}
	}
};

template <bool Descending, class Key, class Value> __global__ void move_by_digit(RadixPass<Key, Value> pass) {
	__shared__ size_t places[256];
	size_t chunk = blockIdx.x;
	for (unsigned i = 0; i <= pass.mask; i++)
		places[i] = pass.counts[(Descending ? pass.mask - i : i) * pass.chunks.number + chunk];
	for (size_t i = pass.chunks.begin(chunk), end = pass.chunks.end(chunk); i < end; i++) {
		Key key = pass.keys[i];
		unsigned digit = pass.digit(key);
		size_t at = places[digit];
		places[digit] = at + 1;
		pass.new_keys[at] = key;
		if constexpr (!std::is_same<Value, NoValue>::value)
			pass.new_values[at] = pass.values[i];
	}
}

template <class T> struct CopyOf {
	const T *from;
	T *to;
	__device__ void operator()(size_t i) const {
		to[i] = from[i];
	}
};

constexpr int radix_bits = 8;

inline int radix_passes(int begin_bit, int end_bit) {
	return end_bit > begin_bit ? (end_bit - begin_bit + radix_bits - 1) / radix_bits : 0;
}

inline Chunks radix_chunks(size_t count) {
	return divided(count, 16384, 64);
}

inline size_t radix_counts(size_t count) {
	return (size_t)radix_chunks(count).number << radix_bits;
}

template <bool Descending, class Key, class Value>
cudaError_t radix_pass(RadixPass<Key, Value> pass, cudaStream_t stream) {
	count_digits<Descending, Key, Value><<<pass.chunks.number, 1, 0, stream>>>(pass);
	chunks_of(1, SumDigits{pass.counts, ((size_t)pass.mask + 1) * pass.chunks.number}, stream);
	move_by_digit<Descending, Key, Value><<<pass.chunks.number, 1, 0, stream>>>(pass);
	return cudaPeekAtLastError();
}

/* Sort into `out`, by way of `spare` where more than one pass is needed; `in` stays as it is. */
template <bool Descending, class Key, class Value>
cudaError_t radix_sort(const Key *keys, const Value *values, Key *out_keys, Value *out_values, Key *spare_keys,
	Value *spare_values, size_t *counts, size_t count, int begin_bit, int end_bit, cudaStream_t stream) {
	constexpr bool has_values = !std::is_same<Value, NoValue>::value;
	int passes = radix_passes(begin_bit, end_bit);
	if (count == 0)
		return cudaSuccess;
	if (passes == 0) {
		if constexpr (has_values)
			each(count, CopyOf<Value>{values, out_values}, stream);
		return each(count, CopyOf<Key>{keys, out_keys}, stream);
	}
	cudaError_t error = cudaSuccess;
	for (int i = 0; i < passes; i++) {
		bool to_out = (passes - i) % 2 == 1;
		int shift = begin_bit + i * radix_bits, bits = end_bit - shift < radix_bits ? end_bit - shift : radix_bits;
		RadixPass<Key, Value> pass = {keys, values, to_out ? out_keys : spare_keys, to_out ? out_values : spare_values,
			counts, radix_chunks(count), shift, (1u << bits) - 1};
		error = radix_pass<Descending>(pass, stream);
		keys = pass.new_keys;
		values = pass.new_values;
	}
	return error;
}

} /* namespace s2s_parallel */

#endif
