// standard: c++17
// What structured bindings name ([dcl.struct.bind]).
#include <utility>
#include <tuple>
struct G {
	int *h;
	int v;
	__device__ G(int *h, int v) : h(h), v(v) {}
	__device__ G(G &&o) : h(o.h), v(o.v) {
		*h = *h * 3 + 1;
		o.v = 0;
	}
	__device__ G(const G &o) : h(o.h), v(o.v) { *h = *h * 3 + 2; }
	__device__ ~G() { *h = *h * 31 + v; }
};
struct P {
	G x, y;
};
struct Tup {
	int p, q, r;
	template <int I> __device__ int get() const { return I == 0 ? p + q : r * 2; }
};
struct Free {
	int p, q, r;
};
template <int I> __device__ int &get(Free &f) {
	if constexpr (I == 0)
		return f.q;
	else
		return f.p;
}
template <int I> __device__ int get(Free &&f) {
	if constexpr (I == 0)
		return f.q;
	else
		return f.p;
}
template <> struct std::tuple_size<Tup> : std::integral_constant<size_t, 2> {};
template <> struct std::tuple_element<0, Tup> {
	using type = int;
};
template <> struct std::tuple_element<1, Tup> {
	using type = const int;
};
template <> struct std::tuple_size<Free> {
	static constexpr int value = 2;
};
template <size_t I> struct std::tuple_element<I, Free> {
	using type = int;
};
// case: user_tuple
__device__ int f(int a, int b) {
	Tup t{a, b, 3};
	auto [x, y] = t;
	auto &[u, v] = t;
	return x + 10 * y + 100 * u + v;
}
// case: user_free
__device__ int f(int a, int b) {
	Free t{a, b, 3};
	auto &[x, y] = t;
	x = 17;
	y += 3;
	auto [u, v] = t;
	u = 99;
	return t.p * 100 + t.q * 10 + t.r + x + 10 * y + 100 * u + v;
}
// case: once
__device__ int f(int a, int b) {
	int m[3][2] = {{a, b}, {b, a}, {1, 2}};
	int n = 0;
	auto [x, y] = m[n++];
	auto [u, v] = m[n++];
	x = 8;
	const auto [r, s, t] = m;
	n += r[0] * s[1] + t[1];
	return n + x * 10 + y * 100 + u * 1000 + v + m[0][0] * 7;
}
// case: moved
__device__ int f(int a, int b) {
	int h = 1;
	{
		G arr[2] = {{&h, a}, {&h, b}};
		auto [x, y] = std::move(arr);
		h += x.v;
		const auto [u, v] = arr;
		h += u.v;
		x.v = 7;
		h = h * 3 + arr[0].v;
	}
	return h;
}
// case: const_array
__device__ int f(int a, int b) {
	const int arr[2] = {a, b};
	auto [x, y] = arr;
	const auto [u, v] = arr;
	static_assert(std::is_same_v<decltype(u), const int>);
	auto &[r, s] = arr;
	static_assert(std::is_same_v<decltype(r), const int>);
	return x * y + u - r;
}
// case: captured
__device__ int f(int a, int b) {
	int arr[2] = {a, b};
	auto [x, y] = arr;
	int c = 3;
	auto g = [x = x, &y = y](int k) { return x * k + y++; };
	c = g(3);
	return c * 10 + y + arr[1];
}
// case: returned_1
__device__ G g(int *h, int a, int b) {
	G arr[2] = {{h, a}, {h, b}};
	auto [x, y] = arr;
	return y;
}
__device__ int f(int a, int b) {
	int h = 1;
	int t = g(&h, a, b).v;
	return h * 3 + t;
}
// case: returned_2
__device__ G g(int *h, int a, int b) {
	P p{{h, a}, {h, b}};
	auto [x, y] = p;
	return y;
}
__device__ int f(int a, int b) {
	int h = 1;
	int t = g(&h, a, b).v;
	return h * 3 + t;
}
// case: returned_3
__device__ G g(int *h, int a, int b) {
	P p{{h, a}, {h, b}};
	auto &[x, y] = p;
	return y;
}
__device__ int f(int a, int b) {
	int h = 1;
	int t = g(&h, a, b).v;
	return h * 3 + t;
}
// case: returned_4
__device__ G g(int *h, int a, int b) {
	P p{{h, a}, {h, b}};
	auto &&[x, y] = std::move(p);
	return x;
}
__device__ int f(int a, int b) {
	int h = 1;
	int t = g(&h, a, b).v;
	return h * 3 + t;
}
// case: returned_5
__device__ G g(int *h, int a, int b) {
	G arr[2] = {{h, a}, {h, b}};
	auto [x, y] = std::move(arr);
	return G(x);
}
__device__ int f(int a, int b) {
	int h = 1;
	int t = g(&h, a, b).v;
	return h * 3 + t;
}
// case: returned_6
__device__ G g(int *h, int a, int b) {
	G arr[2] = {{h, a}, {h, b}};
	const auto [x, y] = arr;
	return a > b ? x : y;
}
__device__ int f(int a, int b) {
	int h = 1;
	int t = g(&h, a, b).v;
	return h * 3 + t;
}
