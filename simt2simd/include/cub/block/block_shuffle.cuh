/* CUB: items move between the threads of a block. */
#ifndef S2S_CUB_BLOCK_SHUFFLE_CUH
#define S2S_CUB_BLOCK_SHUFFLE_CUH

#include "../util_ptx.cuh"
#include "block_reduce.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockShuffle {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  public:
	struct TempStorage {
		details::Cells<T, threads> items;
	};
	__device__ __forceinline__ BlockShuffle() : _storage(details::own_storage<TempStorage>()) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockShuffle(TempStorage &storage) : _storage(storage) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	/* Where there is no such thread, the output stays as it is. */
	__device__ __forceinline__ void Offset(T input, T &output, int distance = 1) {
		_storage.items[_thread] = input;
		__syncthreads();
		if (_thread + distance >= 0 && _thread + distance < threads)
			output = _storage.items[_thread + distance];
	}
	__device__ __forceinline__ void Rotate(T input, T &output, unsigned distance = 1) {
		_storage.items[_thread] = input;
		__syncthreads();
		output = _storage.items[(_thread + distance) % threads];
	}
	/* Each item moves on by one place. */
	template <int ITEMS> __device__ __forceinline__ void Up(T (&input)[ITEMS], T (&previous)[ITEMS]) {
		_storage.items[_thread] = input[ITEMS - 1];
		__syncthreads();
#pragma unroll
		for (int i = ITEMS - 1; i > 0; i--)
			previous[i] = input[i - 1];
		if (_thread > 0)
			previous[0] = _storage.items[_thread - 1];
	}
	template <int ITEMS> __device__ __forceinline__ void Down(T (&input)[ITEMS], T (&next)[ITEMS]) {
		_storage.items[_thread] = input[0];
		__syncthreads();
#pragma unroll
		for (int i = 0; i + 1 < ITEMS; i++)
			next[i] = input[i + 1];
		if (_thread < threads - 1)
			next[ITEMS - 1] = _storage.items[_thread + 1];
	}

  private:
	TempStorage &_storage;
	int _thread;
};

} /* namespace cub */

#endif
