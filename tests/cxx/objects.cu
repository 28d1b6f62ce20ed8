#include <initializer_list>

// Objects whose constructors and destructors write what happens, in order, to a log of their thread.
struct Log {
	unsigned hash;
	__device__ void note(unsigned what) { hash = hash * 31u + what; }
};

// case: an_object_is_evaluated_before_its_static_member
struct C {
	Log *log;
	unsigned v;
	static constexpr unsigned K = 4;
	enum { E = 6 };
	static __device__ unsigned times(unsigned a) { return a * K; }
	static __device__ C of(Log *log, unsigned a) { return C(log, a + 1u); }
	__device__ C(Log *l, unsigned x) : log(l), v(x) { log->note(v); }
	__device__ C(const C &o) : log(o.log), v(o.v) { log->note(v + 50); }
	__device__ ~C() { log->note(v + 100); }
};
__device__ int f(int a, int b) {
	Log log = {1u};
	unsigned k = a & 7;
	log.note(-C(&log, 3u).K);
	log.note(C(&log, k).times(5));
	log.note((k & 1 ? C(&log, k + 1) : C(&log, 9)).K + C(&log, 2).E);
	C x(&log, 7), *p = &x;
	log.note((log.note(4), p)->K);
	log.note((log.note(5), x).times(k));
	log.note(C(&log, 1).of(&log, b & 3).v);
	for (unsigned j = 0; j < 2; j++) log.note((x = C(&log, j)).times(j));
	return log.hash;
}

// case: a_copy_of_what_is_const_is_const_in_a_mutable_lambda
struct C {
	unsigned v;
	__device__ C(unsigned v) : v(v) {}
	__device__ unsigned r() & { return 3; }
	__device__ unsigned r() const & { return 4; }
};
__device__ int f(int a, int b) {
	const C c(a), &r = c;
	C d(b), &s = d;
	auto one = [c, r]() mutable { return c.r() * 10 + r.r(); };
	auto two = [s, d]() mutable { return s.r() * 10 + d.r(); };
	auto three = [w = r, x = c, &y = r]() mutable { return w.r() * 100 + x.r() * 10 + y.r(); };
	auto four = [=]() mutable { return r.r() * 10 + c.r() + d.r() * 100; };
	auto five = [&]() { return r.r() * 100 + s.r() * 10 + c.r(); };
	return one() + two() * 3 + three() * 5 + four() * 7 + five() * 11;
}

// case: a_braced_list_prefers_an_initializer_list
struct C {
	unsigned v;
	__device__ C(unsigned v) : v(v) {}
	__device__ C(std::initializer_list<unsigned> l) : v(100 + l.size()) {}
	__device__ C(const C &o) : v(o.v) {}
};
__device__ unsigned g(unsigned) { return 1; }
__device__ unsigned g(std::initializer_list<unsigned>) { return 2; }
__device__ unsigned h(int) { return 1; }
__device__ unsigned h(const std::initializer_list<long> &) { return 2; }
__device__ int f(int a, int b) {
	unsigned k = a;
	C x = C({k}), y({k, k}), z{k};
	return x.v + 3 * y.v + 5 * z.v + 7 * g({k}) + 11 * h({1}) + 13 * g(k);
}

// case: no_rvalue_reference_to_the_lvalue_of_a_conversion
struct C {
	unsigned v;
	__device__ C(unsigned v) : v(v) {}
	__device__ C(const C &o) : v(o.v + 1) {}
	__device__ C(C &&o) : v(o.v + 2) {}
};
struct D {
	C c;
	__device__ D(unsigned v) : c(v) {}
	__device__ operator const C &() const { return c; }
};
__device__ unsigned g(const C &) { return 1; }
__device__ unsigned g(C &&) { return 2; }
__device__ int f(int a, int b) {
	D d(a);
	C x(d), y = D(b), z{D(5u)};
	const C &r = d;
	return x.v + 3 * y.v + 5 * z.v + 7 * g(d) + 11 * g(C(d)) + 13 * (&r == &d.c);
}

