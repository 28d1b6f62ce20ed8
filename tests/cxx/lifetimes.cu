// Objects: when they are made, copied and destroyed, and how often what makes them is evaluated.
// case: temporary_in_and
struct T {
	int *p;
	__device__ T(int *q) : p(q) { *p += 1; }
	__device__ ~T() { *p += 10; }
	__device__ bool ok() const { return *p > 0; }
};
__device__ int f(int a, int b) {
	int n = 0;
	bool r = (a & 1) && T(&n).ok();
	return n * 2 + r;
}

// case: temporary_in_conditional
struct T {
	int *p;
	int v;
	__device__ T(int *q, int w) : p(q), v(w) { *p += 1; }
	__device__ ~T() { *p += 10; }
};
__device__ int f(int a, int b) {
	int n = 0;
	int r = (a & 1) ? T(&n, 5).v : b;
	return n * 100 + r;
}

// case: temporary_in_if
struct T {
	int *p;
	__device__ T(int *q) : p(q) { *p += 1; }
	__device__ ~T() { *p += 10; }
	__device__ bool ok() const { return *p > 0; }
};
__device__ int f(int a, int b) {
	int n = 0;
	if (T(&n).ok()) n += 100;
	return n;
}

// case: temporary_in_return
struct T {
	int *p;
	__device__ T(int *q) : p(q) { *p += 1; }
	__device__ ~T() { *p += 10; }
	__device__ int get() const { return *p; }
};
__device__ int g(int *n) { return T(n).get(); }
__device__ int f(int a, int b) {
	int n = 0;
	int r = g(&n);
	return n * 100 + r;
}

// case: mutable_member
struct M {
	mutable int n;
	int v;
	__device__ int get() const {
		n++;
		return v;
	}
};
__device__ int f(int a, int b) {
	const M m{0, a};
	m.get();
	m.get();
	return m.n * 1000 + m.v;
}

// case: lambda_array_copy
__device__ int f(int a, int b) {
	int t[3] = {a, b, 1};
	auto g = [t] { return t[0] + t[1] * 3; };
	t[0] = 99;
	t[1] = 7;
	return g();
}

// case: default_argument_twice
__device__ int bump(int *p) { return ++*p; }
struct S {
	int v;
	__device__ S(int x) : v(x) {}
};
__device__ int g(const S &s) { return s.v; }
__device__ int f(int a, int b) {
	int n = a;
	int r = g(bump(&n));
	return r * 10 + n;
}

// case: comma_reference_twice
__device__ int bump(int *p) { return ++*p; }
__device__ int g(const int &x) { return x; }
__device__ int f(int a, int b) {
	int n = a & 15;
	int r = g((bump(&n), n));
	return r * 100 + n;
}

// case: comma_reference_side
__device__ int bump(int *p) { return ++*p; }
__device__ int g(const int &x) { return x; }
__device__ int f(int a, int b) {
	int n = a & 15;
	int r = g((bump(&n), bump(&n)));
	return r * 100 + n;
}

// case: ternary_reference
__device__ int bump(int *p) { return ++*p; }
__device__ void g(int &x) { x += 100; }
__device__ int f(int a, int b) {
	int n = a & 15, m = b & 15, k = 0;
	g(bump(&k) & (a & 1) ? n : m);
	return n * 10000 + m * 10 + k;
}

// case: ternary_assign
__device__ int bump(int *p) { return ++*p; }
__device__ int f(int a, int b) {
	int n = a & 15, m = b & 15, k = 0;
	(bump(&k) == 1 ? n : m) += 5;
	return n * 10000 + m * 10 + k;
}

// case: struct_assign_chain
struct P {
	int x, y;
};
__device__ int f(int a, int b) {
	P p{a, b}, q, r;
	r = q = p;
	q.x = 3;
	return r.x + r.y * 2 + q.x;
}

// case: reference_to_assignment
__device__ int f(int a, int b) {
	int x = 0;
	int &r = (x = a);
	r += 2;
	int &s = ++x;
	s *= 3;
	return x;
}

// case: order_of_members
struct N {
	int *p;
	int k;
	__device__ N(int *q, int i) : p(q), k(i) { *p = *p * 10 + k; }
	__device__ ~N() { *p = *p * 10 + k + 4; }
};
struct W {
	N a, b;
	__device__ W(int *q) : b(q, 2), a(q, 1) {}
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		W w(&n);
	}
	return n;
}

