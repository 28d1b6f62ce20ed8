// Partial ordering of templates, and the templates to which specialisations belong.

// case: specialise_more_special
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int g(T *) { return 2; }
template <> __device__ int g(double *) { return 5; }
template <class T> __device__ int h(T *) { return 2; }
template <class T> __device__ int h(const T *) { return 3; }
template <> __device__ int h<float>(const float *) { return 6; }
__device__ int f(int a, int b) {
	double d = 1;
	const float x = 1;
	float y = 2;
	return g(&d) + 10 * h(&x) + 100 * h(&y) + 1000 * g(&a);
}

// case: specialise_before_overload
template <class T> __device__ int g(T) { return 1; }
template <> __device__ int g(int *) { return 3; }
template <class T> __device__ int g(T *) { return 2; }
__device__ int f(int a, int b) { return g(&a) * 10 + g<int *>(&a); }

// case: value_or_reference
template <int L, class T> struct vec {
	T v[L];
};
template <class G> __device__ G most(G a, G b) { return a < b ? b : a; }
template <int L, class T> __device__ vec<L, T> most(vec<L, T> const &a, vec<L, T> const &b) {
	vec<L, T> r;
	for (int i = 0; i < L; i++) r.v[i] = most(a.v[i], b.v[i]);
	return r;
}
__device__ int f(int a, int b) {
	vec<2, int> x{{a, 3}}, y{{4, 5}};
	vec<2, int> m = most(x, y);
	return m.v[0] * 100 + m.v[1];
}

// case: specialise_by_result
template <class T> __device__ T filled(int v) { return 0; }
template <> __device__ int filled(int v) { return v; }
template <> __device__ int2 filled(int v) { return make_int2(v, v + 1); }
template <> __device__ double filled<double>(int v) { return v * 3; }
__device__ int f(int a, int b) {
	return filled<int>(4) + filled<int2>(5).y * 10 + (int)filled<double>(7) + (int)filled<float>(9);
}

// case: pointers_and_const
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int g(T *) { return 2; }
template <class T> __device__ int g(const T *) { return 3; }
template <class T> __device__ int g(T **) { return 4; }
template <class T, int N> __device__ int g(T (*)[N]) { return 5; }
__device__ int f(int a, int b) {
	int *p = &a;
	const int *q = p;
	int arr[3] = {0};
	return g(a) + g(p) * 10 + g(q) * 100 + g(&p) * 1000 + g(&arr) * 10000 + g(&q) * 100000;
}

// case: references_const
template <class T> __device__ int g(T &) { return 1; }
template <class T> __device__ int g(const T &) { return 2; }
template <class T> __device__ int h(T &&) { return 3; }
template <class T> __device__ int h(const T &) { return 4; }
template <class T> __device__ int k(T &) { return 5; }
template <class T> __device__ int k(T &&) { return 6; }
__device__ int f(int a, int b) {
	const int c = a;
	return g(a) + g(c) * 10 + h(a) * 100 + h(c) * 1000 + h(3) * 10000 + k(a) * 100000 + k(4) * 1000000;
}

// case: packs
template <class... A> __device__ int g(A...) { return 1; }
template <class T, class... A> __device__ int g(T, A...) { return 2; }
template <class T> __device__ int g(T) { return 3; }
template <class T, class U> __device__ int g(T, U) { return 4; }
template <class T> __device__ int g(T, T) { return 5; }
__device__ int f(int a, int b) { return g() + g(a) * 10 + g(a, 2.0) * 100 + g(a, b) * 1000 + g(a, b, a) * 10000; }

// case: non_template_beats
template <class T> __device__ int g(T) { return 1; }
__device__ int g(double) { return 2; }
__device__ int f(int a, int b) { return g(a) + g(1.0) * 10 + g(1.0f) * 100 + g<>(1.0) * 1000; }

// case: instances_of_templates
template <class T> struct P {
	T t;
};
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int g(P<T>) { return 2; }
template <class T> __device__ int g(P<P<T>>) { return 3; }
template <class T> __device__ int g(P<T *>) { return 4; }
__device__ int g(P<char>) { return 5; }
__device__ int f(int a, int b) {
	return g(a) + g(P<int>()) * 10 + g(P<P<int>>()) * 100 + g(P<int *>()) * 1000 + g(P<char>()) * 10000;
}

