/*
 * One short float and its functions: included once for `__half` and once for `__nv_bfloat16`, C++ alone. Before it,
 * these are defined: S2S_SHORT, S2S_RAW and S2S_PAIR, the classes; S2S_NAME and S2S_NAME2, the types in names of
 * functions; S2S_TO_FLOAT and S2S_FROM_FLOAT, which convert the bits. Operations are computed as float and rounded
 * once.
 */

struct S2S_RAW {
	unsigned short x;
};

struct __attribute__((aligned(2))) S2S_SHORT {
	unsigned short __x;
	S2S_SHORT() = default;
	S2S_SHORT(S2S_RAW __raw) : __x(__raw.x) {
	}
	S2S_SHORT(float __value) : __x(S2S_FROM_FLOAT(__value)) {
	}
	S2S_SHORT(double __value) : __x(S2S_FROM_FLOAT(s2s_float_odd(__value))) {
	}
	S2S_SHORT(int __value) : S2S_SHORT((double)__value) {
	}
	S2S_SHORT(unsigned __value) : S2S_SHORT((double)__value) {
	}
	S2S_SHORT(long __value) : S2S_SHORT(s2s_double_odd(__value)) {
	}
	S2S_SHORT(unsigned long __value) : S2S_SHORT(s2s_double_odd(__value)) {
	}
	S2S_SHORT(long long __value) : S2S_SHORT(s2s_double_odd(__value)) {
	}
	S2S_SHORT(unsigned long long __value) : S2S_SHORT(s2s_double_odd(__value)) {
	}
	operator float() const {
		return S2S_TO_FLOAT(__x);
	}
	operator S2S_RAW() const {
		return S2S_RAW{__x};
	}
	operator S2S_RAW() const volatile {
		return S2S_RAW{__x};
	}
	S2S_SHORT &operator=(const S2S_RAW &__raw) {
		__x = __raw.x;
		return *this;
	}
	volatile S2S_SHORT &operator=(const S2S_RAW &__raw) volatile {
		__x = __raw.x;
		return *this;
	}
	volatile S2S_SHORT &operator=(const volatile S2S_RAW &__raw) volatile {
		__x = __raw.x;
		return *this;
	}
};

struct __attribute__((aligned(4))) S2S_PAIR {
	S2S_SHORT x, y;
	S2S_PAIR() = default;
	S2S_PAIR(S2S_SHORT __first, S2S_SHORT __second) : x(__first), y(__second) {
	}
};

/* ------------------------------------------------------------------------------------------------ conversions */

static inline S2S_SHORT S2S_JOIN(__ushort_as_, S2S_NAME, )(unsigned short __bits) {
	return S2S_SHORT(S2S_RAW{__bits});
}
static inline S2S_SHORT S2S_JOIN(__short_as_, S2S_NAME, )(short __bits) {
	return S2S_SHORT(S2S_RAW{(unsigned short)__bits});
}
static inline unsigned short S2S_JOIN(__, S2S_NAME, _as_ushort)(S2S_SHORT __a) {
	return __a.__x;
}
static inline short S2S_JOIN(__, S2S_NAME, _as_short)(S2S_SHORT __a) {
	return (short)__a.__x;
}
static inline float S2S_JOIN(__, S2S_NAME, 2float)(S2S_SHORT __a) {
	return __a;
}
static inline S2S_SHORT S2S_JOIN(__float2, S2S_NAME, )(float __value) {
	return __value;
}
static inline S2S_SHORT S2S_JOIN(__double2, S2S_NAME, )(double __value) {
	return __value;
}

/* Rounds to the nearest, and on from there to `mode` ('z'ero, 'd'own, 'u'p) if that is on the wrong side. */
static inline S2S_SHORT S2S_JOIN(s2s_, S2S_NAME, _toward)(double __value, char __mode) {
	S2S_SHORT __near(__value);
	double __found = (float)__near;
	bool __down = __found > __value && (__mode == 'd' || (__mode == 'z' && __value > 0));
	bool __up = __found < __value && (__mode == 'u' || (__mode == 'z' && __value < 0));
	if (!__down && !__up)
		return __near;
	if ((__near.__x & 0x7FFF) == 0)
		__near.__x = __down ? 0x8001 : 1;
	else
		__near.__x += (__near.__x & 0x8000) == 0 ? (__down ? -1 : 1) : (__down ? 1 : -1);
	return __near;
}

