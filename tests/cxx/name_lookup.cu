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

// case: non_dependent_arguments
struct Q {
	int v;
};
namespace m {
struct R {
	int v;
};
__device__ int pick(R, long) { return 1; }
} // namespace m
template <class T> __device__ int h(T t) {
	m::R r{3};
	return pick(r, 1) + t;
}
template <class T> __device__ int k(T t) { return pick(t, 1); }
namespace m {
__device__ int pick(R, int) { return 2; }
} // namespace m
__device__ Q operator+(Q a, double) { return {a.v * 2}; }
template <class T> __device__ int g(T t) {
	Q q{3};
	return (q + 1).v + t;
}
template <class T> __device__ int g2(T t) { return (t + 1).v; }
__device__ Q operator+(Q a, int) { return {a.v * 5}; }
__device__ int f(int a, int b) { return h(a) + g(b) + g2(Q{a}) * 10 + k(m::R{1}); }

// case: block_function_declarations
namespace n {
struct S {
	int v;
};
__device__ int g(S s, int) { return 1; }
} // namespace n
__device__ int g(n::S, int);
__device__ int h(int) { return 10; }
__device__ int h(double) { return 20; }
__device__ int f(int a, int b) {
	int r = 0;
	{
		int g(n::S, int);
		r += g(n::S{a}, 2);
	}
	{
		int h(double);
		r += h(1);
	}
	{
		__device__ int k(int);
		r += k(a);
	}
	{
		extern int k(int);
		r += k(b);
	}
	return r + h(1);
}
__device__ int g(n::S, int) { return 2; }
__device__ int k(int a) { return a * 3; }

// case: using_directives_nested
namespace p {
int __device__ g(int) { return 1; }
namespace q {
__device__ int g(long) { return 2; }
namespace r {
__device__ int g(char) { return 3; }
__device__ int h() { return g(1) * 10 + g('c'); }
} // namespace r
using namespace r;
} // namespace q
} // namespace p
namespace s {
using namespace p::q;
__device__ int k() { return g(1L) * 100 + g('x') + p::q::g(2L); }
} // namespace s
namespace p {
__device__ int late() {
	using q::g;
	return g(1);
}
__device__ int late2() {
	using namespace q;
	return g(1) + g(1L) * 10;
}
} // namespace p
__device__ int f(int a, int b) {
	using namespace s;
	using p::late;
	return p::q::r::h() + k() + late() + p::late2() + a;
}

// case: using_declarations_and_own_functions
struct U0 {
	__device__ int g(int) { return 1; }
	__device__ int g(double) { return 2; }
	__device__ int g(int) const { return 3; }
	template <class T> __device__ int t(T) { return 4; }
	int m = 6;
};
struct U1 {
	__device__ int g(char) { return 7; }
	__device__ int z() { return 70; }
};
struct U2 : U0, U1 {
	using U0::g;
	using U0::t;
	using U1::g;
	__device__ int g(double) { return 5; }
	__device__ int t(int) { return 8; }
	using U0::m;
	__device__ int all() const { return g(1); }
};
__device__ int f(int a, int b) {
	U2 u;
	const U2 c{};
	return u.g(1) + u.g(1.5) * 10 + u.g('c') * 100 + c.g(1) * 1000 + u.t(1) + u.t(1.5) * 3 + u.m + u.z() + c.all() +
		   u.U0::g(2.0);
}

// case: two_phase
__device__ int tp(double) { return 1; }
template <class T> struct Tb {
	__device__ int tp(int) { return 100; }
	int val = 7;
};
int __device__ gval() { return 5; }
template <class T> struct Td : Tb<T> {
	__device__ int a() { return tp(1); }
	__device__ int b() { return this->tp(1) + this->val; }
	__device__ int c() { return Tb<T>::tp(2) + Td::val; }
	using Tb<T>::val;
	__device__ int d() { return val; }
};
namespace tq {
struct S {};
} // namespace tq
template <class T> __device__ int adl(T t) { return look(t) + tp(1); }
__device__ int tp(int) { return 2; }
namespace tq {
__device__ int look(S) { return 30; }
} // namespace tq
__device__ int f(int a, int b) {
	Td<int> t;
	return t.a() + t.b() + t.c() + t.d() + adl(tq::S{}) + tp(1);
}

