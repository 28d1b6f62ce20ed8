// standard: c++17
// Of which category, and of which type, what `?:` and `,` choose is.
#include <utility>
struct C {
	int v;
	__device__ explicit C(int v) : v(v) {}
};
struct G {
	C m;
	int v;
};
template <class T> __device__ int category(T &) { return 1; }
template <class T> __device__ int category(const T &&) { return 4; }
// case: a
__device__ int h(int k, G &&y) {
	C x(3);
	return category(k > 3 ? y.m : static_cast<C &&>(x));
}
__device__ int f(int a, int b) {
	G g{C(a), b};
	return h(a, std::move(g));
}
// case: b
__device__ int h(int k, G &y) {
	C x(3);
	return category(k > 3 ? y.m : static_cast<C &&>(x));
}
__device__ int f(int a, int b) {
	G g{C(a), b};
	return h(a, g);
}
// case: c
__device__ int f(int a, int b) {
	C g(a), x(b);
	return category(a > 3 ? g : static_cast<C &&>(x)) + 10 * category(a > 3 ? std::move(g) : x) +
		   100 * category(a > 3 ? std::move(g) : std::move(x)) + 1000 * category(a > 3 ? g : x) +
		   10000 * category(b > 3 ? std::move(g) : C(1));
}
// case: d
__device__ int f(int a, int b) {
	C g(a);
	const C x(b);
	G y{C(a), b};
	const G z{C(a), b};
	return category(a > 3 ? g : static_cast<const C &&>(x)) + 10 * category(a > 3 ? std::move(g) : x) +
		   100 * category(a > 3 ? std::move(g) : std::move(x)) + 1000 * category(a > 3 ? g : x) +
		   10000 * category(b > 3 ? std::move(g) : C(1)) + 100000 * category(a > 3 ? y.m : std::move(z).m) +
		   1000000 * category(a > 3 ? std::move(y).m : g);
}
// case: scalars
template <class T> __device__ int cat(T &) { return 1; }
template <class T> __device__ int cat(const T &&) { return 4; }
__device__ int f(int a, int b) {
	int x = a;
	const int y = b;
	long z = 3;
	int *p = &x;
	const int *q = &y;
	const int w = 4;
	return cat(a > 3 ? x : std::move(x)) + 10 * cat(a > 3 ? x : y) + 100 * cat(a > 3 ? x : z) +
		   1000 * cat(a > 3 ? std::move(x) : std::move(y)) + 10000 * cat(a > 3 ? p : q) +
		   100000 * cat((a, std::move(x))) + 1000000 * cat((a, x)) + 10000000 * cat(a > 3 ? w : x) +
		   100000000 * cat(true ? x : std::move(x));
}
// case: decltypes
__device__ int f(int a, int b) {
	int x = a;
	const int y = b;
	C g(1);
	const C z(2);
	G o{g, 1};
	static_assert(std::is_same_v<decltype(a > 3 ? x : std::move(x)), int>);
	static_assert(std::is_same_v<decltype(a > 3 ? x : x), int &>);
	static_assert(std::is_same_v<decltype(a > 3 ? x : y), const int &>);
	static_assert(std::is_same_v<decltype(a > 3 ? std::move(x) : std::move(x)), int &&>);
	static_assert(std::is_same_v<decltype(a > 3 ? g : std::move(g)), C>);
	static_assert(std::is_same_v<decltype(a > 3 ? g : z), const C &>);
	static_assert(std::is_same_v<decltype(a > 3 ? g : C(1)), C>);
	static_assert(std::is_same_v<decltype(a > 3 ? z : C(1)), const C>);
	static_assert(std::is_same_v<decltype(a > 3 ? std::move(g) : std::move(z)), const C &&>);
	static_assert(std::is_same_v<decltype(a > 3 ? std::move(o).m : std::move(g)), C &&>);
	static_assert(std::is_same_v<decltype((a, std::move(g))), C &&>);
	static_assert(std::is_same_v<decltype(true ? std::move(g) : g), C>);
	static_assert(std::is_same_v<decltype(a > 3 ? o : std::move(o)), G>);
	auto &&r = a > 3 ? g : std::move(g);
	r.v = 99;
	auto &&s = a > 3 ? x : std::move(x);
	s = 77;
	auto &&t = a > 3 ? std::move(g) : std::move(o.m);
	t.v += 5;
	return g.v + x * 3 + o.m.v;
}

