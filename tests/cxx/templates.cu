// Templates: functions, classes, variables, aliases; deduction, specialisation, packs, traits, constant expressions.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

// case: function_deduced gives double
template <typename T> __device__ T twice(T x) { return x + x; }
__device__ double f(int a, int b) { return twice(a) + twice(a * 0.25) + twice(b * 1.5f); }

// case: function_explicit
template <typename To, typename From> __device__ To cast(From x) { return (To)x; }
__device__ int f(int a, int b) { return cast<unsigned char>(a) * 10 + cast<int>(b * 1.5) + cast<int, char>(a * 100); }

// case: function_defined_behind_its_use
template <int N, typename T> __device__ T grown(T x);
template <int N> __device__ int never(int x);
template <> __device__ int never<3>(int x) { return x - 3; }
__device__ int g(int x) { return x > 50 ? x : grown<7>(x + 1) + never<3>(x); }
template <int BY, typename What> __device__ What grown(What from) { return g(from + BY); }
template <int N> __device__ int never(int x) { return N / 0 * x; }
__device__ int f(int a, int b) { return grown<5>(a) + g(b); }

// case: function_value_parameter
template <int N> __device__ int power(int x) {
	int r = 1;
	for (int i = 0; i < N; i++) r *= x;
	return r;
}
template <bool NEGATE, char C> __device__ int g(int x) { return NEGATE ? -x + C : x - C; }
__device__ int f(int a, int b) { return power<3>(b) + power<0>(a) + g<true, 'a'>(a) + g<false, 2>(b); }

// case: function_default_arguments
template <typename T = int, int N = 3> __device__ T sum(const T *v, T start = T()) {
	for (int i = 0; i < N; i++) start += v[i];
	return start;
}
__device__ int f(int a, int b) {
	int v[4] = {a, b, 3, 4};
	return sum(v) * 100 + sum<int, 4>(v, 5);
}

// case: function_deduce_array_pointer_reference
template <typename T, int N> __device__ int size(const T (&)[N]) { return N * sizeof(T); }
template <typename T> __device__ T read(const T *p) { return *p; }
template <int N, typename T> __device__ T last(const T p[N]) { return p[N - 1]; }
template <typename T> __device__ void bump(T &x) { x += 1; }
__device__ int f(int a, int b) {
	short v[6] = {};
	bump(a);
	bump(v[b % 6]);
	return size(v) * 100 + read(&a) + read(v + 2) + last<3>(v) * 10;
}

// case: function_deduce_from_class
template <typename T, int N> struct A {
	T v[N];
};
template <typename T, int N> __device__ T total(const A<T, N> &a) {
	T s = 0;
	for (int i = 0; i < N; i++) s += a.v[i];
	return s + N;
}
__device__ int f(int a, int b) {
	A<int, 3> x = {{a, b, 1}};
	A<short, 2> y = {{5, (short)b}};
	return total(x) * 10 + total(y);
}

// case: function_overload_with_plain
template <typename T> __device__ int g(T) { return 1; }
template <typename T> __device__ int g(T *) { return 2; }
__device__ int g(int) { return 3; }
__device__ int f(int a, int b) { return g(a) * 1000 + g(&a) * 100 + g(1.5) * 10 + g<int>(a); }

// case: function_specialised
template <typename T> __device__ int kind(T) { return 0; }
template <> __device__ int kind(float) { return 1; }
template <> __device__ int kind<const char *>(const char *) { return 2; }
__device__ int f(int a, int b) { return kind(a) + kind(1.0f) * 10 + kind("x") * 100; }

// case: function_recursive_value
template <int N> __device__ int fact() { return N * fact<N - 1>(); }
template <> __device__ int fact<0>() { return 1; }
__device__ int f(int a, int b) { return fact<6>() + a; }

// case: function_calls_later_overload
struct V {
	int x;
};
template <typename T> __device__ int use(const T &t) { return value(t); }
__device__ int value(const V &v) { return v.x * 2; }
__device__ int f(int a, int b) { return use(V{a}); }

// case: function_forwarding
__device__ int g(int &x) { return ++x; }
__device__ int g(int &&x) { return x + 100; }
template <typename T> __device__ int pass(T &&x) { return g(std::forward<T>(x)); }
__device__ int f(int a, int b) { return pass(a) * 1000 + pass(b + 1) + a; }

// case: function_return_auto gives double
template <typename A, typename B> __device__ auto mul(A a, B b) { return a * b; }
template <typename A, typename B> __device__ auto add(A a, B b) -> decltype(a + b) { return a + b; }
__device__ decltype(auto) first(int &x) { return (x); }
__device__ double f(int a, int b) {
	first(a) = b;
	return mul(a, 0.5) + add(b, 1.5f) + add((char)a, 'b');
}

// case: class_basic gives float
template <typename T> class P {
	T x_, y_;

  public:
	__device__ P(T x, T y) : x_(x), y_(y) {}
	__device__ T sum() const { return x_ + y_; }
	template <typename U> __device__ U as() const { return U(x_) * 10; }
};
__device__ float f(int a, int b) {
	P<int> p(a, b);
	P<float> q(0.5f, b);
	return p.sum() + q.sum() + q.as<int>() + p.template as<float>();
}

// case: class_member_outside
template <typename T, int N> struct S {
	T d[N];
	__device__ T get(int i) const;
	__device__ static int size();
};
template <typename T, int N> __device__ T S<T, N>::get(int i) const { return d[i % N]; }
template <typename T, int N> __device__ int S<T, N>::size() { return N; }
__device__ int f(int a, int b) {
	S<int, 3> s = {{a, b, 5}};
	return s.get(b) * 10 + S<int, 3>::size();
}

// case: class_specialised
template <typename T> struct N {
	static constexpr int id = 0;
};
template <> struct N<int> {
	static constexpr int id = 1;
	__device__ static int extra() { return 7; }
};
template <typename T> struct N<T *> {
	static constexpr int id = 10 + N<T>::id;
};
template <typename T, int K> struct N<T[K]> {
	static constexpr int id = K * 100 + N<T>::id;
};
template <typename T> struct N<const T> {
	static constexpr int id = 1000 + N<T>::id;
};
__device__ int f(int a, int b) {
	return N<float>::id + N<int **>::id + N<const int>::id + N<int *[3]>::id + N<int>::extra() + a;
}

// case: class_partial_two
template <typename A, typename B> struct S {
	static constexpr int v = 1;
};
template <typename A> struct S<A, A> {
	static constexpr int v = 2;
};
template <typename A, typename B> struct S<A *, B> {
	static constexpr int v = 3;
};
template <typename A> struct S<A *, A *> {
	static constexpr int v = 4;
};
__device__ int f(int a, int b) {
	return S<int, float>::v + S<int, int>::v * 10 + S<int *, int>::v * 100 + S<char *, char *>::v * 1000 + a;
}

// case: class_dependent_names
template <typename T> struct A {
	using type = T;
	typedef T *pointer;
	struct In {
		T v;
	};
	static constexpr T k = T(3);
};
template <typename T> __device__ typename A<T>::type g(typename A<T>::pointer p) {
	typename A<T>::In in{*p};
	return in.v + A<T>::k;
}
__device__ int f(int a, int b) {
	return g<int>(&a) + (int)g<float>(nullptr == nullptr ? new float[1]{1.5f} : nullptr) * 0;
}

// case: class_base_dependent
template <typename T> struct A {
	T x;
	__device__ T get() const { return x * 2; }
};
template <typename T> struct B : A<T> {
	using A<T>::get;
	__device__ T both() const { return this->x + get() + A<T>::get(); }
};
__device__ int f(int a, int b) {
	B<int> v;
	v.x = a;
	return v.both();
}

// case: class_crtp
template <typename D> struct A {
	__device__ int run(int n) { return static_cast<D *>(this)->step(n) + D::K; }
};
struct X : A<X> {
	static constexpr int K = 5;
	int m = 2;
	__device__ int step(int n) { return n * m; }
};
struct Y : A<Y> {
	static constexpr int K = 7;
	__device__ int step(int n) { return n - 1; }
};
__device__ int f(int a, int b) {
	X x;
	Y y;
	return x.run(a) * 10 + y.run(b);
}

