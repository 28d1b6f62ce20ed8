// Members that the compiler makes beside the program's own, and which of several members an object chooses.
#include <initializer_list>
#include <type_traits>

struct Counted {
	int *count, x;
	__device__ Counted(int *count, int x) : count(count), x(x) { ++*count; }
	__device__ Counted(const Counted &other) : count(other.count), x(other.x) { *count += 10; }
	__device__ ~Counted() { *count += 1000; }
};

// case: a_defaulted_copy_beside_an_own_move
struct Part {
	int x, how;
	__device__ Part(int x) : x(x), how(0) {}
	Part(const Part &) = default;
	__device__ Part &operator=(const Part &other) {
		x = other.x, how = 1;
		return *this;
	}
	__device__ Part &operator=(Part &&other) {
		x = other.x, how = 2, other.x = -1;
		return *this;
	}
};
struct OwnMove {
	Part part;
	int moves = 0;
	__device__ OwnMove(int x) : part(x) {}
	OwnMove &operator=(const OwnMove &) = default;
	__device__ OwnMove &operator=(OwnMove &&other) {
		part.x = other.part.x + 100;
		++moves;
		return *this;
	}
};
struct OwnCopy {
	Part part;
	int copies = 0;
	__device__ OwnCopy(int x) : part(x) {}
	OwnCopy &operator=(OwnCopy &&) = default;
	__device__ OwnCopy &operator=(const OwnCopy &other) {
		part.x = other.part.x + 200;
		copies += 5;
		return *this;
	}
};
__device__ int f(int a, int b) {
	OwnMove m(a), n(b);
	m = n;
	int s = m.part.x * 7 + m.part.how * 3 + m.moves;
	m = static_cast<OwnMove &&>(n);
	s = s * 5 + m.part.x + m.moves;
	OwnCopy p(a), q(b);
	p = static_cast<OwnCopy &&>(q);
	s = s * 5 + p.part.x + p.part.how * 3 + p.copies + q.part.x;
	p = q;
	return s * 5 + p.part.x + p.copies;
}

// case: a_member_of_a_union_is_destroyed_by_the_class_alone
template <class T> struct Room {
	union {
		char none;
		T kept;
	};
	bool full = false;
	__device__ Room() : none() {}
	__device__ ~Room() {
		if (full) kept.~T();
	}
	template <class... Args> __device__ void make(Args... args) {
		::new (static_cast<void *>(&kept)) T(args...);
		full = true;
	}
};
template <class T> struct Outer : Room<T> {};
__device__ int f(int a, int b) {
	int count = 0;
	{
		Outer<Counted> one, two;
		if (a > b) one.make(&count, a);
		if (a % 2) two.make(&count, b);
	}
	return count;
}

// case: templates_that_differ_in_their_object
struct Chosen {
	template <class T> __device__ int of(T &&) & { return 1; }
	template <class T> __device__ int of(T &&) const & { return 2; }
	template <class T> __device__ int of(T &&) && { return 3; }
	template <class T> __device__ int of(T &&) const && { return 4; }
};
__device__ int f(int a, int b) {
	Chosen c;
	const Chosen d;
	int s = c.of(a) + 10 * d.of(b) + 100 * Chosen().of(1);
	return s + 1000 * static_cast<const Chosen &&>(c).of(a) + a - b;
}

// case: a_converting_constructor_sees_an_lvalue
struct Seen {
	int how;
	template <class T, std::enable_if_t<std::is_same<T, int &>::value, int> = 0> __device__ Seen(T &&x) : how(1) {
		++x;
	}
	template <class T, std::enable_if_t<std::is_same<T, int>::value, int> = 0> __device__ Seen(T &&x) : how(2 + x) {}
};
__device__ int f(int a, int b) {
	Seen one = a, two = b + 1, three = int(b);
	return one.how + 10 * two.how + 1000 * three.how + a;
}

