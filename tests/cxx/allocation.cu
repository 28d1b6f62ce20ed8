// Functions that give and take the memory of `new` and `delete`: of classes, of the program, and the heap's own.
#include <new>

struct Pool {
	alignas(16) char data[2048];
	size_t used = 0;
	__device__ void *take(size_t n) {
		char *at = data + used;
		used += (n + 15) / 16 * 16;
		return at;
	}
};

// case: functions_of_a_class
struct A {
	int x;
	__device__ static void *operator new(size_t n, Pool &p) { return p.take(n); }
	__device__ void *operator new[](size_t n, Pool &p) { return p.take(n); }
	__device__ void operator delete(void *p) { ((char *)p)[64] = 5; }
	__device__ void operator delete[](void *p) { ((char *)p)[64] = 6; }
};
__device__ int f(int a, int b) {
	Pool p;
	A *one = new (p) A{a}, *list = new (p) A[3]{{1}, {b}};
	int r = one->x * 5 + list[1].x + list[2].x;
	delete one;
	delete[] list;
	return r * 100 + p.data[64] * 10 + p.data[80] + (int)p.used;
}

// case: functions_of_a_base_and_cookies
struct A {
	__device__ static void *operator new(size_t n, Pool &p) { return p.take(n); }
	__device__ static void *operator new[](size_t n, Pool &p) { return p.take(n); }
	__device__ static void operator delete(void *p) { ((char *)p)[256] = 4; }
	__device__ static void operator delete[](void *p) { ((char *)p)[256] = 9; }
};
struct B : A {
	int y, *log;
	__device__ B(int y, int *log) : y(y), log(log) {}
	__device__ ~B() { *log = *log * 3 + y; }
};
struct alignas(16) C : A {
	int z = 2;
	__device__ ~C() { z = 0; }
};
__device__ int f(int a, int b) {
	Pool p;
	int log = 1;
	B *one = new (p) B(a & 7, &log), *list = new (p) B[2]{{b & 3, &log}, {5, &log}};
	C *wide = new (p) C[(a & 3) + 1];
	int r = (int)p.used + (int)((char *)list - p.data) * 3 + (int)((char *)wide - (char *)list) * 5 + wide->z;
	r = r * 10 + (int)((size_t *)list)[-1] + (int)((size_t *)wide)[-1];
	delete one;
	delete[] list;
	return r * 10 + log + ((char *)one)[256] + ((char *)list)[248];
}

// case: size_of_an_object_to_delete
struct S {
	long v;
	__device__ static void *operator new(size_t n) {
		long *p = (long *)malloc(n + 8);
		*p = n;
		return p + 1;
	}
	__device__ static void operator delete(void *p, size_t n) {
		if (((size_t *)p)[-1] == n) free((long *)p - 1);
	}
};
struct D : S {
	int more;
};
__device__ int f(int a, int b) {
	S *s = new S{a};
	int r = (int)s->v + (int)((long *)s)[-1];
	delete s;
	D *d = new D;
	d->more = b;
	r += (int)((long *)d)[-1] * 10 + d->more;
	::operator delete((long *)d - 1);
	S *plain = ::new S{b};
	r += (int)plain->v;
	::delete plain;
	return r;
}

// case: calls_by_name
struct T {
	__device__ static void *operator new(size_t n) { return ::operator new(n + 8); }
	__device__ static void operator delete(void *p) { ::operator delete(p); }
	int v[2];
};
__device__ int f(int a, int b) {
	void *x = ::operator new(42);
	int r = x != nullptr;
	::operator delete(x);
	x = operator new[](8);
	((int *)x)[1] = a;
	r += ((int *)x)[1];
	operator delete[](x);
	char space[16];
	x = operator new(4, space);
	r += x == space ? 4 : 8;
	T *t = (T *)T::operator new(8);
	t->v[1] = b;
	r += t->v[1];
	T::operator delete(t);
	T *made = new T{{b, 3}};
	r += made->v[0] * made->v[1];
	delete made;
	return r;
}

// case: a_constructor_with_placement_in_a_template
template <class T> struct Slot {
	alignas(T) char space[sizeof(T)];
	template <class... U> __device__ T *make(U... u) { return ::new (static_cast<void *>(space)) T(u...); }
};
struct P {
	int a, b;
	__device__ P(int a, int b) : a(a), b(b) {}
	__device__ static void *operator new(size_t, void *) noexcept { return nullptr; }
};
__device__ int f(int a, int b) {
	Slot<P> slot;
	P *p = slot.make(a, b);
	return p->a * 3 + p->b + (new (slot.space) P(1, 2) == nullptr);
}

