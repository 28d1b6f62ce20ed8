// standard: c++20
// What is asked about types and expressions: traits, concepts, `noexcept`, and what `decltype` of a call finds.
#include <array>
#include <concepts>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

// case: nothrow_of_a_virtual_call
struct Base {
	__device__ virtual int quiet(int x) noexcept { return x; }
	__device__ virtual int loud(int x) { return x; }
	__device__ virtual int asks(int x) noexcept(sizeof(int) == 4) { return x; }
};
struct Derived : Base {
	__device__ int quiet(int x) noexcept override { return x + 1; }
	__device__ int loud(int x) noexcept override { return x + 2; }
	__device__ int asks(int x) noexcept override { return x + 3; }
};
__device__ int f(int a, int b) {
	Derived d;
	Base &r = d;
	return noexcept(r.quiet(a)) + 2 * noexcept(r.loud(a)) + 4 * noexcept(r.asks(b)) + 8 * noexcept(d.loud(b)) +
		   16 * noexcept(d.Base::loud(b)) + 32 * noexcept((&d)->quiet(b)) + r.quiet(a);
}

// case: deleted_destructors
struct Kept {
	~Kept() = delete;
};
struct Hidden {
  private:
	~Hidden() {}
};
struct Part {
	Kept kept;
};
struct Below : Kept {};
template <class T, class = void> struct Ends {
	static constexpr int value = 0;
};
template <class T> struct Ends<T, decltype(std::declval<T &>().~T())> {
	static constexpr int value = 1;
};
template <class T> struct Plain {
	T value;
};
__device__ int f(int a, int b) {
	return Ends<Kept>::value + 2 * Ends<Part>::value + 4 * Ends<Below>::value + 8 * Ends<int>::value +
		   16 * Ends<Plain<int>>::value + 32 * std::is_destructible_v<Kept> + 64 * std::is_destructible_v<Part> +
		   128 * std::is_destructible_v<Below> + 256 * std::is_destructible_v<Kept[2]> + a + b;
}

// case: compound_requirements_that_ask_for_noexcept
struct Quiet {
	__device__ int go() noexcept { return 1; }
	__device__ void none() noexcept {}
};
struct Loud {
	__device__ int go() { return 1; }
	__device__ void none() {}
};
template <class T>
concept Goes = requires(T t) {
	{ t.go() } noexcept -> std::same_as<int>;
};
template <class T>
concept None = requires(T t) {
	{ t.none() } noexcept;
};
template <class T>
__device__ int which(T)
	requires Goes<T>
{
	return 1;
}
template <class T> __device__ int which(T) { return 2; }
__device__ int f(int a, int b) {
	return which(Quiet()) + 4 * which(Loud()) + 16 * None<Quiet> + 32 * None<Loud> + a + b;
}

// case: explicit_constructors_do_not_convert
struct Strict {
	__device__ explicit Strict(int) {}
	explicit Strict(const Strict &) = default;
	Strict(Strict &&) = default;
};
struct Loose {
	__device__ Loose(int) {}
};
struct Out {
	__device__ explicit operator int() const { return 1; }
	__device__ operator float() const { return 1; }
};
struct MoveOnly {
	MoveOnly() = default;
	MoveOnly(MoveOnly &&) = default;
};
struct Fixed {
	Fixed() = default;
	Fixed(const Fixed &) = delete;
};
struct Abstract {
	__device__ virtual void f() = 0;
};
__device__ int f(int a, int b) {
	int found = std::is_convertible_v<int, Strict> + 2 * std::is_convertible_v<int, Loose> +
				4 * std::is_convertible_v<const Strict &, Strict> + 8 * std::is_convertible_v<Strict, Strict> +
				16 * std::is_convertible_v<Out, float> + 32 * std::is_convertible_v<MoveOnly &, MoveOnly> +
				64 * std::is_convertible_v<MoveOnly, MoveOnly> + 128 * std::is_convertible_v<Fixed, Fixed> +
				256 * std::is_convertible_v<Fixed &, Fixed> + 512 * std::is_convertible_v<Fixed &, Fixed &> +
				1024 * std::is_convertible_v<Fixed &, const Fixed &> +
				2048 * std::is_convertible_v<const Fixed &, Fixed &> + 4096 * std::is_convertible_v<int &, int &> +
				8192 * std::is_convertible_v<int, int &> + 16384 * std::is_convertible_v<int, int &&> +
				32768 * std::is_convertible_v<int &, int &&>;
	found = found * 2 + std::is_constructible_v<Strict, int>;
	found = found * 2 + std::is_constructible_v<int, Out>;
	found = found * 2 + std::is_constructible_v<Strict, const Strict &>;
	found = found * 2 + std::is_constructible_v<Fixed, Fixed &>;
	found = found * 2 + std::is_constructible_v<Abstract>;
	found = found * 2 + std::is_constructible_v<Abstract, Abstract &>;
	found = found * 2 + std::is_nothrow_convertible_v<int, Strict>;
	return found + a + b;
}