#define S2S_FROM_NUMBER(NUMBER, TYPE)                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _rn)(TYPE __value) {                                     \
		return S2S_SHORT(s2s_double_odd(__value));                                                                     \
	}                                                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _rz)(TYPE __value) {                                     \
		return S2S_JOIN(s2s_, S2S_NAME, _toward)(s2s_double_odd(__value), 'z');                                        \
	}                                                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _rd)(TYPE __value) {                                     \
		return S2S_JOIN(s2s_, S2S_NAME, _toward)(s2s_double_odd(__value), 'd');                                        \
	}                                                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _ru)(TYPE __value) {                                     \
		return S2S_JOIN(s2s_, S2S_NAME, _toward)(s2s_double_odd(__value), 'u');                                        \
	}
S2S_FROM_NUMBER(float, float)
S2S_FROM_NUMBER(int, int)
S2S_FROM_NUMBER(uint, unsigned)
S2S_FROM_NUMBER(short, short)
S2S_FROM_NUMBER(ushort, unsigned short)
S2S_FROM_NUMBER(ll, long long)
S2S_FROM_NUMBER(ull, unsigned long long)
#undef S2S_FROM_NUMBER

#define S2S_TO_NUMBER(NUMBER, TYPE)                                                                                    \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_rn)(S2S_SHORT __a) {                                         \
		return s2s_to_integer<TYPE>(rint((double)(float)__a));                                                         \
	}                                                                                                                  \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_rz)(S2S_SHORT __a) {                                         \
		return s2s_to_integer<TYPE>(trunc((double)(float)__a));                                                        \
	}                                                                                                                  \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_rd)(S2S_SHORT __a) {                                         \
		return s2s_to_integer<TYPE>(floor((double)(float)__a));                                                        \
	}                                                                                                                  \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_ru)(S2S_SHORT __a) {                                         \
		return s2s_to_integer<TYPE>(ceil((double)(float)__a));                                                         \
	}
S2S_TO_NUMBER(int, int)
S2S_TO_NUMBER(uint, unsigned)
S2S_TO_NUMBER(short, short)
S2S_TO_NUMBER(ushort, unsigned short)
S2S_TO_NUMBER(ll, long long)
S2S_TO_NUMBER(ull, unsigned long long)
#undef S2S_TO_NUMBER

static inline signed char S2S_JOIN(__, S2S_NAME, 2char_rz)(S2S_SHORT __a) {
	return s2s_to_integer<signed char>(trunc((double)(float)__a));
}
static inline unsigned char S2S_JOIN(__, S2S_NAME, 2uchar_rz)(S2S_SHORT __a) {
	return s2s_to_integer<unsigned char>(trunc((double)(float)__a));
}

/* ------------------------------------------------------------------------------------------- parts of pairs */

static inline S2S_PAIR S2S_JOIN(make_, S2S_NAME2, )(S2S_SHORT __a, S2S_SHORT __b) {
	return S2S_PAIR(__a, __b);
}
static inline S2S_PAIR S2S_JOIN(__halves2, S2S_NAME2, )(S2S_SHORT __a, S2S_SHORT __b) {
	return S2S_PAIR(__a, __b);
}
static inline S2S_PAIR S2S_JOIN3(__, S2S_NAME, 2, S2S_NAME2)(S2S_SHORT __a) {
	return S2S_PAIR(__a, __a);
}
static inline S2S_PAIR S2S_JOIN(__float2, S2S_NAME2, _rn)(float __a) {
	return S2S_PAIR(__a, __a);
}
static inline S2S_PAIR S2S_JOIN(__floats2, S2S_NAME2, _rn)(float __a, float __b) {
	return S2S_PAIR(__a, __b);
}
static inline S2S_PAIR S2S_JOIN(__float22, S2S_NAME2, _rn)(float2 __a) {
	return S2S_PAIR(__a.x, __a.y);
}
static inline float2 S2S_JOIN(__, S2S_NAME2, 2float2)(S2S_PAIR __a) {
	return float2{__a.x, __a.y};
}
static inline S2S_SHORT S2S_JOIN(__low2, S2S_NAME, )(S2S_PAIR __a) {
	return __a.x;
}
static inline S2S_SHORT S2S_JOIN(__high2, S2S_NAME, )(S2S_PAIR __a) {
	return __a.y;
}
static inline float __low2float(S2S_PAIR __a) {
	return __a.x;
}
static inline float __high2float(S2S_PAIR __a) {
	return __a.y;
}
static inline S2S_PAIR S2S_JOIN(__low2, S2S_NAME2, )(S2S_PAIR __a) {
	return S2S_PAIR(__a.x, __a.x);
}
static inline S2S_PAIR S2S_JOIN(__high2, S2S_NAME2, )(S2S_PAIR __a) {
	return S2S_PAIR(__a.y, __a.y);
}
static inline S2S_PAIR S2S_JOIN(__lows2, S2S_NAME2, )(S2S_PAIR __a, S2S_PAIR __b) {
	return S2S_PAIR(__a.x, __b.x);
}
static inline S2S_PAIR S2S_JOIN(__highs2, S2S_NAME2, )(S2S_PAIR __a, S2S_PAIR __b) {
	return S2S_PAIR(__a.y, __b.y);
}
static inline S2S_PAIR __lowhigh2highlow(S2S_PAIR __a) {
	return S2S_PAIR(__a.y, __a.x);
}