// case: class_qualified_lookup
struct Q0 {
	int x = 1;
	static constexpr int k = 10;
	struct In {
		int z = 4;
		static constexpr int k = 20;
	};
	typedef int Q;
	__device__ virtual int vf() { return 1; }
	enum { A, Bx = 6 };
};
struct Q1 : Q0 {
	int x = 2;
	static constexpr int k = 30;
	struct In : Q0::In {
		int z = 5;
	};
	__device__ int vf() override { return Q0::vf() + 10; }
	__device__ int sum() {
		return x + Q0::x + this->Q0::x + Q1::Q0::x + In::k + Q1::In().z + Q0::In().z + Q0::k + k + Bx + this->Q1::Bx;
	}
};
template <class T> struct Q2 : T {
	__device__ int g() { return T::sum() + this->T::x + T::Q0::x + this->T::Q0::vf(); }
};
__device__ int f(int a, int b) {
	Q1 q;
	Q2<Q1> t;
	Q1 *p = &t;
	t.Q0::x = a;
	return q.sum() + t.g() + p->Q0::vf() + p->vf() + q.Q1::Q0::x + Q2<Q1>::Q0::k;
}

// case: using_operators
struct O1 {
	__device__ int operator()(int x) const { return x; }
	__device__ int operator[](int x) const { return x * 2; }
	__device__ operator int() const { return 5; }
	__device__ O1 &operator=(int) { return *this; }
	__device__ int operator+(int x) const { return x + 1; }
};
struct O2 : private O1 {
	using O1::operator();
	using O1::operator[];
	using O1::operator int;
	using O1::operator+;
	__device__ int operator()(double x) const { return int(x * 10); }
	__device__ int operator+(float x) const { return int(x * 10); }
};
namespace n {
struct S {
	int v;
};
namespace ops {
__device__ S operator*(S s, int k) { return {s.v * k}; }
__device__ S operator*(int k, S s) { return {s.v * k + 1}; }
} // namespace ops
} // namespace n
__device__ int f(int a, int b) {
	O2 o;
	int r = o(a) + o(1.5) + o[b] + int(o) + (o + 2) + (o + 2.5f);
	using n::ops::operator*;
	n::S s{a};
	return r + (s * 3).v + (3 * s).v;
}

// case: friend_templates
template <class T> class Box;
template <class T> __device__ int open(const Box<T> &b);
template <class T> class Box {
	T v;

  public:
	__device__ explicit Box(T t) : v(t) {}
	friend int open<T>(const Box<T> &);
	template <class U> friend class Box;
	template <class U> friend __device__ bool operator==(const Box<U> &, const Box<U> &);
	template <class U> __device__ Box(const Box<U> &o) : v(T(o.v) + 1) {}
	friend __device__ Box operator+(Box a, Box b) { return Box(a.v + b.v); }
};
template <class T> __device__ int open(const Box<T> &b) { return int(b.v * 10); }
template <class U> __device__ bool operator==(const Box<U> &a, const Box<U> &b) { return a.v == b.v; }
__device__ int f(int a, int b) {
	Box<int> x(a);
	Box<float> y(x);
	return open(x) + open(y + Box<float>(0.5f)) + (x == Box<int>(3)) * 1000;
}

// case: friend_template_of_each_instance
template <class T> struct Wrap {
	T t;
	template <class U> friend __device__ int mul(const Wrap<T> &w, U u) { return w.t * u; }
};
__device__ int f(int a, int b) {
	Wrap<int> w{a};
	Wrap<float> u{1.5f};
	return int(mul(w, 1.5)) + mul(u, 3);
}

// case: operator_templates
namespace ex {
template <class L, class R> struct Add {
	L l;
	R r;
	__device__ int operator()(int i) const { return l(i) + r(i); }
};
struct Leaf {
	int k;
	__device__ int operator()(int i) const { return k * i; }
};
template <class L, class R> __device__ Add<L, R> operator+(const L &l, const R &r) { return {l, r}; }
template <class T> struct Wrap {
	T t;
	template <class U> friend __device__ auto operator*(const Wrap &w, const Wrap<U> &u) {
		return Wrap<decltype(w.t * u.t)>{w.t * u.t};
	}
};
template <class T, int N> struct V {
	T d[N];
	template <class U> __device__ auto operator[](U i) const -> const T & { return d[i]; }
	template <class U> __device__ V &operator+=(const V<U, N> &o) {
		for (int i = 0; i < N; ++i) d[i] += o.d[i];
		return *this;
	}
};
template <class T, int N> __device__ V<T, N> operator-(const V<T, N> &a, const V<T, N> &b) {
	V<T, N> r = a;
	for (int i = 0; i < N; ++i) r.d[i] = a[i] - b[i];
	return r;
}
template <class T, int N> __device__ V<T, N> operator-(const V<T, N> &a) {
	V<T, N> r{};
	return r - a;
}
} // namespace ex
__device__ int f(int a, int b) {
	ex::Leaf x{a}, y{b};
	auto s = x + y + x;
	ex::Wrap<int> w{a};
	ex::Wrap<float> u{1.5f};
	ex::V<int, 3> v{{1, a, b}};
	v += ex::V<float, 3>{{1.f, 2.f, 3.f}};
	auto m = -v - v;
	return s(3) + int((w * u).t) + m[2] + m[0];
}

