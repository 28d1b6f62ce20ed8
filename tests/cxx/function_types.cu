// Types of functions with references, arrays of unknown bound, and members of `decltype(expr)`.
#include <functional>
#include <type_traits>

// case: pointers
__device__ int &at(int *p, int i) { return p[i]; }
__device__ void add(int &x, const int &n) { x += n; }
__device__ int &&moved(int *p, int i) { return static_cast<int &&>(p[i]); }
struct S {
	int v;
	__device__ S(int x) : v(x) {}
	__device__ S(const S &o) : v(o.v + 1) {}
	__device__ S &self() { return *this; }
};
__device__ const S &first(const S &a, const S &) { return a; }
template <class F> __device__ int use(F f, int *p) {
	f(p, 2) += 5;
	return f(p, 2);
}
__device__ int f(int a, int b) {
	int p[4] = {a, b, 3, 4};
	int &(*get)(int *, int) = a > 2 ? at : at;
	get(p, 1) = 7;
	int x = get(p, 1) + get(p, 0);
	void (*change)(int &, const int &) = add;
	change(p[3], b);
	change(get(p, 0), 2);
	int &&(*take)(int *, int) = &moved;
	int y = take(p, 3);
	int &r = get(p, 3);
	r += 9;
	S s(a), t(b);
	const S &(*choose)(const S &, const S &) = first;
	S &(S::*self)() = &S::self;
	(s.*self)().v += 3;
	return x * 100 + y * 10 + use(at, p) + p[3] + p[0] + choose(s, t).v + (&choose(s, t) == &s);
}

// case: traits
template <class T> struct Is {
	static constexpr int v = 0;
};
template <class R, class... A> struct Is<R(A...)> {
	static constexpr int v = std::is_reference<R>::value + 2 * (std::is_lvalue_reference<A>::value + ... + 0) +
							 10 * (std::is_rvalue_reference<A>::value + ... + 0) +
							 100 * (std::is_pointer<A>::value + ... + 0);
};
template <class R, class A> struct Is<R (*)(A &)> {
	static constexpr int v = 1000 + sizeof(A);
};
template <class R, class A> struct Is<R (*)(A *)> {
	static constexpr int v = 2000 + sizeof(A);
};
__device__ int &named(int &, double *);
__device__ int f(int a, int b) {
	static_assert(!std::is_same<int &(int), int *(int)>::value, "");
	static_assert(!std::is_same<void(int &), void(int *)>::value, "");
	static_assert(!std::is_same<void(int &), void(int &&)>::value, "");
	static_assert(std::is_same<decltype(named), int &(int &, double *)>::value, "");
	static_assert(std::is_same<int &(int) const, int &(int) const>::value, "");
	return Is<int &(int &, int &&, int *)>::v + Is<void (*)(short &)>::v + Is<void (*)(short *)>::v + Is<int()>::v + a;
}

// case: overloads
__device__ int g(int (*)(int &)) { return 1; }
__device__ int g(int (*)(int *)) { return 2; }
__device__ int by_reference(int &x) { return x; }
__device__ int by_pointer(int *x) { return *x; }
__device__ int h(int &x) { return x + 1; }
__device__ int h(int *x) { return *x + 2; }
__device__ int f(int a, int b) {
	int (*r)(int &) = h;
	int (*p)(int *) = h;
	return g(by_reference) + 10 * g(by_pointer) + r(a) * 100 + p(&b);
}

