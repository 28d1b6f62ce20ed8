// features: half vector-types function-templates kernel-templates launch-in-template specialisation overloading
// The Mandelbrot set in float, in half and in half2 (two points at once), and conversions between the types.
#include <cuda_fp16.h>

#include "check.h"

template <typename T> struct Real;
template <> struct Real<float> {
	static __device__ float from(float x) { return x; }
	static __device__ float to_float(float x) { return x; }
};
template <> struct Real<half> {
	static __device__ half from(float x) { return __float2half(x); }
	static __device__ float to_float(half x) { return __half2float(x); }
};

template <typename T> __global__ void mandelbrot(int *out, float *last, int width, int height, int most) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	const T cx = Real<T>::from(-2.0f + 2.5f * x / width), cy = Real<T>::from(-1.0f + 2.0f * y / height);
	const T limit = Real<T>::from(4.0f), two = Real<T>::from(2.0f);
	T zx = Real<T>::from(0.0f), zy = zx;
	int count = 0;
	while (count < most) {
		T xx = zx * zx, yy = zy * zy;
		if (xx + yy > limit)
			break;
		zy = two * zx * zy + cy;
		zx = xx - yy + cx;
		count++;
	}
	out[y * width + x] = count;
	last[y * width + x] = Real<T>::to_float(zx);
}

// Two neighbours of a row at once: the lanes continue together until both have left.
__global__ void mandelbrot2(int *out, int width, int height, int most) {
	int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	half2 cx = __floats2half2_rn(-2.0f + 2.5f * x / width, -2.0f + 2.5f * (x + 1) / width);
	half2 cy = __float2half2_rn(-1.0f + 2.0f * y / height);
	half2 limit = __float2half2_rn(4.0f), two = __half2half2(__float2half(2.0f));
	half2 zx = __float2half2_rn(0.0f), zy = zx;
	int first = 0, second = 0;
	bool in_first = true, in_second = true;
	for (int k = 0; k < most && (in_first || in_second); k++) {
		half2 xx = __hmul2(zx, zx), yy = __hmul2(zy, zy), size = __hadd2(xx, yy);
		in_first = in_first && !__hgt(__low2half(size), __low2half(limit));
		in_second = in_second && !__hgt(__high2half(size), __high2half(limit));
		first += in_first;
		second += in_second;
		zy = __hadd2(__hmul2(__hmul2(two, zx), zy), cy);
		zx = __hadd2(__hsub2(xx, yy), cx);
	}
	out[y * width + x] = first;
	out[y * width + x + 1] = second;
}

__global__ void convert(const float *in, half *halves, half2 *pairs, float2 *back, short *rounded, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	halves[i] = __float2half_rn(in[i]);
	pairs[i] = __halves2half2(halves[i], __hneg(halves[i]));
	back[i] = __half22float2(pairs[i]);
	rounded[i] = __half2short_rn(halves[i]);
}

// To half precision and back, to nearest, for values within its normal range.
static float rounded_to_half(float x) {
	int exponent;
	float mantissa = frexpf(x, &exponent);
	return ldexpf(nearbyintf(ldexpf(mantissa, 11)), exponent - 11);
}

int main() {
	const int width = 96, height = 64, most = 50, pixels = width * height;
	int *out = device_array<int>(pixels);
	float *last = device_array<float>(pixels);
	dim3 block(32, 4), grid(3, 16);
	mandelbrot<float><<<grid, block>>>(out, last, width, height, most);
	CHECK_LAUNCH();
	std::vector<int> full = to_host(out, pixels);
	int wrong = 0;
	for (int p = 0; p < pixels; p++) {
		float cx = -2.0f + 2.5f * (p % width) / width, cy = -1.0f + 2.0f * (p / width) / height, x = 0, y = 0;
		int count = 0;
		for (; count < most && x * x + y * y <= 4.0f; count++) {
			float t = x * x - y * y + cx;
			y = 2 * x * y + cy;
			x = t;
		}
		wrong += count != full[p];
	}
	expect(wrong < pixels / 50, "float: as on the host, but for points near the border");

	mandelbrot<half><<<grid, block>>>(out, last, width, height, most);
	CHECK_LAUNCH();
	std::vector<int> one = to_host(out, pixels);
	std::vector<float> z = to_host(last, pixels);
	int near = 0;
	for (int p = 0; p < pixels; p++) {
		near += abs(one[p] - full[p]) <= 2;
		expect(z[p] == rounded_to_half(z[p]) || fabsf(z[p]) < 1e-4f, "values of type half have 11 bits");
	}
	expect(near > pixels * 3 / 4, "half: near the float result");

	mandelbrot2<<<dim3(2, 16), block>>>(out, width, height, most);
	CHECK_LAUNCH();
	std::vector<int> two = to_host(out, pixels);
	int same = 0;
	for (int p = 0; p < pixels; p++)
		same += abs(two[p] - one[p]) <= 2;
	expect(same > pixels * 9 / 10, "half2: as half");

	const int n = 300;
	std::vector<float> in(n);
	for (int i = 0; i < n; i++)
		in[i] = (i - 150) * 1.37f;
	float *d_in = to_device(in);
	half *halves = device_array<half>(n);
	half2 *pairs = device_array<half2>(n);
	float2 *back = device_array<float2>(n);
	short *rounded = device_array<short>(n);
	convert<<<3, 128>>>(d_in, halves, pairs, back, rounded, n);
	CHECK_LAUNCH();
	std::vector<float2> floats = to_host(back, n);
	std::vector<short> shorts = to_host(rounded, n);
	for (int i = 0; i < n; i++) {
		float expected = rounded_to_half(in[i]);
		expect_near("low", i, floats[i].x, expected, 0);
		expect_near("high", i, floats[i].y, -expected, 0);
		expect_equal("short", i, shorts[i], (int)nearbyintf(expected));
	}
	return verdict();
}
