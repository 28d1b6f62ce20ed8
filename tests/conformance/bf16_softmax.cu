// features: bf16 half vector-types function-templates specialisation kernel-templates launch-in-template unions
// Softmax of rows in float, half and bfloat16, with sums in float, and dot products of pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

template <typename T> struct Convert {
	static __host__ __device__ float up(T x) { return (float)x; }
	static __host__ __device__ T down(float x) { return (T)x; }
	static constexpr double tolerance = 1e-6;
};
template <> struct Convert<half> {
	static __host__ __device__ float up(half x) { return __half2float(x); }
	static __host__ __device__ half down(float x) { return __float2half(x); }
	static constexpr double tolerance = 1e-3;
};
template <> struct Convert<__nv_bfloat16> {
	static __host__ __device__ float up(__nv_bfloat16 x) { return __bfloat162float(x); }
	static __host__ __device__ __nv_bfloat16 down(float x) { return __float2bfloat16(x); }
	static constexpr double tolerance = 8e-3;
};

template <typename T, int BLOCK> __global__ void softmax(const T *in, T *out, int columns) {
	__shared__ float partial[BLOCK];
	const T *row = in + blockIdx.x * columns;
	float high = -INFINITY;
	for (int c = threadIdx.x; c < columns; c += BLOCK)
		high = fmaxf(high, Convert<T>::up(row[c]));
	partial[threadIdx.x] = high;
	for (int half_ = BLOCK / 2; half_ > 0; half_ /= 2) {
		__syncthreads();
		if (threadIdx.x < half_)
			partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + half_]);
	}
	__syncthreads();
	high = partial[0];
	__syncthreads();
	float sum = 0;
	for (int c = threadIdx.x; c < columns; c += BLOCK)
		sum += expf(Convert<T>::up(row[c]) - high);
	partial[threadIdx.x] = sum;
	for (int half_ = BLOCK / 2; half_ > 0; half_ /= 2) {
		__syncthreads();
		if (threadIdx.x < half_)
			partial[threadIdx.x] += partial[threadIdx.x + half_];
	}
	__syncthreads();
	for (int c = threadIdx.x; c < columns; c += BLOCK)
		out[blockIdx.x * columns + c] = Convert<T>::down(expf(Convert<T>::up(row[c]) - high) / partial[0]);
}

// Rows of bfloat16 pairs; the products are added in float.
__global__ void dot(
	const __nv_bfloat162 *a, const __nv_bfloat162 *b, float *out, __nv_bfloat16 *largest, int rows, int pairs) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows)
		return;
	float sum = 0;
	__nv_bfloat16 high = __float2bfloat16(-1e30f);
	for (int k = 0; k < pairs; k++) {
		__nv_bfloat162 x = a[row * pairs + k], y = b[row * pairs + k];
		float2 u = __bfloat1622float2(x), v = __bfloat1622float2(y);
		sum += u.x * v.x + u.y * v.y;
		__nv_bfloat162 product = x * y;
		__nv_bfloat16 first = __low2bfloat16(product), second = product.y;
		if (first > high)
			high = first;
		high = __hmax(high, second);
	}
	out[row] = sum;
	largest[row] = high;
}

template <typename T> void test(const char *name) {
	const int rows = 9, columns = 150;
	std::vector<T> in(rows * columns);
	Random random(67);
	for (T &x : in)
		x = Convert<T>::down(random.uniform() * 8 - 4);
	T *d_in = to_device(in), *out = device_array<T>(rows * columns);
	softmax<T, 64><<<rows, 64>>>(d_in, out, columns);
	CHECK_LAUNCH();
	std::vector<T> got = to_host(out, rows * columns);
	for (int r = 0; r < rows; r++) {
		double sum = 0;
		for (int c = 0; c < columns; c++)
			sum += std::exp((double)Convert<T>::up(in[r * columns + c]));
		for (int c = 0; c < columns; c++) {
			double expected = std::exp((double)Convert<T>::up(in[r * columns + c])) / sum;
			expect(
				std::fabs(Convert<T>::up(got[r * columns + c]) - expected) <= Convert<T>::tolerance * expected + 1e-6,
				name);
		}
	}
}

// To nearest even, by the bits.
static float rounded(float x) {
	union {
		float f;
		unsigned u;
	} b;
	b.f = x;
	b.u = (b.u + 0x7fff + (b.u >> 16 & 1)) & 0xffff0000u;
	return b.f;
}

int main() {
	test<float>("float");
	test<half>("half");
	test<__nv_bfloat16>("bfloat16");

	const int rows = 70, pairs = 10;
	std::vector<float> a(rows * pairs * 2), b(a.size());
	std::vector<__nv_bfloat162> packed_a(rows * pairs), packed_b(rows * pairs);
	Random random(71);
	for (size_t i = 0; i < a.size(); i++) {
		a[i] = rounded(random.uniform() * 10 - 5);
		b[i] = rounded(random.uniform());
	}
	for (int k = 0; k < rows * pairs; k++) {
		packed_a[k] = __floats2bfloat162_rn(a[2 * k], a[2 * k + 1]);
		packed_b[k].x = __float2bfloat16(b[2 * k]);
		packed_b[k].y = __float2bfloat16(b[2 * k + 1]);
	}
	float *out = device_array<float>(rows);
	__nv_bfloat16 *largest = device_array<__nv_bfloat16>(rows);
	dot<<<3, 32>>>(to_device(packed_a), to_device(packed_b), out, largest, rows, pairs);
	CHECK_LAUNCH();
	std::vector<float> got = to_host(out, rows);
	std::vector<__nv_bfloat16> high = to_host(largest, rows);
	for (int r = 0; r < rows; r++) {
		double sum = 0;
		float expected = -1e30f;
		for (int k = r * pairs * 2; k < (r + 1) * pairs * 2; k++) {
			sum += a[k] * b[k];
			expected = std::fmax(expected, rounded(a[k] * b[k]));
		}
		expect_near("dot", r, got[r], sum, 1e-5);
		expect_near("largest", r, __bfloat162float(high[r]), expected, 0);
	}
	return verdict();
}
