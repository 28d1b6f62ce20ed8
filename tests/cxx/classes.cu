// Classes: constructors, destructors, methods, operators, inheritance, virtual functions, functors, lambdas.
#include <cstdint>

// case: members_by_their_class
struct A {
	int x;
	__device__ int get() { return x; }
};
struct B {
	int x;
};
template <class T> struct C : A, T {
	int x;
	__device__ int all() { return x + 10 * this->A::x + 100 * this->T::x + 1000 * C::x; }
};
__device__ int f(int a, int b) {
	C<B> c;
	c.x = a % 7;
	c.A::x = b % 5;
	C<B> *p = &c;
	p->B::x = 3;
	return c.all() + p->A::get() + c.C::x;
}

// case: method
struct P {
	int x, y;
	__device__ int sum() const { return x + y; }
	__device__ void move(int d) {
		x += d;
		this->y -= d;
	}
};
__device__ int f(int a, int b) {
	P p = {a, b};
	p.move(3);
	const P *q = &p;
	return p.sum() * 100 + q->x;
}

// case: method_outside
struct P {
	int x;
	__device__ int twice() const;
	__device__ static int none();
};
__device__ int P::twice() const { return x * 2; }
__device__ int P::none() { return -1; }
__device__ int f(int a, int b) {
	P p{a};
	return p.twice() + P::none() + p.none();
}

// case: method_before_member
class C {
  public:
	__device__ C(int v) : v_(v) {}
	__device__ int get() const { return v_ + later(); }

  private:
	__device__ int later() const { return v_ * 2; }
	int v_;
};
__device__ int f(int a, int b) { return C(a).get(); }

// case: method_overload_const
struct V {
	int d[3];
	__device__ int &operator[](int i) { return d[i]; }
	__device__ int operator[](int i) const { return d[i] * 10; }
};
__device__ int f(int a, int b) {
	V v = {{1, 2, 3}};
	v[b % 3] = a;
	const V &c = v;
	return v[1] + c[b % 3];
}

// case: method_chain
struct B {
	int v = 0;
	__device__ B &add(int x) {
		v += x;
		return *this;
	}
	__device__ B times(int x) const {
		B r;
		r.v = v * x;
		return r;
	}
};
__device__ int f(int a, int b) {
	B x;
	return x.add(a).add(b).times(3).add(1).v * 10 + x.v % 10;
}

// case: method_recursive
struct T {
	int n;
	__device__ int depth(int x) const { return x <= 0 ? n : 1 + depth(x - 2); }
};
__device__ int f(int a, int b) { return T{a}.depth(b); }

// case: constructor
struct P {
	int x, y;
	__device__ P() : x(1), y(2) {}
	__device__ P(int v) : x(v), y(v * 2) {}
	__device__ P(int a, int b) : x(a), y(b) { x++; }
};
__device__ int f(int a, int b) {
	P p, q(a), r{a, b}, s = P(b), t = a;
	return p.x + q.y * 3 + r.x * 7 + s.x * 11 + t.y;
}

// case: constructor_delegating
struct P {
	int x, y;
	__device__ P(int a, int b) : x(a), y(b) {}
	__device__ P(int a) : P(a, a + 1) { y *= 2; }
	__device__ P() : P(7) {}
};
__device__ int f(int a, int b) {
	P p, q(a);
	return p.x * 1000 + p.y * 100 + q.x + q.y;
}

// case: constructor_member_order
struct A {
	int v;
	__device__ A(int x) : v(x) {}
};
struct P {
	A first;
	int n;
	A second;
	__device__ P(int x) : first(x), n(first.v * 2), second(n + 1) {}
};
__device__ int f(int a, int b) {
	P p(a);
	return p.first.v + p.n * 3 + p.second.v * 5;
}

// case: constructor_defaulted
struct P {
	int x = 3;
	P() = default;
	P(const P &) = default;
	__device__ P(int v) : x(v) {}
	P &operator=(const P &) = default;
};
__device__ int f(int a, int b) {
	P p, q = a, r = q;
	p = r;
	r.x = b;
	return p.x * 10 + r.x + P().x;
}

// case: constructor_copy
struct P {
	int x, copies;
	__device__ P(int v) : x(v), copies(0) {}
	__device__ P(const P &o) : x(o.x), copies(o.copies + 1) {}
};
__device__ int g(P p) { return p.copies * 100 + p.x; }
__device__ int f(int a, int b) {
	P p(a), q = p, r(q);
	return g(r) + g(p) * 2 + g(P(b));
}

// case: constructor_explicit
struct P {
	int x;
	__device__ explicit P(int v) : x(v) {}
};
struct Q {
	int x;
	__device__ Q(P p) : x(p.x + 1) {}
};
__device__ int g(Q q) { return q.x; }
__device__ int f(int a, int b) { return g(P(a)) + static_cast<P>(b).x; }

// case: constructor_array_elements
struct P {
	int x;
	__device__ P() : x(5) {}
	__device__ P(int v) : x(v) {}
};
__device__ int f(int a, int b) {
	P v[4] = {a, P(b)};
	P w[3];
	return v[0].x + v[1].x * 10 + v[3].x * 100 + w[b % 3].x;
}

// case: constructor_of_base
struct A {
	int x;
	__device__ A(int v) : x(v) {}
};
struct B : A {
	int y;
	__device__ B(int v) : A(v * 2), y(x + 1) {}
};
struct C : B {
	using B::B;
	int z = y * 2;
};
__device__ int f(int a, int b) {
	C c(a);
	B b2(b);
	return c.x + c.y * 3 + c.z + b2.y;
}

// case: destructor_order
__device__ void put(int *log, int x) { log[0] = log[0] * 7 + x; }
struct G {
	int *log, id;
	__device__ G(int *l, int i) : log(l), id(i) { put(log, id); }
	__device__ ~G() { put(log, id + 3); }
};
__device__ int f(int a, int b) {
	int log = 0;
	{
		G x(&log, 1), y(&log, 2);
		if (a > b) {
			G z(&log, 3);
		}
	}
	return log;
}

// case: destructor_return
struct G {
	int &n;
	__device__ G(int &n) : n(n) {}
	__device__ ~G() { n = n * 3 + 1; }
};
__device__ int g(int &n, int a) {
	G x(n);
	if (a < 3) return n;
	{
		G y(n);
		if (a < 9) return n + 1;
	}
	for (int i = 0; i < a; i++) {
		G z(n);
		if (i == 2) return n + 2;
	}
	return n;
}
__device__ int f(int a, int b) {
	int n = b;
	int r = g(n, a);
	return r * 1000 + n;
}

