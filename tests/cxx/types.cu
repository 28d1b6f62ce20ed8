// Types: references, unions, bit-fields, nested structs, pointers, vector types, alignment, function pointers.
#include <cstdint>
#include <cstddef>

// case: reference_parameter
__device__ void g(int &x) { x += 3; }
__device__ int f(int a, int b) {
	g(a);
	g(b);
	return a * 100 + b;
}

// case: reference_local
__device__ int f(int a, int b) {
	int &r = a > b ? a : b;
	r *= 2;
	const int &c = a;
	return c + b;
}

// case: reference_return
__device__ int &pick(int &x, int &y) { return x < y ? x : y; }
__device__ int f(int a, int b) {
	pick(a, b) = 50;
	return a * 100 + b;
}

// case: reference_member
struct R {
	int &x;
	const int &y;
};
__device__ int f(int a, int b) {
	R r = {a, b};
	r.x += 5;
	return r.x + r.y + a;
}

// case: reference_to_array
__device__ int sum(const int (&v)[4]) {
	int s = 0;
	for (int i = 0; i < 4; i++) s += v[i];
	return s + sizeof(v);
}
__device__ void set(int (&v)[4], int x) { v[x & 3] = x; }
__device__ int f(int a, int b) {
	int v[4] = {a, b, 1, 2};
	set(v, b);
	return sum(v);
}

// case: reference_to_pointer
__device__ void next(const int *&p) { ++p; }
__device__ int f(int a, int b) {
	int v[3] = {a, b, 9};
	const int *p = v;
	next(p);
	if (a > b) next(p);
	return *p;
}

// case: reference_to_struct
struct P {
	int x, y;
};
__device__ void swap(P &p, P &q) {
	P t = p;
	p = q;
	q = t;
}
__device__ int f(int a, int b) {
	P p = {a, 1}, q = {b, 2};
	if (b % 2) swap(p, q);
	return p.x * 10 + q.y;
}

// case: reference_to_element
__device__ int f(int a, int b) {
	int v[5] = {};
	for (int i = 0; i < 5; i++) {
		int &e = v[(i + b) % 5];
		e = i * a;
	}
	return v[0] + v[2] * 10;
}

// case: reference_temporary
__device__ int g(const int &x, const float &y) { return x + (int)(y * 2); }
__device__ int f(int a, int b) {
	const int &t = a + b;
	return g(a * 2, b) + t;
}

// case: reference_rvalue
__device__ int g(int &&x) {
	x++;
	return x;
}
__device__ int f(int a, int b) {
	int &&t = a + b;
	t *= 2;
	return g(a * 3) + t;
}

// case: reference_through_calls
__device__ void h(int &x, int n) {
	if (n > 0) {
		x += n;
		h(x, n - 1);
	}
}
__device__ void g(int &x, int n) { h(x, n); }
__device__ int f(int a, int b) {
	g(a, b);
	return a;
}

// case: reference_aliases
__device__ int g(int &x, int &y) {
	x += 1;
	y += 10;
	return x;
}
__device__ int f(int a, int b) { return g(a, a) + g(a, b) * 100 + a; }

// case: reference_conditional_lanes
__device__ void add(int &x, int &y, bool which) {
	int &r = which ? x : y;
	for (int i = 0; i < 3; i++) r += i;
}
__device__ int f(int a, int b) {
	int x = 1, y = 2;
	add(x, y, a % 2);
	add(y, x, b % 3 == 0);
	return x * 100 + y;
}

// case: union_plain gives unsigned
union U {
	float f;
	unsigned u;
	unsigned char c[4];
};
__device__ unsigned f(int a, int b) {
	U x;
	x.f = a * 1.25f;
	x.c[1] ^= b;
	return x.u;
}

