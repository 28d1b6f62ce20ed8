// `long double`: a type of its own with 16 bytes, computed with as double.

// case: overloads_and_ranks
__device__ int which(float) { return 1; }
__device__ int which(double) { return 2; }
__device__ int which(long double) { return 3; }
__device__ int one(double) { return 1; }
__device__ int one(int) { return 2; }
template <class T> struct is {
	static constexpr int value = 0;
};
template <> struct is<double> {
	static constexpr int value = 1;
};
template <> struct is<long double> {
	static constexpr int value = 2;
};
__device__ int f(int a, int b) {
	long double x = a;
	auto sum = x + 1.0f;
	auto mixed = 2.0 * x;
	auto chosen = a > b ? x : b;
	return which(x) + which(1.0L) * 10 + which(sum) * 100 + which(mixed) * 1000 + which(-x) * 10000 +
		   is<decltype(chosen)>::value * 100000 + is<decltype(1.0L)>::value * 1000000 + is<double>::value + one(1.0);
}

// case: sizes
struct A {
	char c;
	long double x;
	int y;
};
__device__ int f(int a, int b) {
	return sizeof(long double) + alignof(long double) * 100 + sizeof(A) * 10000 + sizeof(a + 1.0l);
}

// case: objects
struct A {
	char c;
	long double x;
	int y;
};
template <class T> __device__ T sum(const T *p, int n) {
	T s = 0;
	for (int i = 0; i < n; i++) s += p[i];
	return s;
}
__device__ long double twice(long double x) { return 2 * x; }
__device__ void add(long double &x, int n) { x += n; }
__device__ int f(int a, int b) {
	long double v[5];
	for (int i = 0; i < 5; i++) v[i] = twice(i + (a & 63)) + 0.25L;
	A s[3];
	s[0].x = v[b & 3];
	s[1].y = a;
	s[1].x = s[0].x;
	s[2] = s[1];
	if (a & 1) add(s[2].x, b & 15);
	long double *p = &v[1];
	p++;
	*p -= 0.5L;
	A t = a & 2 ? s[1] : s[2];
	return (int)((t.x + s[2].x * 3 + sum(v, 5)) * 8) + (int)(p - v) + (t.y == a);
}

// case: conversions
__device__ int f(int a, int b) {
	long double x = a, y = (float)b;
	bool larger = x > y, truth = x;
	unsigned long long wide = (unsigned long long)(x < 0 ? -x : x);
	x++;
	--y;
	return larger + truth * 2 + (int)(wide % 1000) * 4 + (int)(float)(x / 4096) + (int)(double)(y / 8192);
}

// case: large_numbers
__device__ long double wide(long long x) { return x; }
__device__ float narrow(long double x) { return x; }
__device__ int f(int a, int b) {
	int low = (a & 0xffff) | 0x40000001;
	long long high = ((long long)b << 40) | 5;
	long double x = low, y = wide(high);
	unsigned u = (unsigned)(a & 0xff) | 0xff000001u;
	long double w = u;
	return ((int)x == low) + ((long long)y == high) * 2 + ((unsigned)w == u) * 4 + (narrow(w) == (float)u) * 8;
}

// case: literal_operators
__device__ constexpr long double operator""_twice(long double x) { return x * 2; }
struct Length {
	double meters;
};
__device__ constexpr Length operator""_m(long double v) { return {static_cast<double>(v)}; }
__device__ constexpr long double half = 0.5l;
static_assert(1.5_twice == 3.0L, "");
static_assert(half < 1.0, "");
__device__ int f(int a, int b) { return (int)(1.5_twice + (2.25_m).meters * 4 + half * 2) + a; }

// case: neighbours
__device__ int f(int a, int b) {
	long double v[8], *p = v;
	for (int i = 0; i < 8; i++) p[i] = a + i * 100;
	v[(a & 7) ^ 1] += b;
	return (int)(v[a * 5 + b & 7] * 1000 + v[b & 7] + p[3]);
}