// case: order_base_member
struct N {
	int *p;
	int k;
	__device__ N(int *q, int i) : p(q), k(i) { *p = *p * 10 + k; }
	__device__ ~N() { *p = *p * 10 + k + 4; }
};
struct W : N {
	N b;
	__device__ W(int *q) : b(q, 2), N(q, 1) {}
	__device__ ~W() { *p = *p * 10 + 9; }
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		W w(&n);
		N y(&n, 3);
	}
	return n;
}

// case: return_from_loop
struct N {
	int *p;
	int k;
	__device__ N(int *q, int i) : p(q), k(i) { *p = *p * 3 + k; }
	__device__ ~N() { *p = *p * 3 + k + 4; }
};
__device__ int g(int *n, int a) {
	N o(n, 1);
	for (int i = 0; i < 4; ++i) {
		N p(n, i);
		if (i == (a & 3)) return i;
		if (i == 1) continue;
		N q(n, 2);
		if (a & 8) break;
	}
	return 9;
}
__device__ int f(int a, int b) {
	int n = 0;
	int r = g(&n, a);
	return n * 10 + r;
}

// case: array_of_objects
struct N {
	int *p;
	int k;
	__device__ N() : p(nullptr), k(7) {}
	__device__ N(int *q, int i) : p(q), k(i) { *p = *p * 3 + k; }
	__device__ ~N() {
		if (p) *p = *p * 3 + k + 4;
	}
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		N t[3] = {N(&n, 1), N(&n, 2)};
		n += t[2].k;
	}
	return n;
}

// case: enum_promotion
enum E : unsigned char { A = 200, B = 255 };
enum U { X = 0xffffffffu };
enum class C : short { P = -3 };
__device__ int g(int) { return 1; }
__device__ int g(unsigned) { return 2; }
__device__ int g(unsigned char) { return 3; }
__device__ int g(long) { return 4; }
__device__ int f(int a, int b) { return g(A) + g(X) * 10 + g(A + B) * 100 + g(~X) * 1000 + (X > -1) * 10000 + (A + B); }

// case: enum_bits
enum F { R = 1, W = 2, XX = 4 };
__device__ F operator|(F a, F b) { return F(int(a) | int(b)); }
__device__ int f(int a, int b) {
	F x = R | XX;
	switch (x) {
	case R:
		return 1;
	case 5:
		return 7;
	default:
		return 0;
	}
}

// case: overload_ties
__device__ int g(const int &) { return 1; }
__device__ int g(int &) { return 2; }
__device__ int g(int &&) { return 3; }
__device__ int h(const int *) { return 1; }
__device__ int h(int *) { return 2; }
__device__ int h(const void *) { return 3; }
__device__ int f(int a, int b) {
	const int c = 3;
	float z = 0;
	return g(a) + g(c) * 10 + g(a + 1) * 100 + h(&a) * 1000 + h(&c) * 10000 + h(&z) * 100000;
}

// case: overload_template
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int g(T *) { return 2; }
__device__ int g(int) { return 3; }
template <class T> __device__ int g(const T *) { return 4; }
__device__ int f(int a, int b) {
	const int c = 3;
	return g(a) + g(&a) * 10 + g(&c) * 100 + g(2.0) * 1000 + g('c') * 10000;
}

// case: copy_elision
struct N {
	int *p;
	__device__ N(int *q) : p(q) { *p += 1; }
	__device__ N(const N &o) : p(o.p) { *p += 100; }
	__device__ ~N() { *p += 10000; }
};
__device__ N make(int *q) { return N(q); }
__device__ int f(int a, int b) {
	int n = 0;
	{
		N x = make(&n);
	}
	return n;
}

// case: by_value_argument
struct N {
	int *p;
	__device__ N(int *q) : p(q) { *p += 1; }
	__device__ N(const N &o) : p(o.p) { *p += 100; }
	__device__ ~N() { *p += 10000; }
};
__device__ int take(N n) { return *n.p; }
__device__ int f(int a, int b) {
	int n = 0;
	N x(&n);
	int r = take(x);
	int s = take(N(&n));
	return n + r * 3 + s * 7;
}

// case: array_member_copy
struct N {
	int v;
	__device__ N() : v(1) {}
	__device__ N(const N &o) : v(o.v + 1) {}
	__device__ N &operator=(const N &o) {
		v = o.v * 2;
		return *this;
	}
};
struct W {
	N t[3];
	int k;
};
__device__ int f(int a, int b) {
	W w;
	w.k = a;
	W x = w;
	W y;
	y = x;
	return x.t[2].v + y.t[1].v * 10 + y.k * 100;
}