// case: destructor_loop
struct G {
	int &n;
	__device__ G(int &n) : n(n) {}
	__device__ ~G() { n++; }
};
__device__ int f(int a, int b) {
	int n = 0;
	for (int i = 0; i < 8; i++) {
		G x(n);
		if (i == b) continue;
		G y(n);
		if (i > a) break;
		G z(n);
	}
	while (n < 12) {
		G w(n);
	}
	return n;
}

// case: destructor_temporary
struct G {
	int &n;
	__device__ G(int &n) : n(n) {}
	__device__ ~G() { n *= 2; }
	__device__ int get() const { return n; }
};
__device__ int f(int a, int b) {
	int n = b + 1;
	int r = G(n).get() + 100;
	r += n * 1000;
	const G &kept = G(n);
	r += kept.get();
	return r + n;
}

// case: destructor_member_and_base
struct A {
	int &n;
	int k;
	__device__ A(int &n, int k) : n(n), k(k) {}
	__device__ ~A() { n = n * 5 + k; }
};
struct B : A {
	A m;
	__device__ B(int &n) : A(n, 1), m(n, 2) {}
	__device__ ~B() { n = n * 5 + 3; }
};
__device__ int f(int a, int b) {
	int n = b;
	{
		B x(n);
	}
	return n + a;
}

// case: destructor_array
struct G {
	int *n;
	int k = 0;
	__device__ ~G() { *n = *n * 3 + k; }
};
__device__ int f(int a, int b) {
	int n = a;
	{
		G v[3] = {{&n, 1}, {&n, 2}, {&n, b}};
	}
	return n;
}

// case: destructor_switch
struct G {
	int &n;
	__device__ G(int &n) : n(n) {}
	__device__ ~G() { n += 10; }
};
__device__ int f(int a, int b) {
	int n = 0;
	switch (b % 4) {
	case 0: {
		G x(n);
		n++;
		break;
	}
	case 1: {
		G x(n);
	}
	case 2: {
		G y(n);
		n += 2;
	} break;
	default:
		return n + 5;
	}
	return n;
}

// case: static_members
struct S {
	static constexpr int N = 4;
	static const int M = N * 2;
	enum { K = M + 1 };
	__device__ static int g(int x) { return x * N + M; }
};
__device__ int f(int a, int b) {
	int v[S::N] = {};
	v[b % S::N] = a;
	S s;
	return S::g(v[0]) + s.g(1) + S::K + s.N;
}

// case: access
class C {
	int x_;

  public:
	__device__ C(int x) : x_(x) {}
	friend struct D;

  protected:
	int y_ = 3;

  private:
	__device__ int z() const { return x_ * 2; }
	__device__ friend int peek(const C &c) { return c.z(); }
};
struct D {
	__device__ static int get(const C &c) { return c.x_ + c.y_; }
};
__device__ int f(int a, int b) {
	C c(a);
	return D::get(c) + peek(c);
}

// case: operators_arithmetic
struct V {
	int x;
	__device__ V operator+(V o) const { return {x + o.x}; }
	__device__ V operator-(V o) const { return {x - o.x}; }
	__device__ V operator*(int s) const { return {x * s}; }
	__device__ V operator/(V o) const { return {o.x ? x / o.x : 0}; }
	__device__ V operator%(V o) const { return {o.x ? x % o.x : 1}; }
	__device__ V operator-() const { return {-x}; }
	__device__ V operator~() const { return {~x}; }
};
__device__ int f(int a, int b) {
	V p{a}, q{b};
	return (p + q * 3 - -p / q).x * 10 + (p % q).x + (~q).x;
}

// case: operators_bits_shifts
struct V {
	int x;
	__device__ friend V operator&(V a, V b) { return {a.x & b.x}; }
	__device__ friend V operator|(V a, V b) { return {a.x | b.x}; }
	__device__ friend V operator^(V a, V b) { return {a.x ^ b.x}; }
	__device__ friend V operator<<(V a, int n) { return {a.x << n}; }
	__device__ friend V operator>>(V a, int n) { return {a.x >> n}; }
};
__device__ int f(int a, int b) {
	V p{a}, q{b};
	return ((p & q) | (p ^ q) << 3 ^ p >> 1).x;
}

// case: operators_compare
struct V {
	int x;
	__device__ bool operator<(const V &o) const { return x < o.x; }
	__device__ bool operator==(const V &o) const { return x == o.x; }
	__device__ bool operator!=(const V &o) const { return !(*this == o); }
	__device__ bool operator>=(const V &o) const { return !(*this < o); }
	__device__ bool operator!() const { return x == 0; }
	__device__ bool operator&&(const V &o) const { return x * o.x; }
	__device__ bool operator||(const V &o) const { return x + o.x; }
};
__device__ int f(int a, int b) {
	V p{a % 5}, q{b % 5};
	return (p < q) + 2 * (p == q) + 4 * (p != q) + 8 * (p >= q) + 16 * !p + 32 * (p && q) + 64 * (p || q);
}

// case: operators_assign
struct V {
	int x;
	__device__ V &operator+=(int o) {
		x += o;
		return *this;
	}
	__device__ V &operator-=(V o) {
		x -= o.x;
		return *this;
	}
	__device__ V &operator*=(int o) {
		x *= o;
		return *this;
	}
	__device__ V &operator<<=(int o) {
		x <<= o;
		return *this;
	}
	__device__ V &operator|=(int o) {
		x |= o;
		return *this;
	}
	__device__ V &operator=(int o) {
		x = o * 2;
		return *this;
	}
};
__device__ int f(int a, int b) {
	V p{a}, q{b};
	(p += 3) -= q;
	q = 4;
	p *= 2;
	(p <<= 1) |= 1;
	p -= q;
	return p.x;
}

// case: operators_increment
struct V {
	int x;
	__device__ V &operator++() {
		x += 2;
		return *this;
	}
	__device__ V operator++(int) {
		V o = *this;
		x += 3;
		return o;
	}
	__device__ V &operator--() {
		x--;
		return *this;
	}
	__device__ V operator--(int) {
		V o{x};
		x -= 5;
		return o;
	}
};
__device__ int f(int a, int b) {
	V v{a};
	int r = (++v).x;
	r = r * 10 + v++.x;
	r = r * 10 + (--v).x;
	return r + v--.x + v.x;
}

// case: operators_call_index
struct M {
	int d[6];
	__device__ int &operator()(int i, int j) { return d[i * 3 + j]; }
	__device__ int operator()() const { return d[0] - d[5]; }
	__device__ int *operator[](int i) { return d + i * 3; }
};
__device__ int f(int a, int b) {
	M m = {};
	m(1, b % 3) = a;
	m[0][b % 3] += 7;
	m(0, 0)++;
	return m() + m[1][2] * 10 + m(1, 0);
}

