// Full expressions: when the objects that they make end, and what `=`, `,` and `?:` denote.
struct Log {
	unsigned hash;
	int next;
	__device__ Log() : hash(1), next(0) {}
	__device__ void note(int what) { hash = hash * 31u + what; }
};
struct C {
	Log *log;
	int v, id;
	__device__ C(Log &l, int x = 3) : log(&l), v(x), id(++l.next) { note(100), note(v); }
	__device__ C(const C &o) : log(o.log), v(o.v), id(++log->next) { note(200), note(o.id); }
	__device__ ~C() { note(300); }
	__device__ void note(int what) const { log->note(what + id); }
	__device__ int get() const {
		note(400);
		return v;
	}
	__device__ explicit operator int() const {
		note(500);
		return v;
	}
};

// case: an_aggregate_ends_before_what_its_members_are_made_of gives unsigned
struct G {
	C m;
	int v;
};
struct H {
	G g;
	C c;
};
__device__ unsigned f(int a, int b) {
	Log l;
	G{C(l, a), C(l, b).get()}.m;
	l.note(H{{C(l), C(l, a).get()}, C(l, C(l, b).get())}.g.v);
	const G &r = G{C(l, C(l, 1).get()), C(l, 2).get()};
	l.note(r.v);
	return l.hash;
}

// case: the_condition_of_a_do_loop gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	int j = 0;
	do {
		l.note(5);
		if (j == 2) continue;
		C x(l, j);
		if (j == (b & 3) + 1) break;
		l.note(6);
	} while (++j < 5 && !(int(C(l, a & 7)) & 2));
	do {
		l.note(7);
		do {
			l.note(8);
		} while (C(l, j--).get() > 2);
	} while (C(l, j--).get() + C(l, 1).get() > (a & 3));
	return l.hash;
}

// case: the_step_of_a_loop gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	for (int i = 0, m = b & 7; C(l, i).get() <= C(l, m).get(); i += C(l, 2).get(), C(l, i).get()) {
		if (i & 4) continue;
		l.note(i);
		for (int i = 0; i < 3; C(l, i++)) {
			if (i == (a & 3)) break;
			if (a & 4) continue;
			l.note(i);
		}
		if (i == 6) return l.hash;
	}
	for (int i = 0;; i += C(l, 1).get())
		if (i > (a & 3)) break;
	return l.hash;
}

// case: a_comma_of_the_program_in_a_step gives unsigned
struct I {
	Log *log;
	int v;
	__device__ I &operator++() {
		log->note(++v);
		return *this;
	}
	friend __device__ int operator,(const I &a, int b) {
		a.log->note(50 + b);
		return b;
	}
};
__device__ unsigned f(int a, int b) {
	Log l;
	int n = 0;
	for (I i{&l, a & 3}; i.v < 6; ++i, n++) l.note(n);
	return l.hash;
}

// case: what_a_for_does_first gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	int q;
	struct P {
		C x;
		int j;
	};
	for (P p = {C(C(l, a)), C(l, 0).get()}; p.j < 3; p.j++) l.note(p.x.get());
	for (C x(l, C(l, 1).get()), y(l, C(l, 2).get()); x.v < (a & 7); x.v++) l.note(y.v);
	for (C(l, 3), q = b & 3; q < 6; ++q) l.note(q);
	for (const C &r = C(C(l, 4)); q < 8; q++) l.note(r.v);
	return l.hash;
}

// case: declarators_are_full_expressions gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	C x(l, C(l, a).get()), y(l, C(l, b).get()), *p = &y, &r = *p;
	int n = C(l, 1).get(), m = C(l, n).get();
	const C &s = C(l, C(l, m).get()), &t = s;
	return l.hash + r.v + t.v;
}