// case: conversion_in_condition
struct O {
	int v;
	__device__ explicit operator bool() const { return v > 0; }
};
__device__ int f(int a, int b) {
	O o{a};
	if (o) return 1;
	while (!o) {
		o.v++;
		if (o.v > 5) break;
	}
	return o && O{b} ? 3 : 4;
}

// case: for_temp_in_cond
struct T {
	int *p;
	__device__ T(int *q) : p(q) {}
	__device__ ~T() { *p += 10; }
	__device__ bool ok(int i) const { return i < 3; }
};
__device__ int f(int a, int b) {
	int n = 0;
	for (int i = 0; T(&n).ok(i); ++i) n += 1;
	return n;
}

// case: while_hidden
struct P {
	int x, y;
};
__device__ int f(int a, int b) {
	int n = 0;
	while (P{n, 3}.x < 5) n++;
	do {
		n += 2;
	} while (P{n, a}.x < 20);
	return n;
}

// case: sizeof_unevaluated
__device__ int bump(int *p) { return ++*p; }
__device__ int f(int a, int b) {
	int n = 0;
	int s = sizeof(bump(&n));
	decltype(bump(&n)) z = 4;
	return n * 100 + s + z;
}

// case: compound_class_index
struct V {
	int d[4];
	__device__ int &operator[](int i) { return d[i]; }
};
__device__ int bump(int *p) { return (*p)++; }
__device__ int f(int a, int b) {
	V v{{1, 2, 3, 4}};
	int i = 0;
	v[bump(&i)] += 10;
	v[bump(&i)]++;
	return v.d[0] + v.d[1] * 100 + i * 10000;
}

// case: init_by_braces_base
struct B {
	int x;
};
struct D : B {
	int y;
};
__device__ int f(int a, int b) {
	D d{{a}, b};
	D e{B{b}, 2};
	return d.x + d.y * 3 + e.x * 5;
}

// case: nsdmi
struct A {
	int x = 4;
	int y = x + 1;
	int z[2] = {7, 8};
	__device__ A() {}
	__device__ A(int q) : x(q) {}
};
__device__ int f(int a, int b) {
	A p, q(a);
	return p.y + p.z[1] * 10 + q.y * 100;
}

// case: unsigned_bitfield
struct B {
	unsigned x : 3;
	int y : 5;
};
__device__ int f(int a, int b) {
	B q{5, -3};
	q.x += a;
	q.y -= b;
	return q.x * 100 + q.y;
}

// case: switch_goto_objects
struct N {
	int *p;
	__device__ N(int *q) : p(q) {}
	__device__ ~N() { *p += 1; }
};
__device__ int f(int a, int b) {
	int n = 0;
	switch (a & 3) {
	case 0: {
		N x(&n);
		break;
	}
	case 1: {
		N y(&n);
		N z(&n);
	}
	default:
		n += 100;
	}
	return n;
}

// case: reference_member
struct R {
	int &r;
	__device__ R(int &x) : r(x) {}
	__device__ void inc() { r++; }
};
__device__ int f(int a, int b) {
	int n = a;
	R q(n);
	q.inc();
	R s = q;
	s.r += 2;
	return n;
}

// case: operator_arrow_chain
struct I {
	int v;
};
struct J {
	I *p;
	__device__ I *operator->() { return p; }
};
struct K {
	J j;
	__device__ J &operator->() { return j; }
};
__device__ int f(int a, int b) {
	I i{a};
	K k{{&i}};
	k->v += b;
	return i.v;
}

// case: postfix_class
struct C {
	int v;
	__device__ C &operator++() {
		v += 1;
		return *this;
	}
	__device__ C operator++(int) {
		C o = *this;
		v += 10;
		return o;
	}
};
__device__ int f(int a, int b) {
	C c{a};
	C d = c++;
	C &e = ++c;
	e.v *= 2;
	return c.v + d.v * 100;
}

// case: recursion_struct_return
struct P {
	int x, y;
};
__device__ P g(int n) {
	if (n <= 0) return P{1, 2};
	P p = g(n - 1);
	p.x += p.y;
	return p;
}
__device__ int f(int a, int b) {
	P p = g(a & 7);
	return p.x * 10 + p.y;
}