// case: union_anonymous
struct S {
	int kind;
	union {
		int i;
		float f;
		struct {
			short lo, hi;
		};
	};
};
__device__ int f(int a, int b) {
	S s;
	s.kind = b & 1;
	if (s.kind)
		s.i = a * 70000;
	else
		s.f = a;
	S t = s;
	return t.lo * 3 + t.hi + t.kind;
}

// case: union_local gives double
__device__ double f(int a, int b) {
	union {
		double d;
		long long l;
	};
	d = a * 0.5;
	l += b;
	return d;
}

// case: union_initialised gives unsigned
union U {
	unsigned u;
	float f;
};
__device__ unsigned f(int a, int b) {
	U x = {(unsigned)a};
	U y;
	y = x;
	y.u += b;
	return y.u + sizeof(U);
}

// case: union_copy_in_array gives unsigned
union U {
	unsigned u;
	unsigned short h[2];
};
__device__ unsigned f(int a, int b) {
	U v[3];
	for (int i = 0; i < 3; i++) v[i].u = a * 1000 + i;
	v[0] = v[b % 3];
	return v[0].h[0] * 7u + v[0].h[1];
}

// case: bit_field_unsigned
struct B {
	unsigned a : 3, b : 5, c : 24;
};
__device__ int f(int a, int b) {
	B x = {};
	x.a = a;
	x.b = b * 3;
	x.c = a * b;
	x.a++;
	x.b -= 7;
	return x.a * 100000 + x.b * 1000 + x.c % 1000;
}

// case: bit_field_signed
struct B {
	int a : 4;
	int b : 10;
	signed char c : 3;
};
__device__ int f(int a, int b) {
	B x;
	x.a = a;
	x.b = a * b;
	x.c = b;
	return x.a * 10000 + x.b * 10 + x.c;
}

// case: bit_field_long gives long long
struct B {
	long long a : 40;
	unsigned long long b : 24;
};
__device__ long long f(int a, int b) {
	B x;
	x.a = (long long)a << 33;
	x.b = b - 1;
	return x.a + x.b + sizeof(B);
}

// case: bit_field_gap
struct B {
	unsigned a : 7;
	unsigned : 0;
	unsigned b : 4;
	bool c : 1;
	unsigned : 3;
	unsigned d : 9;
};
__device__ int f(int a, int b) {
	B x;
	x.a = a;
	x.b = b;
	x.c = a > b;
	x.d = a + b;
	return x.a + x.b * 200 + x.c * 5000 + x.d * 10000 + sizeof(B);
}

// case: bit_field_assignment_value
struct B {
	unsigned a : 2;
	int b : 3;
};
__device__ int f(int a, int b) {
	B x = {1, 1};
	int r = (x.a = a);
	r = r * 100 + (x.b += b);
	return r * 10 + x.a++;
}

// case: bit_field_bytes gives unsigned
struct B {
	unsigned char a : 3, b : 5;
	unsigned short c : 9;
};
union U {
	B b;
	unsigned u;
};
__device__ unsigned f(int a, int b) {
	U x;
	x.u = 0;
	x.b.a = a;
	x.b.b = b;
	x.b.c = a * b;
	return x.u * 10 + sizeof(B);
}

// case: struct_nested
struct A {
	struct B {
		int x;
		struct C {
			int y;
		} c;
	} b;
	int z;
};
__device__ int f(int a, int b) {
	A v = {{a, {b}}, 3};
	A::B w = v.b;
	A::B::C c{w.c.y + 1};
	return v.b.x * 100 + c.y * 10 + v.z;
}

// case: struct_anonymous
struct A {
	struct {
		int x, y;
	};
	int z;
};
__device__ int f(int a, int b) {
	A v;
	v.x = a;
	v.y = b;
	v.z = v.x - v.y;
	return v.z * 3 + v.y;
}

// case: struct_array_of
struct P {
	int x;
	float y;
	char c;
};
__device__ int f(int a, int b) {
	P v[4];
	for (int i = 0; i < 4; i++) v[i] = {a + i, i * 0.5f, (char)i};
	P t = v[b % 4];
	v[0] = t;
	return v[0].x + (int)(t.y * 4) + t.c;
}