// case: unknown_bound
template <class T> struct Kind {
	static const int v = 0;
};
template <class T> struct Kind<T[]> {
	static const int v = 1;
	using type = T;
};
template <class T, unsigned long N> struct Kind<T[N]> {
	static const int v = 2 + N;
	using type = T;
};
typedef int Open[];
__device__ int f(int a, int b) {
	static_assert(!std::is_void<int[]>::value && std::is_array<int[]>::value, "");
	static_assert(!std::is_same<int[], int[1]>::value && std::is_same<Open, int[]>::value, "");
	static_assert(std::is_same<std::remove_extent<int[]>::type, int>::value, "");
	static_assert(std::is_same<std::remove_all_extents<int[][3]>::type, int>::value, "");
	static_assert(std::is_same<std::decay<int[]>::type, int *>::value, "");
	static_assert(std::is_same<Kind<const int[]>::type, const int>::value, "");
	static_assert(!std::is_constructible<int[]>::value && !std::is_destructible<int[]>::value, "");
	static_assert(std::rank<int[][4]>::value == 2 && std::extent<int[]>::value == 0, "");
	Open x = {1, 2, a};
	Open y = {1, 2, 3, b};
	int n = Kind<int>::v + 10 * Kind<int[]>::v + 100 * Kind<int[3]>::v + 1000 * Kind<int[][3]>::v;
	return n + 10000 * (int)(sizeof(x) + sizeof(y)) + x[2] + y[3];
}

// case: members_of_decltype
struct Yes {
	static constexpr bool value = true;
	using type = short;
	template <class T> using of = T;
};
struct No {
	static constexpr bool value = false;
	using type = long;
};
template <class T> struct Tried {
	template <class U> __device__ static Yes test(typename U::type *);
	template <class U> __device__ static No test(...);
	using found = decltype(test<T>(nullptr));
	static constexpr bool value = decltype(test<T>(nullptr))::value;
	static constexpr bool again = decltype(Tried::template test<T>(nullptr))::value;
	using type = typename decltype(test<T>(nullptr))::type;
};
template <bool> struct Chosen {
	static constexpr int v = 3;
};
template <> struct Chosen<true> {
	static constexpr int v = 7;
};
struct Derived : decltype(Yes())::of<No>{};
__device__ int f(int a, int b) {
	Yes yes;
	No no;
	int n = Chosen<decltype(yes)::value>::v + 10 * Chosen<decltype(no)::value>::v + 100 * Tried<Yes>::value +
			200 * Tried<int>::value + 400 * Tried<No>::again + 1000 * (int)sizeof(Tried<int>::type);
	typename decltype(yes)::type s = (short)(a + 70000);
	return n + s + sizeof(Tried<Yes>::type) + sizeof(typename decltype(no)::type) + Derived::value +
		   std::is_same<Tried<Yes>::found, Yes>::value;
}

// case: declared_only
template <class T> using Made = T (*)() noexcept;
template <class...> using Void = void;
template <class T, class = void> extern Made<void> made;
template <class T> extern Made<T &&> made<T, Void<T &&>>;
struct S {
	__device__ int get() const & { return 1; }
	__device__ double get() && { return 2; }
};
__device__ int f(int a, int b) {
	static_assert(std::is_same<decltype(made<int>()), int &&>::value, "");
	static_assert(std::is_same<decltype(made<int &>()), int &>::value, "");
	static_assert(std::is_same<decltype(made<const S &>().get()), int>::value, "");
	return sizeof(made<S>().get()) + a;
}

// case: null_pointers
template <class T> struct Tag;
struct S {
	int v;
};
template <class T> __device__ int size(Tag<T> *) { return sizeof(T); }
__device__ int f(int a, int b) {
	int *p = static_cast<int *>(nullptr);
	int S::*m = static_cast<int S::*>(nullptr);
	int (*g)(int &) = static_cast<int (*)(int &)>(nullptr);
	if (a > 5) p = &a;
	return size(static_cast<Tag<short> *>(nullptr)) + 10 * (p == nullptr) + 100 * (m == nullptr) +
		   1000 * static_cast<bool>(nullptr) + 2000 * (g == nullptr);
}

