// Types of functions, arrays and members in partial specialisations, deduction and partial ordering.

// case: fn_ref_param
struct A {};
template <class T> struct X {
	static const int v = 1;
};
template <class R, class P> struct X<R (*)(P)> {
	static const int v = 2;
};
template <class R, class P> struct X<R (*)(P &)> {
	static const int v = 3;
};
template <class R, class P> struct X<R (*)(P *)> {
	static const int v = 4;
};
template <class R, class P> struct X<R (*)(const P &)> {
	static const int v = 5;
};
template <class R, class P> struct X<R (*)(P &&)> {
	static const int v = 6;
};
__device__ int f(int a, int b) {
	return X<int (*)(A)>::v + X<int (*)(A &)>::v * 10 + X<int (*)(A *)>::v * 100 + X<int (*)(const A &)>::v * 1000 +
		   X<int (*)(A &&)>::v * 10000;
}

// case: fn_ref_result
template <class T> struct X {
	static const int v = 1;
};
template <class R, class P> struct X<R(P)> {
	static const int v = 2;
};
template <class R, class P> struct X<R &(P)> {
	static const int v = 3;
};
template <class R, class P> struct X<R *(P)> {
	static const int v = 4;
};
__device__ int f(int a, int b) { return X<int(int)>::v + X<int &(int)>::v * 10 + X<int *(int)>::v * 100; }

// case: fn_overload_call
struct A {
	int v;
};
template <class R, class P> __device__ int g(R (*)(P)) { return 1; }
template <class R, class P> __device__ int g(R (*)(P &)) { return 2; }
template <class R, class P> __device__ int g(R (*)(P *)) { return 3; }
__device__ int v1(A) { return 1; }
__device__ int v2(A &) { return 1; }
__device__ int v3(A *) { return 1; }
__device__ int f(int a, int b) { return g(v1) + g(v2) * 10 + g(v3) * 100; }

// case: fn_packs
template <class T> struct X {
	static const int v = 1;
};
template <class R, class... P> struct X<R (*)(P...)> {
	static const int v = 2;
};
template <class R, class P> struct X<R (*)(P)> {
	static const int v = 3;
};
template <class R, class P, class... Q> struct X<R (*)(P &, Q...)> {
	static const int v = 4;
};
__device__ int f(int a, int b) {
	return X<int (*)()>::v + X<int (*)(int)>::v * 10 + X<int (*)(int &, int)>::v * 100 + X<int (*)(int, int)>::v * 1000;
}

// case: fn_packs_call
template <class R, class... P> __device__ int g(R (*)(P...)) { return 1; }
template <class R, class P> __device__ int g(R (*)(P)) { return 2; }
template <class R, class P> __device__ int g(R (*)(P, P)) { return 3; }
__device__ int v0() { return 1; }
__device__ int v1(int) { return 1; }
__device__ int v2(int, int) { return 1; }
__device__ int v3(int, float) { return 1; }
__device__ int f(int a, int b) { return g(v0) + g(v1) * 10 + g(v2) * 100 + g(v3) * 1000; }

// case: arrays
template <class T> struct X {
	static const int v = 1;
};
template <class T> struct X<T *> {
	static const int v = 2;
};
template <class T> struct X<T[]> {
	static const int v = 3;
};
template <class T, size_t N> struct X<T[N]> {
	static const int v = 4;
};
template <class T> struct X<T[3]> {
	static const int v = 5;
};
template <class T> struct X<const T[3]> {
	static const int v = 6;
};
__device__ int f(int a, int b) {
	return X<int *>::v + X<int[]>::v * 10 + X<int[2]>::v * 100 + X<int[3]>::v * 1000 + X<const int[3]>::v * 10000 +
		   X<int[2][3]>::v * 100000 + X<int[][3]>::v * 1000000;
}

