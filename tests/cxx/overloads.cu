// Overload resolution: ranks of conversions, references, lists, functions as arguments; what their results are bound
// to.

// case: promo_vs_conv
__device__ int g(int) { return 1; }
__device__ int g(long) { return 2; }
__device__ int g(double) { return 3; }
__device__ int h(unsigned) { return 1; }
__device__ int h(float) { return 2; }
__device__ int k(float) { return 1; }
__device__ int k(double) { return 2; }
__device__ int f(int a, int b) {
	short s = 1;
	char c = 2;
	bool t = true;
	float x = 1;
	return g(s) + g(c) * 10 + g(t) * 100 + k(x) * 1000 + g(x) * 10000 + g(1u + 0ul == 1) * 100000;
}

// case: bool_conv
struct A {};
struct B : A {};
__device__ int g(bool) { return 1; }
__device__ int g(const void *) { return 2; }
__device__ int h(bool) { return 1; }
__device__ int h(A *) { return 2; }
__device__ int h(void *) { return 3; }
__device__ int f(int a, int b) {
	B x;
	return g(&a) + h(&x) * 10 + g("s") * 100 + g(nullptr) * 1000 + h(&a) * 10000;
}

// case: derived_nearest
struct A {};
struct B : A {};
struct C : B {};
struct D : C {};
__device__ int g(A *) { return 1; }
__device__ int g(B *) { return 2; }
__device__ int h(const A &) { return 1; }
__device__ int h(const B &) { return 2; }
__device__ int k(A) { return 1; }
__device__ int k(C) { return 2; }
__device__ int m(const void *) { return 1; }
__device__ int m(const A *) { return 2; }
__device__ int n(A &) { return 1; }
__device__ int n(const C &) { return 2; }
__device__ int f(int a, int b) {
	D d;
	const D c{};
	return g(&d) + h(d) * 10 + k(d) * 100 + m(&d) * 1000 + n(d) * 10000 + h(D()) * 100000 + m(&c) * 1000000;
}

// case: qual_pointer
__device__ int g(int *) { return 1; }
__device__ int g(const int *) { return 2; }
__device__ int g(volatile int *) { return 3; }
__device__ int g(const volatile int *) { return 4; }
__device__ int h(void *) { return 1; }
__device__ int h(const void *) { return 2; }
__device__ int k(const int *) { return 1; }
__device__ int k(void *) { return 2; }
__device__ int q(int *const *) { return 1; }
__device__ int q(const int *const *) { return 2; }
__device__ int f(int a, int b) {
	const int c = 1;
	volatile int v = 2;
	const volatile int w = 3;
	int *p = &a;
	return g(&a) + g(&c) * 10 + g(&v) * 100 + g(&w) * 1000 + h(&a) * 10000 + h(&c) * 100000 + k(&a) * 1000000 +
		   q(&p) * 10000000;
}

// case: ref_binding
__device__ int g(int &) { return 1; }
__device__ int g(const int &) { return 2; }
__device__ int g(int &&) { return 3; }
__device__ int h(const int &) { return 1; }
__device__ int h(int &&) { return 2; }
__device__ int k(const int &&) { return 1; }
__device__ int k(const int &) { return 2; }
__device__ int mk() { return 4; }
__device__ int f(int a, int b) {
	const int c = 1;
	int &&r = 5;
	return g(a) + g(c) * 10 + g(4) * 100 + g(r) * 1000 + h(a) * 10000 + h(mk()) * 100000 + h((int &&)a) * 1000000 +
		   k(4) * 10000000 + k(c) * 100000000;
}

// case: ref_conv_temp
__device__ int g(const double &) { return 1; }
__device__ int g(int &&) { return 2; }
__device__ int h(const long &) { return 1; }
__device__ int h(double &&) { return 2; }
__device__ int f(int a, int b) {
	float x = 1;
	short s = 2;
	return g(a + 1) + g(s) * 10 + g(x) * 100;
}