// case: explicit_constructor_templates
struct Any {
	template <class T> __device__ explicit Any(T) {}
};
struct Wide {
	template <class T> __device__ Wide(T) {}
};
__device__ int f(int a, int b) {
	return std::is_convertible_v<int, Any> + 2 * std::is_convertible_v<int, Wide> +
		   4 * std::is_constructible_v<Any, int> + 64 * std::convertible_to<int, Any> +
		   128 * std::convertible_to<int, Wide> + a + b;
}

// case: spans_of_a_fixed_size
template <class T> __device__ int made() { return std::is_default_constructible_v<T>; }
__device__ int f(int a, int b) {
	int here[3] = {a, b, 1};
	std::span<int, 3> all(here);
	return made<std::span<int, 2>>() + 2 * made<std::span<int, 0>>() + 4 * made<std::span<int>>() +
		   8 * std::is_constructible_v<std::span<int, 3>, int (&)[3]> +
		   16 * std::is_constructible_v<std::span<int, 2>, int (&)[3]> +
		   32 * std::is_convertible_v<std::span<int, 3>, std::span<const int>> +
		   64 * std::is_convertible_v<std::span<const int>, std::span<int>> + all[0] + all.size();
}

// case: default_initializable
struct Given {
	int x = 4;
};
struct User {
	int x;
	__device__ User() : x(1) {}
};
struct Bare {
	int x;
};
struct Explicit {
	__device__ explicit Explicit() {}
};
struct Needs {
	__device__ Needs(int) {}
};
__device__ int f(int a, int b) {
	int found = std::default_initializable<int> + 2 * std::default_initializable<const int> +
				4 * std::default_initializable<int[2]> + 8 * std::default_initializable<const int[2]> +
				16 * std::default_initializable<int[]> + 32 * std::default_initializable<Bare> +
				64 * std::default_initializable<const Bare> + 128 * std::default_initializable<const User> +
				256 * std::default_initializable<const Given> + 512 * std::default_initializable<Needs> +
				1024 * std::default_initializable<int &> + 2048 * std::default_initializable<void> +
				4096 * std::default_initializable<Explicit> + 8192 * std::default_initializable<Needs[2]> +
				16384 * std::default_initializable<const User[2]> + 32768 * std::default_initializable<int *const>;
	return found + a + b;
}

// case: sizes_of_tuples
template <class T> __device__ int size_of() {
	return (int)std::tuple_size<T>::value +
		   10 * std::is_base_of_v<std::integral_constant<unsigned long, std::tuple_size<T>::value>, std::tuple_size<T>>;
}
template <class T, class = void> struct Has {
	static constexpr int value = 0;
};
template <class T> struct Has<T, std::void_t<decltype(std::tuple_size<T>::value)>> {
	static constexpr int value = 1;
};
__device__ int f(int a, int b) {
	using T = std::tuple<int, float, char>;
	using P = std::pair<int, long>;
	using A = std::array<int, 4>;
	int found = size_of<T>() + size_of<const T>() + size_of<volatile T>() + size_of<const volatile T>() + size_of<P>() +
				size_of<const P>() + size_of<const A>() + size_of<std::tuple<>>() + size_of<const std::tuple<>>();
	found = found * 2 + std::is_same_v<std::tuple_element_t<1, const T>, const float>;
	found = found * 2 + std::is_same_v<std::tuple_element_t<2, volatile T>, volatile char>;
	found = found * 2 + std::is_same_v<std::tuple_element_t<0, const volatile P>, const volatile int>;
	found = found * 2 + std::is_same_v<std::tuple_element_t<3, const A>, const int>;
	found = found * 2 + std::is_same_v<std::tuple_element_t<0, const std::tuple<int &>>, int &>;
	found = found * 2 + Has<int>::value;
	found = found * 2 + Has<const T>::value;
	found = found * 2 + Has<T &>::value;
	return found + a + b;
}