// case: operators_pointer_like
struct P {
	int x;
	__device__ int get() const { return x; }
};
struct H {
	P *p;
	__device__ P &operator*() const { return *p; }
	__device__ P *operator->() const { return p; }
	__device__ explicit operator bool() const { return p; }
};
__device__ int f(int a, int b) {
	P v{a};
	H h{&v}, none{nullptr};
	(*h).x += b;
	return h->get() * 10 + h->x + (h ? 1 : 0) + (none ? 100 : 0) + !h;
}

// case: operators_conversion gives double
struct V {
	int x;
	__device__ operator double() const { return x * 0.5; }
	__device__ explicit operator int() const { return x + 1; }
};
__device__ double g(double d) { return d * 3; }
__device__ double f(int a, int b) {
	V v{a};
	double d = v;
	return d + g(v) + int(v) + (v > 3 ? 100 : 0) + v * 2;
}

// case: operators_comma_address
struct V {
	int x;
	__device__ V operator,(V o) const { return {x * 10 + o.x}; }
	__device__ int *operator&() { return &x; }
};
__device__ int f(int a, int b) {
	V p{a}, q{b};
	int *r = &p;
	*r += 1;
	return (p, q).x;
}

// case: operators_free_mixed gives float
struct V {
	float x, y;
};
__device__ V operator*(float s, const V &v) { return {s * v.x, s * v.y}; }
__device__ V operator*(const V &v, float s) { return s * v; }
__device__ V &operator+=(V &v, const V &w) {
	v.x += w.x;
	v.y += w.y;
	return v;
}
__device__ float operator|(const V &v, const V &w) { return v.x * w.x + v.y * w.y; }
__device__ float f(int a, int b) {
	V v{(float)a, 1};
	v += 2.0f * v * 0.5f;
	return v | V{(float)b, 3};
}

// case: inheritance
struct A {
	int x;
	__device__ int get() const { return x; }
	__device__ int who() const { return 1; }
};
struct B : A {
	int y;
	__device__ int who() const { return 2; }
	__device__ int both() const { return get() + y + A::who(); }
};
__device__ int base(const A &r) { return r.who() * 10 + r.x; }
__device__ int f(int a, int b) {
	B v;
	v.x = a;
	v.y = b;
	A copy = v;
	return v.both() * 1000 + base(v) + v.who() * 100 + copy.x;
}

// case: inheritance_multiple
struct A {
	int x = 1;
};
struct B {
	int y = 2;
	__device__ int g() { return y++; }
};
struct C : A, B {
	int z = 3;
};
__device__ int take(B *p) { return p->g() + p->y * 10; }
__device__ int f(int a, int b) {
	C c;
	c.x = a;
	int r = take(&c);
	B &q = c;
	q.y += b;
	return r * 100 + c.x + c.y + c.z + (int)sizeof(C);
}

// case: inheritance_private_using
struct A {
	int x = 4;
	__device__ int g(int v) { return v + x; }
	__device__ int h() { return 9; }
};
struct B : private A {
	using A::g;
	__device__ int g(const char *) { return 1; }
	__device__ int k() { return h(); }
};
__device__ int f(int a, int b) {
	B v;
	return v.g(a) + v.g("s") * 100 + v.k();
}

// case: inheritance_downcast
struct A {
	int kind;
};
struct B : A {
	int v;
};
__device__ int g(const A *p) { return p->kind ? static_cast<const B *>(p)->v : -1; }
__device__ int f(int a, int b) {
	B x;
	x.kind = b & 1;
	x.v = a;
	return g(&x);
}

// case: inheritance_empty_base
struct E {};
struct A : E {
	int x;
};
__device__ int f(int a, int b) {
	A v;
	v.x = a;
	return v.x + sizeof(A) * 100 + sizeof(E);
}

// case: virtual_calls
struct A {
	int x;
	__device__ A(int v) : x(v) {}
	__device__ virtual int g() const { return x; }
	__device__ virtual ~A() {}
};
struct B : A {
	__device__ B(int v) : A(v) {}
	__device__ int g() const override { return x * 2; }
};
struct C : B {
	__device__ C(int v) : B(v) {}
	__device__ int g() const final { return B::g() + 100; }
};
__device__ int call(const A &r) { return r.g(); }
__device__ int f(int a, int b) {
	A p(a);
	B q(b);
	C r(a + b);
	const A *t[3] = {&p, &q, &r};
	return call(*t[b % 3]) * 1000 + t[a & 1]->g() + r.A::g();
}

// case: virtual_pure
struct S {
	__device__ virtual int area() const = 0;
	__device__ int twice() const { return area() * 2; }
};
struct Q : S {
	int w;
	__device__ Q(int w) : w(w) {}
	__device__ int area() const override { return w * w; }
};
struct R : S {
	int w, h;
	__device__ R(int w, int h) : w(w), h(h) {}
	__device__ int area() const override { return w * h; }
};
__device__ int f(int a, int b) {
	Q q(a);
	R r(a, b);
	S *s = b % 2 ? static_cast<S *>(&q) : &r;
	return s->twice();
}

// case: virtual_in_constructor
struct A {
	int r;
	__device__ A() { r = who(); }
	__device__ virtual int who() { return 1; }
};
struct B : A {
	__device__ B() { r = r * 10 + who(); }
	__device__ int who() override { return 2; }
};
__device__ int f(int a, int b) {
	B v;
	A *p = &v;
	return v.r * 10 + p->who() + a;
}

// case: virtual_destructor_new
struct A {
	int *n;
	__device__ A(int *n) : n(n) {}
	__device__ virtual ~A() { *n += 1; }
};
struct B : A {
	__device__ B(int *n) : A(n) {}
	__device__ ~B() override { *n += 10; }
};
__device__ int f(int a, int b) {
	int n = 0;
	A *p = b % 2 ? new B(&n) : new A(&n);
	delete p;
	return n;
}

// case: functor
struct Add {
	int by;
	__device__ int operator()(int x) const { return x + by; }
};
struct Count {
	int n = 0;
	__device__ int operator()() { return ++n; }
};
__device__ int f(int a, int b) {
	Add g{b};
	Count c;
	c();
	return g(a) * 10 + Add{3}(b) + c();
}

// case: lambda_plain
__device__ int f(int a, int b) {
	auto g = [](int x) { return x * 3; };
	return g(a) + [](int x, int y) { return x - y; }(a, b);
}

