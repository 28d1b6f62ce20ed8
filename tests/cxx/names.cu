// Names: overloads, default arguments, namespaces, enums, aliases, tags, lookup by arguments.

// case: overload_exact
__device__ int g(int x) { return 1; }
__device__ int g(float x) { return 2; }
__device__ int f(int a, int b) { return g(a) * 10 + g(a * 1.0f); }

// case: overload_promotion
__device__ int g(int) { return 1; }
__device__ int g(double) { return 2; }
__device__ int f(int a, int b) { return g((char)a) * 1000 + g((short)b) * 100 + g(a > b) * 10 + g(1.0f); }

// case: overload_pointer_const
__device__ int g(int *) { return 1; }
__device__ int g(const int *) { return 2; }
__device__ int f(int a, int b) {
	const int c = b;
	return g(&a) * 10 + g(&c);
}

// case: overload_pointer_void_bool
__device__ int g(const void *) { return 1; }
__device__ int g(bool) { return 2; }
__device__ int f(int a, int b) { return g(&a) * 10 + g(a); }

// case: overload_count
__device__ int g(int x) { return x; }
__device__ int g(int x, int y) { return x - y; }
__device__ int g() { return 7; }
__device__ int f(int a, int b) { return g(a) * 100 + g(a, b) * 10 + g(); }

// case: overload_signedness
__device__ int g(int) { return 1; }
__device__ int g(unsigned) { return 2; }
__device__ int g(long long) { return 3; }
__device__ int g(unsigned long) { return 4; }
__device__ int f(int a, int b) { return g(a) + g(1u) * 10 + g(1ll + a) * 100 + g(sizeof(a)) * 1000; }

// case: overload_char_kinds
__device__ int g(char) { return 1; }
__device__ int g(signed char) { return 2; }
__device__ int g(unsigned char) { return 3; }
__device__ int f(int a, int b) { return g('x') * 100 + g((signed char)a) * 10 + g((unsigned char)b); }

// case: overload_reference_const
__device__ int g(int &x) { return ++x; }
__device__ int g(const int &x) { return x * 2; }
__device__ int f(int a, int b) {
	const int c = b;
	int r = g(a) + g(c);
	return r * 10 + g(5) + a;
}

// case: overload_rvalue
__device__ int g(int &) { return 1; }
__device__ int g(int &&) { return 2; }
__device__ int f(int a, int b) { return g(a) * 100 + g(a + b) * 10 + g(3); }

// case: overload_struct
struct P {
	int v;
};
struct Q {
	int v;
};
__device__ int g(P p) { return p.v; }
__device__ int g(Q q) { return -q.v; }
__device__ int f(int a, int b) {
	P p = {a};
	Q q = {b};
	return g(p) * 100 + g(q);
}

// case: overload_enum_int
enum E { X, Y };
__device__ int g(E) { return 1; }
__device__ int g(int) { return 2; }
__device__ int f(int a, int b) { return g(Y) * 100 + g(Y + 1) * 10 + g((E)(a & 1)); }

// case: overload_ellipsis
__device__ int g(int x) { return 1; }
struct S {
	int x;
};
__device__ int g(...) { return 2; }
__device__ int f(int a, int b) { return g(a) * 10 + g(2.5); }

// case: overload_nullptr
__device__ int g(int) { return 1; }
__device__ int g(int *p) { return p == nullptr ? 2 : 3; }
__device__ int f(int a, int b) { return g(nullptr) * 100 + g(0) * 10 + g(&a); }

// case: overload_in_scope_hides
__device__ int g(float) { return 1; }
namespace n {
__device__ int g(int) { return 2; }
__device__ int h(float x) { return g(x); }
} // namespace n
__device__ int f(int a, int b) { return n::h(1.5f) * 10 + g(a); }

// case: overload_recursive
__device__ int g(int n);
__device__ int g(int n, int s) { return n <= 0 ? s : g(n - 1) + s; }
__device__ int g(int n) { return n <= 0 ? 1 : g(n - 1, n); }
__device__ int f(int a, int b) { return g(b); }

