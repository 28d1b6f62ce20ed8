// What the device versions of the standard headers have: tuples, pairs, lists, optional values, bytes.
#include <algorithm>
#include <bitset>
#include <complex>
#include <string_view>
#include <tuple>
#include <utility>
#include <initializer_list>
#include <optional>
#include <cstddef>
#include <functional>
#include <array>
#include <iterator>

// case: il_ctor
struct V {
	int n, s;
	__device__ V(std::initializer_list<int> l) : n((int)l.size()), s(0) {
		for (int x : l) s += x;
	}
};
__device__ int f(int a, int b) {
	V v{a, b, 3};
	V w = {a};
	V x({b, 2});
	return v.n * 100 + v.s + w.s * 7 + x.n;
}

// case: il_min_max
__device__ int f(int a, int b) { return std::min({a, b, 3}) * 100 + std::max({a, b, 12, 4}); }

// case: il_minmax_less
__device__ int f(int a, int b) {
	return std::min({a, b, 3}, [](int x, int y) { return x > y; });
}

// case: il_range_for
__device__ int f(int a, int b) {
	int s = 0;
	for (int x : {a, b, 7}) s = s * 3 + x;
	for (auto x : {1.5f, 2.5f}) s += (int)(x * 2);
	return s;
}

// case: il_auto
__device__ int f(int a, int b) {
	auto l = {a, b, 5};
	int s = 0;
	for (auto p = l.begin(); p != l.end(); ++p) s = s * 2 + *p;
	return s + l.size();
}

// case: il_param
__device__ int sum(std::initializer_list<int> l) {
	int s = 0;
	for (auto x : l) s += x;
	return s;
}
__device__ int f(int a, int b) { return sum({a, b, 1}) + sum({}) + sum({a}); }

// case: il_template_param
template <class T> __device__ T sum(std::initializer_list<T> l) {
	T s = 0;
	for (auto x : l) s += x;
	return s;
}
__device__ int f(int a, int b) { return sum({a, b, 1}) + (int)sum({1.5, 2.5}) + sum<int>({a, 'x'}); }

// case: il_ctor_preferred
struct W {
	int k;
	__device__ W(int n, int v) : k(n * 10 + v) {}
	__device__ W(std::initializer_list<int> l) : k(1000 + l.size()) {}
	__device__ W() : k(-1) {}
};
__device__ int f(int a, int b) {
	W x(a, b);
	W y{a, b};
	W z{};
	return x.k + y.k * 3 + z.k * 5;
}

// case: il_vec_class
template <class T, int N> struct Vec {
	T v[N];
	__device__ Vec(std::initializer_list<T> l) {
		int i = 0;
		for (const T &x : l) {
			if (i < N) v[i++] = x;
		}
		for (; i < N; i++) v[i] = T(0);
	}
	__device__ T operator[](int i) const { return v[i]; }
};
__device__ Vec<float, 3> mk(int a) { return {(float)a, 2.0f}; }
__device__ int f(int a, int b) {
	Vec<int, 4> v{a, b, 3};
	auto w = mk(a);
	return v[0] * 3 + v[1] * 5 + v[3] + (int)(w[0] * 2 + w[1] + w[2]);
}

// case: tuple_basic gives double
__device__ double f(int a, int b) {
	std::tuple<int, double, char> t(a, b * 0.5, 'x');
	auto u = std::make_tuple(b, 2.5f);
	std::get<0>(t) += 2;
	return std::get<0>(t) + std::get<1>(t) + std::get<2>(t) + std::get<1>(u) * std::get<0>(u);
}

// case: tuple_tie
__device__ std::tuple<int, int> dm(int a, int b) { return std::make_tuple(a / (b + 1), a % (b + 1)); }
__device__ std::tuple<int, float> two(int a) { return {a, a * 0.5f}; }
__device__ int f(int a, int b) {
	int q, r;
	std::tie(q, r) = dm(a, b);
	int k;
	std::tie(k, std::ignore) = two(a);
	return q * 100 + r + k;
}

// case: tuple_bindings
__device__ std::tuple<int, float, short> mk(int a, int b) { return {a, b * 0.5f, (short)(a + b)}; }
__device__ int f(int a, int b) {
	auto [x, y, z] = mk(a, b);
	auto t = std::make_tuple(a, b);
	auto &[p, q] = t;
	p += 5;
	q *= 2;
	return x + (int)(y * 2) + z + std::get<0>(t) * 10 + std::get<1>(t);
}

