/* CUDA's numbers of six bits and their conversions, for device code and host code. C++ alone. */
#ifndef S2S_CUDA_FP6_H
#define S2S_CUDA_FP6_H
#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__

#include "cuda_fp8.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

__host__ __device__ inline __s2s_small_format __s2s_fp6_format(__nv_fp6_interpretation_t kind) {
	return kind == __NV_E2M3 ? __s2s_small_format{3, 0, 0x1F} : __s2s_small_format{2, -2, 0x1F};
}

/* Rounds to the nearest, to the even one of two, or to zero. There is no infinity; a NaN is the largest number. */
__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_double_to_fp6(
	double x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	__s2s_small_format format = __s2s_fp6_format(kind);
	if (x != x)
		return static_cast<unsigned char>(format.largest);
	unsigned sign = static_cast<unsigned>(__s2s_double_bits(x) >> 63) << 5;
	unsigned code = __s2s_small_code(x, format, format.largest, rounding == cudaRoundZero);
	return static_cast<unsigned char>(sign | code);
}

__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_float_to_fp6(
	float x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	return __nv_cvt_double_to_fp6(static_cast<double>(x), kind, rounding);
}

__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(
	__half_raw x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	return __nv_cvt_float_to_fp6(__s2s_raw_float(x), kind, rounding);
}

__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(
	__nv_bfloat16_raw x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	return __nv_cvt_float_to_fp6(__s2s_raw_float(x), kind, rounding);
}

__host__ __device__ inline float __s2s_fp6_to_float(__nv_fp6_storage_t x, __nv_fp6_interpretation_t kind) {
	float size = __s2s_small_value(x & 0x1F, __s2s_fp6_format(kind));
	return x >> 5 & 1 ? -size : size;
}

__host__ __device__ inline __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x, __nv_fp6_interpretation_t kind) {
	return __s2s_half_raw(__s2s_fp6_to_float(x, kind));
}

__host__ __device__ inline __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(
	double2 x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	return static_cast<__nv_fp6x2_storage_t>(
		__nv_cvt_double_to_fp6(x.x, kind, rounding) | __nv_cvt_double_to_fp6(x.y, kind, rounding) << 8);
}

__host__ __device__ inline __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(
	float2 x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	return static_cast<__nv_fp6x2_storage_t>(
		__nv_cvt_float_to_fp6(x.x, kind, rounding) | __nv_cvt_float_to_fp6(x.y, kind, rounding) << 8);
}

__host__ __device__ inline __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(
	__half2_raw x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	__half_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<__nv_fp6x2_storage_t>(
		__nv_cvt_halfraw_to_fp6(low, kind, rounding) | __nv_cvt_halfraw_to_fp6(high, kind, rounding) << 8);
}

__host__ __device__ inline __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(
	__nv_bfloat162_raw x, __nv_fp6_interpretation_t kind, enum cudaRoundMode rounding) {
	__nv_bfloat16_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<__nv_fp6x2_storage_t>(
		__nv_cvt_bfloat16raw_to_fp6(low, kind, rounding) | __nv_cvt_bfloat16raw_to_fp6(high, kind, rounding) << 8);
}

__host__ __device__ inline __half2_raw __nv_cvt_fp6x2_to_halfraw2(
	__nv_fp6x2_storage_t x, __nv_fp6_interpretation_t kind) {
	return __half2_raw(__nv_cvt_fp6_to_halfraw(static_cast<unsigned char>(x), kind).x,
		__nv_cvt_fp6_to_halfraw(static_cast<unsigned char>(x >> 8), kind).x);
}

