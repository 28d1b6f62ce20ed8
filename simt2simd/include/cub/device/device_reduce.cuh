/* CUB: reductions of arrays. */
#ifndef S2S_CUB_DEVICE_REDUCE_CUH
#define S2S_CUB_DEVICE_REDUCE_CUH

#include <limits>

#include "../../parallel/reduce.h"
#include "../../parallel/select.h"
#include "../iterator/iterators.cuh"

namespace cub {

namespace details {

template <class T, class In, class Out, class N, class Op>
cudaError_t reduced(void *storage, size_t &bytes, In in, Out out, N count, Op op, T initial, cudaStream_t stream) {
	s2s_parallel::Arena arena(storage);
	T *parts = arena.take<T>(s2s_parallel::parts_of_reduce(count));
	cudaError_t answer;
	if (arena.only_asks(bytes, answer))
		return answer;
	return s2s_parallel::reduce<T, true>(in, out, count, op, initial, parts, stream);
}

/* Each segment by its own thread. */
template <class T, class In, class Out, class Begins, class Ends, class Op>
cudaError_t segments_reduced(void *storage, size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
	Op op, T initial, cudaStream_t stream) {
	if (s2s_parallel::only_asks(storage, bytes))
		return cudaSuccess;
	typedef s2s_parallel::ReduceSegments<T, In, Out, Begins, Ends, Op> Body;
	return s2s_parallel::chunks_of((unsigned)segments, Body{in, out, begins, ends, op, initial}, stream);
}

} /* namespace details */

struct DeviceReduce {
	template <class In, class Out, class N>
	static cudaError_t Sum(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::reduced<T>(storage, bytes, in, out, count, cub::Sum(), T(0), stream);
	}
	template <class In, class Out, class N>
	static cudaError_t Min(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::reduced<T>(storage, bytes, in, out, count, cub::Min(), std::numeric_limits<T>::max(), stream);
	}
	template <class In, class Out, class N>
	static cudaError_t Max(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::reduced<T>(
			storage, bytes, in, out, count, cub::Max(), std::numeric_limits<T>::lowest(), stream);
	}
	template <class In, class Out, class N>
	static cudaError_t ArgMin(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		typedef KeyValuePair<int, T> Pair;
		ArgIndexInputIterator<In, int, T> pairs(in);
		Pair none(1, std::numeric_limits<T>::max());
		if (count > 0)
			none.key = std::numeric_limits<int>::max();
		return details::reduced<Pair>(storage, bytes, pairs, out, count, cub::ArgMin(), none, stream);
	}
	template <class In, class Out, class N>
	static cudaError_t ArgMax(
		void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		typedef KeyValuePair<int, T> Pair;
		ArgIndexInputIterator<In, int, T> pairs(in);
		Pair none(1, std::numeric_limits<T>::lowest());
		if (count > 0)
			none.key = std::numeric_limits<int>::max();
		return details::reduced<Pair>(storage, bytes, pairs, out, count, cub::ArgMax(), none, stream);
	}
	template <class In, class Out, class N, class Op, class T>
	static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, N count, Op op, T initial,
		cudaStream_t stream = 0, bool = false) {
		return details::reduced<T>(storage, bytes, in, out, count, op, initial, stream);
	}
	template <class In, class Out, class N, class Op, class Transform, class T>
	static cudaError_t TransformReduce(void *storage, size_t &bytes, In in, Out out, N count, Op op,
		Transform transform, T initial, cudaStream_t stream = 0) {
		TransformInputIterator<T, Transform, In> values(in, transform);
		return details::reduced<T>(storage, bytes, values, out, count, op, initial, stream);
	}

	/* Runs of equal keys. */
	template <class Keys, class Unique, class Values, class Aggregates, class Runs, class Op, class N>
	static cudaError_t ReduceByKey(void *storage, size_t &bytes, Keys keys, Unique unique, Values values,
		Aggregates aggregates, Runs runs, Op op, N count, cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<Values>::type T;
		s2s_parallel::Arena arena(storage);
		size_t *counts = arena.take<size_t>(s2s_parallel::counts_of_select(count));
		size_t *begins = arena.take<size_t>(count);
		cudaError_t answer;
		if (arena.only_asks(bytes, answer))
			return answer;
		typedef s2s_parallel::CopyTo<Keys, Unique> Copy;
		typedef s2s_parallel::BothOf<Copy, s2s_parallel::NoteBegin> Take;
		s2s_parallel::FirstOfRun<Keys, Equality> first = {keys, Equality()};
		s2s_parallel::select(count, first, Take{Copy{keys, unique}, s2s_parallel::NoteBegin{begins}},
			s2s_parallel::LeaveAlone(), runs, counts, stream);
		return s2s_parallel::reduce_runs<T>(begins, runs, values, aggregates, op, count, stream);
	}
};

struct DeviceSegmentedReduce {
	template <class In, class Out, class Begins, class Ends, class Op, class T>
	static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
		Op op, T initial, cudaStream_t stream = 0, bool = false) {
		return details::segments_reduced<T>(storage, bytes, in, out, segments, begins, ends, op, initial, stream);
	}
	template <class In, class Out, class Begins, class Ends>
	static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
		cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::segments_reduced<T>(storage, bytes, in, out, segments, begins, ends, cub::Sum(), T(0), stream);
	}
	template <class In, class Out, class Begins, class Ends>
	static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
		cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::segments_reduced<T>(
			storage, bytes, in, out, segments, begins, ends, cub::Min(), std::numeric_limits<T>::max(), stream);
	}
	template <class In, class Out, class Begins, class Ends>
	static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
		cudaStream_t stream = 0, bool = false) {
		typedef typename details::ValueOf<In>::type T;
		return details::segments_reduced<T>(
			storage, bytes, in, out, segments, begins, ends, cub::Max(), std::numeric_limits<T>::lowest(), stream);
	}
};

} /* namespace cub */

#endif
