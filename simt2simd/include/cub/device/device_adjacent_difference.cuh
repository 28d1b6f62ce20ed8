/* CUB: differences of neighbours. */
#ifndef S2S_CUB_DEVICE_ADJACENT_DIFFERENCE_CUH
#define S2S_CUB_DEVICE_ADJACENT_DIFFERENCE_CUH

#include "../../parallel/launch.h"
#include "../iterator/iterators.cuh"
#include "../thread/thread_operators.cuh"

namespace cub {

namespace details {

template <class In, class Out, class Op> struct LeftDifference {
	In in;
	Out out;
	mutable Op op;
	__device__ void operator()(size_t i) const {
		if (i == 0)
			out[i] = in[i];
		else
			out[i] = op(in[i], in[i - 1]);
	}
};

template <class In, class Out, class Op> struct RightDifference {
	In in;
	Out out;
	mutable Op op;
	size_t last;
	__device__ void operator()(size_t i) const {
		if (i == last)
			out[i] = in[i];
		else
			out[i] = op(in[i], in[i + 1]);
	}
};

template <class In, class T> struct CopyAside {
	In in;
	T *out;
	__device__ void operator()(size_t i) const {
		out[i] = in[i];
	}
};

} /* namespace details */

/* The first element has no left neighbour, the last one no right one: they stay as they are. */
struct DeviceAdjacentDifference {
	template <class In, class Out, class N, class Op = cub::Difference>
	static cudaError_t SubtractLeftCopy(
		void *storage, size_t &bytes, In in, Out out, N count, Op op = Op(), cudaStream_t stream = 0) {
		if (s2s_parallel::only_asks(storage, bytes))
			return cudaSuccess;
		return s2s_parallel::each((size_t)count, details::LeftDifference<In, Out, Op>{in, out, op}, stream);
	}
	template <class In, class Out, class N, class Op = cub::Difference>
	static cudaError_t SubtractRightCopy(
		void *storage, size_t &bytes, In in, Out out, N count, Op op = Op(), cudaStream_t stream = 0) {
		if (s2s_parallel::only_asks(storage, bytes))
			return cudaSuccess;
		typedef details::RightDifference<In, Out, Op> Body;
		return s2s_parallel::each((size_t)count, Body{in, out, op, (size_t)count - 1}, stream);
	}

	/* In place: from a copy. */
	template <class It, class N, class Op = cub::Difference>
	static cudaError_t SubtractLeft(
		void *storage, size_t &bytes, It data, N count, Op op = Op(), cudaStream_t stream = 0) {
		typedef typename details::ValueOf<It>::type T;
		T *copy;
		cudaError_t answer;
		if (only_asks(storage, bytes, data, (size_t)count, copy, answer, stream))
			return answer;
		return s2s_parallel::each((size_t)count, details::LeftDifference<T *, It, Op>{copy, data, op}, stream);
	}
	template <class It, class N, class Op = cub::Difference>
	static cudaError_t SubtractRight(
		void *storage, size_t &bytes, It data, N count, Op op = Op(), cudaStream_t stream = 0) {
		typedef typename details::ValueOf<It>::type T;
		T *copy;
		cudaError_t answer;
		if (only_asks(storage, bytes, data, (size_t)count, copy, answer, stream))
			return answer;
		typedef details::RightDifference<T *, It, Op> Body;
		return s2s_parallel::each((size_t)count, Body{copy, data, op, (size_t)count - 1}, stream);
	}

  private:
	template <class It, class T>
	static bool only_asks(
		void *storage, size_t &bytes, It data, size_t count, T *&copy, cudaError_t &answer, cudaStream_t stream) {
		s2s_parallel::Arena arena(storage);
		copy = arena.take<T>(count);
		if (arena.only_asks(bytes, answer))
			return true;
		answer = s2s_parallel::each(count, details::CopyAside<It, T>{data, copy}, stream);
		return answer != cudaSuccess;
	}
};

} /* namespace cub */

#endif
