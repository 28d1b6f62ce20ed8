/* What an operator, which may take its operands in any order, makes of many values. */
#ifndef S2S_PARALLEL_REDUCE_H
#define S2S_PARALLEL_REDUCE_H

#include "launch.h"

namespace s2s_parallel {

/* Values in shared memory, of types with constructors too. */
template <class T, int Count> struct Cells {
	alignas(T) unsigned char bytes[Count * sizeof(T)];
	__device__ T &operator[](int i) {
		return ((T *)bytes)[i];
	}
};

/* Each block makes one value of its chunk. No chunk is empty. */
template <class T, class In, class Op> __global__ void run_reduce(In in, T *parts, Op op, Chunks chunks) {
	__shared__ Cells<T, 256> cells;
	size_t begin = chunks.begin(blockIdx.x), end = chunks.end(blockIdx.x);
	int t = threadIdx.x, count = end - begin < 256 ? (int)(end - begin) : 256;
	if (t < count) {
		T value = in[begin + t];
		for (size_t i = begin + 256; i + t < end; i += 256)
			value = op(value, in[i + t]);
		cells[t] = value;
	}
	for (int half = 128; half > 0; half /= 2) {
		__syncthreads();
		if (t < half && t + half < count)
			cells[t] = op(cells[t], cells[t + half]);
	}
	if (t == 0)
		parts[blockIdx.x] = cells[0];
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
		run_reduce<T, In, Op><<<chunks.number, 256, 0, stream>>>(in, parts, op, chunks);
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
