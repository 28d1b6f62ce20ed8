// Members that are defined outside their class template, its partial specialisations, or their namespace.

// case: partial_specialisations
template <int L, class T, int Q> struct vec;
template <class T, int Q> struct vec<2, T, Q> {
	T x, y;
	__device__ vec(T s);
	__device__ vec(T a, T b);
	template <class U> __device__ vec(const vec<2, U, Q> &v);
	__device__ vec &operator+=(const vec &v);
	__device__ T &operator[](int i);
	__device__ T sum() const;
};
template <class T, int Q> struct vec<3, T, Q> {
	T x, y, z;
	__device__ vec(T s);
	__device__ vec(T a, T b, T c);
	__device__ vec &operator+=(const vec &v);
	__device__ T sum() const;
};
template <class T, int Q> __device__ vec<3, T, Q>::vec(T s) : x(s), y(s + 1), z(s + 2) {}
template <class T, int Q> __device__ vec<3, T, Q>::vec(T a, T b, T c) : x(a), y(b), z(c) {}
template <class T, int Q> __device__ vec<2, T, Q>::vec(T s) : x(s), y(s * 2) {}
template <class T, int Q> __device__ vec<2, T, Q>::vec(T a, T b) : x(a), y(b) {}
template <class T, int Q>
template <class U>
__device__ vec<2, T, Q>::vec(const vec<2, U, Q> &v) : x(T(v.x)), y(T(v.y) * Q) {}
template <class T, int Q> __device__ vec<3, T, Q> &vec<3, T, Q>::operator+=(const vec<3, T, Q> &v) {
	x += v.x, y += v.y, z += v.z;
	return *this;
}
template <class T, int Q> __device__ vec<2, T, Q> &vec<2, T, Q>::operator+=(const vec<2, T, Q> &v) {
	x -= v.x, y -= v.y;
	return *this;
}
template <class T, int Q> __device__ T &vec<2, T, Q>::operator[](int i) { return i ? y : x; }
template <class S, int P> __device__ S vec<2, S, P>::sum() const { return x * 3 + y * P; }
template <class T, int Q> __device__ T vec<3, T, Q>::sum() const { return x + 10 * y + 100 * z; }
__device__ int f(int a, int b) {
	vec<2, int, 5> v(a, b), w(a);
	v += w;
	w[1] = 7;
	vec<2, double, 5> d(v);
	vec<3, int, 1> t(a), u(1, 2, b);
	t += u;
	return v.sum() + w.sum() * 3 + int(d.sum()) * 5 + t.sum();
}

// case: primary_and_specialisations
template <class T> struct S {
	__device__ int f(int k) const;
};
template <class T> struct S<T *> {
	__device__ int f(int k) const;
};
template <class T> struct S<T **> {
	__device__ int f(int k) const;
};
template <class T> struct S<T &> {
	__device__ int f(int k) const;
};
template <class T, int N> struct S<T[N]> {
	__device__ int f(int k) const;
};
template <class R, class... A> struct S<R(A...)> {
	__device__ int f(int k) const;
};
template <> struct S<long> {
	__device__ int f(int k) const;
};
template <class R, class... A> __device__ int S<R(A...)>::f(int k) const { return k * 7 + sizeof...(A); }
template <class T, int N> __device__ int S<T[N]>::f(int k) const { return k * N; }
template <class T> __device__ int S<T &>::f(int k) const { return k * 4; }
template <class T> __device__ int S<T **>::f(int k) const { return k * 3; }
template <class T> __device__ int S<T>::f(int k) const { return k * 1; }
template <class T> __device__ int S<T *>::f(int k) const { return k * 2; }
template <> __device__ int S<short>::f(int k) const { return k * 100; }
__device__ int S<long>::f(int k) const { return k * 200; }
__device__ int f(int a, int b) {
	return S<int>().f(a) + S<int *>().f(b) * 3 + S<int **>().f(a) * 5 + S<int &>().f(b) * 7 + S<int[9]>().f(a) * 11 +
		   S<int(char, long)>().f(b) * 13 + S<short>().f(a) * 17 + S<long>().f(b) * 19;
}

