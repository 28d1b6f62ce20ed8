// standard: c++17
// Explicit specialisations without words of CUDA are for the sides of what they specialise.
#include <string>
struct X {
	int v;
};
template <class T> __host__ __device__ int both(T) { return 1; }
template <class T> __device__ int device(T) { return 2; }
template <class T> int host(T) { return 3; }
template <class T> std::string text(T) { return "t"; }
namespace n {
template <class T> __device__ int inner(T) { return 4; }
} // namespace n
template <class T> struct S {
	int v;
	__device__ S() : v(5) {}
	__device__ int method() { return 6; }
	static __host__ __device__ int fixed(T) { return 7; }
	template <class U> __device__ int templated(U) { return 8; }
	__device__ int operator[](int i) { return i; }
};
template <class T> __device__ int number = 9;
template <class T> __device__ int through(T t) { return both(t) + 10 * device(t); }
template <> int both<X>(X x) { return x.v + 11; }
template <> int both(float);
template <> int both(float) { return 12; }
template <> inline int both<>(char c) { return c + 13; }
template <> int number<X> = 21;
template <> int device(X) { return 14; }
template <> int host<X>(X) { return int(std::string("ab").size()); }
template <> std::string text<int>(int i) { return std::to_string(i); }
template <> int n::inner(X) { return 15; }
template <> S<X>::S() : v(16) {}
template <> int S<X>::method() { return 17; }
template <> int S<X>::fixed(X) { return 18; }
template <> template <> int S<X>::templated(int) { return 19; }
template <> int S<X>::operator[](int i) { return i * 20; }
// case: functions
__device__ int f(int a, int b) {
	return both(X{a}) + 10 * both(1.f) + 100 * both(a) + 1000 * device(X{b}) + 10000 * both('a') + n::inner(X{a}) * 7 +
		   n::inner(a) * 3;
}
// case: from_templates
__device__ int f(int a, int b) { return through(X{a}) + 100 * through(b) + 1000 * through(2.f); }
// case: members
__device__ int f(int a, int b) {
	S<X> s;
	S<int> t;
	int c = s.v + 3 * s.method() + 5 * S<X>::fixed(X{a}) + 7 * s.templated(b) + 11 * s.templated('a') + 13 * s[a];
	return c + 1000 * t.v + 3000 * t.method() + 5000 * S<int>::fixed(a) + 7000 * t.templated(b) + 13000 * t[b];
}
// case: variables
__device__ int f(int a, int b) { return a * number<X> + b * number<int>; }