// case: lambda_captures
__device__ int f(int a, int b) {
	int n = 5;
	auto v = [a, b](int x) { return a * x + b; };
	auto r = [&n](int x) {
		n += x;
		return n;
	};
	auto all = [=] { return a + n; };
	auto refs = [&] {
		n *= 2;
		a++;
	};
	int s = v(2) + r(b);
	refs();
	return s * 1000 + n * 10 + all() + a;
}

// case: lambda_mutable_init
__device__ int f(int a, int b) {
	auto g = [k = a * 2, b]() mutable {
		k += b;
		return k;
	};
	int first = g();
	auto h = g;
	g();
	return first + g() * 10 + h() * 100;
}

// case: lambda_generic gives double
__device__ double f(int a, int b) {
	auto g = [](auto x, auto y) { return x * y; };
	return g(a, b) + g(a * 0.5, b) + g(2.0f, 'a');
}

// case: lambda_returns
__device__ int f(int a, int b) {
	auto g = [](int x) -> long long {
		if (x > 9) return 1ll << 33;
		return x;
	};
	auto h = [&](int x) {
		if (x < b) return 1;
		return 2;
	};
	return (int)(g(a) >> 3) + h(a);
}

// case: lambda_nested_this
struct S {
	int k;
	__device__ int run(int n) {
		auto g = [this](int x) {
			auto h = [this, x] {
				k++;
				return k + x;
			};
			return h() + h();
		};
		return g(n) * 10 + k;
	}
	__device__ int copy() const {
		return [*this] { return k; }();
	}
};
__device__ int f(int a, int b) {
	S s{a};
	int r = s.run(b);
	return r + s.copy();
}

// case: lambda_to_function_pointer
__device__ int apply(int (*g)(int), int x) { return g(x); }
__device__ int f(int a, int b) {
	int (*p)(int) = [](int x) { return x + 4; };
	return p(a) + apply([](int x) { return x * x; }, b);
}

// case: lambda_in_loop
__device__ int f(int a, int b) {
	int s = 0;
	for (int i = 0; i < b; i++) {
		auto g = [i, &s](int x) {
			s += i * x;
			return s > 50;
		};
		if (g(a)) break;
	}
	return s;
}

// case: local_class
__device__ int f(int a, int b) {
	struct L {
		int v;
		__device__ int g() const { return v * 2; }
		__device__ static int h(int x) { return x + 1; }
	};
	L l{a};
	struct M : L {
		int w;
	} m;
	m.v = b;
	m.w = 3;
	return l.g() * 10 + m.g() + m.w + L::h(a);
}

// case: nested_class
class O {
  public:
	class I {
		int v_;
		friend class O;

	  public:
		__device__ I(int v) : v_(v) {}
		__device__ int get() const { return v_; }
	};
	__device__ I make(int x) const {
		I i(x + k);
		i.v_++;
		return i;
	}
	int k = 2;
	using T = I;
};
__device__ int f(int a, int b) {
	O o;
	O::I i = o.make(a);
	O::T t(b);
	return i.get() * 10 + t.get();
}

// case: class_holds_class
struct V {
	int x;
	__device__ V(int x = 2) : x(x) {}
};
struct W {
	V v[2], w;
	int n;
	__device__ W(int a) : v{V(a), 3}, n(w.x) {}
};
__device__ int f(int a, int b) {
	W w(a), u = w;
	u.w = V(b);
	return u.v[0].x + u.v[1].x * 10 + u.w.x * 100 + w.w.x * 1000 + w.n;
}

// case: deleted
struct N {
	int x;
	__device__ N(int x) : x(x) {}
	N(const N &) = delete;
	N &operator=(const N &) = delete;
	__device__ N(N &&o) : x(o.x) { o.x = -1; }
};
__device__ N make(int x) { return N(x); }
__device__ int f(int a, int b) {
	N n = make(a);
	N m(static_cast<N &&>(n));
	return m.x * 10 + n.x;
}

// case: ref_qualified
struct S {
	__device__ int g() & { return 1; }
	__device__ int g() && { return 2; }
	__device__ int g() const & { return 3; }
};
__device__ int f(int a, int b) {
	S s;
	const S c;
	return s.g() * 100 + S().g() * 10 + c.g();
}

// case: moves
struct S {
	int v;
	__device__ S(int v) : v(v) {}
	__device__ S(const S &o) : v(o.v + 100) {}
	__device__ S(S &&o) : v(o.v) { o.v = 0; }
	__device__ S &operator=(const S &o) {
		v = o.v + 1000;
		return *this;
	}
	__device__ S &operator=(S &&o) {
		v = o.v;
		o.v = -1;
		return *this;
	}
};
__device__ int take(S s) { return s.v; }
__device__ S pass(S s) { return s; }
__device__ S hand(int n) {
	S s(n);
	return static_cast<S &&>(s);
}
struct W {
	S s;
	__device__ W(S t) : s(static_cast<S &&>(t)) {}
};
struct A {
	S s, t[2];
};
struct B : A {
	int n;
};
struct Kept {
	S s;
	__device__ ~Kept() {}
};
struct Given {
	S s;
	__device__ Given(int n) : s(n) {}
	__device__ Given(const Given &o) : s(o.s.v + 7) {}
	__device__ Given(Given &&) = default;
};
__device__ int f(int a, int b) {
	S x(a), y(b);
	S z = static_cast<S &&>(x);
	long sum =
		x.v + z.v * 3L + take(static_cast<S &&>(y)) * 5L + y.v + take(z) * 7L + pass(S(a)).v * 11L + hand(b).v * 13L;
	W w(z);
	A c{static_cast<S &&>(z), {w.s, S(b)}};
	A d = static_cast<A &&>(c), e = d;
	sum += w.s.v * 17L + c.s.v * 19L + d.s.v * 23L + e.s.v * 29L + c.t[0].v * 31L + d.t[1].v * 37L + e.t[1].v * 41L;
	d = static_cast<A &&>(e);
	e = d;
	sum += d.s.v * 43L + e.s.v * 47L + e.t[1].v * 53L;
	B g{{a, {b, 1}}, 4}, h = static_cast<B &&>(g);
	sum += g.s.v * 59L + h.s.v * 61L + h.t[0].v * 67L;
	Kept k{a}, l = static_cast<Kept &&>(k);
	Given m(b), n = static_cast<Given &&>(m), o = n;
	sum += k.s.v * 71L + l.s.v * 73L + m.s.v * 79L + n.s.v * 83L + o.s.v * 89L;
	auto held = [p = static_cast<S &&>(w.s)] { return p.v; };
	return (int)(sum + held() * 97L + w.s.v * 101L);
}