// case: spelled_otherwise
template <class T, unsigned N> struct S {
	__device__ int f() const;
};
typedef unsigned int word;
template <class T> struct S<T, 4> {
	__device__ int f() const;
};
template <unsigned N> struct S<unsigned long, N> {
	__device__ int f() const;
};
template <class T> struct S<const T *, 2 + 3> {
	__device__ int f() const;
};
const int four = 4;
template <class U> __device__ int S<U, four>::f() const { return sizeof(U) + 40; }
template <unsigned M> __device__ int S<long unsigned int, M>::f() const { return M + 500; }
template <class U> __device__ int S<U const *, 5>::f() const { return sizeof(U) + 600; }
template <class U, word M> __device__ int S<U, M>::f() const { return sizeof(U) * M; }
__device__ int f(int a, int b) {
	return S<char, 3>().f() + S<short, 4>().f() * 10 + S<unsigned long, 9>().f() * 100 + S<const int *, 5>().f() + a -
		   b;
}

// case: parameters_in_another_order
template <class A, class B> struct P {
	__device__ int f() const;
};
template <class A, class B> struct P<B *, A> {
	__device__ int f() const;
};
template <class Y, class X> __device__ int P<X *, Y>::f() const { return sizeof(X) + 10 * sizeof(Y); }
template <class B, class A> __device__ int P<B, A>::f() const { return sizeof(B) + 100 * sizeof(A); }
__device__ int f(int a, int b) { return P<char, int>().f() + 7 * P<short *, long>().f() + a * b; }

// case: nested_class_templates
template <class T> struct A {
	struct N {
		__device__ int f(T t) const;
		template <class U> __device__ int g(T t, U u) const;
	};
	template <class U, int K = 3> struct B {
		__device__ int f(T t, U u) const;
		template <class V> __device__ int g(T t, U u, V v) const;
		struct C {
			U u;
			__device__ C(U v);
			__device__ T get() const;
		};
	};
	template <class U> struct B<U *, 1> {
		__device__ int f(T t, U u) const;
	};
};
template <class T> struct A<T *> {
	template <class U> struct B {
		__device__ int f(U u) const;
	};
};
template <class T> __device__ int A<T>::N::f(T t) const { return t * 2; }
template <class T> template <class U> __device__ int A<T>::N::g(T t, U u) const { return t * 2 + sizeof(U); }
template <class T> template <class U, int K> __device__ int A<T>::B<U, K>::f(T t, U u) const { return t * K + u; }
template <class X> template <class Y, int K> template <class Z> __device__ int A<X>::B<Y, K>::g(X t, Y u, Z v) const {
	return t * K + u * sizeof(Y) + v * sizeof(Z);
}
template <class T> template <class U, int K> __device__ A<T>::B<U, K>::C::C(U v) : u(v + K) {}
template <class T> template <class U, int K> __device__ T A<T>::B<U, K>::C::get() const { return T(u * 2); }
template <class T> template <class U> __device__ int A<T>::B<U *, 1>::f(T t, U u) const { return t * 1000 + u; }
template <class T> template <class U> __device__ int A<T *>::B<U>::f(U u) const { return u * sizeof(T); }
__device__ int f(int a, int b) {
	int r = A<int>::N().f(a) + A<short>::N().g(b, 1.0) * 3 + A<int>::B<long>().f(a, b) * 5;
	r += A<char>::B<short, 9>().g(3, 4, b) + A<long>::B<int, 2>::C(a).get() * 7;
	return r + A<int>::B<int *, 1>().f(a, b) + A<double *>::B<char>().f(char(b));
}

// case: templates_of_specialised_classes
template <class T> struct S {
	template <class U> __device__ int g(U u) const { return u; }
};
template <> struct S<int> {
	template <class U> __device__ int g(U u) const;
	template <class U> struct In {
		__device__ int h(U u) const;
	};
};
template <class U> __device__ int S<int>::g(U u) const { return u * 3; }
template <class U> __device__ int S<int>::In<U>::h(U u) const { return u * 5; }
template <> template <class U> __device__ int S<char>::g(U u) const { return u * 11; }
__device__ int f(int a, int b) {
	return S<int>().g(a) + S<char>().g(b) * 3 + S<long>().g(a) * 100 + S<int>::In<short>().h(short(b)) * 7;
}