// case: cv
template <class T> struct X {
	static const int v = 1;
};
template <class T> struct X<const T> {
	static const int v = 2;
};
template <class T> struct X<volatile T> {
	static const int v = 3;
};
template <class T> struct X<const volatile T> {
	static const int v = 4;
};
template <class T> struct X<T *const> {
	static const int v = 5;
};
template <class T> struct X<T &> {
	static const int v = 6;
};
template <class T> struct X<T &&> {
	static const int v = 7;
};
template <class T> struct X<const T &> {
	static const int v = 8;
};
__device__ int f(int a, int b) {
	return X<int>::v + X<const int>::v * 10 + X<volatile int>::v * 100 + X<const volatile int>::v * 1000 +
		   X<int *>::v * 10000 + X<int &>::v * 100000 + X<int &&>::v * 1000000 + X<const int &>::v * 10000000;
}

// case: ptr_const
template <class T> struct X {
	static const int v = 1;
};
template <class T> struct X<const T> {
	static const int v = 2;
};
template <class T> struct X<T *> {
	static const int v = 3;
};
template <class T> struct X<T *const> {
	static const int v = 5;
};
template <class T> struct X<const T *> {
	static const int v = 6;
};
template <class T> struct X<volatile T *> {
	static const int v = 7;
};
__device__ int f(int a, int b) {
	return X<int *>::v + X<int *const>::v * 10 + X<const int *>::v * 100 + X<volatile int *>::v * 1000;
}

// case: member_ptr
struct A {
	int d;
	float e;
	__device__ int m(int) { return 1; }
	__device__ int c(int) const { return 2; }
	__device__ int r(int &) { return 1; }
};
template <class T> struct X {
	static const int v = 1;
};
template <class T, class C> struct X<T C::*> {
	static const int v = 2;
};
template <class R, class C, class... P> struct X<R (C::*)(P...)> {
	static const int v = 3;
};
template <class R, class C, class... P> struct X<R (C::*)(P...) const> {
	static const int v = 4;
};
template <class R, class C, class P> struct X<R (C::*)(P &)> {
	static const int v = 5;
};
template <class C> struct X<float C::*> {
	static const int v = 6;
};
__device__ int f(int a, int b) {
	return X<decltype(&A::d)>::v + X<decltype(&A::m)>::v * 10 + X<decltype(&A::c)>::v * 100 +
		   X<decltype(&A::r)>::v * 1000 + X<decltype(&A::e)>::v * 10000;
}

// case: member_ptr_call
struct A {
	int d;
	__device__ int m(int) { return 1; }
	__device__ int c(int) const { return 2; }
	__device__ int r(int &) { return 1; }
};
template <class T, class C> __device__ int g(T C::*) { return 1; }
template <class R, class C, class P> __device__ int g(R (C::*)(P)) { return 2; }
template <class R, class C, class P> __device__ int g(R (C::*)(P) const) { return 3; }
template <class R, class C, class P> __device__ int g(R (C::*)(P &)) { return 4; }
__device__ int f(int a, int b) { return g(&A::d) + g(&A::m) * 10 + g(&A::c) * 100 + g(&A::r) * 1000; }

// case: same_twice
template <class A, class B> struct X {
	static const int v = 1;
};
template <class A> struct X<A, A &> {
	static const int v = 2;
};
template <class A> struct X<A &, A> {
	static const int v = 3;
};
template <class A> struct X<A *, const A *> {
	static const int v = 4;
};
__device__ int f(int a, int b) {
	return X<int, int &>::v + X<int &, int>::v * 10 + X<int *, const int *>::v * 100 + X<int &, int &>::v * 1000;
}

// case: tt_params
template <class T> struct V {};
template <class T, class U> struct W {};
template <class T> struct X {
	static const int v = 1;
};
template <template <class> class C, class T> struct X<C<T>> {
	static const int v = 2;
};
template <template <class...> class C, class T, class... U> struct X<C<T, U...>> {
	static const int v = 3;
};
template <class T> struct X<V<T *>> {
	static const int v = 4;
};
__device__ int f(int a, int b) { return X<W<int, char>>::v * 10 + X<V<int *>>::v * 100; }

