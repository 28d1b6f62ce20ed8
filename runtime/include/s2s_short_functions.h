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
	S2S_SHORT(S2S_RAW raw) : __x(raw.x) {
	}
	S2S_SHORT(float value) : __x(S2S_FROM_FLOAT(value)) {
	}
	S2S_SHORT(double value) : __x(S2S_FROM_FLOAT(s2s_float_odd(value))) {
	}
	S2S_SHORT(int value) : S2S_SHORT((double)value) {
	}
	S2S_SHORT(unsigned value) : S2S_SHORT((double)value) {
	}
	S2S_SHORT(long value) : S2S_SHORT(s2s_double_odd(value)) {
	}
	S2S_SHORT(unsigned long value) : S2S_SHORT(s2s_double_odd(value)) {
	}
	S2S_SHORT(long long value) : S2S_SHORT(s2s_double_odd(value)) {
	}
	S2S_SHORT(unsigned long long value) : S2S_SHORT(s2s_double_odd(value)) {
	}
	operator float() const {
		return S2S_TO_FLOAT(__x);
	}
	operator S2S_RAW() const {
		return S2S_RAW{__x};
	}
};

struct __attribute__((aligned(4))) S2S_PAIR {
	S2S_SHORT x, y;
	S2S_PAIR() = default;
	S2S_PAIR(S2S_SHORT first, S2S_SHORT second) : x(first), y(second) {
	}
};

/* ------------------------------------------------------------------------------------------------ conversions */

static inline S2S_SHORT S2S_JOIN(__ushort_as_, S2S_NAME, )(unsigned short bits) {
	return S2S_SHORT(S2S_RAW{bits});
}
static inline S2S_SHORT S2S_JOIN(__short_as_, S2S_NAME, )(short bits) {
	return S2S_SHORT(S2S_RAW{(unsigned short)bits});
}
static inline unsigned short S2S_JOIN(__, S2S_NAME, _as_ushort)(S2S_SHORT a) {
	return a.__x;
}
static inline short S2S_JOIN(__, S2S_NAME, _as_short)(S2S_SHORT a) {
	return (short)a.__x;
}
static inline float S2S_JOIN(__, S2S_NAME, 2float)(S2S_SHORT a) {
	return a;
}
static inline S2S_SHORT S2S_JOIN(__float2, S2S_NAME, )(float value) {
	return value;
}
static inline S2S_SHORT S2S_JOIN(__double2, S2S_NAME, )(double value) {
	return value;
}

/* Rounds to the nearest, and on from there to `mode` ('z'ero, 'd'own, 'u'p) if that is on the wrong side. */
static inline S2S_SHORT S2S_JOIN(s2s_, S2S_NAME, _toward)(double value, char mode) {
	S2S_SHORT near(value);
	double found = (float)near;
	bool down = found > value && (mode == 'd' || (mode == 'z' && value > 0));
	bool up = found < value && (mode == 'u' || (mode == 'z' && value < 0));
	if (!down && !up)
		return near;
	if ((near.__x & 0x7FFF) == 0)
		near.__x = down ? 0x8001 : 1;
	else
		near.__x += (near.__x & 0x8000) == 0 ? (down ? -1 : 1) : (down ? 1 : -1);
	return near;
}

#define S2S_FROM_NUMBER(NUMBER, TYPE)                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _rn)(TYPE value) {                                       \
		return S2S_SHORT(s2s_double_odd(value));                                                                       \
	}                                                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _rz)(TYPE value) {                                       \
		return S2S_JOIN(s2s_, S2S_NAME, _toward)(s2s_double_odd(value), 'z');                                          \
	}                                                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _rd)(TYPE value) {                                       \
		return S2S_JOIN(s2s_, S2S_NAME, _toward)(s2s_double_odd(value), 'd');                                          \
	}                                                                                                                  \
	static inline S2S_SHORT S2S_JOIN(__##NUMBER##2, S2S_NAME, _ru)(TYPE value) {                                       \
		return S2S_JOIN(s2s_, S2S_NAME, _toward)(s2s_double_odd(value), 'u');                                          \
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
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_rn)(S2S_SHORT a) {                                           \
		return s2s_to_integer<TYPE>(rint((double)(float)a));                                                           \
	}                                                                                                                  \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_rz)(S2S_SHORT a) {                                           \
		return s2s_to_integer<TYPE>(trunc((double)(float)a));                                                          \
	}                                                                                                                  \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_rd)(S2S_SHORT a) {                                           \
		return s2s_to_integer<TYPE>(floor((double)(float)a));                                                          \
	}                                                                                                                  \
	static inline TYPE S2S_JOIN(__, S2S_NAME, 2##NUMBER##_ru)(S2S_SHORT a) {                                           \
		return s2s_to_integer<TYPE>(ceil((double)(float)a));                                                           \
	}
