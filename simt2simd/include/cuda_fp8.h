/* CUDA's numbers of eight bits and their conversions, for device code and host code. C++ alone. */
#ifndef S2S_CUDA_FP8_H
#define S2S_CUDA_FP8_H
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "s2s_small_floats.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

__host__ __device__ inline __s2s_small_format __s2s_fp8_format(__nv_fp8_interpretation_t kind) {
	return kind == __NV_E5M2 ? __s2s_small_format{2, -14, 0x7B} : __s2s_small_format{3, -6, 0x7E};
}

/* Rounds to the nearest, and to the even one of two; a NaN keeps its sign. */
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(
	double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	unsigned long long bits = __s2s_double_bits(x);
	unsigned sign = static_cast<unsigned>(bits >> 56 & 0x80);
	if (x != x)
		return static_cast<unsigned char>(sign | (kind == __NV_E5M2 ? 0x7E | (bits >> 50 & 3) : 0x7F));
	__s2s_small_format format = __s2s_fp8_format(kind);
	unsigned overflow = saturate == __NV_SATFINITE ? format.largest : format.largest + 1;
	return static_cast<unsigned char>(sign | __s2s_small_code(x, format, overflow));
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(
	float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	return x != x ? static_cast<unsigned char>(0x7F) : __nv_cvt_double_to_fp8(static_cast<double>(x), saturate, kind);
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
	__half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	return __nv_cvt_float_to_fp8(__s2s_raw_float(x), saturate, kind);
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
	__nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	return __nv_cvt_float_to_fp8(__s2s_raw_float(x), saturate, kind);
}

__host__ __device__ inline float __s2s_fp8_to_float(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
	__s2s_small_format format = __s2s_fp8_format(kind);
	unsigned code = x & 0x7F;
	if (code > (kind == __NV_E5M2 ? 0x7Cu : 0x7Eu))
		return __s2s_canonical_nan();
	float size = kind == __NV_E5M2 && code == 0x7C ? INFINITY : __s2s_small_value(code, format);
	return x & 0x80 ? -size : size;
}

__host__ __device__ inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
	return __s2s_half_raw(__s2s_fp8_to_float(x, kind));
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
	double2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	return static_cast<unsigned short>(
		__nv_cvt_double_to_fp8(x.x, saturate, kind) | __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
	float2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	return static_cast<unsigned short>(
		__nv_cvt_float_to_fp8(x.x, saturate, kind) | __nv_cvt_float_to_fp8(x.y, saturate, kind) << 8);
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
	__half2_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	__half_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<unsigned short>(
		__nv_cvt_halfraw_to_fp8(low, saturate, kind) | __nv_cvt_halfraw_to_fp8(high, saturate, kind) << 8);
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
	__nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
	__nv_bfloat16_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<unsigned short>(
		__nv_cvt_bfloat16raw_to_fp8(low, saturate, kind) | __nv_cvt_bfloat16raw_to_fp8(high, saturate, kind) << 8);
}

__host__ __device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(
	__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
	return __half2_raw(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x), kind).x,
		__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x >> 8), kind).x);
}