// case: default_argument_not_ordered
template <class T> __device__ int g(T, int = 3) { return 1; }
template <class T> __device__ int g(T *, double = 3) { return 2; }
__device__ int f(int a, int b) { return g(&a) + g(a) * 10; }

// case: extra_parameters
template <class T, class U> __device__ int g(T, U) { return 1; }
template <class T> __device__ int g(T, int) { return 2; }
template <class T, class U> __device__ int g(T *, U) { return 3; }
template <class T> __device__ int g(T *, int) { return 4; }
__device__ int f(int a, int b) { return g(a, 1.0) + g(a, 1) * 10 + g(&a, 1.0) * 100 + g(&a, 1) * 1000; }

// case: class_partial_order
template <class T, class U> struct C {
	static constexpr int v = 1;
};
template <class T> struct C<T, T> {
	static constexpr int v = 2;
};
template <class T, class U> struct C<T *, U> {
	static constexpr int v = 3;
};
template <class T> struct C<T *, T *> {
	static constexpr int v = 4;
};
template <class T> struct C<const T *, const T *> {
	static constexpr int v = 5;
};
__device__ int f(int a, int b) {
	return C<int, char>::v + C<int, int>::v * 10 + C<int *, int>::v * 100 + C<int *, int *>::v * 1000 +
		   C<const int *, const int *>::v * 10000;
}

// case: non_deduced_context
template <class T> struct Id {
	using type = T;
};
template <class T> __device__ int g(T, typename Id<T>::type) { return 1; }
template <class T> __device__ int g(T *, int) { return 2; }
__device__ int f(int a, int b) { return g(a, 2) + g(&a, 3) * 10; }

// case: value_parameters
template <int N> struct I {};
template <int N, int M> __device__ int g(I<N>, I<M>) { return 1; }
template <int N> __device__ int g(I<N>, I<N>) { return 2; }
template <int N> __device__ int g(I<0>, I<N>) { return 3; }
__device__ int g(I<0>, I<0>) { return 4; }
__device__ int f(int a, int b) {
	return g(I<1>(), I<2>()) + g(I<2>(), I<2>()) * 10 + g(I<0>(), I<3>()) * 100 + g(I<0>(), I<0>()) * 1000;
}

// case: vectors_with_array_of_value
template <class T, int D> struct data_t {
	__device__ T &operator[](int i) { return v[i]; }
	T v[D];
};
template <class T, int D> struct vec_t : public data_t<T, D> {};
template <class T, int D> __device__ vec_t<T, D> operator*(vec_t<T, D> a, vec_t<T, D> b) {
	vec_t<T, D> r;
	for (int i = 0; i < D; i++) r.v[i] = a.v[i] * b.v[i];
	return r;
}
template <class T, int D> __device__ vec_t<T, D> operator*(vec_t<T, D> a, T b) {
	vec_t<T, D> r;
	for (int i = 0; i < D; i++) r.v[i] = a.v[i] * b;
	return r;
}
template <class T, int D> __device__ vec_t<T, D> operator*(T b, vec_t<T, D> a) { return a * b; }
template <class T, class U, int D> __device__ vec_t<T, D> operator*(vec_t<T, D> a, U b) = delete;
__device__ int f(int a, int b) {
	vec_t<int, 3> x;
	x.v[0] = a;
	x.v[1] = b;
	x.v[2] = 2;
	x = x * 2;
	x = x * x;
	x = 3 * x;
	return x[0] + x[1] + x[2];
}

// case: member_templates_order
struct S {
	template <class T> __device__ int g(T) { return 1; }
	template <class T> __device__ int g(T *) const { return 2; }
	template <class T> __device__ int g(T *) { return 3; }
};
__device__ int f(int a, int b) {
	S s;
	const S c{};
	return s.g(a) + s.g(&a) * 10 + c.g(&a) * 100;
}

// case: specialise_pack
template <class... T> __device__ int n(T...) { return sizeof...(T); }
template <> __device__ int n(int, char) { return 42; }
template <> __device__ int n<double>(double) { return 43; }
__device__ int f(int a, int b) { return n(1, 'c') + n(1.0) * 100 + n(1, 2) * 10000; }

// case: forward_declared_specialisation
template <class T> __device__ int g(T);
template <> __device__ int g(int);
template <class T> __device__ int g(T) { return 1; }
__device__ int f(int a, int b) { return g(a) + g(1.0) * 10; }
template <> __device__ int g(int) { return 2; }
