/* CUB: what a thread knows of its warp and its block. */
#ifndef S2S_CUB_UTIL_PTX_CUH
#define S2S_CUB_UTIL_PTX_CUH

#include <cuda_runtime.h>
#include <type_traits>

#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_WARP_THREADS(arch) 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y) - 1) / (y)) * y)

namespace cub {

struct NullType {};

namespace details {

/* Values in shared memory, also of types with constructors. */
template <class T, int Count, bool Plain = std::is_trivially_default_constructible<T>::value> struct Cells {
	T cells[Count];
	__device__ T &operator[](int i) {
		return cells[i];
	}
};
template <class T, int Count> struct Cells<T, Count, false> {
	alignas(T) unsigned char bytes[Count * sizeof(T)];
	__device__ T &operator[](int i) {
		return ((T *)bytes)[i];
	}
};

template <class T> struct Words {
	static constexpr int count = (sizeof(T) + 3) / 4;
	union {
		T value;
		unsigned word[count];
	};
	__device__ Words() {
	}
};

/* The types that shuffles take as they are. */
template <class T> struct IsShuffled {
	static constexpr bool value = (std::is_integral<T>::value && sizeof(T) >= 4) || std::is_same<T, float>::value ||
								  std::is_same<T, double>::value;
};

/* The value of another lane of the warp. */
template <class T> __device__ __forceinline__ T from_lane(unsigned mask, const T &value, unsigned lane) {
	if constexpr (IsShuffled<T>::value) {
		return __shfl_sync(mask, value, lane);
	} else if constexpr (std::is_arithmetic<T>::value) {
		return (T)__shfl_sync(mask, (int)value, lane);
	} else {
		Words<T> own;
		own.value = value;
#pragma unroll
		for (int i = 0; i < Words<T>::count; i++)
			own.word[i] = __shfl_sync(mask, own.word[i], lane);
		return own.value;
	}
}

constexpr bool is_power_of_two(int n) {
	return (n & (n - 1)) == 0;
}

} /* namespace details */

__device__ __forceinline__ int RowMajorTid(int x, int y, int z) {
	return (z == 1 ? 0 : threadIdx.z * x * y) + (y == 1 ? 0 : threadIdx.y * x) + threadIdx.x;
}

/* The number of this thread in its block. */
namespace details {
__device__ __forceinline__ unsigned linear_thread() {
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
} /* namespace details */

__device__ __forceinline__ unsigned LaneId() {
	return details::linear_thread() & 31;
}

__device__ __forceinline__ unsigned WarpId() {
	return details::linear_thread() >> 5;
}

__device__ __forceinline__ unsigned LaneMaskLt() {
	return (1u << LaneId()) - 1;
}

__device__ __forceinline__ unsigned LaneMaskLe() {
	return (2u << LaneId()) - 1;
}

__device__ __forceinline__ unsigned LaneMaskGt() {
	return ~LaneMaskLe();
}

__device__ __forceinline__ unsigned LaneMaskGe() {
	return ~LaneMaskLt();
}

namespace details {
/* The lanes of this thread's warp that the block has. */
__device__ __forceinline__ unsigned lanes_of_block() {
	unsigned left = blockDim.x * blockDim.y * blockDim.z - (linear_thread() & ~31u);
	return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}
} /* namespace details */

/* The lanes of a logical warp of so many threads, which is this thread's. */
template <int LOGICAL_WARP_THREADS> __device__ __forceinline__ unsigned WarpMask(unsigned warp) {
	if constexpr (LOGICAL_WARP_THREADS == 32)
		return 0xffffffffu;
	else if constexpr (!details::is_power_of_two(LOGICAL_WARP_THREADS))
		return (1u << LOGICAL_WARP_THREADS) - 1;
	else
		return ((1u << LOGICAL_WARP_THREADS) - 1) << (warp * LOGICAL_WARP_THREADS);
}

template <int LOGICAL_WARP_THREADS, class T>
__device__ __forceinline__ T ShuffleIndex(T value, int lane, unsigned mask) {
	return details::from_lane(
		mask, value, (LaneId() & ~(LOGICAL_WARP_THREADS - 1)) + (lane & (LOGICAL_WARP_THREADS - 1)));
}

template <int LOGICAL_WARP_THREADS, class T>
__device__ __forceinline__ T ShuffleUp(T value, int by, int first, unsigned mask) {
	int lane = LaneId(), own = lane & (LOGICAL_WARP_THREADS - 1);
	return details::from_lane(mask, value, own - by < first ? lane : lane - by);
}

template <int LOGICAL_WARP_THREADS, class T>
__device__ __forceinline__ T ShuffleDown(T value, int by, int last, unsigned mask) {
	int lane = LaneId(), own = lane & (LOGICAL_WARP_THREADS - 1);
	return details::from_lane(mask, value, own + by > last ? lane : lane + by);
}

__device__ __forceinline__ void CTA_SYNC() {
	__syncthreads();
}

__device__ __forceinline__ void WARP_SYNC(unsigned mask) {
	__syncwarp(mask);
}

template <class T> __device__ __forceinline__ unsigned BFE(T source, unsigned start, unsigned count) {
	return (unsigned)(source >> start) & (count >= 32 ? 0xffffffffu : (1u << count) - 1);
}

} /* namespace cub */

#endif