/* Powers of two: rounds the size of a number down, or up for `cudaRoundPosInf`. The smallest one is 2^-127. */
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(
	double x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
	if (x != x)
		return 0xFF;
	unsigned long long bits = __s2s_double_bits(x) & 0x7FFFFFFFFFFFFFFFull, rest = bits & 0xFFFFFFFFFFFFFull;
	int exponent = static_cast<int>(bits >> 52) - (1023 - 127);
	bool up = rounding == cudaRoundPosInf && rest != 0;
	if (exponent < 0)
		return 0;
	if (exponent > 254) {
		bool infinite = bits == 0x7FF0000000000000ull || rounding == cudaRoundPosInf;
		return infinite && saturate == __NV_NOSAT ? 0xFF : 0xFE;
	}
	if (up)
		++exponent;
	return static_cast<unsigned char>(exponent == 255 && saturate == __NV_SATFINITE ? 254 : exponent);
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(
	float x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
	return __nv_cvt_double_to_e8m0(static_cast<double>(x), saturate, rounding);
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(
	__nv_bfloat16_raw x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
	return __nv_cvt_float_to_e8m0(__s2s_raw_float(x), saturate, rounding);
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(
	double2 x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
	return static_cast<unsigned short>(
		__nv_cvt_double_to_e8m0(x.x, saturate, rounding) | __nv_cvt_double_to_e8m0(x.y, saturate, rounding) << 8);
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(
	float2 x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
	return static_cast<unsigned short>(
		__nv_cvt_float_to_e8m0(x.x, saturate, rounding) | __nv_cvt_float_to_e8m0(x.y, saturate, rounding) << 8);
}

__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(
	__nv_bfloat162_raw x, __nv_saturation_t saturate, enum cudaRoundMode rounding) {
	__nv_bfloat16_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<unsigned short>(__nv_cvt_bfloat16raw_to_e8m0(low, saturate, rounding) |
									   __nv_cvt_bfloat16raw_to_e8m0(high, saturate, rounding) << 8);
}

__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
	__nv_bfloat16_raw raw;
	raw.x = static_cast<unsigned short>(x == 0xFF ? 0x7FFF : x == 0 ? 0x40 : x << 7);
	return raw;
}

__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
	return __nv_bfloat162_raw(__nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(x)).x,
		__nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(x >> 8)).x);
}

/* A whole number as a double that no rounding up of its size tells from it. */
__host__ __device__ inline double __s2s_size_odd(unsigned long long size) {
	if (size < 1ull << 53)
		return static_cast<double>(size);
	return static_cast<double>(size >> 11 | ((size & 2047) != 0)) * 2048.0;
}

