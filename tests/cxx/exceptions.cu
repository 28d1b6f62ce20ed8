// Exception specifications: `noexcept(expr)`, and the questions of <type_traits> about what may throw.
#include <type_traits>
#include <utility>

// case: operator
__device__ int quiet(int x) noexcept { return x; }
__device__ int loud(int x) { return x; }
struct S {
	int v;
	__device__ int get() const noexcept { return v; }
	__device__ int load() const { return v; }
	__device__ S &operator+=(int n) noexcept(sizeof(n) == 4) {
		v += n;
		return *this;
	}
	__device__ operator int() const { return v; }
};
__device__ int f(int a, int b) {
	S s{a};
	int n = 0;
	n += noexcept(a < b) ? 1 : 0;
	n += noexcept(quiet(a)) ? 2 : 0;
	n += noexcept(loud(a)) ? 4 : 0;
	n += noexcept(quiet(loud(a))) ? 8 : 0;
	n += noexcept(s.get()) ? 16 : 0;
	n += noexcept(s.load()) ? 32 : 0;
	n += noexcept(s += 1) ? 64 : 0;
	n += noexcept(int(s)) ? 128 : 0;
	n += noexcept(a > b ? quiet(a) : quiet(b)) ? 256 : 0;
	n += noexcept(a++) ? 512 : 0;
	n += noexcept(s = s) ? 1024 : 0;
	n += noexcept(new int) ? 2048 : 0;
	return n + s.get() + a;
}

// case: conditional
struct Quiet {
	int v;
	__device__ friend Quiet operator+(const Quiet &a, const Quiet &b) noexcept { return Quiet{a.v + b.v}; }
};
struct Loud {
	int v;
	__device__ Loud(int x) : v(x) {}
	__device__ Loud(const Loud &o) : v(o.v) {}
	__device__ Loud &operator=(const Loud &o) {
		v = o.v;
		return *this;
	}
};
template <class T> __device__ T twice(const T &x) noexcept(noexcept(x + x)) { return x + x; }
template <class T> struct Box {
	T t;
	__device__ Box(const T &x) noexcept(std::is_nothrow_copy_constructible<T>::value) : t(x) {}
	__device__ void put(const T &x) noexcept(noexcept(std::declval<T &>() = x)) { t = x; }
};
template <bool Safe, class T> __device__ int call(T &t) noexcept(Safe) { return t.t.v; }
__device__ int f(int a, int b) {
	Quiet q{a};
	Loud l(b);
	Box<Quiet> bq(q);
	Box<Loud> bl(l);
	int n = noexcept(twice(q)) + 2 * noexcept(twice(a)) + 4 * noexcept(bq.put(q)) + 8 * noexcept(bl.put(l));
	n += 16 * noexcept(call<true>(bl)) + 32 * noexcept(call<false>(bl)) + 64 * noexcept(Box<Quiet>(q));
	n += 128 * noexcept(Box<Loud>(l));
	return n + call<true>(bl) + twice(q).v;
}

// case: implicit_members
struct Quiet {
	int v;
	__device__ Quiet() noexcept : v(1) {}
	__device__ Quiet(const Quiet &o) noexcept : v(o.v) {}
	__device__ Quiet &operator=(const Quiet &o) noexcept {
		v = o.v;
		return *this;
	}
};
struct Loud {
	int v;
	__device__ Loud() : v(1) {}
	__device__ Loud(const Loud &o) : v(o.v) {}
	__device__ Loud &operator=(const Loud &o) {
		v = o.v;
		return *this;
	}
};
struct HasQuiet {
	Quiet q[2];
	int x;
};
struct HasLoud : Quiet {
	Loud l;
};
struct Plain {
	int a, b;
};
struct Thrower {
	__device__ ~Thrower() noexcept(false) {}
};
struct Calm {
	__device__ ~Calm() {}
};
template <class T> __device__ int asked() {
	return std::is_nothrow_default_constructible<T>::value + 2 * std::is_nothrow_copy_constructible<T>::value +
		   4 * std::is_nothrow_move_constructible_v<T> + 8 * std::is_nothrow_copy_assignable_v<T> +
		   16 * std::is_nothrow_move_assignable<T>::value;
}
__device__ int f(int a, int b) {
	HasQuiet q;
	HasLoud l;
	int n = noexcept(q = q) + 2 * noexcept(l = l) + 4 * std::is_nothrow_destructible<Calm>::value +
			8 * std::is_nothrow_destructible_v<Thrower>;
	n = n * 32 + asked<HasQuiet>();
	n = n * 32 + asked<HasLoud>();
	n = n * 32 + asked<Plain>();
	return (n * 32 + asked<Loud>()) * 2 + std::is_nothrow_constructible<Plain, Plain &>::value + a * b;
}

// case: converted
struct From {
	int v;
	__device__ operator int() const noexcept { return v; }
	__device__ operator double() const { return v; }
};
struct To {
	int v;
	__device__ To(int x) noexcept : v(x) {}
	__device__ To(From x) : v(x.v) {}
};
__device__ int f(int a, int b) {
	return std::is_nothrow_constructible<int, From>::value + 2 * std::is_nothrow_constructible<double, From>::value +
		   4 * std::is_nothrow_constructible<To, int>::value + 8 * std::is_nothrow_constructible<To, From>::value +
		   16 * std::is_nothrow_constructible<int &, int &>::value + 32 * std::is_nothrow_assignable<To &, int>::value +
		   64 * std::is_nothrow_constructible<int>::value + To(a).v;
}

// case: lambdas
template <class F> __device__ int safe(F f) { return noexcept(f(1)); }
__device__ int f(int a, int b) {
	auto loud = [=](int i) { return i + a; };
	auto quiet = [=](int i) noexcept { return i + b; };
	auto typed = [](int i) noexcept -> int { return i; };
	return safe(loud) + 2 * safe(quiet) + 4 * safe(typed) + loud(1) + quiet(2) + typed(3);
}

// case: evaluated
__device__ constexpr int chosen(int x) { return __builtin_is_constant_evaluated() ? x + 100 : x; }
__device__ int f(int a, int b) {
	constexpr int known = chosen(3);
	static_assert(chosen(1) == 101, "");
	int runs = chosen(a);
	return known + runs;
}
