/* What cuda_fp16.h and cuda_bf16.h share: numbers of which a short float can be made with one rounding. C++ alone. */
#ifndef S2S_SHORT_FLOATS_H
#define S2S_SHORT_FLOATS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vector_types.h"

#define S2S_JOINED(A, B, C) A##B##C
#define S2S_JOIN(A, B, C) S2S_JOINED(A, B, C)
#define S2S_JOINED3(A, B, C, D) A##B##C##D
#define S2S_JOIN3(A, B, C, D) S2S_JOINED3(A, B, C, D)

/* The bits of a float, and back. */
static inline uint32_t s2s_float_bits(float __value) {
	uint32_t __bits;
	memcpy(&__bits, &__value, sizeof __bits);
	return __bits;
}

static inline float s2s_bits_float(uint32_t __bits) {
	float __value;
	memcpy(&__value, &__bits, sizeof __value);
	return __value;
}

/* Rounds to float toward zero, with the last bit set where something is lost: a second rounding is right then. */
static inline float s2s_float_odd(double __value) {
	float __near = (float)__value;
	if (__near == __value || __value != __value || __near - __near != 0)
		return __near;
	uint32_t __bits = s2s_float_bits(__near);
	__bits -= (__near < 0 ? -(double)__near : __near) > (__value < 0 ? -__value : __value);
	return s2s_bits_float(__bits | 1);
}

/* Converts to double what a short float rounds to the same. Of large integers, a 1 replaces what the low 16 bits
 * hold. */
template <typename __T> static inline double s2s_double_odd(__T __value) {
	return (double)__value;
}
template <> inline double s2s_double_odd(long long __value) {
	bool __small = __value >= -(1LL << 32) && __value <= 1LL << 32;
	return (double)(__small || (__value & 0xFFFF) == 0 ? __value : (__value & ~0xFFFFLL) | 0x10000);
}
template <> inline double s2s_double_odd(unsigned long long __value) {
	bool __small = __value <= 1ULL << 32;
	return (double)(__small || (__value & 0xFFFF) == 0 ? __value : (__value & ~0xFFFFULL) | 0x10000);
}
template <> inline double s2s_double_odd(long __value) {
	return s2s_double_odd((long long)__value);
}
template <> inline double s2s_double_odd(unsigned long __value) {
	return s2s_double_odd((unsigned long long)__value);
}

/* Converts a whole number: what is out of range saturates; NaN gives 0, of 64 bits 0x8000000000000000. */
template <typename __T> static inline __T s2s_to_integer(double __whole) {
	const bool __is_signed = (__T)-1 < (__T)1;
	const __T __low = __is_signed ? (__T)(1ULL << (8 * sizeof(__T) - 1)) : 0;
	const __T __high = (__T)~__low;
	if (__whole != __whole)
		return sizeof(__T) == 8 ? (__T)(1ULL << 63) : 0;
	if (__whole <= (double)__low)
		return __low;
	return __whole >= (double)__high ? __high : (__T)__whole;
}

/* Returns the larger number: +0 is larger than -0; if one is NaN, the other one. */
static inline float s2s_larger(float __a, float __b) {
	if (__a == __b)
		return signbit(__a) ? __b : __a;
	return __a > __b || __b != __b ? __a : __b;
}

static inline float s2s_nan_or(float __a, float __b, float __otherwise) {
	return __a != __a || __b != __b ? __a + __b : __otherwise;
}

static inline int s2s_infinite(float __a) {
	return __a == INFINITY ? 1 : __a == -INFINITY ? -1 : 0;
}

#endif
