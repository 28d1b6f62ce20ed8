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