// case: member_defaults_name_members
struct S {
	int a = 4, b = a + 1;
	int d[2] = {7, a};
};
struct W {
	S s, t = {2};
	int z = s.b + t.b;
};
struct X {
	int y = 5;
	__device__ int f(int n) {
		S s = {this->y}, t = {y};
		return s.b + S{y + n}.b * 100 + t.b * 10000;
	}
};
__device__ int f(int a, int b) {
	S s, t[2] = {{a}, {}};
	W w, v{{b}}, u = {};
	X x;
	s = {b};
	return s.b + t[0].b * 3 + t[1].d[1] * 7 + w.z * 11 + v.z * 13 + u.t.d[1] * 17 + x.f(a) + S{a}.b * 19;
}

// case: virtual_call_through_a_base_reference
struct Shape {
	int n = 3;
	__device__ virtual int f() { return n; }
};
struct Round : Shape {
	int k;
	__device__ Round(int k) : k(k) {}
	__device__ int f() override { return 10 * k + n; }
};
struct Held {
	Shape base_shape;
	Round round;
};
__device__ int f(int a, int b) {
	Round r(a);
	Shape s;
	Held held = {s, Round(b)};
	Shape &u = (Shape &)r;
	int sum = static_cast<Shape &>(r).f() + 3 * u.f();
	sum += 11 * held.base_shape.f() + 13 * held.round.f() + 17 * static_cast<Shape &>(held.round).f();
	return sum + 19 * r.Shape::f() + 23 * ((Shape)r).f();
}

// case: aggregates_by_a_conversion_operator
struct P {
	int x, y;
};
struct C {
	int v;
	__device__ explicit operator P() const { return {v, v + 1}; }
	__device__ operator float2() const { return make_float2(v, 2); }
};
__device__ int f(int a, int b) {
	C c{a};
	P p(c), q = static_cast<P>(C{b}), r = P(c);
	float2 u(c), v = c;
	return p.x + 10 * p.y + 100 * q.y + r.x + int(u.x + v.y) + int(float2(C{b}).x);
}

// case: implicit_constructors_among_others
struct Log {
	int n;
	__device__ Log(int v) : n(v) {}
	__device__ Log(const Log &o) : n(o.n + 1) {}
	Log(Log &&o) = default;
};
struct Moves {
	int n;
	__device__ explicit Moves(int v) : n(v) {}
	__device__ Moves(Moves &&o) : n(o.n + 10) { o.n = -1; }
	__device__ Moves &operator=(Moves &&o) {
		n = o.n + 20;
		return *this;
	}
};
struct Both : Log {
	__device__ Both(int v) : Log(v) {}
	__device__ Both(const Both &o) : Log(o) { n += 100; }
};
struct Greedy {
	int n;
	__device__ Greedy(int v) : n(v) {}
	template <class T> __device__ Greedy(T &&o) : n(o.n + 1000) {}
};
struct Source {
	int n;
	__device__ operator int() const { return n + 3; }
	__device__ explicit operator Moves() const { return Moves(n + 7); }
	__device__ operator Log() const { return Log(n + 5); }
};
struct Sum {
	Log log;
	int k;
};
__device__ int f(int a, int b) {
	Both both(a), again(both);
	Log part((both)), other(static_cast<Both &&>(both)), third((a & 1) ? Log(a) : Log(b));
	Moves moved(Moves(Moves(b + 0))), made(Source{a}), from(static_cast<Moves &&>(moved));
	Greedy greedy(a), copied(greedy);
	const Greedy constant(b), kept(constant);
	Log out(Source{b});
	const Sum sum((b & 1) ? Sum{Log(a), b} : Sum{Log(b), a}), same(Sum{part, a});
	Log *fresh = new Log((b & 2) ? Log(a) : Log(b));
	int result = again.n + 3 * part.n + 5 * other.n + 7 * third.n + 11 * moved.n + 13 * made.n + 17 * from.n;
	result += 19 * copied.n + 23 * kept.n + 29 * out.n + 31 * sum.log.n + 37 * sum.k + 41 * same.log.n + 43 * fresh->n;
	delete fresh;
	return result;
}

// case: implicit_assignment_by_name
struct Plain {
	int n;
};
struct Counts {
	int n;
	__device__ Counts &operator=(const Counts &o) {
		n = o.n + 1;
		return *this;
	}
};
struct Holds : Counts {
	int m;
};
struct Derived : Plain, Holds {
	__device__ Derived &operator=(const Derived &o) {
		Plain::operator=(o);
		Holds::operator=(o).m += 5;
		return *this;
	}
};
__device__ int f(int a, int b) {
	Derived x, y;
	x.Plain::n = a, x.Counts::n = b, x.m = a ^ b;
	y = x;
	Plain p{a};
	(&p)->operator=(Plain{b});
	return p.n + 3 * y.Plain::n + 5 * y.Counts::n + 7 * y.m;
}

// case: the_right_operand_of_an_assignment_is_first
struct Order {
	int n;
	__device__ Order &operator=(const Order &o) {
		n = n * 3 + o.n;
		return *this;
	}
	__device__ Order &operator+=(const Order &o) {
		n = n * 5 + o.n;
		return *this;
	}
};
struct Quiet {
	Order order;
	int k;
};
__device__ int note(int &log, int what) { return log = log * 7 + what; }
__device__ Order &at(Order &o, int &log, int what) {
	note(log, what);
	return o;
}
__device__ Quiet &at(Quiet &o, int &log, int what) {
	note(log, what);
	return o;
}
__device__ Order &operator-=(Order &a, const Order &b) {
	a.n = a.n * 2 - b.n;
	return a;
}
__device__ int f(int a, int b) {
	int log = 1;
	Order x{a}, y{b};
	Quiet p{{a}, 1}, q{{b}, 2};
	at(x, log, 1) = at(y, log, 2);
	at(x, log, 3) += Order{note(log, 4)};
	at(x, log, 5) -= at(y, log, 6);
	(x = y) = at(x, log, 1);
	at(p, log, 2) = at(q, log, 3);
	return log ^ (x.n * 3 + y.n * 5 + p.order.n * 7);
}

