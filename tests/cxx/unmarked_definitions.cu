// Definitions without words of CUDA complete what an earlier declaration gave to the device; `= default` outside.
#include <type_traits>
struct M {
	int v;
	__host__ __device__ M(int v = 8) : v(v) {}
	__host__ __device__ M(const M &o) : v(o.v + 1) {}
	__host__ __device__ M &operator=(const M &o) {
		v = o.v * 2 + 10;
		return *this;
	}
};
struct D {
	M m;
	int a = 3;
	__host__ __device__ D();
	__host__ __device__ D(const D &);
	__host__ __device__ D &operator=(const D &);
	__host__ __device__ ~D();
	__host__ __device__ int method(int x) const;
	static __device__ int fixed(int x);
	__device__ int operator[](int i);
	template <class T> __device__ int templated(T t);
};
D::D() = default;
D::D(const D &) = default;
inline D &D::operator=(const D &) = default;
D::~D() = default;
int D::method(int x) const { return a * x + m.v; }
int D::fixed(int x) { return x + 7; }
int D::operator[](int i) { return i - a; }
template <class T> int D::templated(T t) { return int(t * 3); }
struct P {
	int a, b;
	__host__ __device__ P();
	__host__ __device__ P(const P &);
};
P::P() = default;
P::P(const P &) = default;
static_assert(!std::is_trivially_copyable<P>::value, "its copy constructor is user-provided");
template <class T> struct Q {
	T a{};
	int c = 4;
	__host__ __device__ Q();
	__host__ __device__ Q(const Q &);
	__device__ int times(int x);
};
template <class T> Q<T>::Q() = default;
template <class T> __host__ __device__ Q<T>::Q(const Q<T> &) = default;
template <class T> int Q<T>::times(int x) { return x * c; }
namespace inner {
__device__ int named(int x);
int named(int x) { return x * 5; }
} // namespace inner
__device__ int plain(int x);
template <class T> __device__ int of(T t);
int plain(long x) { return -1; } // another function, of the host
int plain(int x) { return x * 3; }
template <class T> int of(T *t) { return -2; } // another template, of the host
template <class T> int of(T t) { return int(t) - 4; }
// case: functions
__device__ int f(int a, int b) { return plain(a) + inner::named(b) * 7 + of(a + 0.5) * 11 + plain(b); }
// case: methods
__device__ int f(int a, int b) {
	D d;
	d.a += a;
	return d.method(b) + D::fixed(a) * 3 + d[b] * 5 + d.templated(b) * 7;
}
// case: copies
__device__ int f(int a, int b) {
	D d;
	d.m.v = a;
	D e(d), g;
	if (b & 1) g = e;
	return d.m.v + e.m.v * 3 + g.m.v * 5 + g.a;
}
// case: plain
__device__ int f(int a, int b) {
	P p;
	p.a = a;
	p.b = b;
	P q(p);
	return q.a * 3 + q.b;
}
// case: templates
__device__ int f(int a, int b) {
	Q<M> x;
	x.a.v += a;
	Q<M> y(x);
	return y.a.v + y.c + y.times(b);
}