// case: forwarding_vs_const
template <class T> __device__ int g(T &&) { return 1; }
template <class T> __device__ int g(const T &) { return 2; }
template <class T> __device__ int h(T &&) { return 1; }
__device__ int h(const int &) { return 2; }
__device__ int h(double) { return 3; }
struct S {
	int w;
	template <class T> __device__ S(T &&) : w(1) {}
	__device__ S(const S &) : w(2) {}
};
__device__ int f(int a, int b) {
	const int c = 3;
	S s(a);
	const S t(1);
	S u(s), v(t);
	return g(a) + g(c) * 10 + g(4) * 100 + h(a) * 1000 + h(c) * 10000 + h(5) * 100000 + u.w * 1000000 + v.w * 10000000;
}

// case: template_vs_non
template <class T> __device__ int g(T) { return 1; }
__device__ int g(int) { return 2; }
template <class T> __device__ int h(T *) { return 1; }
__device__ int h(const int *) { return 2; }
template <class T> __device__ int k(T, T) { return 1; }
__device__ int k(double, double) { return 2; }
template <> __device__ int g(short) { return 7; }
__device__ int f(int a, int b) {
	short s = 1;
	return g(a) + g('c') * 10 + g(s) * 100 + h(&a) * 1000 + k(1, 2.5) * 10000 + k(1, 2) * 100000 + g<>(a) * 1000000;
}

// case: deleted
__device__ int g(int) { return 1; }
__device__ int g(double) = delete;
template <class T> struct has {
	template <class U> static __device__ char t(decltype(g(U())) *);
	template <class U> static __device__ long t(...);
	static const int v = sizeof(t<T>(0));
};
__device__ int f(int a, int b) { return g(a) + has<int>::v * 10 + has<double>::v * 100 + has<float>::v * 1000; }

// case: defaults
__device__ int g(int, int = 3) { return 1; }
__device__ int g(double) { return 2; }
__device__ int h(int a, int b = 5, int c = 6) { return a + b * 10 + c * 100; }
__device__ int f(int a, int b) { return g(1) + g(1.0) * 10 + g(1, 2) * 100 + h(1) * 1000 + h(1, 2); }

// case: ellipsis
struct S {
	__device__ S(int) {}
};
__device__ int g(...) { return 1; }
__device__ int g(S) { return 2; }
__device__ int g(double, ...) { return 3; }
template <class T> __device__ int h(T) { return 1; }
__device__ int h(...) { return 2; }
__device__ int f(int a, int b) { return g("x") + g(a) * 10 + g(1.0, 2, 3) * 100 + h(a) * 1000 + h() * 10000; }

// case: init_lists
struct P {
	int x, y;
};
struct Q {
	int v;
	__device__ Q(int) : v(1) {}
	__device__ Q(int, int) : v(2) {}
};
__device__ int g(P) { return 1; }
__device__ int g(int) { return 2; }
__device__ int h(Q) { return 1; }
__device__ int h(const int (&)[3]) { return 2; }
__device__ int k(const int (&)[2]) { return 1; }
__device__ int k(const int (&)[3]) { return 2; }
__device__ int m(double) { return 1; }
__device__ int m(int) { return 2; }
__device__ int f(int a, int b) {
	return g({1, 2}) + g({1}) * 10 + h({1, 2}) * 100 + h({1, 2, 3}) * 1000 + k({1, 2}) * 10000 + m({1}) * 100000 +
		   m({1.5}) * 1000000;
}

// case: inherited_ctors
struct B {
	int v;
	__device__ B(int x) : v(x) {}
	__device__ B(double x) : v((int)x + 100) {}
	__device__ B(const char *) : v(7) {}
};
struct D : B {
	using B::B;
	__device__ D(int x) : B(x * 2) {}
};
__device__ int f(int a, int b) {
	D p(3), q(1.5), r("x");
	return p.v + q.v * 10 + r.v * 10000;
}