// case: tuple_compare
__device__ int f(int a, int b) {
	auto t = std::make_tuple(a, b), u = std::make_tuple(b, a);
	return (t < u) + 2 * (t == u) + 4 * (t != u) + 8 * (t > u) + 16 * (t <= u) + 32 * (t >= u) +
		   64 * (std::tie(a, b) < std::tie(b, a));
}

// case: tuple_get_type gives double
__device__ double f(int a, int b) {
	std::tuple<int, double> t{a, b * .5};
	std::pair<int, float> p{a, 2.f};
	return std::get<int>(t) + std::get<double>(t) * 3 + std::get<float>(p);
}

// case: tuple_cat
__device__ int f(int a, int b) {
	auto t = std::tuple_cat(std::make_tuple(a), std::make_tuple(b, 3.5f));
	return std::get<0>(t) + std::get<1>(t) * 10 + (int)(std::get<2>(t) * 2) +
		   std::tuple_size<decltype(t)>::value * 1000;
}

// case: apply
__device__ int g(int a, int b, int c) { return a * 100 + b * 10 + c; }
__device__ int f(int a, int b) {
	auto t = std::make_tuple(a, b, 3);
	return std::apply([](auto... x) { return (x + ...); }, t) + std::apply(g, std::make_tuple(b, a, 1)) +
		   std::apply([](int x, int y) { return x - y; }, std::make_pair(a, b));
}

// case: pair_complete
__device__ std::pair<int, float> mk(int a) { return {a, a * 0.5f}; }
__device__ int f(int a, int b) {
	auto [i, x] = mk(a);
	std::pair<int, int> p(a, b), q;
	q = p;
	q.first++;
	std::swap(p, q);
	p.swap(q);
	int u, v;
	std::tie(u, v) = q;
	std::pair<long long, double> w = p;
	auto r = std::make_pair(a, 'c');
	std::pair<int, int> e = {b, a};
	auto [c1, c2] = std::minmax(a, b);
	return i + (int)(2 * x) + u * 3 + v + (int)w.first + r.second + (p < q) + (e == p) + c1 * 7 + c2 + std::get<0>(e);
}

// case: nullptr_t
__device__ int g(std::nullptr_t) { return 1; }
__device__ int g(int *) { return 2; }
__device__ int f(int a, int b) {
	std::nullptr_t n = nullptr;
	int *p = n;
	return g(nullptr) + g(&a) * 10 + (p == nullptr) + std::is_same<decltype(nullptr), std::nullptr_t>::value * 5;
}

// case: byte
__device__ int f(int a, int b) {
	std::byte x{0x0f}, y = std::byte(a & 255);
	x |= y;
	x <<= 1;
	return std::to_integer<int>(x) + (int)(y & std::byte{3}) + (x == y) + std::to_integer<int>(~y ^ x) + (int)(y >> 1);
}

// case: sequences
template <int... I> __device__ int g(std::integer_sequence<int, I...>, int a) { return ((I * a) + ...); }
template <class T, std::size_t... I> __device__ int h(const T &t, std::index_sequence<I...>) {
	return ((std::get<I>(t) * (int)(I + 1)) + ...);
}
__device__ int f(int a, int b) {
	return g(std::make_integer_sequence<int, 5>{}, a) + h(std::make_tuple(a, b, 2), std::make_index_sequence<3>{}) +
		   h(std::array<int, 2>{a, b}, std::index_sequence<1, 0>{}) + std::index_sequence_for<int, float>::size();
}

// case: optional
__device__ std::optional<int> half(int a) {
	if (a % 2) return std::nullopt;
	return a / 2;
}
__device__ int f(int a, int b) {
	auto h = half(a);
	std::optional<float> o;
	int r = h ? *h : -5;
	r += half(b).value_or(77) * 10;
	if (!o) {
		o = 2.5f;
	}
	r += (int)(*o * 2);
	o.reset();
	r += o.has_value();
	o.emplace(3.f);
	r += (int)o.value();
	struct P {
		int x, y;
	};
	std::optional<P> p = P{a, b};
	r += p->x + p->y;
	return r + (h == half(a)) + (h == 3);
}

