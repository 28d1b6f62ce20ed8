// standard: gnu++20
// `__int128` and `unsigned __int128`: all operators, conversions, objects.

#include <bit>
#include <limits>
#include <type_traits>

using wide = __int128;
using uwide = unsigned __int128;

// Numbers of all sizes: near powers of two, with both signs.
__device__ uwide number(int a, int b) {
	unsigned long long x = (a + 12) * 0x9e3779b97f4a7c15ull, y = (b + 3) * 0xbf58476d1ce4e5b9ull;
	x ^= x >> 29;
	y ^= y >> 31;
	uwide v = (uwide)x << 64 | y;
	switch (a & 7) {
	case 0:
		return v >> (b * 11 & 127);
	case 1:
		return ((uwide)1 << (a * 7 + b & 127)) - (b & 1);
	case 2:
		return -v >> (a + b & 63);
	case 3:
		return ~(v >> (b * 9 & 127));
	case 4:
		return (uwide)1 << 127;
	case 5:
		return -(uwide)(b & 3);
	case 6:
		return y;
	default:
		return v;
	}
}
__device__ int fold(uwide v) {
	unsigned long long x = (unsigned long long)v ^ (unsigned long long)(v >> 64) * 31;
	return (int)(x ^ x >> 32);
}

// case: arithmetic
__device__ int f(int a, int b) {
	uwide x = number(a, b), y = number(b, a);
	wide s = (wide)x, t = (wide)y;
	int h = fold(x + y) ^ fold(x - y) * 3 ^ fold(x * y) * 5;
	h ^= fold(s + t) * 7 ^ fold(s * t) * 11 ^ fold(-s) * 13 ^ fold(~x) * 17 ^ fold(+s);
	h ^= fold(x & y) ^ fold(x | y) * 19 ^ fold(x ^ y) * 23;
	return h + !x + (s && t);
}

// case: division
__device__ int f(int a, int b) {
	uwide x = number(a, b), y = number(b, a);
	wide s = (wide)x, t = (wide)y;
	int h = 0;
	if (y) {
		h ^= fold(x / y) ^ fold(x % y) * 3;
		if (t != -1) h ^= fold(s / t) * 5 ^ fold(s % t) * 7;
	}
	h ^= fold(x / 10) ^ fold(x % 10) * 3 ^ fold(s / 10) * 5 ^ fold(s % -10) * 7 ^ fold(x / 64) ^ fold(x % 1024);
	h ^= fold(s / 64) ^ fold(s % 64) ^ fold(s / -4096) ^ fold(x / ((uwide)1 << 100));
	return h ^ fold(x / (unsigned)(b + 1)) ^ fold(s % (a | 1));
}

// case: shifts
__device__ int f(int a, int b) {
	uwide x = number(a, b);
	wide s = (wide)x;
	int n = a * 5 + b * 3 & 127;
	uwide y = 7;
	y <<= n;
	s >>= b;
	return fold(x << n) ^ fold(x >> n) * 3 ^ fold((wide)x >> n) * 5 ^ fold(x << 64) ^ fold(x >> 64) * 7 ^ fold(y) * 11 ^
		   fold(s) * 13 ^ fold((wide)x >> (uwide)n) * 17 ^ (1 << (wide)(b & 7)) ^ fold((wide)1 << 127);
}

// case: comparisons
__device__ int f(int a, int b) {
	uwide x = number(a, b), y = number(b, a);
	wide s = (wide)x, t = (wide)y;
	int h = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5;
	h |= (s < t) << 6 | (s <= t) << 7 | (s > t) << 8 | (s >= t) << 9 | (s < 0) << 10 | (s == a) << 11;
	h |= (x < 5u) << 12 | (s < b) << 13 | (x == (unsigned long long)x) << 14 | (s < 1.5) << 15 | (bool)x << 16;
	return h;
}

// case: high_products
__device__ int f(int a, int b) {
	unsigned long long x = (unsigned long long)number(a, b), y = (unsigned long long)(number(b, a) >> 64);
	unsigned long long high = (uwide)x * y >> 64;
	long long signed_high = (wide)(long long)x * (long long)y >> 64;
	uwide total = (uwide)x * y + high;
	return fold(high) ^ fold((uwide)signed_high) * 3 ^ fold(total);
}

// case: increments
__device__ int f(int a, int b) {
	wide x = number(a, b), before = x++;
	wide z = ++x;
	z += x--;
	z ^= --x;
	x += a;
	x -= b;
	x *= a - b;
	if (b) x /= b;
	x %= 1000003;
	x ^= z;
	x |= (wide)a << 90;
	x &= ~(wide)b;
	int i = a;
	i += x;
	i *= before;
	double d = b;
	d += (wide)(a * b);
	float q = 1;
	wide w = 100;
	w *= 1.5;
	w += q;
	return fold(x) ^ fold(before) ^ i ^ (int)d ^ (int)w;
}

