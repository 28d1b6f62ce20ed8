/* What cuda_fp16.h and cuda_bf16.h share: sixteen bits that are computed with as float, and rounded once. C++ alone. */
#ifndef S2S_SHORT_FLOATS_H
#define S2S_SHORT_FLOATS_H

#include <stdint.h>
#include <string.h>

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

/* The class TYPE: its bits, conversions by TO and FROM, and operators that round. */
#define S2S_SHORT_FLOAT(TYPE, TO, FROM)                                                                                \
	struct __attribute__((aligned(2))) TYPE {                                                                          \
		unsigned short __x;                                                                                            \
		TYPE() = default;                                                                                              \
		TYPE(float value) : __x(FROM(value)) {                                                                         \
		}                                                                                                              \
		TYPE(double value) : __x(FROM(s2s_float_odd(value))) {                                                         \
		}                                                                                                              \
		TYPE(int value) : TYPE((double)value) {                                                                        \
		}                                                                                                              \
		TYPE(unsigned value) : TYPE((double)value) {                                                                   \
		}                                                                                                              \
		TYPE(long value) : TYPE((double)value) {                                                                       \
		}                                                                                                              \
		TYPE(unsigned long value) : TYPE((double)value) {                                                              \
		}                                                                                                              \
		operator float() const {                                                                                       \
			return TO(__x);                                                                                            \
		}                                                                                                              \
	};                                                                                                                 \
	static inline TYPE operator+(TYPE a, TYPE b) {                                                                     \
		return TYPE((float)a + (float)b);                                                                              \
	}                                                                                                                  \
	static inline TYPE operator-(TYPE a, TYPE b) {                                                                     \
		return TYPE((float)a - (float)b);                                                                              \
	}                                                                                                                  \
	static inline TYPE operator*(TYPE a, TYPE b) {                                                                     \
		return TYPE((float)a * (float)b);                                                                              \
	}                                                                                                                  \
	static inline TYPE operator/(TYPE a, TYPE b) {                                                                     \
		return TYPE((float)a / (float)b);                                                                              \
	}                                                                                                                  \
	static inline TYPE operator-(TYPE a) {                                                                             \
		return TYPE(-(float)a);                                                                                        \
	}                                                                                                                  \
	static inline TYPE &operator+=(TYPE &a, TYPE b) {                                                                  \
		return a = a + b;                                                                                              \
	}                                                                                                                  \
	static inline TYPE &operator-=(TYPE &a, TYPE b) {                                                                  \
		return a = a - b;                                                                                              \
	}                                                                                                                  \
	static inline TYPE &operator*=(TYPE &a, TYPE b) {                                                                  \
		return a = a * b;                                                                                              \
	}                                                                                                                  \
	static inline TYPE &operator/=(TYPE &a, TYPE b) {                                                                  \
		return a = a / b;                                                                                              \
	}                                                                                                                  \
	static inline bool operator==(TYPE a, TYPE b) {                                                                    \
		return (float)a == (float)b;                                                                                   \
	}                                                                                                                  \
	static inline bool operator!=(TYPE a, TYPE b) {                                                                    \
		return (float)a != (float)b;                                                                                   \
	}                                                                                                                  \
	static inline bool operator<(TYPE a, TYPE b) {                                                                     \
		return (float)a < (float)b;                                                                                    \
	}                                                                                                                  \
	static inline bool operator<=(TYPE a, TYPE b) {                                                                    \
		return (float)a <= (float)b;                                                                                   \
	}                                                                                                                  \
	static inline bool operator>(TYPE a, TYPE b) {                                                                     \
		return (float)a > (float)b;                                                                                    \
	}                                                                                                                  \
	static inline bool operator>=(TYPE a, TYPE b) {                                                                    \
		return (float)a >= (float)b;                                                                                   \
	}

#endif
