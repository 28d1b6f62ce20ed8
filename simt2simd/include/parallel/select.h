/* Some elements in their order, side by side: chunks count theirs first, so each knows where it writes. */
#ifndef S2S_PARALLEL_SELECT_H
#define S2S_PARALLEL_SELECT_H

#include "scan.h"

namespace s2s_parallel {

struct Add {
	template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
		return a + b;
	}
};

template <class Chosen> struct CountChosen {
	Chosen chosen;
	size_t *counts;
	Chunks chunks;
	__device__ void operator()(size_t chunk) const {
		size_t count = 0;
		for (size_t i = chunks.begin(chunk), end = chunks.end(chunk); i < end; i++)
			count += chosen(i) ? 1 : 0;
		counts[chunk] = count;
	}
};

/* `take(i, at)` is called for the elements that are chosen, `leave(i, at)` for the others; each has its own places. */
template <class Chosen, class Take, class Leave, class Total> struct TakeChosen {
	Chosen chosen;
	Take take;
	Leave leave;
	Total total;
	const size_t *counts;
	Chunks chunks;
	__device__ void operator()(size_t chunk) const {
		size_t at = chunk > 0 ? counts[chunk - 1] : 0;
		for (size_t i = chunks.begin(chunk), end = chunks.end(chunk); i < end; i++) {
			if (chosen(i)) {
				take(i, at);
				at++;
			} else {
				leave(i, i - at);
			}
		}
		if (chunk == chunks.number - 1)
			*total = at;
	}
};

struct LeaveAlone {
	__device__ void operator()(size_t, size_t) const {
	}
};

template <class In, class Predicate> struct ChosenBy {
	In in;
	mutable Predicate predicate;
	__device__ bool operator()(size_t i) const {
		return predicate(in[i]);
	}
};

template <class In, class Predicate> struct NotChosenBy {
	In in;
	mutable Predicate predicate;
	__device__ bool operator()(size_t i) const {
		return !predicate(in[i]);
	}
};

template <class Flags> struct ChosenByFlag {
	Flags flags;
	__device__ bool operator()(size_t i) const {
		return flags[i] ? true : false;
	}
};

/* The first of each run of equal elements. */
template <class In, class Equal> struct FirstOfRun {
	In in;
	mutable Equal equal;
	__device__ bool operator()(size_t i) const {
		return i == 0 || !equal(in[i - 1], in[i]);
	}
};

template <class In, class Out> struct CopyTo {
	In in;
	Out out;
	__device__ void operator()(size_t i, size_t at) const {
		out[at] = in[i];
	}
};

/* From the end backwards. */
template <class In, class Out> struct CopyToEnd {
	In in;
	Out out;
	size_t count;
	__device__ void operator()(size_t i, size_t at) const {
		out[count - 1 - at] = in[i];
	}
};

template <class One, class Other> struct BothOf {
	One one;
	Other other;
	__device__ void operator()(size_t i, size_t at) const {
		one(i, at);
		other(i, at);
	}
};

/* Notes where runs begin. */
struct NoteBegin {
	size_t *begins;
	__device__ void operator()(size_t i, size_t at) const {
		begins[at] = i;
	}
};

template <class Out> struct SetToZero {
	Out out;
	__device__ void operator()(size_t) const {
		*out = 0;
	}
};

/* The run with this number ends where the next one begins. */
template <class Total, class Lengths> struct LengthOfRun {
	const size_t *begins;
	Total total;
	Lengths lengths;
	size_t count;
	__device__ void operator()(size_t run) const {
		size_t runs = *total;
		if (run < runs)
			lengths[run] = (run + 1 < runs ? begins[run + 1] : count) - begins[run];
	}
};

template <class T, class Total, class In, class Out, class Op> struct ReduceRun {
	const size_t *begins;
	Total total;
	In in;
	Out out;
	mutable Op op;
	size_t count, runs_of_chunk;
	__device__ void operator()(size_t chunk) const {
		size_t runs = *total;
		for (size_t run = chunk * runs_of_chunk; run < (chunk + 1) * runs_of_chunk && run < runs; run++) {
			size_t i = begins[run], end = run + 1 < runs ? begins[run + 1] : count;
			T value = in[i];
			for (i++; i < end; i++)
				value = op(value, in[i]);
			out[run] = value;
		}
	}
};

inline size_t counts_of_select(size_t count) {
	return divided(count).number;
}

template <class Chosen, class Take, class Leave, class Total>
cudaError_t select(
	size_t count, Chosen chosen, Take take, Leave leave, Total total, size_t *counts, cudaStream_t stream) {
	Chunks chunks = divided(count);
	if (chunks.number == 0)
		return chunks_of(1, SetToZero<Total>{total}, stream);
	if (chunks.number > 1) {
		chunks_of(chunks.number, CountChosen<Chosen>{chosen, counts, chunks}, stream);
		chunks_of(1, SumsSoFar<size_t, Add>{counts, Add(), chunks.number}, stream);
	}
	typedef TakeChosen<Chosen, Take, Leave, Total> Body;
	return chunks_of(chunks.number, Body{chosen, take, leave, total, counts, chunks}, stream);
}

/* Reduce each run: `begins` and `total` are what `select` has found of FirstOfRun. */
template <class T, class Total, class In, class Out, class Op>
cudaError_t reduce_runs(const size_t *begins, Total total, In in, Out out, Op op, size_t count, cudaStream_t stream) {
	size_t runs = (count + 127) / 128;
	typedef ReduceRun<T, Total, In, Out, Op> Body;
	return count == 0 ? cudaSuccess
					  : chunks_of((unsigned)((count + runs - 1) / runs), Body{begins, total, in, out, op, count, runs},
							stream);
}

} /* namespace s2s_parallel */

#endif