// case: kinds_of_classes
struct Plain {
	int x;
	float y;
};
struct Mixed {
	int x;

  private:
	int y;
};
class Inside {
	int x, y;
};
struct Last final {
	int x;
};
union Both {
	int x;
	float y;
};
union Ended final {
	int x;
};
struct Virtual {
	__device__ virtual void f() {}
};
struct OneBase : Plain {};
struct TwoPlaces : Plain {
	int z;
};
struct Nothing {};
struct Under : Nothing {
	int z;
};
struct SameFirst : Nothing {
	Nothing first;
	int z;
};
struct Ref {
	int &x;
};
struct Held {
	Virtual v;
};
struct Filled {
	int x = 1;
};
struct Made {
	__device__ Made() {}
	int x;
};
template <class T> __device__ int kinds() {
	return std::is_standard_layout_v<T> + 2 * std::is_final_v<T> + 4 * std::is_pod_v<T> + 8 * std::is_trivial_v<T>;
}
__device__ int f(int a, int b) {
	int kind[] = {kinds<Plain>(), kinds<Mixed>(), kinds<Inside>(), kinds<Last>(), kinds<Both>(), kinds<Ended>(),
		kinds<Virtual>(), kinds<OneBase>(), kinds<TwoPlaces>(), kinds<Under>(), kinds<SameFirst>(), kinds<Ref>(),
		kinds<Held>(), kinds<Filled>(), kinds<Made>(), kinds<int>(), kinds<int[3]>(), kinds<Plain[2]>(),
		kinds<const Plain>(), kinds<int &>(), kinds<Last[2]>(), kinds<int Plain::*>()};
	return kind[(a + 9 + b) % 22];
}

// case: decltype_auto_comma
struct N {
	int v;
	int *p;
	__device__ N(int a, int *q) : v(a), p(q) {}
	__device__ N(const N &o) : v(o.v), p(o.p) { ++*p; }
};
__device__ int f(int a, int b) {
	int c = 0;
	N x(a, &c);
	decltype(auto) z = (b++, x);
	z.v += 3;
	return x.v * 100 + c * 10 + b;
}

// case: decltype_auto_names
__device__ int f(int a, int b) {
	int x = a;
	decltype(auto) z = (b++, x);
	z += 5;
	decltype(auto) w = (x);
	w++;
	decltype(auto) u = x;
	u += 100;
	return x * 10 + b;
}

// case: decltype_auto_conditional
__device__ int f(int a, int b) {
	int x = a, y = b;
	decltype(auto) z = (a > 2 ? x : y);
	z += 5;
	decltype(auto) q = x += 2;
	q *= 2;
	decltype(auto) r = ++y;
	r += 7;
	return x * 100 + y;
}

// case: decltype_auto_elements
__device__ int f(int a, int b) {
	int x[3] = {a, b, 1};
	decltype(auto) z = x[1];
	z += 5;
	decltype(auto) q = *x;
	q++;
	decltype(auto) c = static_cast<int &&>(x[2]);
	c = 9;
	return x[0] * 100 + x[1] * 10 + x[2];
}

// case: decltype_auto_result_of_lambda
struct S {
	int v;
};
template <class F> __device__ decltype(auto) call(F g) { return g(); }
__device__ int f(int a, int b) {
	S s{a};
	auto g = [&]() -> decltype(auto) { return (b++, s); };
	call(g).v += 2;
	return s.v * 10 + b;
}

