// Unqualified lookup: in templates, in bases, in namespaces; what stops the lookup by arguments.

// case: two_phase_nondependent
__device__ int g(double) { return 1; }
template <class T> __device__ int h(T) { return g(1); }
__device__ int g(int) { return 2; }
__device__ int f(int a, int b) { return h(0); }

// case: two_phase_dependent_fundamental
__device__ int g(double) { return 1; }
template <class T> __device__ int h(T t) { return g(t); }
__device__ int g(int) { return 2; }
__device__ int f(int a, int b) { return h(0); }

// case: two_phase_dependent_adl
struct S {};
__device__ int g(double) { return 1; }
template <class T> __device__ int h(T t) { return g(t); }
__device__ int g(S) { return 2; }
__device__ int f(int a, int b) { return h(S()) * 10 + h(1.0); }

// case: two_phase_variable
const int n = 3;
namespace q {
template <class T> __device__ int h(T t) { return n + (int)t; }
const int n = 5;
__device__ int k(int a) { return h(a) + n; }
} // namespace q
__device__ int f(int a, int b) { return q::k(a); }

// case: two_phase_type
typedef float X;
namespace q {
template <class T> struct W {
	__device__ int s(T t) {
		X x = 2.5f;
		return (int)(x * 2) + t;
	}
};
typedef int X;
} // namespace q
__device__ int f(int a, int b) {
	q::W<int> w;
	return w.s(a);
}

// case: two_phase_member_of_class_template
__device__ int g(double) { return 1; }
template <class T> struct W {
	__device__ int s(T t) { return g(1) * 10 + g(t); }
	__device__ int o(T t);
};
template <class T> __device__ int W<T>::o(T t) { return g(2) * 10 + g(t); }
__device__ int g(int) { return 2; }
__device__ int f(int a, int b) {
	W<int> w;
	return w.s(a) * 100 + w.o(a);
}

// case: two_phase_namespace
namespace n {
struct S {};
} // namespace n
namespace m {
template <class T> __device__ int h(T t) { return g(t, 1); }
} // namespace m
namespace n {
__device__ int g(S, double) { return 1; }
__device__ int g(S, int) { return 2; }
} // namespace n
__device__ int f(int a, int b) { return m::h(n::S()); }

// case: two_phase_operator
struct S {
	int v;
};
template <class T> __device__ int h(T t) { return (t + t).v; }
__device__ S operator+(S x, S y) { return S{x.v + y.v + 1}; }
__device__ int f(int a, int b) { return h(S{a}); }

// case: dependent_base_not_found
__device__ int g(int) { return 1; }
template <class T> struct B {
	__device__ int g(int) { return 2; }
	int x = 4;
};
template <class T> struct D : B<T> {
	__device__ int r() { return g(3); }
	__device__ int s() { return this->g(3) * 10 + this->x; }
};
__device__ int f(int a, int b) {
	D<int> d;
	return d.r() * 100 + d.s();
}

// case: dependent_base_variable
__device__ const int x = 7;
template <class T> struct B {
	static const int x = 2;
	typedef char type;
};
typedef int type;
template <class T> struct D : B<T> {
	__device__ int r() { return x * 10 + B<T>::x + sizeof(type) * 100; }
};
__device__ int f(int a, int b) {
	D<int> d;
	return d.r();
}

// case: nondependent_base_found
__device__ int g(int) { return 1; }
struct B {
	__device__ int g(int) { return 2; }
};
template <class T> struct D : B {
	__device__ int r() { return g(3); }
};
__device__ int f(int a, int b) {
	D<int> d;
	return d.r();
}

// case: two_phase_template_function
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int h(T t) { return g(&t) * 10 + g(t); }
template <class T> __device__ int g(T *) { return 2; }
__device__ int f(int a, int b) { return h(a); }

// case: recursion_template
template <class T> __device__ int sum(T t) { return t; }
template <class T, class... R> __device__ int sum(T t, R... r) { return t + sum(r...); }
__device__ int f(int a, int b) { return sum(a, b, 3, 4); }

// case: two_phase_lambda
__device__ int g(double) { return 1; }
__device__ int f(int a, int b) {
	auto l = [](auto x) { return g(1) * 10 + g(x); };
	return l(a);
}
__device__ int g(int) { return 2; }

// case: paren_stops_adl
namespace n {
struct S {};
__device__ int g(S) { return 1; }
} // namespace n
struct C {
	__device__ C(n::S) {}
};
__device__ int g(C) { return 2; }
__device__ int f(int a, int b) { return (g)(n::S()) * 10 + g(n::S()); }

// case: variable_stops_adl
namespace n {
struct S {
	int v;
};
__device__ int g(S) { return 1; }
} // namespace n
__device__ int f(int a, int b) {
	auto g = [](n::S s) { return s.v; };
	return g(n::S{a});
}

