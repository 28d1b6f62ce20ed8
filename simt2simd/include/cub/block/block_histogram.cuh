/* CUB: histograms of the items of a block. */
#ifndef S2S_CUB_BLOCK_HISTOGRAM_CUH
#define S2S_CUB_BLOCK_HISTOGRAM_CUH

#include "../util_ptx.cuh"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int BLOCK_DIM_X, int ITEMS, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT,
	int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  public:
	typedef NullType TempStorage;
	__device__ __forceinline__ BlockHistogram() {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	__device__ __forceinline__ BlockHistogram(TempStorage &) {
		_thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
	}
	template <class Counter> __device__ __forceinline__ void InitHistogram(Counter histogram[BINS]) {
		for (int i = _thread; i < BINS; i += threads)
			histogram[i] = 0;
	}
	template <class Counter> __device__ __forceinline__ void Histogram(T (&items)[ITEMS], Counter histogram[BINS]) {
		InitHistogram(histogram);
		__syncthreads();
		Composite(items, histogram);
	}
	template <class Counter> __device__ __forceinline__ void Composite(T (&items)[ITEMS], Counter histogram[BINS]) {
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			atomicAdd(histogram + items[i], (Counter)1);
		__syncthreads();
	}

  private:
	int _thread;
};

} /* namespace cub */

#endif
