/* CUDA's make_char1 to make_double4. */
#ifndef S2S_VECTOR_FUNCTIONS_H
#define S2S_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#if __cplusplus >= 201402L
#define S2S_MAKER static inline constexpr
#elif defined __cplusplus
#define S2S_MAKER static inline
#else
#define S2S_MAKER static inline __attribute__((unused))
#endif

#define S2S_MAKE(name, params, ...)                                                                                    \
	S2S_MAKER struct name make_##name params {                                                                         \
		struct name __made = {__VA_ARGS__};                                                                            \
		return __made;                                                                                                 \
	}
#define S2S_MAKE_FOUR(name, type) S2S_MAKE(name, (type __x, type __y, type __z, type __w), __x, __y, __z, __w)
#define S2S_MAKE_ALL(base, type)                                                                                       \
	S2S_MAKE(base##1, (type __x), __x)                                                                                 \
	S2S_MAKE(base##2, (type __x, type __y), __x, __y)                                                                  \
	S2S_MAKE(base##3, (type __x, type __y, type __z), __x, __y, __z)                                                   \
	S2S_MAKE_FOUR(base##4, type)
#define S2S_MAKE_WIDE(base, type)                                                                                      \
	S2S_MAKE_ALL(base, type)                                                                                           \
	S2S_MAKE_FOUR(base##4_16a, type)                                                                                   \
	S2S_MAKE_FOUR(base##4_32a, type)

S2S_MAKE_ALL(char, signed char)
S2S_MAKE_ALL(uchar, unsigned char)
S2S_MAKE_ALL(short, short)
S2S_MAKE_ALL(ushort, unsigned short)
S2S_MAKE_ALL(int, int)
S2S_MAKE_ALL(uint, unsigned int)
S2S_MAKE_ALL(float, float)
S2S_MAKE_WIDE(long, long int)
S2S_MAKE_WIDE(ulong, unsigned long int)
S2S_MAKE_WIDE(longlong, long long int)
S2S_MAKE_WIDE(ulonglong, unsigned long long int)
S2S_MAKE_WIDE(double, double)

#undef S2S_MAKE_WIDE
#undef S2S_MAKE_ALL
#undef S2S_MAKE_FOUR
#undef S2S_MAKE
#undef S2S_MAKER

#endif