// case: adl_explicit_template
namespace n {
struct S {};
template <class T> __device__ int g(S) { return sizeof(T); }
} // namespace n
template <class T> __device__ int g(T) { return 100; }
__device__ int f(int a, int b) { return g<char>(n::S()); }

// case: injected_class_name
template <class T> struct V {
	T x;
	__device__ V twice() {
		V r{x * 2};
		return r;
	}
	__device__ V<T> self() { return *this; }
	template <class U> __device__ V<U> as() { return V<U>{(U)x}; }
};
struct D : V<int> {
	__device__ int q(V v) { return v.x; }
};
__device__ int f(int a, int b) {
	V<int> v{a};
	D d;
	return v.twice().x + v.self().x * 3 + (int)(v.as<float>().x * 2) + d.q(v);
}

// case: using_directive_common
namespace A {
const int i = 1;
namespace B {
const int i = 2;
}
} // namespace A
namespace C {
const int j = 4;
namespace D {
using namespace A::B;
const int k = i;
} // namespace D
} // namespace C
__device__ int f(int a, int b) { return C::D::k + A::B::i * 10; }

// case: using_directive_hidden
const int v = 1;
namespace N {
const int v = 2;
const int w = 7;
} // namespace N
namespace M {
const int v = 3;
__device__ int r() {
	using namespace N;
	return v * 10 + w;
}
} // namespace M
__device__ int f(int a, int b) { return M::r(); }

// case: anonymous
namespace {
__device__ int g(int) { return 1; }
struct S {
	int v;
};
} // namespace
namespace n {
namespace {
__device__ int k(int) { return 4; }
} // namespace
__device__ int u(int x) { return k(x); }
} // namespace n
__device__ int f(int a, int b) {
	S s{a};
	return g(s.v) + n::u(1) + n::k(2) * 10;
}

// case: inline_overload
namespace n {
inline namespace v {
__device__ int g(int) { return 1; }
template <class T> struct X {
	static const int v = 1;
};
} // namespace v
__device__ int g(double) { return 2; }
template <> struct X<int> {
	static const int v = 6;
};
} // namespace n
__device__ int f(int a, int b) {
	return n::g(1) * 10 + n::g(1.0) + n::v::g(2) * 100 + n::X<int>::v * 1000 + n::X<char>::v * 10000;
}

// case: using_decl_block
namespace n {
__device__ int g(int) { return 1; }
__device__ int g(double) { return 2; }
} // namespace n
__device__ int g(int) { return 5; }
__device__ int f(int a, int b) {
	int r = g(1);
	{
		using n::g;
		r = r * 10 + g(1);
		r = r * 10 + g(1.0);
	}
	return r * 10 + g(1.5);
}

// case: using_decl_later_overload
namespace n {
__device__ int g(double) { return 1; }
} // namespace n
using n::g;
namespace n {
__device__ int g(int) { return 2; }
} // namespace n
__device__ int f(int a, int b) { return g(1); }

// case: using_directive_later_overload
namespace n {
__device__ int g(double) { return 1; }
} // namespace n
using namespace n;
namespace n {
__device__ int g(int) { return 2; }
} // namespace n
__device__ int f(int a, int b) { return g(1); }

// case: enum_scopes
enum E { A = 1, B };
enum class F : short { A = 10, B };
struct S {
	enum { A = 100 };
	enum G { C = 5 };
	__device__ int r() { return A + C; }
};
__device__ int f(int a, int b) {
	S s;
	return A + E::B + (int)F::B + S::A + S::G::C + s.r();
}

// case: struct_stat_hack
struct stat_t {
	int v;
};
__device__ int stat_t(int x) { return x + 1; }
__device__ int f(int a, int b) {
	struct stat_t s{a};
	return stat_t(s.v);
}

// case: class_scope_complete
struct S {
	__device__ int r() { return k() + n; }
	static const int n = 5;
	__device__ int k() { return m; }
	int m = 3;
};
__device__ int f(int a, int b) {
	S s;
	return s.r();
}

// case: local_shadow
__device__ int f(int a, int b) {
	int x = a;
	{
		int x = b;
		a = x;
	}
	for (int x = 0; x < 3; x++) a += x;
	if (int x = b) a += x;
	return a + x;
}

// case: member_hides_global
__device__ int g(int) { return 1; }
__device__ int g(int, int) { return 2; }
struct S {
	__device__ int g(double) { return 3; }
	__device__ int r() { return g(1) * 10 + 2; }
};
__device__ int f(int a, int b) {
	S s;
	return s.r();
}

// case: derived_hides_base
struct B {
	__device__ int g(int) { return 1; }
};
struct D : B {
	__device__ int g(double) { return 2; }
};
__device__ int f(int a, int b) {
	D d;
	return d.g(1) * 10 + d.B::g(1);
}
