// User-defined conversions: constructors, conversion functions, which of them overload resolution chooses.

// case: explicit_op_bool
struct S {
	int v;
	__device__ explicit operator bool() const { return v > 3; }
	__device__ operator int() const { return v * 10; }
};
__device__ int g(int x) { return x; }
__device__ int f(int a, int b) {
	S s{a};
	int r = s ? 1 : 2;
	if (s) r += 10;
	if (!s) r += 20;
	r += (s && true) ? 100 : 200;
	int q = s;
	return r + q + g(s) + (s + 1);
}

// case: explicit_op_ignored
struct S {
	int v;
	__device__ explicit operator int() const { return v; }
	__device__ operator long long() const { return v + 1000; }
};
__device__ int g(int x) { return x; }
__device__ int f(int a, int b) {
	S s{a};
	int q = s;
	int p(s);
	int t = static_cast<int>(s), u = (int)s, w = int(s);
	return q + p * 3 + t * 5 + u * 7 + w * 11 + g(s) * 13;
}

// case: ref_op
struct S {
	int v;
	__device__ operator int &() { return v; }
};
__device__ void inc(int &x) { x += 5; }
__device__ int f(int a, int b) {
	S s{a};
	int &r = s;
	r++;
	inc(s);
	(int &)s += 2;
	const int &c = s;
	s.v++;
	return s.v + c;
}

// case: ref_op_const
struct S {
	int v;
	__device__ operator int &() { return v; }
	__device__ operator const int &() const { return v; }
};
__device__ int k(const S &s) {
	const int &x = s;
	return x + s;
}
__device__ int f(int a, int b) {
	S s{a};
	int &r = s;
	r += 3;
	return k(s) + s;
}

// case: best_constructor
struct T {
	int v;
	__device__ T(double) : v(1) {}
	__device__ T(int) : v(2) {}
	__device__ T(const char *) : v(3) {}
};
__device__ int g(T t) { return t.v; }
__device__ int f(int a, int b) {
	T x = 1;
	T y = 1.5;
	T z = 'c';
	T w = 1.0f;
	return g(1) + g(1.5) * 10 + g("x") * 100 + x.v * 1000 + y.v * 10000 + z.v * 100000 + w.v * 1000000;
}

// case: second_standard
struct S {
	__device__ operator int() const { return 1; }
	__device__ operator double() const { return 2; }
};
__device__ int g(int) { return 1; }
__device__ int g(double) { return 2; }
__device__ int h(long) { return 4; }
__device__ int h(S) { return 5; }
__device__ int f(int a, int b) {
	S s;
	int x = s;
	double d = s;
	return x + (int)d * 10 + h(s) * 100;
}

// case: op_const_overload
struct S {
	__device__ operator int() { return 1; }
	__device__ operator int() const { return 2; }
};
__device__ int f(int a, int b) {
	S s;
	const S c;
	int x = s;
	int y = c;
	return x + y * 10;
}

// case: op_best_by_conv
struct S {
	__device__ operator short() const { return 1; }
	__device__ operator float() const { return 2; }
};
__device__ int f(int a, int b) {
	S s;
	int x = s;
	float y = s;
	double z = s;
	short t = s;
	return x + (int)y * 10 + (int)z * 100 + t * 1000;
}

// case: one_conv_many_fns
struct S {
	__device__ operator int() const { return 1; }
};
__device__ int g(int) { return 1; }
__device__ int g(double) { return 2; }
__device__ int g(long) { return 3; }
__device__ int h(double) { return 2; }
__device__ int h(...) { return 3; }
__device__ int k(const int &) { return 1; }
__device__ int k(double) { return 2; }
__device__ int f(int a, int b) {
	S s;
	return g(s) + h(s) * 10 + k(s) * 100;
}

// case: user_vs_ellipsis
struct S {
	__device__ S(int) {}
};
__device__ int g(S) { return 1; }
__device__ int g(...) { return 2; }
__device__ int f(int a, int b) { return g(a) * 10 + g(nullptr); }

// case: ctor_vs_op
struct B;
struct A {
	int v;
	__device__ operator int() const { return v; }
};
struct B {
	int v;
	__device__ B(const A &a) : v(a.v + 1) {}
	__device__ B(int x) : v(x + 100) {}
};
__device__ int g(B b) { return b.v; }
__device__ int f(int a, int b) {
	A x{a};
	B y = x;
	B z(x);
	return g(x) + y.v * 10 + z.v;
}

// case: template_ctor
struct T {
	int v;
	template <class U> __device__ T(U) : v(1) {}
	__device__ T(int) : v(2) {}
	__device__ T(const T &) = default;
};
__device__ int g(T t) { return t.v; }
__device__ int f(int a, int b) { return g(1) + g(1.0) * 10 + g('c') * 100; }

// case: template_op
struct S {
	template <class T> __device__ operator T() const { return T(3); }
};
__device__ int f(int a, int b) {
	S s;
	int x = s;
	float y = s;
	double z = s;
	return x + (int)y * 10 + (int)(z * 100);
}