// case: value_initialised
struct S {
	int a;
	S() = default;
	__device__ constexpr S(int x) : a(x) {}
};
struct T {
	int a = 3;
	int b;
};
struct U {
	S s;
	T t;
	int n;
	__device__ U() : s{}, t{}, n() {}
};
struct V {
	S s{};
	T t{};
	int n;
};
__device__ __noinline__ int dirty(int a) {
	volatile int x[64];
	for (int i = 0; i < 64; i++) x[i] = a + i;
	return x[a & 63];
}
__device__ __noinline__ int made() {
	S s{}, q = S();
	T t{};
	U u;
	V v{};
	int sum = s.a + q.a + S{}.a + t.a + t.b * 5 + u.s.a + u.t.a * 10 + u.t.b + u.n + v.s.a + v.t.a * 100 + v.t.b + v.n;
	S *heap = new S{}, *other = new S();
	sum += heap->a + other->a;
	delete heap;
	delete other;
	return sum;
}
__device__ int f(int a, int b) { return dirty(a | 1) + made(); }

// case: objects_where_they_are_made
struct T {
	unsigned *log;
	T *self;
	int v;
	__device__ T(unsigned *l, int w) : log(l), self(this), v(w) { note(1); }
	__device__ T(const T &o) : log(o.log), self(this), v(o.v) { note(2); }
	__device__ T(T &&o) : log(o.log), self(this), v(o.v) {
		o.v = -1;
		note(3);
	}
	__device__ ~T() { note(self == this ? 4 : 9); }
	__device__ void note(unsigned what) { *log = *log * 31 + what * 7 + v; }
};
struct Pair {
	T one;
	int between;
	T two;
};
__device__ T prvalue(unsigned *log, int v) { return T(log, v); }
__device__ T through(unsigned *log, int v) { return prvalue(log, v + 1); }
__device__ T named(unsigned *log, int v) {
	T result(log, v);
	if (v & 1) {
		result.v += 2;
		return result;
	}
	result.v += 3;
	return result;
}
__device__ T either(unsigned *log, int v) {
	T one(log, v), two(log, v + 1);
	if (v & 2) return one;
	return two;
}
__device__ T same(T t) { return t; }
__device__ T second(int, T t) { return t.v > 3 ? T(t.log, 8) : t; }
__device__ Pair both(unsigned *log, int v) { return {T(log, v), 5, prvalue(log, v + 2)}; }
__device__ int f(int a, int b) {
	unsigned log = 1;
	int sum = 0;
	{
		T x = prvalue(&log, a), y(through(&log, b)), z = named(&log, a), w = either(&log, b);
		sum += (x.self == &x) + 2 * (y.self == &y) + 4 * (z.self == &z) + 8 * (w.self == &w);
		T u = same(x), v = second(1, static_cast<T &&>(y)), c = a & 1 ? x : z, m = a & 2 ? T(&log, 6) : x;
		T k = a & 4 ? static_cast<T &&>(u) : static_cast<T &&>(v);
		Pair p = both(&log, b), q = {x, 1, T(&log, 4)}, r = static_cast<Pair &&>(q);
		T list[3] = {prvalue(&log, 1), x, T(&log, b)};
		sum += p.one.v + p.two.v * 2 + r.one.v * 3 + q.one.v * 5 + list[2].v + (p.two.self == &p.two) * 100;
		T *heap = new T(T(T(&log, a)));
		sum += (heap->self == heap) * 1000 + c.v + m.v + k.v;
		delete heap;
		(void)x, T(&log, 2), prvalue(&log, 3).v;
	}
	return static_cast<int>(log % 1000003) * 3 + sum;
}

// case: objects_in_loops_and_jumps
struct T {
	unsigned *log;
	int v;
	__device__ T(unsigned *l, int w) : log(l), v(w) { *log = *log * 31 + 1 + v; }
	__device__ T(const T &o) : log(o.log), v(o.v + 1) { *log = *log * 31 + 2; }
	__device__ ~T() { *log = *log * 31 + 3 + v; }
	__device__ T &operator=(const T &o) {
		v = o.v;
		*log = *log * 31 + 5;
		return *this;
	}
};
__device__ T pick(unsigned *log, int n) {
	for (int i = 0; i < 5; i++) {
		T now(log, i);
		if (i == n) return now;
		if (i == 3) continue;
		T next = i & 1 ? now : T(log, i * 2);
		if (next.v == n) break;
	}
	return T(log, -n);
}
__device__ int f(int a, int b) {
	unsigned log = 1;
	int sum = 0;
	for (int i = 0; i < (a & 3); i++) {
		T x = pick(&log, (b + i) & 7), y(&log, 2);
		y = i & 1 ? x : pick(&log, i);
		(y = x) = T(&log, 7);
		sum += x.v * 3 + y.v;
	}
	return static_cast<int>(log % 1000003) * 3 + sum;
}

