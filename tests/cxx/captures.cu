// References in closures, in structs and between two variables; loops in functions that are a part of a kernel.
#include <algorithm>
#include <utility>

template <typename F> __device__ void repeat(int n, F f) {
	for (int i = 0; i < n; i++) f(i);
}

struct Refs {
	int &first;
	int *second;

	__device__ void step(int by) const {
		first += by;
		*second ^= first;
	}
};

template <typename Heir> struct Base {
	__device__ int twice(int x) {
		return 2 * static_cast<Heir *>(this)->once(x) + static_cast<const Heir *>(this)->offset;
	}
};

struct Heir : Base<Heir> {
	int offset;

	__device__ explicit Heir(int offset) : offset(offset) {}

	__device__ int once(int x) { return x * ++offset; }
};

// case: closure_by_value
__device__ int f(int a, int b) {
	int sum = 0, most = a;
	repeat(b & 7, [&](int i) {
		sum += i * a;
		most = std::max(most, sum);
	});
	return sum * 31 + most;
}

// case: closure_in_closure
__device__ int f(int a, int b) {
	int sum = 0, calls = 0;
	auto add = [&sum](int x) { sum += x; };
	auto counted = [&, by = a](int x) {
		calls++;
		add(x * by);
	};
	repeat(b & 3, counted);
	auto copy = counted;
	copy(5);
	return sum * 10 + calls;
}

// case: closure_in_a_loop
__device__ int f(int a, int b) {
	int data[4] = {a, b, 3, 4}, sum = 0;
	for (int i = 0; i < 4; i++) {
		auto grow = [&data, &sum, &at = data[(i + a) & 3]](int x) {
			at += x;
			sum += data[x & 3];
		};
		grow(i);
		i += sum & 1;
		grow(b & 1);
	}
	return sum + data[0] * 3 + data[3];
}

// case: struct_of_references
__device__ int f(int a, int b) {
	int x = a, y = b;
	Refs refs = {x, &y};
	refs.step(3);
	const Refs copy = refs;
	x++;
	copy.step(a & 3);
	return x * 7 + y;
}

// case: pointers_that_move
__device__ int f(int a, int b) {
	int x = a, y = b;
	Refs refs = {x, &y};
	for (int i = 0; i < (b & 7); i++) {
		refs.step(i);
		if (i == 2) refs.second = &x;
	}
	return x * 7 + y;
}

// case: pointer_of_the_round_before
__device__ int f(int a, int b) {
	int x = a, y = b, sum = 0;
	int *p = &x;
	for (int i = 0; i < 5; i++) {
		int *q;
		sum += *p;
		q = &y;
		*q += i;
		if ((a + i) & 1) p = q;
	}
	return sum + x * y;
}

// case: assigned_in_a_branch
__device__ int f(int a, int b) {
	int x = a, y = b;
	int *p;
	if (a > 3)
		p = &x;
	else
		p = &y;
	*p += 5;
	int *q;
	{
		q = &y;
	}
	*q *= 3;
	return x * 100 + y;
}

// case: smaller_of_two
__device__ int f(int a, int b) {
	int x = a * 3, y = b;
	const int &least = std::min(x, y);
	int found = least;
	x += 50;
	found = found * 100 + least;
	return found + std::max(std::min(x, y), std::max(a, 4));
}

// case: written_through_a_choice
__device__ int f(int a, int b) {
	int x = a, y = b;
	int &chosen = a < b ? x : y;
	a += 100;
	chosen += 1000;
	(b & 1 ? x : y) *= 2;
	return x * 3 + y + a;
}

// case: choice_with_memory
struct P {
	int a, b;
};
__device__ int f(int a, int b) {
	P data[4] = {{a, 1}, {b, 2}, {a + b, 3}, {7, 4}}, best = {a, 9};
	int rounds = 0;
	for (int i = 0; i < 4; i++) {
		best = std::max(data[i], best, [&](const P &l, const P &r) { return rounds++, l.a < r.a; });
		const P &worst = (i & 1) ? data[(a + i) & 3] : best;
		rounds += worst.b;
	}
	return best.a * 100 + best.b * 10 + rounds;
}

// case: conditions_with_references
__device__ int f(int a, int b) {
	int x = a, rounds = 0;
	while (std::min(x, b) < 20 && std::max(x, rounds) < 60) {
		x += std::min(rounds++, 5) + 1;
		if (rounds > 40) break;
	}
	return x * 100 + rounds;
}

// case: heirs
__device__ int f(int a, int b) {
	Heir heir(a);
	Base<Heir> &base = heir;
	return heir.twice(b) + base.twice(3) * 5 + heir.offset;
}

// case: swaps
__device__ int f(int a, int b) {
	int x = a, y = b, z = a ^ b;
	if (y < x) std::swap(x, y);
	if (z < y) std::swap(y, z);
	if (y < x) std::swap(x, y);
	return x * 10000 + y * 100 + z;
}