// case: class_static_member
template <typename T> struct S {
	static constexpr int size = sizeof(T);
	static constexpr bool big = size > 4;
	__device__ static constexpr T twice(T x) { return x * 2; }
};
__device__ int f(int a, int b) {
	int v[S<int>::size] = {a};
	return v[0] + S<double>::big * 10 + S<short>::size + S<int>::twice(b);
}

// case: class_member_template_constructor
struct V {
	double d;
	template <typename T> __device__ V(T x, int k = 1) : d(x * k) {}
	template <typename T> __device__ V &operator+=(const T &x) {
		d += x;
		return *this;
	}
};
__device__ int f(int a, int b) {
	V v(a), w(1.5f, b);
	v += w.d;
	v += 'a';
	return (int)v.d;
}

// case: class_friend_operator
template <typename T> struct C {
	T x;
	__device__ C(T v) : x(v) {}
	friend __device__ C operator+(C a, C b) { return C(a.x + b.x); }
	template <typename U> friend struct C;
};
__device__ int f(int a, int b) {
	C<int> c(a);
	return (c + b).x + (3 + c).x;
}

// case: alias_template
template <typename T> struct A {
	T v;
};
template <typename T> using Pair = A<T>[2];
template <typename T, int N> using Ptr = T (*)[N];
template <typename T> using Id = T;
__device__ int f(int a, int b) {
	Pair<int> p = {{a}, {b}};
	int m[2][3] = {{1, 2, 3}, {4, 5, a}};
	Ptr<int, 3> q = m;
	Id<Id<int>> r = q[1][2];
	return p[0].v + p[1].v * 10 + r;
}

// case: variable_template gives double
template <typename T> constexpr T pi = T(3.14159265358979);
template <int N> constexpr int square = N * N;
template <typename T> constexpr bool is_int = false;
template <> constexpr bool is_int<int> = true;
__device__ double f(int a, int b) {
	return pi<float> + pi<double> * a + pi<int> + square<5> + is_int<int> * 10 + is_int<float>;
}

// case: template_template
template <typename T> struct Box {
	T v;
	__device__ T get() const { return v; }
};
template <typename T> struct Neg {
	T v;
	__device__ T get() const { return -v; }
};
template <template <typename> class C, typename T> __device__ T use(T x) { return C<T>{x}.get(); }
template <template <typename> class C> struct Holder {
	C<int> a;
	C<float> b;
};
__device__ int f(int a, int b) {
	Holder<Neg> h = {{a}, {2.5f}};
	return use<Box>(a) * 10 + use<Neg>(b) + h.a.get() + (int)(h.b.get() * 2);
}

// case: pack_sum_recursive
__device__ int sum() { return 0; }
template <typename T, typename... R> __device__ int sum(T x, R... r) { return (int)x + sum(r...); }
__device__ int f(int a, int b) { return sum(a, b * 1.5f, 'a', 2ll) + sum() + sum(a); }

// case: pack_folds
template <typename... T> __device__ int g(T... x) {
	int n = sizeof...(T), s = (x + ... + 100), p = (1 * ... * x), m = 0;
	((m = x > m ? x : m), ...);
	return n + s * 3 + p * 5 + m * 7 + (... && (x > 0)) + (... || (x > 20)) + (... - x);
}
__device__ int f(int a, int b) { return g(a, b) + g(b, 2, a, 4) + g(a); }

// case: pack_values
template <int... N> struct L {
	static constexpr int n = sizeof...(N);
	static constexpr int sum = (N + ... + 0);
	__device__ static int at(int i) {
		const int t[] = {N...};
		return t[i % n];
	}
};
__device__ int f(int a, int b) { return L<3, 1, 4, 1, 5>::at(b) * 100 + L<>::sum + L<7, 8>::n; }

// case: pack_index_sequence
template <typename F, size_t... I> __device__ int each(F g, std::index_sequence<I...>) { return (g(I) + ...); }
__device__ int f(int a, int b) {
	return each([=](int i) { return i * a + b; }, std::make_index_sequence<4>());
}

// case: pack_expansion_patterns
template <typename... A> struct T {
	__device__ static int sizes() {
		int s[] = {(int)sizeof(A)..., 0}, r = 0;
		for (int x : s) r = r * 10 + x;
		return r;
	}
};
template <typename... A> __device__ int g(A *...p) { return T<A *..., A...>::sizes() + (*p + ...); }
__device__ int f(int a, int b) { return g(&a, &b) + T<char>::sizes(); }

// case: pack_tuple
template <typename... T> struct Tup;
template <> struct Tup<> {};
template <typename H, typename... R> struct Tup<H, R...> : Tup<R...> {
	H v;
	__device__ Tup(H h, R... r) : Tup<R...>(r...), v(h) {}
};
template <int I, typename H, typename... R> __device__ auto get(const Tup<H, R...> &t) {
	if constexpr (I == 0)
		return t.v;
	else
		return get<I - 1>(static_cast<const Tup<R...> &>(t));
}
__device__ int f(int a, int b) {
	Tup<int, float, char> t(a, 1.5f, 'x');
	return get<0>(t) + (int)(get<1>(t) * 2) + get<2>(t);
}

// case: if_constexpr
template <typename T> __device__ int g(T x) {
	if constexpr (std::is_pointer_v<T>)
		return *x * 2;
	else if constexpr (sizeof(T) == 1)
		return x + 1000;
	else
		return x;
}
__device__ int f(int a, int b) { return g(a) + g(&b) * 10 + g((char)b); }

// case: decltype
struct S {
	int x;
	float y;
};
__device__ int f(int a, int b) {
	S s{a, 2.5f};
	decltype(s.y) y = b;
	decltype((a)) r = a;
	r += 3;
	decltype(a + 0.5) d = a * 0.5;
	const decltype(S::x) k = 4;
	return (int)(y * 2) + a * 10 + (int)(d * 2) + k + sizeof(decltype(1ll));
}

// case: static_assert
template <int N> struct S {
	static_assert(N > 0, "positive");
	static_assert(sizeof(int) == 4);
	int v[N];
};
static_assert(S<3>().v[0] == 0);
__device__ int f(int a, int b) {
	static_assert(sizeof(S<2>) == 8, "");
	S<4> s = {{a}};
	return s.v[0] + s.v[b % 4];
}

// case: constexpr_function
__device__ constexpr int gcd(int a, int b) {
	while (b) {
		int t = a % b;
		a = b;
		b = t;
	}
	return a;
}
__device__ constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int f(int a, int b) {
	constexpr int k = gcd(84, 36);
	int v[fib(6)] = {};
	v[b % fib(6)] = a;
	return k * 1000 + v[3] + gcd(a * a + 12, b + 1) + sizeof v;
}

// case: constexpr_table
struct T {
	int v[16];
	constexpr __device__ T() : v() {
		for (int i = 0; i < 16; i++) v[i] = i * i % 7;
	}
	constexpr __device__ int operator[](int i) const { return v[i]; }
};
__device__ int f(int a, int b) {
	constexpr T t;
	constexpr int third = t[3];
	return t[b] * 10 + third + T()[a & 15];
}