// case: temporaries_that_a_reference_keeps
struct T {
	unsigned *log;
	int v;
	__device__ T(unsigned *l, int w) : log(l), v(w) { *log = *log * 31 + 1 + v; }
	__device__ T(const T &o) : log(o.log), v(o.v + 1) { *log = *log * 31 + 2; }
	__device__ ~T() { *log = *log * 31 + 3 + v; }
};
struct Holder {
	T t;
	int values[3];
	__device__ Holder(unsigned *log, int v) : t(log, v), values{v, v + 1, v + 2} {}
	__device__ const int *begin() const { return values; }
	__device__ const int *end() const { return values + 3; }
	__device__ const T &get() const { return t; }
};
struct Derived : Holder {
	__device__ Derived(unsigned *log, int v) : Holder(log, v * 2) {}
};
__device__ Holder make(unsigned *log, int v) { return Holder(log, v); }
__device__ int f(int a, int b) {
	unsigned log = 1;
	int sum = 0;
	for (int v : make(&log, a)) sum = sum * 3 + v;
	{
		const T &part = make(&log, b).t;
		const Holder &base = Derived(&log, a);
		T &&moved = Holder(&log, 3).t;
		const T &either = a & 1 ? T(&log, 5) : make(&log, 6).t;
		int other = make(&log, 4).get().v;
		sum += part.v + base.t.v * 2 + moved.v * 3 + either.v * 5 + other;
		log = log * 31 + 77;
	}
	return static_cast<int>(log % 1000003) * 3 + sum % 1000;
}

// case: the_class_of_an_object
struct Base {
	int b;
	__device__ Base(int n) : b(n) {}
	__device__ virtual int id() const { return 1 + b; }
	__device__ virtual ~Base() { b = id(); }
};
struct Other {
	int o = 4;
	__device__ virtual int other() const { return 10 + o; }
};
struct Derived : Base, Other {
	int *out;
	int d;
	__device__ Derived(int n, int *p) : Base(n), out(p), d(n + 7) {}
	__device__ int id() const override { return 100 + d; }
	__device__ int other() const override { return 1000 + d; }
	__device__ ~Derived() { *out += id(); }
};
__device__ int by_value(Base base) { return base.id(); }
__device__ int f(int a, int b) {
	int destroyed = 0, sum = 0;
	{
		Derived d(a, &destroyed), e(b, &destroyed);
		Base plain(3), sliced = d;
		plain = e;
		Base &first = a & 1 ? static_cast<Base &>(d) : plain;
		Other &second = (Other &)e;
		second = static_cast<Other &>(d);
		sum += first.id() + sliced.id() * 3 + by_value(e) * 5 + second.other() * 7 + plain.id() * 11;
		Other *none = a & 2 ? nullptr : static_cast<Other *>(&d);
		Derived *back = static_cast<Derived *>(none);
		sum += (none == nullptr) + 2 * (back == nullptr) + (back != nullptr ? back->d : 0);
		d = e;
		sum += static_cast<Base &>(d).id();
	}
	return sum + destroyed * 13;
}

// case: count_on_from_a_member
struct V {
	float x, y, z;
	__device__ float &operator[](int i) { return (&x)[i]; }
	__device__ float operator[](int i) const { return (&x)[i]; }
};
struct Head {
	int n;
};
struct Whole {
	Head head;
	int tail;
};
__device__ int f(int a, int b) {
	V v{a * 1.0f, b * 2.0f, 3.0f};
	v[(a & 15) % 3] += 10.0f;
	float *p = &v.x;
	const V &w = v;
	Whole one{{a}, b}, two{{b}, a};
	Head *head = a & 1 ? &one.head : &two.head;
	return (int)(w[(b & 15) % 3] + p[2] * 3) + reinterpret_cast<Whole *>(head)->tail * 100;
}

// case: arms_of_two_classes
struct Base {
	int n;
	__device__ Base(int v) : n(v) {}
	__device__ Base(const Base &o) : n(o.n + 1) {}
};
struct Derived : Base {
	__device__ Derived(int v) : Base(v * 2) {}
};
struct From {
	int n;
	__device__ operator Base() const { return Base(n + 5); }
};
__device__ int f(int a, int b) {
	Derived d(a);
	Base base(b);
	From from{a};
	Base one = a & 1 ? d : base, two = a & 2 ? from : base, three = b & 1 ? Derived(7) : Base(8);
	Base &both = a & 4 ? static_cast<Base &>(d) : base;
	both.n += 100;
	int (*pointer)(int) = a & 8 ? [](int x) { return x + 1; } : +[](int x) { return x * 2; };
	return one.n + 3 * two.n + 5 * three.n + 7 * d.n + 11 * base.n + pointer(b);
}

