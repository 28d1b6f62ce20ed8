// CUDA-C as plain C++: what the programs of the fuzzer use of it.
//
// Undefined arithmetic ends the launch: the compiler's checks call the functions at the end.
#pragma once
#include "threads.h"
#include "warps.h"
#include <cooperative_groups.h>
#include <math.h>
#include <new>
#include <stddef.h>
#include <stdint.h>
#include <utility>

// Arithmetic. Types are those of CUDA's overloads.
#define EACH_INTEGER(X) X(int) X(unsigned) X(long) X(unsigned long) X(long long) X(unsigned long long)
#define MIN_MAX(T)                                                                                                     \
	static inline T min(T a, T b) {                                                                                    \
		return b < a ? b : a;                                                                                          \
	}                                                                                                                  \
	static inline T max(T a, T b) {                                                                                    \
		return a < b ? b : a;                                                                                          \
	}
EACH_INTEGER(MIN_MAX)
static inline int abs(int a) {
	return a < 0 ? -a : a;
}
static inline int __popc(unsigned a) {
	return __builtin_popcount(a);
}
static inline int __clz(int a) {
	return a ? __builtin_clz(a) : 32;
}
static inline int __ffs(int a) {
	return __builtin_ffs(a);
}
static inline int __mulhi(int a, int b) {
	return (int)((long long)a * b >> 32);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
	return (unsigned)((unsigned long long)a * b >> 32);
}
static inline unsigned __brev(unsigned a) {
	unsigned r = 0;
	for (int i = 0; i < 32; i++)
		r |= (a >> i & 1) << (31 - i);
	return r;
}

// Atomic functions: there is one thread. Sums wrap.
template <class T> struct same {
	typedef T type;
};
#define ATOMIC(NAME, NEW)                                                                                              \
	template <class T> static inline T atomic##NAME(T *at, typename same<T>::type value) {                             \
		T old = *at;                                                                                                   \
		*at = (NEW);                                                                                                   \
		return old;                                                                                                    \
	}
template <class T> static inline T wrapped_sum(T a, T b) {
	return a + b;
}
template <> inline int wrapped_sum(int a, int b) {
	return (int)((unsigned)a + (unsigned)b);
}
ATOMIC(Add, wrapped_sum(old, value))
ATOMIC(Sub, (T)((unsigned)old - (unsigned)value))
ATOMIC(Exch, value)
ATOMIC(Min, min(old, value))
ATOMIC(Max, max(old, value))
ATOMIC(And, old &value)
ATOMIC(Or, old | value)
ATOMIC(Xor, old ^ value)
ATOMIC(Inc, old >= value ? 0 : old + 1)
template <class T> static inline T atomicCAS(T *at, typename same<T>::type expected, typename same<T>::type value) {
	T old = *at;
	if (old == expected)
		*at = value;
	return old;
}

// What the compiler's checks call.
static void undefined() {
	undefined_behaviour = 1;
	setcontext(&scheduler);
}
#define CHECK(NAME)                                                                                                    \
	extern "C" void __ubsan_handle_##NAME() {                                                                          \
		undefined();                                                                                                   \
	}
CHECK(add_overflow)
CHECK(sub_overflow)
CHECK(mul_overflow)
CHECK(negate_overflow)
CHECK(divrem_overflow)
CHECK(shift_out_of_bounds)
CHECK(out_of_bounds)
CHECK(float_cast_overflow)