// case: constexpr_struct_and_branches
struct C {
	int re, im;
	constexpr __device__ C operator*(C o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};
__device__ constexpr C power(C c, int n) {
	C r{1, 0};
	for (; n > 0; n /= 2, c = c * c)
		if (n % 2) r = r * c;
	return r;
}
__device__ int f(int a, int b) {
	constexpr C c = power({1, 2}, 5);
	static_assert(c.re == 41, "");
	C d = power({a, 1}, 3);
	return c.im + d.re + d.im;
}

// case: traits_categories
template <typename T> __device__ int bits() {
	return std::is_integral<T>::value | std::is_floating_point<T>::value << 1 | std::is_signed<T>::value << 2 |
		   std::is_pointer<T>::value << 3 | std::is_const<T>::value << 4 | std::is_reference<T>::value << 5 |
		   std::is_array<T>::value << 6 | std::is_class<T>::value << 7 | std::is_enum<T>::value << 8 |
		   std::is_arithmetic<T>::value << 9 | std::is_void<T>::value << 10;
}
struct S {};
enum E { X };
__device__ int f(int a, int b) {
	return bits<int>() + bits<unsigned char>() * 3 + bits<const float>() * 5 + bits<int *>() * 7 + bits<S>() * 11 +
		   bits<E>() * 13 + bits<int &>() * 17 + bits<int[3]>() * 19 + bits<void>() * 23 + bits<bool>() * 29 + a;
}

// case: traits_transform
enum class Byte : unsigned char {};
template <typename A, typename B> constexpr int same = std::is_same<A, B>::value;
__device__ int f(int a, int b) {
	return same<std::remove_reference_t<int &&>, int> + same<std::remove_cv_t<const volatile int>, int> * 2 +
		   same<std::add_const<int>::type, const int> * 4 + same<std::remove_pointer_t<char *>, char> * 8 +
		   same<std::conditional_t<true, int, float>, int> * 16 +
		   same<std::make_unsigned_t<long long>, unsigned long long> * 32 +
		   same<std::decay_t<const int[3]>, const int *> * 64 + same<std::common_type_t<int, float>, float> * 128 +
		   same<std::remove_extent_t<int[3]>, int> * 256 + same<std::add_pointer_t<int &>, int *> * 512 +
		   same<std::underlying_type_t<Byte>, unsigned char> * 1024 + a * 5000;
}

// case: traits_relations
struct A {};
struct B : A {
	__device__ B(int) {}
};
__device__ int f(int a, int b) {
	return std::is_base_of<A, B>::value + std::is_convertible<int, float>::value * 2 +
		   std::is_convertible<A, int>::value * 4 + std::is_constructible<B, int>::value * 8 +
		   std::is_same_v<std::integral_constant<int, 3>::value_type, int> * 16 +
		   std::integral_constant<int, 3>() * 32 + std::true_type::value +
		   std::conjunction_v<std::true_type, std::is_void<void>> * 128 + std::negation_v<std::true_type> +
		   std::rank_v<int[2][3]> * 256 + std::is_trivially_copyable_v<A> * 1024 + a;
}

// case: enable_if
template <typename T> __device__ std::enable_if_t<std::is_integral_v<T>, int> g(T x) { return x * 2; }
template <typename T> __device__ std::enable_if_t<std::is_floating_point_v<T>, int> g(T x) { return (int)(x * 100); }
template <typename T, typename std::enable_if<(sizeof(T) > 4), int>::type = 0> __device__ int w(T) { return 1; }
template <typename T, typename std::enable_if<(sizeof(T) <= 4), int>::type = 0> __device__ int w(T) { return 2; }
__device__ int f(int a, int b) { return g(a) + g(0.5f) + g('a') + w(a) * 1000 + w(1.0) * 10000; }

// case: sfinae_expression
struct S {
	__device__ int size() const { return 4; }
};
template <typename T> __device__ auto len(const T &t, int) -> decltype(t.size()) { return t.size(); }
template <typename T> __device__ int len(const T &, long) { return -1; }
template <typename T, typename = void> struct has : std::false_type {};
template <typename T> struct has<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
__device__ int f(int a, int b) { return len(S(), 0) * 10 + len(a, 0) + has<S>::value * 100 + has<int>() * 1000 + a; }

// case: tag_dispatch
__device__ int g(int x, std::true_type) { return x + 1; }
__device__ int g(int x, std::false_type) { return x - 1; }
template <typename T> __device__ int h(T x) { return g((int)x, std::is_unsigned<T>()); }
__device__ int f(int a, int b) { return h(a) * 100 + h(7u); }

// case: numeric_limits gives double
__device__ double f(int a, int b) {
	typedef std::numeric_limits<short> S;
	return (double)std::numeric_limits<int>::max() + S::min() + S::digits + std::numeric_limits<float>::epsilon() +
		   std::numeric_limits<unsigned char>::max() + std::numeric_limits<float>::lowest() / 1e38 +
		   (a > std::numeric_limits<int>::min()) + std::numeric_limits<double>::is_signed +
		   (std::numeric_limits<float>::infinity() > a);
}

// case: std_min_max_abs
__device__ int f(int a, int b) {
	return std::min(a, b) + std::max(a, 5) * 10 + std::abs(-a) * 100 + (int)std::max<double>(a, 2.5) +
		   std::min(std::min(a, b), 3) + std::max(a, b, [](int x, int y) { return x % 7 < y % 7; });
}

// case: std_move_swap
struct S {
	int v;
	__device__ S(int v) : v(v) {}
	__device__ S(S &&o) : v(o.v) { o.v = 0; }
	__device__ S &operator=(S &&o) {
		v = o.v;
		o.v = -1;
		return *this;
	}
};
template <typename T> __device__ void exchange(T &a, T &b) {
	T t = std::move(a);
	a = std::move(b);
	b = std::move(t);
}
__device__ int f(int a, int b) {
	S x(a), y(b);
	exchange(x, y);
	std::swap(a, b);
	S z = std::move(x);
	return x.v + y.v * 10 + z.v * 100 + a * 1000 + b;
}

// case: functor_parameter
struct Less {
	template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
template <typename T, typename C = Less> __device__ void sort(T *v, int n, C less = C()) {
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && less(v[k], v[k - 1]); k--) std::swap(v[k], v[k - 1]);
}
__device__ int f(int a, int b) {
	int v[5] = {a, b, 7, a * b % 11, 3};
	sort(v, 5);
	int r = v[0] + v[2] * 100;
	sort(v, 4, [](int x, int y) { return x > y; });
	return r + v[0] * 1000;
}

// case: shared_static_value
template <typename T, T V> struct K {
	static constexpr T value = V;
};
template <int N, int D = N / 2> struct H {
	enum { v = N + D };
};
__device__ int f(int a, int b) {
	return K<char, 'c'>::value + K<bool, (3 > 2)>::value * 1000 + H<10>::v + H<1, 1>::v * 10 + a;
}

// case: function_template_address
template <typename T> __device__ T inc(T x) { return x + 1; }
template <typename F> __device__ int apply(F g, int x) { return g(x); }
__device__ int f(int a, int b) {
	int (*p)(int) = inc;
	int (*q)(int) = &inc<int>;
	return p(a) * 100 + q(b) + apply(inc<int>, 3);
}

// case: nested_template_class
template <typename T> struct O {
	template <typename U> struct I {
		T t;
		U u;
		__device__ T sum() const { return t + (T)u; }
	};
	template <typename U> __device__ static I<U> make(T t, U u) { return {t, u}; }
};
__device__ int f(int a, int b) {
	O<int>::I<float> i = O<int>::make(a, 2.5f);
	return i.sum() + O<long long>::template make<int>(a, b).sum() * 100;
}

// case: local_types_as_arguments
template <typename T> __device__ int g(T t) { return t.v * 2; }
__device__ int f(int a, int b) {
	struct L {
		int v;
	} l{a};
	return g(l) + g([] {
		struct M {
			int v;
		};
		return M{4};
	}());
}

// case: default_template_of_nested
template <typename T> struct Tr {
	using acc = T;
};
template <> struct Tr<char> {
	using acc = int;
};
template <> struct Tr<float> {
	using acc = double;
};
template <typename T, typename A = typename Tr<T>::acc> __device__ A sum(const T *v, int n) {
	A s = 0;
	for (int i = 0; i < n; i++) s += v[i];
	return s;
}
__device__ int f(int a, int b) {
	char c[3] = {100, 100, (char)b};
	return sum(c, 3) * 10 + sum<char, signed char>(c, 2) + a;
}

// case: class_deduction_guide
template <typename T> struct P {
	T x;
	int n;
	__device__ P(T x, int n = 1) : x(x), n(n) {}
};
template <typename... F> struct O : F... {
	using F::operator()...;
};
template <typename... F> O(F...) -> O<F...>;
__device__ int f(int a, int b) {
	P p(a * 1.5f);
	P q{a, 4};
	O o{[](int x) { return x; }, [](float x) { return (int)(x * 2); }};
	return (int)(p.x * 2) + q.n + o(b) + o(1.5f) + sizeof(p.x);
}

// case: guides_and_constructors
template <class T, int N> struct A {
	T v[N];
};
template <class T, class... U> A(T, U...) -> A<T, 1 + sizeof...(U)>;
template <class T> struct C {
	T x;
	__device__ C(T a, int b) : x(a + b) {}
	__device__ C(T *p) : x(*p) {}
};
template <class T> C(T *) -> C<T>;
template <class T> struct Text {
	T length;
};
Text(int) -> Text<long long>;
template <class... Fs> struct Overloaded : Fs... {
	using Fs::operator()...;
};
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;
__device__ int f(int a, int b) {
	A v{1.5f, 2.5f, 3.5f};
	C c(2.5, 3);
	C d(&a);
	Text t{7};
	Overloaded none{[](int x) { return x + 1; }, [](float x) { return (int)(x * 2); }};
	Overloaded some{[=](int x) { return x + a; }, [&](float x) { return (int)(x * b); }, [](char x) { return 3; }};
	return sizeof(v) + sizeof(t.length) * 31 + (int)v.v[2] * 3 + (int)(c.x * 5) + d.x * 7 + t.length * 11 +
		   none(a) * 13 + none(1.5f) * 17 + some(b) * 19 + some(0.5f) * 23 + some('x') * 29;
}

// case: sizes_of_classes_with_closures_as_bases
template <typename F> struct After : F {
	char last;
	__device__ After(F f) : F(f), last(1) {}
};
template <typename F> __device__ int sizes(F f) { return sizeof(F) * 100 + sizeof(After<F>); }
__device__ int f(int a, int b) {
	char small = b;
	After after([&a, small]() mutable { return a + small; });
	after.last = 7;
	return sizes([=] { return a + small; }) + sizes([&a, small] { return a + small; }) * 3 +
		   sizes([] { return 1; }) * 5 + sizes([small] { return small; }) * 7 + after() * 11 + after.last;
}

// case: empty_pack_leaves_its_name_free
template <typename H, typename... R> struct Tail {
	H v;
	int n;
	__device__ Tail(H h, R... r) : v(h), n(sizeof...(r)) {}
};
__device__ int f(int a, int b) {
	Tail<int> t(a);
	Tail<int, float, char> u(b, 1.5f, 'x');
	int r = t.v * 10 + t.n;
	return r * 100 + u.v * 10 + u.n;
}

// case: class_specialised_derives_from_another
template <class T, int K = 2> struct H;
template <class T> struct H<T, 1> {
	T *p;
	bool e = false;
};
template <class T> struct H<T, 2> : H<T, 1> {
	__device__ H() {}
	__device__ H(const H &o) { this->e = !o.e; }
};
template <class T> struct O {
	H<T> h;
	__device__ O() {}
};
__device__ int f(int a, int b) {
	O<int> o;
	O<int> p = o;
	return p.h.e + a;
}

// case: packs_told_twice
template <class R, class... A> __device__ R apply(R (*g)(A...), A... args) { return g(args...); }
template <class... A> __device__ int count(A...) { return sizeof...(A); }
template <class... A> __device__ int sizes(A... args) { return (0 + ... + (int)sizeof(args)); }
__device__ int sum(int x, int y) { return x + y; }
__device__ float scale(float x) { return x * 1.5f; }
__device__ int f(int a, int b) {
	return apply(sum, a, b) + (int)apply(scale, 2.f) + count<int, float>(1, 2.f) * 10 + sizes<char>(1, 2.0) * 100 +
		   sizes<char, short>(1, 2);
}

// case: static_members_outside
template <class T, int N> struct A {
	static const int bytes;
	static const T half, table[3];
	static constexpr T two = 2;
	enum { count = N };
	using type = T;
	__device__ A();
	__device__ T get(T a) const;
	__device__ static type twice(T a);
	__device__ A &operator+=(T x);
	__device__ operator bool() const;
	T v;
};
template <class T, int N> const int A<T, N>::bytes = N * sizeof(T);
template <class T, int N> const T A<T, N>::half = T(1) / 2;
template <class T, int N> const T A<T, N>::table[3] = {1, 2, N};
template <class T, int N> constexpr T A<T, N>::two;
template <class T, int N> __device__ A<T, N>::A() : v(1) {}
template <class T, int N> __device__ T A<T, N>::get(T a) const { return a + v + half; }
template <class T, int N> __device__ typename A<T, N>::type A<T, N>::twice(T a) { return two * a; }
template <class T, int N> __device__ A<T, N> &A<T, N>::operator+=(T x) {
	v += x;
	return *this;
}
template <class T, int N> __device__ A<T, N>::operator bool() const { return v > 0; }
template <> __device__ int A<int, 1>::get(int a) const { return 100 + a; }
__device__ int f(int a, int b) {
	A<float, 3> x;
	A<int, 1> y;
	x += a, y += b;
	return (int)(2 * x.get(a)) + y.get(b) + A<short, 4>::bytes + A<int, 2>::half + A<int, 5>::table[2] +
		   (int)A<double, 2>::table[b % 3] + (x ? 7 : 8) + A<int, 1>::twice(a) + A<int, 9>::count;
}

// case: class_deduced_without_its_defaults
template <class T, int N = 2, class U = T *> struct A {
	T v;
};
template <class T> __device__ int g(const A<T> &a) { return a.v; }
template <class T, int N> __device__ int g(const A<T, N, int> &a) { return a.v * 10 + N; }
template <class T> struct Other {
	static constexpr int value = 1;
};
template <class T> struct Other<A<T>> {
	static constexpr int value = 2;
};
__device__ int f(int a, int b) {
	A<int> x{a};
	A<long, 5, int> y{b};
	return g(x) + g(y) + 100 * Other<A<char>>::value + 1000 * Other<A<char, 3>>::value;
}

// case: begun_packs
template <class... T> struct Tup {};
template <class T, class... R> struct Tup<T, R...> : Tup<R...> {
	T h;
	__device__ Tup(T a, R... r) : Tup<R...>(r...), h(a) {}
};
template <int I, class T, class... R> __device__ auto &get(Tup<T, R...> &t) {
	if constexpr (I == 0)
		return t.h;
	else
		return get<I - 1, R...>(t);
}
template <class... T> struct L {};
template <class... A, class... B> __device__ int two(L<A...>, L<B...>) { return sizeof...(A) * 10 + sizeof...(B); }
template <class... A> __device__ int both(L<A...>, A... a) { return sizeof...(A) + (0 + ... + (int)a); }
template <class... A> __device__ int pointer(void (*)(A...)) { return sizeof...(A); }
template <class R, class... A> __device__ R call(R (*g)(A...), A... a) { return g(a...); }
template <int... N> struct Q {};
template <int... N> __device__ int sum(Q<N...>) { return (0 + ... + N); }
template <class... A> __device__ int rest(int, A... a) { return sizeof...(A) * 100 + (0 + ... + (int)a); }
template <class T, class... A> __device__ int whole(L<L<T, A>...>, T t) { return sizeof...(A) * t; }
template <class... A> __device__ int which(L<A...>) { return 1; }
template <class... A> __device__ int which(...) { return 2; }
__device__ void three(int, char, float) {}
__device__ int add(int a, int b) { return a + b; }
__device__ int f(int a, int b) {
	Tup<int, double, char> u(a, 2.5, 'c');
	int r = get<0>(u) + (int)get<1>(u) + get<2>(u) + get<0, int>(u) + (int)get<0, double, char>(u);
	r += two<int>(L<int, char>{}, L<float>{}) + both<int>(L<int, char>{}, 3, 'a') +
		 both<int, char>(L<int, char>{}, 3.5, 97);
	r += pointer(three) + pointer<int>(three) + pointer<int, char>(three) + sum<1>(Q<1, 2, 3>{}) + sum<>(Q<4>{});
	r += call<int, int>(add, 3, b) + rest<float>(1, 2.5f, 3) + whole(L<L<int, char>, L<int, float>>{}, b);
	return r + which<int>(L<int, char>{}) * 1000 + which<char>(L<int, char>{}) * 10000;
}

// case: base_of_a_pattern
template <int N, class T> struct B {};
template <class T> struct C : B<1, T> {};
struct D : B<2, int>, C<char> {};
template <class T> __device__ int g(B<1, T>) { return sizeof(T); }
template <class T> __device__ int h(const B<2, T> &) { return 10 * sizeof(T); }
template <int N> __device__ int k(B<N, int>) { return N; }
template <class T> __device__ int m(B<1, T>) { return 1; }
__device__ int m(...) { return 2; }
struct E : B<1, int>, C<char> {};
__device__ int f(int a, int b) { return a + g(D{}) + h(D{}) + k(D{}) * 100 + g(C<int>{}) + m(E{}) * 1000; }

// case: specialised_for_functions
template <class T> struct Tr {
	static constexpr int id = 0;
};
template <class R, class... A> struct Tr<R(A...)> {
	static constexpr int id = 500 + sizeof...(A) + 20 * sizeof(R);
};
template <class R, class... A> struct Tr<R(A...) const> {
	static constexpr int id = 600 + sizeof...(A);
};
template <class R, class... A> struct Tr<R (*)(A...)> {
	static constexpr int id = 700 + sizeof...(A);
};
template <class R, class... A> struct Tr<R (&)(A...)> {
	static constexpr int id = 800 + sizeof...(A);
};
template <class R, class C, class... A> struct Tr<R (C::*)(A...)> {
	static constexpr int id = 900 + sizeof...(A);
};
template <class R, class C, class... A> struct Tr<R (C::*)(A...) const> {
	static constexpr int id = 1000 + sizeof...(A);
};
template <class R, class C> struct Tr<R C::*> {
	static constexpr int id = 1100;
};
template <class T, int N> struct Tr<T[N]> {
	static constexpr int id = 1300 + N;
};
template <class T> struct Tr<T[7]> {
	static constexpr int id = 1400;
};
template <class R> struct Tr<R(int)> {
	static constexpr int id = 1500;
};
template <class R> struct Tr<R()> {
	static constexpr int id = 1550;
};
template <class T> struct Tr<T(T)> {
	static constexpr int id = 1560;
};
template <> struct Tr<int(int)> {
	static constexpr int id = 1600;
};
template <class T, class> struct S;
template <class R, class... A> struct S<R(A...), int> {
	typedef R result;
	__device__ R call(R (*g)(A...), A... a) { return g(a...); }
};
__device__ int add(int a, char b) { return a + b; }
struct M {
	int d;
	__device__ int f(int) { return 1; }
	__device__ int g(char) const { return 2; }
};
__device__ int f(int a, int b) {
	int r = Tr<int(char, float)>::id + Tr<int>::id + Tr<int() const>::id * 3 + Tr<void (*)(int)>::id * 5;
	r += Tr<int (&)(char)>::id * 7 + Tr<decltype(&M::f)>::id * 11 + Tr<decltype(&M::g)>::id * 13;
	r += Tr<int M::*>::id * 17 + Tr<float[3]>::id * 23 + Tr<char[7]>::id * 29 + Tr<float(int)>::id * 31;
	r += Tr<int(int)>::id * 37 + Tr<char()>::id * 41 + Tr<char(char)>::id * 43 + Tr<decltype(add)>::id * 47;
	r += Tr<decltype(&add)>::id + Tr<double(char, char)>::id * 53 + sizeof(S<char(int), int>::result);
	return r + S<int(int, char), int>{}.call(add, a, (char)b);
}

// case: specialised_members
template <class T> struct S {
	int k;
	__device__ S() : k(1) {}
	__device__ int f() { return 1; }
	__device__ int f(int) const { return 2; }
	__device__ static int g(T t) { return 3; }
	__device__ int h();
	__device__ int operator()(T t) { return 4; }
	__device__ int use() { return f() + g(T()) + later(); }
	__device__ int later();
};
template <class T> __device__ int S<T>::h() { return 5; }
template <class T> __device__ int S<T>::later() { return 50; }
template <> __device__ int S<int>::f() { return 7; }
template <> __device__ int S<int>::f(int) const { return 8; }
template <> __device__ int S<int>::g(int t) { return 9; }
template <> __device__ int S<int>::h() { return 10; }
template <> __device__ S<int>::S() : k(11) {}
template <> __device__ int S<int>::operator()(int t) { return 12; }
template <> __device__ int S<float>::h();
template <> __device__ int S<float>::h() { return 13; }
template <> __device__ inline int S<int>::later() { return 51; }
namespace n {
template <class T, int N> struct P {
	__device__ int f() { return N; }
};
template <> __device__ int P<int, 3>::f() { return 30; }
template <> __device__ int P<int, 4>::f() { return 40; }
} // namespace n

template struct S<short>;
__device__ int f(int a, int b) {
	S<int> x;
	S<char> y;
	S<float> z;
	const S<int> c;
	int v[] = {x.f(), y.f(), c.f(1), S<int>::g(1), S<char>::g(1), x.h(), y.h(), z.h(), x.k, y.k, x(1), y(1)};
	int r = a;
	for (int one : v) r = r * 3 + one;
	r = r * 3 + n::P<int, 3>().f() + n::P<int, 4>().f() + n::P<int, 5>().f();
	return r + x.use() * 5 + y.use() * 7 + z.use() * 11 + S<double>().f();
}

// case: members_outside
template <class T> struct S {
	int k;
	template <class U> __device__ T f(U u);
	template <class U, int N> __device__ int g(U (&a)[N]) const;
	template <class U> __device__ explicit S(U u);
	template <class U> __device__ static T s(U u);
	struct N {
		T k;
		__device__ int f();
		__device__ N(T t);
		struct M {
			__device__ int m();
		};
	};
	__device__ N n();
	template <class U> __device__ int both(U u) { return 1; }
	template <class U> __device__ int both(U *u);
};
template <class T> template <class U> __device__ T S<T>::f(U u) { return T(u) + sizeof(U) + k; }
template <class A> template <class B, int M> __device__ int S<A>::g(B (&a)[M]) const {
	return M + sizeof(A) + sizeof(B);
}
template <class T> template <class U> __device__ S<T>::S(U u) : k(u) {}
template <class X> template <class U> __device__ X S<X>::s(U u) { return X(u) / 2; }
template <class X> template <class U> __device__ int S<X>::both(U *u) { return *u + sizeof(X); }
template <class T> __device__ int S<T>::N::f() { return k + sizeof(T); }
template <class T> __device__ S<T>::N::N(T t) : k(t + 1) {}
template <class T> __device__ int S<T>::N::M::m() { return 4 + sizeof(T); }
template <class T> __device__ typename S<T>::N S<T>::n() { return N(3); }
struct P {
	int k;
	template <class U> __device__ int f(U u);
	template <class U> __device__ static int s(U u);
};
template <class U> __device__ int P::f(U u) { return u + k; }
template <class U> __device__ int P::s(U u) { return u * 2; }
template <class T> struct V {
	static const int v;
};
template <class T> const int V<T>::v = 1;
template <> const int V<int>::v = 7;
namespace q {
struct O {
	template <class U> struct I {
		__device__ U f();
	};
};
template <class U> __device__ U O::I<U>::f() { return U(6.5); }
} // namespace q
__device__ int f(int a, int b) {
	S<int> x(2.5);
	S<double> y(3);
	int arr[3] = {1, 2, 3};
	P p{4};
	int v[] = {
		x.f(3.5), (int)y.f('a'), x.g(arr), y.g(arr), S<char>::s(9.5), (int)S<double>::s(9), x.both(1), y.both(&b)};
	int w[] = {x.n().f(), y.n().f(), S<int>::N::M().m(), p.f(2), P::s(2.5), V<char>::v, V<int>::v, q::O::I<int>().f()};
	int r = a;
	for (int one : v) r = r * 3 + one;
	for (int one : w) r = r * 3 + one;
	return r;
}

// case: reference_to_function_parameter
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
template <int (&G)(int)> __device__ int call(int x) { return G(x); }
template <int (*G)(int)> __device__ int callp(int x) { return G(x); }
template <int G(int)> __device__ int callf(int x) { return G(x); }
template <int (&G)(int)> struct H {
	__device__ int operator()(int x) const { return G(x) + 1; }
};
__device__ int f(int a, int b) {
	return call<twice>(a) + call<thrice>(b) * 7 + callp<&twice>(a) + callf<thrice>(a) + H<twice>{}(b);
}

// case: crtp_chain
template <class D> struct Base {
	__device__ int run(int x) { return static_cast<D *>(this)->step(x) + static_cast<const D &>(*this).bias(); }
	__device__ int step(int x) { return x; }
	__device__ int bias() const { return 1; }
};
template <class D> struct Mid : Base<D> {
	using Base<D>::run;
	__device__ int run(double d) { return int(d) + this->run(3); }
	__device__ int step(int x) { return x * 2; }
};
struct L : Mid<L> {
	__device__ int bias() const { return 40; }
};
struct M : Base<M> {
	using Base::step;
	__device__ int step(double) { return 9; }
};
__device__ int f(int a, int b) {
	L l;
	M m;
	return l.run(a) + l.run(1.5) * 100 + m.run(b) + m.step(2.0) + m.step(7);
}

// case: dependent_template_member
struct X {
	template <int N> struct In {
		template <class T> static __device__ T twice(T t) { return t * N; }
		using type = int;
		static constexpr int v = N;
	};
	template <class T> __device__ T get(int i) const { return T(i) / T(2); }
};
template <class T> __device__ int use(int a) {
	T t;
	typename T::template In<3>::type k = T::template In<4>::template twice<int>(a);
	return k + t.template get<int>(a) + int(t.template get<float>(a) * 10) + T::template In<7>::v;
}
__device__ int f(int a, int b) { return use<X>(a); }

// case: ctad_guides
template <class T, class U = int> struct P {
	T t;
	U u;
	__device__ P(T t, U u) : t(t), u(u) {}
	template <class It> __device__ P(It *p, int n) : t(p[n]), u(n) {}
};
template <class It> P(It *, int) -> P<It, int>;
template <class T> struct Agg {
	T a;
	T b;
};
template <class T> Agg(T, T) -> Agg<T>;
template <class... F> struct Over : F... {
	using F::operator()...;
};
template <class... F> Over(F...) -> Over<F...>;
template <class T> struct Arr {
	T v[3];
};
Arr(const char *) -> Arr<int>;
__device__ int f(int a, int b) {
	int d[3] = {a, b, 5};
	P p(1.5, a);
	P q(d, 2);
	Agg g{a, b};
	auto o = Over{[](int x) { return x + 1; }, [](double x) { return int(x * 10); }};
	P cp = p;
	P copy{q};
	return int(p.t * 2) + p.u + q.t + q.u + g.a * g.b + o(a) + o(1.5) + cp.u + copy.t;
}

// case: fold_kinds
template <class... T> __device__ int sub_l(T... t) { return (... - t); }
template <class... T> __device__ int sub_r(T... t) { return (t - ...); }
template <class... T> __device__ int init(T... t) { return (100 - ... - t); }
template <class... T> __device__ bool any(T... t) { return (false || ... || (t > 3)); }
template <class... T> __device__ int comma(T... t) {
	int n = 0;
	((n = n * 10 + t), ...);
	return n;
}
template <int... I> struct Seq {
	static constexpr int sum = (0 + ... + I);
	static constexpr bool all = ((I > 0) && ...);
};
template <class T, class... R> __device__ int each(T g, R... r) { return (g(r) + ... + 0); }
__device__ int f(int a, int b) {
	return sub_l(a, b, 3) + sub_r(a, b, 3) + init(a, b) + any(a, b) + comma(a % 10, b % 10, 3) + Seq<1, 2, 3>::sum +
		   Seq<>::all + each([&](auto x) { return x * a; }, 1, 2.5, 'c');
}

// case: constexpr_if_chain
template <class T> struct is_ptr {
	static constexpr bool v = false;
};
template <class T> struct is_ptr<T *> {
	static constexpr bool v = true;
};
template <class T> __device__ auto deref(T t) {
	if constexpr (is_ptr<T>::v) {
		if constexpr (is_ptr<decltype(+*t)>::v)
			return **t;
		else
			return *t;
	} else if constexpr (sizeof(T) == 8)
		return t * 2;
	else
		return t;
}
template <int N> __device__ int fac() {
	if constexpr (N <= 1)
		return 1;
	else
		return N * fac<N - 1>();
}
template <class F, class... R> __device__ int cnt(F, R... r) {
	if constexpr (sizeof...(R) > 0)
		return 1 + cnt(r...);
	else
		return 1;
}
__device__ int f(int a, int b) {
	int *p = &a;
	int **q = &p;
	return deref(p) + deref(q) + int(deref(1.5)) + deref(b) + fac<5>() + cnt(1, 2, 3, 4);
}

// case: alias_and_variable_templates
template <class T> using Ptr = T *;
template <class T, class U> struct Pair {
	T a;
	U b;
};
template <class T> using Twin = Pair<T, T>;
template <template <class> class C, class T> using Ap = C<T>;
template <class T> constexpr int size_v = sizeof(T);
template <class T> constexpr int size_v<T *> = 100;
template <> constexpr int size_v<char> = 50;
template <class... T> constexpr int total = (0 + ... + size_v<T>);
template <class T> __device__ T pick(Twin<T> p) { return p.a - p.b; }
template <class T> __device__ T ref(Ptr<const T> p) { return *p + 1; }
template <class T> using Fn = T (*)(T, int);
__device__ int plus(int x, int y) { return x + y; }
__device__ int f(int a, int b) {
	Twin<int> t{a, b};
	Ap<Ptr, int> p = &t.b;
	Fn<int> g = plus;
	return pick(t) + ref<int>(p) + *p + total<int, char, double *, short> + g(a, 3) + ref<int>(&a);
}

// case: member_pointers_in_templates
struct Mp {
	int x, y;
	__device__ int add(int k) const { return x + k; }
	__device__ int mul(int k) { return y * k; }
};
template <auto M> __device__ auto &at(Mp &m) { return m.*M; }
template <class C, class T> __device__ T read(const C &c, T C::*p) { return c.*p; }
template <class C, class R, class... A> __device__ R call(C &c, R (C::*p)(A...), A... a) { return (c.*p)(a...); }
template <class C, class R, class... A> __device__ R call(const C &c, R (C::*p)(A...) const, A... a) {
	return (c.*p)(a...);
}
template <int (Mp::*P)(int) const> __device__ int fixed(const Mp *m, int k) { return (m->*P)(k); }
__device__ int f(int a, int b) {
	Mp m{a, b};
	at<&Mp::x>(m) += 2;
	int Mp::*ps[] = {&Mp::x, &Mp::y};
	return read(m, &Mp::x) + call(m, &Mp::mul, 3) + call(m, &Mp::add, 4) + fixed<&Mp::add>(&m, 5) + m.*ps[a & 1];
}

// case: deduct_variety
template <class T> __device__ int k(const T &) { return 1; }
template <class T> __device__ int k(T *) { return 2; }
template <class T> __device__ int k(const T *) { return 3; }
template <class T, int N> __device__ int k(T (&)[N]) { return 4 + N; }
template <class R, class... A> __device__ int k(R (*)(A...)) { return 20 + sizeof...(A); }
template <class T, class C> __device__ int k(T C::*) { return 30; }
template <template <class...> class C, class... A> __device__ int kk(const C<A...> &) { return 40 + sizeof...(A); }
template <class T> __device__ int kk(const T &) { return 50; }
template <class A, class B> struct PP {
	A a;
	B b;
};
template <class T> __device__ int same(T, T) { return 1; }
__device__ int same(double, double) { return 2; }
template <class T> struct Id {
	using type = T;
};
template <class T> __device__ T add(T a, typename Id<T>::type b) { return a + b; }
template <class To, class From> __device__ To cast(From f) { return To(f); }
template <class T = int, class U = T> __device__ int defs(U u = U(3)) { return sizeof(T) * 10 + int(u); }
__device__ int fn(int, char) { return 0; }
__device__ int f(int a, int b) {
	int arr[3] = {};
	const int *cp = arr;
	int *p = arr;
	return k(a) + k(p) * 2 + k(cp) * 3 + k(fn) * 7 + k(&PP<int, int>::a) + kk(PP<int, char>{}) + kk(3) + same(1, 2) +
		   same(1, 2.5) * 10 + add(1.5, a) * 2 + cast<int>(2.9) + cast<float, int>(a) + defs() + defs<double>() +
		   defs<char>(7L);
}

// case: nested_templates_outside
template <class T> struct Ou {
	template <class U> struct In {
		template <class V> __device__ int m(V v);
		__device__ static int s();
		T t;
		U u;
	};
	template <class U> __device__ int g(U u);
	int n;
	__device__ Ou(int n);
	struct Plain {
		__device__ int q() const;
	};
	enum Kind { one = 1, two = sizeof(T) };
};
template <class T> template <class U> template <class V> __device__ int Ou<T>::In<U>::m(V v) {
	return int(t) + int(u) + int(v) + sizeof(T) * 100 + sizeof(U) * 1000;
}
template <class T> template <class U> __device__ int Ou<T>::In<U>::s() { return sizeof(U) + two; }
template <class T> template <class U> __device__ int Ou<T>::g(U u) {
	In<U> i{T(n), u};
	return i.m(1.5) + i.template m<int>(2);
}
template <class T> __device__ Ou<T>::Ou(int n) : n(n) {}
template <class T> __device__ int Ou<T>::Plain::q() const { return sizeof(T); }
template <> template <> __device__ int Ou<int>::g(char c) { return 5000 + c; }
__device__ int f(int a, int b) {
	Ou<int> o(a);
	return o.g(2.0) + o.g('a') + Ou<char>::In<short>::s() + Ou<double>::Plain().q() + Ou<short>::two;
}

// case: tag_dispatch_sfinae
template <bool B, class T = void> struct En {};
template <class T> struct En<true, T> {
	using type = T;
};
template <class...> using Void = void;
template <class T, class = void> struct HasV {
	static constexpr int v = 0;
};
template <class T> struct HasV<T, Void<decltype(T::v), typename T::tag>> {
	static constexpr int v = 1;
};
struct W1 {
	using tag = int;
	static constexpr int v = 0;
};
struct W2 {
	int v;
};
template <class T, typename En<sizeof(T) == 4, int>::type = 0> __device__ int sz(T) { return 4; }
template <class T, typename En<sizeof(T) != 4, int>::type = 0> __device__ int sz(T) { return -1; }
template <class T> __device__ auto plus(T t, int) -> decltype(t + t) { return t + t; }
template <class T> __device__ int plus(T t, long) { return 77; }
template <class T> __device__ auto call(T &&t) -> decltype(t(), 0) { return t(); }
template <class T> __device__ int call(const T &t, ...) { return 5; }
__device__ int f(int a, int b) {
	return HasV<W1>::v + HasV<W2>::v * 10 + sz(a) + sz('c') + plus(a, 0) + plus(W1{}, 0) + call(3);
}

// case: parameter_in_the_type_of_another
template <class T> __device__ int g(T x, T y, decltype(x * y) z = 3) { return x - y + z; }
__device__ int f(int a, int b) { return g(a, b); }

// case: less_than_in_a_template_list
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
	using type = T;
};
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <class T> struct box {
	T x;
};
template <int I, class T, enable_if_t<I<2, int> = 0> __device__ int get(box<T> b) { return b.x + I; }
template <int I, class T, enable_if_t<(I > 1), int> = 0> __device__ int get(box<T> b) { return b.x * I; }
template <template <class> class V, int N, class = V<int>, enable_if_t<N<4, int> = 0> __device__ int more() {
	return N;
}
template <unsigned... I, enable_if_t<(sizeof...(I)) < 3, int> = 0> __device__ int few() { return sizeof...(I); }
__device__ int f(int a, int b) { return get<1>(box<int>{a}) + get<2>(box<int>{b}) + more<box, 3>() + few<4u, 5u>(); }