// case: op_base
struct B {
	__device__ operator int() const { return 1; }
	__device__ operator float() const { return 7; }
};
struct D : B {
	__device__ operator int() const { return 2; }
};
__device__ int f(int a, int b) {
	D d;
	int x = d;
	float y = d;
	const B &bb = d;
	int z = bb;
	return x + (int)y * 10 + z * 100;
}

// case: op_to_class
struct T {
	int v;
};
struct S {
	int v;
	__device__ operator T() const { return T{v + 1}; }
};
__device__ int g(T t) { return t.v; }
__device__ int h(const T &t) { return t.v; }
__device__ int k(T &&t) { return t.v; }
__device__ T m(S s) { return s; }
__device__ int f(int a, int b) {
	S s{a};
	T t = s;
	T u(s);
	T w;
	w = s;
	return g(s) + h(s) * 3 + k(s) * 5 + t.v * 7 + u.v * 11 + w.v * 13 + m(s).v;
}

// case: op_to_derived
struct B {
	int v;
};
struct D : B {};
struct S {
	int v;
	__device__ operator D() const {
		D d;
		d.v = v;
		return d;
	}
};
__device__ int g(const B &b) { return b.v; }
__device__ int h(B b) { return b.v; }
__device__ int f(int a, int b) {
	S s{a};
	B x = s;
	return g(s) + h(s) * 10 + x.v * 100;
}

// case: op_pointer
struct P {
	int *p;
	__device__ operator int *() const { return p; }
};
__device__ int f(int a, int b) {
	int v[3] = {a, b, 7};
	P p{v};
	int *q = p;
	const int *c = p;
	p[1] = 4;
	*p = *p + 1;
	if (p) a++;
	return q[0] + c[1] + *(p + 2) + a + (p ? 1 : 0) + (p == q) + (p != nullptr);
}

// case: op_switch_index
struct N {
	int v;
	__device__ constexpr operator int() const { return v; }
};
__device__ int f(int a, int b) {
	N n{2};
	int v[4] = {1, 2, 3, 4};
	int r = v[n];
	switch (n) {
	case 2:
		r += 10;
		break;
	default:
		r += 20;
	}
	r += n << 1;
	r += -n;
	r += ~n;
	r += !n;
	for (int i = 0; i < n; i++) r++;
	return r + (n ? 5 : 6);
}

// case: explicit_ctor_copy
struct T {
	int v;
	__device__ explicit T(int x) : v(x) {}
	__device__ T(double x) : v((int)x + 100) {}
};
__device__ int g(T t) { return t.v; }
__device__ int f(int a, int b) {
	T x = 3;
	T y(3);
	T z{4};
	return x.v + y.v * 1000 + g(5) * 10 + z.v * 100000;
}

// case: enum_conv
enum E : short { P = 4 };
struct S {
	__device__ operator E() const { return P; }
};
__device__ int f(int a, int b) {
	S s;
	int x = s;
	E e = s;
	return x + e * 10 + (s + 1) * 100;
}

// case: comparison_convs
struct S {
	int v;
	__device__ operator int() const { return v; }
};
__device__ int f(int a, int b) {
	S x{a}, y{b};
	return (x < y) + (x == 3) * 2 + (x > 1.5) * 4 + (x + y) * 8 + (int)(x * 0.5) * 100;
}

// case: two_ops_arith
struct S {
	int v;
	__device__ operator int() const { return v; }
	__device__ explicit operator bool() const { return true; }
	__device__ explicit operator double() const { return 9; }
};
__device__ int f(int a, int b) {
	S x{a};
	return x + 1 + (int)static_cast<double>(x) + (x ? 1 : 0) + (x == a);
}

// case: nested_user_not_allowed
struct A {
	__device__ A(int) {}
};
struct B {
	__device__ B(A) {}
	__device__ B(const B &) = default;
};
__device__ int g(B) { return 1; }
__device__ int g(long) { return 2; }
__device__ int f(int a, int b) { return g(a); }

// case: conv_rvalue_lvalue
struct S {
	int v;
	__device__ operator int() & { return 1; }
	__device__ operator int() && { return 2; }
};
__device__ int f(int a, int b) {
	S s{0};
	int x = s;
	int y = S{0};
	return x + 10 * y;
}

// case: ternary_convs
struct S {
	int v;
	__device__ operator int() const { return v; }
};
struct W {
	int v;
	__device__ W(int x) : v(x) {}
};
__device__ int f(int a, int b) {
	S s{a};
	int r = b ? s : 3;
	W w(1);
	W q = b ? w : W(a);
	return r + q.v;
}

// case: ret_conv
struct S {
	int v;
	__device__ operator int() const { return v; }
};
__device__ int g(S s) { return s; }
__device__ double h(S s) { return s; }
__device__ const int &k(const int &x) { return x; }
__device__ int f(int a, int b) {
	S s{a};
	return g(s) + (int)h(s) + k(s);
}