// case: default_one
__device__ int g(int x, int y = 4) { return x * y; }
__device__ int f(int a, int b) { return g(a) * 100 + g(a, b); }

// case: default_expression
__device__ int h(int x = 3) { return x + 1; }
__device__ int g(int x, int y = h() * 2, int z = h(9)) { return x + y * 10 + z; }
__device__ int f(int a, int b) { return g(a) + g(a, b) + g(a, b, 1); }

// case: default_declaration
__device__ int g(int x, int y = 6);
__device__ int g(int x, int y) { return x - y; }
__device__ int f(int a, int b) { return g(a) + g(a, b); }

// case: default_struct
struct P {
	int x, y;
};
__device__ int g(int a, P p = P{3, 4}) { return a * p.x + p.y; }
__device__ int f(int a, int b) { return g(a) + g(a, {b, 1}); }

// case: default_and_overload
__device__ int g(int x, int y, int z = 1) { return x + y + z; }
__device__ int g(int x) { return -x; }
__device__ int f(int a, int b) { return g(a) * 50 + g(a, b) + g(a, b, 3); }

// case: namespace_nested
namespace x {
namespace y {
__device__ int g(int v) { return v + 1; }
} // namespace y
__device__ int g(int v) { return y::g(v) * 2; }
} // namespace x
__device__ int f(int a, int b) { return x::g(a) + x::y::g(b); }

// case: namespace_compact
namespace x::y::z {
__device__ int g(int v) { return v * 3; }
} // namespace x::y::z
__device__ int f(int a, int b) { return x::y::z::g(a); }

// case: namespace_reopened
namespace x {
__device__ int g(int v) { return v + 1; }
} // namespace x
namespace x {
__device__ int h(int v) { return g(v) * 2; }
} // namespace x
__device__ int f(int a, int b) { return x::h(a); }

// case: namespace_anonymous
namespace {
__device__ int g(int v) { return v ^ 5; }
struct T {
	int v;
};
} // namespace
__device__ int f(int a, int b) {
	T t = {b};
	return g(a) + t.v;
}

// case: namespace_inline
namespace x {
inline namespace v1 {
__device__ int g(int v) { return v + 1; }
} // namespace v1
namespace v2 {
__device__ int g(int v) { return v + 2; }
} // namespace v2
} // namespace x
__device__ int f(int a, int b) { return x::g(a) * 100 + x::v2::g(a) + x::v1::g(b); }

// case: namespace_using_directive
namespace x {
__device__ int g(int v) { return v - 3; }
const int K = 4;
} // namespace x
__device__ int f(int a, int b) {
	using namespace x;
	return g(a) * K;
}

// case: namespace_using_declaration
namespace x {
__device__ int g(int v) { return v - 3; }
} // namespace x
namespace y {
using x::g;
}
__device__ int f(int a, int b) {
	using x::g;
	return g(a) + y::g(b);
}

// case: namespace_alias
namespace long_name {
namespace deep {
__device__ int g(int v) { return v * v; }
} // namespace deep
} // namespace long_name
namespace s = long_name::deep;
__device__ int f(int a, int b) {
	namespace t = s;
	return s::g(a) + t::g(b);
}

// case: namespace_global
namespace x {
__device__ int f2(int v) { return 1; }
__device__ int g(int v) { return f2(v); }
} // namespace x
__device__ int f2(int v) { return v * 2; }
__device__ int f(int a, int b) { return x::g(a) + f2(b); }

// case: namespace_type_and_value
namespace x {
struct T {
	int v;
};
constexpr int N = 3;
enum E { A = 5 };
typedef int I;
} // namespace x
__device__ int f(int a, int b) {
	x::T t{a};
	x::I k = x::N;
	return t.v * k + x::A + x::E::A;
}

// case: enum_plain
enum E { A, B = 5, C, D = B * 2 };
__device__ int f(int a, int b) {
	E e = a > 5 ? C : D;
	return e + A + B;
}