// case: operators_of_chosen_objects
struct N {
	int v;
	__device__ N(int x) : v(x) {}
	__device__ N(const N &o) : v(o.v) {}
	__device__ N operator++(int) {
		N old(v);
		v += 3;
		return old;
	}
	__device__ N &operator++() {
		v += 2;
		return *this;
	}
	__device__ N &operator+=(int a) {
		v += a;
		return *this;
	}
};
__device__ int f(int a, int b) {
	N x(a), y(b);
	int r = ((a & 1) ? N(a) : N(b))++.v + (((a & 2) ? N(a) : N(b)) += 3).v;
	((b & 1) ? x : y)++;
	((b & 2) ? x : y) += 7;
	return r * 3 + x.v * 5 + y.v * 7 + ((a & 4) ? ++N(a) : ++N(b)).v;
}

// case: what_an_ellipsis_takes_is_evaluated
__device__ int any(...) { return 3; }
__device__ int first(int a, ...) { return a; }
__device__ int f(int a, int b) {
	int n = a;
	int r = any(++n) + first(b, n += 3);
	return r + n * 5;
}

// case: const_prvalue_object
struct S {
	int v;
	__device__ int g() & { return 1; }
	__device__ int g() const & { return 2; }
	__device__ int g() && { return 3; }
	__device__ int g() const && { return 4; }
	__device__ int h() { return 5; }
	__device__ int h() const { return 6; }
};
__device__ const S mk(int v) { return S{v}; }
__device__ S mu(int v) { return S{v}; }
struct D {
	int v;
	__device__ D(int v) : v(v) {}
	__device__ D(const D &o) : v(o.v + 1) {}
	__device__ ~D() { v = 0; }
	__device__ int g() && { return 3; }
	__device__ int g() const && { return 4; }
};
__device__ const D dk(int v) { return D(v); }
__device__ D du(int v) { return D(v); }
__device__ int r(S &&) { return 1; }
__device__ int r(const S &&) { return 2; }
__device__ int q(S &&) { return 1; }
__device__ int q(const S &) { return 2; }
template <class T> struct Is {
	static constexpr int v = 1;
};
template <class T> struct Is<const T> {
	static constexpr int v = 2;
};
template <class T> __device__ int t(T &&x) { return Is<T>::v; }
template <class T> __device__ int u(T x) { return Is<T>::v; }
__device__ int f(int a, int b) {
	int n = mk(a).g() + 10 * mu(a).g() + 100 * mk(a).h() + 1000 * mu(a).h();
	n = n * 7 + dk(a).g() + 10 * du(a).g();
	n = n * 7 + r(mk(a)) + 10 * r(mu(a)) + 100 * q(mk(a)) + 1000 * q(mu(a));
	n = n * 7 + t(mk(a)) + 10 * t(mu(a)) + 100 * u(mk(a)) + 1000 * t(dk(a)) + 10000 * t(du(a));
	S s = mk(b);
	D d = dk(b);
	return n + s.v + d.v;
}

// case: inheriting_constructors
struct Bc {
	int v;
	__device__ Bc(int x, int y = 4) : v(x * y) {}
	__device__ Bc(double d) : v(int(d * 100)) {}
	template <class T> __device__ Bc(T *p) : v(*p + 1000) {}
};
struct Dc : Bc {
	using Bc::Bc;
	int extra = v + 1;
	__device__ Dc(double d) : Bc(1), extra(int(d)) {}
};
template <class B> struct Tc : B {
	using B::B;
	using Base = B;
	__device__ Tc() : B(9) {}
};
__device__ int f(int a, int b) {
	Dc x(a), y(a, b), z(1.5), p(&a);
	Tc<Dc> t(b, 2), u;
	return x.v + y.extra + z.v + z.extra + p.v + t.extra + u.v;
}

// case: virtual_functions_of_inherited_constructors
struct V0 {
	int v;
	__device__ V0(int x) : v(x) {}
	__device__ virtual int g() { return v; }
};
struct V1 : V0 {
	using V0::V0;
	int k = g() + 1;
	__device__ int g() override { return v * 10; }
};
struct V2 : V1 {
	using V1::V1;
	int q = k + 2;
	__device__ int g() override { return v * 100 + q; }
};
__device__ int f(int a, int b) {
	V2 v(a);
	V0 &r = v;
	return r.g() + v.k;
}

// case: default_members_aggregate_bases
struct A0 {
	int x = 3;
	int y = x * 2;
};
struct B1 {
	int z = 1;
	__device__ int get() const { return z; }
};
struct C0 : A0, B1 {
	int w = get() + y;
	int q[2] = {x, y};
};
template <class T> struct Tm {
	T v = T(5);
	T *self = &v;
};
__device__ int f(int a, int b) {
	C0 c;
	C0 d{{a}, {}, 7};
	C0 e{{a, b}, {2}};
	Tm<int> t;
	A0 arr[2] = {{1}, {}};
	return c.w + c.q[1] + d.x * 2 + d.y + d.w + d.q[1] + e.w + e.z + *t.self + arr[0].y + arr[1].y;
}

// case: aggregate_and_empty_bases
struct Ea {};
struct Eb {
	int q;
};
struct Ag : Ea, Eb {
	int r;
	int s = 4;
};
template <class... T> struct Tup;
template <> struct Tup<> {};
template <class H, class... T> struct Tup<H, T...> : Tup<T...> {
	H h;
	__device__ Tup(H h, T... t) : Tup<T...>(t...), h(h) {}
};
template <int I, class H, class... T> __device__ auto &get(Tup<H, T...> &t) {
	if constexpr (I == 0)
		return t.h;
	else
		return get<I - 1>(static_cast<Tup<T...> &>(t));
}
struct Emp {};
struct OnlyBase : Eb {};
struct Both : Emp {
	int z1, z2;
};
__device__ int f(int a, int b) {
	Ag g{{}, {a}, b};
	Ag h{{}, a};
	Tup<int, double, char> t(a, 2.5, 'c');
	get<1>(t) += 1;
	auto [q] = OnlyBase{{b}};
	auto [u, v] = Both{{}, a, b};
	return g.q + g.r * 2 + g.s + h.q + h.r + get<0>(t) + int(get<1>(t) * 10) + get<2>(t) + q + u * v;
}

// case: enum_class_operators
enum class E : unsigned char { a = 1, b = 2, c = 4 };
__device__ constexpr E operator|(E x, E y) { return E(unsigned(x) | unsigned(y)); }
__device__ constexpr E operator&(E x, E y) { return static_cast<E>(static_cast<int>(x) & static_cast<int>(y)); }
__device__ constexpr bool operator!(E x) { return x == E{}; }
__device__ E &operator|=(E &x, E y) { return x = x | y; }
__device__ E &operator++(E &x) { return x = E(int(x) << 1); }
__device__ E operator++(E &x, int) {
	E o = x;
	++x;
	return o;
}
namespace n {
enum class F { x, y };
__device__ int val(F f) { return f == F::y ? 7 : 3; }
__device__ bool operator<(F, int) { return true; }
} // namespace n
__device__ int f(int a, int b) {
	E e = (a & 1) ? E::a : E::b;
	e |= E::c;
	E o = e++;
	constexpr E k = E::a | E::c;
	switch (o & E::a) {
	case E::a:
		a += 10;
		break;
	case E{}:
		a += 20;
		break;
	default:
		break;
	}
	return int(e) + int(o) * 3 + !(e & E::a) + a + int(k) + val(n::F::y) + (n::F::x < 3) + val(n::F(a & 1));
}