// case: braces_are_what_an_assignment_takes gives unsigned
struct A {
	int v;
	__device__ A(int x = 1) : v(x) {}
	__device__ A &operator=(const A &o) {
		v = o.v + 100;
		return *this;
	}
	__device__ A &operator=(int x) {
		v = x + 200;
		return *this;
	}
};
struct B {
	int v;
	A a;
};
struct D : A {
	int y;
	__device__ D(int y = 2, int z = 3) : A(z), y(y) {}
};
struct E {
	int v, w;
	__device__ E(int x, int y) : v(x), w(y) {}
	__device__ E &operator=(const E &o) {
		v = o.v + 300, w = o.w;
		return *this;
	}
	__device__ E &operator=(E &&o) {
		v = o.v + 400, w = o.w;
		return *this;
	}
};
__device__ unsigned f(int a, int b) {
	Log l;
	A x, y;
	x = {a};
	y = {};
	l.note(x.v), l.note(y.v);
	(l.note(3), x) = {A(4)};
	l.note(x.v);
	B c = {1, 2};
	c = {a, b};
	l.note(c.v), l.note(c.a.v);
	(l.note(33), c) = {(l.note(44), 3), {b}};
	l.note(c.v), l.note(c.a.v);
	D d;
	d = {a, b};
	l.note(d.v), l.note(d.y);
	E e(1, 2);
	e = {a, 4};
	l.note(e.v), l.note((e = {5, b}).w), l.note(e.v);
	int n;
	n = {a};
	C o(l, 1);
	(l.note(55), o) = {l, n};
	n = (o = {l, 9}).get();
	return l.hash + n;
}

// case: a_braced_list_and_references_in_a_set_of_overloads gives unsigned
struct S {
	int v;
	__device__ S(int x) : v(x) {}
};
__device__ int g(const S &s) { return 10 + s.v; }
__device__ int g(S &&s) { return 20 + s.v; }
__device__ int h(S &s) { return 30 + s.v; }
__device__ int h(const S &s) { return 40 + s.v; }
__device__ int i(const int &n) { return 50 + n; }
__device__ int i(int &&n) { return 60 + n; }
__device__ int j(int &n) { return n += 70; }
__device__ int k(const C &c) { return c.id; }
__device__ unsigned f(int a, int b) {
	Log l;
	S s(a);
	C c(l);
	const C &r{c};
	int n = g({a}) + 3 * h({b}) + 5 * i({a}) + 7 * i({3}) + 9 * i({a + 0}) + 11 * g({s}) + 13 * h({s});
	n += 15 * j({n}), n += 17 * g({S(b)}), n += 19 * k({c}), n += 21 * k({l, 3}), n += 23 * r.id;
	return l.hash + n;
}