/* ------------------------------------------------------------------------------------------------ arithmetic */

static inline S2S_SHORT s2s_saturated(S2S_SHORT __a) {
	return (float)__a > 0 ? ((float)__a < 1 ? __a : S2S_SHORT(1.0f)) : S2S_SHORT(0.0f);
}
static inline S2S_SHORT s2s_not_negative(S2S_SHORT __a) {
	return (float)__a <= 0 ? S2S_SHORT(0.0f) : __a;
}

#define S2S_UNARY(NAME, NAME2, VALUE)                                                                                  \
	static inline S2S_SHORT NAME(S2S_SHORT __a) {                                                                      \
		return S2S_SHORT(VALUE);                                                                                       \
	}                                                                                                                  \
	static inline S2S_PAIR NAME2(S2S_PAIR __a) {                                                                       \
		return S2S_PAIR(NAME(__a.x), NAME(__a.y));                                                                     \
	}
#define S2S_BINARY(NAME, NAME2, VALUE)                                                                                 \
	static inline S2S_SHORT NAME(S2S_SHORT __a, S2S_SHORT __b) {                                                       \
		return S2S_SHORT(VALUE);                                                                                       \
	}                                                                                                                  \
	static inline S2S_PAIR NAME2(S2S_PAIR __a, S2S_PAIR __b) {                                                         \
		return S2S_PAIR(NAME(__a.x, __b.x), NAME(__a.y, __b.y));                                                       \
	}
#define S2S_FUSED(NAME, NAME2, VALUE)                                                                                  \
	static inline S2S_SHORT NAME(S2S_SHORT __a, S2S_SHORT __b, S2S_SHORT __c) {                                        \
		return S2S_SHORT(VALUE);                                                                                       \
	}                                                                                                                  \
	static inline S2S_PAIR NAME2(S2S_PAIR __a, S2S_PAIR __b, S2S_PAIR __c) {                                           \
		return S2S_PAIR(NAME(__a.x, __b.x, __c.x), NAME(__a.y, __b.y, __c.y));                                         \
	}
