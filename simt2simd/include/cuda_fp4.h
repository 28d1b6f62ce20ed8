/* CUDA's numbers of four bits and their conversions, for device code and host code. C++ alone. */
#ifndef S2S_CUDA_FP4_H
#define S2S_CUDA_FP4_H
#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__

#include "cuda_fp6.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

__host__ __device__ inline __s2s_small_format __s2s_fp4_format(__nv_fp4_interpretation_t) {
	return __s2s_small_format{1, 0, 7};
}

/* Rounds to the nearest, to the even one of two, or to zero. There is no infinity; a NaN is the largest number. */
__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_double_to_fp4(
	double x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	__s2s_small_format format = __s2s_fp4_format(kind);
	if (x != x)
		return static_cast<unsigned char>(format.largest);
	unsigned sign = static_cast<unsigned>(__s2s_double_bits(x) >> 63) << 3;
	unsigned code = __s2s_small_code(x, format, format.largest, rounding == cudaRoundZero);
	return static_cast<unsigned char>(sign | code);
}

__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_float_to_fp4(
	float x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	return __nv_cvt_double_to_fp4(static_cast<double>(x), kind, rounding);
}

__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(
	__half_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	return __nv_cvt_float_to_fp4(__s2s_raw_float(x), kind, rounding);
}

__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(
	__nv_bfloat16_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	return __nv_cvt_float_to_fp4(__s2s_raw_float(x), kind, rounding);
}

__host__ __device__ inline float __s2s_fp4_to_float(__nv_fp4_storage_t x, __nv_fp4_interpretation_t kind) {
	float size = __s2s_small_value(x & 7, __s2s_fp4_format(kind));
	return x >> 3 & 1 ? -size : size;
}

__host__ __device__ inline __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t kind) {
	return __s2s_half_raw(__s2s_fp4_to_float(x, kind));
}

__host__ __device__ inline __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(
	double2 x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	return static_cast<__nv_fp4x2_storage_t>(
		__nv_cvt_double_to_fp4(x.x, kind, rounding) | __nv_cvt_double_to_fp4(x.y, kind, rounding) << 4);
}

__host__ __device__ inline __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(
	float2 x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	return static_cast<__nv_fp4x2_storage_t>(
		__nv_cvt_float_to_fp4(x.x, kind, rounding) | __nv_cvt_float_to_fp4(x.y, kind, rounding) << 4);
}

__host__ __device__ inline __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(
	__half2_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	__half_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<__nv_fp4x2_storage_t>(
		__nv_cvt_halfraw_to_fp4(low, kind, rounding) | __nv_cvt_halfraw_to_fp4(high, kind, rounding) << 4);
}

