// standard: c++20
// Constraints: concepts, `requires` clauses and expressions, abbreviated templates; which overload asks for more;
// `using enum`.
#include <concepts>
#include <type_traits>
#include <utility>

// case: constrained_parameter gives double
template <std::integral T> __device__ T half(T x) { return x / 2; }
template <std::floating_point T> __device__ T half(T x) { return x * T(0.5) + T(100); }
template <std::integral> __device__ int nameless() { return 7; }
__device__ double f(int a, int b) {
	return half(a) + half(b * 1.5) + half((short)a) * 3.0 + half(1.5f * b) + nameless<int>();
}

// case: requires_clause_leading_and_trailing
template <class T>
	requires(sizeof(T) > 4)
__device__ int size(T) {
	return 1;
}
template <class T>
	requires(sizeof(T) <= 4) && std::is_integral_v<T>
__device__ int size(T) {
	return 2;
}
template <class T>
__device__ int size(T)
	requires std::is_pointer_v<T> || std::is_same_v<T, float>
{
	return 3;
}
__device__ int f(int a, int b) {
	float x = a;
	return size(a) + 10 * size((long long)b) + 100 * size(x) + 1000 * size('c');
}

// case: concept_definitions
template <class T>
concept Small = sizeof(T) <= 2;
template <class T>
concept Whole = std::is_integral_v<T>;
template <class T>
concept SmallWhole = Small<T> && Whole<T>;
template <class T, int N>
concept AtMost = sizeof(T) <= N;
__device__ int f(int a, int b) {
	return Small<char> + 2 * Small<int> + 4 * SmallWhole<short> + 8 * Whole<float> + 16 * AtMost<int, 4> +
		   a * AtMost<double, 4> + b;
}

// case: more_constrained_is_better
template <class T>
concept Whole = std::is_integral_v<T>;
template <class T>
concept SignedWhole = Whole<T> && std::is_signed_v<T>;
template <class T>
concept Tiny = SignedWhole<T> && sizeof(T) == 1;
template <class T> __device__ int g(T) { return 1; }
template <Whole T> __device__ int g(T) { return 2; }
template <SignedWhole T> __device__ int g(T) { return 3; }
template <class T>
	requires Tiny<T>
__device__ int g(T) {
	return 4;
}
__device__ int f(int a, int b) { return g(a) + 10 * g(1.5f * a) + 100 * g((unsigned)b) + 1000 * g((signed char)b); }

// case: subsumption_of_disjunctions
template <class T>
concept A = sizeof(T) >= 2;
template <class T>
concept B = std::is_floating_point_v<T>;
template <class T>
	requires A<T> || B<T>
__device__ int g(T) {
	return 1;
}
template <class T>
	requires A<T> && B<T>
__device__ int g(T) {
	return 2;
}
template <class T>
	requires A<T>
__device__ int g(T) {
	return 3;
}
__device__ int f(int a, int b) { return g(a) + 10 * g(1.0f * b) + 100 * g((short)b); }

// case: abbreviated gives double
__device__ auto add(auto a, auto b) { return a + b; }
__device__ auto twice(std::integral auto x) { return 2 * x; }
__device__ auto twice(std::floating_point auto x) { return 3 * x; }
__device__ void bump(auto &x) { x += 1; }
template <class T> __device__ T times(T x, std::integral auto n) { return x * n; }
__device__ int count(auto... xs) { return sizeof...(xs); }
__device__ double f(int a, int b) {
	bump(a);
	return add(a, b * 0.5) + twice(b) + twice(0.25f * a) + times<double>(a, b) + count(a, 1.0f, 'c');
}

// case: requires_expression
struct P {
	using value_type = short;
	int x;
	__device__ int size() const { return x; }
};
struct Q {
	int x;
};
template <class T>
concept Sized = requires(const T &t) {
	typename T::value_type;
	{ t.size() } -> std::same_as<int>;
	requires sizeof(typename T::value_type) == 2;
};
template <class T>
concept Addable = requires(T a, T b) { a + b; };
template <Sized T> __device__ int measure(const T &t) { return t.size(); }
template <class T> __device__ int measure(const T &t) { return -1; }
template <class T>
	requires requires(T a) { a.x; }
__device__ int has(T a) {
	return a.x;
}
template <class T> __device__ int has(T a) { return 7; }
__device__ int f(int a, int b) {
	P p{a};
	Q q{b};
	return measure(p) + 10 * measure(q) + 100 * Addable<int> + 1000 * Addable<Q> + 3 * has(q) + 5 * has(a);
}