// case: directives_same_typedef
namespace A {
typedef int T;
}
namespace B {
typedef int T;
}
using namespace A;
using namespace B;
__device__ int f(int a, int b) {
	T t = a;
	return t * 2;
}

// case: directives_same_via_using
namespace A {
const int i = 4;
struct Q {
	int v;
};
} // namespace A
namespace B {
using A::i;
using A::Q;
} // namespace B
namespace C {
using A::i;
using A::Q;
} // namespace C
using namespace B;
using namespace C;
__device__ int f(int a, int b) {
	Q q{a};
	return q.v + i;
}

// case: directives_tag_same_ns
namespace A {
struct x {
	int q;
};
const int x = 5;
} // namespace A
using namespace A;
__device__ int f(int a, int b) {
	struct x t{a};
	return x + t.q;
}

// case: directives_qual_fine
namespace A {
const int i = 1;
}
namespace B {
const int i = 2;
}
namespace C {
using namespace A;
using namespace B;
const int i = 3;
} // namespace C
__device__ int f(int a, int b) { return C::i; }

// case: directives_inner_hides
namespace A {
const int i = 1;
}
namespace B {
const int i = 2;
}
namespace C {
using namespace A;
const int j = 1;
namespace D {
const int i = 7;
__device__ int g() {
	using namespace B;
	return i;
}
} // namespace D
} // namespace C
__device__ int f(int a, int b) { return C::D::g(); }

// case: directives_inline
namespace A {
inline namespace v1 {
const int i = 1;
}
} // namespace A
namespace B {
const int i = 5;
}
using namespace A;
__device__ int f(int a, int b) { return i; }

// case: directives_hides_in_named
namespace A {
const int i = 1;
}
namespace M {
using namespace A;
const int i = 2;
} // namespace M
namespace C {
using namespace M;
}
__device__ int f(int a, int b) { return C::i; }

// case: directives_diamond
namespace A {
const int i = 1;
__device__ int g(int x) { return x; }
} // namespace A
namespace M {
using namespace A;
}
namespace N {
using namespace A;
}
using namespace M;
using namespace N;
__device__ int f(int a, int b) { return i + g(b) + M::i; }

// case: directives_cycle
namespace B {}
namespace A {
using namespace B;
const int i = 1;
} // namespace A
namespace B {
using namespace A;
const int j = 2;
} // namespace B
__device__ int f(int a, int b) { return A::j + B::i; }

// case: directives_enum
namespace A {
enum E { red, green };
}
namespace B {
enum E { blue };
}
using namespace A;
using namespace B;
__device__ int f(int a, int b) { return red + green + blue; }

// case: directives_tmpl_fn_merge
namespace A {
template <class T> __device__ int g(T) { return 1; }
} // namespace A
namespace B {
__device__ int g(int) { return 2; }
} // namespace B
using namespace A;
using namespace B;
__device__ int f(int a, int b) { return g(1) * 10 + g(1.0); }

// case: directives_unnamed
namespace {
const int i = 1;
struct Q {
	int v;
};
__device__ int h(int x) { return x; }
} // namespace
__device__ int f(int a, int b) {
	Q q{a};
	return i + q.v + h(b);
}

// case: directives_alias_same
namespace A {
template <class T> struct V {
	T t;
};
typedef V<int> VI;
} // namespace A
namespace B {
using VI = A::V<int>;
using A::V;
} // namespace B
using namespace A;
using namespace B;
__device__ int f(int a, int b) {
	VI v{a};
	V<int> w{b};
	return v.t + w.t;
}

// case: directives_type_vs_tagname
namespace A {
struct T {
	int v;
};
} // namespace A
namespace B {
typedef A::T T;
}
using namespace A;
using namespace B;
__device__ int f(int a, int b) {
	T v{a};
	return v.v;
}

// case: directives_opens
namespace A {
struct T {
	static const int v = 3;
};
} // namespace A
namespace B {
const int T = 4;
}
using namespace A;
using namespace B;
__device__ int f(int a, int b) { return T::v; }

// case: directives_local_hides
namespace A {
const int i = 1;
}
namespace B {
const int i = 2;
}
using namespace A;
using namespace B;
__device__ int f(int a, int b) {
	int i = a;
	return i;
}

// case: two_phase_parameter
struct S {};
__device__ int g(...) { return 1; }
template <class T> __device__ int h(T t, S s) { return g(s); }
__device__ int g(S) { return 2; }
__device__ int f(int a, int b) { return h(1, S()); }

// case: two_phase_inferred_variable
struct S {};
__device__ int g(...) { return 1; }
template <class T> __device__ int h(T t, S s) {
	S q;
	auto r = s;
	return g(q) * 100 + g(s) * 10 + g(r);
}
__device__ int g(S) { return 2; }
__device__ int f(int a, int b) { return h(1, S()); }