// case: tuple_functions
template <class... T> __device__ int total(const std::tuple<T...> &t) {
	return std::apply([](const auto &...x) { return (int)(0 + ... + x); }, t);
}
__device__ int f(int a, int b) {
	std::tuple<int, std::tuple<int, int>> n{a, {b, 3}};
	auto t = std::forward_as_tuple(a, b);
	std::get<0>(t) = 9;
	using E = std::tuple_element_t<1, std::tuple<int, float>>;
	E e = 1.5f;
	std::tuple<> none;
	(void)none;
	return total(std::make_tuple(a, 2.5, b)) + std::get<1>(std::get<1>(n)) + (int)(e * 2) +
		   std::tuple_size_v<std::tuple<int, char, int>>;
}

// case: tuple_move_ref
__device__ int f(int a, int b) {
	int x = 1;
	std::tuple<int &, int> t(x, b);
	std::get<0>(t) = a;
	auto [r, s] = t;
	r += 2;
	std::tuple u{a, 2.5f};
	std::pair p{1, b};
	return x + s + (int)std::get<1>(u) + p.second;
}

// case: minmax_il
__device__ int f(int a, int b) {
	auto p = std::minmax({a, b, 5});
	return p.first * 100 + p.second;
}

// case: il_nested_static
__device__ int f(int a, int b) {
	int best = -1000;
	for (auto [w, s] : {std::pair<int, int>{1, 2}, {3, 4}, {5, 6}}) {
		int v = w * a - s * b;
		if (v > best) best = v;
	}
	return best;
}

// case: decltype_names
template <class T> struct Is {
	static constexpr int v =
		std::is_reference<T>::value + 2 * std::is_const<T>::value + 4 * std::is_lvalue_reference<T>::value;
};
__device__ int f(int a, int b) {
	const int c = a;
	int &r = b;
	int x = 3;
	r += 0;
	return Is<decltype(a)>::v + 10 * Is<decltype(c)>::v + 100 * Is<decltype(r)>::v + 1000 * Is<decltype((x))>::v + x +
		   c + std::is_same_v<decltype(x), int> * 10000;
}

// case: optional_objects
struct C {
	int *n;
	int v;
	__device__ C(int *n, int v) : n(n), v(v) { ++*n; }
	__device__ C(const C &o) : n(o.n), v(o.v + 1) { ++*n; }
	__device__ ~C() { --*n; }
	__device__ C &operator=(const C &o) {
		v = o.v + 10;
		return *this;
	}
};
struct V3 {
	float x, y, z;
	__device__ V3(float x, float y, float z) : x(x), y(y), z(z) {}
	__device__ float sum() const { return x + y + z; }
};
__device__ std::optional<V3> mk(int a) {
	if (a & 1) return V3(a, 1, 2);
	return {};
}
__device__ int f(int a, int b) {
	int n = 0, r = 0;
	{
		std::optional<C> o;
		if (b & 1) o.emplace(&n, a);
		std::optional<C> p = o;
		r += n * 100;
		if (p) r += p->v;
		p = std::nullopt;
		r += n * 10;
		o = C(&n, b);
		r += o->v;
	}
	auto v = mk(a);
	r += n * 1000;
	if (v) r += (int)v->sum();
	return r + mk(b).has_value();
}

// case: list_objects_destroyed
struct C {
	int *n;
	__device__ C(int *n) : n(n) { ++*n; }
	__device__ C(const C &o) : n(o.n) { ++*n; }
	__device__ ~C() { --*n; }
};
struct L {
	int k;
	__device__ L(std::initializer_list<C> l) : k(0) {
		for (auto &c : l) k += *c.n;
	}
};
__device__ int g(std::initializer_list<C> l) { return l.size() * 10 + *l.begin()->n; }
__device__ int f(int a, int b) {
	int n = 0;
	int r = g({C(&n), &n, C(&n)});
	r += n * 1000;
	L l{C(&n), C(&n)};
	return r + l.k + n * 100;
}

// case: array_of_objects_unsized
struct P {
	int x;
	__device__ P(int x) : x(x) {}
};
struct D {
	int x = 4;
	int y;
};
__device__ int f(int a, int b) {
	P p[] = {P(a), P(b), 3};
	D d[] = {{a, b}, {}};
	std::pair<int, int> q[] = {{a, b}, {b, a}};
	return p[b % 3].x + sizeof(p) + d[b & 1].x + q[b & 1].second;
}