// case: declared_variable_of_a_class_that_comes_later
template <class T, class... A> extern T made;
template <class T, class... A> using dependent = decltype(made<T, A...>);
struct Later;
template <class A> __device__ auto use(A a) -> decltype(dependent<Later, A>::call(a));
using Early = dependent<Later, char>;
struct Later {
	__device__ static int call(int x) { return x + 1; }
};
template <class A> __device__ auto use(A a) -> decltype(dependent<Later, A>::call(a)) { return Later::call(a); }
__device__ int f(int a, int b) { return use(a) + 10 * Early::call(b); }

// case: default_argument_names_a_parameter
__device__ int g(int x, int n = sizeof(x)) { return x * 10 + n; }
__device__ int g2(double x, int n = sizeof(decltype(x))) { return n; }
template <class T> __device__ int g3(T x, int n = sizeof(x)) { return n; }
__device__ int f(int a, int b) { return g(a) + g(b, 2) + g2(1) + g3('c') + g3(1.0); }

// case: member_templates_named_before_their_class
template <class V> __device__ int t1(V v) { return v.template get<1>(); }
struct V {
	int d[3];
	template <int N> __device__ int get() const { return d[N]; }
	template <int N> __device__ int first(int k) const { return d[N] * k; }
};
__device__ int f(int a, int b) {
	V v{{a, b, 3}};
	int first = 1;
	return v.first<2>(5) + t1(v) + (first < 2) + v.get<0>();
}

