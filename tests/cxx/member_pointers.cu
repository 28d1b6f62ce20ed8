// Pointers to members: data members and methods, as values and as template arguments.
#include <functional>
#include <type_traits>

// case: data_members
struct S {
	char c;
	int x, y;
	double d;
};
__device__ int f(int a, int b) {
	S s{1, a, b, 2.5}, *q = &s;
	int S::*p = a % 2 ? &S::x : &S::y;
	double S::*d = &S::d;
	s.*p += 5;
	q->*d *= 2;
	auto o = &S::y;
	return s.*p * 100 + s.x + (int)(q->*d) + (p == o) + 2 * (p != nullptr) + 4 * (o == &S::y);
}

// case: null_data_members
struct S {
	int x, y;
};
struct H {
	int S::*p;
	int n;
};
__device__ int f(int a, int b) {
	int S::*p = nullptr;
	int S::*q = 0;
	H h{};
	H g = {&S::x};
	if (a > 3) p = &S::x;
	S s{a, b};
	return (p ? s.*p : -7) + 10 * (q == nullptr) + 100 * !p + 1000 * (h.p == nullptr) + 2000 * (g.p == nullptr) + (int)sizeof(p);
}

// case: template_arguments
struct S {
	int x, y;
	__device__ int get(int n) const { return x + n; }
	__device__ int twice(int n) const { return 2 * y - n; }
};
template <int S::*M> __device__ int read(const S &s) { return s.*M; }
template <auto M> __device__ int read2(const S &s) { return s.*M * 3; }
template <int (S::*F)(int) const> __device__ int call(const S &s, int n) { return (s.*F)(n); }
template <class C, class T> __device__ T at(const C &c, T C::*p) { return c.*p; }
__device__ int f(int a, int b) {
	S s{a, b};
	return read<&S::x>(s) + 10 * read<&S::y>(s) + read2<&S::x>(s) + call<&S::get>(s, 3) * 7 + call<&S::twice>(s, a) + at(s, &S::y);
}

// case: methods
struct S {
	int v;
	__device__ int add(int n) { return v += n; }
	__device__ int sub(int n) { return v -= n; }
	__device__ int get() const { return v; }
	__device__ int &ref() { return v; }
	__device__ void take(int &r, const S &o) const { r += o.v; }
};
__device__ int f(int a, int b) {
	S s{a}, *p = &s;
	int (S::*op)(int) = a > b ? &S::add : &S::sub;
	int (S::*get)() const = &S::get;
	int &(S::*ref)() = &S::ref;
	auto take = &S::take;
	int r = (s.*op)(3);
	(p->*ref)() *= 2;
	(s.*take)(r, *p);
	return r + 100 * (p->*get)() + (op == &S::add) + 2 * (get != nullptr);
}

// case: tables_of_methods
struct M {
	int v;
	__device__ int a() const { return v; }
	__device__ int b() const { return v * 2; }
	__device__ int c() const { return -v; }
};
__device__ int f(int a, int b) {
	int (M::*table[3])() const = {&M::a, &M::b, &M::c};
	M m{a};
	int r = 0;
	for (int i = 0; i < 3; i++) r = r * 10 + (m.*table[(i + b) % 3])();
	return r;
}

// case: virtual_methods
struct B {
	int v;
	__device__ B(int v) : v(v) {}
	__device__ virtual int f(int n) const { return v + n; }
	__device__ int g(int n) const { return v * n; }
};
struct D : B {
	int w;
	__device__ D(int v) : B(v), w(3) {}
	__device__ int f(int n) const override { return v - n * w; }
};
__device__ int f(int a, int b) {
	B x(a);
	D y(b);
	const B *p = a % 2 ? &x : (const B *)&y;
	int (B::*m)(int) const = b % 2 ? &B::f : &B::g;
	return (p->*m)(4) + 100 * (y.*m)(2);
}

// case: members_of_bases
struct A {
	int x;
};
struct B {
	int y, z;
};
struct C : A, B {
	int w;
};
__device__ int f(int a, int b) {
	C c;
	c.x = a, c.y = b, c.z = a + b, c.w = 9;
	int B::*p = b % 2 ? &C::y : &C::z;
	int C::*q = &B::z;
	int C::*n = (int B::*)nullptr;
	return c.*p + 10 * (c.*q) + (n == nullptr);
}

// case: invoke_and_mem_fn
struct S {
	int v;
	__device__ int add(int n) const { return v + n; }
	__device__ void set(int n) { v = n; }
};
__device__ int f(int a, int b) {
	S s{a};
	auto add = std::mem_fn(&S::add);
	auto v = std::mem_fn(&S::v);
	int r = std::invoke(&S::add, s, b) + 10 * std::invoke(&S::v, s) + 100 * add(&s, 2) + v(s);
	std::invoke(&S::set, &s, 5);
	return r + s.v + std::is_invocable_v<decltype(&S::add), S &, int> + 2 * std::is_invocable_v<decltype(&S::add), S &>;
}

// case: deduced_signatures
template <class R, class C, class... A> __device__ int count(R (C::*)(A...)) { return sizeof...(A); }
template <class R, class C, class... A> __device__ int count(R (C::*)(A...) const) { return 10 + sizeof...(A); }
template <class T> struct Owner;
template <class T, class C> struct Owner<T C::*> {
	using type = C;
};
struct S {
	int v;
	__device__ int one(int n) { return n; }
	__device__ int two(int n, float) const { return n; }
};
__device__ int f(int a, int b) {
	Owner<int S::*>::type s{a};
	return count(&S::one) + count(&S::two) * 100 + s.v + std::is_same_v<Owner<decltype(&S::v)>::type, S> + b;
}

// case: conditions_on_members
template <class T, class = void> struct HasX : std::false_type {};
template <class T> struct HasX<T, std::void_t<decltype(&T::x)>> : std::true_type {};
struct P {
	int x;
};
struct Q {
	int y;
};
__device__ int f(int a, int b) { return HasX<P>::value + 2 * HasX<Q>::value + a - b; }
