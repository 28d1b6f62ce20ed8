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