// case: enum_class
enum class E { A, B = 5, C };
__device__ int f(int a, int b) {
	E e = a > b ? E::C : E::A;
	return e == E::C ? (int)e : static_cast<int>(e) - 1;
}

// case: enum_underlying
enum E : unsigned char { A = 250 };
enum class L : long long { X = 1ll << 40 };
__device__ int f(int a, int b) {
	E e = (E)(A + b);
	return e + (int)sizeof(E) * 1000 + (int)((long long)L::X >> 38) + (int)sizeof(L);
}

// case: enum_switch
enum class E { A, B, C };
__device__ int g(E e) {
	switch (e) {
	case E::A:
		return 1;
	case E::B:
		return 20;
	case E::C:
		return 300;
	}
	return -1;
}
__device__ int f(int a, int b) { return g(static_cast<E>(b % 3)); }

// case: enum_compare_index
enum E { A, B, C, COUNT };
__device__ int f(int a, int b) {
	int t[COUNT] = {7, 8, 9};
	int s = 0;
	for (int e = A; e < COUNT; e++) s = s * 10 + t[e];
	return s + (b < B);
}

// case: enum_in_function
__device__ int f(int a, int b) {
	enum { LOW = 3, HIGH = LOW + 4 };
	return a > LOW ? HIGH : b;
}

// case: enum_operator
enum class F : unsigned { N = 0, A = 1, B = 2, C = 4 };
__device__ F operator|(F x, F y) { return F((unsigned)x | (unsigned)y); }
__device__ bool operator&(F x, F y) { return (unsigned)x & (unsigned)y; }
__device__ int f(int a, int b) {
	F v = F(b & 7) | F::B;
	return (v & F::A) + 10 * (v & F::B) + 100 * (v & F::C);
}

// case: using_alias
using I = int;
using P = const I *;
using A = int[3];
__device__ I f(I a, I b) {
	A t = {a, b, 4};
	P p = t;
	return p[0] * p[1] + p[2];
}

// case: typedef_struct
typedef struct {
	int x, y;
} P;
typedef struct tag {
	P p;
	struct tag *next;
} N;
__device__ int f(int a, int b) {
	N n = {{a, b}, 0};
	N m = {{1, 2}, &n};
	return m.next->p.x - m.p.y;
}

// case: typedef_function
typedef int G(int);
__device__ G g;
__device__ int g(int x) { return x + 9; }
__device__ int f(int a, int b) {
	G *p = g;
	return p(a);
}

// case: tag_as_type
struct S {
	int v;
};
union U {
	int i;
	float f;
};
enum E { X = 3 };
__device__ int f(int a, int b) {
	S s;
	s.v = a;
	U u;
	u.i = b;
	E e = X;
	return s.v + u.i + e;
}

// case: tag_beside_function
struct g {
	int v;
};
__device__ int g(int x) { return x * 2; }
__device__ int f(int a, int b) {
	struct g s = {a};
	return g(s.v);
}

// case: tag_forward
struct S;
__device__ int g(const S *s);
struct S {
	int v;
};
__device__ int g(const S *s) { return s->v; }
__device__ int f(int a, int b) {
	S s{a};
	return g(&s);
}

// case: adl_operator
namespace n {
struct V {
	int x;
};
__device__ V operator+(V p, V q) { return {p.x + q.x * 2}; }
} // namespace n
__device__ int f(int a, int b) {
	n::V p{a}, q{b};
	return (p + q).x;
}

// case: adl_function
namespace n {
struct V {
	int x;
};
__device__ int size(const V &v) { return v.x + 5; }
} // namespace n
__device__ int f(int a, int b) {
	n::V v{a};
	return size(v);
}

// case: adl_hidden_friend
struct V {
	int x;
	__device__ friend int twice(V v) { return v.x * 2; }
};
__device__ int f(int a, int b) { return twice(V{a}); }

// case: names_before_colons
namespace a {
struct T {
	int x;
};
__device__ int twice(int v) { return 2 * v; }
enum { five = 5 };
} // namespace a
struct b {
	static __device__ int three() { return 3; }
};
__device__ int f(int a, int b) {
	a::T t{a + a::five};
	return t.x * a::twice(b) + b::three();
}