// case: requires_in_if_constexpr
template <class T> __device__ int g(T x) {
	if constexpr (requires { x.value(); })
		return x.value();
	else if constexpr (requires {
						   { x * 2 } -> std::convertible_to<int>;
					   })
		return x * 2;
	else
		return -1;
}
struct V {
	int v;
	__device__ int value() const { return v + 100; }
};
struct W {};
__device__ int f(int a, int b) { return g(V{a}) + g(b) + g(W{}) * 1000; }

// case: constrained_classes
template <class T>
	requires std::is_arithmetic_v<T>
struct Box {
	T v;
	__device__ int kind() const { return 1; }
};
template <class T> struct Kind {
	static constexpr int value = 1;
};
template <std::integral T> struct Kind<T> {
	static constexpr int value = 2;
};
template <class T>
	requires std::integral<T> && (sizeof(T) == 1)
struct Kind<T> {
	static constexpr int value = 3;
};
template <class T>
concept Boxes = requires { typename Box<T>; };
__device__ int f(int a, int b) {
	Box<int> x{a};
	return x.v + x.kind() + 10 * Kind<float>::value + 100 * Kind<int>::value + 1000 * Kind<char>::value +
		   Boxes<int> * 7 + Boxes<int *> * 9;
}

// case: constrained_methods
template <class T> struct S {
	T v;
	__device__ int get() const
		requires std::integral<T>
	{
		return v;
	}
	__device__ int get() const
		requires std::floating_point<T>
	{
		return (int)(v * 10);
	}
	__device__ int more() const { return 1; }
	__device__ int more() const
		requires(sizeof(T) == 8)
	{
		return 2;
	}
	template <class U>
		requires std::same_as<T, U>
	__device__ bool same(U) const {
		return true;
	}
	template <class U> __device__ bool same(U) const { return false; }
	__device__ S &operator+=(std::integral auto n) {
		v += n;
		return *this;
	}
};
__device__ int f(int a, int b) {
	S<int> i{a};
	S<double> d{b + 0.5};
	i += (short)3;
	static_assert(std::same_as<decltype(a = b), int &> && std::same_as<decltype(++a), int &>);
	return i.get() + d.get() + 100 * i.more() + 1000 * d.more() + 10000 * i.same(1) + 20000 * d.same(1);
}

// case: constrained_constructor
struct Any {
	int v;
	template <std::integral T> __device__ Any(T x) : v(x) {}
	template <std::floating_point T> __device__ Any(T x) : v((int)x + 1000) {}
};
__device__ int f(int a, int b) {
	Any x(a), y(b * 0.5f);
	return x.v * 3 + y.v + std::constructible_from<Any, int> + 2 * std::constructible_from<Any, int *>;
}

// case: constrained_packs
template <std::integral... Ts> __device__ int sum(Ts... xs) { return (xs + ... + 0); }
template <class... Ts>
	requires(std::floating_point<Ts> && ...)
__device__ int sum(Ts... xs) {
	return sizeof...(xs) * 1000;
}
template <class T, std::same_as<T>... Ts> __device__ int alike(T x, Ts...) { return x + sizeof...(Ts); }
__device__ int f(int a, int b) { return sum(a, (short)b, 'c') + sum(1.0f * a, 2.0) + alike(a, b, 3); }

// case: constrained_lambdas
__device__ int f(int a, int b) {
	auto g = [](std::integral auto x, auto y) { return x * 2 + (int)y; };
	auto h = []<class T>
		requires std::integral<T>
	(T x) { return x + 5; };
	auto k = [](auto x)
		requires(sizeof(x) == 4)
	{ return (int)x; };
	return g(a, 1.5f * b) + h((short)b) + k(a) + std::invocable<decltype(h), int> * 100 +
		   std::invocable<decltype(h), float> * 1000;
}

// case: constrained_variables
__device__ std::integral auto three(int x) { return x * 3; }
__device__ int f(int a, int b) {
	std::integral auto x = a + 1;
	const std::floating_point auto y = 0.5f * b;
	std::convertible_to<int> auto z = three(b);
	return x + (int)y + z;
}

// case: constrained_values
template <std::integral auto N> __device__ int g() { return N * 2; }
template <auto N>
	requires(N > 3)
__device__ int h() {
	return N;
}
template <auto N>
	requires(N <= 3)