S2S_TO_NUMBER(int, int)
S2S_TO_NUMBER(uint, unsigned)
S2S_TO_NUMBER(short, short)
S2S_TO_NUMBER(ushort, unsigned short)
S2S_TO_NUMBER(ll, long long)
S2S_TO_NUMBER(ull, unsigned long long)
#undef S2S_TO_NUMBER

static inline signed char S2S_JOIN(__, S2S_NAME, 2char_rz)(S2S_SHORT a) {
	return s2s_to_integer<signed char>(trunc((double)(float)a));
}
static inline unsigned char S2S_JOIN(__, S2S_NAME, 2uchar_rz)(S2S_SHORT a) {
	return s2s_to_integer<unsigned char>(trunc((double)(float)a));
}

/* ------------------------------------------------------------------------------------------- parts of pairs */

static inline S2S_PAIR S2S_JOIN(make_, S2S_NAME2, )(S2S_SHORT a, S2S_SHORT b) {
	return S2S_PAIR(a, b);
}
static inline S2S_PAIR S2S_JOIN(__halves2, S2S_NAME2, )(S2S_SHORT a, S2S_SHORT b) {
	return S2S_PAIR(a, b);
}
static inline S2S_PAIR S2S_JOIN3(__, S2S_NAME, 2, S2S_NAME2)(S2S_SHORT a) {
	return S2S_PAIR(a, a);
}
static inline S2S_PAIR S2S_JOIN(__float2, S2S_NAME2, _rn)(float a) {
	return S2S_PAIR(a, a);
}
static inline S2S_PAIR S2S_JOIN(__floats2, S2S_NAME2, _rn)(float a, float b) {
	return S2S_PAIR(a, b);
}
static inline S2S_PAIR S2S_JOIN(__float22, S2S_NAME2, _rn)(float2 a) {
	return S2S_PAIR(a.x, a.y);
}
static inline float2 S2S_JOIN(__, S2S_NAME2, 2float2)(S2S_PAIR a) {
	return float2{a.x, a.y};
}
static inline S2S_SHORT S2S_JOIN(__low2, S2S_NAME, )(S2S_PAIR a) {
	return a.x;
}
static inline S2S_SHORT S2S_JOIN(__high2, S2S_NAME, )(S2S_PAIR a) {
	return a.y;
}
static inline float __low2float(S2S_PAIR a) {
	return a.x;
}
static inline float __high2float(S2S_PAIR a) {
	return a.y;
}
static inline S2S_PAIR S2S_JOIN(__low2, S2S_NAME2, )(S2S_PAIR a) {
	return S2S_PAIR(a.x, a.x);
}
static inline S2S_PAIR S2S_JOIN(__high2, S2S_NAME2, )(S2S_PAIR a) {
	return S2S_PAIR(a.y, a.y);
}
static inline S2S_PAIR S2S_JOIN(__lows2, S2S_NAME2, )(S2S_PAIR a, S2S_PAIR b) {
	return S2S_PAIR(a.x, b.x);
}
static inline S2S_PAIR S2S_JOIN(__highs2, S2S_NAME2, )(S2S_PAIR a, S2S_PAIR b) {
	return S2S_PAIR(a.y, b.y);
}
static inline S2S_PAIR __lowhigh2highlow(S2S_PAIR a) {
	return S2S_PAIR(a.y, a.x);
}

/* ------------------------------------------------------------------------------------------------ arithmetic */

static inline S2S_SHORT s2s_saturated(S2S_SHORT a) {
	return (float)a > 0 ? ((float)a < 1 ? a : S2S_SHORT(1.0f)) : S2S_SHORT(0.0f);
}
static inline S2S_SHORT s2s_not_negative(S2S_SHORT a) {
	return (float)a <= 0 ? S2S_SHORT(0.0f) : a;
}

#define S2S_UNARY(NAME, NAME2, VALUE)                                                                                  \
	static inline S2S_SHORT NAME(S2S_SHORT a) {                                                                        \
		return S2S_SHORT(VALUE);                                                                                       \
	}                                                                                                                  \
	static inline S2S_PAIR NAME2(S2S_PAIR a) {                                                                         \
		return S2S_PAIR(NAME(a.x), NAME(a.y));                                                                         \
	}
#define S2S_BINARY(NAME, NAME2, VALUE)                                                                                 \
	static inline S2S_SHORT NAME(S2S_SHORT a, S2S_SHORT b) {                                                           \
		return S2S_SHORT(VALUE);                                                                                       \
	}                                                                                                                  \
	static inline S2S_PAIR NAME2(S2S_PAIR a, S2S_PAIR b) {                                                             \
		return S2S_PAIR(NAME(a.x, b.x), NAME(a.y, b.y));                                                               \
	}
