/* CUB: reductions over the threads of a block. The result is for its first thread. */
#ifndef S2S_CUB_BLOCK_REDUCE_CUH
#define S2S_CUB_BLOCK_REDUCE_CUH

#include "../warp/warp_reduce.cuh"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

namespace details {

/* A place in shared memory for each block that brings none of its own. */
template <class Storage> __device__ __forceinline__ Storage &own_storage() {
	__shared__ Storage storage;
	return storage;
}

} /* namespace details */

/* All algorithms are one: each warp reduces, and the results of the warps are taken in turn, by all threads:
 * what is the same for a block is computed once. */
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
	int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, warps = (threads + 31) / 32;

  public:
	struct TempStorage {
		details::Cells<T, warps> aggregates;
	};
	__device__ __forceinline__ BlockReduce() : _storage(details::own_storage<TempStorage>()) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockReduce(TempStorage &storage) : _storage(storage) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}

	template <class Op> __device__ __forceinline__ T Reduce(T input, Op op) {
		NullType none;
		if constexpr (threads % 32 == 0)
			return of_warps(WarpReduce<T>(none).Reduce(input, op), op, threads);
		else
			return Reduce(input, op, threads);
	}
	template <class Op> __device__ __forceinline__ T Reduce(T input, Op op, int num_valid) {
		int first = _thread & ~31;
		NullType none;
		return of_warps(WarpReduce<T>(none).Reduce(input, op, num_valid - first), op, num_valid);
	}
	template <int ITEMS, class Op> __device__ __forceinline__ T Reduce(T (&inputs)[ITEMS], Op op) {
		return Reduce(ThreadReduce(inputs, op), op);
	}
	__device__ __forceinline__ T Sum(T input) {
		return Reduce(input, cub::Sum());
	}
	__device__ __forceinline__ T Sum(T input, int num_valid) {
		return Reduce(input, cub::Sum(), num_valid);
	}
	template <int ITEMS> __device__ __forceinline__ T Sum(T (&inputs)[ITEMS]) {
		return Reduce(inputs, cub::Sum());
	}

  private:
	template <class Op> __device__ __forceinline__ T of_warps(T value, Op op, int num_valid) {
		if constexpr (warps > 1) {
			if ((_thread & 31) == 0)
				_storage.aggregates[_thread / 32] = value;
			__syncthreads();
			T sum = _storage.aggregates[0];
#pragma unroll
			for (int warp = 1; warp < warps; warp++)
				if (warp * 32 < num_valid)
					sum = op(sum, _storage.aggregates[warp]);
			return sum;
		} else {
			return value;
		}
	}

	TempStorage &_storage;
	int _thread;
};

} /* namespace cub */

#endif