// case: volatile_methods
struct S {
	int x;
	__device__ int get() { return 1; }
	__device__ int get() const { return 2; }
	__device__ int get() volatile { return x + 3; }
	__device__ auto get() const volatile -> const volatile int * { return &x; }
	__device__ void set(int v) volatile;
};
__device__ void S::set(int v) volatile { x = v; }
struct Only {
	int y = 4;
	__device__ int read() const volatile { return y; }
};
__device__ int f(int a, int b) {
	S s{a};
	const S c{b};
	volatile S v{a + b};
	const volatile S cv{a - b};
	Only only;
	v.set(v.get() + 1);
	volatile S &same = v;
	return s.get() + 10 * c.get() + 100 * v.get() + *cv.get() + only.read() + same.x;
}

// case: friend_after_other_specifiers
struct S {
	int x;
	__device__ friend constexpr int twice(const S &s) { return 2 * s.x; }
	__device__ inline friend int hidden(S s, int n) { return s.x - n; }
	template <class T> [[nodiscard]] __device__ friend constexpr bool operator<(const S &s, T t) { return s.x < t; }
	template <class T>
	__attribute__((visibility("hidden"))) __device__ __forceinline__ friend T operator+(const S &s, T t) {
		return s.x + t;
	}
};
template <class T> struct Length {
	T n;
	template <class U> __device__ friend constexpr bool operator==(const Length &l, const Length<U> &r) {
		return l.n == r.n;
	}
};
__device__ int f(int a, int b) {
	S s{a};
	return twice(s) + hidden(s, b) + 10 * (s < b) + (s + b) + 1000 * (Length<int>{a} == Length<short>{(short)b});
}

// case: union_templates
struct Loud {
	int *n;
	__device__ Loud(int *n) : n(n) { *n += 1; }
	__device__ ~Loud() { *n += 100; }
};
template <class A, class B> union Either {
	A a;
	B b;
	char none;
	__device__ Either() : none(0) {}
	__device__ Either(A x, int) : a(x) {}
	template <class T> __device__ explicit Either(T t) : b(t) {}
	__device__ ~Either() {}
};
template <class T> union Plain {
	T t;
	unsigned char bytes[sizeof(T)];
};
template <> union Plain<void> {
	int only;
};
template <class T> union Init {
	T t = 5;
	char c;
};
struct Outer {
	template <class T> union In {
		T x;
		int y;
	};
	In<short> s;
};
template <unsigned I, class... Ts> union __attribute__((visibility("default"))) Chain;
template <unsigned I> union Chain<I> {};
template <unsigned I, class T, class... Ts> union Chain<I, T, Ts...> {
	char none;
	T head;
	Chain<I + 1, Ts...> tail;
	__device__ explicit constexpr Chain(T t) noexcept : head(t) {}
	~Chain() = default;
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		Either<int, Loud> e;
		Either<int, Loud> g(&n);
		g.b.~Loud();
		Either<int, Loud> h(a, 0);
		n += h.a;
	}
	Plain<float> p;
	p.t = 1.0f;
	Plain<void> v;
	v.only = b;
	Init<int> i;
	Outer o;
	o.s.y = a;
	Chain<0, int, float> chain(b);
	return n + p.bytes[3] + v.only + i.t + (unsigned char)o.s.x + (int)(sizeof(Plain<double>) + sizeof(o)) + chain.head;
}

// case: functions_named_by_types_of_the_class
template <bool B> struct Tag {
	static constexpr int value = B ? 3 : 4;
};
template <class... Ts> struct C {
	__device__ static constexpr bool two() noexcept {
		if constexpr (sizeof...(Ts) == 2)
			return true;
		else
			return false;
	}
	using X = Tag<two()>;
	int room[two() ? 5 : 6];
	enum { e = two() };
};
__device__ int f(int a, int b) { return C<int, int>::X::value + 10 * (int)sizeof(C<int>) + a * C<int, int>::e + b; }

// case: attributes_of_class_templates
template <class T, int N = 3> class __attribute__((visibility("default"))) later;
template <class T> struct [[maybe_unused]] other;
template <class T, int N> __device__ int size_of(const later<T, N> *, const other<T> *) { return N * sizeof(T); }
template <class T, int N> class __attribute__((visibility("default"))) later {};
__device__ int f(int a, int b) {
	later<int> l;
	other<int> *none = nullptr;
	return size_of(&l, none) + a - b;
}

// case: using_an_implicit_assignment
struct A {
	int x;
};
template <class B> struct D : B {
	using B::operator=;
	int y;
};
__device__ int f(int a, int b) {
	D<A> d, e;
	d.x = a;
	d.y = b;
	e = d;
	return e.x * 100 + e.y;
}

// case: static_members_of_a_base_that_is_there_twice
struct A {
	static const int n = 4;
	typedef int T;
	enum { E = 3 };
	static __device__ int s() { return 2; }
};
struct B : A {};
struct C : A {};
struct D : B, C {};
__device__ int f(int a, int b) {
	D d;
	D::T t = a;
	return d.n + D::E + d.s() + D::s() + t;
}

// case: using_declarations_of_two_bases
struct B {
	__device__ int g(int) { return 1; }
};
struct C {
	__device__ int g(float) { return 2; }
};
struct D : B, C {
	using B::g;
	using C::g;
};
__device__ int f(int a, int b) {
	D d;
	return d.g(1) * 10 + d.g(1.f);
}

// case: bases_that_are_there_twice
struct A {
	int x;
};
struct B : A {};
struct C : A {};
struct D : B, C {};
__device__ int f(int a, int b) {
	D d;
	d.B::x = a;
	d.C::x = b;
	static_cast<B &>(d).x += 3;
	B *p = &d;
	A *q = p;
	q->x++;
	return d.B::x * 10 + d.C::x;
}

// case: a_base_that_is_direct_and_indirect
struct A {
	int x;
};
struct B : A {
	int y;
};
struct D : B, A {
	int z;
};
__device__ int f(int a, int b) {
	D d;
	d.B::x = a;
	d.y = 2;
	d.z = 3;
	return d.B::x + d.y + d.z;
}