#define S2S_FUSED(NAME, NAME2, VALUE)                                                                                  \
	static inline S2S_SHORT NAME(S2S_SHORT a, S2S_SHORT b, S2S_SHORT c) {                                              \
		return S2S_SHORT(VALUE);                                                                                       \
	}                                                                                                                  \
	static inline S2S_PAIR NAME2(S2S_PAIR a, S2S_PAIR b, S2S_PAIR c) {                                                 \
		return S2S_PAIR(NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y));                                                     \
	}
S2S_BINARY(__hadd, __hadd2, (float)a + (float)b)
S2S_BINARY(__hsub, __hsub2, (float)a - (float)b)
S2S_BINARY(__hmul, __hmul2, (float)a *(float)b)
S2S_BINARY(__hadd_rn, __hadd2_rn, __hadd(a, b))
S2S_BINARY(__hsub_rn, __hsub2_rn, __hsub(a, b))
S2S_BINARY(__hmul_rn, __hmul2_rn, __hmul(a, b))
S2S_BINARY(__hadd_sat, __hadd2_sat, s2s_saturated(__hadd(a, b)))
S2S_BINARY(__hsub_sat, __hsub2_sat, s2s_saturated(__hsub(a, b)))
S2S_BINARY(__hmul_sat, __hmul2_sat, s2s_saturated(__hmul(a, b)))
S2S_BINARY(__hdiv, __h2div, (float)a / (float)b)
S2S_BINARY(__hmax, __hmax2, s2s_larger(a, b))
S2S_BINARY(__hmin, __hmin2, -s2s_larger(-(float)a, -(float)b))
S2S_BINARY(__hmax_nan, __hmax2_nan, s2s_nan_or(a, b, s2s_larger(a, b)))
S2S_BINARY(__hmin_nan, __hmin2_nan, s2s_nan_or(a, b, -s2s_larger(-(float)a, -(float)b)))
S2S_FUSED(__hfma, __hfma2, fma((double)(float)a, (double)(float)b, (double)(float)c))
S2S_FUSED(__hfma_sat, __hfma2_sat, s2s_saturated(__hfma(a, b, c)))
S2S_FUSED(__hfma_relu, __hfma2_relu, s2s_not_negative(__hfma(a, b, c)))
S2S_UNARY(__habs, __habs2, fabsf(a))
S2S_UNARY(__hneg, __hneg2, -(float)a)
S2S_UNARY(hceil, h2ceil, ceilf(a))
S2S_UNARY(hfloor, h2floor, floorf(a))
S2S_UNARY(htrunc, h2trunc, truncf(a))
S2S_UNARY(hrint, h2rint, rintf(a))
S2S_UNARY(hsqrt, h2sqrt, sqrtf(a))
S2S_UNARY(hrsqrt, h2rsqrt, 1 / sqrt((double)(float)a))
S2S_UNARY(hrcp, h2rcp, 1 / (float)a)
S2S_UNARY(hexp, h2exp, expf(a))
S2S_UNARY(hexp2, h2exp2, exp2f(a))
S2S_UNARY(hexp10, h2exp10, pow(10.0, (double)(float)a))
S2S_UNARY(hlog, h2log, logf(a))
S2S_UNARY(hlog2, h2log2, log2f(a))
S2S_UNARY(hlog10, h2log10, log10f(a))
S2S_UNARY(hsin, h2sin, sinf(a))
S2S_UNARY(hcos, h2cos, cosf(a))
S2S_UNARY(htanh, h2tanh, tanhf(a))
S2S_UNARY(htanh_approx, h2tanh_approx, tanhf(a))
#undef S2S_UNARY
#undef S2S_BINARY
#undef S2S_FUSED

/* ----------------------------------------------------------------------------------------------- comparisons */

#define S2S_COMPARISON(OP, VALUE)                                                                                      \
	static inline bool __h##OP(S2S_SHORT left, S2S_SHORT right) {                                                      \
		float a = left, b = right;                                                                                     \
		return VALUE;                                                                                                  \
	}                                                                                                                  \
	static inline S2S_PAIR __h##OP##2(S2S_PAIR a, S2S_PAIR b) {                                                        \
		return S2S_PAIR(__h##OP(a.x, b.x) ? 1.0f : 0.0f, __h##OP(a.y, b.y) ? 1.0f : 0.0f);                             \
	}                                                                                                                  \
	static inline unsigned __h##OP##2_mask(S2S_PAIR a, S2S_PAIR b) {                                                   \
		return (__h##OP(a.x, b.x) ? 0xFFFFu : 0) | (__h##OP(a.y, b.y) ? 0xFFFF0000u : 0);                              \
	}                                                                                                                  \
	static inline bool __hb##OP##2(S2S_PAIR a, S2S_PAIR b) {                                                           \
		return __h##OP(a.x, b.x) && __h##OP(a.y, b.y);                                                                 \
	}
