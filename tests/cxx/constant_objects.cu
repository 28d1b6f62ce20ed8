// Objects whose constructors the compiler makes, in constant expressions, and const objects without initialisers.
#define BOTH __host__ __device__

struct Adds {
	BOTH constexpr int operator()(int a) const { return a + 1; }
};

// case: an_inherited_constructor_is_constexpr
struct Base {
	int x;
	BOTH constexpr Base(int x, int y) : x(x * 10 + y) {}
};
struct Middle : Base {
	using Base::Base;
};
struct Outer : Middle {
	using Middle::Middle;
	int own = x + 5;
};
BOTH constexpr int made(int n) {
	Outer one(n, 4), other(one);
	return other.own + other.x;
}
static_assert(made(3) == 73, "made at compile time");
__device__ int f(int a, int b) { return made(a) * 3 + Outer(b, a).own; }

// case: an_implicit_copy_is_constexpr
struct Copied {
	int x;
	BOTH constexpr Copied(int x) : x(x) {}
	BOTH constexpr Copied(const Copied &other) : x(other.x + 1) {}
	BOTH constexpr Copied &operator=(const Copied &other) {
		x = other.x + 100;
		return *this;
	}
};
struct Around {
	Copied first, second[2];
};
BOTH constexpr int copied(int n) {
	Around one{n, {n + 1, n + 2}}, two(one), three{0, {0, 0}};
	three = two;
	return two.first.x + two.second[1].x * 3 + three.second[0].x * 5;
}
static_assert(copied(1) == 2 + 4 * 3 + 103 * 5, "copied at compile time");
__device__ int f(int a, int b) { return copied(a) + copied(b) * 7; }

// case: a_const_object_of_an_empty_class_needs_no_initialiser
struct Derived : Adds {};
struct Holds {
	Adds adds;
};
struct Given {
	int x = 4;
};
struct Own {
	int x;
	BOTH Own() : x(3) {}
};
struct Mixed : Derived, Given {
	Own own;
	Holds holds[2];
};
__device__ int f(int a, int b) {
	const Derived derived;
	const Holds holds;
	const Given given;
	const Own own;
	const Mixed mixed;
	return derived(a) + holds.adds(b) * 3 + given.x * 5 + own.x * 7 + mixed(b) * 11 + mixed.own.x + mixed.x;
}

// case: a_null_pointer_plus_zero_is_null
template <class T, long N> struct View {
	T *data;
	BOTH constexpr T *begin() const { return data; }
	BOTH constexpr T *end() const { return data + N; }
	BOTH constexpr long size() const { return end() - begin(); }
};
BOTH constexpr int steps(int n) {
	int *p = nullptr, *q = p - 0;
	q += 0;
	q -= 0;
	return (p == q) + (q == nullptr) * 10 + n * 100;
}
constexpr View<int, 0> nothing{nullptr};
static_assert(nothing.end() == nothing.begin(), "both are null");
static_assert(nothing.size() == 0, "nothing lies between them");
static_assert(steps(2) == 211, "null pointers");
__device__ int f(int a, int b) { return steps(a) * 3 + (int)View<int, 0>{nullptr}.size() + b; }

// case: a_pack_in_the_braces_of_a_member
struct Pair {
	int a, b;
	BOTH constexpr Pair() : a(7), b(8) {}
	BOTH constexpr Pair(int x, int y) : a(x), b(y) {}
};
enum class Kind : unsigned char { none, some = 3 };
template <class T> struct Either {
	union {
		T first;
		char none;
	};
	int kind;
	template <class... Args>
	BOTH constexpr explicit Either(int, Args &&...args) : first{static_cast<Args &&>(args)...}, kind{1} {}
};
template <class T> struct Refers {
	T &to, &also;
	template <class... Args> BOTH constexpr explicit Refers(Args &...args) : to{args...}, also(args...) {}
};
__device__ int f(int a, int b) {
	Either<Pair> given(0, a, b), without(0);
	Either<int> number(0, int(a)), zero(0);
	Either<Kind> kind(0, Kind::some);
	Either<const int *> pointer(0, &b), null(0);
	Refers<int> refers(a);
	refers.to += 5;
	refers.also += 6;
	return given.first.a + given.first.b * 3 + without.first.b * 5 + number.first * 7 + zero.first * 11 + a +
		   (int)kind.first * 13 + *pointer.first * 17 + (null.first == nullptr);
}

