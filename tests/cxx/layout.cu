// Layout of classes with bases, as the C++ compiler has it.
// case: base_tail
struct B {
	int x;
	char c;
};
struct D : B {
	char d;
};
struct C {
	__device__ C() {}
	int x;
	char c;
};
struct E : C {
	char d;
	short s;
};
__device__ int f(int a, int b) { return sizeof(B) + sizeof(D) * 100 + sizeof(C) * 10000 + sizeof(E) * 1000000; }

// case: base_tail_offset
class C {
  public:
	int x;
	char c;
};
class K {
	int x;

  public:
	char c;
};
class L : public K {
  public:
	char d;
};
__device__ int f(int a, int b) { return sizeof(L) + sizeof(K) * 100; }

// case: empty_base
struct Z {};
struct D : Z {
	int x;
};
struct E : Z {
	Z z;
	int x;
};
__device__ int f(int a, int b) { return sizeof(D) + 100 * sizeof(E); }

// case: two_empty
struct Z {};
struct Y {};
struct D : Z, Y {
	char x;
};
struct G {
	Z z;
	char c;
};
__device__ int f(int a, int b) { return sizeof(D) + 100 * sizeof(G) + 10000 * sizeof(Z); }

// case: virtual_tail
struct B {
	virtual __device__ int g() { return 1; }
	int x;
};
struct D : B {
	int y;
	__device__ int g() override { return y; }
};
struct E : D {
	int z;
};
__device__ int f(int a, int b) { return sizeof(B) + 100 * sizeof(D) + 10000 * sizeof(E); }

// case: base_assignment_keeps_tail
struct C {
	__device__ C(int v) : x(v), c(char(v + 1)) {}
	int x;
	char c;
};
struct E : C {
	__device__ E(int v) : C(v), d(char(v * 3)), s(short(v * 5)) {}
	char d;
	short s;
};
__device__ int f(int a, int b) {
	E e(a), g(b);
	static_cast<C &>(e) = C(b);
	C *p = &g;
	*p = e;
	E t[2] = {e, g};
	C &q = t[1];
	q = t[0];
	return e.x + e.c * 3 + e.d * 7 + e.s * 11 + g.d * 13 + g.s * 17 + t[1].d * 19 + t[1].s;
}
// case: primary_base_first
struct A {
	int x;
};
struct V {
	virtual __device__ int g() { return 1; }
	int y;
};
struct D : A, V {
	char z;
	__device__ int g() override { return x + y * 3 + z; }
};
__device__ int f(int a, int b) {
	D d;
	d.x = a;
	d.y = b;
	d.z = char(a);
	V *v = &d;
	A *p = &d;
	return v->g() + p->x * 100 + int(sizeof(D)) * 1000;
}
// case: two_polymorphic_bases
struct V {
	virtual __device__ int g() { return 1; }
	int y = 4;
};
struct W {
	virtual __device__ int h() { return 2; }
	int z = 5;
};
struct D : V, W {
	int k = 6;
	__device__ int g() override { return k + y * 3; }
	__device__ int h() override { return k * 10 + z; }
};
__device__ int f(int a, int b) {
	D d;
	d.k = a;
	V *v = &d;
	W *w = &d;
	return v->g() + w->h() * 100;
}
// case: functor_with_empty_bases
struct Tag {};
template <class T> struct Curious {
	__device__ int twice() const { return static_cast<const T *>(this)->get() * 2; }
};
struct F : Tag, Curious<F> {
	int v;
	__device__ int get() const { return v; }
	__device__ int operator()(int x) const { return twice() + x; }
};
__device__ int f(int a, int b) {
	F g;
	g.v = a;
	return g(b) + int(sizeof(g)) * 1000;
}

// case: instance_first_named_as_member
template <typename T> struct Cell {
	T v;
};
template <typename T> struct Row {
	char c;
	Cell<T> cell;
	char d;
	Cell<T> *next, cells[2];
};
template <typename T> struct Derived : Cell<T> {
	char c;
	Cell<Cell<T>> inner;
};
__device__ int f(int a, int b) {
	Row<double> r[2];
	r[1].cell.v = a;
	r[1].d = b;
	Derived<long> d;
	d.inner.v.v = b;
	auto at = [](const void *from, const void *to) { return (int)((const char *)to - (const char *)from); };
	int places = at(r, &r[1].cell) * 3 + at(r, &r[0].cells[1]) * 5 + at(&d, &d.inner) * 7;
	struct alignas(Cell<char *>) Aligned {
		char c;
	};
	places += (int)sizeof(Aligned) * 17;
	return (int)sizeof(Row<short>) + (int)alignof(Row<float>) * 11 + (int)sizeof(Derived<short>) * 13 + places +
		   (int)r[1].cell.v + r[1].d + (int)d.inner.v.v;
}

