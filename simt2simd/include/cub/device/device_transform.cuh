/* CUB: what a function makes of the elements of some arrays. */
#ifndef S2S_CUB_DEVICE_TRANSFORM_CUH
#define S2S_CUB_DEVICE_TRANSFORM_CUH

#include <tuple>

#include "../../parallel/launch.h"

namespace cub {

namespace details {

template <class Out, class Op, class In> struct TransformOne {
	Out out;
	mutable Op op;
	In in;
	__device__ void operator()(size_t i) const {
		out[i] = op(in[i]);
	}
};
template <class Out, class Op, class A, class B> struct TransformTwo {
	Out out;
	mutable Op op;
	A a;
	B b;
	__device__ void operator()(size_t i) const {
		out[i] = op(a[i], b[i]);
	}
};
template <class Out, class Op, class A, class B, class C> struct TransformThree {
	Out out;
	mutable Op op;
	A a;
	B b;
	C c;
	__device__ void operator()(size_t i) const {
		out[i] = op(a[i], b[i], c[i]);
	}
};

} /* namespace details */

/* Of up to three arrays. */
struct DeviceTransform {
	template <class In, class Out, class N, class Op>
	static cudaError_t Transform(In in, Out out, N count, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::each((size_t)count, details::TransformOne<Out, Op, In>{out, op, in}, stream);
	}
	template <class A, class Out, class N, class Op>
	static cudaError_t Transform(std::tuple<A> in, Out out, N count, Op op, cudaStream_t stream = 0) {
		return Transform(std::get<0>(in), out, count, op, stream);
	}
	template <class A, class B, class Out, class N, class Op>
	static cudaError_t Transform(std::tuple<A, B> in, Out out, N count, Op op, cudaStream_t stream = 0) {
		typedef details::TransformTwo<Out, Op, A, B> Body;
		return s2s_parallel::each((size_t)count, Body{out, op, std::get<0>(in), std::get<1>(in)}, stream);
	}
	template <class A, class B, class C, class Out, class N, class Op>
	static cudaError_t Transform(std::tuple<A, B, C> in, Out out, N count, Op op, cudaStream_t stream = 0) {
		typedef details::TransformThree<Out, Op, A, B, C> Body;
		return s2s_parallel::each(
			(size_t)count, Body{out, op, std::get<0>(in), std::get<1>(in), std::get<2>(in)}, stream);
	}
	template <class... Its, class Out, class N, class Op>
	static cudaError_t TransformStableArgumentAddresses(
		std::tuple<Its...> in, Out out, N count, Op op, cudaStream_t stream = 0) {
		return Transform(in, out, count, op, stream);
	}
};

} /* namespace cub */

#endif