// case: what_comma_and_conditional_denote gives unsigned
struct A {
	int v;
	__device__ A(int x = 1) : v(x) {}
	__device__ A &operator++() {
		++v;
		return *this;
	}
	__device__ A operator++(int) { return A(v++); }
	__device__ int ref() & { return 10 + v; }
	__device__ int ref() && { return 20; }
	__device__ int ref() const & { return 30; }
	__device__ A &set(int x) {
		v = x;
		return *this;
	}
	__device__ int operator-() & { return 40; }
	__device__ int operator-() && { return 50; }
};
struct P {
	int v, w;
};
template <class T> __device__ int category(T &) { return 1; }
template <class T> __device__ int category(const T &&) { return 2; }
__device__ unsigned f(int a, int b) {
	Log l;
	A x, y(4);
	const A z;
	P p = {1, 2}, q = {3, 4};
	int m = 4, n = 5;
	++(a & 1 ? x : y), (b & 1 ? x : y)++;
	++(l.note(3), x), (l.note(3), y)++;
	l.note(x.v), l.note(y.v);
	l.note((a & 1 ? x : y).ref()), l.note((a & 1 ? x : A(7)).ref()), l.note((l.note(4), x).ref());
	l.note((l.note(4), z).ref()), l.note((a & 1 ? z : x).ref()), l.note((l.note(4), A(1)).ref());
	l.note(-(a & 1 ? x : y)), l.note(-(l.note(1), x)), l.note(-(a & 1 ? x : A(1)));
	(a & 1 ? x : y).set(9), (l.note(4), x).set(10);
	(b & 1 ? p : q).v = 11, (l.note(4), p).w = 12, (p = q).v += 5, (l.note(3), p).v += 6;
	l.note(p.v), l.note(p.w), l.note(q.v);
	(a & 1 ? p : q) = P{7, 8}, (l.note(5), p) = q, (l.note(3), p = q).w = 5;
	l.note(p.v), l.note(p.w), l.note(q.v);
	(a & 1 ? m : n) = 9, (l.note(3), m) += 4, ++(l.note(3), m), (l.note(3), n)++, (b & 1 ? m : n)++;
	(a & 1 ? (b & 1 ? m : n) : m) = 3, (a & 1 ? ++m : --n) = 2;
	l.note(m), l.note(n);
	l.note(category(a & 1 ? x : y)), l.note(category(a & 1 ? p : q)), l.note(category((l.note(3), p)));
	l.note(category(a & 1 ? m : n)), l.note(category((l.note(3), m))), l.note(category(a & 1 ? p : P{1, 2}));
	l.note(category(a & 1 ? 1 : n)), l.note(category((l.note(3), P{1, 2}))), l.note(category((l.note(3), 3)));
	P &r = a & 1 ? p : q, &s = (l.note(3), p), *t = &(b & 1 ? p : q), *u = &(l.note(3), p);
	r.v += 30, s.w += 31, t->v++, u->w++;
	int &c = (l.note(3), m), *d = &(a & 1 ? m : n), *e = &(l.note(4), n);
	c += 35, *d += 36, *e += 37;
	l.note(p.v), l.note(p.w), l.note(q.v), l.note(q.w), l.note(m), l.note(n);
	return l.hash;
}

// case: what_may_declare_a_function_does gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	int z = 5;
	C *p;
	struct T {
		C c;
		__device__ T(const C &o) : c(o) {}
		__device__ T(int) = delete;
	};
	T w(C());
	T x(C(z)), y((C(l, z)));
	T t(C(*p));
	int n(int(z)), m(int(3)), k(int(z) + 0);
	return l.hash + y.c.v + m + k;
}

// case: functions_that_a_block_declares
__device__ int g(int x) { return x; }
__device__ int g(float x) { return 2; }
namespace inside {
__device__ int f1(int a) {
	extern __device__ int late(int), late(float);
	int n = late(a);
	{
		int g(int);
		n += g(2.5f);
	}
	return late(3.5f) + n;
}
__device__ int late(int x) { return x + 1; }
__device__ int late(float x) { return x + 2; }
__device__ int g(int x) { return x + 20; }
} // namespace inside
struct S {
	__device__ int m() {
		__device__ int g(int);
		return g(1.5f);
	}
};
template <class T> __device__ int in_template() {
	T g(T), never(T *);
	return g(2.5f);
}
__device__ int f(int a, int b) {
	int n = S().m() * 3 + inside::f1(a) + in_template<int>() * 5;
	{
		extern __device__ int last(int);
		n += last(b);
	}
	int g(int);
	return n + g(a + 0.5f);
}
__device__ int last(int x) { return x * 7; }

// case: a_value_in_parentheses_that_reads_as_the_type_of_a_function gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	C k(l, a);
	int n = (int(C(k)), b);
	n += ((void)(int(C(k))), 3);
	n += (int)(int(C(k)));
	return l.hash + n + (int(C(k)) ? 2 : 3) + sizeof(int (*)(int));
}

// case: a_lambda_captures_what_one_inside_names gives unsigned
__device__ unsigned f(int a, int b) {
	Log l;
	C x(l, a);
	auto g = [&] { return [a](auto p) { return [a] { return a; }() + p; }(2); };
	auto h = [=] { return [x] { return x.get(); }(); };
	auto i = [=] { return [&x] { return x.get(); }(); };
	auto j = [&] { return [n = b, m = a](int q) { return n * q + m; }(3); };
	int n = g();
	n += 3 * h(), n += 5 * i(), n += 7 * j();
	return l.hash + n;
}