// case: overloads_outside
template <class T> struct S {
	__device__ int g(int k) const;
	__device__ int g(int k);
	__device__ int g(T *k) const;
	__device__ int h() &;
	__device__ int h() &&;
	template <class U> __device__ int m(U u);
	template <class U> __device__ int m(U *u);
	template <int N> __device__ int m(int u);
};
template <class T> template <class V> __device__ int S<T>::m(V *u) { return *u * 2; }
template <class T> template <int M> __device__ int S<T>::m(int u) { return u * M; }
template <class T> template <class V> __device__ int S<T>::m(V u) { return u * 3; }
template <class T> __device__ int S<T>::h() && { return 1; }
template <class T> __device__ int S<T>::h() & { return 2; }
template <class T> __device__ int S<T>::g(int k) { return k * 5; }
template <class T> __device__ int S<T>::g(T *k) const { return *k * 7; }
template <class T> __device__ int S<T>::g(int k) const { return k * 11; }
__device__ int f(int a, int b) {
	S<int> s;
	const S<int> c{};
	return s.g(a) + c.g(b) * 3 + c.g(&a) * 17 + s.h() * 1000 + S<int>().h() * 10000 + s.m(a) + s.m(&b) * 31 + s.m<9>(b);
}

// case: static_members_of_specialisations
template <class T> struct S {
	static const int k;
	static constexpr int g(int i);
};
template <class T> struct S<T *> {
	static const int k;
	__device__ static int g(int i);
};
template <class T> __device__ int S<T *>::g(int i) { return i * k + sizeof(T); }
template <class T> const int S<T *>::k = 5 + sizeof(T);
template <class T> const int S<T>::k = 3;
__device__ int f(int a, int b) { return S<int>::k + S<int *>::k * 10 + S<short *>::k * 100 + S<char *>::g(a) * b; }

// case: functions_of_namespaces
namespace cct {
template <class T, int K = 4> __device__ int near(T t, int k = 2);
template <class T> __device__ int near(T *t, int k = 6);
__device__ int plain(int a, int b = 3);
const int factor = 9;
struct box {
	int v;
};
template <class T> __device__ box boxed(box b, T t);
namespace inner {
const int own = 13;
template <class T> __device__ T deep(T t);
} // namespace inner
} // namespace cct
template <class T, int K> __device__ int cct::near(T t, int k) { return t * factor + k * K; }
template <class T> __device__ int cct::near(T *t, int k) { return *t + k * factor * 10; }
__device__ int cct::plain(int a, int b) { return a * b + factor; }
template <class U> __device__ cct::box cct::boxed(cct::box b, U t) { return box{b.v + t * factor}; }
template <class T> __device__ T cct::inner::deep(T t) { return t * own + factor; }
__device__ int f(int a, int b) {
	return cct::near(a) + cct::near(&b) * 3 + cct::near<int, 8>(a, b) * 5 + cct::plain(b) +
		   cct::boxed(cct::box{a}, b).v * 7 + cct::inner::deep(a) * 11;
}

// case: overloads_of_namespaces
namespace one {
template <class T> struct V {
	T t;
};
template <class T> __device__ int g(V<T> v, T t);
template <class T> __device__ int g(T v, V<T> t);
template <class T, class U> __device__ int g(V<T> v, V<U> t);
} // namespace one
namespace two {
template <class T> __device__ int g(T t);
}
template <class A, class B> __device__ int one::g(one::V<A> v, one::V<B> t) { return v.t * 2 + t.t; }
template <class A> __device__ int one::g(A v, one::V<A> t) { return v * 3 + t.t; }
template <class A> __device__ int one::g(one::V<A> v, A t) { return v.t * 5 + t; }
template <class A> __device__ int two::g(A t) { return t * 7; }
__device__ int f(int a, int b) {
	one::V<int> v{a};
	one::V<long> w{b};
	return one::g(v, b) + one::g(a, v) * 3 + one::g(v, w) * 7 + two::g(b);
}

