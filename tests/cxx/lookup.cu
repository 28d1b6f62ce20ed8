// Lookup: friends, lookup by arguments, built-in operators beside those of a program.

// case: point_of_declaration
__device__ int g(double) { return 1; }
__device__ int f(int a, int b) { return g(a); }
__device__ int g(int) { return 2; }

// case: friend_needs_argument
struct S {
	int v;
	__device__ S(int x) : v(x) {}
	friend __device__ int operator+(S a, S b) { return 1000; }
	friend __device__ bool operator<(S a, S b) { return true; }
};
enum E { P = 3, Q = 4 };
__device__ int f(int a, int b) {
	E e = (a & 1) ? P : Q;
	return (e + 5) * 2 + (e < 2) + (S(2) + 3);
}

// case: namespace_operator_builtin_wins
struct S {
	int v;
	__device__ S(int x) : v(x) {}
};
__device__ int operator+(S a, S b) { return 1000; }
__device__ int operator<<(S a, S b) { return 1000; }
__device__ int operator-(S a) { return 1000; }
__device__ bool operator==(S a, S b) { return false; }
enum E { P = 3, Q = 4 };
__device__ int f(int a, int b) {
	E e = (a & 1) ? P : Q;
	return (e + 5) + (e << 1) + (-e) + (e == P) + (S(1) + e);
}

// case: enum_shift_of_two_classes
struct A {
	__device__ A(long long) {}
	friend __device__ A operator<<(A a, int) { return a; }
};
struct B {
	__device__ B(long long) {}
	friend __device__ B operator<<(B a, int) { return a; }
};
enum { bits = 3 };
__device__ int f(int a, int b) { return (1 << bits) + (a << bits) + (bits << 2); }

// case: friend_of_template_argument
template <class T> struct W {
	T t;
};
namespace n {
struct S {
	int v;
	friend __device__ int look(W<S> w) { return w.t.v + 5; }
};
} // namespace n
__device__ int f(int a, int b) {
	W<n::S> w{{a}};
	return look(w);
}

// case: friend_declared_then_defined
struct S;
__device__ int peek(const S &);
struct S {
	__device__ S(int x) : v(x) {}
	friend __device__ int peek(const S &);
	friend __device__ int late(const S &s);

  private:
	int v;
};
__device__ int peek(const S &s) { return s.v; }
__device__ int f(int a, int b) {
	S s(a);
	return peek(s) + late(s);
}
__device__ int late(const S &s) { return s.v * 2; }

// case: friend_template_instances
template <class T> struct V {
	T x;
	friend __device__ V operator+(V a, V b) { return {a.x + b.x}; }
	friend __device__ V operator*(T s, V b) { return {s * b.x}; }
};
__device__ int f(int a, int b) {
	V<int> v{a}, w{b};
	V<float> p{1.5f}, q{2};
	return (v + w).x + (3 * w).x + (int)((p + 2.0f * q).x * 4);
}

// case: friend_same_as_namespace
struct S {
	int v;
	friend __device__ int g(S s) { return s.v; }
};
__device__ int g(S s);
__device__ int h(int (*p)(S), S s) { return p(s); }
__device__ int f(int a, int b) { return h(g, S{a}); }

// case: nested_class_friend
struct O {
	struct I {
		int v;
		friend __device__ int get(I i) { return i.v; }
		friend __device__ int both(O, I i) { return 2; }
	};
	int w;
	friend __device__ int out(I i) { return i.v + 1; }
};
__device__ int f(int a, int b) {
	O::I i{a};
	return get(i) + out(i) + both(O(), i);
}

// case: base_friend
struct B {
	int v;
	friend __device__ int get(const B &b) { return b.v; }
};
struct D : B {};
__device__ int f(int a, int b) {
	D d;
	d.v = a;
	return get(d);
}

// case: member_name_stops_adl
namespace n {
struct S {
	int v;
};
__device__ int g(S) { return 1; }
} // namespace n
struct C {
	__device__ int g(int x) { return x; }
	struct Q {
		operator int() const;
	};
	__device__ int run(int x) { return g(x); }
};
__device__ int f(int a, int b) {
	C c;
	return c.run(a);
}

// case: adl_ignores_using_directive
namespace m {
__device__ int g(...) { return 1; }
} // namespace m
namespace n {
using namespace m;
struct S {};
} // namespace n
__device__ int g(n::S) { return 2; }
__device__ int f(int a, int b) { return g(n::S()); }

// case: adl_inline_namespace
namespace n {
inline namespace v1 {
struct S {};
} // namespace v1
__device__ int g(S) { return 3; }
namespace k {
struct T {};
} // namespace k
} // namespace n
namespace p {
struct X {};
inline namespace q {
__device__ int hh(X) { return 5; }
} // namespace q
} // namespace p
__device__ int f(int a, int b) { return g(n::S()) + hh(p::X()); }

