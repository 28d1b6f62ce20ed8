/* CUB: a function for each number or element. */
#ifndef S2S_CUB_DEVICE_FOR_CUH
#define S2S_CUB_DEVICE_FOR_CUH

#include "../../parallel/launch.h"

namespace cub {

namespace details {

template <class It, class Op> struct CallWith {
	It it;
	mutable Op op;
	__device__ void operator()(size_t i) const {
		op(it[i]);
	}
};

template <class N, class Op> struct CallWithNumber {
	mutable Op op;
	__device__ void operator()(size_t i) const {
		op((N)i);
	}
};

} /* namespace details */

struct DeviceFor {
	template <class N, class Op> static cudaError_t Bulk(N count, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::each((size_t)count, details::CallWithNumber<N, Op>{op}, stream);
	}
	template <class It, class N, class Op>
	static cudaError_t ForEachN(It first, N count, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::each((size_t)count, details::CallWith<It, Op>{first, op}, stream);
	}
	template <class It, class Op> static cudaError_t ForEach(It first, It last, Op op, cudaStream_t stream = 0) {
		return ForEachN(first, last - first, op, stream);
	}
	template <class It, class N, class Op>
	static cudaError_t ForEachCopyN(It first, N count, Op op, cudaStream_t stream = 0) {
		return ForEachN(first, count, op, stream);
	}
	template <class It, class Op> static cudaError_t ForEachCopy(It first, It last, Op op, cudaStream_t stream = 0) {
		return ForEachN(first, last - first, op, stream);
	}

	/* ---- with storage, of which there is no need ---- */

	template <class N, class Op>
	static cudaError_t Bulk(void *storage, size_t &bytes, N count, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::only_asks(storage, bytes) ? cudaSuccess : Bulk(count, op, stream);
	}
	template <class It, class N, class Op>
	static cudaError_t ForEachN(void *storage, size_t &bytes, It first, N count, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::only_asks(storage, bytes) ? cudaSuccess : ForEachN(first, count, op, stream);
	}
	template <class It, class Op>
	static cudaError_t ForEach(void *storage, size_t &bytes, It first, It last, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::only_asks(storage, bytes) ? cudaSuccess : ForEach(first, last, op, stream);
	}
	template <class It, class N, class Op>
	static cudaError_t ForEachCopyN(void *storage, size_t &bytes, It first, N count, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::only_asks(storage, bytes) ? cudaSuccess : ForEachN(first, count, op, stream);
	}
	template <class It, class Op>
	static cudaError_t ForEachCopy(void *storage, size_t &bytes, It first, It last, Op op, cudaStream_t stream = 0) {
		return s2s_parallel::only_asks(storage, bytes) ? cudaSuccess : ForEach(first, last, op, stream);
	}
};

} /* namespace cub */

#endif
