// Kernel templates that filters.cu instantiates, and device functions of other files.
#pragma once

enum class Edge { Zero, Clamp };

template <typename T> struct Limits {
	T low, high;
	__host__ __device__ T clamp(T x) const { return x < low ? low : x > high ? high : x; }
};

template <typename T, Edge EDGE> __global__ void smooth(const T *in, T *out, int n);
template <typename T> __device__ T weight_of(int distance);

extern __constant__ float tap_weights[4];
extern __device__ int calls_of_helpers;
extern __device__ Limits<float> output_limits;

__device__ float helper_limited(float x);
__device__ int helper_index(int i, int n, Edge edge);

typedef float (*Finish)(float);
extern __device__ Finish finish_table[2];

void smooth_ints(const int *in, int *out, int n);