// case: pairs_move_their_elements
struct T {
	int *n;
	__device__ T(int *n) : n(n) { *n += 1; }
	__device__ T(const T &o) : n(o.n) { *n += 10; }
	__device__ T(T &&o) : n(o.n) { *n += 100; }
	__device__ T &operator=(const T &o) {
		*n += 1000;
		return *this;
	}
	__device__ T &operator=(T &&o) {
		*n += 10000;
		return *this;
	}
	__device__ ~T() { *n += 100000; }
};
__device__ std::pair<T, int> made(int *n, int b) { return {T(n), b}; }
__device__ int f(int a, int b) {
	int n = 0;
	{
		T t(&n);
		auto p = std::make_pair(std::move(t), 2);
		std::pair<T, int> q(std::move(p)), r(t, 3);
		std::pair s(std::move(t), 4);
		std::pair<T, long> u(std::move(q)), v(r);
		r = std::move(s);
		s = r;
		u = std::move(r);
		u = s;
		auto w = made(&n, b);
		T x(std::get<0>(std::move(w))), y(std::get<0>(w)), z(std::get<T>(std::move(w)));
		std::swap(r, s);
		r.swap(w);
		n += p.second + u.second + std::get<1>(w);
	}
	return n;
}

// case: tuples_move_their_elements
struct T {
	int *n;
	__device__ T(int *n) : n(n) { *n += 1; }
	__device__ T(const T &o) : n(o.n) { *n += 10; }
	__device__ T(T &&o) : n(o.n) { *n += 100; }
	__device__ T &operator=(const T &o) {
		*n += 1000;
		return *this;
	}
	__device__ T &operator=(T &&o) {
		*n += 10000;
		return *this;
	}
	__device__ ~T() { *n += 100000; }
};
struct Made {
	T t;
	int i;
	__device__ Made(T &&t, int i) : t(std::move(t)), i(i) {}
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		T t(&n);
		std::tuple<T, int> u(std::move(t), 1), c(t, 2);
		auto v = std::move(u);
		auto m = std::make_tuple(std::move(t), a, t);
		std::tuple<T, long, T> w(std::move(m)), x(m);
		w = std::move(x);
		w = x;
		x = std::move(m);
		T first(std::get<0>(std::move(w))), second(std::get<0>(w));
		auto joined = std::tuple_cat(std::move(u), v, std::make_tuple(b), std::make_pair(std::move(t), t));
		n += std::get<3>(joined) + std::get<1>(joined);
		n += std::apply([](T t, int i, T &&u) { return *t.n % 7 + i; }, std::make_tuple(t, 3, std::move(t)));
		auto made = std::make_from_tuple<Made>(std::move(u));
		auto given = std::forward_as_tuple(std::move(t), a);
		std::tuple<T, int> taken(std::move(given));
		std::tuple<T, int> from_pair(std::make_pair(t, 1));
		from_pair = std::make_pair(t, b);
		std::swap(u, v);
		n += std::get<1>(from_pair) + made.i + std::get<1>(taken);
	}
	return n;
}

// case: optionals_move_their_values
struct T {
	int *n;
	__device__ T(int *n) : n(n) { *n += 1; }
	__device__ T(const T &o) : n(o.n) { *n += 10; }
	__device__ T(T &&o) : n(o.n) { *n += 100; }
	__device__ T &operator=(const T &o) {
		*n += 1000;
		return *this;
	}
	__device__ T &operator=(T &&o) {
		*n += 10000;
		return *this;
	}
	__device__ ~T() { *n += 100000; }
};
__device__ int f(int a, int b) {
	int n = 0;
	{
		T t(&n);
		std::optional<T> o(std::move(t)), p(o), q(std::move(o)), none, from(&n);
		p = q;
		p = std::move(q);
		none = std::move(p);
		p = std::nullopt;
		p = t;
		p = std::move(t);
		T u = *std::move(p), v = std::move(p).value(), w = p.value();
		T x = p.value_or(&n), y = std::move(p).value_or(&n), z = std::optional<T>().value_or(t);
		auto made = std::make_optional(std::move(t));
		made.reset();
		made.swap(none);
		std::swap(made, q);
		std::optional<int *> pointer(&n);
		std::optional<T> converted(pointer);
		converted = pointer;
		auto whole = std::make_optional<T>(&n);
		n += made.has_value() + 2 * none.has_value();
	}
	return n;
}

