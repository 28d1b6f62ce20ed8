// Inherited constructors: which of them a class has, and the order of arguments, bases and members.
#include <initializer_list>
#include <type_traits>

// What happens to objects, as the digits of a number.
struct Log {
	unsigned seen = 0;
	__device__ int note(int n) {
		seen = seen * 7 + n;
		return n;
	}
};
struct Named {
	Log *log;
	int v;
	__device__ Named(Log *log, int v) : log(log), v(v) { log->note(v); }
	__device__ Named(const Named &other) : log(other.log), v(other.v) { log->note(other.v + 20); }
	__device__ ~Named() { log->note(v + 10); }
};

// case: arguments_then_bases_in_order_then_members
__device__ unsigned next[4096];
__device__ unsigned fresh() { return ++next[blockIdx.x * blockDim.x + threadIdx.x]; }
struct P {
	unsigned id;
	__device__ P() : id(fresh()) {}
};
struct Q {
	unsigned id, of;
	__device__ Q(unsigned of) : id(fresh()), of(of) {}
	__device__ Q(unsigned one, unsigned two) : id(fresh()), of(one * 5 + two) {}
	__device__ virtual unsigned get() const { return id; }
};
struct R {
	unsigned id;
	__device__ R() : id(fresh()) {}
};
struct PQR : P, Q, R {
	using Q::Q;
	unsigned own = fresh();
	__device__ unsigned get() const override { return own; }
};
struct Member {
	unsigned id;
	__device__ Member() : id(fresh()) {}
};
struct First {
	int one = 1;
};
struct Again : Member, PQR, First {
	using PQR::PQR;
	unsigned last = fresh() * 3 + get();
};
__device__ int f(int a, int b) {
	next[blockIdx.x * blockDim.x + threadIdx.x] = 0;
	PQR one(fresh()), two(a, fresh());
	Again three(fresh()), *four = new Again(fresh(), 2);
	unsigned sum = one.P::id + one.Q::id * 3 + one.R::id * 5 + one.own * 7 + one.of * 11 + two.P::id * 13 +
				   two.Q::id * 17 + two.of * 19 + two.own * 23;
	sum = sum * 3 + three.Member::id + three.P::id * 3 + three.Q::id * 5 + three.R::id * 7 + three.of * 11;
	sum = sum * 3 + three.last + four->last * 5 + four->of * 7 + four->own * 11 + static_cast<Q *>(four)->get();
	delete four;
	return sum + b;
}

// case: arguments_of_inherited_constructors_are_objects
struct Front {
	Log *log = nullptr;
	int v = 1;
};
struct Base {
	Log *log;
	int v;
	__device__ Base(Named one, const Named &two, int three = 3) : log(one.log), v(one.v + two.v * three) {
		log->note(4);
	}
	__device__ Base(Log *log, std::initializer_list<int> list) : log(log), v(0) {
		for (int x : list) v = v * 10 + log->note(x);
	}
	__device__ ~Base() { log->note(5); }
};
struct Heir : Front, Base {
	using Base::Base;
	Named named{Base::log, Base::v & 7};
};
struct Grandchild : Front, Heir {
	using Heir::Heir;
	Named last = Named(Base::log, 6);
};
__device__ int f(int a, int b) {
	Log log;
	int sum = 0;
	{
		const Named named(&log, b & 7);
		Heir one(Named(&log, a & 7), named);
		Grandchild two(one.named, one.named, 2), three(&log, {1, 2, a & 3});
		sum = one.Base::v + two.Base::v * 3 + three.Base::v * 5 + three.named.v;
		if (a & 1) Grandchild(Named(&log, 1), two.last, a);
		Heir list[2] = {{Named(&log, 2), named}, {&log, {a & 1, b & 1}}};
		sum += list[0].Base::v + list[1].Base::v;
	}
	return sum + int(log.seen);
}