// case: struct_two_dimensions
struct M {
	int v[2][3];
};
__device__ M make(int a) {
	M m;
	for (int i = 0; i < 6; i++) m.v[i / 3][i % 3] = a + i;
	return m;
}
__device__ int f(int a, int b) {
	M m = make(a), n = make(b);
	m.v[1][b % 3] = n.v[0][2];
	return m.v[1][0] + m.v[1][1] * 10 + m.v[1][2] * 100;
}

// case: struct_copy_is_deep
struct S {
	int v[3];
};
__device__ int f(int a, int b) {
	S s = {{a, b, 1}}, t = s;
	t.v[0]++;
	S *p = &s;
	*p = t;
	t.v[1] = 0;
	return s.v[0] * 10 + s.v[1];
}

// case: struct_by_value_parameter
struct S {
	int v[4];
};
__device__ int g(S s, int i) {
	s.v[i & 3] += 100;
	return s.v[0] + s.v[i & 3];
}
__device__ int f(int a, int b) {
	S s = {{a, b, a, b}};
	int r = g(s, b);
	return r + s.v[b & 3];
}

// case: struct_initialisers
struct S {
	int a = 4, b = a + 1;
	float c{2.5f};
	int d[2] = {7, 8};
};
__device__ int f(int a, int b) {
	S s;
	S t = {a};
	S u{a, b, 1.0f};
	S v = {.a = b, .d = {1, 2}};
	return s.b + t.b * 10 + (int)(u.c + v.d[1]) + s.d[1] * 100 + v.b;
}

// case: pointer_to_pointer
__device__ void advance(int **p, int n) { *p += n; }
__device__ int f(int a, int b) {
	int v[4] = {a, b, 5, 6}, *p = v, **q = &p;
	advance(q, b & 3);
	**q += 1;
	return v[0] + v[1] * 3 + *p;
}

// case: pointer_to_array
__device__ int f(int a, int b) {
	int m[3][4];
	int (*row)[4] = m;
	for (int i = 0; i < 12; i++) m[i / 4][i % 4] = a * i;
	row++;
	return (*row)[1] + row[1][b % 4] + (int)sizeof(*row);
}

// case: pointer_array_of
__device__ int f(int a, int b) {
	int x = a, y = b, z = 3, *v[3] = {&x, &y, &z};
	*v[b % 3] += 10;
	return x * 10000 + y * 100 + z;
}

// case: pointer_to_member_of_struct
struct P {
	int x, y[3];
};
__device__ int f(int a, int b) {
	P p = {a, {b, 2, 3}};
	int *q = &p.x, *r = p.y;
	P *s = &p;
	r[b % 3] = 7;
	return *q + s->y[0] + *(s->y + 1) + (&p)->y[2];
}

// case: pointer_arithmetic
__device__ int f(int a, int b) {
	int v[8];
	for (int i = 0; i < 8; i++) v[i] = i * a;
	int *p = v + 2, *q = &v[7];
	p += b % 4;
	return *p + (int)(q - p) * 1000 + (p < q) + *--q + p[-1];
}

// case: pointer_const_volatile
__device__ int f(int a, int b) {
	const int c = a;
	const int *const p = &c;
	volatile int v = b;
	volatile int *q = &v;
	*q = *q + *p;
	return v;
}

// case: pointer_casts gives unsigned
__device__ unsigned f(int a, int b) {
	unsigned long long w = (unsigned long long)a << 32 | (unsigned)b;
	unsigned *p = (unsigned *)&w;
	unsigned short *h = reinterpret_cast<unsigned short *>(p + 1);
	return p[0] * 3 + p[1] + h[1];
}