// case: overloads_of_used_namespaces
namespace a {
__device__ int g(int x) { return x + 1; }
} // namespace a
namespace b {
__device__ int g(double x) { return 5; }
namespace {
__device__ int g(char) { return 7; }
} // namespace
} // namespace b
using namespace a;
using namespace b;
__device__ int g(float x) { return 3; }
__device__ int f(int a, int b) { return g(a) + 10 * g(1.0f) + 100 * g(1.0) + 1000 * g('x'); }

// case: shadowing
__device__ int f(int a, int b) {
	int x = a;
	{
		int x = b;
		{
			int x = 3;
			a += x;
		}
		a += x * 10;
	}
	for (int x = 0; x < 2; x++) a += x;
	return a + x;
}

// case: local_declaration
__device__ int f(int a, int b) { return a - b; }

// case: initialiser_parentheses
__device__ int f(int a, int b) {
	int x(a), y{b}, z = {3}, w{};
	const int *p(&x);
	return x * 100 + y * 10 + z + w + *p;
}

// case: functional_casts
__device__ int f(int a, int b) { return int(a * 1.5f) + int{3} + unsigned(b) + char(65) + bool(a) + int(); }

// case: named_casts
__device__ int f(int a, int b) {
	float x = static_cast<float>(a) / 4;
	const int c = b;
	int *p = const_cast<int *>(&c);
	unsigned char *q = reinterpret_cast<unsigned char *>(&a);
	return (int)x + *p + q[0];
}

// case: literal_operators gives double
__device__ constexpr double operator""_half(unsigned long long x) { return x * 0.5; }
__device__ constexpr long double operator""_dbl(long double x) { return x * 2; }
__device__ constexpr int operator""_len(const char *s, std::size_t n) { return (int)n + s[0]; }
__device__ constexpr int operator""_up(char c) { return c - 32; }
struct Meters {
	double v;
};
__device__ constexpr Meters operator"" _m(long double v) { return {(double)v}; }
__device__ double f(int a, int b) { return 7_half + a + (double)2.5_dbl + "hello"_len + 'a'_up + (1.5_m).v; }

// case: literal_operators_of_namespaces
namespace units {
namespace lit {
__device__ constexpr float operator""_km(unsigned long long x) { return x * 1000.f; }
__device__ constexpr float operator""_km(long double x) { return (float)x * 1000.f; }
} // namespace lit
using namespace lit;
} // namespace units
__device__ int f(int a, int b) {
	using namespace units::lit;
	return (int)(3_km + 1.5_km) + a;
}

// case: tables_of_classes_in_namespaces
namespace n {
struct T {
	static constexpr int v[3] = {1, 2, 3};
	static const int k = 5;
	static constexpr float w = 2.5f;
};
} // namespace n
namespace m {
template <class X> struct U {
	static constexpr X t[4] = {1, 2, 3, 4};
	static constexpr int at(int i) { return t[i]; }
};
} // namespace m
__device__ int f(int a, int b) {
	const int *p = n::T::v;
	return n::T::v[b % 3] + n::T::k + (int)(n::T::w * 2) + m::U<int>::t[b % 4] + (int)m::U<float>::t[1] +
		   m::U<int>::at(b % 4) + p[1];
}

// case: tables_defined_outside
namespace n {
struct T {
	static const int v[3];
	static int c;
	static const float w;
};
} // namespace n
__device__ const int n::T::v[3] = {4, 5, 6};
__device__ const float n::T::w = 1.5f;
struct Q {
	static constexpr int z[2] = {7, 8};
};
constexpr int Q::z[2];
__device__ int f(int a, int b) { return n::T::v[b % 3] + Q::z[b & 1] + (int)(n::T::w * 2); }

