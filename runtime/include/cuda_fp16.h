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

static inline float s2s_half_to_float(unsigned short half) {
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7FFF;
	if (rest >= 0x7C00) /* infinite, or no number */
		return s2s_bits_float(sign | 0x7F800000 | (rest & 0x3FF) << 13);
	if (rest < 0x400) { /* counts units of 2^-24 */
		float small = (float)rest * 0x1p-24f;
		return sign ? -small : small;
	}
	return s2s_bits_float(sign | ((rest << 13) + ((127 - 15) << 23)));
}

static inline unsigned short s2s_float_to_half(float value) {
	uint32_t bits = s2s_float_bits(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7FFFFFFF;
	if (rest > 0x7F800000)
		return (unsigned short)(sign | 0x7E00 | (rest >> 13 & 0x3FF));
	if (rest >= 0x477FF000) /* rounds to more than 65504 */
		return (unsigned short)(sign | 0x7C00);
	if (rest < 0x38800000) { /* the sum's last bit is 2^-24: the CPU rounds */
		uint32_t units = s2s_float_bits(s2s_bits_float(rest) + 0.5f) - 0x3F000000;
		return (unsigned short)(sign | units);
	}
	rest += 0xFFF + (rest >> 13 & 1);
	return (unsigned short)(sign | (rest - ((127 - 15) << 23)) >> 13);
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