// case: pointer_void
__device__ int g(const void *p, int kind) { return kind ? *(const int *)p : (int)*static_cast<const float *>(p); }
__device__ int f(int a, int b) {
	float x = b * 1.5f;
	return g(&a, 1) * 100 + g(&x, 0);
}

// case: pointer_null
__device__ int g(const int *p) { return p ? *p : -1; }
__device__ int f(int a, int b) { return g(a > b ? &a : nullptr) * 10 + g(NULL) + (nullptr == nullptr); }

// case: pointer_to_integer gives long long
__device__ long long f(int a, int b) {
	int v[4] = {};
	uintptr_t p = (uintptr_t)&v[3], q = (uintptr_t)v;
	return (long long)(p - q) + a;
}

// case: vector_members gives float
__device__ float f(int a, int b) {
	float4 v = make_float4(a, b, 1, 2);
	v.w += v.x * v.y;
	float3 u = make_float3(v.w, v.z, v.y);
	return u.x + u.y * 10 + u.z;
}

// case: vector_integers
__device__ int f(int a, int b) {
	uchar4 c = make_uchar4(a, b, 250, 9);
	c.z += 10;
	short2 s = make_short2(a * 1000, -b);
	int4 i = make_int4(c.x, c.y, c.z, s.x);
	return i.x + i.y + i.z * 100 + i.w + s.y;
}

// case: vector_sizes
__device__ int f(int a, int b) {
	return sizeof(float3) + sizeof(float4) * 10 + alignof(float4) * 100 + alignof(float2) * 1000 + sizeof(char3) +
		   alignof(short4) + sizeof(double2) + alignof(int3);
}

// case: vector_initialisers gives double
__device__ double f(int a, int b) {
	double2 d = {a * 0.5, 2.0};
	longlong2 l{a, b};
	float2 z{};
	double2 e = d;
	e.y *= l.y;
	return d.x + e.y + z.x;
}

// case: vector_array_access
__device__ int f(int a, int b) {
	int4 v[3];
	for (int i = 0; i < 3; i++) v[i] = make_int4(i, a, b, i * i);
	int4 w = v[b % 3];
	int *p = &w.x;
	v[1].y = 5;
	return p[0] + p[3] * 10 + v[1].y * 100 + reinterpret_cast<int *>(v)[5];
}

// case: vector_wide_cast gives float
__device__ float f(int a, int b) {
	alignas(16) float v[8];
	for (int i = 0; i < 8; i++) v[i] = i + a;
	float4 w = *reinterpret_cast<float4 *>(&v[b % 2 * 4]);
	*(float2 *)&v[2] = make_float2(1, b);
	return w.x + w.z * 10 + v[3];
}

// case: vector_in_struct
struct S {
	char c;
	float4 v;
	int2 i;
};
__device__ int f(int a, int b) {
	S s = {'a', {1, 2, 3, 4}, {a, b}};
	S t = s;
	t.i.x += (int)s.v.w;
	return t.i.x * 10 + t.i.y + (int)offsetof(S, i) + (int)sizeof(S) * 1000;
}

// case: dim3_values
__device__ unsigned volume(dim3 d) { return d.x * d.y * d.z; }
__device__ int f(int a, int b) {
	dim3 d(b + 1, 2), e = 3;
	dim3 g;
	g.z = 4;
	return volume(d) * 100 + volume(e) * 10 + volume(g);
}

// case: alignment
struct alignas(32) A {
	int x;
};
struct __align__(8) B {
	char c;
};
__device__ int f(int a, int b) {
	A v[2] = {{a}, {b}};
	return sizeof(A) + alignof(A) * 10 + sizeof(B) * 100 + ((char *)&v[1] - (char *)&v[0]) + v[1].x;
}

// case: cstdint_names
__device__ int f(int a, int b) {
	int8_t x = a * 9;
	uint16_t y = b - 1;
	int64_t z = (int64_t)a << 35;
	uint32_t w = ~0u;
	size_t n = sizeof z;
	ptrdiff_t d = -1;
	return x + y + (int)(z >> 34) + (int)(w >> 28) + (int)n + (int)d;
}