// case: members_of_prvalues_are_changed_by_their_methods
struct Part {
	int v;
	__device__ Part(int v) : v(v) {}
	__device__ Part operator++(int) { return Part(v++); }
	__device__ Part &operator--() {
		--v;
		return *this;
	}
	__device__ Part &operator+=(int n) {
		v += n;
		return *this;
	}
	__device__ int inc() { return ++v; }
	__device__ int inc() const { return v + 100; }
	__device__ int only_rvalue() && { return v + 7; }
	__device__ int operator()(int n) { return v += n; }
	__device__ int operator[](int n) { return v *= n; }
	__device__ Part *operator->() { return this; }
};
struct Whole {
	Part m{1};
	int w = 9;
	Part list[2]{2, 3};
	const Part fixed{4};
};
__device__ Whole g(int n) {
	Whole made{};
	made.m.v = n;
	return made;
}
__device__ const Whole constant() { return Whole{}; }
__device__ int take(Part &&c) { return ++c.v; }
__device__ int take(const Part &c) { return c.v + 100; }
__device__ int take(const Part &&c) { return c.v + 200; }
__device__ int through(int *p, int n) { return p[n] += 3; }
__device__ int through(const int *p, int n) { return p[n] + 300; }
struct Numbers {
	int n[3] = {1, 2, 3};
};
__device__ Numbers numbers() { return {}; }
__device__ const Numbers constants() { return {}; }
template <class T> __device__ int deduced(T &&x) {
	return std::is_const<T>::value + 2 * std::is_lvalue_reference<T>::value;
}
__device__ int f(int a, int b) {
	int sum = (a & 1 ? Whole{} : Whole{}).m.inc() + (a & 1 ? Whole{} : g(b)).list[1].inc() * 3 + g(a).m.inc() * 5;
	sum = sum * 3 + g(a).m++.v + g(b).list[a & 1].inc() * 5 + g(b).list[a & 1]++.v * 7;
	sum = sum * 3 + (a & 1 ? g(a) : Whole{}).m(3) + (a & 1 ? g(a) : Whole{}).m[3] * 3 +
		  ((a & 1 ? g(a) : Whole{}).m += 3).v;
	sum = sum * 3 + g(a).m(3) + g(a).m[3] * 3 + (g(a).m += 3).v * 5 + g(a).m->v * 7 + (a & 1 ? g(b) : Whole{}).m->inc();
	sum = sum * 3 + take((a & 1 ? g(a) : Whole{}).m) + take(g(a).list[1]) * 3 + take((sum++, Whole{}).m);
	sum = sum * 3 + (sum & 1, Whole{}).m.inc() + (sum & 1, Whole{}).m++.v * 3 + (--((sum & 1, g(b)).m += 3)).v * 5;
	sum =
		sum * 3 + constant().m.inc() + take(constant().m) + take(g(a).fixed) + g(b).fixed.inc() + g(a).m.only_rvalue();
	sum = sum * 3 + through(numbers().n, a & 1) + through(constants().n, a & 1) + deduced(g(a).m) +
		  3 * deduced(constant().m) + 9 * deduced(g(a).list[0]) + 27 * deduced(g(a).fixed);
	return sum + std::is_same<decltype((g(a).m)), Part &&>::value + 2 * std::is_same<decltype(g(a).m), Part>::value;
}

// case: returned_variables
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
struct Converts {
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
	Converts l{a};
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

// case: assignments_of_trivial_classes_are_lvalues_in_conditionals
struct T {
	int v;
	__device__ T &self() & { return *this; }
};
struct B {
	int n;
	B() = default;
	__device__ B(int n) : n(n) {}
};
struct D : B {
	__device__ D(int n) : B(n) {}
};
__device__ int lvalue(T &t) { return t.v += 5; }
__device__ int lvalue(T &&t) { return t.v + 1000; }
__device__ int f(int a, int b) {
	T x{a}, y{b}, z{a ^ b};
	T &one = a > b ? x : (y = z);
	one.v += 3;
	(b > 2 ? (x = y) : (y = x)) = z;
	(a > 2 ? (z = y) : ((void)0, x)).v += 7;
	int n = lvalue(a > 1 ? (x = z) : y) + category(a > 1 ? y : (x = z)) * 100;
	n += (a > 1 ? y : (z = x)).self().v;
	n += lvalue(a > 1 ? T{a} : (y = x));
	D d(a);
	B base(b), other(a);
	B &sliced = a & 1 ? (base = other) : d;
	sliced.n += 11;
	const B &nested = a & 2 ? base : b & 1 ? (other = base) : (base = B(4));
	return n + 3 * x.v + 5 * y.v + 7 * z.v + 11 * d.n + 13 * base.n + 17 * other.n + (&nested == &base);
}
