// Members that the compiler makes beside the program's own, and which of several members an object chooses.
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