// case: to_double gives double
__device__ double f(int a, int b) {
	uwide x = number(a, b);
	return b & 1 ? (double)x : (double)(wide)x;
}

// case: to_float gives float
__device__ float f(int a, int b) {
	uwide x = number(a, b);
	return b & 1 ? (float)x : (float)(wide)x;
}

// case: ties gives double
__device__ double f(int a, int b) {
	int n = a + 12 & 63;
	uwide one = 1, tie = (one << 54 | (uwide)(b & 3) << 1 | 1) << n; // halfway between two doubles
	uwide x = tie + (b & 4 ? 1 : 0) - (b & 8 ? 1 : 0);
	uwide y = ((one << 25 | (uwide)(b & 3) << 1 | 1) << n) + (b & 4 ? 1 : 0) - (b & 8 ? 1 : 0);
	return (double)x + (float)y + (double)-(wide)x * 0.5 + (float)~y * 0.25f;
}

// case: from_floats
__device__ int f(int a, int b) {
	double x = (a - 20) * 1.37e-3, y = a * 0.731 + b;
	for (int i = 0; i < b; i++) {
		x *= 1000.7;
		y *= 512.25;
	}
	float z = (float)x;
	wide s = x;
	uwide u = y < 0 ? -y : y;
	return fold(s) ^ fold(u) * 3 ^ fold((wide)z) * 5 ^ fold((wide)(-0.75 * b)) ^ fold((uwide)0.999f) ^
		   fold((wide)-1.7014118346046923e38) ^ fold((uwide)3.4e38) ^ fold((wide)1.5e38f);
}

// case: conversions
__device__ int f(int a, int b) {
	wide s = (wide)number(a, b);
	long long l = (long long)s;
	int i = (int)s;
	short h = (short)s;
	unsigned char c = (unsigned char)s;
	bool truth = s;
	uwide from_int = a, from_char = (signed char)a, from_unsigned = (unsigned)a, from_bool = a > b;
	wide from_long = (long long)a << 40, from_u64 = 0x8000000000000000ull + b;
	int *p = &i;
	return (int)l ^ i ^ h ^ c ^ truth ^ fold(from_int) ^ fold(from_char) * 3 ^ fold(from_unsigned) * 5 ^
		   fold(from_bool) ^ fold(from_long) ^ fold(from_u64) ^ (p == (int *)(uwide)(unsigned long long)p);
}

// case: objects
struct A {
	char c;
	wide x;
	int y;
	uwide z[3];
};
union U {
	wide w;
	unsigned long long half[2];
	unsigned char byte[16];
};
template <class T> __device__ T sum(const T *p, int n) {
	T s = 0;
	for (int i = 0; i < n; i++) s += p[i];
	return s;
}
__device__ wide twice(wide x) { return 2 * x; }
__device__ void add(wide &x, int n) { x += n; }
__device__ A changed(A s, int at) {
	s.z[at] += s.x;
	return s;
}
__device__ int f(int a, int b) {
	wide v[5];
	for (int i = 0; i < 5; i++) v[i] = twice((wide)number(a + i, b)) + i;
	A s[3] = {};
	s[0].x = v[b % 5];
	s[1].y = a;
	s[1].x = s[0].x;
	s[2] = s[1];
	if (a & 1) add(s[2].x, b & 15);
	wide *p = &v[1];
	p++;
	*p -= 5;
	A t = a & 2 ? s[1] : s[2];
	t = changed(t, b % 3);
	U u;
	u.w = v[a & 3];
	u.byte[b] ^= 0x5a;
	u.half[1] += 3;
	return fold(t.x) ^ fold(s[2].x) * 3 ^ fold(sum(v, 5)) ^ (int)(p - v) ^ (t.y == a) ^ fold(u.w) ^
		   fold(t.z[(wide)b % 3]) ^ fold(*(v + (uwide)(b & 3)));
}

// case: sizes
struct A {
	char c;
	wide x;
	int y;
};
struct B {
	uwide x;
	char c;
};
struct C : B {
	char d;
};
__device__ int f(int a, int b) {
	return sizeof(wide) + alignof(uwide) * 100 + sizeof(A) * 1000 + sizeof(B) * 100000 + sizeof(a + (wide)b) +
		   sizeof(C) * 10000000 + alignof(A) + sizeof(__int128_t) + sizeof(__uint128_t);
}

