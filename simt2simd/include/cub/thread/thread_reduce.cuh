/* CUB: reductions and prefixes over the values of one thread. */
#ifndef S2S_CUB_THREAD_REDUCE_CUH
#define S2S_CUB_THREAD_REDUCE_CUH

#include "../util_ptx.cuh"

namespace cub {

template <int LENGTH, class T, class Op> __device__ __forceinline__ T ThreadReduce(T (&input)[LENGTH], Op op) {
	T value = input[0];
#pragma unroll
	for (int i = 1; i < LENGTH; i++)
		value = op(value, input[i]);
	return value;
}

template <int LENGTH, class T, class Op>
__device__ __forceinline__ T ThreadReduce(T (&input)[LENGTH], Op op, T prefix) {
	T value = prefix;
#pragma unroll
	for (int i = 0; i < LENGTH; i++)
		value = op(value, input[i]);
	return value;
}

namespace details {

/* Prefixes of the items, of which `before` comes before the first where `has_before` is true. */
template <int LENGTH, class T, class Op>
__device__ __forceinline__ void inclusive_of_items(
	T (&input)[LENGTH], T (&output)[LENGTH], Op op, T before, bool has_before) {
	T sum = has_before ? op(before, input[0]) : input[0];
	output[0] = sum;
#pragma unroll
	for (int i = 1; i < LENGTH; i++) {
		sum = op(sum, input[i]);
		output[i] = sum;
	}
}

template <int LENGTH, class T, class Op>
__device__ __forceinline__ void exclusive_of_items(
	T (&input)[LENGTH], T (&output)[LENGTH], Op op, T before, bool has_before) {
	T sum = has_before ? op(before, input[0]) : input[0];
	output[0] = before;
#pragma unroll
	for (int i = 1; i < LENGTH; i++) {
		T value = input[i];
		output[i] = sum;
		sum = op(sum, value);
	}
}

} /* namespace details */

} /* namespace cub */

#endif