// case: what_is_not_evaluated_needs_no_definition
template <class T> struct Tag;
template <bool> struct If {};
template <> struct If<true> {
	using type = int;
};
template <class T> BOTH constexpr bool always() { return true; }
template <class T> inline BOTH auto tested_impl(T &&x) -> typename If<always<decltype(!x)>()>::type { return 1; }
template <class... As> inline BOTH auto tested(Tag<As...> *, decltype(&tested_impl<As...>)) -> char (&)[1];
inline BOTH auto tested(...) -> char (&)[2];
template <class T> inline constexpr bool is_tested = sizeof(tested(static_cast<Tag<T> *>(nullptr), nullptr)) == 1;
template <class T> BOTH auto chosen(T x) {
	if constexpr (is_tested<T>)
		return x + 1;
	else
		return 2;
}
struct Negated {
	BOTH constexpr auto operator!() const {
		struct Result {
			int x = 3;
		};
		return Result{}.x;
	}
	BOTH int operator+(int n) const { return n + 8; }
};
__device__ int f(int a, int b) { return chosen(a) + chosen(Negated{}) * 3 + chosen(Adds{}) * 5 + b; }

// case: const_objects_made_in_place
struct S {
	int x;
	__device__ S(int a) : x(a) {}
	__device__ S(const S &o) : x(o.x + 100) {}
	__device__ S(S &&o) : x(o.x + 1000) {}
	__device__ int f() { return 1; }
	__device__ int f() const { return 2; }
};
struct P {
	int x;
	__device__ int f() { return 1; }
	__device__ int f() const { return 2; }
};
__device__ S nrvo(int *o) {
	const S r(1);
	*o = r.f() + 10 * std::is_const_v<decltype(r)> + 100 * std::is_const_v<std::remove_reference_t<decltype((r))>>;
	return r;
}
__device__ S nrvo2(int *o) {
	const auto r = S(1);
	*o = r.f() + 10 * std::is_const_v<decltype(r)>;
	const S &q = r;
	*o += 100 * q.f();
	auto l = [r]() mutable { return r.f(); };
	*o += 1000 * l();
	return r;
}
__device__ int par(const S s, const P p) {
	return s.f() + 10 * p.f() + 100 * std::is_const_v<decltype(s)> + 200 * std::is_const_v<decltype(p)>;
}
template <class T> __device__ int par2(const T s) { return s.f() + 10 * std::is_const_v<decltype(s)>; }
__device__ const S cr() { return S(3); }
__device__ int f(int i, int step) {
	int o[16] = {};

	o[0] = nrvo(o + 1).x;
	o[2] = nrvo2(o + 3).x;
	o[4] = par(S(1), P{1});
	o[5] = par2(S(1)) + 100 * par2(P{1});
	S s = cr();
	o[6] = s.x;
	o[7] = cr().f();
	auto &&x = cr();
	o[8] = x.f();
	const S arr[2] = {S(1), S(2)};
	o[9] = arr[1].f() + 10 * std::is_const_v<std::remove_reference_t<decltype(arr[0])>> +
		   100 * std::is_const_v<std::remove_extent_t<decltype(arr)>>;
	const S *const p = new S(5);
	o[10] = p->f();
	delete p;
	auto c = [s = S(4)]() { return s.f(); };
	o[11] = c();
	auto c2 = [s]() mutable { return s.f(); };
	o[12] = c2();
	const S d = s;
	S e = d;
	o[13] = e.x;
	S g = static_cast<const S &&>(d);
	o[14] = g.x;
	const S ee(s);
	auto h = ee;
	o[15] = h.x + std::is_const_v<decltype(h)>;
	int sum = step;
	for (int k = 0; k < 16; k++) sum = sum * 5 + o[k];
	return sum;
}

// case: const_auto_of_a_call
struct S {
	int x;
	__device__ int f() { return 1; }
	__device__ int f() const { return 2; }
};
__device__ S make() { return S{1}; }
template <class F> __device__ int tr(F f) {
	const auto n = f();
	return n.f();
}
template <class F> __device__ int tr2(F f) {
	const auto n = f();
	auto l = [n]() { return n.f(); };
	auto l2 = [m = n]() mutable { return m.f(); };
	auto l3 = [=]() mutable { return n.f(); };
	return l() + 10 * l2() + 100 * l3();
}
__device__ int f(int i, int step) {
	int o[16] = {};

	const auto n = make();
	o[0] = n.f();
	const auto p = S{2};
	o[1] = p.f();
	const auto q(make());
	o[2] = q.f();
	const auto w{make()};
	o[3] = w.f();
	o[4] = tr(make);
	o[5] = tr([] { return S{1}; });
	o[6] = tr2(make);
	const auto [b] = S{1};
	const auto a2 = n;
	o[7] = a2.f();
	auto a3 = n;
	o[8] = a3.f();
	if (const auto i = make(); i.x) o[9] = i.f();
	for (const auto i = make(); o[9];) {
		o[10] = i.f();
		break;
	}
	static const auto st = S{1};
	o[11] = st.f();
	constexpr auto cx = S{1};
	o[12] = cx.f();
	S arr[2] = {};
	for (const auto e : arr) o[13] = e.f();
	for (auto e : arr) o[14] = e.f();
	const S ca[1] = {};
	for (auto &e : ca) o[15] = e.f();
	int sum = step;
	for (int k = 0; k < 16; k++) sum = sum * 5 + o[k];
	return sum;
}