// case: auto_from_braces gives unsigned
struct G {
	C m;
	int v;
};
struct P {
	int v, w;
};
__device__ unsigned f(int a, int b) {
	Log l;
	auto x = C{l, a};
	const auto y = C{l, C(l, b).get()};
	auto g = G{C(l, C(l, 1).get()), C(l, 2).get()};
	auto p = P{C(l, 3).get(), b}, q = P{1, 2};
	auto &&r = C{l, 4};
	auto i = C{l, a}.get(), n = int{C(l, 5).get()};
	return l.hash + x.v + y.v + g.v + p.v + q.w + r.v + i + n;
}

// case: a_lambda_captures_only_what_it_names gives unsigned
struct D {
	C x;
	int v;
};
__device__ unsigned f(int a, int b) {
	Log l;
	C x(l, a);
	D d{C(l, 3), 2};
	auto local = [=, &l] {
		C x(l, 3);
		return x.get();
	};
	auto member = [=, &l] { return D{C(l, 1), 3}.x.get(); };
	auto parameter = [=](C x) { return x.get(); };
	auto size = [=] { return sizeof(x) + sizeof(d.x); };
	auto type = [=, &l] {
		decltype(x) y(l, 3);
		return y.get() + sizeof(d.x);
	};
	auto named = [=] { return x.get(); };
	auto generic = [=](auto p) { return x.get() + p; };
	auto sizes = [=](auto p) { return sizeof(x) + p; };
	auto inside = [&] { return [=] { return x.get(); }(); };
	auto around = [=] { return [&] { return x.get(); }(); };
	auto loop = [=, &l] {
		for (C x(l, 3); x.v < 5; x.v++) l.note(x.v);
		{
			C d(l, 3);
			d.get();
		}
		if (C x(l, 4); x.v) return x.v;
		return 3;
	};
	auto twice = [=, &l] {
		auto x = [&] { return 7; };
		return x() + [](C d) { return d.v; }(C(l, 5));
	};
	int n = local();
	n += 3 * member(), n += 5 * parameter(C(l, 4)), n += 7 * size(), n += 9 * type(), n += 11 * named();
	n += 13 * generic(1), n += 15 * inside(), n += 17 * around(), n += 19 * loop(), n += 21 * twice();
	n += 23 * sizes(2);
	return l.hash + n + sizeof(size) + 3 * sizeof(type) + 5 * sizeof(local) + 7 * sizeof(loop) + 9 * sizeof(sizes);
}

// case: lambdas_of_methods_capture_parameters
template <class T> struct S {
	T m;
	__device__ S() : m(4) {}
	template <class U> __device__ int f(U k) {
		auto g = [&] { return [k](auto p) { return k + p; }(2); };
		auto h = [k](auto q) { return [k](auto p) { return k + p; }(q); };
		int n = [k, this](auto p) { return [k, this](auto q) { return m + q + k; }(p); }(4);
		return n * 3 + g() * 5 + h(3) * 7 + [=](auto p) { return [=](auto q) { return m + q + k; }(p); }(4);
	}
};
__device__ int f(int a, int b) {
	return S<int>().f(a) + [=] { return sizeof(S<int>().m) + b; }();
}