// case: using_in_class
struct A {
	__device__ int g(int) { return 1; }
	__device__ int g(char *) { return 2; }
};
struct B {
	__device__ int g(double) { return 3; }
};
struct C : A, B {
	using A::g;
	using B::g;
	__device__ int g(int) { return 4; }
	__device__ int g() { return 5; }
};
__device__ int f(int a, int b) {
	C c;
	return c.g(1) + c.g(1.5) * 10 + c.g((char *)0) * 100 + c.g() * 1000;
}

// case: fn_ref_param
__device__ int one(int x) { return x + 1; }
__device__ int ap(int (&g)(int), int x) { return g(x); }
template <class F> __device__ int ap2(F &g, int x) { return g(x); }
template <class F> __device__ int ap3(F &&g, int x) { return g(x); }
template <class F> __device__ int ap4(const F &g, int x) { return g(x); }
template <class R, class A> __device__ int ap5(R (&g)(A), int x) { return g(x); }
__device__ int (&pick(int i))(int) { return one; }
__device__ int f(int a, int b) {
	int (&r)(int) = one;
	return ap(one, a) + ap2(one, a) * 2 + ap3(one, a) * 3 + ap4(one, a) * 5 + ap5(one, a) * 7 + pick(1)(a) * 11 +
		   r(a) * 13;
}

// case: fn_ref_overloaded
__device__ int o(int x) { return 1; }
__device__ int o(double x) { return 2; }
__device__ int ap(int (&g)(double), int x) { return g(x); }
__device__ int ap(int (&g)(char), int x) { return 9; }
__device__ int f(int a, int b) {
	int (&r)(int) = o;
	return ap(o, a) + r(a) * 10;
}

// case: decltype_scope
struct S {
	static const int n = 4;
	typedef short T;
	enum E { X = 9 };
	static __device__ int g() { return 3; }
};
__device__ int f(int a, int b) {
	S s;
	(void)s;
	decltype(s)::T t = 2;
	return decltype(s)::n + t * 10 + decltype(s)::X * 100 + decltype(s)::g() * 1000;
}

// case: new_array
struct P {
	int x, y;
};
__device__ int f(int a, int b) {
	int *p = new int[]{a, b, 3};
	int *q = new int[4]{1, 2};
	P *r = new P[]{{1, 2}, {3, a}};
	int s = p[0] + p[1] * 10 + p[2] * 100 + q[1] * 1000 + q[3] + r[1].y;
	delete[] p;
	delete[] q;
	delete[] r;
	return s;
}

// case: range_rows
__device__ int f(int a, int b) {
	int g[3][2] = {{a, 1}, {2, b}, {3, 4}};
	int s = 0;
	for (int (&row)[2] : g) {
		row[0]++;
		s = s * 3 + row[0] + row[1];
	}
	for (auto &row : g)
		for (int x : row) s += x;
	for (const auto &row : g) s += sizeof(row) + row[0];
	return s;
}

// case: bindings
struct P {
	int x;
	double y;
	int z[2];
};
__device__ int f(int a, int b) {
	int v[3] = {a, b, 3};
	auto &[p, q, r] = v;
	p += 5;
	r = 9;
	auto [c, d, e] = v;
	c = 100;
	P s{1, 2.5, {3, 4}};
	auto &[x, y, z] = s;
	x += 2;
	z[1] = 7;
	const auto &[m, n, o] = s;
	auto &&[k, l, j] = s;
	k++;
	return v[0] + v[2] * 10 + c + d + e + s.x + (int)(n * 4) + o[1] + z[0];
}

// case: addr_overload_return
__device__ int o(int) { return 1; }
__device__ int o(double) { return 2; }
typedef int (*F)(double);
__device__ F get() { return o; }
__device__ int f(int a, int b) {
	int (*t[2])(int) = {o, &o};
	return get()(1) + t[1](2) * 10 + ((int (*)(double))o)(1) * 100 + static_cast<int (*)(int)>(&o)(1) * 1000;
}