// case: a_cast_to_a_reference_names_a_temporary_object
struct B {
	Log *log;
	unsigned b;
	__device__ B(Log *l, unsigned b) : log(l), b(b) { log->note(b); }
	__device__ B(const B &o) : log(o.log), b(o.b) { log->note(70); }
	__device__ ~B() { log->note(71); }
	__device__ unsigned r() & { return 1; }
	__device__ unsigned r() const & { return 2; }
	__device__ unsigned r() && { return 3; }
};
struct C : B {
	unsigned v;
	__device__ C(Log *l, unsigned v) : B(l, v + 1), v(v) { log->note(v); }
};
struct T {
	unsigned t, u;
};
struct U : T {
	unsigned w;
};
template <class X> __device__ unsigned category(X &) { return 1u; }
template <class X> __device__ unsigned category(const X &&) { return 4u; }
__device__ T make_t(Log *log, unsigned k) {
	log->note(k);
	return {k, k + 1};
}
__device__ U make_u(Log *log, unsigned k) {
	log->note(k);
	return {{k, k + 1}, k + 2};
}
__device__ int f(int a, int b) {
	Log log = {1u}, *l = &log;
	unsigned k = a & 15;
	log.note(category(static_cast<const C &>(C(l, k))));
	log.note(category(static_cast<const B &>(C(l, k))));
	log.note(category(static_cast<C &&>(C(l, k))));
	log.note(category(static_cast<B &&>(C(l, k))));
	log.note(static_cast<const B &>(C(l, k)).r() * 10 + static_cast<B &&>(C(l, k)).r());
	log.note(category(static_cast<const T &>(make_t(l, k))));
	log.note((&static_cast<const T &>(make_t(l, k)))->u);
	log.note(category(static_cast<const T &>(make_u(l, k))));
	log.note((&static_cast<const T &>(make_u(l, k)))->u);
	log.note(static_cast<const T &>(make_u(l, k)).u);
	log.note(category((const C &)C(l, k)));
	log.note(category((const B &)C(l, k)));
	log.note(category(static_cast<const unsigned &>(k * 2)) + 10 * category(static_cast<const unsigned &>(5u)));
	log.note(category(static_cast<unsigned &&>(k * 2)) + 10 * category(static_cast<const double &>(k)));
	C x(l, 3), y(l, 4);
	B *p = &x;
	log.note(&static_cast<const B &>(k & 1 ? x : y) == p);
	unsigned C::*m = &C::v;
	log.note((&static_cast<const C &>(C(l, b)))->*m);
	return log.hash;
}

// case: delete_frees_the_whole_object_by_any_of_its_bases
struct Shape {
	Log *log;
	unsigned n;
	__device__ Shape(Log *l, unsigned n) : log(l), n(n) {}
	virtual __device__ unsigned area() const = 0;
	virtual __device__ ~Shape() { log->note(61u + n); }
};
struct Other {
	unsigned o = 3u;
	virtual __device__ ~Other() { o = 0; }
};
struct Both : Other, Shape {
	unsigned b;
	__device__ Both(Log *l, unsigned b) : Shape(l, b), b(b) {}
	__device__ unsigned area() const override { return b ^ o; }
	__device__ ~Both() { log->note(69u + b); }
};
struct Square : Shape {
	unsigned b;
	__device__ Square(Log *l, unsigned b) : Shape(l, b), b(b) {}
	__device__ unsigned area() const override { return b + 1; }
	__device__ ~Square() { log->note(70u + b); }
};
struct Plain {
	unsigned p;
};
struct Late : Plain, Square {
	__device__ Late(Log *l, unsigned b) : Square(l, b) { p = b; }
};
__device__ int f(int a, int b) {
	Log log = {1u}, *l = &log;
	unsigned k = a & 7;
	Shape *p = k & 1 ? (Shape *)new Both(l, k) : k & 2 ? (Shape *)new Late(l, k) : (Shape *)new Square(l, k);
	log.note(p->area());
	delete p;
	Other *o = new Both(l, k + 1);
	delete o;
	Square *s = b & 4 ? new Late(l, k) : new Square(l, 3);
	delete s;
	delete (Shape *)nullptr;
	return log.hash;
}