// case: copies_of_structs
struct View {
	int *p;
	int n;
	__device__ int &at(int i) const { return p[i & (n - 1)]; }
};
__device__ int f(int a, int b) {
	int one[4] = {a, 2, 3, b}, other[4] = {5, b, 7, a};
	View v = {one, 4}, w = {other, 2};
	if (a > b) {
		const View t = v;
		v = w;
		w = t;
	}
	v.at(a) += w.at(b);
	w.at(1) -= 3;
	return one[0] + one[1] * 3 + one[2] * 5 + one[3] * 7 + other[0] * 11 + other[1] * 13;
}

// case: pointer_of_a_lambda
struct Twice {
	int (*of)(int);
};
template <typename F> __device__ int applied(F f, int x) { return f(x); }
__device__ int f(int a, int b) {
	auto plus = +[](int x) { return x + 1; };
	int (*times)(int) = (a & 1) ? +[](int x) { return x * 5; } : +[](int x) { return x * 2; };
	auto minus = [](int x, long long y) { return x - (int)y; };
	auto pointer = +minus;
	plus = (b & 2) ? plus : +[](int x) { return -x; };
	Twice twice{+[](int x) { return x * 7; }};
	return plus(a) + 100 * times(b) + 1000 * pointer(a, 3) + applied(+[](int x) { return x ^ 1; }, b) + twice.of(a);
}

// case: nested_lambdas
struct Nl {
	int v;
	__device__ int run(int a) {
		auto l = [this, a, k = v + 1]() mutable {
			k += a;
			auto in = [*this, &k, q = k * 2](auto z) mutable {
				v += z;
				return v + k++ + q;
			};
			return in(1) + in(2.5) + v + k;
		};
		v = 100;
		return l() + l() + v;
	}
};
template <class F> __device__ auto compose(F f) {
	return [f = f](auto... x) { return f([x...](auto g) { return g(x...); }); };
}
__device__ int f(int a, int b) {
	Nl n{b};
	auto c = compose([](auto h) { return h([](int p, int q) { return p * 10 + q; }); });
	auto rec = [](auto self, int k) -> int { return k <= 0 ? 0 : k + self(self, k - 1); };
	return n.run(a) + c(a, b) + rec(rec, b);
}

// case: lambda_captures
struct Lc {
	int m = 3;
	__device__ auto by_ref() {
		return [&] { return ++m; };
	}
	__device__ auto by_copy() {
		return [=, *this]() mutable { return ++m; };
	}
	__device__ auto gen() {
		return [this](auto... a) { return (m + ... + a); };
	}
	template <class F> __device__ int app(F f) const { return f(*this); }
};
template <class... T> __device__ int packs(T... t) {
	auto k = [&t...] { return (t + ...); };
	auto m = [=](int z) { return ((t * z) + ...); };
	return k() + m(2);
}
__device__ int f(int a, int b) {
	Lc c;
	auto r = c.by_ref();
	auto k = c.by_copy();
	int n = r() + r() * 10 + k() * 100 + k() * 1000 + c.gen()(1, 2, a) + c.app([](const auto &s) { return s.m * 7; });
	static constexpr int q = 4;
	auto z = [p = &n, q2 = q] { return *p + q + q2; };
	auto w = [a, b]() -> double { return a / 2. + b; };
	int (*fp)(int) = [](int x) { return x + q; };
	return n + z() + int(w()) + fp(2) + packs(a, b, 1) + [](auto x, decltype(x) y) { return x - y; }(a, b);
}

// case: pack_in_a_lambda_in_a_lambda
template <class F, class... A> __device__ int ap(F f, A... a) { return f(a...); }
template <class... T> __device__ int h(T... t) {
	return [&](int s) {
		auto in = [&](auto... u) { return (0 + ... + u) + (0 + ... + t); };
		return in(s, 2) + [&] { return ap([](auto... x) { return (0 + ... + x); }, t...); }();
	}(3);
}
__device__ int f(int a, int b) { return h(a, b, 1); }

// case: packs_in_lambdas_in_a_fold
template <class... T> __device__ int h(T... t) {
	auto l = [&] { return [&] { return (0 + ... + t); }(); };
	auto m = [=] { return [=] { return ((t * 2) + ... + 0); }(); };
	auto n = [&](auto... q) { return ([&](auto z) { return z + (t + ... + 0); }(q) + ... + 0); };
	return l() + m() * 10 + n(1, 2);
}
__device__ int f(int a, int b) { return h(a, b, 3); }

// case: packs_by_reference_in_lambdas
template <class F> __device__ int ap(F f) { return f(); }
struct M {
	int v;
	template <class... T> __device__ int go(T... t) {
		return ap([&] { return ap([&] { return ((t + v) + ... + 0); }); });
	}
};
template <class... T> __device__ int k(T &&...t) {
	auto l = [&](auto z) {
		auto q = [&](auto w) { ((t += w), ...); };
		q(z);
	};
	l(2);
	return (0 + ... + t);
}
__device__ int f(int a, int b) {
	M m{3};
	int x = a, y = b;
	int r = k(x, y);
	return m.go(a, b, 1) * 100 + r + x;
}