// case: if_constexpr_of_traits
template <class T> struct tr {
	static constexpr bool v = false;
};
template <> struct tr<int> {
	static constexpr bool v = true;
};
template <class T> __device__ int k(T t) {
	if constexpr (tr<T>::v)
		return t * 2;
	else if constexpr (sizeof(T) == 8)
		return t.nope();
	else {
		return (int)t;
	}
}
__device__ int f(int a, int b) {
	auto g = [](auto x) {
		if constexpr (tr<decltype(x)>::v) {
			return x;
		} else {
			return 2.5f;
		}
	};
	return k(a) + k('c') + g(a) + g(1.0) * 2;
}

// case: nested_expansion
template <class... A> __device__ int sum(A... a) { return (0 + ... + a); }
template <class... T> __device__ int same(T... t) { return sum((t * (0 + ... + t))...) + sum(sum(t, t...)...); }
__device__ int f(int a, int b) { return same(a, b) * 5; }

// case: comparisons_of_members
struct Q {
	int lead, n;
	__device__ int g(int) const { return 7; }
};
__device__ int two(bool p, bool q) { return p * 2 + q; }
__device__ int two(int x) { return x; }
__device__ int f(int a, int b) {
	Q x{a, b}, y{b, a};
	int m = 3;
	return (x.lead < m && y.n > (a + 1)) + 2 * (x.n < 5 || m > (b)) + two(x.lead<m, m>(b)) * 4 +
		   (x.lead<4 ? 1 : y.n>(2)) + two(x.n<y.n, 2>(a)) + (x.lead<m & y.n>(2));
}