// case: decltype_of_lvalues gives long long
template <class T> struct K {
	static constexpr int v = 1;
};
template <class T> struct K<T &> {
	static constexpr int v = 2;
};
template <class T> struct K<const T &> {
	static constexpr int v = 4;
};
template <class T> struct K<T &&> {
	static constexpr int v = 3;
};
template <class T> struct K<const T> {
	static constexpr int v = 5;
};
struct S {
	int m;
	const int c = 2;
	int &r;
	mutable int u = 0;
	int bits : 5;
};
__device__ long long f(int a, int b) {
	int x = a, y = b;
	const int k = 3;
	int arr[3] = {};
	S s{x, 2, y};
	const S cs{x, 2, y};
	long long n = 0;
	n = n * 10 + K<decltype((true ? x : 1))>::v;
	n = n * 10 + K<decltype((true ? x : y))>::v;
	n = n * 10 + K<decltype((k))>::v;
	n = n * 10 + K<decltype(k)>::v;
	n = n * 10 + K<decltype((b, x))>::v;
	n = n * 10 + K<decltype((x, 1))>::v;
	n = n * 10 + K<decltype((x = 1))>::v;
	n = n * 10 + K<decltype(x++)>::v;
	n = n * 10 + K<decltype(++x)>::v;
	return n;
}

// case: decltype_of_members gives long long
template <class T> struct K {
	static constexpr int v = 1;
};
template <class T> struct K<T &> {
	static constexpr int v = 2;
};
template <class T> struct K<const T &> {
	static constexpr int v = 4;
};
template <class T> struct K<T &&> {
	static constexpr int v = 3;
};
template <class T> struct K<const T> {
	static constexpr int v = 5;
};
struct S {
	int m;
	const int c = 2;
	int &r;
	mutable int u = 0;
	int bits : 5;
};
__device__ long long f(int a, int b) {
	int x = a, y = b;
	const int k = 3;
	int arr[3] = {};
	S s{x, 2, y};
	const S cs{x, 2, y};
	long long n = 0;
	n = n * 10 + K<decltype(s.m)>::v;
	n = n * 10 + K<decltype((s.m))>::v;
	n = n * 10 + K<decltype(cs.m)>::v;
	n = n * 10 + K<decltype((cs.m))>::v;
	n = n * 10 + K<decltype(s.r)>::v;
	n = n * 10 + K<decltype((cs.r))>::v;
	n = n * 10 + K<decltype((cs.u))>::v;
	n = n * 10 + K<decltype(cs.c)>::v;
	n = n * 10 + K<decltype(S{x, 2, y}.m)>::v;
	n = n * 10 + K<decltype((S{x, 2, y}.m))>::v;
	return n;
}

// case: decltype_of_elements gives long long
template <class T> struct K {
	static constexpr int v = 1;
};
template <class T> struct K<T &> {
	static constexpr int v = 2;
};
template <class T> struct K<const T &> {
	static constexpr int v = 4;
};
template <class T> struct K<T &&> {
	static constexpr int v = 3;
};
template <class T> struct K<const T> {
	static constexpr int v = 5;
};
__device__ long long f(int a, int b) {
	int x = a, y = b;
	const int k = 3;
	int arr[3] = {};
	const int ca[2] = {1, 2};
	long long n = 0;
	n = n * 10 + K<decltype((b > 1 ? k : x))>::v;
	n = n * 10 + K<decltype((b > 1 ? k : k))>::v;
	n = n * 10 + K<decltype(arr[1])>::v;
	n = n * 10 + K<decltype((ca[1]))>::v;
	n = n * 10 + K<decltype(*arr)>::v;
	n = n * 10 + K<decltype((x += 1))>::v;
	n = n * 10 + K<decltype(+x)>::v;
	n = n * 10 + K<decltype((int)x)>::v;
	n = n * 10 + K<decltype((int &&)x)>::v;
	n = n * 10 + K<decltype((b > 1 ? x : 2))>::v;
	return n;
}

