/* Sums so far, in two passes: each chunk's own sum, then what is written, from the sums of the chunks before. */
#ifndef S2S_PARALLEL_SCAN_H
#define S2S_PARALLEL_SCAN_H

#include "launch.h"

namespace s2s_parallel {

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

/* `Initial` tells whether there is a value that all sums begin with. `in` and `out` may be the same. */
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

inline size_t sums_of_scan(size_t count) {
	return divided(count).number;
}

/* `sums` has room for `sums_of_scan(count)` values. */
template <class T, bool Exclusive, bool Initial, class In, class Out, class Op>
cudaError_t scan(In in, Out out, size_t count, Op op, T initial, T *sums, cudaStream_t stream) {
	Chunks chunks = divided(count);
	if (chunks.number > 1) {
		chunks_of(chunks.number - 1, SumOfChunk<T, In, Op>{in, sums, op, chunks}, stream);
		chunks_of(1, SumsSoFar<T, Op>{sums, op, chunks.number - 1}, stream);
	}
	typedef ScanChunk<T, Exclusive, Initial, In, Out, Op> Body;
	return chunks_of(chunks.number, Body{in, out, sums, op, initial, chunks}, stream);
}

} /* namespace s2s_parallel */

#endif
