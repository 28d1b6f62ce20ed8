/* CUB: prefixes of arrays. */
#ifndef S2S_CUB_DEVICE_SCAN_CUH
#define S2S_CUB_DEVICE_SCAN_CUH

#include "../../parallel/scan.h"
#include "../iterator/iterators.cuh"

namespace s2s_parallel {

template <> struct Commutes<cub::Sum> {
	static constexpr bool value = true;
};
template <> struct Commutes<cub::Max> {
	static constexpr bool value = true;
};
template <> struct Commutes<cub::Min> {
	static constexpr bool value = true;
};

} /* namespace s2s_parallel */

namespace cub {

namespace details {

/* Prefixes within runs of equal keys: pairs of a value and whether a run begins at or before it. */
template <class T> struct RunSum {
	T sum;
	bool begins;
};

template <class T, class Keys, class Values, class Equal> struct RunValues {
	Keys keys;
	Values values;
	mutable Equal equal;
	__device__ RunSum<T> operator[](size_t i) const {
		return RunSum<T>{values[i], i == 0 || !equal(keys[i - 1], keys[i])};
	}
};

template <class T, class Op> struct SumWithinRun {
	mutable Op op;
	__device__ RunSum<T> operator()(const RunSum<T> &a, const RunSum<T> &b) const {
		return RunSum<T>{b.begins ? b.sum : (T)op(a.sum, b.sum), a.begins || b.begins};
	}
};

template <class T, class Out> struct SumsOnly {
	struct Place {
		Out out;
		size_t i;
		__device__ void operator=(const RunSum<T> &value) const {
			out[i] = value.sum;
		}
	};
	Out out;
	__device__ Place operator[](size_t i) const {
		return Place{out, i};
	}
};

/* An exclusive prefix is the inclusive one of the element before, unless a run begins. */
template <class T, class Keys, class Values, class Out, class Equal, class Op> struct ScanRuns {
	Keys keys;
	Values values;
	Out out;
	mutable Equal equal;
	mutable Op op;
	T initial;
	s2s_parallel::Chunks chunks;
	__device__ void operator()(size_t chunk) const {
		size_t i = chunks.begin(chunk), end = chunks.end(chunk);
		while (i < end && i > 0 && equal(keys[i - 1], keys[i]))
			i++; /* of a run that began in a chunk before */
		T sum = initial;
		for (bool first = true; i < chunks.count; i++) {
			if (first || !equal(keys[i - 1], keys[i])) {
				if (i >= end)
					return;
				sum = initial;
				first = false;
			}
			T value = values[i];
			out[i] = sum;
			sum = op(sum, value);
		}
	}
};

} /* namespace details */

namespace details {

template <class T, bool Exclusive, bool Initial, class In, class Out, class N, class Op>
cudaError_t scanned(void *storage, size_t &bytes, In in, Out out, N count, Op op, T initial, cudaStream_t stream) {
	s2s_parallel::Arena arena(storage);
	s2s_parallel::ScanSpace<T> space(arena, count);
	cudaError_t answer;
	if (arena.only_asks(bytes, answer))
		return answer;
	return s2s_parallel::scan<T, Exclusive, Initial>(in, out, count, op, initial, space, stream);
}

} /* namespace details */

struct DeviceScan {
	template <class In, class Out, class N>
	static cudaError_t ExclusiveSum(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::scanned<T, true, true>(storage, bytes, in, out, count, cub::Sum(), T(0), stream);
	}
	template <class In, class Out, class N>
	static cudaError_t InclusiveSum(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::scanned<T, false, false>(storage, bytes, in, out, count, cub::Sum(), T(), stream);
	}
	template <class In, class Out, class Op, class I, class N>
	static cudaError_t ExclusiveScan(void *storage, size_t &bytes, In in, Out out, Op op, I initial, N count,
		cudaStream_t stream = 0, bool = false) {
		typedef I T;
		return details::scanned<T, true, true>(storage, bytes, in, out, count, op, initial, stream);
	}
	template <class In, class Out, class Op, class N>
	static cudaError_t InclusiveScan(
		void *storage, size_t &bytes, In in, Out out, Op op, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::scanned<T, false, false>(storage, bytes, in, out, count, op, T(), stream);
	}
	template <class In, class Out, class Op, class I, class N>
	static cudaError_t InclusiveScanInit(void *storage, size_t &bytes, In in, Out out, Op op, I initial, N count,
		cudaStream_t stream = 0, bool = false) {
		typedef I T;
		return details::scanned<T, false, true>(storage, bytes, in, out, count, op, initial, stream);
	}

	/* In place. */
	template <class It, class N>
	static cudaError_t ExclusiveSum(void *storage, size_t &bytes, It data, N count, cudaStream_t stream = 0) {
		return ExclusiveSum(storage, bytes, data, data, count, stream);
	}
	template <class It, class N>
	static cudaError_t InclusiveSum(void *storage, size_t &bytes, It data, N count, cudaStream_t stream = 0) {
		return InclusiveSum(storage, bytes, data, data, count, stream);
	}

	template <class Keys, class Values, class Out, class Op, class N, class Equal = Equality>
	static cudaError_t InclusiveScanByKey(void *storage, size_t &bytes, Keys keys, Values values, Out out, Op op,
		N count, Equal equal = Equal(), cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<Values>::type T;
		typedef details::RunSum<T> Pair;
		details::RunValues<T, Keys, Values, Equal> pairs = {keys, values, equal};
		details::SumsOnly<T, Out> sums = {out};
		return details::scanned<Pair, false, false>(
			storage, bytes, pairs, sums, count, details::SumWithinRun<T, Op>{op}, Pair(), stream);
	}
	template <class Keys, class Values, class Out, class N, class Equal = Equality>
	static cudaError_t InclusiveSumByKey(void *storage, size_t &bytes, Keys keys, Values values, Out out, N count,
		Equal equal = Equal(), cudaStream_t stream = 0, bool = false) {
		return InclusiveScanByKey(storage, bytes, keys, values, out, cub::Sum(), count, equal, stream);
	}
	template <class Keys, class Values, class Out, class Op, class T, class N, class Equal = Equality>
	static cudaError_t ExclusiveScanByKey(void *storage, size_t &bytes, Keys keys, Values values, Out out, Op op,
		T initial, N count, Equal equal = Equal(), cudaStream_t stream = 0, bool = false) {
		if (s2s_parallel::only_asks(storage, bytes))
			return cudaSuccess;
		s2s_parallel::Chunks chunks = s2s_parallel::divided(count);
		typedef details::ScanRuns<T, Keys, Values, Out, Equal, Op> Body;
		return s2s_parallel::chunks_of(chunks.number, Body{keys, values, out, equal, op, initial, chunks}, stream);
	}
	template <class Keys, class Values, class Out, class N, class Equal = Equality>
	static cudaError_t ExclusiveSumByKey(void *storage, size_t &bytes, Keys keys, Values values, Out out, N count,
		Equal equal = Equal(), cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<Values>::type T;
		return ExclusiveScanByKey(storage, bytes, keys, values, out, cub::Sum(), T(0), count, equal, stream);
	}
};

} /* namespace cub */

#endif