// case: moved_empty_bases_take_no_space
struct Empty {};
template <int> struct Tag : Empty {};
struct Pointer : Tag<0>, Tag<1> {
	void *p;
};
struct Three : Tag<0>, Tag<1>, Tag<2> {
	int n;
	char c;
};
struct Small : Tag<0>, Tag<1>, Tag<2> {
	char c;
};
struct Both : Tag<0>, Tag<1> {};
struct Last : Both, Tag<3> {
	char c;
};
struct Number {
	int n;
};
struct Between : Tag<0>, Number, Tag<1> {
	char c;
};
struct Derived : Small {
	char d;
};
template <class B, class D> __device__ int offset(D *d) { return (char *)static_cast<B *>(d) - (char *)d; }
__device__ int f(int a, int b) {
	Small s;
	Last l;
	Between n;
	Derived d;
	int sizes = sizeof(Pointer) + sizeof(Three) * 3 + sizeof(Small) * 5 + sizeof(Both) * 7 + sizeof(Last) * 11 +
				sizeof(Between) * 13 + sizeof(Derived) * 17;
	int places = offset<Tag<1>>(&s) + offset<Tag<2>>(&s) * 3 + offset<Tag<3>>(&l) * 5 + offset<Tag<1>>(&n) * 7;
	return sizes * 100 + places + (&s.c - (char *)&s) * 11 + (&l.c - (char *)&l) * 13 + (&d.d - (char *)&d) * 17;
}

// case: members_without_unique_addresses
struct E0 {};
struct E1 {};
struct A {
	[[no_unique_address]] E0 e;
	int x;
};
struct B {
	int x;
	[[no_unique_address]] E0 e;
};
struct C {
	[[no_unique_address]] E0 e;
	[[no_unique_address]] E0 f;
	int x;
};
struct D {
	[[no_unique_address]] E0 e;
	[[no_unique_address]] E1 f;
	char c;
};
struct NP {
	__device__ NP() {}
	int x;
	char c;
};
struct P {
	int x;
	char c;
};
struct F {
	[[no_unique_address]] NP n;
	char d;
};
struct G {
	[[no_unique_address]] P n;
	char d;
};
struct H : E0 {
	[[no_unique_address]] E0 e;
	int x;
};
struct I {
	char c;
	[[no_unique_address]] NP n;
	char d;
};
template <class T, class U> struct CP {
	[[no_unique_address]] T t;
	[[no_unique_address]] U u;
};
struct J {
	[[no_unique_address]] E0 e[2];
	int x;
};
struct K {
	[[no_unique_address]] E0 e;
};
struct L : K {
	int x;
};
struct M {
	[[no_unique_address]] int x;
	char c;
	[[no_unique_address]] NP n;
	[[no_unique_address]] NP m;
	char d;
};
union U {
	[[no_unique_address]] E0 e;
	int x;
};
struct alignas(8) E8 {};
struct N {
	[[no_unique_address]] E8 e;
	int x;
	int y;
};
struct O {
	int x;
	[[no_unique_address]] E8 e;
};
struct V {
	__device__ virtual ~V() {}
	char c;
};
struct W {
	[[no_unique_address]] V v;
	char d;
};
struct BF {
	int a : 5;
	[[no_unique_address]] E0 e;
	int b : 3;
};
struct T3 : NP {
	[[no_unique_address]] NP n;
	char e;
};
struct Der : F {
	char q;
};
template <class T> __device__ int measure(int sum) {
	return sum * 7 + (int)sizeof(T) * 64 + (int)alignof(T) * 2 + __is_empty(T);
}
__device__ int f(int a, int b) {
	int sum = a;
	sum = measure<A>(sum);
	sum = measure<B>(sum);
	sum = measure<C>(sum);
	sum = measure<D>(sum);
	sum = measure<F>(sum);
	sum = measure<G>(sum);
	sum = measure<H>(sum);
	sum = measure<I>(sum);
	sum = measure<J>(sum);
	sum = measure<K>(sum);
	sum = measure<L>(sum);
	sum = measure<M>(sum);
	sum = measure<U>(sum);
	sum = measure<N>(sum);
	sum = measure<O>(sum);
	sum = measure<W>(sum);
	sum = measure<BF>(sum);
	sum = measure<T3>(sum);
	sum = measure<Der>(sum);
	sum = measure<CP<E0, E1>>(sum);
	sum = measure<CP<E0, E0>>(sum);
	sum = measure<CP<int, E0>>(sum);
	sum = measure<CP<NP, char>>(sum);
	sum = measure<CP<CP<E0, E1>, CP<E0, E1>>>(sum);
	sum = measure<CP<CP<E0, int>, E0>>(sum);
	sum = sum * 3 + (int)__builtin_offsetof(A, e);
	sum = sum * 3 + (int)__builtin_offsetof(A, x);
	sum = sum * 3 + (int)__builtin_offsetof(B, e);
	sum = sum * 3 + (int)__builtin_offsetof(C, e);
	sum = sum * 3 + (int)__builtin_offsetof(C, f);
	sum = sum * 3 + (int)__builtin_offsetof(C, x);
	sum = sum * 3 + (int)__builtin_offsetof(D, e);
	sum = sum * 3 + (int)__builtin_offsetof(D, f);
	sum = sum * 3 + (int)__builtin_offsetof(D, c);
	sum = sum * 3 + (int)__builtin_offsetof(F, d);
	sum = sum * 3 + (int)__builtin_offsetof(G, d);
	sum = sum * 3 + (int)__builtin_offsetof(H, e);
	sum = sum * 3 + (int)__builtin_offsetof(H, x);
	sum = sum * 3 + (int)__builtin_offsetof(I, n);
	sum = sum * 3 + (int)__builtin_offsetof(I, d);
	sum = sum * 3 + (int)__builtin_offsetof(J, e);
	sum = sum * 3 + (int)__builtin_offsetof(J, x);
	sum = sum * 3 + (int)__builtin_offsetof(M, c);
	sum = sum * 3 + (int)__builtin_offsetof(M, n);
	sum = sum * 3 + (int)__builtin_offsetof(M, m);
	sum = sum * 3 + (int)__builtin_offsetof(M, d);
	sum = sum * 3 + (int)__builtin_offsetof(N, x);
	sum = sum * 3 + (int)__builtin_offsetof(N, y);
	sum = sum * 3 + (int)__builtin_offsetof(O, e);
	sum = sum * 3 + (int)__builtin_offsetof(BF, e);
	sum = sum * 3 + (int)__builtin_offsetof(T3, n);
	sum = sum * 3 + (int)__builtin_offsetof(T3, e);
	return sum;
}