// case: casts_and_plus_are_prvalues
struct P {
	int u, v;
};
enum class G { A, B, C };
enum H { X, Y };
template <class T> __device__ int category(T &) { return 1; }
template <class T> __device__ int category(T &&) { return 2; }
__device__ void change(int &&x) { x = 77; }
template <class T> __device__ T twice(T x) {
	T &&y = T(x);
	y += x;
	const T &z = static_cast<T>(x);
	x = 0;
	return y + z;
}
__device__ int f(int a, int b) {
	P p{a, 2};
	int *q = &p.v, x = b, k = a & 3;
	G g = G::B;
	H h = Y;
	float w = 1.5f;
	bool t = a & 1;
	const int c = 5;
	auto &&p1 = P(p);
	p1.u = 50;
	auto &&p2 = (P)p;
	p2.v = 60;
	auto &&p3 = static_cast<P>(p);
	p3.u = 70;
	auto &&p4 = (x, P(p));
	p4.u = 90;
	auto &&p5 = k ? P(p) : P(p);
	p5.v = 9;
	auto &&q1 = (int *)q;
	q1 = &x;
	auto &&q2 = +q;
	q2 = nullptr;
	auto &&g1 = G(g);
	g1 = G::C;
	auto &&h1 = H(h);
	h1 = X;
	auto &&w1 = float(w);
	w1 = 9;
	auto &&t1 = bool(t);
	t1 = !t1;
	change(int(x)), change(+x), change((int)x), change(static_cast<int>(x)), change((x, +x));
	change(int((x, x))), change(int(x = (x & 255) + 1)), change(+(k ? x : x)), change(k > 1 ? +x : p.u);
	const int &before = (k, int(x)), &after = (k, x);
	x += 3;
	int r = category((k, +x)) + category((k, x)) * 3 + category(k ? +x : +k) * 5 + category(k ? x : k) * 7;
	r = r * 3 + category((k, (int)x)) + category(k ? x : +k) * 3 + category(x += 1) * 5 + category(++x) * 7;
	r = r * 3 + category(x++) + category(c) * 3 + category(int(c)) * 5 + category(-x) * 7 + category(p = P(p)) * 9;
	r = r * 3 + category((k, x = 5)) + category(int(x = 5)) * 3 + category(+(x = 5)) * 5;
	r = r * 5 + p.u + p.v * 3 + *q * 5 + x * 7 + int(g) * 11 + h * 13 + int(w * 19) + t * 23;
	return r * 3 + twice(k) * 29 + int(twice(w)) * 31 + before * 37 + after * 41;
}

// case: assignments_to_places_with_effects_are_lvalues
struct P {
	int u, v;
};
__device__ int f(int a, int b) {
	int k = a & 3, x = 2 + k, y[3] = {1, 2, 3}, h = k, m = 1;
	auto note = [&h](int w) { h = (h * 31 + w) & 0xffff; };
	((note(4), x) = 5) += 6;
	((note(5), y[h & 1]) += 5) *= 3;
	++((note(6), x) = 7);
	++ ++(note(10), x);
	(k & 1 ? (note(7), x) : m) += 3;
	((k & 2 ? x : m) = 4) -= 1;
	int *p = y;
	((*p++) = 6) += 2;
	((note(8), *p++) = 16) += 2;
	(((note(1), m) += 2) += 3) += 4;
	int &r = ((note(9), x) += 1);
	r += 100;
	for (int i = 0; i < 3; ((note(i), i) += 1) += 0) x += i;
	P s{1, 2};
	((note(3), s.v) = 8) |= 3;
	((note(3), s).u = 8) |= 3;
	float g = 1;
	((note(3), g) = 2.75f) += 1.5f;
	auto twice = [&](int &of) -> int & { return note(11), of; };
	(twice(x) = twice(m)) += 2;
	return m + 3 * x + 5 * y[0] + 7 * y[1] + 11 * y[2] + 13 * h + s.u * 17 + s.v * 19 + (int)(g * 100) + int(p - y) +
		   (b & 7);
}

// case: increments_of_braced_objects
struct C {
	int v;
	__device__ C(int v) : v(v) {}
	__device__ C(const C &o) : v(o.v + 10) {}
	__device__ ~C() { v = 0; }
	__device__ C &operator++() {
		v += 2;
		return *this;
	}
	__device__ int operator--(int) { return v * 3; }
};
struct D {
	int v;
	__device__ D &operator++() {
		v += 2;
		return *this;
	}
};
__device__ int f(int a, int b) {
	int k = a & 15;
	return (++C{k}).v + C{b & 7} --*100 + (++D{k}).v * 1000 + (++ ++C(k)).v * 10000;
}