// case: fn_types_as_args
template <class F> struct Sig;
template <class R, class... A> struct Sig<R(A...)> {
	static const int n = sizeof...(A);
	typedef R type;
};
template <class F> struct First;
template <class R, class A, class... B> struct First<R(A, B...)> {
	typedef A type;
};
template <class T, class U> struct Same {
	static const int v = 0;
};
template <class T> struct Same<T, T> {
	static const int v = 1;
};
__device__ int f(int a, int b) {
	return Sig<int(int, float &)>::n + 10 * Same<First<int(float &, int)>::type, float &>::v +
		   100 * Same<First<int(float *, int)>::type, float *>::v + 1000 * Same<Sig<float &()>::type, float &>::v +
		   10000 * Same<int(int &), int(int *)>::v + 100000 * Same<int (*)(int &&), int (*)(int &)>::v;
}

// case: fn_ptr_distinct_overloads
__device__ int k(int (*)(int &)) { return 1; }
__device__ int k(int (*)(int *)) { return 2; }
__device__ int r(int &x) { return x; }
__device__ int p(int *x) { return *x; }
__device__ int ov(int &x) { return 1; }
__device__ int ov(int *x) { return 2; }
__device__ int f(int a, int b) {
	int (*x)(int &) = ov;
	int (*y)(int *) = ov;
	return k(r) + k(p) * 10 + x(a) * 100 + y(&a) * 1000;
}

// case: call_through_ref_pointer
__device__ int &pick(int *p, int i) { return p[i]; }
__device__ void inc(int &x) { x++; }
__device__ int f(int a, int b) {
	int v[3] = {a, b, 3};
	int &(*q)(int *, int) = pick;
	q(v, 1) = 9;
	void (*w)(int &) = inc;
	w(v[0]);
	return v[0] + v[1];
}

// case: decltype_result
template <class F> struct res;
template <class R, class... A> struct res<R (*)(A...)> {
	typedef R type;
};
__device__ int &pick(int *p) { return *p; }
template <class T> struct isref {
	static const int v = 0;
};
template <class T> struct isref<T &> {
	static const int v = 1;
};
__device__ int f(int a, int b) { return isref<res<decltype(&pick)>::type>::v; }

// case: partial_defaults
template <class T, class U = int, int N = 3> struct X {
	static const int v = 1;
};
template <class T> struct X<T *> {
	static const int v = 2;
};
template <class T, int N> struct X<T, float, N> {
	static const int v = 3 + N;
};
template <class T> struct X<T *, float, 5> {
	static const int v = 20;
};
__device__ int f(int a, int b) {
	return X<int>::v + X<int *>::v * 10 + X<int, float>::v * 100 + X<int *, float, 5>::v * 1000;
}

// case: nontype
template <class T, T v> struct C {};
template <class T> struct X {
	static const int v = 1;
};
template <class T, T n> struct X<C<T, n>> {
	static const int v = 2 + (int)n;
};
template <int N> struct X<C<int, N>> {
	static const int v = 100 + N;
};
template <> struct X<C<int, 7>> {
	static const int v = 1000;
};
__device__ int f(int a, int b) { return X<C<char, 3>>::v + X<C<int, 5>>::v + X<C<int, 7>>::v; }

// case: array_ref_deduce
template <class T, size_t N> __device__ int g(T (&)[N]) { return N; }
template <class T, size_t N, size_t M> __device__ int g(T (&)[N][M]) { return N * 10 + M; }
template <class T> __device__ int h(T *) { return 1; }
template <class T, size_t N> __device__ int h(const T (&)[N]) { return 2; }
template <class T> __device__ int k(T) { return sizeof(T); }
template <class T> __device__ int k2(const T &) { return sizeof(T); }
__device__ int f(int a, int b) {
	int x[3] = {0}, y[2][4] = {{0}};
	return g(x) + g(y) * 100 + k(x) * 10000 + k2(x) * 100000;
}

// case: noexcept_fn
template <class T> struct X {
	static const int v = 1;
};
template <class R, class... A> struct X<R(A...)> {
	static const int v = 2;
};
template <class R, class... A> struct X<R(A...) const> {
	static const int v = 3;
};
__device__ int f(int a, int b) { return X<int(int)>::v + X<int(int) const>::v * 10; }