// case: overriders_of_a_base_that_is_there_twice
struct A {
	__device__ virtual int g() { return 1; }
};
struct B : A {
	__device__ int g() override { return 2; }
};
struct C : A {
	__device__ int g() override { return 3; }
};
struct D : B, C {
	__device__ int g() override { return 4; }
};
__device__ int f(int a, int b) {
	D d;
	B *p = &d;
	C *q = &d;
	return p->g() * 100 + q->g() * 10 + d.B::g();
}

// case: instances_as_bases
struct A {
	int x;
};
template <int N> struct W : A {};
struct D : W<0>, W<1> {};
__device__ int f(int a, int b) {
	D d;
	d.W<0>::x = a;
	d.W<1>::x = b;
	static_cast<W<1> &>(d).x++;
	return d.W<0>::x * 10 + d.W<1>::x;
}

// case: conversion_functions_of_bases
struct A {
	__device__ operator int() { return 3; }
};
struct B : A {
	__device__ operator int() { return 4; }
	__device__ operator float() { return 5.5f; }
};
__device__ int f(int a, int b) {
	B d;
	int x = d;
	float y = d;
	return x * 10 + y;
}

// case: injected_names_of_two_bases
template <int N> struct W {
	int v;
};
struct D : W<0>, W<1> {
	W<3> w;
	__device__ int g() {
		W<0> z{5};
		return w.v + W<1>::v + z.v;
	}
};
__device__ int f(int a, int b) {
	D d;
	d.w.v = a;
	d.W<1>::v = b;
	return d.g();
}

// case: nested_class_hides_a_base_method
struct B {
	__device__ int T() { return 1; }
};
struct D : B {
	struct T {
		int q;
	};
};
__device__ int f(int a, int b) {
	D::T t{a};
	D d;
	return t.q + d.B::T();
}

// case: reinterpret_cast_moves_no_pointer
struct B {
	int x;
};
struct C {
	int y;
};
struct D : B, C {};
__device__ int f(int a, int b) {
	D d;
	d.x = a;
	d.y = b;
	C *c = reinterpret_cast<C *>(&d);
	C &r = reinterpret_cast<C &>(d);
	return c->y * 100 + static_cast<C *>(&d)->y + r.y * 7;
}

// case: using_declarations_of_what_is_inherited
struct A {
	int x;
	typedef int T;
	static __device__ int s() { return 3; }
};
struct B : A {
	using A::s;
	using A::T;
	using A::x;
};
struct D : B {
	T t;
};
__device__ int f(int a, int b) {
	D d;
	d.x = a;
	d.t = b;
	return d.x + d.t + d.s();
}

// case: operators_of_a_pack_of_bases
template <class... T> struct O : T... {
	using T::operator()...;
};
struct F1 {
	__device__ int operator()(int) { return 1; }
};
struct F2 {
	__device__ int operator()(float) { return 2; }
};
__device__ int f(int a, int b) {
	O<F1, F2> o;
	return o(1) * 10 + o(1.f);
}

// case: two_mixins
template <class D> struct Add {
	__device__ int add(int x) { return static_cast<D *>(this)->v + x; }
};
template <class D> struct Mul {
	__device__ int mul(int x) { return static_cast<D *>(this)->v * x; }
};
struct N : Add<N>, Mul<N> {
	int v;
};
__device__ int f(int a, int b) {
	N n;
	n.v = a;
	return n.add(b) * 100 + n.mul(b);
}

// case: an_empty_base_twice
struct E {};
struct X : E {
	int x;
};
struct Y : E {
	int y;
};
struct Z : X, Y {
	int z;
};
__device__ int f(int a, int b) {
	Z s;
	s.x = a;
	s.y = b;
	s.z = 1;
	Z t = s;
	Z u;
	u = t;
	return u.x * 100 + u.y * 10 + u.z + sizeof(Z);
}

// case: braces_around_an_aggregate
struct P {
	int x, y;
};
struct A {
	P p;
	int z;
};
__device__ int f(int a, int b) {
	P p{a, b};
	auto &&e = P{p};
	auto &&g = A{p, 3};
	const P &h = P{p};
	P q{P{p}};
	e.x += 7;
	return e.x * 100 + e.y * 10 + g.p.y + g.z + h.x + q.y;
}

// case: braces_around_a_derived_aggregate
struct P {
	int x, y;
};
struct B : P {
	int z;
};
__device__ int f(int a, int b) {
	B b1{{a, b}, 3};
	B b2{b1};
	P p = P{b1};
	auto e = P{b2};
	P arr[2] = {P{p}, {p}};
	return b2.z + p.x * 10 + e.y * 100 + arr[1].x * 1000;
}

// case: braces_around_aggregates_in_lists
struct P {
	int x, y;
};
struct L {
	P p;
	int z;
};
struct E {};
struct W {
	E e;
	int q;
};
__device__ P mk(int a, int b) { return P{a, b}; }
__device__ int take(P p) { return p.x - p.y; }
__device__ P ret(P p) { return {p}; }
__device__ int f(int a, int b) {
	P p{a, b};
	P q = {p};
	const P r{mk(a, b)};
	L l{{p}, 2};
	L m{p, 3};
	L n{l};
	P *h = new P{p};
	int s = h->x;
	delete h;
	W w{E{}, 4};
	P arr[]{{q}, {1, 2}, p};
	return q.x + r.y * 2 + l.p.x * 3 + m.p.y * 4 + n.z * 5 + take({p}) * 6 + ret(p).x * 7 + s + w.q + arr[2].y +
		   take(P{ret(p)});
}

// case: empty_results_as_arguments
struct Out {};
__device__ __noinline__ Out operator<<(Out o, int n) { return o; }
__device__ __noinline__ Out make(int n) { return Out(); }
__device__ __noinline__ int take(Out o, int n, Out p) { return n + 1; }
__device__ int f(int a, int b) {
	make(a) << b << a + 2;
	return take(make(b), a, Out() << b);
}

// case: a_member_function_has_the_name_of_a_member_of_another_class
struct Layout {
	template <class E> struct mapping {
		E size;
	};
};
template <class E, class L> struct View {
	using mapping_type = typename L::template mapping<E>;
	__device__ constexpr const mapping_type &mapping() const { return m; }
	mapping_type m;
};
__device__ int f(int a, int b) {
	View<int, Layout> v{{a}};
	View<float, Layout> w{{b / 2.0f}};
	return v.mapping().size * 3 + int(w.mapping().size * 2);
}