// case: overloads_and_ranks
__device__ int which(int) { return 1; }
__device__ int which(long long) { return 2; }
__device__ int which(wide) { return 3; }
__device__ int which(uwide) { return 4; }
__device__ int which(double) { return 5; }
__device__ int one(wide) { return 1; }
__device__ int one(const void *) { return 2; }
template <class T> struct is {
	static constexpr int value = 0;
};
template <> struct is<wide> {
	static constexpr int value = 1;
};
template <> struct is<uwide> {
	static constexpr int value = 2;
};
__device__ int f(int a, int b) {
	wide x = a;
	uwide y = b;
	return which(x) + which(y) * 10 + which(x + y) * 100 + which(x + 1ull) * 1000 + which(-x) * 10000 +
		   is<decltype(a > b ? x : b)>::value * 100000 + is<decltype(y >> x)>::value * 1000000 + one('a') * 10000000 +
		   which(x * 1.0) + is<signed __int128>::value + is<__uint128_t>::value + is<__int128 unsigned>::value;
}

// case: constants
constexpr uwide power(uwide base, int n) {
	uwide r = 1;
	for (int i = 0; i < n; i++) r *= base;
	return r;
}
constexpr uwide most = ~(uwide)0;
constexpr wide least = -(wide)(most >> 1) - 1;
static_assert(most / 3 * 3 == most && most % 10 == 5 && least / 2 == -(wide)((uwide)1 << 126));
static_assert(power(10, 38) > power(10, 37) * 9 && power(10, 38) >> 100 == 78886090);
static_assert((double)most == 340282366920938463463374607431768211456.0 && (wide)-1.5e30 < -1);
static_assert((unsigned long long)(power(3, 70) >> 64) == 135696331829136ull);
template <uwide N> __device__ int low() { return (int)(N >> 96); }
__constant__ wide table[] = {(wide)1 << 100, -5, least};
enum : unsigned { big = (unsigned)(power(7, 40) >> 80) };
__device__ int f(int a, int b) {
	constexpr wide c = power(5, 50);
	wide local[3] = {c, least, (wide)most};
	return fold(most) ^ fold(least) * 3 ^ fold(c) ^ low<power(2, 100) + 1>() ^ fold(local[b % 3] + a) ^ big ^
		   fold((wide)1 << 100) ^ fold((uwide)0xfffffffffffffffful << 64 | 0x123456789abcdefull);
}

// case: control
__device__ int f(int a, int b) {
	wide x = (wide)number(a, b);
	int n = 0;
	while (x) {
		x = (uwide)x >> (a & 3) + 1;
		n++;
		if (x % 7 == 3) continue;
		if (n > 90) break;
	}
	switch ((wide)(a - b)) {
	case 0:
		n += 1000;
		break;
	case -3:
		n += 2000;
		break;
	case (wide)7:
		n += 3000;
		break;
	default:
		n += 4000;
	}
	uwide best = 0;
	for (uwide i = 1; i < (uwide)(b + 2); ++i) best = best < i * i ? i * i : best;
	return n + (int)best + (a > 3 ? (int)(x + 1) : b);
}

// case: classes
struct Q {
	wide v;
	__device__ Q(wide v = 0) : v(v) {}
	__device__ operator wide() const { return v; }
	__device__ Q operator+(const Q &o) const { return v + o.v; }
};
template <class T> __device__ T gcd(T x, T y) { return y == 0 ? x : gcd<T>(y, x % y); }
struct Fields {
	wide low : 70;
	uwide high : 58;
};
__device__ int f(int a, int b) {
	Q q = a, r = q + Q(b);
	wide w = r;
	auto add = [=](wide x) { return x + w; };
	uwide g = gcd<uwide>(number(a, b) >> 40, (uwide)(b + 1) << 30);
	return fold(add(a)) ^ fold(g) ^ (int)r;
}

// case: traits_and_bits
using limits = std::numeric_limits<wide>;
using ulimits = std::numeric_limits<uwide>;
static_assert(std::is_integral_v<wide> && std::is_arithmetic_v<uwide> && std::is_signed_v<wide>);
static_assert(std::is_unsigned_v<uwide> && std::is_same_v<std::make_unsigned_t<wide>, uwide>);
static_assert(std::is_same_v<std::make_signed_t<const uwide>, const wide> && limits::digits == 127);
static_assert(limits::max() == (wide)(~(uwide)0 >> 1) && limits::min() == -limits::max() - 1);
static_assert(ulimits::max() == ~(uwide)0 && ulimits::digits10 == 38 && ulimits::min() == 0);
static_assert(std::is_same_v<std::common_type_t<wide, unsigned long long>, wide>);
__device__ int f(int a, int b) {
	uwide x = number(a, b);
	return std::popcount(x) + std::countl_zero(x) * 200 + std::countr_zero(x) * 40000 ^ fold(std::rotl(x, b * 13)) ^
		   fold(std::bit_floor(x)) ^ std::has_single_bit(x) ^ std::bit_width(x);
}