// case: own_constructors_hide_inherited_ones
struct A {
	int v, how = 0;
	__device__ A(int v = 0) : v(v) {}
	__device__ A(int v, int how) : v(v), how(how) {}
	template <class T> __device__ A(T *p) : v(*p), how(7) {}
};
struct Explicit : A {
	using A::A;
	__device__ explicit Explicit(int x = 3) : A(x, 1) {}
};
struct Deleted : A {
	using A::A;
	Deleted(int) = delete;
};
struct Later : A {
	__device__ explicit Later(int x) : A(x, 2) {}
	template <class T> __device__ Later(T *p, int, int) : A(*p, 3) {}
	using A::A;
};
struct Below : Later {
	using Later::Later;
};
__device__ int which(const A &a) { return 1 + a.how; }
__device__ int which(Explicit &&e) { return 10 + e.how; }
__device__ int other(const A &a) { return 100 + a.how; }
__device__ int other(Later &&l) { return 200 + l.how; }
__device__ int f(int a, int b) {
	Explicit one(a), two(a, b), three;
	Later four(b), five(&a), six(&b, 1, 2);
	Below seven(a), eight(&b, 1, 2);
	return which(a) + which(2.5) * 3 + other(a) * 5 + one.v + one.how * 7 + two.how * 9 + three.v * 11 + four.how * 13 +
		   five.how * 15 + six.how * 17 + seven.how * 19 + eight.how * 21 +
		   std::is_constructible<Deleted, int>::value * 1000 + std::is_constructible<Deleted, int, int>::value * 2000 +
		   std::is_convertible<int, Explicit>::value * 4000 + std::is_convertible<int, Later>::value * 8000 +
		   std::is_convertible<int, Below>::value * 16000;
}

// case: constructors_of_two_bases
struct X {
	int x = 1;
	__device__ X() {}
	__device__ X(int x) : x(x) {}
};
struct Y {
	int y = 2;
	__device__ Y() {}
	__device__ Y(int a, int b) : y(a * b) {}
};
template <class... Bases> struct Many : Bases... {
	using Bases::Bases...;
	int z = 5;
};
struct Two : Y, X {
	template <class T> __device__ Two(T *p) : Y(*p, 2), X(*p) {}
	using X::X;
	using Y::Y;
	__device__ Two(int a, int b, int c);
};
__device__ Two::Two(int a, int b, int c) : Y(a, b), X(c) {}
__device__ int f(int a, int b) {
	Two one(a), two(a, b), three(&a), four(a, b, 3);
	Many<X, Y> five(a), six(a, b), seven;
	return one.x + one.y * 3 + two.x * 5 + two.y * 7 + three.x * 9 + three.y * 11 + four.x * 13 + four.y * 15 +
		   five.x * 17 + five.y * 19 + six.x * 21 + six.y * 23 + seven.x + seven.y + six.z;
}

// case: a_constant_of_an_inherited_constructor
struct Even {
	int v;
	constexpr Even(int v) : v(v * 2) {}
};
struct Lead {
	int w = 4;
};
struct Constant : Lead, Even {
	using Even::Even;
	int sum = v + w;
};
__device__ constexpr Constant constant(3);
__device__ int f(int a, int b) {
	constexpr Constant own(5);
	static_assert(own.sum == 14 && constant.sum == 10, "");
	int list[own.v] = {a, b};
	return list[0] + list[1] + own.sum + constant.sum;
}

// case: copies_are_made_in_the_order_of_bases
struct Plain {
	Log *log;
	int v;
	__device__ Plain(Log *log, int v) : log(log), v(v) {}
	__device__ Plain(const Plain &other) : log(other.log), v(other.v) { log->note(1 + v); }
	__device__ Plain(Plain &&other) : log(other.log), v(other.v) { log->note(2 + v); }
	__device__ Plain &operator=(const Plain &other) {
		v = other.v;
		log->note(3);
		return *this;
	}
	__device__ ~Plain() { log->note(4); }
};
struct Virtual {
	Log *log;
	__device__ Virtual(Log *log) : log(log) {}
	__device__ Virtual(const Virtual &other) : log(other.log) { log->note(5 + kind()); }
	__device__ Virtual &operator=(const Virtual &other) {
		log->note(6);
		return *this;
	}
	__device__ virtual int kind() const { return 1; }
	__device__ virtual ~Virtual() { log->note(3); }
};
struct Both : Plain, Virtual {
	Plain member;
	__device__ Both(Log *log) : Plain(log, 1), Virtual(log), member(log, 2) {}
	__device__ int kind() const override { return 2; }
};
__device__ int f(int a, int b) {
	Log log;
	{
		Both one(&log), two(one), three(static_cast<Both &&>(two));
		two = one;
		three = static_cast<Both &&>(two);
		Virtual &r = three;
		log.note(r.kind() + (a & 1));
	}
	return int(log.seen);
}