// case: memory_that_may_not_be_there
struct T {
	int v;
	__device__ T(int v) : v(v) {}
};
__device__ int f(int a, int b) {
	T *one = new (std::nothrow) T(a);
	int *list = new (std::nothrow) int[4]{1, b};
	void *x = ::operator new(8, std::nothrow);
	int r = one->v * 3 + list[1] + list[3] + (x != nullptr);
	delete one;
	delete[] list;
	::operator delete(x, std::nothrow);
	return r;
}

// case: an_operator_delete_of_the_objects_class_beside_a_virtual_destructor
__device__ unsigned events[4096];
__device__ void note(unsigned n) {
	unsigned &seen = events[blockIdx.x * blockDim.x + threadIdx.x];
	seen = seen * 5 + n;
}
struct Shape {
	unsigned n;
	__device__ Shape(unsigned n) : n(n) {}
	__device__ virtual ~Shape() { note(n); }
};
struct Other {
	unsigned o = 3;
	virtual ~Other() = default;
};
struct Both : Other, Shape {
	unsigned b;
	__device__ Both(unsigned b) : Shape(b), b(b) {}
	__device__ ~Both() { note(b + 1); }
	__device__ static void *operator new(size_t n) {
		note(2 + (n == sizeof(Both)));
		return ::operator new(n);
	}
	__device__ static void operator delete(void *p) {
		note(4);
		::operator delete(p);
	}
};
struct Sized : Both {
	using Both::Both;
	long long more = 1;
	__device__ static void operator delete(void *p, size_t n) {
		note(unsigned(n));
		Both::operator delete(p);
	}
};
struct Square : Shape {
	__device__ Square(unsigned b) : Shape(b + 4) {}
};
__device__ int f(int a, int b) {
	events[blockIdx.x * blockDim.x + threadIdx.x] = 0;
	Shape *p = a & 1 ? (Shape *)new Both(1) : (Shape *)new Square(2);
	delete p;
	p = b & 1 ? (Shape *)new Sized(3) : (Shape *)::new Both(4);
	delete p;
	p = a & 2 ? (Shape *)::new Both(5) : (Shape *)new Square(6);
	::delete p;
	Other *q = a & 1 ? (Other *)new Sized(7) : b & 1 ? new Both(8) : new Other;
	delete q;
	delete new Sized(9);
	return int(events[blockIdx.x * blockDim.x + threadIdx.x]);
}

// case: virtual_destructors_that_are_defaulted_or_pure
struct Log {
	int n = 1;
};
struct Noted {
	Log *log;
	int v;
	__device__ Noted(Log *log, int v) : log(log), v(v) {}
	__device__ ~Noted() { log->n = log->n * 3 + v; }
};
struct Root {
	int x = 1;
	virtual ~Root() = default;
};
struct Before {
	Noted noted;
};
struct Leaf : Before, Root {
	Noted own;
	__device__ Leaf(Log *log) : Before{{log, 1}}, own(log, 2) {}
};
struct Pure {
	__device__ virtual ~Pure() = 0;
};
__device__ Pure::~Pure() {}
struct Concrete : Pure {
	Noted own;
	__device__ Concrete(Log *log) : own(log, 4) {}
};
struct Bare : Root {};
__device__ int f(int a, int b) {
	Log log;
	{
		Leaf leaf(&log);
		Root root, *p = &leaf, *q = a & 1 ? new Leaf(&log) : new Root;
		alignas(16) char memory[2 * sizeof(Leaf)];
		delete q;
		q = new (memory) Leaf(&log);
		q->~Root();
		static_cast<Root *>(new (memory) Leaf(&log))->Root::~Root();
		q = new Bare;
		delete q;
		delete new Bare;
		Pure *r = b & 1 ? new Concrete(&log) : nullptr;
		delete r;
		Pure &s = *new (memory) Concrete(&log);
		s.~Pure();
		delete[] new Root[3];
		log.n += p->x;
	}
	return log.n + std::is_abstract<Pure>::value * 3 + std::is_abstract<Concrete>::value * 5 +
		   std::is_trivially_destructible<Root>::value * 7;
}