// case: arrays_and_algorithms_move
struct T {
	int *n;
	int v;
	__device__ T(int *n, int v) : n(n), v(v) { *n += 1; }
	__device__ T(const T &o) : n(o.n), v(o.v) { *n += 10; }
	__device__ T(T &&o) : n(o.n), v(o.v) { *n += 100; }
	__device__ T &operator=(const T &o) {
		v = o.v, *n += 1000;
		return *this;
	}
	__device__ T &operator=(T &&o) {
		v = o.v, *n += 10000;
		return *this;
	}
};
struct Counts {
	int *n;
	__device__ bool operator()(const T &t) {
		++*n;
		return t.v > 3;
	}
};
__device__ int f(int a, int b) {
	int n = 0;
	std::array<T, 2> x = {T(&n, a), T(&n, b)}, y = x, z = std::move(x);
	x.swap(y);
	std::swap(y, z);
	T t(std::get<0>(std::move(x))), u(std::get<1>(x));
	std::swap(t, u);
	T old = std::exchange(t, std::move(u)), older = std::exchange(t, old);
	std::iter_swap(&x[0], &x[1]);
	std::reverse(x.begin(), x.end());
	int tests = 0;
	Counts counts{&tests};
	n += std::count_if(x.begin(), x.end(), std::ref(counts)) + std::all_of(y.begin(), y.end(), counts);
	n += std::find_if(x.begin(), x.end(), [&](const T &t) { return t.v == b; }) - x.begin();
	auto r = std::make_pair(std::ref(tests), std::cref(n));
	r.first += 5;
	return n + 1000 * tests + r.second % 7 + older.v;
}

// case: pairs_of_what_moves_only
struct Only {
	int v;
	__device__ explicit Only(int v) : v(v) {}
	__device__ Only(Only &&o) : v(o.v) { o.v = -1; }
	__device__ Only &operator=(Only &&o) {
		v = o.v, o.v = -2;
		return *this;
	}
};
__device__ int f(int a, int b) {
	std::pair<Only, int> p(Only(a), b), q(std::move(p));
	std::pair<Only, Only> both(std::piecewise_construct, std::forward_as_tuple(a), std::forward_as_tuple(b));
	std::tuple<Only, int> t(Only(b), a), u(std::move(t));
	u = std::move(t);
	std::optional<Only> o(std::move(q.first)), none;
	none = std::move(o);
	auto m = std::make_tuple(std::move(*none), 3);
	auto joined = std::tuple_cat(std::move(m), std::make_tuple(Only(b), a));
	std::swap(p, q);
	return p.first.v + 10 * q.first.v + 100 * std::get<0>(joined).v + 1000 * std::get<2>(joined).v + both.second.v +
		   std::get<0>(u).v;
}

// case: references_in_pairs_and_tuples
__device__ int f(int a, int b) {
	int x = a, y = b;
	std::pair<int &, int> p(x, 3), q(p);
	q.first = 7;
	q = std::make_pair(b, 2);
	std::tie(x, y) = std::make_pair(y, x);
	std::tie(x, std::ignore) = std::make_tuple(x + 1, 2);
	auto t = std::forward_as_tuple(x, 4);
	std::get<0>(t) += 5;
	auto m = std::make_tuple(std::ref(y), std::cref(x));
	std::get<0>(m) *= 3;
	int &&r = std::get<1>(std::move(t));
	std::pair<const int, float> c(1, 2);
	std::pair<int, double> d = c;
	std::pair<long, long> zero(0, {});
	static_assert(std::is_same_v<decltype(m), std::tuple<int &, const int &>>);
	static_assert(std::is_same_v<decltype(std::get<0>(std::move(m))), int &>);
	static_assert(std::is_same_v<decltype(std::get<0>(std::move(p))), int &>);
	static_assert(std::is_same_v<decltype(std::get<1>(std::move(p))), int &&>);
	auto [u, v] = std::apply([](auto &&...values) { return std::make_pair((values + ...), sizeof...(values)); }, m);
	return x + 100 * y + q.first + r * 0 + std::get<1>(m) + int(d.second) + u * int(v) + zero.second;
}

