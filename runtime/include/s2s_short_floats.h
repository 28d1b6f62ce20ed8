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
static inline uint32_t s2s_float_bits(float value) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static inline float s2s_bits_float(uint32_t bits) {
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Rounds to float toward zero, with the last bit set where something is lost: a second rounding is right then. */
static inline float s2s_float_odd(double value) {
	float near = (float)value;
	if (near == value || value != value || near - near != 0)
		return near;
	uint32_t bits = s2s_float_bits(near);
	bits -= (near < 0 ? -(double)near : near) > (value < 0 ? -value : value);
	return s2s_bits_float(bits | 1);
}

/* Converts to double what a short float rounds to the same. Of large integers, a 1 replaces what the low 16 bits
 * hold. */
template <typename T> static inline double s2s_double_odd(T value) {
	return (double)value;
}
template <> inline double s2s_double_odd(long long value) {
	bool small = value >= -(1LL << 32) && value <= 1LL << 32;
	return (double)(small || (value & 0xFFFF) == 0 ? value : (value & ~0xFFFFLL) | 0x10000);
}
template <> inline double s2s_double_odd(unsigned long long value) {
	bool small = value <= 1ULL << 32;
	return (double)(small || (value & 0xFFFF) == 0 ? value : (value & ~0xFFFFULL) | 0x10000);
}
template <> inline double s2s_double_odd(long value) {
	return s2s_double_odd((long long)value);
}
template <> inline double s2s_double_odd(unsigned long value) {
	return s2s_double_odd((unsigned long long)value);
}

/* Converts a whole number: what is out of range saturates; NaN gives 0, of 64 bits 0x8000000000000000. */
template <typename T> static inline T s2s_to_integer(double whole) {
	const bool is_signed = (T)-1 < (T)1;
	const T low = is_signed ? (T)(1ULL << (8 * sizeof(T) - 1)) : 0;
	const T high = (T)~low;
	if (whole != whole)
		return sizeof(T) == 8 ? (T)(1ULL << 63) : 0;
	if (whole <= (double)low)
		return low;
	return whole >= (double)high ? high : (T)whole;
}

/* Returns the larger number: +0 is larger than -0; if one is NaN, the other one. */
static inline float s2s_larger(float a, float b) {
	if (a == b)
		return signbit(a) ? b : a;
	return a > b || b != b ? a : b;
}

static inline float s2s_nan_or(float a, float b, float otherwise) {
	return a != a || b != b ? a + b : otherwise;
}

static inline int s2s_infinite(float a) {
	return a == INFINITY ? 1 : a == -INFINITY ? -1 : 0;
}

#endif