// case: specialisations_with_const_parameters
template <class F> __device__ inline int both(F *a, const F x, F *const o);
template <> __device__ inline int both<float>(float *a, const float x, float *const o) { return int(*a + x + *o); }
template <> __device__ inline int both(int *a, int x, int *o) { return *a - x * *o; }
template <class T> __device__ inline int half(T *const *p, const T x) { return **p + x; }
template <> __device__ inline int half<int>(int *const *p, int x) { return **p * x; }
__device__ int f(int a, int b) {
	float g = a, h = b;
	long l = a;
	int *p = &a;
	long *q = &l;
	return both(&g, 2.0f, &h) + both(&a, 3, &b) * 3 + half(&p, b) + half<long>(&q, 4) * 5;
}

// case: address_of_objects
struct odd {
	int n, m;
	__device__ int operator&() const { return 7; }
};
template <class T> __device__ constexpr T *place_of(T &x) noexcept { return __builtin_addressof(x); }
__device__ int twice(int n) { return n * 2; }
__device__ int f(int a, int b) {
	odd o{a, b}, array[2] = {{1, 2}, {b, a}};
	const odd &c = array[1];
	place_of(o)->n += 3;
	*place_of(b) += 1;
	int apart = __builtin_addressof(array[1]) - __builtin_addressof(array[0]);
	return &o + o.n + place_of(c)->m * 3 + apart + place_of(o.m)[0];
}