// case: noexcept_is_a_part_of_the_type
template <class F> struct is_n {
	static constexpr int v = 0;
};
template <class R, class... A, bool B> struct is_n<R (*)(A...) noexcept(B)> {
	static constexpr int v = 1 + B;
};
template <class R, class C, class... A, bool B> struct is_n<R (C::*)(A...) noexcept(B)> {
	static constexpr int v = 4 + B;
};
struct S {
	__device__ int m() noexcept { return 1; }
	__device__ int k() { return 2; }
};
template <bool B> __device__ int t(int) noexcept(B) { return 7; }
__device__ int g(int) noexcept { return 1; }
__device__ int h(int) { return 1; }
__device__ int f(int a, int b) {
	auto l = [](int) noexcept { return 3; };
	auto l2 = [](int) { return 3; };
	return is_n<decltype(&g)>::v + 10 * is_n<decltype(&h)>::v + 100 * is_n<decltype(&S::m)>::v +
		   1000 * is_n<decltype(&S::k)>::v + 10000 * is_n<decltype(&t<true>)>::v +
		   100000 * is_n<decltype(&t<false>)>::v + 1000000 * is_n<decltype(+l)>::v + 10000000 * is_n<decltype(+l2)>::v;
}

// case: noexcept_and_deduction
template <class R, class... A> __device__ int call(R (*p)(A...), A... a) { return p(a...) + noexcept(p(a...)); }
template <class R, class... A> __device__ int call2(R (&p)(A...), A... a) { return p(a...) + noexcept(p(a...)); }
template <class F> __device__ int call3(F &&p, int a) { return p(a) + noexcept(p(a)); }
__device__ int g(int x) noexcept { return x; }
__device__ int h(int x) { return x + 1; }
__device__ int f(int a, int b) {
	return call(g, a) + 10 * call(h, b) + 100 * call2(g, b) + 1000 * call3(g, a) + 10000 * call3(h, b) +
		   100000 * call3([](int x) noexcept { return x; }, b);
}

// case: noexcept_composite_pointers
__device__ int g(int x) noexcept { return x; }
__device__ int h(int x) { return x + 1; }
__device__ int f(int a, int b) {
	int (*p)(int) = a > 4 ? g : h;
	int (*q)(int) = b > 3 ? &g : p;
	int (*t[2])(int) = {g, h};
	int r = p == g;
	p = q == h ? p : g;
	return t[b & 1](a) * 100 + p(b) * 10 + r + q(1);
}

// case: noexcept_overloads
__device__ int k(int (*)(int) noexcept) { return 1; }
__device__ int k(int (*)(int)) { return 2; }
__device__ int g(int x) noexcept { return x; }
__device__ int h(int x) { return x + 1; }
struct S {
	int (*p)(int) noexcept;
	int operator()(int x) const { return p(x); }
};
using Never = int (*)(int) noexcept;
using T = int (*)(int);
using FN = int(int) noexcept;
__device__ int apply(FN *p, int x) { return p(x); }
__device__ int f(int a, int b) {
	Never n = g;
	T t = n;
	T u = h;
	FN *w = n;
	S s{g};
	auto v = t;
	static_assert(!noexcept(t(1)) && noexcept(n(1)) && noexcept(w(1)) && noexcept(s.p(1)));
	return k(g) + 10 * k(h) + 100 * k(n) + 1000 * k(t) + apply(w, a) * 3 + u(b) + v(a) + s.p(b);
}

// case: noexcept_methods
struct S {
	__device__ int m(int x) noexcept { return x; }
	__device__ int k(int x) { return x + 2; }
	__device__ virtual int v(int x) noexcept { return x + 7; }
};
struct D : S {
	__device__ int v(int x) noexcept override { return x + 9; }
};
__device__ int f(int a, int b) {
	int (S::*p)(int) = a > 3 ? &S::m : &S::k;
	int (S::*q)(int) noexcept = &S::m;
	int (D::*r)(int) = q;
	int (S::*v)(int) noexcept = &S::v;
	D d;
	p = q;
	return (d.*p)(a) + (d.*q)(b) * 10 + (d.*r)(1) + (d.*v)(3) * 100 + (p == q);
}