// case: the_class_of_a_variable_is_deduced_without_a_second_object
template <class F> struct Guard {
	Log *log;
	F f;
	__device__ Guard(Log *l, F f) : log(l), f(f) { log->note(1); }
	Guard(const Guard &) = delete;
	__device__ ~Guard() {
		log->note(2);
		f();
	}
};
template <class F> struct Copied {
	Log *log;
	F f;
	__device__ Copied(Log *l, F f) : log(l), f(f) { log->note(3); }
	__device__ Copied(const Copied &o) : log(o.log), f(o.f) { log->note(4); }
	__device__ ~Copied() {
		log->note(5);
		f();
	}
};
__device__ int f(int a, int b) {
	Log log = {1u}, *l = &log;
	{
		auto end = [=] { l->note(a & 15); };
		Guard g = Guard(l, end);
		const Copied h = Copied(l, end);
		if (b & 1) {
			const Guard inner = Guard(l, [&] { l->note(b & 7); });
			log.note(6);
		}
		Copied m = h;
		auto n = Copied{l, end};
	}
	return log.hash;
}

// case: what_a_for_declares_in_its_condition_is_known_to_its_step
struct T {
	unsigned n, m;
	__device__ operator bool() const { return n < 5; }
};
__device__ int f(int a, int b) {
	Log log = {1u};
	unsigned k = a & 3;
	for (unsigned j = 0; unsigned n = 3 - j; j += n > 2 ? 2 : 1) log.note(n);
	for (unsigned j = 0; unsigned *q = j < 3 ? &j : nullptr; ++*q) {
		if (*q == k) continue;
		log.note(j);
	}
	for (unsigned j = 0; T t{j, k}; j += t.m + 1) {
		log.note(t.n);
		if (t.n == 3) break;
	}
	for (int j = 0; int n = j < 3; j += n) {
		switch (j + (b & 1)) {
		case 1:
			continue;
		default:
			log.note(j + n);
		}
		if (j == (b & 3)) goto out;
	}
out:
	return log.hash;
}

// case: what_is_no_declaration_declares_no_name
struct C {
	unsigned v;
	__device__ C(unsigned v = 3) : v(v) {}
	__device__ unsigned get(unsigned &sum) const { return sum = sum * 31 + v; }
};
template <class T> __device__ unsigned g(unsigned k, T x) {
	unsigned sum = 1;
	C(C(C(k))).get(sum), sum++;
	T(T(T(k))).get(sum), sum += x.v;
	T(C(k)).get(sum);
	C(T(k + 1)).get(sum), sum *= 3;
	return sum;
}
__device__ int f(int a, int b) {
	unsigned k = a, sum = b;
	C(C(C(k))).get(sum), sum++;
	C(C(k + 1)).get(sum);
	return sum + g(k, C(4));
}

// case: an_aggregate_in_braces_is_copied
template <class T> struct Braced {
	T item;
	unsigned n = 7u;
	__device__ unsigned get() const { return item.get() ^ n; }
};
template <class T> Braced(T) -> Braced<T>;
template <class T> Braced(T, unsigned) -> Braced<T>;
struct D {
	unsigned v;
	__device__ D(unsigned v) : v(v) {}
	__device__ D(const D &o) : v(o.v + 1) {}
	__device__ unsigned get() const { return v; }
};
struct P {
	unsigned x, y;
};
struct Q : P {
	unsigned z;
};
__device__ int f(int a, int b) {
	Braced w{D(a)};
	Braced x{w}, y(w);
	auto z = Braced{w};
	P p = {1u, (unsigned)b};
	Q q = {{2u, (unsigned)a}, 3u};
	auto r = P{p};
	P s = P{q}, t{q}, *u = new P{p};
	unsigned sum = x.get() + y.get() * 3 + z.get() * 5 + Braced{w}.get() * 7 + Braced<D>{w}.get() * 9 + sizeof(z);
	sum += r.y * 11 + s.y * 13 + t.x * 15 + u->y * 17 + P{q}.y;
	delete u;
	return sum;
}

// case: an_object_made_in_braces_is_assigned
struct C {
	unsigned v;
	__device__ C(unsigned v) : v(v) {}
	__device__ C &operator+=(unsigned a) {
		v += a;
		return *this;
	}
	__device__ C &operator=(unsigned a) {
		v ^= a;
		return *this;
	}
	__device__ operator unsigned() const { return v; }
};
__device__ int f(int a, int b) {
	unsigned k = a;
	return (C{k} += 9u) + 3 * (C{k} = 5u).v + 7 * (C(k) += b).v;
}