// case: string_literals
__device__ int length(const char *s) {
	int n = 0;
	while (s[n]) n++;
	return n;
}
__device__ int f(int a, int b) {
	const char *names[] = {"zero", "one", "a longer one"};
	char own[] = "own";
	own[b % 3] = 'x';
	return length(names[b % 3]) * 1000 + own[0] + own[1] + "abc"[b % 3] + (int)sizeof("four") + own[2] + '\x41' + '\n';
}

// case: string_concatenated
__device__ int f(int a, int b) {
	const char *s = "ab"
					"cd\tef";
	int h = 0;
	for (const char *p = s; *p; ++p) h = h * 31 + *p;
	return h + a;
}

// case: function_pointer
__device__ int g(int x) { return x + 1; }
__device__ int h(int x) { return x * 2; }
__device__ int f(int a, int b) {
	int (*p)(int) = b % 2 ? g : &h;
	return p(a) * 100 + (*p)(b);
}

// case: function_pointer_table
__device__ int g(int x) { return x + 1; }
__device__ int h(int x) { return x * 2; }
__device__ int k(int x) { return -x; }
typedef int (*F)(int);
__device__ int f(int a, int b) {
	F t[3] = {g, h, k};
	int r = a;
	for (int i = 0; i < 4; i++) r = t[(b + i) % 3](r);
	return r;
}

// case: function_pointer_argument
__device__ int twice(int (*g)(int, int), int x) { return g(g(x, 1), 2); }
__device__ int add(int x, int y) { return x + y; }
__device__ int shift(int x, int y) { return x << y; }
__device__ int f(int a, int b) { return twice(a % 2 ? add : shift, b) + twice(add, a); }

// case: function_pointer_in_struct
struct Op {
	int (*run)(int);
	int by;
};
__device__ int inc(int x) { return x + 1; }
__device__ int neg(int x) { return -x; }
__device__ int f(int a, int b) {
	Op o[2] = {{inc, 3}, {neg, 5}};
	Op &p = o[b & 1];
	return p.run(a) * p.by;
}

// case: function_pointer_compare
__device__ int g(int x) { return x; }
__device__ int h(int x) { return -x; }
__device__ int f(int a, int b) {
	int (*p)(int) = b > 4 ? g : nullptr;
	if (!p) return 7;
	return (p == g) * 10 + (p != h) + p(a);
}

// case: function_pointer_returned
typedef int (*F)(int);
__device__ int g(int x) { return x + 5; }
__device__ int h(int x) { return x - 5; }
__device__ F choose(int i) { return i % 3 ? g : h; }
__device__ int f(int a, int b) { return choose(b)(a) * 10 + choose(a + 9)(b); }

// case: literals_separators
__device__ int f(int a, int b) { return 1'000'000 + 0b1011 + 0x1F + 017 + a + (int)1e3f + (int)0x1p4; }

// case: auto_variables gives double
__device__ double f(int a, int b) {
	auto x = a * 0.5;
	auto *p = &x;
	const auto &r = b;
	auto c = 'a';
	*p += r;
	return x + c;
}

// case: half_open_sizes
__device__ int f(int a, int b) {
	int v[] = {1, 2, 3, a};
	char s[] = "xyz";
	int n = sizeof v / sizeof v[0], m[2][2] = {{a}, {b, 1}};
	return v[n - 1] * n + sizeof s + m[0][1] + m[1][0];
}

// case: long_struct_return
struct L {
	int v[9];
	double d;
};
__device__ L make(int a, int b) {
	L l = {};
	for (int i = 0; i < 9; i++) l.v[i] = a * i - b;
	l.d = 0.5;
	return l;
}
__device__ int f(int a, int b) { return make(a, b).v[b % 9] + (int)(make(b, a).d * 4); }