// case: noexcept_template_arguments
template <int (*P)(int) noexcept> __device__ int c1(int x) { return P(x); }
template <int (*P)(int)> __device__ int c2(int x) { return P(x) * 2; }
template <auto P> __device__ int c3(int x) { return P(x) * 3 + noexcept(P(x)); }
__device__ int g(int x) noexcept { return x; }
__device__ int h(int x) { return x + 1; }
__device__ int f(int a, int b) { return c1<g>(a) + c2<g>(b) + c2<h>(a) + c3<g>(a) + c3<h>(a); }

// case: noexcept_traits
__device__ int g(int x) noexcept { return x; }
__device__ int h(int x) { return x + 1; }
struct S {
	__device__ int m(int x) const noexcept { return x; }
	int d;
};
__device__ int f(int a, int b) {
	return std::is_function<decltype(g)>::value + 2 * std::is_same<decltype(g), int(int) noexcept>::value +
		   4 * std::is_same<decltype(g), int(int)>::value +
		   64 * std::is_member_function_pointer<decltype(&S::m)>::value + std::invoke(g, a) +
		   std::invoke(&S::m, S{}, b) + 128 * std::is_convertible<decltype(&g), int (*)(int)>::value +
		   256 * std::is_convertible<decltype(&h), int (*)(int) noexcept>::value +
		   512 * std::is_pointer_v<decltype(&g)>;
}

// case: noexcept_calls_by_pointer
__device__ int g() noexcept { return 1; }
__device__ int h() { return 1; }
__device__ int f(int a, int b) {
	int (*p)() = g;
	int (*q)() noexcept = g;
	int (&r)() = g;
	int (&s)() noexcept = g;
	return noexcept(p()) + 2 * noexcept(q()) + 4 * noexcept(r()) + 8 * noexcept(s()) + 16 * noexcept(g()) +
		   32 * noexcept(h()) + 64 * noexcept((*q)()) + 128 * noexcept((&g)());
}

// case: noexcept_calls_of_methods_by_pointer
struct S {
	__device__ int g() noexcept { return 1; }
	__device__ int h() { return 2; }
};
__device__ int f(int a, int b) {
	int (S::*p)() = &S::g;
	int (S::*q)() noexcept = &S::g;
	S s;
	return noexcept((s.*p)()) + 2 * noexcept((s.*q)()) + 4 * noexcept(s.g()) + 8 * noexcept(s.h()) +
		   16 * noexcept(((&s)->*q)());
}

// case: dereferenced_pointers_are_called
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
using F = int(int);
struct S {
	F *fp;
	F *table[2];
	int (S::*m)(int);
	__device__ int times(int x) { return x * 5; }
};
__device__ int f(int a, int b) {
	F *p = a % 2 ? twice : thrice;
	F **pp = &p;
	F &r = *p;
	S s{p, {twice, thrice}, &S::times};
	S *q = &s;
	int sum = (*p)(a) + (**p)(b) + (***p)(1) + (**pp)(2) + (***pp)(3) + (*r)(a);
	sum += (*s.fp)(a) * 3 + (**q->fp)(b) + (*s.table[a & 1])(4) + (**s.table)(5) + (*(s.*(&S::fp)))(b);
	sum += (&twice)(a) + (*twice)(b) + (**thrice)(a) + (*&twice)(7) + (&*twice)(1) + (*&p)(2) + (**&*p)(b) + (&r)(3);
	sum += (s.*s.m)(a) + (*(a > b ? twice : thrice))(a) + (a > b ? *p : thrice)(b) + (*(p, thrice))(b);
	return sum;
}

// case: an_address_of_overloads_is_called
__device__ int g(int x) { return 2 * x; }
__device__ int g(double x) { return 7; }
template <class T> __device__ T h(T x) { return x + 1; }
__device__ int f(int a, int b) {
	return (g)(a) + (&g)(2.0) + (h<int>)(a) + (*h<int>)(b) + (&h<long>)(3) + ((g))(a) + (&h)(1);
}