// case: decltype_auto_results
template <class T> struct K {
	static constexpr int v = 1;
};
template <class T> struct K<T &> {
	static constexpr int v = 2;
};
template <class T> struct K<const T &> {
	static constexpr int v = 4;
};
template <class T> struct K<T &&> {
	static constexpr int v = 3;
};
struct S {
	int m;
};
__device__ decltype(auto) g1(int &x) { return x; }
__device__ decltype(auto) g2(int x) { return x; }
__device__ decltype(auto) g3(int &x) { return (x); }
__device__ decltype(auto) g4(S &x) { return x.m; }
__device__ decltype(auto) g5(S &x) { return (x.m); }
__device__ decltype(auto) g6(S &x) {
	S y = x;
	return y;
}
__device__ decltype(auto) g7(int &x, int &y) { return x > y ? x : y; }
__device__ decltype(auto) g8(int &x, int y) { return x += y; }
__device__ int f(int a, int b) {
	int x = a, y = b;
	S s{a};
	g1(x) += 3;
	g3(x) *= 2;
	g5(s) += 5;
	g7(x, y) += 10;
	g8(x, 3) += 1;
	long long n = 0;
	n = n * 10 + K<decltype(g1(x))>::v;
	n = n * 10 + K<decltype(g2(x))>::v;
	n = n * 10 + K<decltype(g3(x))>::v;
	n = n * 10 + K<decltype(g4(s))>::v;
	n = n * 10 + K<decltype(g5(s))>::v;
	n = n * 10 + K<decltype(g6(s))>::v;
	n = n * 10 + K<decltype(g7(x, y))>::v;
	return x * 100 + y * 7 + s.m + (int)(n % 100007);
}

// case: decltype_auto_lambdas
__device__ int f(int a, int b) {
	int x = a;
	auto l = [&](int &q) -> decltype(auto) { return (q); };
	l(x) += 3;
	auto m = [](auto &&q) -> decltype(auto) { return q; };
	m(x) += 4;
	auto o = [x]() mutable -> decltype(auto) { return (x); };
	o() += 7;
	return x * 100 + o();
}

// case: conditional_of_a_const_and_another
__device__ int f(int a, int b) {
	int x = a;
	const int k = 3;
	const int &r = b > 3 ? x : k;
	x = 77;
	const int &q = b > 3 ? k : x;
	x = 5;
	return r * 100 + q;
}

// case: classes_of_empty_bases_are_empty
struct Nothing {};
template <class T> struct Over : T {};
template <class T> struct Twice : Over<T>, Nothing {};
struct Also {};
struct Counted : Nothing {
	int n;
};
__device__ int f(int a, int b) {
	static_assert(std::is_empty_v<Over<Nothing>> && std::is_empty_v<Over<Over<Nothing>>>);
	static_assert(std::is_empty_v<Twice<Also>> && !std::is_empty_v<Counted> && !std::is_empty_v<Over<Counted>>);
	return a * std::is_empty_v<Twice<Also>> + b * !std::is_empty_v<Over<Counted>>;
}

