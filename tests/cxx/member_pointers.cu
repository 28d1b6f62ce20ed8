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
	return (p ? s.*p : -7) + 10 * (q == nullptr) + 100 * !p + 1000 * (h.p == nullptr) + 2000 * (g.p == nullptr) +
		   (int)sizeof(p);
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
	return read<&S::x>(s) + 10 * read<&S::y>(s) + read2<&S::x>(s) + call<&S::get>(s, 3) * 7 + call<&S::twice>(s, a) +
		   at(s, &S::y);
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

// case: methods_of_bases
struct A {
	int x;
	__device__ int f(int n) const { return x + n; }
};
struct B {
	int y;
	__device__ int g(int n) const { return y * n; }
	__device__ void set(int &to) { to = y += 1; }
};
struct C : A, B {
	int w;
	__device__ int h(int n) const { return w - n; }
};
__device__ int f(int a, int b) {
	C c;
	c.x = a, c.y = b, c.w = 9;
	int (C::*table[])(int) const = {&C::f, &C::g, &C::h, &B::g};
	int (B::*g)(int) const = &B::g;
	int (C::*later)(int) const = b % 2 ? g : nullptr;
	void (C::*set)(int &) = &C::set;
	int r = (later ? (c.*later)(2) : 5) + (later == &C::g);
	(c.*set)(r);
	for (int i = 0; i < 4; i++) r = r * 7 + (c.*table[(i + a + 9) % 4])(b);
	return r + (table[1] == table[3]);
}

// case: data_of_bases_at_run_time
struct A {
	int x;
};
struct B {
	int y, z;
};
struct C : A, B {
	int w;
};
__device__ int B::*choose(int n) { return n % 3 == 0 ? &B::y : n % 3 == 1 ? &B::z : nullptr; }
__device__ int f(int a, int b) {
	C c;
	c.x = a, c.y = b, c.z = a + b, c.w = 9;
	int B::*p = choose(b);
	int C::*q = p;
	const int C::*r = choose(b + 1);
	return (q ? c.*q : -3) + 100 * (r ? c.*r : -5) + (q == &B::z);
}

// case: overloaded_methods
struct S {
	int v;
	__device__ int o(int n) { return v + n; }
	__device__ float o(float n) { return v * n; }
	__device__ int o(int n) const { return v - n; }
	template <class T> __device__ T t(T n) const { return n + (T)v; }
	static __device__ int s(int n) { return n * 3; }
};
__device__ int by(const S &s, int (S::*m)(int) const, int n) { return (s.*m)(n); }
__device__ int f(int a, int b) {
	S s{a};
	int (S::*p)(int) = &S::o;
	float (S::*q)(float) = &S::o;
	int (S::*r)(int) const = &S::t;
	auto t = &S::t<float>;
	int (*plain)(int) = &S::s;
	int n = (s.*p)(2) + 10 * (int)(s.*q)(2.5f) + (s.*r)(b) + (int)(s.*t)(0.5f) + plain(b);
	p = nullptr;
	r = &S::o;
	return n + by(s, &S::o, 4) * 100 + (p == nullptr) + (s.*static_cast<int (S::*)(int) const>(&S::t))(5) + by(s, r, 3);
}

// case: zeros
struct S {
	int x, y;
};
struct H {
	int n;
	int S::*p;
	int S::*q[2];
};
template <class T> struct Made {
	T a, b;
	__device__ Made() : a(), b{} {}
};
template <class T> __device__ bool is_none(T p) { return p == T() && p == T{}; }
__device__ int S::*global_pointer;
__device__ int S::*const some[2] = {&S::y};
__device__ H global_holder;
__device__ int f(int a, int b) {
	H h{1}, k = {1, &S::y, {&S::x}}, *made = new H();
	H two[2] = {{3, &S::x}};
	int S::*w[3] = {&S::y};
	bool all = h.p == nullptr && !h.q[0] && h.q[1] == nullptr && k.q[1] == nullptr && two[1].p == nullptr;
	bool rest =
		!w[1] && !made->p && !made->q[1] && !global_pointer && !some[1] && !global_holder.p && !global_holder.q[1];
	delete made;
	Made<int S::*> twice;
	rest = rest && !twice.a && !twice.b && is_none(twice.a) && !is_none(&S::x) && is_none<int S::*>(nullptr);
	S s{a, b};
	return all + 2 * rest + s.*k.p + s.*k.q[0] + s.*w[0] + s.*some[0] + (int)sizeof(H);
}

// case: sizes
struct S {
	int x;
	__device__ int get() const { return x; }
};
struct H {
	char c;
	int (S::*m)() const;
	char d;
	int (S::*t[2])() const;
	int e;
};
__device__ int f(int a, int b) {
	H h = {1, &S::get, 2, {nullptr, &S::get}, b}, g = h;
	S s{a};
	return (int)sizeof(H) + (int)sizeof(h.m) * 100 + (int)sizeof(h.t) + (s.*g.m)() + (s.*g.t[1])() +
		   (g.t[0] == nullptr) + g.c + g.d + g.e;
}