__device__ int h() {
	return -N;
}
__device__ int f(int a, int b) { return g<7>() * a + g<'c'>() + h<4>() * 10 + h<2>() * b; }

// case: standard_concepts
struct Base {
	int x;
};
struct Derived : Base {};
struct NoCopy {
	NoCopy() = default;
	NoCopy(const NoCopy &) = delete;
};
struct Equal {
	int x;
	__device__ bool operator==(const Equal &o) const { return x == o.x; }
	__device__ bool operator!=(const Equal &o) const { return x != o.x; }
};
__device__ int f(int a, int b) {
	int r = std::same_as<int, int> + 2 * std::same_as<int, const int> + 4 * std::derived_from<Derived, Base>;
	r += 8 * std::derived_from<Base, Derived> + 16 * std::convertible_to<int, float> +
		 32 * std::signed_integral<unsigned>;
	r += 64 * std::unsigned_integral<unsigned char> + 128 * std::equality_comparable<Equal> +
		 256 * std::equality_comparable<Base>;
	r += 512 * std::totally_ordered<int> + 1024 * std::totally_ordered<Equal> + 2048 * std::copyable<Derived> +
		 4096 * std::copyable<NoCopy>;
	r += 8192 * std::default_initializable<NoCopy> + 16384 * std::regular<int> + 32768 * std::semiregular<Equal> +
		 65536 * std::movable<int *>;
	return r + a + b;
}

// case: substitution_failure_is_false
template <class T>
concept Has = T::value > 3;
struct X {
	static constexpr int value = 5;
};
struct Y {};
struct Z {
	static constexpr int value = 1;
};
template <class T> __device__ int g() { return 1; }
template <class T>
	requires Has<T>
__device__ int g() {
	return 2;
}
template <class T>
	requires(!Has<T>) && (sizeof(T) > 1)
__device__ int g() {
	return 3;
}
__device__ int f(int a, int b) { return g<X>() + 10 * g<Y>() + 100 * g<Z>() + 1000 * g<int>() + a - b; }

// case: concept_in_namespace_and_alias
namespace n {
template <class T>
concept Number = std::is_arithmetic_v<T>;
template <Number T> struct Pair {
	T a, b;
};
} // namespace n
template <n::Number T> using Two = n::Pair<T>;
template <n::Number T> __device__ T sum(const n::Pair<T> &p) { return p.a + p.b; }
__device__ int f(int a, int b) {
	Two<int> p{a, b};
	return sum(p) * 2;
}

// case: using_enum
enum class Color { red, green = 5, blue };
namespace ns {
enum class Deep : unsigned char { x = 9 };
enum Plain { one = 1, two };
} // namespace ns
using enum ns::Deep;
struct S {
	enum class In { p = 3, q };
	using enum In;
	__device__ int get(In in) const { return in == q ? 1 : (int)p; }
};
template <class E> struct Named {
	E value;
	__device__ int is_red() const {
		using enum Color;
		return value == red;
	}
};
__device__ int pick(Color c) {
	switch (c) {
		using enum Color;
	case red:
		return 1;
	case green:
		return 2;
	case blue:
		return 3;
	}
	return 0;
}
__device__ int f(int a, int b) {
	using enum ns::Plain;
	using Color::blue;
	Named<Color> n{b % 2 ? blue : Color::red};
	return pick(blue) + 10 * pick((Color)b) + (int)x + two + S{}.get(S::q) + S{}.get(S::In::p) * a + (int)S::p +
		   n.is_red() * 100;
}

// case: explicit_false
struct A {
	int v;
	explicit(false) __device__ A(int v) : v(v) {}
};
struct B {
	int v;
	explicit(true) __device__ B(int v) : v(v) {}
	explicit(sizeof(int) == 8) __device__ operator int() const { return v + 100; }
};
template <bool E> struct C {
	int v;
	explicit(E) __device__ C(int v) : v(v) {}
};
template <class T> struct W {
	T v;
	template <class U> explicit(sizeof(U) > 4) __device__ W(U u) : v(u) {}
};
__device__ int g(A a) { return a.v; }
__device__ int g(B a) { return a.v * 100; }
__device__ int h(C<false> a) { return a.v; }
__device__ int h(C<true> a) { return a.v * 100; }
__device__ int k(W<int> w) { return w.v; }
__device__ int k(double) { return 1000; }
__device__ int f(int a, int b) {
	A x = a;
	int y = B(b);
	return g(a) + x.v + y + h(b) + k(a) + k(1.0);
}
