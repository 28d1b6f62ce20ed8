/* What cuda_fp8.h, cuda_fp6.h and cuda_fp4.h share: the rounding of numbers to at most eight bits, and back. C++ alone.
 */
#ifndef S2S_SMALL_FLOATS_H
#define S2S_SMALL_FLOATS_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <device_types.h>
#include <math.h>
#include <string.h>
#include <vector_types.h>

#ifdef __CUDA_ARCH__
enum cudaRoundMode { cudaRoundNearest = 0, cudaRoundZero = 1, cudaRoundPosInf = 2, cudaRoundMinInf = 3 };
#endif

/* The bits of pairs of short floats. */
struct __attribute__((aligned(4))) __half2_raw {
	unsigned short x, y;
	__half2_raw() = default;
	__host__ __device__ __half2_raw(unsigned short first, unsigned short second) : x(first), y(second) {
	}
	__host__ __device__ __half2_raw(__half2 pair)
		: x(static_cast<__half_raw>(pair.x).x), y(static_cast<__half_raw>(pair.y).x) {
	}
	__host__ __device__ operator __half2() const {
		return __halves2half2(__ushort_as_half(x), __ushort_as_half(y));
	}
};

struct __attribute__((aligned(4))) __nv_bfloat162_raw {
	unsigned short x, y;
	__nv_bfloat162_raw() = default;
	__host__ __device__ __nv_bfloat162_raw(unsigned short first, unsigned short second) : x(first), y(second) {
	}
	__host__ __device__ __nv_bfloat162_raw(__nv_bfloat162 pair)
		: x(static_cast<__nv_bfloat16_raw>(pair.x).x), y(static_cast<__nv_bfloat16_raw>(pair.y).x) {
	}
	__host__ __device__ operator __nv_bfloat162() const {
		return __halves2bfloat162(__ushort_as_bfloat16(x), __ushort_as_bfloat16(y));
	}
};

/* A format: bits of the mantissa that are kept, the exponent of the smallest normal number, the code of the largest. */
struct __s2s_small_format {
	int mantissa, lowest;
	unsigned largest;
};

__host__ __device__ inline unsigned long long __s2s_double_bits(double value) {
	unsigned long long bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

__host__ __device__ inline double __s2s_power_of_2(int exponent) {
	unsigned long long bits = static_cast<unsigned long long>(1023 + exponent) << 52;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* The code of a number without its sign, `overflow` where it rounds to more than the largest one. No NaN.
 * The number is counted in units of its last place: codes are such counts, each exponent after the one before. */
__host__ __device__ inline unsigned __s2s_small_code(
	double number, __s2s_small_format format, unsigned overflow, bool to_zero = false) {
	unsigned long long bits = __s2s_double_bits(number) & 0x7FFFFFFFFFFFFFFFull;
	int exponent = static_cast<int>(bits >> 52) - 1023;
	if (exponent > 127)
		return overflow;
	exponent = exponent < format.lowest ? format.lowest : exponent;
	double units = (number < 0 ? -number : number) * __s2s_power_of_2(format.mantissa - exponent);
	unsigned count = static_cast<unsigned>(to_zero ? trunc(units) : rint(units));
	unsigned code = (static_cast<unsigned>(exponent - format.lowest) << format.mantissa) + count;
	return code > format.largest ? overflow : code;
}

/* The number of a code without its sign; every code is one. */
__host__ __device__ inline float __s2s_small_value(unsigned code, __s2s_small_format format) {
	int exponent = static_cast<int>(code >> format.mantissa);
	unsigned count = code & ((1u << format.mantissa) - 1);
	if (exponent > 0)
		count += 1u << format.mantissa, --exponent;
	return static_cast<float>(count * __s2s_power_of_2(exponent + format.lowest - format.mantissa));
}

/* The NaN that CUDA's conversions give. */
__host__ __device__ inline float __s2s_canonical_nan() {
	unsigned bits = 0x7FFFFFFF;
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

__host__ __device__ inline float __s2s_raw_float(__half_raw raw) {
	return (raw.x & 0x7FFF) > 0x7C00 ? __s2s_canonical_nan() : __half2float(__ushort_as_half(raw.x));
}

__host__ __device__ inline float __s2s_raw_float(__nv_bfloat16_raw raw) {
	return __bfloat162float(__ushort_as_bfloat16(raw.x));
}

__host__ __device__ inline __half_raw __s2s_half_raw(float value) {
	__half_raw raw;
	raw.x = value != value ? 0x7FFF : __half_as_ushort(__float2half(value));
	return raw;
}

__host__ __device__ inline unsigned char __s2s_to_byte(float value) {
	return value > 0 ? static_cast<unsigned char>(value < 255 ? value : 255.0f) : 0;
}

__host__ __device__ inline signed char __s2s_to_signed_byte(float value) {
	if (value != value)
		return 0;
	return static_cast<signed char>(value < -128 ? -128.0f : value < 127 ? value : 127.0f);
}

#endif
