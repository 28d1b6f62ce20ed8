/* CUDA's __nv_bfloat16, and pairs of them, for host code. */
#ifndef S2S_CUDA_BF16_H
#define S2S_CUDA_BF16_H
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#ifdef __cplusplus
#include "s2s_short_floats.h"

static inline float s2s_bfloat_to_float(unsigned short __bits) {
	return s2s_bits_float((uint32_t)__bits << 16);
}

static inline unsigned short s2s_float_to_bfloat(float __value) {
	uint32_t __bits = s2s_float_bits(__value);
	if (__value != __value)
		return (unsigned short)(__bits >> 16 | 0x40);
	return (unsigned short)((__bits + 0x7FFF + (__bits >> 16 & 1)) >> 16);
}

#define S2S_SHORT __nv_bfloat16
#define S2S_RAW __nv_bfloat16_raw
#define S2S_PAIR __nv_bfloat162
#define S2S_NAME bfloat16
#define S2S_NAME2 bfloat162
#define S2S_TO_FLOAT s2s_bfloat_to_float
#define S2S_FROM_FLOAT s2s_float_to_bfloat
#include "s2s_short_functions.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#endif
