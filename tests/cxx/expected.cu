// standard: c++23
// <expected>: a value, or an error.
#include <expected>
#include <initializer_list>
#include <numbers>
#include <type_traits>
#include <utility>

struct Error {
	int code;
	__device__ Error(int code) : code(code) {}
	__device__ Error(const Error &other) : code(other.code * 3 + 1) {}
	__device__ Error(Error &&other) noexcept : code(other.code) { other.code = -1; }
	__device__ Error &operator=(const Error &other) {
		code = other.code + 100;
		return *this;
	}
	__device__ Error &operator=(Error &&other) noexcept {
		code = other.code + 1;
		return *this;
	}
	__device__ ~Error() { code = -7; }
	__device__ bool operator==(const Error &other) const { return code == other.code; }
};
__device__ std::expected<int, Error> half(int x) {
	if (x & 1) return std::unexpected(Error(x));
	return x / 2;
}

// case: values_and_errors
__device__ int f(int a, int b) {
	auto x = half(a), y = half(b), z = x;
	const std::expected<int, Error> w = std::move(y);
	int found = x.value_or(77) + w.value_or(99) * 3 + (x == w) * 1000 + (x != 4) + (z == std::unexpected(Error(a)));
	found += x ? *x : x.error().code;
	return found * 5 + (z.has_value() ? z.value() : z.error().code);
}

// case: assignments
__device__ int f(int a, int b) {
	auto x = half(a), y = half(b);
	x = y;
	int found = x ? *x : x.error().code;
	y = half(a + 1);
	found = found * 7 + (y ? *y : y.error().code);
	y = std::unexpected(Error(b));
	found = found * 7 + y.error().code;
	y = a;
	found = found * 7 + *y;
	y.emplace(3) += 2;
	x.swap(y);
	swap(x, y);
	return found * 7 + (x ? *x : x.error().code) + *y;
}

// case: no_value
__device__ std::expected<void, int> check(int x) {
	if (x > 3) return std::unexpected(x);
	return {};
}
__device__ int f(int a, int b) {
	auto x = check(a), y = check(b);
	int found = x.has_value() + (x == y) * 2 + (y ? 50 : y.error()) * 3;
	y = x;
	x = std::unexpected(b);
	x.swap(y);
	y.emplace();
	return found + (x ? 7 : x.error()) + y.has_value();
}

// case: conversions
struct Pair {
	int a, b;
	__device__ Pair(std::initializer_list<int> list, int b) : a(*list.begin()), b(b) {}
};
__device__ int f(int a, int b) {
	std::expected<short, int> s = short(a);
	std::expected<long long, double> l = s;
	std::expected<Pair, int> p(std::in_place, {a, 2}, b), q(std::unexpect, b);
	static_assert(!std::is_convertible_v<std::expected<int, int>, int>);
	static_assert(std::is_convertible_v<int, std::expected<int, int>>);
	static_assert(sizeof(std::expected<void, char>) == 2 && sizeof(std::expected<double, char>) == 16);
	return int(*l) * 3 + p->a + p->b * 5 + q.error() * 7 + (l == a);
}

// case: constants gives double
__device__ double f(int a, int b) {
	using namespace std::numbers;
	static_assert(std::is_same_v<decltype(e_v<float>), const float>);
	return a * pi + b * e + pi_v<float> + sqrt2 * inv_pi + phi - egamma + ln2_v<float> * log2e + inv_sqrt3 + inv_sqrtpi;
}