// case: scoped_enum_args
enum class E { a, b };
enum F { c, d };
enum G : char { e = 3 };
__device__ int g(int) { return 1; }
__device__ int g(E) { return 2; }
__device__ int h(unsigned) { return 1; }
__device__ int h(int) { return 2; }
__device__ int k(char) { return 1; }
__device__ int k(int) { return 2; }
__device__ int m(long) { return 1; }
__device__ int m(F) { return 2; }
__device__ int f(int x, int y) { return g(E::a) + g(c) * 10 + h(c) * 100 + k(e) * 1000 + m(c) * 10000 + m(e) * 100000; }

// case: member_const_ref_qual
struct S {
	__device__ int g() & { return 1; }
	__device__ int g() const & { return 2; }
	__device__ int g() && { return 3; }
	__device__ int g() const && { return 4; }
};
__device__ int f(int a, int b) {
	S s;
	const S c{};
	return s.g() + c.g() * 10 + S().g() * 100 + static_cast<S &&>(s).g() * 10000;
}

// case: null_overload
__device__ int g(int) { return 1; }
__device__ int g(int *) { return 2; }
__device__ int h(decltype(nullptr)) { return 1; }
__device__ int h(int *) { return 2; }
__device__ int k(double *) { return 1; }
__device__ int k(bool) { return 2; }
__device__ int f(int a, int b) { return g(0) + g(nullptr) * 10 + h(nullptr) * 100 + k(nullptr) * 1000; }

// case: array_args
__device__ int g(int *) { return 1; }
__device__ int g(int (&)[3]) { return 2; }
__device__ int h(const int (&)[3]) { return 1; }
__device__ int h(int (&)[3]) { return 2; }
template <class T> __device__ int k(T *) { return 1; }
template <class T> __device__ int k(T &) { return 2; }
__device__ int m(const int *) { return 1; }
__device__ int m(bool) { return 2; }
__device__ int f(int a, int b) {
	int v[3] = {0};
	const int w[3] = {1};
	int u[2] = {0};
	return g(u) + h(v) * 10 + h(w) * 100 + m(v) * 1000;
}

// case: nearest_base
struct Z {
	int z;
};
struct A : Z {
	int a;
};
struct B : A {
	int b;
};
struct C : B {
	int c;
};
struct E {
	int e;
};
struct D : C, E {};
__device__ int g(const Z &) { return 1; }
__device__ int g(const A &) { return 2; }
__device__ int g(void *) { return 3; }
__device__ int h(Z *) { return 4; }
__device__ int h(A *) { return 5; }
__device__ int h(const void *) { return 6; }
__device__ int k(Z) { return 7; }
__device__ int k(B) { return 8; }
__device__ int m(E *, int) { return 9; }
__device__ int m(Z *, double) { return 10; }
__device__ int m(C *, char) { return 11; }
__device__ int f(int a, int b) {
	D d{};
	C c{};
	return g(d) + 10 * h(&d) + 100 * k(d) + 1000 * h(&c) + k(c) * 3 + m(&c, 1) + h((int *)nullptr);
}