// case: casts_to_references_to_bases
struct B {
	int v;
	__device__ int ref() & { return 1; }
	__device__ int ref() const & { return 2; }
	__device__ int ref() && { return 3; }
};
struct D : B {
	int w;
};
struct M {
	int v;
	__device__ M(int v) : v(v) {}
	__device__ M(const M &o) : v(o.v + 10) {}
	__device__ M(M &&o) : v(o.v + 100) { o.v = 7; }
};
struct N : M {
	__device__ N(int v) : M(v) {}
};
__device__ int f(int a, int b) {
	D d{};
	N n(a & 15);
	M m(static_cast<M &&>(n)), m2(static_cast<const M &>(n)), m3(static_cast<M &>(n));
	static_cast<M &>(n).v += b & 3;
	int r = static_cast<const B &>(d).ref() + ((const B &)d).ref() * 10 + static_cast<B &>(d).ref() * 100;
	return r + static_cast<B &&>(d).ref() * 1000 + n.v * 3 + m.v * 5 + m2.v * 7 + m3.v * 11;
}

// case: the_operands_of_an_assignment_end_in_reverse gives unsigned
struct L : C {
	__device__ L(Log &l, int x = 3) : C(l, x) {}
	__device__ L &operator=(const L &o) {
		log->note(601), v = o.v;
		return *this;
	}
	__device__ L &operator+=(const L &o) {
		log->note(602), v += o.v;
		return *this;
	}
	__device__ virtual L &operator-=(const L &o) {
		log->note(603), v -= o.v;
		return *this;
	}
	friend __device__ L &operator*=(L &a, const L &b) {
		a.log->note(604), a.v *= b.v;
		return a;
	}
	__device__ L &self() {
		log->note(605);
		return *this;
	}
};
struct K { // the compiler makes its assignment
	L part;
	int n;
	__device__ K &self() {
		part.log->note(606);
		return *this;
	}
};
__device__ int &kept(const C &c, int &n) { return c.get(), n; }
__device__ unsigned f(int a, int b) {
	Log l;
	L x(l, a), y(l, b);
	(x = L(l, 1)) = L(l, 2);
	(x = L(l, 3)).self() += L(l, 4);
	(x = L(l, 5)).self() *= (y = L(l, 6));
	L(l, 7).self() = L(l, 8).self() = L(l, 9);
	x.self() -= L(l, C(l, 10).get());
	L &r = x;
	r.self() -= (L(l, 11).self() -= L(l, 12));
	K k{{l, a}, 1}, m{{l, b}, 2};
	k.self() = K{{l, 13}, 3}.self();
	(k = K{{l, 14}, 4}).self() = (m = K{{l, 15}, 5});
	int n = 0;
	kept(C(l, 16), n) = C(l, 17).get();
	kept(C(l, 18), n) += kept(C(l, 19), n) = C(l, 20).get();
	l.note(x.v + y.v + n + k.part.v);
	return l.hash;
}

// case: what_the_right_operand_of_an_assignment_changes
struct Cell {
	int v;
	__device__ Cell &operator=(const Cell &o) {
		v = o.v;
		return *this;
	}
};
__device__ int next(int &i) { return i++; }
__device__ int f(int a, int b) {
	Cell cells[3] = {{a}, {b}, {7}};
	int i = 0;
	cells[i] = Cell{next(i) + 10};
	Cell *p = cells;
	*p = (p = cells + 2, Cell{5});
	cells[next(i)] = cells[i];
	return cells[0].v + 10 * cells[1].v + 100 * cells[2].v + i;
}

// case: arguments_in_braces_end_in_reverse gives unsigned
struct Taking {
	Log *log;
	int v;
	__device__ Taking(C one, int v) : log(one.log), v(v + one.v) {}
	__device__ Taking(int v, C one) : log(one.log), v(v - one.v) {}
	__device__ Taking(const C &one, C two, const C &three) : log(one.log), v(one.v + two.v * three.v) {}
};
__device__ unsigned f(int a, int b) {
	Log l;
	C x(l, a);
	Taking t{x, C(l, b).get()}, u{C(l, b).get(), x}, w{C(l, 1), x, C(l, 2)};
	l.note(t.v + u.v + w.v);
	return l.hash;
}