// case: an_assignment_that_is_const
struct Proxy {
	int *at;
	__device__ const Proxy &operator=(int x) const {
		*at = x;
		return *this;
	}
};
__device__ int f(int a, int b) {
	const Proxy p{&a};
	p = b * 3;
	return a + std::is_assignable<const Proxy &, int>::value * 100 +
		   std::is_assignable<const Proxy &, Proxy>::value * 7;
}

// case: the_assignment_of_a_class_hides_that_of_its_base
struct Base {
	int v, how = 0;
	__device__ Base(int v) : v(v) {}
	__device__ Base &operator=(const Base &other) {
		v = other.v, how += 1;
		return *this;
	}
	__device__ Base &operator=(Base &&other) {
		v = other.v, how += 10;
		return *this;
	}
	__device__ Base &operator=(const int *) {
		how += 100;
		return *this;
	}
};
struct Derived : Base {
	int w;
	__device__ Derived(int w) : Base(w + 1), w(w) {}
	__device__ Derived &self() { return *this; }
};
struct Using : Base {
	using Base::operator=;
	int w;
	__device__ Using(int w) : Base(w + 1), w(w) {}
};
__device__ int f(int a, int b) {
	Derived d(a), e(b);
	d.self() = {b};
	int first = d.v + 10 * d.w + 100 * d.how;
	d = a + 1;
	e = d;
	Using u(a);
	u = nullptr;
	u = Base(4);
	return first + d.v + d.w * 7 + e.how * 1000 + u.v * 3 + u.w + u.how * 10000 +
		   std::is_assignable<Derived &, const Base &>::value * 5 +
		   std::is_assignable<Using &, const Base &>::value * 3;
}

// case: constructors_that_copy_a_base_are_not_inherited
struct Origin {
	int v, how;
	__device__ Origin(int v = 2) : v(v), how(1) {}
	__device__ Origin(const Origin &other) : v(other.v), how(2) {}
	__device__ Origin(Origin &&other) : v(other.v), how(3) {}
	template <class T> __device__ Origin(const T &x, int n) : v(n), how(4 + sizeof x) {}
};
struct Heir : Origin {
	using Origin::Origin;
	int made = 5;
	__device__ Heir(const Origin &o) : made(o.v) {}
};
struct Grandchild : Heir {
	using Heir::Heir;
	int last = 6;
};
struct Plain : Origin {
	using Origin::Origin;
	int made = 5;
};
template <class T> struct Any {
	int v;
	__device__ Any(int v = 1) : v(v) {}
	template <class U> __device__ Any(const U &u) : v(u.v + 100) {}
};
struct AnyHeir : Any<int> {
	using Any<int>::Any;
	int w = 3;
};
struct Elsewhere {
	int v;
};
__device__ int taken(const Heir &h) { return h.v + 10 * h.made + 100 * h.how; }
__device__ int f(int a, int b) {
	Origin o(a);
	Heir one(o), two = static_cast<Heir>(Origin(b)), three(o, 3), four = three;
	Grandchild five(b), six(o, 4);
	AnyHeir seven(Elsewhere{a}), eight(seven);
	return taken(one) + taken(two) * 3 + taken(three) * 5 + taken(four) * 7 + taken(five) + taken(six) + taken(o) +
		   taken(Origin(b)) + seven.v + seven.w + eight.v * 9 +
		   std::is_constructible<Plain, const Origin &>::value * 17 + std::is_constructible<Plain, Origin>::value * 19 +
		   std::is_constructible<Plain, int>::value * 23 + std::is_convertible<Origin, Heir>::value * 29;
}

