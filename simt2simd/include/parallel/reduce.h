/* What an operator, which may take its operands in any order, makes of many values. */
#ifndef S2S_PARALLEL_REDUCE_H
#define S2S_PARALLEL_REDUCE_H

#include "launch.h"

namespace s2s_parallel {

constexpr int reduce_lanes = 16, reduce_rows = 4;

/* Values in shared memory, of types with constructors too. */
template <class T, int Count> struct Cells {
	alignas(T) unsigned char bytes[Count * sizeof(T)];
	__device__ T &operator[](int i) {
		return ((T *)bytes)[i];
	}
};

/* Each block makes one value of its chunk. No chunk is empty.
 *
 * A block is one gang, which goes through its chunk in order, as memory is read best. It takes some rows at a time, so
 * that one operation need not wait for the one before.
 */
template <class T, class In, class Op> __global__ void run_reduce(In in, T *parts, Op op, Chunks chunks) {
	__shared__ Cells<T, reduce_lanes> cells;
	size_t begin = chunks.begin(blockIdx.x), count = chunks.end(blockIdx.x) - begin, i = reduce_lanes;
	unsigned t = threadIdx.x, live = count < reduce_lanes ? (unsigned)count : reduce_lanes;
	if (t < live) {
		T value = in[begin + t];
		constexpr unsigned whole = reduce_rows * reduce_lanes;
		if (count >= whole) {
			T second = in[begin + reduce_lanes + t], third = in[begin + 2 * reduce_lanes + t],
			  fourth = in[begin + 3 * reduce_lanes + t];
			for (i = whole; i + whole <= count; i += whole) {
				value = op(value, in[begin + i + t]);
				second = op(second, in[begin + i + reduce_lanes + t]);
				third = op(third, in[begin + i + 2 * reduce_lanes + t]);
				fourth = op(fourth, in[begin + i + 3 * reduce_lanes + t]);
			}
			value = op(op(value, second), op(third, fourth));
		}
		for (; i + t < count; i += reduce_lanes)
			value = op(value, in[begin + i + t]);
		cells[t] = value;
	}
	__syncthreads();
	if (t == 0) {
		T value = cells[0];
		for (unsigned k = 1; k < live; k++)
			value = op(value, cells[k]);
		parts[blockIdx.x] = value;
	}
}

/* The last step: what becomes of the initial value and the values of all chunks. */
template <class T, bool Initial, class Out, class Op> struct ReduceParts {
	const T *parts;
	Out out;
	mutable Op op;
	T initial;
	unsigned number;
	__device__ void operator()(size_t) const {
		T value = initial;
		unsigned i = 0;
		if constexpr (!Initial)
			value = parts[i++];
		for (; i < number; i++)
			value = op(value, parts[i]);
		*out = value;
	}
};

inline size_t parts_of_reduce(size_t count) {
	return divided(count).number;
}

/* Without an initial value, there must be an element. */
template <class T, bool Initial, class In, class Out, class Op>
cudaError_t reduce(In in, Out out, size_t count, Op op, T initial, T *parts, cudaStream_t stream) {
	Chunks chunks = divided(count);
	if (chunks.number > 0)
		run_reduce<T, In, Op><<<chunks.number, reduce_lanes, 0, stream>>>(in, parts, op, chunks);
	return chunks_of(1, ReduceParts<T, Initial, Out, Op>{parts, out, op, initial, chunks.number}, stream);
}

/* A block for each segment. */
template <class T, class In, class Out, class Begins, class Ends, class Op> struct ReduceSegments {
	In in;
	Out out;
	Begins begins;
	Ends ends;
	mutable Op op;
	T initial;
	__device__ void operator()(size_t segment) const {
		T value = initial;
		for (size_t i = begins[segment], end = ends[segment]; i < end; i++)
			value = op(value, in[i]);
		out[segment] = value;
	}
};

} /* namespace s2s_parallel */

#endif