S2S_BINARY(__hadd, __hadd2, (float)__a + (float)__b)
S2S_BINARY(__hsub, __hsub2, (float)__a - (float)__b)
S2S_BINARY(__hmul, __hmul2, (float)__a *(float)__b)
S2S_BINARY(__hadd_rn, __hadd2_rn, __hadd(__a, __b))
S2S_BINARY(__hsub_rn, __hsub2_rn, __hsub(__a, __b))
S2S_BINARY(__hmul_rn, __hmul2_rn, __hmul(__a, __b))
S2S_BINARY(__hadd_sat, __hadd2_sat, s2s_saturated(__hadd(__a, __b)))
S2S_BINARY(__hsub_sat, __hsub2_sat, s2s_saturated(__hsub(__a, __b)))
S2S_BINARY(__hmul_sat, __hmul2_sat, s2s_saturated(__hmul(__a, __b)))
S2S_BINARY(__hdiv, __h2div, (float)__a / (float)__b)
S2S_BINARY(__hmax, __hmax2, s2s_larger(__a, __b))
S2S_BINARY(__hmin, __hmin2, -s2s_larger(-(float)__a, -(float)__b))
S2S_BINARY(__hmax_nan, __hmax2_nan, s2s_nan_or(__a, __b, s2s_larger(__a, __b)))
S2S_BINARY(__hmin_nan, __hmin2_nan, s2s_nan_or(__a, __b, -s2s_larger(-(float)__a, -(float)__b)))
S2S_FUSED(__hfma, __hfma2, fma((double)(float)__a, (double)(float)__b, (double)(float)__c))
S2S_FUSED(__hfma_sat, __hfma2_sat, s2s_saturated(__hfma(__a, __b, __c)))
S2S_FUSED(__hfma_relu, __hfma2_relu, s2s_not_negative(__hfma(__a, __b, __c)))
S2S_UNARY(__habs, __habs2, fabsf(__a))
S2S_UNARY(__hneg, __hneg2, -(float)__a)
S2S_UNARY(hceil, h2ceil, ceilf(__a))
S2S_UNARY(hfloor, h2floor, floorf(__a))
S2S_UNARY(htrunc, h2trunc, truncf(__a))
S2S_UNARY(hrint, h2rint, rintf(__a))
S2S_UNARY(hsqrt, h2sqrt, sqrtf(__a))
S2S_UNARY(hrsqrt, h2rsqrt, 1 / sqrt((double)(float)__a))
S2S_UNARY(hrcp, h2rcp, 1 / (float)__a)
S2S_UNARY(hexp, h2exp, expf(__a))
S2S_UNARY(hexp2, h2exp2, exp2f(__a))
S2S_UNARY(hexp10, h2exp10, pow(10.0, (double)(float)__a))
S2S_UNARY(hlog, h2log, logf(__a))
S2S_UNARY(hlog2, h2log2, log2f(__a))
S2S_UNARY(hlog10, h2log10, log10f(__a))
S2S_UNARY(hsin, h2sin, sinf(__a))
S2S_UNARY(hcos, h2cos, cosf(__a))
S2S_UNARY(htanh, h2tanh, tanhf(__a))
S2S_UNARY(htanh_approx, h2tanh_approx, tanhf(__a))
#undef S2S_UNARY
#undef S2S_BINARY
#undef S2S_FUSED

/* ----------------------------------------------------------------------------------------------- comparisons */

#define S2S_COMPARISON(OP, VALUE)                                                                                      \
	static inline bool __h##OP(S2S_SHORT __left, S2S_SHORT __right) {                                                  \
		float __a = __left, __b = __right;                                                                             \
		return VALUE;                                                                                                  \
	}                                                                                                                  \
	static inline S2S_PAIR __h##OP##2(S2S_PAIR __a, S2S_PAIR __b) {                                                    \
		return S2S_PAIR(__h##OP(__a.x, __b.x) ? 1.0f : 0.0f, __h##OP(__a.y, __b.y) ? 1.0f : 0.0f);                     \
	}                                                                                                                  \
	static inline unsigned __h##OP##2_mask(S2S_PAIR __a, S2S_PAIR __b) {                                               \
		return (__h##OP(__a.x, __b.x) ? 0xFFFFu : 0) | (__h##OP(__a.y, __b.y) ? 0xFFFF0000u : 0);                      \
	}                                                                                                                  \
	static inline bool __hb##OP##2(S2S_PAIR __a, S2S_PAIR __b) {                                                       \
		return __h##OP(__a.x, __b.x) && __h##OP(__a.y, __b.y);                                                         \
	}
S2S_COMPARISON(eq, __a == __b)
S2S_COMPARISON(ne, __a<__b || __a> __b)
S2S_COMPARISON(lt, __a < __b)
S2S_COMPARISON(le, __a <= __b)
S2S_COMPARISON(gt, __a > __b)
S2S_COMPARISON(ge, __a >= __b)
S2S_COMPARISON(equ, !(__a < __b || __a > __b))
S2S_COMPARISON(neu, __a != __b)
S2S_COMPARISON(ltu, !(__a >= __b))
S2S_COMPARISON(leu, !(__a > __b))
S2S_COMPARISON(gtu, !(__a <= __b))
S2S_COMPARISON(geu, !(__a < __b))
#undef S2S_COMPARISON

