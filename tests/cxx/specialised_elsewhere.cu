// standard: c++17
// Specialisations that name the namespace or the class of their template ([temp.expl.spec]/3).
#include <cstddef>
#include <functional>
namespace n {
template <class T> struct Only;
template <class T> struct Has {
	static constexpr int value = 1;
};
template <class T, int I> struct Two {
	static constexpr int value = 2;
};
namespace inner {
constexpr int base = 100;
template <class T> struct Deep {
	static constexpr int value = 3;
};
} // namespace inner
template <class T> __device__ int call(T) { return 4; }
template <class T> constexpr int number = 5;
struct Outer {
	template <class T> struct Part {
		static constexpr int value = 6;
	};
};
template <class T> struct Of {
	template <class U> struct Part {
		static constexpr int value = 7;
	};
};
} // namespace n
struct X {
	int v;
};
template <> struct n::Only<X> {
	static constexpr int value = 10;
	__device__ int get(int a) const { return a + value; }
};
template <> struct n::Has<X> {
	static constexpr int value = 11;
};
template <int I> struct n::Two<X, I> {
	static constexpr int value = 12 + I;
};
template <> struct n::inner::Deep<X> {
	static constexpr int value = base + 1;
};
template <> struct n::inner::Deep<int *> {
	static constexpr int value = base + 2;
};
template <class T> struct n::inner::Deep<T &> {
	static constexpr int value = base + Deep<T>::value;
};
template <> __device__ int n::call<X>(X x) { return x.v; }
template <> constexpr int n::number<X> = 15;
template <> struct n::Outer::Part<X> {
	static constexpr int value = 16;
};
template <class T> struct n::Outer::Part<T *> {
	static constexpr int value = 17;
};
template <> template <> struct n::Of<int>::Part<X> {
	static constexpr int value = 18;
};
template <> struct std::hash<X> {
	__host__ __device__ size_t operator()(const X &x) const { return x.v * 7; }
};
// case: all
__device__ int f(int a, int b) {
	int c = n::Only<X>().get(a) + 3 * n::Has<X>::value + 5 * n::Has<int>::value + 7 * n::Two<X, 4>::value;
	c += 11 * n::inner::Deep<X>::value + 13 * n::inner::Deep<int *>::value + 17 * n::inner::Deep<X &>::value;
	c += 19 * n::call(X{b}) + 23 * n::call(b) + 29 * n::number<X> + 31 * n::number<int>;
	c += 37 * n::Outer::Part<X>::value + 41 * n::Outer::Part<X *>::value + 43 * n::Outer::Part<int>::value;
	c += 47 * n::Of<int>::Part<X>::value + 53 * n::Of<char>::Part<X>::value + 59 * int(std::hash<X>()(X{a}));
	return c;
}