// case: const_in_an_argument_of_an_alias
template <class T> using P = T *;
template <class T> __device__ int r(P<const T> p) { return *p; }
template <class T> __device__ int r2(P<const T> p, P<T> q) {
	*q += 1;
	return *p;
}
template <class T> using R = const T &;
template <class T> __device__ int r3(R<T> x) { return x + (int)sizeof(T); }
__device__ int f(int a, int b) {
	const int x = a;
	int y = b;
	double d = 2;
	return r(&x) + r(&y) * 10 + r2(&x, &y) + r3(a) + r3(d);
}

// case: aliases_of_pairs_and_arrays
template <class T, class U> struct pr {
	T a;
	U b;
};
template <class T> using PP = pr<T, const T *>;
template <class T> __device__ int r(PP<T> p) { return p.a + *p.b; }
template <class T> using Arr = T[3];
template <class T> __device__ int s(const Arr<T> &x) { return x[2]; }
template <class T> __device__ int s2(Arr<const T> &x) { return x[1]; }
__device__ int f(int a, int b) {
	int k = b;
	PP<int> p{a, &k};
	int q[3] = {1, 2, 3};
	const int q2[3] = {4, 5, a};
	return r(p) * 10 + s(q) + s2(q2);
}

// case: packs_are_whole_within_their_own_expansion
template <class T, T... N> struct numbers {
	static constexpr int sum = (0 + ... + int(N));
};
template <class S, unsigned... E> struct repeated;
template <class T, T... N, unsigned... E> struct repeated<numbers<T, N...>, E...> {
	using type = numbers<T, N..., sizeof...(N) + N..., 2 * sizeof...(N) + N..., E...>;
};
__device__ int f(int a, int b) {
	using none = repeated<numbers<unsigned>, 5>::type;
	using three = repeated<numbers<unsigned, 1, 2, 4>, 100, 200>::type;
	return a * none::sum + b * three::sum;
}

// case: aliases_show_some_of_their_parameters
template <bool B, class T = void> struct only_if {};
template <class T> struct only_if<true, T> {
	using type = T;
};
template <class T, class...> using first_of = T;
template <class... T> struct pack {};
template <class T> struct count;
template <class T> struct count<first_of<const T, char[sizeof(count<T>)]>> {
	static constexpr int value = count<T>::value * 10;
};
template <class T>
struct count<first_of<volatile T, typename only_if<!std::is_const<T>::value>::type, char[sizeof(count<T>)]>> {
	static constexpr int value = count<T>::value * 100;
};
template <class... T> struct count<pack<T...>> {
	static constexpr int value = sizeof...(T);
};
template <class T, class = int> struct counted {
	static constexpr bool value = false;
};
template <class T> struct counted<T, first_of<int, char[sizeof(count<T>)]>> {
	static constexpr bool value = true;
};
__device__ int f(int a, int b) {
	return a * count<const pack<int, double>>::value + b * count<volatile pack<int>>::value + counted<pack<>>::value +
		   counted<const pack<>>::value * 2 + counted<int>::value * 4;
}

// case: braces_in_arguments_of_specialisations
template <unsigned long A, unsigned long N, bool B = (A > 5)> struct step;
template <unsigned long A> struct step<A, ~std::uint64_t{0}, true> {
	static constexpr int value = 1;
};
template <unsigned long A> struct step<A, ~std::uint64_t{0}, false> {
	static constexpr int value = 2;
};
template <> struct step<std::uint64_t{3}, ~std::uint32_t{0}> : step<1, ~std::uint64_t{0}> {
	static constexpr int other = std::uint64_t{3} < std::uint64_t{4} ? 7 : 8;
};
__device__ int f(int a, int b) {
	return a * step<9, -1ul>::value + b * step<1, -1ul>::value + step<3, 0xffffffffu>::value * 100 +
		   step<3, 0xffffffffu>::other;
}
