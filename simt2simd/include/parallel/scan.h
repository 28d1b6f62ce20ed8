/* Sums so far: each chunk's own sum, then what is written, from the sums of the chunks before.
 *
 * Sums of words are made by vectors, and in one go: a warp sums its chunk, waits for the sum of those before it, and
 * reads the chunk once more while it is in the cache. Sums of other types take two passes, an element after the other.
 */
#ifndef S2S_PARALLEL_SCAN_H
#define S2S_PARALLEL_SCAN_H

#include <functional>

#include "launch.h"

namespace s2s_parallel {

/* ---- an element after the other ---- */

template <class T, class In, class Op> struct SumOfChunk {
	In in;
	T *sums;
	mutable Op op;
	Chunks chunks;
	__device__ void operator()(size_t chunk) const {
		size_t i = chunks.begin(chunk), end = chunks.end(chunk);
		T sum = in[i];
		for (i++; i < end; i++)
			sum = op(sum, in[i]);
		sums[chunk] = sum;
	}
};

/* One chunk: each sum becomes that of all chunks until this one. */
template <class T, class Op> struct SumsSoFar {
	T *sums;
	mutable Op op;
	unsigned number;
	__device__ void operator()(size_t) const {
		T sum = sums[0];
		for (unsigned i = 1; i < number; i++) {
			sum = op(sum, sums[i]);
			sums[i] = sum;
		}
	}
};

/* `Initial`: whether there is a value that all sums begin with. `in` and `out` may be the same. */
template <class T, bool Exclusive, bool Initial, class In, class Out, class Op> struct ScanChunk {
	In in;
	Out out;
	const T *sums;
	mutable Op op;
	T initial;
	Chunks chunks;
	__device__ void operator()(size_t chunk) const {
		size_t i = chunks.begin(chunk), end = chunks.end(chunk);
		T sum = initial;
		bool begun = Initial;
		if (chunk > 0) {
			if constexpr (Initial)
				sum = op(initial, sums[chunk - 1]);
			else
				sum = sums[chunk - 1];
			begun = true;
		}
		if (!begun) {
			sum = in[i];
			out[i] = sum;
			i++;
		}
		for (; i < end; i++) {
			if constexpr (Exclusive) {
				T value = in[i];
				out[i] = sum;
				sum = op(sum, value);
			} else {
				sum = op(sum, in[i]);
				out[i] = sum;
			}
		}
	}
};

/* ---- by vectors ---- */

/* The operators that are known to take their operands in any order. */
template <class Op> struct Commutes {
	static constexpr bool value = false;
};
template <class T> struct Commutes<std::plus<T>> {
	static constexpr bool value = true;
};

/* The types that shuffles take as they are. */
template <class T> constexpr bool is_word() {
	return KindOf<T>::value != Kind::none && sizeof(T) >= 4;
}

constexpr unsigned all_lanes = 0xffffffffu;

/* The sums so far of the 32 values of a warp. */
template <class T, class Op> __device__ __forceinline__ T sums_of_row(T value, Op &op) {
	unsigned lane = threadIdx.x;
#pragma unroll
	for (unsigned by = 1; by < 32; by *= 2) {
		T before = __shfl_up_sync(all_lanes, value, by);
		if (lane >= by)
			value = op(before, value);
	}
	return value;
}

template <class T> __device__ __forceinline__ T of_last(T value) {
	return __shfl_sync(all_lanes, value, 31);
}

/* The sum of whole rows, from `begin` to before `end`. */
template <class T, class In, class Op>
__device__ __forceinline__ T sum_of_rows(In in, size_t begin, size_t end, Op &op) {
	unsigned lane = threadIdx.x;
	T sum = in[begin + lane];
	if constexpr (Commutes<Op>::value) {
		for (size_t i = begin + 32; i < end; i += 32)
			sum = op(sum, in[i + lane]);
		return of_last(sums_of_row(sum, op));
	} else {
		sum = of_last(sums_of_row(sum, op));
		for (size_t i = begin + 32; i < end; i += 32)
			sum = op(sum, of_last(sums_of_row((T)in[i + lane], op)));
		return sum;
	}
}

/* Write a row's sums, after a sum of all before it; return the sum with the row. */
template <bool Exclusive, class T, class Out, class Op>
__device__ __forceinline__ T write_row(T value, T before, Out out, size_t place, Op &op) {
	T sums = op(before, sums_of_row(value, op));
	if constexpr (Exclusive) {
		T sums_before = __shfl_up_sync(all_lanes, sums, 1);
		out[place] = threadIdx.x == 0 ? before : sums_before;
	} else {
		out[place] = sums;
	}
	return of_last(sums);
}

/* The warps take the chunks in order, so the one before has always been begun. `sums` has the sums until each chunk's
 * end, `ready`: which of them are there, and `taken` how many chunks have been begun.
 */
template <class T, bool Exclusive, bool Initial, class In, class Out, class Op>
__global__ void run_scan(
	In in, Out out, volatile T *sums, volatile unsigned *ready, unsigned *taken, Op op, T initial, Chunks chunks) {
	unsigned lane = threadIdx.x, ticket = 0;
	if (lane == 0)
		ticket = atomicAdd(taken, 1u);
	size_t chunk = __shfl_sync(all_lanes, ticket, 0);
	size_t begin = chunks.begin(chunk), end = chunks.end(chunk), rows = begin + (end - begin) / 32 * 32;
	T before = initial;
	bool is_last = chunk + 1 == chunks.number; /* others have whole rows */
	T own = before;
	if (!is_last)
		own = sum_of_rows<T>(in, begin, end, op);
	if (chunk > 0) {
		while (ready[chunk - 1] == 0) {
		}
		__threadfence();
		before = sums[chunk - 1];
	}
	bool begun = Initial || chunk > 0;
	if (!is_last) {
		sums[chunk] = begun ? (T)op(before, own) : own;
		__threadfence();
		ready[chunk] = 1;
	}
	size_t i = begin;
	if (!begun && i < rows) {
		T first = sums_of_row((T)in[i + lane], op);
		out[i + lane] = first;
		before = of_last(first);
		begun = true;
		i += 32;
	}
	for (; i < rows; i += 32)
		before = write_row<Exclusive>((T)in[i + lane], before, out, i + lane, op);
	if (lane == 0)
		for (; i < end; i++) {
			T value = in[i], sum = value;
			if (begun)
				sum = op(before, value);
			out[i] = Exclusive ? before : sum;
			before = sum;
			begun = true;
		}
}

struct NoneReady {
	unsigned *ready;
	__device__ void operator()(size_t i) const {
		ready[i] = 0;
	}
};

/* ---- both ---- */

constexpr size_t scan_chunk = 32768; /* elements that a cache holds twice */

template <class T> inline Chunks scan_chunks(size_t count) {
	size_t most = count / scan_chunk;
	Chunks chunks = divided(count, 8192, is_word<T>() && most > 128 ? most : 128);
	chunks.size = (chunks.size + 31) / 32 * 32;
	chunks.number = chunks.size == 0 ? 0 : (unsigned)((count + chunks.size - 1) / chunks.size);
	return chunks;
}

/* What a scan of so many values needs. */
template <class T> struct ScanSpace {
	T *sums;
	unsigned *ready; /* and how many chunks have been begun */
	ScanSpace(Arena &arena, size_t count) {
		size_t number = scan_chunks<T>(count).number;
		sums = arena.take<T>(number);
		ready = arena.take<unsigned>(number + 1);
	}
};

template <class T, bool Exclusive, bool Initial, class In, class Out, class Op>
cudaError_t scan(In in, Out out, size_t count, Op op, T initial, ScanSpace<T> space, cudaStream_t stream) {
	Chunks chunks = scan_chunks<T>(count);
	if constexpr (is_word<T>()) {
		if (chunks.number == 0)
			return cudaSuccess;
		each((size_t)chunks.number + 1, NoneReady{space.ready}, stream);
		run_scan<T, Exclusive, Initial, In, Out, Op><<<chunks.number, 32, 0, stream>>>(
			in, out, space.sums, space.ready, space.ready + chunks.number, op, initial, chunks);
		return cudaPeekAtLastError();
	} else {
		if (chunks.number > 1) {
			chunks_of(chunks.number - 1, SumOfChunk<T, In, Op>{in, space.sums, op, chunks}, stream);
			chunks_of(1, SumsSoFar<T, Op>{space.sums, op, chunks.number - 1}, stream);
		}
		typedef ScanChunk<T, Exclusive, Initial, In, Out, Op> Body;
		return chunks_of(chunks.number, Body{in, out, space.sums, op, initial, chunks}, stream);
	}
}

} /* namespace s2s_parallel */

#endif