// case: static_methods_are_called_by_address
struct A {
	static __device__ int s(int x) { return x * 3; }
	static __device__ int t(int x) { return x * 3; }
	static __device__ int t(double x) { return 5; }
	int (*p)(int);
	int (*const *pp)(int);
	__device__ int go(int a) const {
		return (*s)(a) + (&s)(a) + (*p)(a) + (**pp)(a) + (&A::s)(a) + (*A::s)(2) + (*this->p)(a);
	}
};
__device__ int f(int a, int b) {
	A x{A::s, nullptr};
	x.pp = &x.p;
	const A &c = x;
	return x.go(a) + c.go(b) + (*x.s)(b) + (*c.p)(1) + (**c.pp)(b) + (&x.s)(b);
}

// case: dereferenced_objects_and_pointers_to_lambdas
struct F {
	__device__ int operator()(int x) const { return x + 3; }
	__device__ F &operator*() { return *this; }
};
using G = int(int);
struct C {
	G *p;
	__device__ operator G *() const { return p; }
};
__device__ int sq(int x) { return x * x; }
__device__ int f(int a, int b) {
	F o;
	F *p = &o;
	C c{sq};
	auto l = [](int x) { return x - 1; };
	auto *lp = &l;
	return (*o)(a) + (*p)(b) + (*lp)(a) + c(b) + (*c)(3) + (*+l)(a) + (**p)(2) + (*(G *)c)(4) +
		   (**static_cast<G *>(c))(b);
}

// case: dereferenced_template_arguments
__device__ int sq(int x) { return x * x; }
__device__ int sum(int x, int y) { return x + y; }
template <class F, class... A> __device__ auto call(F &&f, A &&...a) -> decltype((*f)(a...)) { return (*f)(a...); }
template <int (*P)(int)> struct Q {
	__device__ int go(int x) { return (*P)(x) + (**P)(x) + P(x) + (&*P)(x); }
};
template <int (&P)(int)> struct R {
	__device__ int go(int x) { return (*P)(x) + (&P)(x) + P(x); }
};
__device__ int f(int a, int b) {
	Q<sq> q;
	Q<&sq> q2;
	R<sq> r;
	return call(sq, a) + call(sum, a, b) + call(&sq, b) + q.go(a) + q2.go(b) + r.go(a);
}

// case: dereferenced_elements_and_choices
__device__ int g(int x) { return 2 * x; }
__device__ int h(int x) { return 3 * x; }
__device__ int f(int a, int b) {
	int (*t[2])(int) = {g, h};
	int (**p)(int) = t;
	int (&ref)(int) = *t[1];
	int r = (**p)(a) + (**++p)(b) + (*p[-1])(a) + (**p--)(b) + (*p)(a) + (*ref)(b) + (&ref)(a);
	int (*(*fpp))(int) = &t[0];
	return r + (*fpp[1])(a) + (**fpp)(b) + (*(a ? g : h))(1);
}

// case: an_object_that_converts_to_pointers_to_functions_is_called
using One = int(int);
using Two = int(int, int);
using Wide = int(double);
using First = int &(int &);
__device__ int one(int x) { return x + 1; }
__device__ int two(int x, int y) { return x * y; }
__device__ int wide(double x) { return 50; }
__device__ int &first(int &x) { return x; }
struct S {
	One *p;
	__device__ operator One *() const { return p; }
	__device__ operator Two *() const { return two; }
	__device__ operator Wide *() const { return wide; }
};
struct T : S {
	__device__ int operator()(int, int, int) const { return 9; }
};
struct R {
	__device__ operator First *() { return first; }
};
struct Q {
	__device__ operator One &() { return one; }
};
struct C {
	__device__ operator One *() { return one; }
	__device__ operator Wide *() const { return wide; }
};
__device__ int f(int a, int b) {
	S s{one};
	T t{one};
	R r;
	Q q;
	C c;
	const C k;
	int n = a;
	r(n) += 3;
	return s(a) * 1000 + s(a, b) + s(2.5) + t(a) + t(a, b) + t(1, 2, 3) + n + q(7) + c(a) + k(a) + S{one}(b);
}