// case: templates_of_other_classes_are_no_candidates
template <int N, class T> struct V {
	T x[N];
};
template <int N, class T = int> struct W {
	T x;
};
template <class T> struct Derived : V<3, T> {};
template <class T> struct Twice : V<2, T>, W<2, T> {};
template <class... Ts> struct List {
	static constexpr int count = sizeof...(Ts);
};
template <class T> using V4 = V<4, T>;
struct Plain {
	int v;
};
struct More : Plain {};
struct Converts {
	int v;
	__device__ operator Plain() const { return {v + 1}; }
	__device__ operator int *() { return &v; }
};
template <class T> __device__ int g(V<2, T>, T) { return 1; }
template <class T> __device__ int g(const V<3, T> &, T) { return 2; }
template <class T> __device__ int g(V4<T> &, T) { return 3; }
template <class T> __device__ int g(W<2, T> &&, T) { return 4; }
template <int N, class T> __device__ int g(W<N, T>, T, int = 0) { return 5; }
template <class T> __device__ int p(Plain, T) { return 6; }
template <class T> __device__ int p(Plain *, T) { return 7; }
template <class T> __device__ int g(T (&)[3], int) { return 8; }
template <class T> __device__ int g(T (&)[4], int) { return 9; }
template <class T> __device__ int q(T *, short) { return 10; }
template <class... Ts> __device__ int g(List<int, Ts...>, int) { return 11 + sizeof...(Ts); }
template <class T, class... Us> __device__ int q(T, char, Us...) { return 20; }
template <template <int, class> class C, int N> __device__ int h(C<N, float>) { return N; }
template <int N> __device__ int h(W<N, int>) { return 10 * N; }
__device__ int f(int a, int b) {
	V<2, int> two{};
	V<3, int> three{};
	V<4, int> four{};
	W<2> w{};
	Derived<int> derived{};
	Twice<float> twice{};
	Plain plain{1};
	More more{};
	Converts converts{2};
	int x3[3]{}, x4[4]{};
	short s = 1;
	int r = g(two, 1);
	r = r * 3 + g(three, 1);
	r = r * 3 + g(four, 1);
	r = r * 3 + g(w, 1) + g(W<2>{}, 1);
	r = r * 3 + g(derived, 1);
	r = r * 3 + q(twice, 'c', 1.0f) + q(x4, s);
	r = r * 3 + p(plain, 2.0) + p(more, 2.0) + p(converts, 2.0);
	r = r * 3 + p(&plain, 2.0) + p(&more, 2.0) + p(nullptr, 1.0);
	r = r * 3 + g(x3, 1) + g(x4, 1);
	r = r * 3 + g(List<int, float, char>{}, 1) + g(List<int>{}, 1);
	r = r * 3 + h(V<5, float>{}) + h(W<6, float>{}) + h(W<7>{});
	return r + a + b;
}

// case: nullptr_is_no_pointer_for_deduction
template <class T> __device__ int told(const T &) { return 1; }
template <class T> __device__ int told(T *) { return 2; }
__device__ int told(double *) { return 3; }
template <class T> __device__ int only(T) { return 4; }
template <class T> __device__ int only(T *) { return 5; }
template <class T> __device__ int only(const T *, int) { return 6; }
template <class T> __device__ int only(T, long) { return 7; }
__device__ int f(int a, int b) {
	double d = 1;
	return told(nullptr) + 10 * told(&d) + 100 * told(&a) + 1000 * only(nullptr) + 10000 * only(&b) +
		   100000 * only(nullptr, 1);
}