// case: base_of_a_temporary_lives_as_long_as_the_reference
struct B {
	int *log;
	int v;
	__device__ B(int *l, int x) : log(l), v(x) { *log = *log * 3 + v; }
	__device__ B(const B &o) : log(o.log), v(o.v) { *log = *log * 3 + 50; }
	__device__ virtual int f() const { return v; }
	__device__ virtual ~B() { *log = *log * 3 + v + 1; }
};
struct D : B {
	__device__ D(int *l, int x) : B(l, x + 1) { *log = *log * 3 + 7; }
	__device__ int f() const override { return v + 100; }
	__device__ ~D() { *log = *log * 3 + 9; }
};
__device__ int f(int a, int b) {
	int n = 1;
	{
		const B &r = D{&n, a & 7};
		n = n * 3 + r.f();
	}
	{
		const B &r = (b & 1) ? D(&n, 2) : D{&n, b & 7};
		n = n * 3 + r.f();
		B &&s = D{&n, 3};
		n = n * 3 + s.f();
	}
	return n;
}

// case: temporaries_in_arms_that_are_places
struct T {
	int *log;
	int v;
	__device__ T(int *l, int x) : log(l), v(x) { *log = *log * 3 + v; }
	__device__ T(const T &o) : log(o.log), v(o.v) { *log = *log * 3 + 50; }
	__device__ T &self() { return *this; }
	__device__ ~T() { *log = *log * 3 + v + 11; }
};
__device__ int f(int a, int b) {
	int n = 1;
	T x((a & 1) ? ((a & 2) ? T(&n, 1).self() : T(&n, 2).self()) : T(&n, 3));
	((b & 1) ? T(&n, 4).self() : x.self()).v = 5;
	return n * 3 + x.v;
}

// case: an_aggregate_from_one_of_its_class
struct C {
	int v;
	__device__ C(int x) : v(x) {}
	__device__ C(const C &o) : v(o.v + 1) {}
};
struct G {
	C m;
	int k;
};
__device__ int f(int a, int b) {
	G x{C(a), 2}, y{C(b), 3}, c{a & 1 ? x : y}, d{static_cast<G &&>(x)}, e{G{C(4), 1}}, *p = &y, g{*p}, h{p[0]};
	return c.m.v + 3 * c.k + 5 * d.m.v + 7 * e.m.v + 11 * g.m.v + 13 * h.m.v;
}

// case: temporaries_of_initialisers_of_members
struct L {
	int log = 1;
	__device__ int note(int n) { return log = log * 5 + n; }
};
struct T {
	L &l;
	int n;
	__device__ T(L &l, int n) : l(l), n(n) { l.note(n); }
	__device__ ~T() { l.note(n + 1); }
	__device__ int get() const { return n; }
};
struct M {
	L &l;
	int v;
	__device__ M(L &l, const T &t) : l(l), v(t.get()) { l.note(5); }
	__device__ ~M() { l.note(8); }
};
struct W {
	L &l;
	int a = T(l, 2).get(), b = a + l.note(3);
	M m{l, T(l, 4)};
	M n[2]{{l, T(l, 6)}, {l, T(l, 1)}};
	int c;
	__device__ W(L &l, int x) : l(l), c(T(l, x & 7).get()) { l.note(c); }
	__device__ W(L &l) : l(l), a(T(l, 1).get() + T(l, 3).get()), c(l.note(4)) {}
};
struct V {
	L &l;
	int a = T(l, 2).get();
	M m{l, T(l, a)};
};
__device__ int f(int a, int b) {
	L l;
	{
		W w(l, a);
		W x(l);
		V v{l};
		V u{l, b & 3};
		l.note(w.a + w.b + w.c + x.a + x.b + x.c + v.a + u.a + w.n[1].v);
	}
	return l.log;
}

// case: members_that_an_implicit_constructor_makes
struct D {
	int v;
	__device__ D(int x = 3) : v(x) {}
};
struct P {
	D d[3];
	int k = D(4).v;
};
__device__ int f(int a, int b) {
	P p;
	return p.d[2].v + p.k + a + b;
}