// case: conditions_of_members_are_those_of_their_class
template <int N> struct Sized {
	template <class I, std::enable_if_t<(N == 1) && (sizeof(I) <= 8), int> = 0> __device__ int at(I i) const {
		return i * 3;
	}
	template <class I> __device__ int at(const Sized<I::value> &) const { return 5; }
	template <class I, std::enable_if_t<(N > 1) && (sizeof(I) <= 8), int> = 0> __device__ int at(I i) const {
		return i * N;
	}
};
__device__ int f(int a, int b) { return Sized<2>().at(a) + Sized<1>().at(b) + Sized<3>().at(a) + Sized<1>().at(a) * 7; }

// case: specialisations_that_name_their_template
enum Scope { SYSTEM, BLOCK, THREAD };
struct Nothing {};
template <Scope S, class C = Nothing> struct gate {
	int v = 40;
};
template <> class gate<BLOCK, Nothing> {
	int n;

  public:
	__device__ gate(int k) : n(k) {}
	__device__ int arrive(int a) const { return a * 10 + n; }
	__device__ friend inline void init(gate *g, int e) { g->n = e; }
};
template <> class gate<THREAD, Nothing> : private gate<BLOCK> {
	using base = gate<BLOCK>;
	gate<SYSTEM> other;

  public:
	__device__ gate(int k) : gate<BLOCK>(k + 1) {}
	__device__ gate(const gate<THREAD> &g, int k) : gate<BLOCK, Nothing>(g), other{k} {}
	__device__ friend inline void init(gate *g, int e) { init(static_cast<base *>(g), e + g->other.v); }
	using base::arrive;
};
__device__ int f(int a, int b) {
	gate<THREAD> g(a), h(g, b);
	init(&h, b);
	return g.arrive(b) * 1000 + h.arrive(a);
}

