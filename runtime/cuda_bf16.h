/* CUDA's __nv_bfloat16 for host code. Pairs and vector functions are not here. */
#ifndef S2S_CUDA_BF16_H
#define S2S_CUDA_BF16_H
#define __CUDA_BF16_H__

#ifdef __cplusplus
#include "s2s_short_floats.h"

static inline float s2s_bfloat_to_float(unsigned short bits) {
	return s2s_bits_float((uint32_t)bits << 16);
}

static inline unsigned short s2s_float_to_bfloat(float value) {
	uint32_t bits = s2s_float_bits(value);
	if (value != value)
		return (unsigned short)(bits >> 16 | 0x40);
	return (unsigned short)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

S2S_SHORT_FLOAT(__nv_bfloat16, s2s_bfloat_to_float, s2s_float_to_bfloat)
typedef __nv_bfloat16 nv_bfloat16;

static inline __nv_bfloat16 __float2bfloat16(float value) {
	return __nv_bfloat16(value);
}
static inline __nv_bfloat16 __float2bfloat16_rn(float value) {
	return __nv_bfloat16(value);
}
static inline __nv_bfloat16 __double2bfloat16(double value) {
	return __nv_bfloat16(value);
}
static inline float __bfloat162float(__nv_bfloat16 value) {
	return value;
}
#endif

#endif