// case: objects_in_the_padding_of_members
struct E0 {
	__device__ int operator()(int x) const { return x + 1; }
	__device__ E0 &operator=(const E0 &) { return *this; }
	E0() = default;
	E0(const E0 &) = default;
};
struct E1 {};
struct NP {
	__device__ NP(int a, char b) : x(a), c(b) {}
	int x;
	char c;
};
struct A {
	[[no_unique_address]] E0 e;
	int x;
};
struct F {
	[[no_unique_address]] NP n;
	char d;
	__device__ F(int a) : n(a, 2), d(3) {}
};
template <class T, class D> struct Own {
	T *p;
	[[no_unique_address]] D d;
	__device__ int call(int x) { return d(x) + *p; }
};
struct G {
	[[no_unique_address]] E1 e;
	[[no_unique_address]] E1 g;
	char c;
};
struct BF {
	int a : 5;
	[[no_unique_address]] E1 e;
	int b : 3;
};
struct Tail {
	char pad[3];
};
struct Q {
	[[no_unique_address]] F f;
	[[no_unique_address]] E0 e;
	char t;
	__device__ Q() : f(4), t(9) {}
};
__device__ int f(int i, int step) {
	int o[16];
	A a{{}, i};
	A b = a;
	b.e = E0{};
	b.e = a.e;
	a = b;
	o[0] = a.x + b.e(1);
	F f(i);
	F g(i + 1);
	f.n = g.n;
	o[1] = f.n.x + 10 * f.n.c + 100 * f.d;
	NP n(7, 8);
	f.n = n;
	o[2] = f.d + f.n.c;
	F h = f;
	h.d = 5;
	o[3] = h.d + f.d;
	NP m = h.n;
	o[4] = m.c;
	int v = 40;
	Own<int, E0> w{&v, {}};
	o[5] = w.call(i);
	o[6] = sizeof w;
	auto l = [](int x) { return 2 * x; };
	Own<int, decltype(l)> z{&v, l};
	o[7] = z.call(i) + (int)sizeof z;
	G k{};
	k.c = 3;
	k.e = k.g;
	o[8] = k.c;
	BF q{};
	q.a = 7;
	q.b = -2;
	q.e = {};
	o[9] = q.a + q.b;
	Q x;
	x.f = g;
	o[10] = x.t + x.f.d + x.f.n.c;
	x.f.n = n;
	o[11] = x.t * 100 + x.f.d * 10 + x.f.n.c;
	x.e = E0{};
	Q y = x;
	y.t = 1;
	y.f = x.f;
	o[12] = y.t;
	F arr[2] = {F(1), F(2)};
	arr[0] = x.f;
	o[13] = arr[1].n.x + arr[0].d;
	o[14] = (char *)&x.t - (char *)&x;
	o[15] = (const void *)&a.e == (const void *)&a.x;
	int sum = step;
	for (int k = 0; k < 16; k++) sum = sum * 5 + o[k];
	return sum;
}