// case: unevaluated_operands_need_no_definitions
struct Pred {
	__device__ bool operator()(int) const;
};
template <class F> __device__ auto asked(F f, int x) { return f(x) ? 1 : 0; }
template <class T> __device__ constexpr T *place(T *p) noexcept { return p; }
template <class T> __device__ constexpr auto address(T *p) noexcept { return place(p); }
template <class T, class = decltype(address((T *)nullptr))> struct view {
	T *p;
	unsigned n;
	__device__ constexpr view(T *from, unsigned count) : p(address(from)), n(count) {}
};
template <class V> __device__ constexpr bool is_last(V v) { return address(v.p) + v.n - 1 == &v.p[v.n - 1]; }
__device__ int f(int a, int b) {
	constexpr int v[] = {1, 2, 3};
	static_assert(is_last(view<const int>(v, 2)), "");
	static_assert(!noexcept(asked(Pred(), 1)) && sizeof(asked(Pred(), 1)) == 4, "");
	decltype(asked(Pred(), 3)) n = a;
	return n * 10 + is_last(view<int>(&b, 1));
}

// case: packs_of_a_class_beside_those_of_its_member_templates
template <class A, class B> struct two {
	A a;
	B b;
};
template <class... T> struct all {
	int n;
	template <class... U>
	__device__ all(int, T... t, U &&...u) : n((1 + ... + t) * 3 + (0 + ... + u) * 2 + sizeof...(U)) {}
	template <class... U> __device__ int sum(T... t, U... u) { return (0 + ... + t) + (0 + ... + u) * 2; }
	template <class... U> __device__ static int sizes(U... u) {
		int s = 0;
		((s += sizeof(T) * u), ...);
		return s;
	}
	template <class... U> __device__ static int pairs(two<T, U>... p) { return (0 + ... + (p.a * p.b + sizeof(U))); }
	template <class V> __device__ static int with_last(two<T, V>... p, V v) { return (0 + ... + p.a) + v; }
	template <class F, class... U> __device__ static auto both(F f, const T &...t, U... u) -> decltype(f(t..., u...)) {
		return f(t..., u...);
	}
	template <class... U> __device__ static int both(int, T... t, U... u) { return sizeof...(U) + (0 + ... + t); }
};
template <class R, class... A> struct call {
	template <class O, class... B> __device__ R operator()(O o, A... a, B... b) { return o(a..., b...); }
};
__device__ int f(int a, int b) {
	all<int, char> p(1, a, 3, 4L, b);
	int n = p.n + p.sum(a, 2, b, 4) + p.sum(1, 2) + p.sum<long>(1, 2, 3, 4L) + p.sizes(a, b);
	n += all<int, char>::pairs<int, int>({a, 2}, {3, 4}) + all<int, int>::with_last<int>({1, a}, {3, 4}, b);
	n += p.both([](int a, char b, int c, int d) { return a - b + c * d; }, a, 6, 7, b) * 3;
	n += p.both([](int a, char b) { return a - b; }, a, 6) + all<>::both(a, b, 3) + all<>(a, b).n + p.both(1, a, 2, 3);
	n += call<int, int, int>()([](int a, int b, int c) { return a * b - c; }, a, b, 4);
	int (all<int, char>::*q)(int, char, long) = &all<int, char>::sum<long>;
	return n + (p.*q)(a, 2, b);
}

// case: parameter_packs_without_elements_outside_the_body
template <class F, class... U> __device__ auto called(F f, U... u) -> decltype(f(u...)) { return f(u...); }
template <class F, class... U> __device__ auto careful(F f, U &&...u) noexcept(noexcept(f(u...))) { return f(u...); }
template <class... T> struct all {
	template <class F> __device__ static auto called(F f, T... t) -> decltype(f(t...)) { return f(t...); }
	__device__ static auto sum(T... t) -> decltype((1 + ... + t));
	__device__ int operator()(T... t) const;
};
template <class... V> __device__ auto all<V...>::sum(V... v) -> decltype((1 + ... + v)) { return (1 + ... + v); }
template <class... V> __device__ int all<V...>::operator()(V... v) const { return (2 + ... + v); }
template <class... T> __device__ int later(T... a);
__device__ int before(int a) { return later() + later(a); }
template <class... X> __device__ int later(X... x) { return (5 + ... + x); }
__device__ int f(int a, int b) {
	auto one = [a] { return a; };
	auto sum = [](auto... n) -> decltype((0 + ... + n)) { return (0 + ... + n); };
	int n = called(one) + careful(one) * 3 + all<>::called(one) * 5 + all<>::sum() + all<int>::sum(a) + all<>()();
	return n + all<int>()(b) + before(b) * 7 + sum() + sum(a, b) + noexcept(careful(one));
}

// case: packs_of_template_template_parameters
template <class T> struct one {
	static const int v = 1 + sizeof(T);
};
template <class T, class U = int> struct two {
	static const int v = 2 + sizeof(U);
};
template <class... T> struct any {
	static const int v = 3 + sizeof...(T);
};
template <template <class> class... X> struct sums {
	static const int v = (0 + ... + X<int>::v), n = sizeof...(X), all = (X<char>::v + ... + 5);
	static const bool some = ((X<int>::v > 4) || ...);
};
template <class T, template <class...> class... X> struct each {
	using type = any<X<T>...>;
};
template <template <class...> class... X> __device__ int values(int k) {
	const int s[] = {X<int>::v..., 0};
	return s[k % (sizeof...(X) + 1)];
}
template <class T, template <class...> class... X> __device__ int deduced(X<T>... x) { return (sizeof(x) + ... + 0); }
template <class, template <class...> class...> struct folded {
	static const int v = 0;
};
template <class T, template <class...> class F, template <class...> class... R> struct folded<T, F, R...> {
	static const int v = F<T>::v + 10 * folded<T, R...>::v;
};
__device__ int f(int a, int b) {
	int n = sums<one, two, any>::v + sums<>::n * 3 + sums<one>::all + each<int, one, any>::type::v;
	n += sums<one, two>::some + values<one, any>(b) * 5 + deduced(one<int>{}, any<int>{});
	return n + folded<int, one, any, two>::v + a;
}