// case: explicit_conversions_construct
struct X {
	__device__ explicit operator bool() const { return true; }
};
struct Pd {
  private:
	__device__ ~Pd() {}
};
struct Dd {
	~Dd() = delete;
};
struct Prot {
  protected:
	~Prot() = default;
};
struct HasP {
	Pd *p;
};
struct MemD {
	Dd d;
};
struct Y {
	__device__ operator int &();
};
struct Ex {
	__device__ explicit operator int() const;
};
template <class T> struct Cv {
	__device__ explicit operator T() const;
};
__device__ int f(int a, int b) {
	static_assert(std::is_constructible_v<bool, X &>);
	static_assert(std::is_constructible_v<bool, X>);
	static_assert(std::is_constructible_v<bool, const X &>);
	static_assert(!std::is_convertible_v<X, bool>);
	static_assert(std::is_constructible<bool, X &>::value);
	static_assert(std::is_constructible_v<int, Ex>);
	static_assert(!std::is_constructible_v<long, Ex>);
	static_assert(!std::is_convertible_v<Ex, int>);
	static_assert(std::is_constructible_v<float, Y &>);
	static_assert(!std::is_constructible_v<float, const Y &>);
	static_assert(!std::is_constructible_v<int, X>);
	static_assert(!std::is_destructible_v<Pd>);
	static_assert(!std::is_destructible_v<Dd>);
	static_assert(!std::is_destructible_v<Prot>);
	static_assert(std::is_destructible_v<HasP>);
	static_assert(!std::is_destructible_v<MemD>);
	static_assert(!std::is_destructible_v<Pd[2]>);
	static_assert(std::is_destructible_v<Pd &>);
	static_assert(!std::is_destructible_v<void>);
	static_assert(!std::is_destructible_v<int()>);
	static_assert(!std::is_destructible_v<int[]>);
	static_assert(std::is_destructible_v<int[3]>);
	static_assert(!std::is_nothrow_destructible_v<Pd>);
	static_assert(!std::is_trivially_destructible_v<Dd>);
	static_assert(!std::is_trivially_destructible_v<Prot>);
	static_assert(!std::is_constructible_v<Dd>);
	static_assert(!std::is_constructible_v<Pd>);
	static_assert(!std::is_default_constructible_v<MemD>);
	static_assert(!std::is_copy_constructible_v<Prot>);
	static_assert(std::is_constructible_v<int *, Cv<int *>>);
	static_assert(std::is_constructible_v<const int *, Cv<int *>>);
	static_assert(std::is_constructible_v<int &, Cv<int &>>);
	static_assert(!std::is_constructible_v<int &&, Cv<int>>);
	static_assert(std::is_constructible_v<const int &, Cv<int &>>);
	static_assert(!std::is_constructible_v<bool, Cv<int *>>);
	static_assert(std::is_constructible_v<bool, decltype(nullptr)>);
	static_assert(!std::is_convertible_v<decltype(nullptr), bool>);
	return a + b;
}

// case: members_that_are_not_public
class NC {
	NC(const NC &);
	NC &operator=(const NC &);

  public:
	__device__ NC();
};
struct D1 : NC {};
struct D2 {
	NC n;
};
struct PB {
  protected:
	PB() = default;
	PB(const PB &) = default;
	PB &operator=(const PB &) = default;
	~PB() = default;
};
struct D3 : PB {};
struct D4 {
	PB b;
};
class Fr {
	~Fr() = default;
	Fr(const Fr &) = default;
	friend struct UsesFr;

  public:
	Fr() = default;
};
struct UsesFr {
	Fr f;
};
struct PrivConv {
  private:
	__device__ operator int() const;
};
struct PrivDef {
  private:
	PrivDef();
};
struct PrivAss {
  private:
	PrivAss &operator=(int);
};
struct PrivTmpl {
	template <class T> PrivTmpl(T);

  private:
	template <class T> PrivTmpl(T *);
};
__device__ int f(int a, int b) {
	static_assert(!std::is_copy_constructible_v<NC>);
	static_assert(!std::is_copy_constructible_v<D1>);
	static_assert(!std::is_copy_constructible_v<D2>);
	static_assert(!std::is_copy_assignable_v<NC>);
	static_assert(!std::is_copy_assignable_v<D1>);
	static_assert(!std::is_copy_assignable_v<D2>);
	static_assert(std::is_copy_constructible_v<D3>);
	static_assert(std::is_copy_assignable_v<D3>);
	static_assert(std::is_destructible_v<D3>);
	static_assert(std::is_default_constructible_v<D3>);
	static_assert(!std::is_copy_constructible_v<D4>);
	static_assert(!std::is_copy_assignable_v<D4>);
	static_assert(!std::is_destructible_v<D4>);
	static_assert(!std::is_default_constructible_v<D4>);
	static_assert(std::is_destructible_v<UsesFr>);
	static_assert(!std::is_destructible_v<Fr>);
	static_assert(std::is_copy_constructible_v<UsesFr>);
	static_assert(!std::is_copy_constructible_v<Fr>);
	static_assert(!std::is_convertible_v<PrivConv, int>);
	static_assert(!std::is_constructible_v<int, PrivConv>);
	static_assert(!std::is_default_constructible_v<PrivDef>);
	static_assert(!std::is_constructible_v<PrivDef>);
	static_assert(!std::is_assignable_v<PrivAss &, int>);
	static_assert(std::is_assignable_v<PrivAss &, PrivAss>);
	static_assert(std::is_constructible_v<PrivTmpl, int>);
	static_assert(!std::is_constructible_v<PrivTmpl, int *>);
	static_assert(!std::is_move_constructible_v<PB>);
	static_assert(std::is_move_constructible_v<D3>);
	static_assert(!std::is_move_constructible_v<D4>);
	static_assert(std::is_trivially_copyable_v<PB>);
	return a + b;
}

