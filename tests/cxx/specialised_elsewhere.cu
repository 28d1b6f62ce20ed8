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

// case: member_templates_of_instances
// As many `template <>` as class templates, and one more for a member that is a template ([temp.expl.spec]/16).
template <class T> struct pair2 {
	T x, y;
	__device__ pair2(T x = T(), T y = T()) : x(x), y(y) {}
	pair2(const pair2 &) = default;
	pair2 &operator=(const pair2 &) = default;
	template <class U, typename std::enable_if<(sizeof(U) <= sizeof(T)), int>::type = 0>
	__device__ pair2(const pair2<U> &o) : x(T(o.x)), y(T(o.y)) {}
	template <class U, typename std::enable_if<(sizeof(U) > sizeof(T)), int>::type = 0>
	__device__ explicit pair2(const pair2<U> &o) : x(T(o.x + 1)), y(T(o.y + 1)) {}
	__device__ pair2 &operator=(const T &v) {
		x = v, y = T(5);
		return *this;
	}
	template <class U> __device__ pair2 &operator=(const pair2<U> &o) {
		x = T(o.x + 2), y = T(o.y + 2);
		return *this;
	}
	__device__ int put(T v) { return int(v) + 100; }
	template <class U> __device__ int put(U u, T v) { return int(u) + int(v) + 200; }
	template <class U> struct in {
		__device__ int get(U u) { return int(u) + 1; }
		__device__ int also(int u) { return u + 3; }
		template <class V> __device__ int get(U u, V v) { return int(u) + int(v) + 2; }
	};
};
template <> template <> __device__ inline pair2<float>::pair2(const pair2<short> &o) : x(o.x * 10.f), y(o.y * 20.f) {}
template <> template <> __device__ inline pair2<float>::pair2(const pair2<double> &o);
template <> template <> __device__ inline pair2<float> &pair2<float>::operator=(const pair2<short> &o) {
	x = o.x * 3.f, y = o.y * 4.f;
	return *this;
}
template <> __device__ inline pair2<double> &pair2<double>::operator=(const double &v) {
	x = v + 30, y = v + 40;
	return *this;
}
template <> __device__ inline pair2<char>::pair2(char a, char b) : x(char(a + 1)), y(char(b + 2)) {}
template <> __device__ inline int pair2<float>::put(float v) { return int(v) + 300; }
template <> template <> __device__ inline int pair2<float>::put(short u, float v) { return u * 2 + int(v); }
template <> template <> __device__ inline int pair2<float>::put<long>(long u, float v) { return int(u) * 3 + int(v); }
template <> template <> __device__ inline int pair2<float>::in<short>::get(short u) { return u * 5; }
template <> template <> template <> __device__ inline int pair2<float>::in<short>::get(short u, int v) {
	return u * 7 + v;
}
template <> template <> __device__ inline pair2<float>::pair2(const pair2<double> &o) : x(float(o.x) + 7), y(9) {}
template <> struct pair2<bool> {
	int n;
	template <class U> __device__ pair2(U u) : n(int(u)) {}
	__device__ pair2(const char *, int) : n(1) {}
	template <class U> __device__ int get(U) { return n + 1; }
	__device__ int get(int, int) { return n + 2; }
	__device__ int out();
};
template <> __device__ inline pair2<bool>::pair2(long u) : n(int(u) * 2) {}
template <> __device__ inline int pair2<bool>::get(long) { return n * 3; }
__device__ inline int pair2<bool>::out() { return n * 11; }
__device__ int f(int a, int b) {
	pair2<short> s{short(a), short(b)};
	pair2<double> d(a, b);
	pair2<float> fs = s, fd(d), fc(pair2<char>(char(1), char(2)));
	int n = int(fs.x + fs.y * 2 + fd.x * 3 + fd.y + fc.x + fc.y);
	fs = s, n += int(fs.x + fs.y), fs = d, n += int(fs.x + fs.y), fs = 2.f, n += int(fs.x + fs.y);
	d = double(a), n += int(d.x * 2 + d.y);
	n += fs.put(1.f) + fs.put(short(a), 2.f) + fs.put(long(b), 1.f) + fs.put(a, 3.f);
	pair2<float>::in<short> in;
	pair2<float>::in<int> other;
	n += in.get(short(a)) + in.get(short(a), b) + in.get(short(a), 2L) + in.also(b) + other.get(a) + other.get(a, b);
	pair2<bool> l(a + 0L), i(b);
	return n + l.n + l.get(0L) * 2 + l.get(1) + i.get(1, 1) + i.out();
}