// case: a_new_object_of_a_conditional_is_const
struct Seen {
	int v, how = 0;
	__device__ Seen(int v) : v(v) {}
	__device__ Seen(const Seen &o) : v(o.v), how(o.how + 1) {}
	__device__ Seen(Seen &&o) : v(o.v), how(o.how + 10) {}
	__device__ Seen &operator=(const Seen &o) {
		v = o.v, how = 100;
		return *this;
	}
	__device__ Seen &operator=(Seen &&o) {
		v = o.v, how = 200;
		return *this;
	}
	__device__ ~Seen() { v = -1; }
	__device__ int ref() & { return 1; }
	__device__ int ref() const & { return 2; }
	__device__ int ref() && { return 3; }
};
struct Held { // the compiler makes its copy, its move and its assignments
	Seen part;
};
struct Small {
	int v;
	__device__ int is() { return 1; }
	__device__ int is() const { return 2; }
};
template <class T> __device__ T &&moved(T &x) { return static_cast<T &&>(x); }
template <class T> __device__ int constant(T &&) { return std::is_const<std::remove_reference_t<T>>::value; }
template <class T> struct Keeps {
	T item;
	template <class U> __device__ Keeps(U &&u) : item(static_cast<U &&>(u)) {}
};
__device__ const Seen made(int v) { return v; }
__device__ int f(int a, int b) {
	const Seen x(a);
	Seen y(b), z(0);
	bool c = a > b;
	int s = (c ? x : Seen(1)).ref() + 10 * (c ? Seen(1) : x).ref() + 100 * (c ? y : Seen(1)).ref() +
			1000 * (c ? Seen(1) : made(2)).ref() + 10000 * (c ? x : y).ref() + 100000 * (c ? moved(y) : Seen(3)).ref();
	s += constant(c ? x : Seen(1)) + 2 * constant(c ? Seen(1) : y) + 4 * constant(c ? moved(x) : Seen(1));
	z = c ? x : Seen(4);
	s = s * 3 + z.how;
	z = c ? y : Seen(5);
	s = s * 3 + z.how;
	const Held h{a};
	Held i{b}, j = c ? h : Held{6};
	i = c ? h : Held{7};
	s = s * 3 + i.part.how + j.part.how;
	i = moved(h);
	s = s * 3 + i.part.how;
	Held l(moved(h)), m(moved(j));
	Keeps<Held> n(c ? Held{8} : h), o(c ? Held{8} : i);
	s = s * 3 + l.part.how + m.part.how + n.item.part.how + 7 * o.item.part.how;
	const Small p{1};
	Small q{2};
	return s * 3 + (c ? p : Small{3}).is() + 10 * (c ? Small{4} : q).is() + 100 * (c ? p : q).is();
}

// case: conversion_function_to_an_rvalue
struct T {
	int v;
	__device__ T(int x) : v(x) {}
	__device__ T(const T &o) : v(o.v) {}
	__device__ T(T &&o) : v(o.v + 1) {}
	__device__ ~T() {}
};
struct U {
	int v;
	__device__ operator T() const { return T(v); }
};
struct L {
	T t;
	__device__ operator T &() { return t; }
	__device__ operator const T &() const { return t; }
};
struct X {
	T t;
	__device__ operator T &&() { return static_cast<T &&>(t); }
};
struct K {
	int v;
	__device__ operator const T() const { return T(v); }
};
__device__ int o(T &) { return 1; }
__device__ int o(const T &) { return 2; }
__device__ int o(T &&) { return 3; }
__device__ int o(bool) { return 4; }
__device__ int p(const T &t) { return 5 + t.v; }
__device__ int p(T &&t) { return 6 + t.v; }
__device__ int q(const T &t) { return 7 + t.v; }
__device__ int q(const T &&t) { return 8 + t.v; }
__device__ int f(int a, int b) {
	U u{a};
	const U cu{b};
	L l{T(a)};
	const L cl{T(b)};
	X x{T(a)};
	K k{b};
	int r = o(u) + 10 * o(cu) + 100 * o(U{a}) + 1000 * o(l) + 10000 * o(cl) + 100000 * o(x);
	r = r * 3 + p(u) + p(cu) * 3 + p(U{b}) * 5 + p(cl) * 7 + p(x) * 11;
	r = r * 3 + q(u) + q(k) + p(k) + q(cl) + q(l) + q(x);
	return r;
}