// case: specialised_in_namespaces
namespace ns {
template <class T> __device__ int g(T t) { return 1; }
template <class T> __device__ int h(T t);
struct P {
	template <class T> __device__ int m(T t) const { return 5; }
};
} // namespace ns
template <> __device__ int ns::g<int>(int t) { return t * 2; }
template <> __device__ int ns::g(short t) { return t * 3; }
template <class T> __device__ int ns::h(T t) { return t * 4; }
template <> __device__ int ns::h(char t) { return t * 9; }
template <> __device__ int ns::P::m(int t) const { return t * 13; }
__device__ int f(int a, int b) {
	return ns::g(a) + ns::g<int>(b) * 3 + ns::g(short(a)) * 5 + ns::g(2.0) * 7 + ns::h(a) + ns::h(char(b)) * 11 +
		   ns::P().m(a) + ns::P().m(2.0);
}

// case: before_the_definition
template <class T> struct S {
	__device__ int g(int k) const;
	template <class U> __device__ int m(U u) const;
};
template <class T> struct S<T *> {
	__device__ int g(int k) const;
	template <class U> __device__ int m(U u) const;
};
namespace ns {
template <class T> __device__ int h(T t);
}
__device__ int f(int a, int b) {
	return S<int>().g(a) + S<int *>().g(b) * 3 + S<int>().m(b) * 5 + S<int *>().m(a) * 7 + ns::h(a) * 11;
}
template <class T> __device__ int S<T *>::g(int k) const { return k * 2; }
template <class T> __device__ int S<T>::g(int k) const { return k * 4; }
template <class T> template <class U> __device__ int S<T *>::m(U k) const { return k * 8; }
template <class T> template <class U> __device__ int S<T>::m(U k) const { return k * 16; }
template <class T> __device__ int ns::h(T t) { return t * 3; }

// case: constrained_by_enable_if
template <bool B, class T = void> struct only {};
template <class T> struct only<true, T> {
	typedef T type;
};
template <class T, class E = void> struct S {
	__device__ int g(T k) const;
};
template <class T> struct S<T, typename only<(sizeof(T) > 4)>::type> {
	__device__ int g(T k) const;
	__device__ ~S();
	int *at;
};
template <class T> __device__ int S<T, typename only<(sizeof(T) > 4)>::type>::g(T k) const { return k * 2; }
template <class T> __device__ S<T, typename only<(sizeof(T) > 4)>::type>::~S() { *at += 3; }
template <class T, class E> __device__ int S<T, E>::g(T k) const { return k * 3; }
__device__ int f(int a, int b) {
	int r = 0;
	{
		S<long> s{&a};
		r += s.g(a);
	}
	return r + S<int>().g(b) * 5 + a;
}

// case: packs_outside
template <class... T> struct tup;
template <> struct tup<> {
	__device__ int sum() const { return 0; }
};
template <class H, class... T> struct tup<H, T...> {
	H h;
	tup<T...> t;
	__device__ tup(H a, T... b);
	__device__ int sum() const;
};
template <class H, class... R> __device__ tup<H, R...>::tup(H a, R... b) : h(a), t(b...) {}
template <class H, class... R> __device__ int tup<H, R...>::sum() const { return h + 2 * t.sum() + sizeof...(R); }
template <class... T> struct all {
	template <class... U> __device__ int count(U... u) const;
};
template <class... A> template <class... B> __device__ int all<A...>::count(B... u) const {
	return sizeof...(A) * 10 + sizeof...(B) + (u + ... + 0);
}
__device__ int f(int a, int b) { return tup<int, short, long>(a, 3, b).sum() + all<int, char>().count(a, b, 5); }

// case: defaults_of_earlier_declarations
namespace ns {
template <class T, class U = T> __device__ T near(T a, U b = U(4), int c = sizeof(U), float = 2);
template <class T, int N = 3> __device__ int many(T a, int = N * 2);
} // namespace ns
template <class T> struct S {
	template <class V> __device__ int m(V v, T t = T(sizeof(V)), V w = V{}) const;
};
namespace ns {
template <class A, class B> __device__ A near(A a, B b, int c, float d) { return a * b + c * int(d); }
template <class T, int M> __device__ int many(T a, int n) { return a + n * M; }
} // namespace ns
template <class W> template <class U> __device__ int S<W>::m(U v, W t, U w) const { return v + t * 10 + w; }
__device__ int f(int a, int b) {
	return ns::near(a) + ns::near(a, short(b)) * 3 + ns::near(a, b, 5) + ns::many(a) * 7 + ns::many<int, 9>(b) * 11 +
		   S<int>().m(short(a)) + S<char>().m(b, 3, a);
}

