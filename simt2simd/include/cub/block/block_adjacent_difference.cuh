/* CUB: what an operator makes of neighbouring items of a block. */
#ifndef S2S_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#define S2S_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH

#include "../util_ptx.cuh"
#include "block_reduce.cuh"

namespace cub {

/* The item at the edge, which has no neighbour, stays as it is. */
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  public:
	struct TempStorage {
		details::Cells<T, threads> edges;
	};
	__device__ __forceinline__ BlockAdjacentDifference() : _storage(details::own_storage<TempStorage>()) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockAdjacentDifference(TempStorage &storage) : _storage(storage) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	template <int ITEMS, class Out, class Op>
	__device__ __forceinline__ void SubtractLeft(T (&input)[ITEMS], Out (&output)[ITEMS], Op op) {
		left(input, output, op, input[0], _thread == 0);
	}
	template <int ITEMS, class Out, class Op>
	__device__ __forceinline__ void SubtractLeft(T (&input)[ITEMS], Out (&output)[ITEMS], Op op, T before) {
		left(input, output, op, before, false);
	}
	template <int ITEMS, class Out, class Op>
	__device__ __forceinline__ void SubtractRight(T (&input)[ITEMS], Out (&output)[ITEMS], Op op) {
		T after = input[ITEMS - 1];
		_storage.edges[_thread] = input[0];
		__syncthreads();
		bool last = _thread == threads - 1;
		if (!last)
			after = _storage.edges[_thread + 1];
#pragma unroll
		for (int i = 0; i + 1 < ITEMS; i++)
			output[i] = op(input[i], input[i + 1]);
		output[ITEMS - 1] = last ? (Out)input[ITEMS - 1] : (Out)op(input[ITEMS - 1], after);
	}

  private:
	template <int ITEMS, class Out, class Op>
	__device__ __forceinline__ void left(T (&input)[ITEMS], Out (&output)[ITEMS], Op op, T before, bool edge) {
		_storage.edges[_thread] = input[ITEMS - 1];
		__syncthreads();
		if (_thread > 0)
			before = _storage.edges[_thread - 1];
#pragma unroll
		for (int i = ITEMS - 1; i > 0; i--)
			output[i] = op(input[i], input[i - 1]);
		output[0] = edge ? (Out)input[0] : (Out)op(input[0], before);
	}

	TempStorage &_storage;
	int _thread;
};

} /* namespace cub */

#endif