// case: rvalue_of_two_unrelated_bases
struct A {
	int a;
};
struct B {
	int b;
};
struct C : A, B {
	int c;
};
struct D : C {
	int d;
};
__device__ int o(A &&) { return 1; }
__device__ int o(const B &) { return 2; }
__device__ int p(const A &) { return 3; }
__device__ int p(B &&) { return 4; }
__device__ int p(const C &) { return 5; }
__device__ int q(const C &) { return 6; }
__device__ int q(A &&) { return 7; }
__device__ int n(const A &) { return 8; }
__device__ int n(B &) { return 9; }
struct M {
	int v;
	__device__ M(M &&o) : v(o.v + 10) {}
	__device__ M(const B &o) : v(o.b) {}
	__device__ M(int x) : v(x) {}
};
struct N : M, B {
	__device__ N(int x) : M(x), B{x * 2} {}
	__device__ N(N &&o) : M(static_cast<N &&>(o)), B(o) {}
};
__device__ int f(int a, int b) {
	C c{};
	D d{};
	const C cc{};
	N m(a);
	N n2(static_cast<N &&>(m));
	return o(C{}) + 10 * o(D{}) + 100 * p(D{}) + 1000 * q(D{}) + 10000 * q(d) + 100000 * n(cc) + n2.v + n2.b + b + c.c;
}

// case: fewer_qualifiers_are_better
struct base {
	int n;
};
struct derived : base {};
__device__ int any(const void *) { return 1; }
__device__ int any(const volatile void *) { return 2; }
__device__ int number(const int *) { return 1; }
__device__ int number(const volatile int *) { return 2; }
__device__ int less(volatile int *) { return 1; }
__device__ int less(const volatile int *) { return 2; }
__device__ int of_base(base *) { return 1; }
__device__ int of_base(const base *) { return 2; }
__device__ int of_base(const volatile base *) { return 3; }
__device__ int mixed(const void *) { return 1; }
__device__ int mixed(const volatile base *) { return 2; }
__device__ int referred(const int &) { return 1; }
__device__ int referred(const volatile int &) { return 2; }
struct unknown;
struct takes {
	__device__ int operator()(const unknown &) const { return 5; }
	__device__ int operator()(int n) const { return n; }
};
__device__ int f(int a, int b) {
	int i = a;
	volatile int v = b;
	const int c = a;
	derived d;
	d.n = b;
	const derived e = d;
	int n = any(&i) + any(&c) * 3 + any(static_cast<volatile void *>(&i)) * 9 + number(&i) * 27 + less(&i) * 81;
	n += of_base(&d) * 243 + of_base(&e) * 729 + mixed(&d) * 2187 + mixed(&e) * 6561;
	return n + referred(i) + 3 * referred(v) + 9 * referred(c) + takes()(a);
}
// case: of_ambiguous_functions_the_one_whose_worst_conversion_is_better
struct number {
	int v;
	__device__ number(int v) : v(v) {}
	__device__ number(int, double) : v(9) {}
	__device__ number(long, float) : v(10) {}
	__device__ number(const number &o) : v(o.v) {}
	__device__ operator const int &() const { return v; }
	friend __device__ int operator*(const number &a, unsigned b) { return a.v + (int)b * 100; }
	__device__ int operator<<(unsigned b) const { return v - (int)b; }
};
struct derived : number {
	__device__ derived(int v) : number(v) {}
	__device__ derived(const number &o) : number(o) {}
	__device__ derived(const derived &o) : number(o) {}
};
__device__ int operator-(const number &a, const number &b) { return 2 + a.v; }
__device__ int operator-(const derived &a, const derived &b) { return 3 + a.v; }
__device__ int called(const number &a, const number &b) { return 20 + b.v; }
__device__ int called(const derived &a, const derived &b) { return 30 + b.v; }
__device__ int promoted(int, double) { return 1; }
__device__ int promoted(long, float) { return 2; }
__device__ int ellipsis(int, ...);
__device__ int ellipsis(long, int) { return 2; }
__device__ int user(long, double) { return 1; }
__device__ int user(int, number) { return 2; }
__device__ int f(int a, int b) {
	number c(a);
	derived d(b);
	short s = 2;
	float x = 3;
	int n = c * (a > b) + (c << (b > 1)) + (c - d) * 3 + (d - c) * 5 + called(c, d) * 7;
	return n + promoted(s, x) * 1000 + ellipsis(0, 0) * 3000 + user(1, 2u) * 9000 + number(s, x).v * 27000;
}