__host__ __device__ inline __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(
	__nv_bfloat162_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {
	__nv_bfloat16_raw low, high;
	low.x = x.x;
	high.x = x.y;
	return static_cast<__nv_fp4x2_storage_t>(
		__nv_cvt_bfloat16raw_to_fp4(low, kind, rounding) | __nv_cvt_bfloat16raw_to_fp4(high, kind, rounding) << 4);
}

__host__ __device__ inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(
	__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t kind) {
	return __half2_raw(__nv_cvt_fp4_to_halfraw(static_cast<unsigned char>(x), kind).x,
		__nv_cvt_fp4_to_halfraw(static_cast<unsigned char>(x >> 4), kind).x);
}

struct __attribute__((aligned(1))) __nv_fp4_e2m1 {
	__nv_fp4_storage_t __x;
	__nv_fp4_e2m1() = default;
	__host__ __device__ explicit __nv_fp4_e2m1(__half f)
		: __x(__nv_cvt_halfraw_to_fp4(static_cast<__half_raw>(f), __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(__nv_bfloat16 f)
		: __x(__nv_cvt_bfloat16raw_to_fp4(static_cast<__nv_bfloat16_raw>(f), __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(float f) : __x(__nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(double f) : __x(__nv_cvt_double_to_fp4(f, __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(unsigned short value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(unsigned int value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(unsigned long value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(unsigned long long value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(short value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(int value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(long value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit __nv_fp4_e2m1(long long value) : __nv_fp4_e2m1(static_cast<float>(value)) {
	}
	__host__ __device__ explicit operator __half() const {
		return __ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x);
	}
	__host__ __device__ explicit operator float() const {
		return __s2s_fp4_to_float(__x, __NV_E2M1);
	}
	__host__ __device__ explicit operator __nv_bfloat16() const {
		return __float2bfloat16_rz(__s2s_fp4_to_float(__x, __NV_E2M1));
	}
	__host__ __device__ explicit operator double() const {
		return __s2s_fp4_to_float(__x, __NV_E2M1);
	}
	__host__ __device__ explicit operator unsigned char() const {
		return __s2s_to_byte(__s2s_fp4_to_float(__x, __NV_E2M1));
	}
	__host__ __device__ explicit operator signed char() const {
		return __s2s_to_signed_byte(__s2s_fp4_to_float(__x, __NV_E2M1));
	}
	__host__ __device__ explicit operator char() const {
		return static_cast<char>(__s2s_to_signed_byte(__s2s_fp4_to_float(__x, __NV_E2M1)));
	}
	__host__ __device__ explicit operator unsigned short() const {
		return __half2ushort_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator unsigned int() const {
		return __half2uint_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator unsigned long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator unsigned long long() const {
		return __half2ull_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator short() const {
		return __half2short_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator int() const {
		return __half2int_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator long long() const {
		return __half2ll_rz(__ushort_as_half(__nv_cvt_fp4_to_halfraw(__x, __NV_E2M1).x));
	}
	__host__ __device__ explicit operator bool() const {
		return (__x & 7) != 0;
	}
};

struct __attribute__((aligned(1))) __nv_fp4x2_e2m1 {
	__nv_fp4x2_storage_t __x;
	__nv_fp4x2_e2m1() = default;
	__host__ __device__ explicit __nv_fp4x2_e2m1(__half2 f)
		: __x(__nv_cvt_halfraw2_to_fp4x2(__half2_raw(f), __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4x2_e2m1(__nv_bfloat162 f)
		: __x(__nv_cvt_bfloat16raw2_to_fp4x2(__nv_bfloat162_raw(f), __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4x2_e2m1(float2 f)
		: __x(__nv_cvt_float2_to_fp4x2(f, __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit __nv_fp4x2_e2m1(double2 f)
		: __x(__nv_cvt_double2_to_fp4x2(f, __NV_E2M1, cudaRoundNearest)) {
	}
	__host__ __device__ explicit operator __half2() const {
		return __nv_cvt_fp4x2_to_halfraw2(__x, __NV_E2M1);
	}
	__host__ __device__ explicit operator float2() const {
		return make_float2(__s2s_fp4_to_float(static_cast<unsigned char>(__x), __NV_E2M1),
			__s2s_fp4_to_float(static_cast<unsigned char>(__x >> 4), __NV_E2M1));
	}
};

struct __attribute__((aligned(2))) __nv_fp4x4_e2m1 {
	__nv_fp4x4_storage_t __x;
	__nv_fp4x4_e2m1() = default;
	__host__ __device__ explicit __nv_fp4x4_e2m1(__half2 low, __half2 high)
		: __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(low), __nv_fp4x2_e2m1(high)) {
	}
	__host__ __device__ explicit __nv_fp4x4_e2m1(__nv_bfloat162 low, __nv_bfloat162 high)
		: __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(low), __nv_fp4x2_e2m1(high)) {
	}
	__host__ __device__ explicit __nv_fp4x4_e2m1(float4 f)
		: __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(make_float2(f.x, f.y)), __nv_fp4x2_e2m1(make_float2(f.z, f.w))) {
	}
	__host__ __device__ explicit __nv_fp4x4_e2m1(double4 f)
		: __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(make_double2(f.x, f.y)), __nv_fp4x2_e2m1(make_double2(f.z, f.w))) {
	}
	__host__ __device__ explicit operator float4() const {
		__nv_fp4x2_e2m1 low, high;
		low.__x = static_cast<__nv_fp4x2_storage_t>(__x);
		high.__x = static_cast<__nv_fp4x2_storage_t>(__x >> 8);
		float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
		return make_float4(first.x, first.y, second.x, second.y);
	}

  private:
	__host__ __device__ __nv_fp4x4_e2m1(__nv_fp4x2_e2m1 low, __nv_fp4x2_e2m1 high)
		: __x(static_cast<__nv_fp4x4_storage_t>(low.__x | static_cast<unsigned>(high.__x) << 8)) {
	}
};

#endif
