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
