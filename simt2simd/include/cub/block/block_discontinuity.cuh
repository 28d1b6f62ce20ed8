/* CUB: where neighbouring items of a block differ. */
#ifndef S2S_CUB_BLOCK_DISCONTINUITY_CUH
#define S2S_CUB_BLOCK_DISCONTINUITY_CUH

#include "../util_ptx.cuh"
#include "block_reduce.cuh"

namespace cub {

/* A head differs from the item before, a tail from the one after; the very first and the very last one do. */
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  public:
	struct TempStorage {
		details::Cells<T, threads> first, last;
	};
	__device__ __forceinline__ BlockDiscontinuity() : _storage(details::own_storage<TempStorage>()) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockDiscontinuity(TempStorage &storage) : _storage(storage) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}

	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void FlagHeads(Flag (&heads)[ITEMS], T (&input)[ITEMS], Op op) {
		share(input);
		flag_heads(heads, input, op, _thread == 0, input[0]);
	}
	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void FlagHeads(Flag (&heads)[ITEMS], T (&input)[ITEMS], Op op, T before) {
		share(input);
		flag_heads(heads, input, op, false, before);
	}
	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void FlagTails(Flag (&tails)[ITEMS], T (&input)[ITEMS], Op op) {
		share(input);
		flag_tails(tails, input, op, _thread == threads - 1, input[0]);
	}
	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void FlagTails(Flag (&tails)[ITEMS], T (&input)[ITEMS], Op op, T after) {
		share(input);
		flag_tails(tails, input, op, false, after);
	}
	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void FlagHeadsAndTails(
		Flag (&heads)[ITEMS], Flag (&tails)[ITEMS], T (&input)[ITEMS], Op op) {
		FlagHeads(heads, input, op);
		flag_tails(tails, input, op, _thread == threads - 1, input[0]);
	}

  private:
	template <int ITEMS> __device__ __forceinline__ void share(T (&input)[ITEMS]) {
		_storage.first[_thread] = input[0];
		_storage.last[_thread] = input[ITEMS - 1];
		__syncthreads();
	}
	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void flag_heads(Flag (&heads)[ITEMS], T (&input)[ITEMS], Op op, bool forced, T before) {
		if (_thread > 0)
			before = _storage.last[_thread - 1];
		heads[0] = forced || differ(op, before, input[0], _thread * ITEMS);
#pragma unroll
		for (int i = 1; i < ITEMS; i++)
			heads[i] = differ(op, input[i - 1], input[i], _thread * ITEMS + i);
	}
	template <int ITEMS, class Flag, class Op>
	__device__ __forceinline__ void flag_tails(Flag (&tails)[ITEMS], T (&input)[ITEMS], Op op, bool forced, T after) {
		if (_thread < threads - 1)
			after = _storage.first[_thread + 1];
#pragma unroll
		for (int i = 0; i + 1 < ITEMS; i++)
			tails[i] = differ(op, input[i], input[i + 1], _thread * ITEMS + i + 1);
		tails[ITEMS - 1] = forced || differ(op, input[ITEMS - 1], after, _thread * ITEMS + ITEMS);
	}
	/* Operators may take the place of the second item. */
	template <class Op> __device__ __forceinline__ static bool differ(Op op, const T &a, const T &b, int place) {
		if constexpr (std::is_invocable<Op, const T &, const T &, int>::value)
			return op(a, b, place);
		else
			return op(a, b);
	}

	TempStorage &_storage;
	int _thread;
};

} /* namespace cub */

#endif