// case: implicit_members_that_are_deleted
struct NC {
	NC() = default;
	NC(const NC &) = delete;
	NC &operator=(const NC &) = delete;
};
struct D1 : NC {};
struct D2 {
	NC n;
};
struct D5 {
	NC n[2];
};
struct D6 {
	D6() {}
	D2 d;
};
struct MO {
	MO() = default;
	MO(MO &&) = default;
	MO &operator=(MO &&) = default;
};
struct E1 : MO {};
struct E2 {
	MO m;
	int x;
};
struct E3 {
	E3(int);
	MO m;
};
struct ND {
	ND(int);
};
struct F1 : ND {};
struct F2 {
	ND n;
};
struct F3 {
	ND n{3};
};
struct F4 {
	F4() = default;
	ND n;
};
struct DD {
	~DD() = delete;
};
struct G1 : DD {};
struct G2 {
	DD d;
};
struct R {
	int &r;
};
struct C {
	const int c;
};
struct C2 {
	const int c = 1;
};
union U1 {
	MO m;
	int x;
};
union U2 {
	NC n;
	int x;
};
struct NTC {
	NTC(const NTC &);
	NTC();
	~NTC();
};
union U3 {
	NTC n;
	int x;
};
struct HU {
	U3 u;
};
struct AU {
	union {
		NTC n;
		int x;
	};
};
struct RR {
	int &&r;
};
struct Ud {
	Ud() = default;
	Ud(Ud &) {}
};
struct UdD {
	Ud u;
};
__device__ int f(int a, int b) {
	static_assert(!std::is_copy_constructible_v<D1>);
	static_assert(!std::is_copy_constructible_v<D2>);
	static_assert(!std::is_copy_constructible_v<D5>);
	static_assert(!std::is_copy_constructible_v<D6>);
	static_assert(!std::is_move_constructible_v<D1>);
	static_assert(!std::is_move_constructible_v<D2>);
	static_assert(!std::is_move_constructible_v<D6>);
	static_assert(!std::is_copy_assignable_v<D1>);
	static_assert(!std::is_copy_assignable_v<D2>);
	static_assert(!std::is_copy_assignable_v<D6>);
	static_assert(!std::is_move_assignable_v<D6>);
	static_assert(!std::is_copy_constructible_v<E1>);
	static_assert(!std::is_copy_constructible_v<E2>);
	static_assert(!std::is_copy_constructible_v<E3>);
	static_assert(std::is_move_constructible_v<E1>);
	static_assert(std::is_move_constructible_v<E2>);
	static_assert(std::is_move_constructible_v<E3>);
	static_assert(!std::is_copy_assignable_v<E1>);
	static_assert(!std::is_copy_assignable_v<E2>);
	static_assert(std::is_move_assignable_v<E1>);
	static_assert(std::is_move_assignable_v<E3>);
	static_assert(!std::is_default_constructible_v<F1>);
	static_assert(!std::is_default_constructible_v<F2>);
	static_assert(std::is_default_constructible_v<F3>);
	static_assert(!std::is_default_constructible_v<F4>);
	static_assert(!std::is_default_constructible_v<G1>);
	static_assert(!std::is_copy_constructible_v<G2>);
	static_assert(std::is_copy_assignable_v<G2>);
	static_assert(!std::is_default_constructible_v<R>);
	static_assert(std::is_copy_constructible_v<R>);
	static_assert(!std::is_copy_assignable_v<R>);
	static_assert(!std::is_default_constructible_v<C>);
	static_assert(std::is_copy_constructible_v<C>);
	static_assert(!std::is_copy_assignable_v<C>);
	static_assert(std::is_default_constructible_v<C2>);
	static_assert(!std::is_copy_constructible_v<U1>);
	static_assert(!std::is_copy_constructible_v<U2>);
	static_assert(!std::is_default_constructible_v<U3>);
	static_assert(!std::is_destructible_v<U3>);
	static_assert(!std::is_copy_constructible_v<U3>);
	static_assert(!std::is_destructible_v<HU>);
	static_assert(!std::is_default_constructible_v<AU>);
	static_assert(!std::is_copy_constructible_v<RR>);
	static_assert(std::is_move_constructible_v<RR>);
	static_assert(!std::is_constructible_v<UdD, const UdD &>);
	static_assert(!std::is_move_constructible_v<UdD>);
	return a + b;
}