// case: types_of_members
template <class T> struct IsMember : std::false_type {};
template <class T, class C> struct IsMember<T C::*> : std::true_type {
	using target = T;
	using whole = T C::*;
};
struct S {
	int x;
	__device__ int get(int n) const { return x + n; }
	__device__ int put(int n) { return x = n; }
};
__device__ int f(int a, int b) {
	using G = IsMember<decltype(&S::get)>;
	using P = IsMember<decltype(&S::put)>;
	using X = IsMember<decltype(&S::x)>;
	P::whole put = &S::put;
	G::whole get = &S::get;
	S s{a};
	return G::value + 2 * X::value + 4 * IsMember<int>::value + 8 * std::is_same_v<X::target, int> + (s.*put)(b) +
		   (s.*get)(1) + 16 * std::is_same_v<G::whole, decltype(&S::get)> + 32 * std::is_same_v<P::target, int(int)> +
		   64 * std::is_same_v<G::target, P::target> + 128 * std::is_function_v<P::target> +
		   256 * std::is_member_function_pointer_v<G::whole> + 512 * std::is_member_object_pointer_v<X::whole>;
}

// case: signatures_of_lambdas
template <class T> struct Traits : Traits<decltype(&T::operator())> {};
template <class C, class R, class... A> struct Traits<R (C::*)(A...) const> {
	using result = R;
	static constexpr int count = sizeof...(A);
};
struct Functor {
	__device__ long long operator()(int, float, char) const { return 1; }
};
template <class F> __device__ int size(F f) { return Traits<F>::count * 10 + (int)sizeof(typename Traits<F>::result); }
__device__ int f(int a, int b) {
	auto add = [](int x, int y) { return x + y; };
	using Add = decltype(add);
	auto half = [=](double x) { return x / a; };
	return size(add) + 100 * size(half) + 10000 * size(Functor{}) + (add.*&Add::operator())(a, b);
}

// case: sums_of_members
struct P {
	float x, y, z;
	__device__ float norm() const { return x * x + y * y + z * z; }
	__device__ float scaled(float s) const { return x * s; }
};
template <class C, class R, class... A> __device__ float total(const C *c, int n, R (C::*m)(A...) const, A... args) {
	float r = 0;
	for (int i = 0; i < n; i++) r += (c[i].*m)(args...);
	return r;
}
template <class C, class T, int N> __device__ T total(const C (&c)[N], T C::*m) {
	T r = 0;
	for (auto &one : c) r += one.*m;
	return r;
}
__device__ int f(int a, int b) {
	P p[3] = {{1, 2, 3}, {(float)a, 1, 2}, {4, (float)b, 1}};
	return (int)(total(p, 3, &P::norm) + 7 * total(p, 3, &P::scaled, 2.f) + 11 * total(p, &P::z));
}

// case: qualified_methods
struct S {
	int v;
	__device__ int plain(int n) noexcept { return v + n; }
	__device__ int left(int n) & { return v * n; }
	__device__ int right(int n) && { return v - n; }
};
namespace deep {
template <class T> struct Box {
	T v;
	__device__ T get() const { return v; }
};
} // namespace deep
typedef int (S::*Method)(int);
using Left = int (S::*)(int) &;
__device__ Method choose(bool first) { return first ? &S::plain : nullptr; }
__device__ int (S::*again())(int) { return &S::plain; }
__device__ int f(int a, int b) {
	S s{a};
	Left left = &S::left;
	int (S::*right)(int) && = &S::right;
	int deep::Box<int>::*v = &deep::Box<int>::v;
	int (deep::Box<int>::*get)() const = &deep::Box<int>::get;
	deep::Box<int> box{b};
	Method m = choose(true);
	const Method &same = m;
	Method *there = &m;
	return (s.*left)(2) + (S{b}.*right)(1) + box.*v + (box.*get)() + (s.*same)(3) + ((&s)->**there)(4) +
		   (s.*again())(2) + (choose(false) == nullptr);
}

// case: precedence
struct S {
	int x, y;
};
__device__ int f(int a, int b) {
	S s{a, b}, *p = &s, **q = &p;
	int S::*m = &S::x, S::*t[2] = {&S::x, &S::y};
	S r[2] = {{1, 2}, {b, a}};
	return 2 * (*q)->*m + (*p).*m * 3 + -(s.*m) + *q->*m - (&s)->*t[1] + (*(r + 1)).*t[b % 2] +
		   r[a & 1].*t[a & 1] * -s.y + &s->*m;
}