// case: an_inherited_constructor_that_takes_a_list
struct Listing {
	int v;
	__device__ Listing(int v = 8) : v(v) {}
	__device__ Listing(std::initializer_list<int> l) : v(0) {
		for (int x : l) v = v * 10 + x;
	}
	__device__ virtual int kind() const { return v + 1; }
};
struct Inner {
	int n;
	__device__ Inner(int n) : n(n) {}
};
struct Lister : Listing {
	using Listing::Listing;
	Inner inner{4};
	int last = inner.n + 1;
	__device__ Lister(Inner inner) : inner(inner) {}
	__device__ int kind() const override { return v * 2 + inner.n; }
};
__device__ int sum(Lister l) { return l.v + l.inner.n + l.last; }
__device__ int f(int a, int b) {
	const Listing &r = [&] { return Lister{a, b}; }();
	Lister one{a}, two = {a, b, 3}, *three = new Lister{b, a}, four[2] = {{1, 2}, {3}};
	int made = r.kind() + one.kind() * 3 + sum(two) * 5 + sum({a, 1}) + three->kind() + four[0].kind() + four[1].last;
	delete three;
	return made;
}

// case: a_structured_binding_is_copied_by_return
struct Tracked {
	int v, how = 0;
	__device__ Tracked(int v) : v(v) {}
	__device__ Tracked(const Tracked &other) : v(other.v), how(1) {}
	__device__ Tracked(Tracked &&other) : v(other.v), how(2) { other.v = -1; }
	__device__ ~Tracked() { v = -2; }
};
struct Two {
	Tracked first;
	int second;
};
__device__ Tracked of_reference(Two &p) {
	auto &&[x, y] = p;
	return x;
}
__device__ Tracked of_copy(const Two &p) {
	auto [x, y] = p;
	x.v += y;
	return x;
}
__device__ Tracked of_array(Tracked (&p)[2]) {
	auto &[x, y] = p;
	return y;
}
__device__ Tracked of_parameter(Tracked x) { return x; }
__device__ int f(int a, int b) {
	Two p{{a}, b};
	Tracked list[2] = {{a}, {b}};
	Tracked one = of_reference(p), two = of_copy(p), three = of_array(list), four = of_parameter(one);
	return one.v + one.how * 10 + two.v * 3 + two.how * 100 + three.v + three.how * 1000 + four.how * 10000 +
		   p.first.v + list[1].v;
}

// case: constructor_template_beside_an_inherited_one
struct A {
	int v;
	__device__ A(int x) : v(x) {}
	template <class U> __device__ A(U &&u, const int *) : v(sizeof(U) + u) {}
	template <class U> __device__ A(U *u, int) : v(3 + *u) {}
	__device__ A(short, short) : v(1) {}
};
struct B : A {
	using A::A;
	template <class U> __device__ B(U &&u, const int *) : A(100 + sizeof(U) + u) {}
	template <class U> __device__ B(U u, int) : A(200 + sizeof(u)) {}
	__device__ B(short, short) : A(2) {}
};
struct C : B {
	using B::B;
	template <class U> __device__ C(U &&u, const int *) : B(300 + sizeof(U) + u) {}
};
struct D : C {
	using C::C;
};
__device__ int f(int a, int b) {
	B p(a, nullptr), q(&a, 1), r(short(1), short(2)), s(a & 1 ? 3 : b, nullptr);
	C t(2, nullptr), u(&b, 5), v(short(1), short(2));
	D w(b, nullptr), x(&b, 5);
	return p.v + q.v * 3 + r.v * 5 + s.v * 7 + t.v * 11 + u.v * 13 + v.v * 17 + w.v * 19 + x.v * 23;
}