struct __attribute__((aligned(1))) __nv_fp8_e4m3 {
	__nv_fp8_storage_t __x;
	__nv_fp8_e4m3() = default;
	__host__ __device__ explicit __nv_fp8_e4m3(__half f)
		: __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(f), __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(__nv_bfloat16 f)
		: __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(f), __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(unsigned short value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(unsigned int value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(unsigned long value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(unsigned long long value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(short value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(int value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(long value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e4m3(long long value) : __nv_fp8_e4m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit operator __half() const {
		return __ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x);
	}
	__host__ __device__ explicit operator float() const {
		return __s2s_fp8_to_float(__x, __NV_E4M3);
	}
	__host__ __device__ explicit operator __nv_bfloat16() const {
		return __float2bfloat16_rz(__s2s_fp8_to_float(__x, __NV_E4M3));
	}
	__host__ __device__ explicit operator double() const {
		return __s2s_fp8_to_float(__x, __NV_E4M3);
	}
	__host__ __device__ explicit operator unsigned char() const {
		return __s2s_to_byte(__s2s_fp8_to_float(__x, __NV_E4M3));
	}
	__host__ __device__ explicit operator signed char() const {
		return __s2s_to_signed_byte(__s2s_fp8_to_float(__x, __NV_E4M3));
	}
	__host__ __device__ explicit operator char() const {
		return static_cast<char>(__s2s_to_signed_byte(__s2s_fp8_to_float(__x, __NV_E4M3)));
	}
	__host__ __device__ explicit operator unsigned short() const {
		return __half2ushort_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator unsigned int() const {
		return __half2uint_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator unsigned long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator unsigned long long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator short() const {
		return __half2short_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator int() const {
		return __half2int_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator long long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3).x));
	}
	__host__ __device__ explicit operator bool() const {
		return (__x & 0x7F) != 0;
	}
};

struct __attribute__((aligned(2))) __nv_fp8x2_e4m3 {
	__nv_fp8x2_storage_t __x;
	__nv_fp8x2_e4m3() = default;
	__host__ __device__ explicit __nv_fp8x2_e4m3(__half2 f)
		: __x(__nv_cvt_halfraw2_to_fp8x2(__half2_raw(f), __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e4m3(__nv_bfloat162 f)
		: __x(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw(f), __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e4m3(float2 f)
		: __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e4m3(double2 f)
		: __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, __NV_E4M3)) {
	}
	__host__ __device__ explicit operator __half2() const {
		return __nv_cvt_fp8x2_to_halfraw2(__x, __NV_E4M3);
	}
	__host__ __device__ explicit operator float2() const {
		return make_float2(__s2s_fp8_to_float(static_cast<unsigned char>(__x), __NV_E4M3),
			__s2s_fp8_to_float(static_cast<unsigned char>(__x >> 8), __NV_E4M3));
	}
};

struct __attribute__((aligned(4))) __nv_fp8x4_e4m3 {
	__nv_fp8x4_storage_t __x;
	__nv_fp8x4_e4m3() = default;
	__host__ __device__ explicit __nv_fp8x4_e4m3(__half2 low, __half2 high)
		: __nv_fp8x4_e4m3(__nv_fp8x2_e4m3(low), __nv_fp8x2_e4m3(high)) {
	}
	__host__ __device__ explicit __nv_fp8x4_e4m3(__nv_bfloat162 low, __nv_bfloat162 high)
		: __nv_fp8x4_e4m3(__nv_fp8x2_e4m3(low), __nv_fp8x2_e4m3(high)) {
	}
	__host__ __device__ explicit __nv_fp8x4_e4m3(float4 f)
		: __nv_fp8x4_e4m3(__nv_fp8x2_e4m3(make_float2(f.x, f.y)), __nv_fp8x2_e4m3(make_float2(f.z, f.w))) {
	}
	__host__ __device__ explicit __nv_fp8x4_e4m3(double4 f)
		: __nv_fp8x4_e4m3(__nv_fp8x2_e4m3(make_double2(f.x, f.y)), __nv_fp8x2_e4m3(make_double2(f.z, f.w))) {
	}
	__host__ __device__ explicit operator float4() const {
		__nv_fp8x2_e4m3 low, high;
		low.__x = static_cast<unsigned short>(__x);
		high.__x = static_cast<unsigned short>(__x >> 16);
		float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
		return make_float4(first.x, first.y, second.x, second.y);
	}

  private:
	__host__ __device__ __nv_fp8x4_e4m3(__nv_fp8x2_e4m3 low, __nv_fp8x2_e4m3 high)
		: __x(low.__x | static_cast<unsigned>(high.__x) << 16) {
	}
};

struct __attribute__((aligned(1))) __nv_fp8_e5m2 {
	__nv_fp8_storage_t __x;
	__nv_fp8_e5m2() = default;
	__host__ __device__ explicit __nv_fp8_e5m2(__half f)
		: __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(f), __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(__nv_bfloat16 f)
		: __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(f), __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(unsigned short value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(unsigned int value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(unsigned long value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(unsigned long long value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(short value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(int value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(long value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e5m2(long long value) : __nv_fp8_e5m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit operator __half() const {
		return __ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x);
	}
	__host__ __device__ explicit operator float() const {
		return __s2s_fp8_to_float(__x, __NV_E5M2);
	}
	__host__ __device__ explicit operator __nv_bfloat16() const {
		return __float2bfloat16_rz(__s2s_fp8_to_float(__x, __NV_E5M2));
	}
	__host__ __device__ explicit operator double() const {
		return __s2s_fp8_to_float(__x, __NV_E5M2);
	}
	__host__ __device__ explicit operator unsigned char() const {
		return __s2s_to_byte(__s2s_fp8_to_float(__x, __NV_E5M2));
	}
	__host__ __device__ explicit operator signed char() const {
		return __s2s_to_signed_byte(__s2s_fp8_to_float(__x, __NV_E5M2));
	}
	__host__ __device__ explicit operator char() const {
		return static_cast<char>(__s2s_to_signed_byte(__s2s_fp8_to_float(__x, __NV_E5M2)));
	}
	__host__ __device__ explicit operator unsigned short() const {
		return __half2ushort_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator unsigned int() const {
		return __half2uint_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator unsigned long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator unsigned long long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator short() const {
		return __half2short_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator int() const {
		return __half2int_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator long long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2).x));
	}
	__host__ __device__ explicit operator bool() const {
		return (__x & 0x7F) != 0;
	}
};

struct __attribute__((aligned(2))) __nv_fp8x2_e5m2 {
	__nv_fp8x2_storage_t __x;
	__nv_fp8x2_e5m2() = default;
	__host__ __device__ explicit __nv_fp8x2_e5m2(__half2 f)
		: __x(__nv_cvt_halfraw2_to_fp8x2(__half2_raw(f), __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e5m2(__nv_bfloat162 f)
		: __x(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw(f), __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e5m2(float2 f)
		: __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e5m2(double2 f)
		: __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, __NV_E5M2)) {
	}
	__host__ __device__ explicit operator __half2() const {
		return __nv_cvt_fp8x2_to_halfraw2(__x, __NV_E5M2);
	}
	__host__ __device__ explicit operator float2() const {
		return make_float2(__s2s_fp8_to_float(static_cast<unsigned char>(__x), __NV_E5M2),
			__s2s_fp8_to_float(static_cast<unsigned char>(__x >> 8), __NV_E5M2));
	}
};

struct __attribute__((aligned(4))) __nv_fp8x4_e5m2 {
	__nv_fp8x4_storage_t __x;
	__nv_fp8x4_e5m2() = default;
	__host__ __device__ explicit __nv_fp8x4_e5m2(__half2 low, __half2 high)
		: __nv_fp8x4_e5m2(__nv_fp8x2_e5m2(low), __nv_fp8x2_e5m2(high)) {
	}
	__host__ __device__ explicit __nv_fp8x4_e5m2(__nv_bfloat162 low, __nv_bfloat162 high)
		: __nv_fp8x4_e5m2(__nv_fp8x2_e5m2(low), __nv_fp8x2_e5m2(high)) {
	}
	__host__ __device__ explicit __nv_fp8x4_e5m2(float4 f)
		: __nv_fp8x4_e5m2(__nv_fp8x2_e5m2(make_float2(f.x, f.y)), __nv_fp8x2_e5m2(make_float2(f.z, f.w))) {
	}
	__host__ __device__ explicit __nv_fp8x4_e5m2(double4 f)
		: __nv_fp8x4_e5m2(__nv_fp8x2_e5m2(make_double2(f.x, f.y)), __nv_fp8x2_e5m2(make_double2(f.z, f.w))) {
	}
	__host__ __device__ explicit operator float4() const {
		__nv_fp8x2_e5m2 low, high;
		low.__x = static_cast<unsigned short>(__x);
		high.__x = static_cast<unsigned short>(__x >> 16);
		float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
		return make_float4(first.x, first.y, second.x, second.y);
	}

  private:
	__host__ __device__ __nv_fp8x4_e5m2(__nv_fp8x2_e5m2 low, __nv_fp8x2_e5m2 high)
		: __x(low.__x | static_cast<unsigned>(high.__x) << 16) {
	}
};

struct __attribute__((aligned(1))) __nv_fp8_e8m0 {
	__nv_fp8_storage_t __x;
	__nv_fp8_e8m0() = default;
	__host__ __device__ explicit __nv_fp8_e8m0(__half f) : __nv_fp8_e8m0(__s2s_raw_float(static_cast<__half_raw>(f))) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(__nv_bfloat16 f)
		: __nv_fp8_e8m0(__s2s_raw_float(static_cast<__nv_bfloat16_raw>(f))) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(float f)
		: __x(__nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(double f)
		: __x(__nv_cvt_double_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(unsigned short value) : __nv_fp8_e8m0(static_cast<double>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(unsigned int value) : __nv_fp8_e8m0(static_cast<double>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(unsigned long value) : __nv_fp8_e8m0(__s2s_size_odd(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(unsigned long long value) : __nv_fp8_e8m0(__s2s_size_odd(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(short value) : __nv_fp8_e8m0(static_cast<double>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(int value) : __nv_fp8_e8m0(static_cast<double>(value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(long value)
		: __nv_fp8_e8m0(__s2s_size_odd(value < 0 ? -static_cast<unsigned long long>(value) : value)) {
	}
	__host__ __device__ explicit __nv_fp8_e8m0(long long value)
		: __nv_fp8_e8m0(__s2s_size_odd(value < 0 ? -static_cast<unsigned long long>(value) : value)) {
	}
	__host__ __device__ explicit operator float() const {
		return __s2s_raw_float(__nv_cvt_e8m0_to_bf16raw(__x));
	}
	__host__ __device__ explicit operator __nv_bfloat16() const {
		return __ushort_as_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x).x);
	}
	__host__ __device__ explicit operator double() const {
		return __s2s_raw_float(__nv_cvt_e8m0_to_bf16raw(__x));
	}
	__host__ __device__ explicit operator __half() const {
		return __ushort_as_half(__s2s_half_raw(__s2s_raw_float(__nv_cvt_e8m0_to_bf16raw(__x))).x);
	}
	__host__ __device__ explicit operator unsigned char() const {
		return __s2s_to_byte(static_cast<float>(*this));
	}
	__host__ __device__ explicit operator signed char() const {
		return __s2s_to_signed_byte(static_cast<float>(*this));
	}
	__host__ __device__ explicit operator char() const {
		return static_cast<char>(__s2s_to_signed_byte(static_cast<float>(*this)));
	}
	__host__ __device__ explicit operator unsigned short() const {
		return __bfloat162ushort_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator unsigned int() const {
		return __bfloat162uint_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator unsigned long() const {
		return __bfloat162ull_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator unsigned long long() const {
		return __bfloat162ull_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator short() const {
		return __bfloat162short_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator int() const {
		return __bfloat162int_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator long() const {
		return __bfloat162ll_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator long long() const {
		return __bfloat162ll_rz(static_cast<__nv_bfloat16>(*this));
	}
	__host__ __device__ explicit operator bool() const {
		return true;
	}
};

struct __attribute__((aligned(2))) __nv_fp8x2_e8m0 {
	__nv_fp8x2_storage_t __x;
	__nv_fp8x2_e8m0() = default;
	__host__ __device__ explicit __nv_fp8x2_e8m0(__half2 f) : __nv_fp8x2_e8m0(__half22float2(f)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e8m0(__nv_bfloat162 f) : __nv_fp8x2_e8m0(__bfloat1622float2(f)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e8m0(float2 f)
		: __x(__nv_cvt_float2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {
	}
	__host__ __device__ explicit __nv_fp8x2_e8m0(double2 f)
		: __x(__nv_cvt_double2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {
	}
	__host__ __device__ explicit operator __nv_bfloat162() const {
		return __nv_cvt_e8m0x2_to_bf162raw(__x);
	}
	__host__ __device__ explicit operator float2() const {
		return __bfloat1622float2(static_cast<__nv_bfloat162>(*this));
	}
	__host__ __device__ explicit operator __half2() const {
		float2 pair = static_cast<float2>(*this);
		return __half2_raw(__s2s_half_raw(pair.x).x, __s2s_half_raw(pair.y).x);
	}
};

struct __attribute__((aligned(4))) __nv_fp8x4_e8m0 {
	__nv_fp8x4_storage_t __x;
	__nv_fp8x4_e8m0() = default;
	__host__ __device__ explicit __nv_fp8x4_e8m0(__half2 low, __half2 high)
		: __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {
	}
	__host__ __device__ explicit __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
		: __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {
	}
	__host__ __device__ explicit __nv_fp8x4_e8m0(float4 f)
		: __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(make_float2(f.x, f.y)), __nv_fp8x2_e8m0(make_float2(f.z, f.w))) {
	}
	__host__ __device__ explicit __nv_fp8x4_e8m0(double4 f)
		: __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(make_double2(f.x, f.y)), __nv_fp8x2_e8m0(make_double2(f.z, f.w))) {
	}
	__host__ __device__ explicit operator float4() const {
		__nv_fp8x2_e8m0 low, high;
		low.__x = static_cast<unsigned short>(__x);
		high.__x = static_cast<unsigned short>(__x >> 16);
		float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
		return make_float4(first.x, first.y, second.x, second.y);
	}

  private:
	__host__ __device__ __nv_fp8x4_e8m0(__nv_fp8x2_e8m0 low, __nv_fp8x2_e8m0 high)
		: __x(low.__x | static_cast<unsigned>(high.__x) << 16) {
	}
};

#endif
