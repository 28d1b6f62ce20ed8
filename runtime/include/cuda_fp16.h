/* CUDA's __half, and pairs of them, for host code. */
#ifndef S2S_CUDA_FP16_H
#define S2S_CUDA_FP16_H
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#ifdef __cplusplus
#include "s2s_short_floats.h"

static inline float s2s_half_to_float(unsigned short __bits) {
	uint32_t __sign = (uint32_t)(__bits & 0x8000) << 16, __rest = __bits & 0x7FFF;
	if (__rest >= 0x7C00) /* infinite, or no number */
		return s2s_bits_float(__sign | 0x7F800000 | (__rest & 0x3FF) << 13);
	if (__rest < 0x400) { /* counts units of 2^-24 */
		float __small = (float)__rest * 0x1p-24f;
		return __sign ? -__small : __small;
	}
	return s2s_bits_float(__sign | ((__rest << 13) + ((127 - 15) << 23)));
}

static inline unsigned short s2s_float_to_half(float __value) {
	uint32_t __bits = s2s_float_bits(__value), __sign = __bits >> 16 & 0x8000, __rest = __bits & 0x7FFFFFFF;
	if (__rest > 0x7F800000)
		return (unsigned short)(__sign | 0x7E00 | (__rest >> 13 & 0x3FF));
	if (__rest >= 0x477FF000) /* rounds to more than 65504 */
		return (unsigned short)(__sign | 0x7C00);
	if (__rest < 0x38800000) { /* the sum's last bit is 2^-24: the CPU rounds */
		uint32_t __units = s2s_float_bits(s2s_bits_float(__rest) + 0.5f) - 0x3F000000;
		return (unsigned short)(__sign | __units);
	}
	__rest += 0xFFF + (__rest >> 13 & 1);
	return (unsigned short)(__sign | (__rest - ((127 - 15) << 23)) >> 13);
}

#define S2S_SHORT __half
#define S2S_RAW __half_raw
#define S2S_PAIR __half2
#define S2S_NAME half
#define S2S_NAME2 half2
#define S2S_TO_FLOAT s2s_half_to_float
#define S2S_FROM_FLOAT s2s_float_to_half
#include "s2s_short_functions.h"

typedef __half half;
typedef __half2 half2;
#endif

#endif
