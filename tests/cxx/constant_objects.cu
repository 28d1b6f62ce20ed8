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