// case: returned_variables_of_cxx_20
struct S {
	int x;
	__device__ S(int a) : x(a) {}
	__device__ S(const S &o) : x(o.x + 100) {}
	__device__ S(S &&o) : x(o.x + 1000) { o.x = -1; }
};
struct D : S {
	__device__ D(int a) : S(a) {}
};
struct W {
	int v;
	__device__ W(S &&s) : v(s.x + 7) {}
	__device__ W(const S &s) : v(s.x + 9) {}
};
struct C {
	int v;
	__device__ operator S() && { return S(v + 3); }
	__device__ operator S() const & { return S(v + 5); }
};
struct B2 {
	int v;
	__device__ B2(S s) : v(s.x) {}
};
__device__ S r1(S &&r) { return r; }
__device__ S r2(S p) { return p; }
__device__ S r3(int a) {
	S l(a);
	return l;
}
__device__ S r4(int a) {
	S l(a);
	return (l);
}
__device__ W r6(int a) {
	S l(a);
	return l;
}
__device__ S r7(int a) {
	C l{a};
	return l;
}
__device__ S r8(S &r) { return r; }
__device__ S r9(int a) {
	S l(a), m(a + 1);
	if (a > 0) return l;
	return m;
}
__device__ S r10(int a) {
	S &&l = S(a);
	return l;
}
__device__ S r11(int a) {
	const S l(a);
	return l;
}
__device__ S r12(int a) {
	static_cast<void>(a);
	S l(a);
	return a > 5 ? l : S(3);
}
__device__ B2 r13(int a) {
	S l(a);
	return l;
}
__device__ W r14(S &&r) { return r; }
__device__ W r15(S p) { return p; }
__device__ S r16(S p) { return (p); }
template <class T> __device__ S r17(T &&t) { return t; }
__device__ S r18(const S &&r) { return r; }
__device__ int arr(int a) {
	S s[1] = {S(a)};
	auto f = [&]() -> S { return s[0]; };
	return f().x;
}
__device__ S r19(int a) {
	S l(a);
	{
		S l(a + 1);
		return l;
	}
}
__device__ S r20(int a) {
	S l(a);
	auto f = [l]() mutable -> S { return l; };
	return f();
}
__device__ auto r21(S &&r) { return r; }
__device__ S &&r22h(S &&r) { return static_cast<S &&>(r); }
__device__ int f(int i, int step) {
	int o[27] = {};

	S a(i), b(i + 1);
	o[0] = r1(S(1)).x;
	o[1] = r2(S(1)).x;
	o[2] = r3(1).x;
	o[3] = r4(1).x;
	o[4] = 0;
	o[5] = r6(1).v;
	o[6] = r7(1).x;
	o[7] = r8(a).x;
	o[8] = r9(i).x;
	o[9] = r10(1).x;
	o[10] = r11(1).x;
	o[11] = r12(i).x;
	o[12] = r13(1).v;
	o[13] = r14(S(1)).v;
	o[14] = r15(S(1)).v;
	o[15] = r16(S(1)).x;
	o[16] = r17(S(1)).x;
	o[17] = r17(a).x;
	o[18] = a.x;
	o[19] = r18(S(1)).x;
	o[20] = arr(1);
	o[21] = r19(1).x;
	o[22] = r20(1).x;
	o[23] = r21(std::move(b)).x;
	o[24] = b.x;
	S c(r1(static_cast<S &&>(b)));
	o[25] = c.x;
	o[26] = r22h(S(4)).x;
	int sum = step;
	for (int k = 0; k < 27; k++) sum = sum * 5 + o[k];
	return sum;
}