// case: conditional_struct
struct P {
	int x, y;
};
__device__ int f(int a, int b) {
	P p = {a, 1}, q = {b, 2};
	P r = a > b ? p : q;
	(b & 1 ? p : q).x = 99;
	return r.x * 100 + r.y + p.x + q.x;
}

// case: comma_and_chained_assignment
__device__ int f(int a, int b) {
	int x, y, z;
	x = y = z = (a++, b + a);
	(x += 2) *= 3;
	++(y -= 1);
	return x * 10000 + y * 100 + z;
}

// case: attributes_of_enumerations
enum class __attribute__((__visibility__("default"))) K : bool { a, b };
enum class [[maybe_unused]] L : short { a = 5 };
enum __attribute__((__visibility__("default"))) M { c = 2, d };
struct __attribute__((__visibility__("default"))) S {
	int v;
};
template <K k> struct X {
	static const int v = (int)k + 1;
};
__device__ int f(int a, int b) {
	S s{a};
	return X<K::b>::v + 10 * (int)L::a + d + s.v + (int)sizeof(L);
}

// case: character_types
template <class T> struct name {
	static constexpr int value = 0;
};
template <> struct name<wchar_t> {
	static constexpr int value = 1;
};
template <> struct name<char16_t> {
	static constexpr int value = 2;
};
template <> struct name<char32_t> {
	static constexpr int value = 3;
};
template <> struct name<unsigned short> {
	static constexpr int value = 4;
};
template <> struct name<int> {
	static constexpr int value = 5;
};
template <> struct name<unsigned> {
	static constexpr int value = 6;
};
template <class C> __device__ constexpr int length(const C *s) {
	int n = 0;
	while (s[n]) n++;
	return n;
}
template <class C, unsigned long N> __device__ constexpr int count(const C (&)[N]) { return N * 10 + name<C>::value; }
__device__ int which(char16_t) { return 100; }
__device__ int which(int) { return 200; }
__device__ int f(int a, int b) {
	static_assert(length(u"abc\u00e9") == 4 && length(U"xy\U0001F600") == 3 && length(u"\U0001F600") == 2);
	char16_t chars[] = u"hey";
	wchar_t room[5] = L"ab";
	const wchar_t *w = L"w\x1234\n";
	char32_t u = U'\x10ffff';
	char16_t c = a, d = b;
	wchar_t minus = -1;
	int r = sizeof(chars) + w[1] + w[2] + room[1] + room[4] + (u == 0x10ffff) + count(u"1234") +
			count(L"1"
				  "2");
	r += name<decltype(+chars[0])>::value + 10 * name<decltype(+u)>::value + 100 * name<decltype(L'a')>::value;
	r += name<decltype(u'\t')>::value + which(c) + which(+d) + (c - d) + (minus < 0) + U"\u00e9"[0] + chars[a & 1];
	return r;
}
// case: dim3_of_a_class_by_its_conversion_functions
struct whole {
	unsigned n;
	__device__ operator dim3() const { return dim3(n, 2, 3); }
};
struct three {
	unsigned n;
	__device__ operator uint3() const { return uint3{n, 4, 5}; }
};
struct number {
	unsigned n;
	__device__ operator unsigned() const { return n; }
};
__device__ unsigned folded(dim3 d) { return d.x + 10 * d.y + 100 * d.z; }
__device__ int f(int a, int b) {
	whole w{(unsigned)a};
	three t{(unsigned)b};
	number n{(unsigned)(a ^ b)};
	dim3 v{w}, x(w), y = w, z{t}, u(t), k{n}, l(n), m(w);
	uint3 r = v;
	dim3 s{r};
	unsigned sum = folded(v) + 3 * folded(x) + 5 * folded(y) + 7 * folded(z) + 9 * folded(u) + 11 * folded(k);
	return sum + 13 * folded(l) + 17 * folded(m) + 19 * folded(s) + 23 * folded(w) + folded(dim3(t));
}