// case: direct_list_explicit_operator
struct S {
	int v;
	explicit __device__ operator int() const { return v; }
	explicit __device__ operator bool() const { return v > 3; }
};
struct T {
	int v;
	__device__ operator int() const { return v + 1; }
};
struct P {
	int x;
	__device__ P(S s) : x{s} {}
};
__device__ int f(int a, int b) {
	S s{a};
	T t{b};
	int x{s};
	bool y{s};
	int z{t};
	int w(s);
	const int &r = 1;
	auto q = int{s};
	int *p = new int{s};
	int k = *p;
	delete p;
	return x + y * 100 + z + w + r + q + k + P(s).x;
}

// case: a_reference_is_bound_to_the_base_of_what_a_conversion_returns
struct Root {
	int v, copies = 0;
	__device__ Root(int v) : v(v) {}
	__device__ Root(const Root &other) : v(other.v), copies(other.copies + 1) {}
	__device__ virtual int kind() const { return 1; }
	__device__ virtual ~Root() {}
};
struct Leaf : Root {
	int more;
	__device__ Leaf(int v) : Root(v), more(v + 1) {}
	__device__ Leaf(const Leaf &other) : Root(other), more(other.more) {}
	__device__ int kind() const override { return 2 + more; }
	__device__ ~Leaf() {}
};
struct Source {
	int v;
	__device__ operator Leaf() const { return Leaf(v); }
};
struct Lender {
	Leaf leaf;
	__device__ operator Leaf &() { return leaf; }
	__device__ operator Root() const { return 9; }
};
__device__ int kind(const Root &r) { return r.kind() + 10 * r.copies + 100 * r.v; }
__device__ int moved(Root &&r) { return r.kind() + 10 * r.copies + 100 * r.v; }
__device__ int exact(const Leaf &l) { return l.kind() + 10 * l.copies; }
__device__ int chosen(const Root &) { return 1; }
__device__ int chosen(const void *) { return 2; }
__device__ int f(int a, int b) {
	Source s{a};
	const Root &r = s, &t = Source{b};
	Lender lender{b};
	return kind(s) + kind(Source{b}) * 3 + moved(s) * 5 + exact(s) * 7 + r.kind() + t.kind() + chosen(s) +
		   kind(lender) * 11;
}
// case: conversion_functions_by_their_names
namespace other {
struct point {
	int x, y;
};
} // namespace other
struct number {
	int n;
	using type = short;
	__device__ operator int() const { return n + 1; }
	__device__ operator int() { return n + 2; }
	__device__ operator int *() { return &n; }
	__device__ operator type() const { return type(n * 3); }
	__device__ explicit operator bool() const { return n & 1; }
	__device__ operator other::point() const { return {n, n + 5}; }
	__device__ operator const int &() const { return n; }
	template <class T> __device__ operator T() const { return T(n + (int)sizeof(T)); }
	__device__ int sum() { return operator int() + *operator int *() + this->number::operator int(); }
};
struct derived : number {
	__device__ operator int() const { return n - 1; }
	__device__ int inner() const { return operator int() * 2 + number::operator int() + number::operator type(); }
};
struct shape {
	virtual __device__ operator int() const { return 1; }
};
struct square : shape {
	__device__ operator int() const override { return 2; }
};
template <class T, class U> __device__ U converted(const T &t) { return t.operator U(); }
__device__ int f(int a, int b) {
	number s{a};
	const number c{b};
	derived d;
	d.n = a ^ b;
	number *p = &s;
	square q;
	const shape &r = q;
	int n = s.operator int() + c.operator int() * 3 + *s.operator int *() + p->operator number::type();
	n += s.operator bool() + c.operator other::point().y + &c.operator const int &() - &c.n + (int)s.operator long();
	n += d.inner() + s.sum() + d.operator int() + d.number::operator int() + d.operator short() + r.operator int();
	return n + r.shape::operator int() + converted<number, double>(s) + converted<derived, int>(d);
}
// case: virtual_conversion_functions
struct shape {
	int n = 3;
	virtual __device__ operator int() const { return n; }
	virtual __device__ operator long() { return 4; }
	virtual __device__ explicit operator bool() const = 0;
	virtual __device__ operator const int &() { return n; }
};
struct square : shape {
	int m = 7;
	__device__ operator int() const override { return 20 + n; }
	__device__ operator long() override { return 5; }
	__device__ explicit operator bool() const override { return n & 1; }
	__device__ operator const int &() override { return m; }
};
struct odd : square {
	__device__ operator int() const final { return 300; }
	__device__ explicit operator bool() const override { return m & 2; }
};
__device__ int told(const shape &s) { return s ? 1000 : 2000; }
__device__ int f(int a, int b) {
	square q;
	odd o;
	q.n = a;
	o.m = b;
	const shape &r = a > b ? (const shape &)q : o;
	shape &s = b & 1 ? static_cast<shape &>(q) : o, *p = &o;
	const int &i = s;
	int n = r;
	long l = s;
	n += (int)l * 10 + static_cast<int>(r) * 3 + (int)(long)*p + told(s) + told(*p) * 3 + i;
	return n + !r + (p->operator bool() ? 5 : 6) + (r && r ? 7 : 8) + q.operator int() + r.shape::operator int();
}
