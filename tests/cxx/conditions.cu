// standard: c++20
// Conditions of function templates, of which most attempts fail: which template is left is what the standard says.
#include <type_traits>
#include <utility>

template <bool B> struct When {};
template <> struct When<true> {
	typedef int type;
};

// case: a_condition_on_a_number
template <int N> __device__ typename When<N == 0>::type f0(int x) { return x + 1; }
template <int N> __device__ typename When<(N > 0 && N != 2)>::type f0(int x) { return x + 20; }
template <int N> __device__ typename When<!(N <= 0 || N != 2)>::type f0(int x) { return x + 300; }
template <long N> __device__ typename When<(N < 0)>::type f0(int x) { return x + 4000; }
__device__ int f(int a, int b) {
	return f0<0>(a) + f0<1>(b) * 3 + f0<2>(a) * 5 + f0<-1>(b) * 7 + f0<0>(b) * 11 + f0<true>(a);
}

// case: a_condition_on_what_a_reference_is_bound_to
template <class T, std::enable_if_t<std::is_same_v<T, int &>, int> = 0> __device__ int g(T &&x) { return x + 1; }
template <class T, std::enable_if_t<std::is_same_v<T, const int &>, int> = 0> __device__ int g(T &&x) { return x + 20; }
template <class T, std::enable_if_t<std::is_same_v<T, int>, int> = 0> __device__ int g(T &&x) { return x + 300; }
template <class T, std::enable_if_t<std::is_same_v<T, const int>, int> = 0> __device__ int h(T &x) { return x + 1; }
template <class T, std::enable_if_t<std::is_same_v<T, int>, int> = 0> __device__ int h(T &x) { return x + 20; }
template <class T, std::enable_if_t<std::is_same_v<T, int>, int> = 0> __device__ int i(const T &x) { return x + 1; }
template <class T, std::enable_if_t<std::is_same_v<T, volatile int>, int> = 0> __device__ int i(const T &x) {
	return x + 20;
}
template <class T, std::enable_if_t<std::is_same_v<T, const int *>, int> = 0> __device__ int j(T x) { return *x; }
template <class T, std::enable_if_t<std::is_same_v<T, int *>, int> = 0> __device__ int j(T x) { return *x + 20; }
__device__ int f(int a, int b) {
	const int c = a * 2;
	volatile int v = b;
	int one[2] = {a, b};
	const int two[2] = {b, a};
	int s = g(a) + g(c) * 3 + g(a + b) * 5 + g(static_cast<int &&>(b)) * 7;
	s += h(a) * 11 + h(c) * 13 + i(a) + i(c) * 3 + i(v) * 5 + i(1) * 7;
	return s + j(one) + j(two) * 3 + j(&a) * 5 + j(&c) * 7;
}

// case: a_default_that_is_not_needed
template <class T, class U = typename When<sizeof(T) == 8>::type> __device__ int k(T x) {
	return (int)x + (int)sizeof(U);
}
template <class T, typename When<sizeof(T) != 8>::type = 0> __device__ int k(T x) { return (int)x * 2; }
__device__ int f(int a, int b) { return k(a) + k((double)b) * 3 + k<int, char>(a) * 5 + k<long>(b) * 7; }

// case: members_of_what_is_given
struct Point {
	int x, y;
	__device__ int sum() const { return x + y; }
};
struct Derived : Point {};
struct Other {
	int z;
};
template <class T> __device__ auto m(T p) -> decltype(p.x) { return p.x; }
template <class T> __device__ auto m(const T &p) -> decltype(p.z) { return p.z + 1000; }
template <class T> __device__ auto n(T &&p) -> decltype(p.sum() + 1) { return p.sum(); }
template <class T> __device__ int n(const T &p, ...) { return 77; }
__device__ int f(int a, int b) {
	Point p{a, b};
	Derived d;
	d.x = b, d.y = a + 1;
	Other o{a};
	return m(p) + m(d) * 3 + m(o) * 5 + n(p) * 7 + n(d) * 11 + n(o) * 13 + n(Point{b, b}) * 17;
}

// case: a_class_that_is_complete_later
template <class T> __device__ auto member(T &p, int) -> decltype(p.late()) { return p.late(); }
template <class T> __device__ int member(T &p, long) { return 3; }
struct Later {
	int x;
	__device__ auto early() -> decltype(member(*this, 1)) { return 5; }
	__device__ double late() { return x * 2; }
};
__device__ int f(int a, int b) {
	Later l{a};
	return (int)sizeof(l.early()) * 100 + (int)member(l, 1) + (int)sizeof(member(l, 1)) * 10000 + b;
}

// case: traits_of_the_program
template <class T> struct Small {
	static constexpr bool value = sizeof(T) < 4;
};
template <class T> constexpr bool is_wide = sizeof(T) > 4;
template <class T> using IfSmall = std::enable_if_t<Small<T>::value, int>;
template <class T> __device__ IfSmall<T> o(T x) { return x + 1; }
template <class T> __device__ typename When<is_wide<T>>::type o(T x) { return (int)x + 20; }
template <class T> __device__ typename When<!is_wide<T> && !Small<T>::value>::type o(T x) { return (int)x + 300; }
__device__ int f(int a, int b) { return o((char)a) + o(b) * 3 + o((double)a) * 5 + o((short)b) * 7 + o('c') * 11; }

// case: conditions_after_requires
template <int N>
	requires(N == 3)
__device__ int q(int x) {
	return x + 1;
}
template <int N>
	requires(N > 3)
__device__ int q(int x) {
	return x + 20;
}
template <class T>
	requires std::is_same_v<T, int>
__device__ int r(T x) {
	return x + 1;
}
template <class T>
	requires(sizeof(T) == 8)
__device__ int r(T x) {
	return (int)x + 20;
}
__device__ int f(int a, int b) { return q<3>(a) + q<4>(b) * 3 + r(a) * 5 + r((double)b) * 7; }