S2S_COMPARISON(eq, a == b)
S2S_COMPARISON(ne, a<b || a> b)
S2S_COMPARISON(lt, a < b)
S2S_COMPARISON(le, a <= b)
S2S_COMPARISON(gt, a > b)
S2S_COMPARISON(ge, a >= b)
S2S_COMPARISON(equ, !(a < b || a > b))
S2S_COMPARISON(neu, a != b)
S2S_COMPARISON(ltu, !(a >= b))
S2S_COMPARISON(leu, !(a > b))
S2S_COMPARISON(gtu, !(a <= b))
S2S_COMPARISON(geu, !(a < b))
#undef S2S_COMPARISON

static inline bool __hisnan(S2S_SHORT a) {
	return (float)a != (float)a;
}
static inline S2S_PAIR __hisnan2(S2S_PAIR a) {
	return S2S_PAIR(__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f);
}
static inline int __hisinf(S2S_SHORT a) {
	return s2s_infinite(a);
}

/* ------------------------------------------------------------------------------------------------- operators */

#define S2S_OPERATOR(OP, NAME, NAME2)                                                                                  \
	static inline S2S_SHORT operator OP(S2S_SHORT a, S2S_SHORT b) {                                                    \
		return NAME(a, b);                                                                                             \
	}                                                                                                                  \
	static inline S2S_PAIR operator OP(S2S_PAIR a, S2S_PAIR b) {                                                       \
		return NAME2(a, b);                                                                                            \
	}                                                                                                                  \
	static inline S2S_SHORT &operator OP## = (S2S_SHORT & a, S2S_SHORT b) {                                            \
		return a = NAME(a, b);                                                                                         \
	}                                                                                                                  \
	static inline S2S_PAIR &operator OP## = (S2S_PAIR & a, S2S_PAIR b) {                                               \
		return a = NAME2(a, b);                                                                                        \
	}
S2S_OPERATOR(+, __hadd, __hadd2)
S2S_OPERATOR(-, __hsub, __hsub2)
S2S_OPERATOR(*, __hmul, __hmul2)
S2S_OPERATOR(/, __hdiv, __h2div)
#undef S2S_OPERATOR

#define S2S_OPERATOR(OP, NAME, NAME2)                                                                                  \
	static inline bool operator OP(S2S_SHORT a, S2S_SHORT b) {                                                         \
		return NAME(a, b);                                                                                             \
	}                                                                                                                  \
	static inline bool operator OP(S2S_PAIR a, S2S_PAIR b) {                                                           \
		return NAME2(a, b);                                                                                            \
	}
S2S_OPERATOR(==, __heq, __hbeq2)
S2S_OPERATOR(!=, __hneu, __hbneu2)
S2S_OPERATOR(<, __hlt, __hblt2)
S2S_OPERATOR(<=, __hle, __hble2)
S2S_OPERATOR(>, __hgt, __hbgt2)
S2S_OPERATOR(>=, __hge, __hbge2)
#undef S2S_OPERATOR

static inline S2S_SHORT &operator++(S2S_SHORT &a) {
	return a += S2S_SHORT(1.0f);
}
static inline S2S_SHORT operator++(S2S_SHORT &a, int) {
	S2S_SHORT before = a;
	a += S2S_SHORT(1.0f);
	return before;
}
static inline S2S_PAIR &operator++(S2S_PAIR &a) {
	return a += S2S_PAIR(1.0f, 1.0f);
}
static inline S2S_PAIR operator++(S2S_PAIR &a, int) {
	S2S_PAIR before = a;
	a += S2S_PAIR(1.0f, 1.0f);
	return before;
}
static inline S2S_SHORT &operator--(S2S_SHORT &a) {
	return a -= S2S_SHORT(1.0f);
}
static inline S2S_SHORT operator--(S2S_SHORT &a, int) {
	S2S_SHORT before = a;
	a -= S2S_SHORT(1.0f);
	return before;
}
static inline S2S_PAIR &operator--(S2S_PAIR &a) {
	return a -= S2S_PAIR(1.0f, 1.0f);
}
static inline S2S_PAIR operator--(S2S_PAIR &a, int) {
	S2S_PAIR before = a;
	a -= S2S_PAIR(1.0f, 1.0f);
	return before;
}

static inline S2S_SHORT operator+(S2S_SHORT a) {
	return a;
}
static inline S2S_SHORT operator-(S2S_SHORT a) {
	return __hneg(a);
}
static inline S2S_PAIR operator+(S2S_PAIR a) {
	return a;
}
static inline S2S_PAIR operator-(S2S_PAIR a) {
	return __hneg2(a);
}

#undef S2S_SHORT
#undef S2S_RAW
#undef S2S_PAIR
#undef S2S_NAME
#undef S2S_NAME2
#undef S2S_TO_FLOAT
#undef S2S_FROM_FLOAT