struct __attribute__((aligned(1))) __nv_fp6_e2m3 {
	__nv_fp6_storage_t __x;
	__nv_fp6_e2m3() = default;
	__host__ __device__ explicit __nv_fp6_e2m3(__half f)
		: __x(__nv_cvt_halfraw_to_fp6(static_cast<__half_raw>(f), __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(__nv_bfloat16 f)
		: __x(__nv_cvt_bfloat16raw_to_fp6(static_cast<__nv_bfloat16_raw>(f), __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(float f) : __x(__nv_cvt_float_to_fp6(f, __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(double f) : __x(__nv_cvt_double_to_fp6(f, __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(unsigned short value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(unsigned int value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(unsigned long value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(unsigned long long value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(short value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(int value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(long value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e2m3(long long value) : __nv_fp6_e2m3(static_cast<float>(value)) {
	}
	__host__ __device__ explicit operator __half() const {
		return __ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x);
	}
	__host__ __device__ explicit operator float() const {
		return __s2s_fp6_to_float(__x, __NV_E2M3);
	}
	__host__ __device__ explicit operator __nv_bfloat16() const {
		return __float2bfloat16_rz(__s2s_fp6_to_float(__x, __NV_E2M3));
	}
	__host__ __device__ explicit operator double() const {
		return __s2s_fp6_to_float(__x, __NV_E2M3);
	}
	__host__ __device__ explicit operator unsigned char() const {
		return __s2s_to_byte(__s2s_fp6_to_float(__x, __NV_E2M3));
	}
	__host__ __device__ explicit operator signed char() const {
		return __s2s_to_signed_byte(__s2s_fp6_to_float(__x, __NV_E2M3));
	}
	__host__ __device__ explicit operator char() const {
		return static_cast<char>(__s2s_to_signed_byte(__s2s_fp6_to_float(__x, __NV_E2M3)));
	}
	__host__ __device__ explicit operator unsigned short() const {
		return __half2ushort_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator unsigned int() const {
		return __half2uint_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator unsigned long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator unsigned long long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator short() const {
		return __half2short_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator int() const {
		return __half2int_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator long long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E2M3).x));
	}
	__host__ __device__ explicit operator bool() const {
		return (__x & 0x1F) != 0;
	}
};

struct __attribute__((aligned(2))) __nv_fp6x2_e2m3 {
	__nv_fp6x2_storage_t __x;
	__nv_fp6x2_e2m3() = default;
	__host__ __device__ explicit __nv_fp6x2_e2m3(__half2 f)
		: __x(__nv_cvt_halfraw2_to_fp6x2(__half2_raw(f), __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6x2_e2m3(__nv_bfloat162 f)
		: __x(__nv_cvt_bfloat16raw2_to_fp6x2(__nv_bfloat162_raw(f), __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6x2_e2m3(float2 f)
		: __x(__nv_cvt_float2_to_fp6x2(f, __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6x2_e2m3(double2 f)
		: __x(__nv_cvt_double2_to_fp6x2(f, __NV_E2M3, cudaRoundNearest)) {
	}
	__host__ __device__ explicit operator __half2() const {
		return __nv_cvt_fp6x2_to_halfraw2(__x, __NV_E2M3);
	}
	__host__ __device__ explicit operator float2() const {
		return make_float2(__s2s_fp6_to_float(static_cast<unsigned char>(__x), __NV_E2M3),
			__s2s_fp6_to_float(static_cast<unsigned char>(__x >> 8), __NV_E2M3));
	}
};

struct __attribute__((aligned(4))) __nv_fp6x4_e2m3 {
	__nv_fp6x4_storage_t __x;
	__nv_fp6x4_e2m3() = default;
	__host__ __device__ explicit __nv_fp6x4_e2m3(__half2 low, __half2 high)
		: __nv_fp6x4_e2m3(__nv_fp6x2_e2m3(low), __nv_fp6x2_e2m3(high)) {
	}
	__host__ __device__ explicit __nv_fp6x4_e2m3(__nv_bfloat162 low, __nv_bfloat162 high)
		: __nv_fp6x4_e2m3(__nv_fp6x2_e2m3(low), __nv_fp6x2_e2m3(high)) {
	}
	__host__ __device__ explicit __nv_fp6x4_e2m3(float4 f)
		: __nv_fp6x4_e2m3(__nv_fp6x2_e2m3(make_float2(f.x, f.y)), __nv_fp6x2_e2m3(make_float2(f.z, f.w))) {
	}
	__host__ __device__ explicit __nv_fp6x4_e2m3(double4 f)
		: __nv_fp6x4_e2m3(__nv_fp6x2_e2m3(make_double2(f.x, f.y)), __nv_fp6x2_e2m3(make_double2(f.z, f.w))) {
	}
	__host__ __device__ explicit operator float4() const {
		__nv_fp6x2_e2m3 low, high;
		low.__x = static_cast<__nv_fp6x2_storage_t>(__x);
		high.__x = static_cast<__nv_fp6x2_storage_t>(__x >> 16);
		float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
		return make_float4(first.x, first.y, second.x, second.y);
	}

  private:
	__host__ __device__ __nv_fp6x4_e2m3(__nv_fp6x2_e2m3 low, __nv_fp6x2_e2m3 high)
		: __x(static_cast<__nv_fp6x4_storage_t>(low.__x | static_cast<unsigned>(high.__x) << 16)) {
	}
};

struct __attribute__((aligned(1))) __nv_fp6_e3m2 {
	__nv_fp6_storage_t __x;
	__nv_fp6_e3m2() = default;
	__host__ __device__ explicit __nv_fp6_e3m2(__half f)
		: __x(__nv_cvt_halfraw_to_fp6(static_cast<__half_raw>(f), __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(__nv_bfloat16 f)
		: __x(__nv_cvt_bfloat16raw_to_fp6(static_cast<__nv_bfloat16_raw>(f), __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(float f) : __x(__nv_cvt_float_to_fp6(f, __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(double f) : __x(__nv_cvt_double_to_fp6(f, __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(unsigned short value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(unsigned int value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(unsigned long value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(unsigned long long value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(short value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(int value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(long value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp6_e3m2(long long value) : __nv_fp6_e3m2(static_cast<float>(value)) {
	}
	__host__ __device__ explicit operator __half() const {
		return __ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x);
	}
	__host__ __device__ explicit operator float() const {
		return __s2s_fp6_to_float(__x, __NV_E3M2);
	}
	__host__ __device__ explicit operator __nv_bfloat16() const {
		return __float2bfloat16_rz(__s2s_fp6_to_float(__x, __NV_E3M2));
	}
	__host__ __device__ explicit operator double() const {
		return __s2s_fp6_to_float(__x, __NV_E3M2);
	}
	__host__ __device__ explicit operator unsigned char() const {
		return __s2s_to_byte(__s2s_fp6_to_float(__x, __NV_E3M2));
	}
	__host__ __device__ explicit operator signed char() const {
		return __s2s_to_signed_byte(__s2s_fp6_to_float(__x, __NV_E3M2));
	}
	__host__ __device__ explicit operator char() const {
		return static_cast<char>(__s2s_to_signed_byte(__s2s_fp6_to_float(__x, __NV_E3M2)));
	}
	__host__ __device__ explicit operator unsigned short() const {
		return __half2ushort_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator unsigned int() const {
		return __half2uint_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator unsigned long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator unsigned long long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator short() const {
		return __half2short_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator int() const {
		return __half2int_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator long long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp6_to_halfraw(__x, __NV_E3M2).x));
	}
	__host__ __device__ explicit operator bool() const {
		return (__x & 0x1F) != 0;
	}
};

struct __attribute__((aligned(2))) __nv_fp6x2_e3m2 {
	__nv_fp6x2_storage_t __x;
	__nv_fp6x2_e3m2() = default;
	__host__ __device__ explicit __nv_fp6x2_e3m2(__half2 f)
		: __x(__nv_cvt_halfraw2_to_fp6x2(__half2_raw(f), __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6x2_e3m2(__nv_bfloat162 f)
		: __x(__nv_cvt_bfloat16raw2_to_fp6x2(__nv_bfloat162_raw(f), __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6x2_e3m2(float2 f)
		: __x(__nv_cvt_float2_to_fp6x2(f, __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp6x2_e3m2(double2 f)
		: __x(__nv_cvt_double2_to_fp6x2(f, __NV_E3M2, cudaRoundNearest)) {
	}
	__host__ __device__ explicit operator __half2() const {
		return __nv_cvt_fp6x2_to_halfraw2(__x, __NV_E3M2);
	}
	__host__ __device__ explicit operator float2() const {
		return make_float2(__s2s_fp6_to_float(static_cast<unsigned char>(__x), __NV_E3M2),
			__s2s_fp6_to_float(static_cast<unsigned char>(__x >> 8), __NV_E3M2));
	}
};

struct __attribute__((aligned(4))) __nv_fp6x4_e3m2 {
	__nv_fp6x4_storage_t __x;
	__nv_fp6x4_e3m2() = default;
	__host__ __device__ explicit __nv_fp6x4_e3m2(__half2 low, __half2 high)
		: __nv_fp6x4_e3m2(__nv_fp6x2_e3m2(low), __nv_fp6x2_e3m2(high)) {
	}
	__host__ __device__ explicit __nv_fp6x4_e3m2(__nv_bfloat162 low, __nv_bfloat162 high)
		: __nv_fp6x4_e3m2(__nv_fp6x2_e3m2(low), __nv_fp6x2_e3m2(high)) {
	}
	__host__ __device__ explicit __nv_fp6x4_e3m2(float4 f)
		: __nv_fp6x4_e3m2(__nv_fp6x2_e3m2(make_float2(f.x, f.y)), __nv_fp6x2_e3m2(make_float2(f.z, f.w))) {
	}
	__host__ __device__ explicit __nv_fp6x4_e3m2(double4 f)
		: __nv_fp6x4_e3m2(__nv_fp6x2_e3m2(make_double2(f.x, f.y)), __nv_fp6x2_e3m2(make_double2(f.z, f.w))) {
	}
	__host__ __device__ explicit operator float4() const {
		__nv_fp6x2_e3m2 low, high;
		low.__x = static_cast<__nv_fp6x2_storage_t>(__x);
		high.__x = static_cast<__nv_fp6x2_storage_t>(__x >> 16);
		float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
		return make_float4(first.x, first.y, second.x, second.y);
	}

  private:
	__host__ __device__ __nv_fp6x4_e3m2(__nv_fp6x2_e3m2 low, __nv_fp6x2_e3m2 high)
		: __x(static_cast<__nv_fp6x4_storage_t>(low.__x | static_cast<unsigned>(high.__x) << 16)) {
	}
};

#endif