// case: pointed_member_of_a_chosen_object
struct S {
	int v, w;
	__device__ ~S() {}
	__device__ S(int x) : v(x), w(x + 1) {}
	__device__ S(const S &o) : v(o.v) {}
};
struct P {
	int v, w;
};
__device__ int f(int a, int b) {
	S s(a), t(b);
	P p{a, b}, q{b, a};
	int S::*m = a & 1 ? &S::v : &S::w;
	int P::*n = a & 1 ? &P::v : &P::w;
	(a & 2 ? s : t).*m ^= b;
	(a & 2 ? s : s).*m += 3;
	(*(a & 2 ? &p : &q)).*n ^= b;
	(s, t).*m += 9;
	(p, q).*n += 9;
	(a & 4 ? &p : &q)->*n += 4;
	(p = q).*n += 11;
	(++s.v, p).*n += 1;
	(a & 2 ? s : t).*(a & 1 ? &S::v : &S::w) -= 5;
	return s.v + s.w * 3 + t.v * 5 + t.w * 7 + p.v * 11 + p.w * 13 + q.v * 17 + q.w * 19;
}
// case: qualifiers_of_methods_are_a_part_of_the_type
struct all {
	int x;
	__device__ int f() const volatile { return x; }
	__device__ int f() volatile { return x + 1; }
	__device__ int f() { return x + 2; }
	__device__ int f() const { return x + 3; }
	__device__ int g() volatile { return x + 4; }
	__device__ int h() & { return x + 5; }
	__device__ int h() && { return x + 6; }
	__device__ int h() const & { return x + 7; }
};
struct from : all {};
template <class T> struct kind {
	static const int v = 0;
};
template <class R, class C> struct kind<R (C::*)()> {
	static const int v = 1;
};
template <class R, class C> struct kind<R (C::*)() const> {
	static const int v = 2;
};
template <class R, class C> struct kind<R (C::*)() volatile> {
	static const int v = 3;
};
template <class R, class C> struct kind<R (C::*)() const volatile> {
	static const int v = 4;
};
template <class R, class C> struct kind<R (C::*)() &> {
	static const int v = 5;
};
template <class R, class C> struct kind<R (C::*)() &&> {
	static const int v = 6;
};
template <class R, class... A> struct kind<R(A...) const &> {
	static const int v = 7;
};
template <class R, class... A> struct kind<R(A...) volatile> {
	static const int v = 8;
};
template <class T> struct without;
template <class T, class C> struct without<T C::*> {
	using type = T;
};
__device__ int f(int a, int b) {
	all s{a};
	const all c{b};
	volatile all v{a ^ b};
	from d;
	d.x = a + b;
	int (all::*p)() = &all::f;
	int (all::*q)() volatile = &all::f;
	int (all::*r)() const volatile = &all::f;
	int (all::*t)() const = &all::f;
	int (all::*l)() & = &all::h;
	int (all::*m)() && = &all::h;
	int (all::*o)() const & = &all::h;
	int (from::*w)() volatile = q;
	int n = (s.*p)() + (s.*q)() * 3 + (s.*r)() * 5 + (c.*r)() * 7 + (c.*t)() * 9 + (v.*q)() * 11 + (v.*r)() * 13;
	n += (s.*l)() * 15 + (all{b}.*m)() * 17 + (c.*o)() * 19 + (all{a}.*o)() * 21 + (d.*w)() * 23 + v.g() + v.f();
	n += kind<decltype(&all::g)>::v + kind<decltype(p)>::v * 10 + kind<decltype(q)>::v * 100;
	n += kind<decltype(r)>::v * 1000 + kind<decltype(l)>::v * 10000 + kind<decltype(m)>::v * 100000;
	n += kind<without<decltype(o)>::type>::v + kind<without<decltype(q)>::type>::v * 10;
	n += std::is_same<int (all::*)() volatile, int (all::*)()>::value + std::is_same<decltype(l), decltype(m)>::value;
	return n + std::is_same<void() volatile, void()>::value + std::is_same<decltype(&all::g), decltype(q)>::value * 2;
}
// case: pointers_to_members_become_those_of_a_base_by_a_cast
struct first {
	int a;
};
struct second {
	int b, c;
};
struct both : first, second {
	int d;
};
__device__ int f(int a, int b) {
	int both::*p = a > b ? &both::c : nullptr;
	int second::*q = static_cast<int second::*>(p);
	const int second::*r = (const int second::*)(a & 1 ? &both::b : p);
	int first::*s = static_cast<int first::*>(&both::a);
	both x;
	x.a = a, x.b = b, x.c = a ^ b, x.d = 3;
	second &y = x;
	int n = (p == nullptr) + (q == nullptr) * 2 + (r == nullptr) * 4 + x.*s * 10;
	if (q) n += y.*q * 100 + (q == &second::c) * 8;
	if (r) n += y.*r * 1000;
	constexpr int second::*t = static_cast<int second::*>(&both::c);
	return n + y.*t + x.*static_cast<int second::*>(&both::b);
}