// case: enumerators_as_arguments
template <class T, int D> struct vec {
	T v[D];
	__device__ vec(const T &t) {
		for (int i = 0; i < D; i++) v[i] = t;
	}
};
template <class T, int D> __device__ vec<T, D> most(vec<T, D> a, vec<T, D> b) { return a.v[0] < b.v[0] ? b : a; }
template <class S, int N> struct pod {
	enum { count = N };
	enum class E { n = N };
	vec<S, count> one;
	vec<S, (int)E::n> two;
	vec<S, N + 0u> three;
	vec<S, (char)N> four;
};
__device__ vec<int, 2> operator<<(vec<int, 2> v, int n) { return vec<int, 2>(v.v[0] << n); }
__device__ int f(int a, int b) {
	pod<int, 2> p{a, b, a, b};
	vec<int, 2> q = p.four;
	enum { five = 5 };
	enum small : unsigned char { six = 6 };
	return most(most(p.one, p.three), most(p.two, q)).v[0] + (1 << five) + (1u << p.count) + (p.one << five).v[1];
}

// case: classes_in_class_templates
struct layout {
	template <class E> struct map;
	struct step;
};
template <class E> struct layout::map {
	E e;
	template <class O> __device__ int with(const layout::map<O> &o) const { return e * 10 + o.e; }
	struct in;
	template <class T, int N> struct two;
	template <class T> struct wide {
		T t;
	};
};
struct layout::step {
	int n;
};
template <class X> struct layout::map<X>::in {
	X a, b;
	__device__ X sum() const { return a + b * 3; }
};
template <class X> template <class T, int N> struct layout::map<X>::two : layout::map<X>::in {
	T t;
	__device__ int all() const { return this->sum() + t * N; }
};
namespace ns {
template <class T> struct box {
	struct node;
	node *first = nullptr;
	__device__ void push(node &n);
};
} // namespace ns
template <class U> struct ns::box<U>::node {
	U value;
	node *next;
};
template <class U> __device__ void ns::box<U>::push(node &n) {
	n.next = first;
	first = &n;
}
__device__ int f(int a, int b) {
	layout::map<int> m{a};
	layout::map<short> n{short(b)};
	layout::map<int>::in i{a, b};
	layout::map<int>::two<char, 5> t;
	t.a = b, t.b = a, t.t = char(a);
	ns::box<int> x;
	ns::box<int>::node one{a, nullptr}, two{b, nullptr};
	x.push(one), x.push(two);
	layout::step s{7};
	return m.with(n) + i.sum() + t.all() + x.first->value * 2 + x.first->next->value + s.n;
}

// case: tags_in_template_arguments
template <class> struct tag;
template <class T, class...> extern T dependent;
template <class Impl, class... A> using impl = decltype(dependent<Impl, A...>);
template <class T>
constexpr bool dereferenceable = impl<struct detail_1, T>::holds(static_cast<tag<void(T)> *>(nullptr), 0);
struct detail_1 {
	using self = detail_1;
	template <class T> __device__ static auto is_so(T &t) -> decltype(static_cast<void>(*t), void()) {}
	template <class... A, class = decltype(&self::is_so<A...>)>
	__device__ static constexpr bool holds(tag<void(A...)> *, int) {
		return true;
	}
	__device__ static constexpr bool holds(void *, long) { return false; }
};
struct beside {
	int n;
};
template <class T> __device__ int with_tag(T t) {
	struct beside b{int(t)};
	return b.n;
}
__device__ int f(int a, int b) {
	int n = dereferenceable<int *> + dereferenceable<int> * 2 + dereferenceable<char **> * 4;
	return n + with_tag(a) * 8 + with_tag(b);
}