// case: inherited_constructor_and_arrays_of_objects
struct S {
	int v;
	__device__ S(int x = 4) : v(x) {}
	__device__ S(const S &o) : v(o.v) {}
	__device__ ~S() { v = 0; }
};
struct A {
	int log;
	__device__ A(int x) : log(x) {}
	__device__ A(int x, int y) : log(x * y) {}
	__device__ int note(int n) { return log = log * 5 + n; }
};
struct T {
	A &a;
	int n;
	__device__ T(A &a, int n) : a(a), n(n) { a.note(n); }
	__device__ ~T() { a.note(n + 1); }
	__device__ int get() const { return n; }
};
struct B : A {
	using A::A;
	S one{9};
	S items[2];
	S grid[2][2] = {{S(1), S(2)}, {S(3)}};
	int first = T(*this, 2).get(), second = note(7) + T(*this, 4).get();
	int plain[3] = {1, second};
	const void *self = this;
	__device__ B(S, S) : A(1) {}
};
struct C : B {
	using B::B;
	int own = note(3);
	S more[3];
};
template <class X> struct D : X {
	using X::X;
	S z[2];
	int last = this->note(2);
};
__device__ int sum(const B &b) {
	return b.log + b.one.v + b.items[1].v * 3 + b.grid[0][1].v * 5 + b.grid[1][1].v * 7 + b.first + b.second * 11 +
		   b.plain[1] + b.plain[2] + (b.self == &b);
}
__device__ int f(int a, int b) {
	B p(a), q(a, b);
	C r(b);
	D<C> s(b, a), t = D<C>(a);
	int all =
		sum(p) + sum(q) * 3 + sum(r) * 5 + r.own + r.more[2].v + sum(s) + s.z[1].v + s.last + sum(t) * 7 + B(b, 3).log;
	B *h = new B(a & 1 ? a : b, 7);
	all += sum(*h);
	delete h;
	return all + (a & 1 ? B(3) : B(a, b)).items[0].v;
}

// case: an_implicit_assignment_hides_those_of_several_bases
struct A {
	int v;
	__device__ A(int v) : v(v) {}
	__device__ A &operator=(const A &other) {
		v = other.v + 1;
		return *this;
	}
	__device__ A &operator=(int n) {
		v = n + 50;
		return *this;
	}
};
struct B {
	int w = 1;
	__device__ B &operator=(const B &other) {
		w = other.w * 3;
		return *this;
	}
};
struct D : A, B {
	__device__ D(int v) : A(v) {}
};
struct E : D, std::integral_constant<int, 3> {
	__device__ E(int v) : D(v) {}
	__device__ int assign(int v) {
		D::operator=(v);
		operator=(E(v));
		return this->v + w;
	}
};
__device__ int f(int a, int b) {
	D d(1), &r = d;
	((void)a, r) = {a};
	d = {3};
	(r) = {a + 1};
	r = b;
	int sum = d.v + d.w;
	d.operator=({4});
	sum = sum * 3 + d.v + d.w;
	D e{1};
	e = D{2};
	e.operator=(d);
	e.D::operator=(b);
	return sum * 3 + e.v + e.w + E(3).assign(a);
}

// case: host_only_members_are_declared
struct V {
	int x;
	virtual int hidden(int a) { return a; }
	__device__ explicit V(int a) : x(a) {}
	V(const char *text) : x(text[0]) {}
};
struct A {
	int x;
	A &operator=(int a) {
		x = a;
		return *this;
	}
	int twice(int a);
	__device__ int once(long a) { return x + (int)a; }
	int once(const char *text) { return text[0]; }
};
inline __device__ int A::twice(int a) { return x * 2 + a; }
struct N {
	int x;
	N() : x(1) {}
	~N() {}
};
struct H {
	N n;
};
__device__ int f(int a, int b) {
	V v(a), w = v;
	A s{b}, t{a};
	t = s;
	int all = w.x + t.x * 3 + s.twice(a) + s.once((long)b) + (int)sizeof(V) * 7;
	all += __is_constructible(N) + __is_constructible(V, const char *) * 2 + __is_constructible(V, int *) * 4;
	all += __is_trivially_constructible(H) * 8 + __is_trivially_copyable(N) * 16 + __is_polymorphic(V) * 32;
	return all + __is_assignable(A &, int) * 64 + __is_standard_layout(V) * 256;
}