// case: two_phase_dependent_parameters
struct S {};
template <class T> struct W {
	typedef S type;
};
__device__ int g(...) { return 1; }
template <class T> __device__ int h(T t, typename W<T>::type s, T *p, const S &c) {
	return g(s) * 100 + g(c) * 10 + g(*p);
}
__device__ int g(S) { return 2; }
__device__ int f(int a, int b) {
	S s;
	return h(s, S(), &s, s);
}

// case: two_phase_data_members
struct S {
	int v;
};
__device__ int g(...) { return 1; }
template <class T> struct C {
	S m;
	T t;
	__device__ int h(S p) { return g(m) * 100 + g(p) * 10 + g(t); }
};
__device__ int g(S) { return 2; }
__device__ int f(int a, int b) {
	C<S> c;
	return c.h(S());
}

// case: friend_template_declared_in_a_class
template <class T> struct S;
template <class T> struct S {
	template <class U> friend __device__ int peek(const S<U> &);
	friend __device__ int poke(S &s) { return s.v + 1; }
	S(T x) = delete;
	int v;
	S() = default;
};
template <class U> __device__ int peek(const S<U> &s) { return s.v; }
__device__ int f(int a, int b) {
	S<int> s;
	s.v = a;
	return peek(s) * 10 + poke(s);
}

// case: friend_template_of_a_namespace
namespace n {
template <class T> struct S {
	int v;
	template <class U> friend __device__ int peek(const S<U> &, int);
	template <class U> friend __device__ int late(U x, S<U> s);
};
template <class U> __device__ int peek(const S<U> &s, int k) { return s.v * k; }
template <class U> __device__ int late(U x, S<U> s) { return x + s.v; }
} // namespace n
__device__ int f(int a, int b) {
	n::S<int> s;
	s.v = a;
	return peek(s, 3) * 10 + late(b, s);
}

// case: types_of_std_by_another_name_of_it
namespace standard = std;
__device__ standard::size_t size(standard::int8_t x) { return standard::size_t(8) + x; }
__device__ int f(int a, int b) {
	standard::ptrdiff_t at = a;
	return int(size(standard::int8_t(b)) + at);
}
// case: qualified_names_before_a_parenthesis_in_conditions
template <class T> __device__ int by_condition(T t) {
	using Real = T;
	if constexpr (std::is_same<Real, float>::value) t += 1;
	if (std::is_same<Real, double>::value) t += 2;
	while (std::is_same<Real, char>::value) return 4;
	switch (std::is_same<Real, int>::value)
	case 1:
		t += 8;
	if ((std::is_same<Real, int>::value)) t += 16;
	return (int)t;
}
__device__ int f(int a, int b) {
	using Real = double;
	int n = by_condition(1.0f) + by_condition(a) + by_condition(2.0) + by_condition('a');
	if constexpr (std::is_same<Real, float>::value) n += 32;
	if (std::is_same<Real, double>::value) n += 64;
	for (; std::is_same<Real, int>::value;) b++;
	return n + b + (std::size_t)(b);
}
// case: types_of_the_library_by_an_alias_of_its_namespace
namespace st = std;
namespace inner {
namespace again = st;
}
__device__ int f(int a, int b) {
	namespace here = inner::again;
	st::uint8_t narrow = (st::uint8_t)(a * 300);
	inner::again::int64_t wide = static_cast<here::int64_t>(b) << 31;
	here::uint16_t *p = nullptr;
	return narrow + (int)(wide >> 30) + sizeof(st::uint64_t) + sizeof(here::int16_t) * 10 +
		   sizeof(inner::again::size_t) + here::uint8_t(b) + (p == nullptr);
}
// case: two_comparisons_of_members_beside_each_other
struct pair {
	int first;
	template <int N, int M> __device__ int get(int b) const { return N + M + b; }
};
struct holder {
	pair x;
};
__device__ int count(bool a, bool b) { return 2 + a + b * 4; }
__device__ int count(int) { return 1; }
template <class T> __device__ int compared(T t, int b) {
	return count(t.first<3, 4>(b)) + t.template get<1, 2>(b) + count(t.first<b, b>(t.first));
}
__device__ int f(int a, int b) {
	pair x{a}, *p = &x;
	holder h{x};
	int n = count(x.first<3, 4>(b)) + count(p->first<b, b>(4)) * 10 + x.get<1, 2>(b) + p->get<3, 4>(b);
	n += compared(x, b) * 100 + count(h.x.first<2, b>(a)) * 1000;
	if (x.first < 3 && 4 > (b)) n += 7;
	for (int i = 0; x.first<3, 2>(i); i++) n++;
	return n;
}