// case: member_of_a_base_by_its_class
struct First {
	int x;
};
struct Second {
	int x;
};
struct Both : First, Second {
	int x;
	__device__ int set(int a, int b) {
		x = a;
		First::x = b;
		this->Second::x = a + b;
		auto sum = [this](int k) { return First::x * k + Second::x; };
		return sum(3);
	}
};
template <class B> struct Over : B {
	int x;
	__device__ int sum() { return x * 10 + B::x; }
};
__device__ int f(int a, int b) {
	Both both;
	int r = both.set(a, b);
	Over<First> over;
	over.x = a;
	over.First::x = b;
	return r + 7 * both.x + 100 * both.First::x + 1000 * both.Second::x + 10000 * over.sum();
}

// case: first_parameter
namespace n {
struct S {
	int k;
	typedef int I;
	template <class T> struct In {
		T v;
	};
};
template <class T> struct V {
	T v;
	typedef T type;
};
const int c = 4;
template <class A, class B> struct Pair {
	A first;
	B second;
};
} // namespace n
__device__ int f1(std::int32_t *p) { return *p; }
__device__ int f2(std::size_t n) { return n; }
__device__ int f3(::std::int32_t &p) { return p; }
__device__ int f4(n::Pair<int, int> &p) { return p.first; }
__device__ int f5(n::Pair<int, int>) { return 1; }
__device__ int f6(std::int32_t) { return 1; }
__device__ int f7(std::int32_t (*g)(int)) { return g(1); }
__device__ int f8(std::int32_t (&g)[3]) { return g[1]; }
__device__ int f9(std::int32_t a[3]) { return a[1]; }
__device__ int f10(n::V<int>::type *p) { return *p; }
__device__ int f11(n::S::I *p, int) { return *p; }
__device__ int f12(n::S::In<int> *p) { return p->v; }
template <class T> __device__ int f13(typename T::I *p) { return *p; }
template <class T> __device__ int f14(typename n::V<T>::type *p) { return *p; }
__device__ int f15(std::int32_t const *p) { return *p; }
__device__ int f16(std::int32_t *const p) { return *p; }
__device__ int f17(std::int32_t *p = nullptr) { return p ? *p : 3; }
__device__ int f18(std::int32_t *__restrict__ p) { return *p; }
__device__ int f19(std::int32_t **p) { return **p; }
__device__ int f20(std::int32_t &&p) { return p; }
__device__ int f21(std::int32_t *);
__device__ int f22(std::int32_t (*g)(std::int32_t *)) {
	int a = 5;
	return g(&a);
}
__device__ int f23(std::int32_t g(std::int32_t *)) {
	int a = 5;
	return g(&a);
}
template <class... A> __device__ int f24(n::Pair<A, int> *...p) { return sizeof...(p); }
template <class T, std::size_t N> __device__ int f25(n::Pair<T, T> (&p)[N]) { return N; }
__device__ int f21(std::int32_t *p) { return *p; }
struct M {
	int k;
	__device__ M(std::int32_t *p) : k(*p) {}
	__device__ int f(std::int32_t *p) const { return *p + k; }
	__device__ int g(std::size_t) { return 1; }
	__device__ int operator()(std::int32_t *p) { return *p; }
	__device__ static int s(n::Pair<int, int> *p) { return p->second; }
};
__device__ int f(int a, int b) {
	const int q = 3;
	int x(n::c * q), y(n::c), z(std::size_t(a) + 1), w(std::int32_t(b) * 2);
	n::Pair<int, int> pr{a, b}, two[2] = {{1, 2}, {3, 4}};
	M m(&a);
	int arr[3] = {1, a, 3};
	int *pa = &b;
	n::S::In<int> in{9};
	int r = f1(&a) + f2(3) + f3(a) + f4(pr) + f5(pr) + f6(1) + f8(arr) + f9(arr) + f10(&a) + f11(&a, 1) + f12(&in);
	r += f13<n::S>(&a) + f14<int>(&a) + f15(&a) + f16(&a) + f17() + f18(&a) + f19(&pa) + f20(4) + f24(&pr, &pr);
	r += f25(two) + f21(&a) + m.f(&a) + m.g(1) + m(&b) + M::s(&pr) + x + y + z + w;
	return r + f7([](int x) { return x; }) + f22(f21) + f23(f21);
}