// case: decltype_of_an_xvalue
struct S {
	int a;
};
struct Q {
	S s;
	int v[2];
};
__device__ int &&moved(int &p) { return static_cast<int &&>(p); }
__device__ S &&moved(S &p) { return static_cast<S &&>(p); }
template <class F> __device__ decltype(auto) same(F f) { return f(); }
__device__ int kind(int &) { return 1; }
__device__ int kind(const int &) { return 2; }
__device__ int kind(int &&) { return 3; }
__device__ int f(int a, int b) {
	int x = a;
	const int c = b;
	S s{b};
	Q q{{a}, {b, a}};
	static_assert(std::is_same_v<decltype(moved(x)), int &&>);
	static_assert(std::is_same_v<decltype(std::move(x)), int &&>);
	static_assert(std::is_same_v<decltype(std::move(c)), const int &&>);
	static_assert(std::is_same_v<decltype(static_cast<int &&>(x)), int &&>);
	static_assert(std::is_same_v<decltype(moved(s)), S &&>);
	static_assert(std::is_same_v<decltype(moved(s).a), int>);
	static_assert(std::is_same_v<decltype((moved(s).a)), int &&>);
	static_assert(std::is_same_v<decltype((s.a)), int &>);
	static_assert(std::is_same_v<decltype(std::move(q.s)), S &&>);
	decltype(std::move(x)) r = std::move(x);
	r += 2;
	return kind(same([&]() -> int && { return std::move(x); })) + 10 * kind(same([&]() -> int & { return x; })) +
		   100 * kind(same([&]() -> const int & { return x; })) + 1000 * x + kind(moved(q.s).a);
}

// case: the_traits_of_an_iterator_derive_from_libstdcxx_ones
struct Input {
	using iterator_category = std::input_iterator_tag;
	using value_type = int;
	using difference_type = long;
	using pointer = const int *;
	using reference = int;
};
template <class T> constexpr bool primary = std::is_base_of_v<std::__iterator_traits<T>, std::iterator_traits<T>>;
static_assert(primary<Input> && primary<int> && !primary<int *>, "which are the primary template's");
static_assert(std::is_same_v<std::iterator_traits<Input>::difference_type, long>, "its members are inherited");
__device__ int f(int a, int b) { return primary<Input> * a + primary<int *> * b; }

// case: bitset
__device__ int f(int a, int b) {
	std::bitset<70> x(static_cast<unsigned long long>(a) * 77777u), y;
	y.set(69).set(b & 63);
	x = (x << 9 | y) ^ (y >> 3);
	x.flip(2);
	std::bitset<5> z("01101");
	int s = (int)x.count() * 3 + x.test(69) * 2 + x.any() + x[5] + (x == y) + (int)z.to_ulong() * 7 + (~z).all();
	for (unsigned i = 0; i < x.size(); ++i) s = s * 3 + x[i];
	return s;
}

// case: string_view
__device__ int f(int a, int b) {
	using namespace std::literals;
	std::string_view all = "the quick brown fox, the lazy dog", word = all.substr(a & 7, 5);
	int s = (int)all.find("the", 1) + (int)all.rfind('o') * 2 + (int)all.find_first_of("xyz") * 3;
	s += (int)all.find_last_not_of("gdo") * 5 + all.find("cat"sv) * 7 + (word < "quick"sv) + (word == "quick");
	all.remove_prefix(b & 3);
	return s * 10 + all.front() + all.back() + (int)all.size() + (word.compare("ick") > 0);
}

// case: complex
__device__ int f(int a, int b) {
	using namespace std::literals;
	std::complex<double> x(a, b), y = x * x - 2.0 * x + 1.0i;
	y /= std::complex<double>(0, 2);
	std::complex<float> z(y);
	auto p = std::proj(y) + conj(y) + 3.0 - 2i;
	return (int)(y.real() * 4) + (int)(y.imag() * 4) * 3 + (y == x) + (int)norm(z) + (int)(p.real() * 8 - p.imag()) +
		   (int)(std::abs(y) * 100 + std::sqrt(2.0) * std::abs(-a));
}