static inline bool __hisnan(S2S_SHORT __a) {
	return (float)__a != (float)__a;
}
static inline S2S_PAIR __hisnan2(S2S_PAIR __a) {
	return S2S_PAIR(__hisnan(__a.x) ? 1.0f : 0.0f, __hisnan(__a.y) ? 1.0f : 0.0f);
}
static inline int __hisinf(S2S_SHORT __a) {
	return s2s_infinite(__a);
}

/* ------------------------------------------------------------------------------------------------- operators */

#define S2S_OPERATOR(OP, NAME, NAME2)                                                                                  \
	static inline S2S_SHORT operator OP(S2S_SHORT __a, S2S_SHORT __b) {                                                \
		return NAME(__a, __b);                                                                                         \
	}                                                                                                                  \
	static inline S2S_PAIR operator OP(S2S_PAIR __a, S2S_PAIR __b) {                                                   \
		return NAME2(__a, __b);                                                                                        \
	}                                                                                                                  \
	static inline S2S_SHORT &operator OP## = (S2S_SHORT & __a, S2S_SHORT __b) {                                        \
		return __a = NAME(__a, __b);                                                                                   \
	}                                                                                                                  \
	static inline S2S_PAIR &operator OP## = (S2S_PAIR & __a, S2S_PAIR __b) {                                           \
		return __a = NAME2(__a, __b);                                                                                  \
	}
S2S_OPERATOR(+, __hadd, __hadd2)
S2S_OPERATOR(-, __hsub, __hsub2)
S2S_OPERATOR(*, __hmul, __hmul2)
S2S_OPERATOR(/, __hdiv, __h2div)
#undef S2S_OPERATOR

#define S2S_OPERATOR(OP, NAME, NAME2)                                                                                  \
	static inline bool operator OP(S2S_SHORT __a, S2S_SHORT __b) {                                                     \
		return NAME(__a, __b);                                                                                         \
	}                                                                                                                  \
	static inline bool operator OP(S2S_PAIR __a, S2S_PAIR __b) {                                                       \
		return NAME2(__a, __b);                                                                                        \
	}
S2S_OPERATOR(==, __heq, __hbeq2)
S2S_OPERATOR(!=, __hneu, __hbneu2)
S2S_OPERATOR(<, __hlt, __hblt2)
S2S_OPERATOR(<=, __hle, __hble2)
S2S_OPERATOR(>, __hgt, __hbgt2)
S2S_OPERATOR(>=, __hge, __hbge2)
#undef S2S_OPERATOR

static inline S2S_SHORT &operator++(S2S_SHORT &__a) {
	return __a += S2S_SHORT(1.0f);
}
static inline S2S_SHORT operator++(S2S_SHORT &__a, int) {
	S2S_SHORT before = __a;
	__a += S2S_SHORT(1.0f);
	return before;
}
static inline S2S_PAIR &operator++(S2S_PAIR &__a) {
	return __a += S2S_PAIR(1.0f, 1.0f);
}
static inline S2S_PAIR operator++(S2S_PAIR &__a, int) {
	S2S_PAIR before = __a;
	__a += S2S_PAIR(1.0f, 1.0f);
	return before;
}
static inline S2S_SHORT &operator--(S2S_SHORT &__a) {
	return __a -= S2S_SHORT(1.0f);
}
static inline S2S_SHORT operator--(S2S_SHORT &__a, int) {
	S2S_SHORT before = __a;
	__a -= S2S_SHORT(1.0f);
	return before;
}
static inline S2S_PAIR &operator--(S2S_PAIR &__a) {
	return __a -= S2S_PAIR(1.0f, 1.0f);
}
static inline S2S_PAIR operator--(S2S_PAIR &__a, int) {
	S2S_PAIR before = __a;
	__a -= S2S_PAIR(1.0f, 1.0f);
	return before;
}

static inline S2S_SHORT operator+(S2S_SHORT __a) {
	return __a;
}
static inline S2S_SHORT operator-(S2S_SHORT __a) {
	return __hneg(__a);
}
static inline S2S_PAIR operator+(S2S_PAIR __a) {
	return __a;
}
static inline S2S_PAIR operator-(S2S_PAIR __a) {
	return __hneg2(__a);
}

#undef S2S_SHORT
#undef S2S_RAW
#undef S2S_PAIR
#undef S2S_NAME
#undef S2S_NAME2
#undef S2S_TO_FLOAT
#undef S2S_FROM_FLOAT
