// Shuffles of every type, by every width, by constants and by numbers that differ.
#include <cuda_fp16.h>
#define ALL 0xffffffffu

__device__ int linear() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ int global() {
	return linear() + (blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x * blockDim.y * blockDim.z;
}

// The lanes of this thread's warp that exist.
__device__ unsigned here() {
	int threads = blockDim.x * blockDim.y * blockDim.z, first = linear() & ~31;
	return threads - first >= 32 ? ALL : (1u << (threads - first)) - 1;
}

// Of a lane that does not exist, CUDA leaves the value open.
template <class T> __device__ T known(T value, int from) { return here() >> (from & 31) & 1 ? value : T(-1); }

template <class T> __device__ void one_type(const T *in, T *out) {
	int i = global(), lane = linear() & 31;
	T v = in[i];
	out[i * 4] = known(__shfl_sync(ALL, v, 5), 5);
	out[i * 4 + 1] = known(__shfl_up_sync(here(), v, 3), lane < 3 ? lane : lane - 3);
	out[i * 4 + 2] = known(__shfl_down_sync(here(), v, 7), lane + 7 < 32 ? lane + 7 : lane);
	out[i * 4 + 3] = known(__shfl_xor_sync(here(), v, 1), lane ^ 1);
}

__global__ void ints(const int *in, int *out) { one_type(in, out); }
__global__ void uints(const unsigned *in, unsigned *out) { one_type(in, out); }
__global__ void longs(const long long *in, long long *out) { one_type(in, out); }
__global__ void floats(const float *in, float *out) { one_type(in, out); }
__global__ void doubles(const double *in, double *out) { one_type(in, out); }
__global__ void halves(const float *in, float *out) {
	int i = global(), lane = linear() & 31;
	half v = __float2half(in[i]);
	half w = __shfl_xor_sync(ALL, v, 1);
	out[i] = here() >> (lane ^ 1) & 1 ? __half2float(w) : 0.0f;
}

__global__ void widths(const int *in, int *out, int by) {
	int i = global(), lane = linear() & 31, sum = 0;
	for (int width = 1; width <= 32; width *= 2) {
		int last = (lane & ~(width - 1)) + width - 1, first = lane & ~(width - 1);
		sum = sum * 3 + known(__shfl_sync(ALL, in[i], by, width), first + (by & (width - 1)));
		sum = sum * 3 +
			  known(__shfl_up_sync(ALL, in[i], by & 31, width), lane - (by & 31) < first ? lane : lane - (by & 31));
		sum = sum * 3 +
			  known(__shfl_down_sync(ALL, in[i], by & 31, width), lane + (by & 31) > last ? lane : lane + (by & 31));
		sum = sum * 3 +
			  known(__shfl_xor_sync(ALL, in[i], by & 31, width), (lane ^ (by & 31)) > last ? lane : lane ^ (by & 31));
	}
	out[i] = sum;
}

__global__ void different(const int *in, int *out) {
	int i = global(), lane = linear() & 31;
	int from = in[i] & 31;
	out[i * 3] = known(__shfl_sync(ALL, in[i] * 7, from), from);
	out[i * 3 + 1] = known(__shfl_xor_sync(ALL, in[i], from), lane ^ from);
	out[i * 3 + 2] = known(__shfl(in[i], lane * 5, 8), (lane & ~7) + (lane * 5 & 7));
}

// Sums by halving, of a variable that LLVM may or may not unroll.
__global__ void sums(const int *in, int *out, int most) {
	int i = global(), v = in[i], w = in[i];
#pragma unroll
	for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d, 32) * (here() >> ((linear() ^ d) & 31) & 1);
	for (int d = most; d > 0; d /= 2) {
		int other = __shfl_down_sync(here(), w, d);
		if ((linear() & 31) + d < 32 && here() >> ((linear() & 31) + d) & 1) w += other;
	}
	out[i * 2] = v;
	out[i * 2 + 1] = w;
}