// case: const_of_chosen_places
struct S {
	int v;
	__device__ ~S() {}
	__device__ S(int x) : v(x) {}
	__device__ S(const S &o) : v(o.v) {}
};
struct G {
	S s;
	int x;
};
template <class T> __device__ int kind(T &) { return 1; }
template <class T> __device__ int kind(const T &) { return 2; }
template <class T> __device__ int fwd(T &&) {
	return std::is_const<typename std::remove_reference<T>::type>::value * 2 + std::is_lvalue_reference<T>::value;
}
__device__ int m(int &) { return 5; }
__device__ int m(const int &) { return 6; }
__device__ int f(int a, int b) {
	const int c = a * 3;
	int x = a, y = b;
	const G g1{S(a), b};
	G g2{S(b), a};
	auto &&r = a & 1 ? g1 : g2;
	auto &&q = a & 2 ? c : x;
	auto &&p = a & 2 ? y : x;
	p += 7;
	int sum = kind(a & 1 ? c : x) + 10 * kind(b & 1 ? x : c) + 100 * kind(b & 1 ? x : y);
	sum += 1000 * (fwd(a & 1 ? c : x) + 10 * fwd(b & 1 ? x : y) + 100 * fwd(b & 1 ? x + 1 : y));
	sum += 3 * m(a & 1 ? c : x) + 5 * m(b & 1 ? x : c) + 7 * m(b & 1 ? x : y) + 11 * m((a, c)) + 13 * m((a, x));
	sum += std::is_const<typename std::remove_reference<decltype(r)>::type>::value;
	sum += 2 * std::is_const<typename std::remove_reference<decltype(q)>::type>::value;
	sum += 2 * std::is_const<typename std::remove_reference<decltype((a & 1 ? c : x))>::type>::value;
	return sum + r.x + r.s.v + q + x + y * 3;
}

// case: named_rvalue_references_are_lvalues
struct S {
	int v;
	__device__ ~S() {}
	__device__ S(int x) : v(x) {}
	__device__ S(const S &o) : v(o.v) {}
	__device__ S(S &&o) : v(o.v + 1) { o.v = 2; }
};
struct P {
	int x, y;
	S s;
};
__device__ S &operator^=(S &a, unsigned b) {
	a.v ^= b;
	return a;
}
__device__ int o(const S &) { return 1; }
__device__ int o(S &&) { return 2; }
__device__ int o(const int &) { return 3; }
__device__ int o(int &&) { return 4; }
__device__ int f(int a, int b) {
	S x(a);
	S &&r = static_cast<S &&>(x);
	S y = a & 1 ? x : (r ^= 7);
	P p{a, b, S(b)};
	int &&i = static_cast<int &&>(p.x);
	auto &&j = static_cast<P &&>(p).y;
	auto &&s = static_cast<P &&>(p).s;
	auto &&[u, v, w] = static_cast<P &&>(p);
	S z = s, t = r;
	int sum = o(r) + 10 * o(i) + 100 * o(j) + 1000 * o(s) + 10000 * o(u) + 100000 * o(w);
	sum += 7 * o(static_cast<S &&>(r)) + 9 * o(static_cast<P &&>(p).y);
	i += 3, j += 4, s ^= 5, w ^= 9;
	auto q = [&] { return o(r) + o(i) * 10; };
	return sum + y.v + x.v * 3 + z.v * 5 + t.v * 7 + p.x * 11 + p.y * 13 + p.s.v * 17 + u + v + w.v + q();
}

// case: a_constant_of_a_class_needs_no_initialiser
// It is enough that no member is left without a value ([dcl.init.general]/8).
struct nothing {};
struct nested : nothing {
	__device__ constexpr int get() const { return 4; }
};
struct with_value {
	int n = 2;
};
struct with_constructor {
	int n;
	__device__ constexpr with_constructor() : n(1) {}
};
struct with_base : with_value, nested {
	with_constructor c;
};
__device__ constexpr nothing none;
__device__ constexpr nested empty;
__device__ constexpr with_value value;
__device__ constexpr with_constructor made;
constexpr with_base whole;
const nested plain;
template <class T> __device__ constexpr T of_type;
template <class T> __device__ int size_of(const T &) { return sizeof(T); }
__device__ int f(int a, int b) {
	constexpr nested first;
	const nested second;
	constexpr with_base third;
	const with_value fourth;
	const with_value several[2];
	int n = size_of(none) + empty.get() + value.n + made.n + whole.n + whole.c.n + plain.get();
	n += of_type<with_value>.n + of_type<nested>.get() * 2 + first.get() + second.get() + third.n + fourth.n;
	return n * a + several[1].n + b;
}