// case: conversion_to_builtin
struct A {
	int v;
	__device__ operator int() const { return v; }
};
struct B {
	int v;
	__device__ B(A a) : v(a.v) {}
};
__device__ int operator+(B, int) { return 1000; }
__device__ int f(int a, int b) {
	A x{a};
	return (int)(x + 1.5);
}

// case: scoped_enum_ops
enum class F : unsigned { a = 1, b = 2 };
__device__ F operator|(F x, F y) { return F(unsigned(x) | unsigned(y)); }
__device__ bool operator!(F x) { return !unsigned(x); }
__device__ F &operator|=(F &x, F y) { return x = x | y; }
__device__ int f(int a, int b) {
	F x = F::a;
	x |= F::b;
	return int(x | F::a) + !x + (x == F::a) + (x < F::b);
}

// case: template_operator_beside_enum
template <class T, int N> struct vec {
	T v[N];
};
template <class T, int N> __device__ vec<T, N> operator<<(vec<T, N> a, int s) { return a; }
template <class T> __device__ T operator<<(T a, vec<int, 2> s) { return a; }
enum E { P = 3 };
__device__ int f(int a, int b) { return (1 << P) + (P << 1); }

// case: adl_function_argument
namespace n {
struct S {
	int v;
};
__device__ int mk(S s) { return s.v; }
__device__ int ap(int (*p)(S), int v) { return p(S{v}); }
} // namespace n
__device__ int f(int a, int b) { return ap(n::mk, a); }

// case: compound_assign_enum
enum E { P = 3 };
struct S {
	int v;
	__device__ S(int x) : v(x) {}
	friend __device__ S &operator+=(S &a, S b) {
		a.v += b.v;
		return a;
	}
};
__device__ int f(int a, int b) {
	int x = a;
	x += P;
	S s(1);
	s += P;
	s += a;
	return x + s.v;
}

// case: using_hidden
struct B {
	__device__ int f(int) { return 1; }
	__device__ int f(double) { return 2; }
	__device__ int g(int) const { return 8; }
};
struct D : B {
	using B::f;
	using B::g;
	__device__ int f(int) { return 4; }
	__device__ int g(int) { return 9; }
};
struct E : B {
	__device__ int f(int) { return 4; }
	using B::f;
};
__device__ int f(int a, int b) {
	D d;
	E e;
	const D c{};
	return d.f(5) * 10 + d.f(2.5) + e.f(1) * 100 + d.g(1) * 1000 + c.g(1) * 10000;
}

// case: forward_const
template <class T> __device__ int g(T &&x) { return x + 1; }
template <class T> __device__ int h(T &&x) { return g(static_cast<T &&>(x)); }
__device__ int f(int a, int b) {
	const int c = 4;
	return g(c) + h(c) + h(a) + h(3);
}

// case: using_builtin
struct V {
	float x;
};
namespace mine {
using ::abs;
using ::max;
using ::min;
using std::sqrt;
__device__ V min(V a, V b) { return a.x < b.x ? a : b; }
template <class T> __device__ T max(T a, T b, T c) { return max(max(a, b), c); }
__device__ V abs(V a) { return a.x < 0 ? V{-a.x} : a; }
} // namespace mine
namespace other {
using mine::min;
using mine::sqrt;
__device__ int min(V) { return 9; }
namespace deep {
__device__ int low(int a) { return min(a, 2) + min(V{1}) + (int)sqrt(4.0); }
} // namespace deep
} // namespace other
__device__ int f(int a, int b) {
	return mine::min(a, 2) + (int)mine::min(V{3}, V{4}).x * 10 + mine::max(a, b, 5) * 100 + other::deep::low(a) +
		   (int)mine::abs(V{-3}).x + mine::abs(-2);
}

// case: using_builtin_hides
namespace inner {
__device__ int max(int a) { return a; }
__device__ int g(int a) {
	using ::max;
	return max(a, 3);
}
__device__ int h(int a) {
	using ::min;
	return min(a, 3) + max(4);
}
} // namespace inner
namespace whole {
using ::min;
__device__ int min(int a) { return a * 2; }
} // namespace whole
using namespace whole;
__device__ int f(int a, int b) { return inner::g(a) * 100 + inner::h(a) * 10 + min(a, b) + min(b); }

// case: pointers_to_built_in_functions
template <class F> __device__ float apply(F function, float x) { return function(x); }
__device__ float through(float (*function)(float), float x) { return function(x); }
__device__ int f(int a, int b) {
	float (*one)(float) = a & 1 ? sqrtf : fabsf, x = (float)(b & 15);
	float (*other)(float) = &sqrtf;
	return (int)(one(x) * 100) + (int)(apply(sqrtf, x) * 7) + (int)(through(fabsf, -x) * 3) + (int)other(x);
}
