// standard: c++20
// Sums, scans, midpoints and greatest common divisors of <numeric>, on arrays and on iterators that only go forward.
#include <functional>
#include <iterator>
#include <numeric>

#include "forward_list.h"

struct Numbers {
	int x[9];
	__device__ Numbers(int a, int b) {
		for (int i = 0; i < 9; i++) x[i] = (a * (i + 3) + b * i * i) % 17;
	}
	__device__ unsigned sum() const {
		unsigned s = 0;
		for (int one : x) s = s * 31 + one;
		return s;
	}
};
// Two maps x -> scale * x + shift, one after the other: the order of the operands matters.
struct Map {
	unsigned scale, shift;
	__device__ Map(unsigned scale = 1, unsigned shift = 0) : scale(scale), shift(shift) {}
	__device__ Map operator+(const Map &next) const { return {scale * next.scale, shift * next.scale + next.shift}; }
	__device__ Map operator-(const Map &other) const { return {scale * 3 - other.scale, shift * 5 - other.shift}; }
	__device__ unsigned sum() const { return scale * 7 + shift; }
};

// case: sums
__device__ int f(int a, int b) {
	Numbers n(a, b), m(b, a);
	int count = (a + 9) % 10;
	int s = std::reduce(n.x, n.x + count);
	s = s * 3 + std::reduce(n.x, n.x + count, b);
	s = s * 3 + std::reduce(n.x, n.x + count, a, [](int p, int q) { return p > q ? p : q; });
	s = s * 3 + std::transform_reduce(n.x, n.x + count, m.x, b);
	s = s * 3 + std::transform_reduce(n.x, n.x + count, m.x, b, std::bit_xor<>(), std::minus<int>());
	s = s * 3 + std::transform_reduce(n.x, n.x + count, a, std::plus<>(), [b](int v) { return v * v - b; });
	s = s * 3 + std::inner_product(n.x, n.x + count, m.x, b, std::minus<>(), [](int p, int q) { return p * 2 - q; });
	return s;
}

// case: sums_of_other_types gives double
__device__ double f(int a, int b) {
	unsigned char bytes[5] = {200, 100, (unsigned char)a, (unsigned char)b, 250};
	static_assert(std::is_same_v<decltype(std::reduce(bytes, bytes + 5)), unsigned char>);
	static_assert(std::is_same_v<decltype(std::reduce(bytes, bytes + 5, 0L)), long>);
	double halves[5] = {a * 0.5, b * 0.25, 1.5, -2.5, 8};
	return std::reduce(bytes, bytes + 5) + std::reduce(bytes, bytes + 5, 0) * 3. + std::reduce(halves, halves + 5) * 5 +
		   std::transform_reduce(halves, halves + 5, bytes, 0.) * 11;
}

// case: scans
__device__ int f(int a, int b) {
	Numbers n(a, b), out(1, 2);
	int count = (a + 9) % 10;
	auto twice = [b](int v) { return v * 2 + b; };
	auto larger = [](int p, int q) { return p > q ? p : q; };
	unsigned s = 0;
	auto take = [&](int *end) { s = (s * 7 + (end - out.x)) * 7 + out.sum(); };
	take(std::partial_sum(n.x, n.x + count, out.x));
	take(std::partial_sum(n.x, n.x + count, out.x, larger));
	take(std::adjacent_difference(n.x, n.x + count, out.x));
	take(std::adjacent_difference(n.x, n.x + count, out.x, [](int p, int q) { return p * 3 - q; }));
	take(std::inclusive_scan(n.x, n.x + count, out.x));
	take(std::inclusive_scan(n.x, n.x + count, out.x, larger));
	take(std::inclusive_scan(n.x, n.x + count, out.x, larger, b));
	take(std::exclusive_scan(n.x, n.x + count, out.x, b));
	take(std::exclusive_scan(n.x, n.x + count, out.x, b, larger));
	take(std::transform_inclusive_scan(n.x, n.x + count, out.x, std::plus<>(), twice));
	take(std::transform_inclusive_scan(n.x, n.x + count, out.x, std::plus<>(), twice, a));
	take(std::transform_exclusive_scan(n.x, n.x + count, out.x, a, std::plus<>(), twice));
	return s;
}

// case: scans_in_place
__device__ int f(int a, int b) {
	Numbers n(a, b);
	auto twice = [](int v) { return v * 2; };
	std::partial_sum(n.x, n.x + 9, n.x);
	std::adjacent_difference(n.x, n.x + 7, n.x);
	std::exclusive_scan(n.x, n.x + 9, n.x, b);
	std::inclusive_scan(n.x + 1, n.x + 9, n.x + 1);
	std::transform_exclusive_scan(n.x, n.x + 8, n.x, a, std::plus<>(), twice);
	std::transform_inclusive_scan(n.x, n.x + 9, n.x, std::minus<>(), twice, 3);
	return n.sum();
}

// case: the_order_of_operands
__device__ int f(int a, int b) {
	Map maps[5] = {{1u + a, 2u + b}, {3, (unsigned)a}, {(unsigned)b, 1}, {2, 9}, {5, 4}}, out[5];
	unsigned s = 0;
	auto take = [&] {
		for (const Map &one : out) s = s * 31 + one.sum();
	};
	std::partial_sum(maps, maps + 5, out), take();
	std::adjacent_difference(maps, maps + 5, out), take();
	std::inclusive_scan(maps, maps + 5, out), take();
	std::inclusive_scan(maps, maps + 5, out, std::plus<>(), Map(7, 8)), take();
	std::exclusive_scan(maps, maps + 5, out, Map(7, 8)), take();
	std::transform_inclusive_scan(maps, maps + 5, out, std::plus<>(), std::identity()), take();
	std::transform_exclusive_scan(maps, maps + 5, out, Map(3, 4), std::plus<>(), std::identity()), take();
	return s;
}

// case: the_type_of_the_sum gives double
__device__ double f(int a, int b) {
	signed char bytes[4] = {(signed char)(a * 3), 100, 90, (signed char)b};
	int numbers[4] = {a, b, 3, -4};
	int sums[4], differences[4], wide[4];
	double halves[4], more[4];
	std::partial_sum(bytes, bytes + 4, sums);
	std::adjacent_difference(bytes, bytes + 4, differences);
	std::inclusive_scan(bytes, bytes + 4, wide, std::plus<>(), 0);
	std::exclusive_scan(numbers, numbers + 4, halves, 0.5);
	std::transform_inclusive_scan(numbers, numbers + 4, more, std::plus<>(), [](int v) { return v * 0.25; });
	double s = 0;
	for (int i = 0; i < 4; i++) s = s * 5 + sums[i] + differences[i] * 3 + wide[i] * 7 + halves[i] * 11 + more[i] * 13;
	return s;
}

// case: iterators_that_only_go_forward
__device__ int f(int a, int b) {
	List list[4] = {{a, nullptr}, {b, nullptr}, {a - b, nullptr}, {3, nullptr}};
	for (int i = 0; i < 3; i++) list[i].next = &list[i + 1];
	Walk first{list}, last{nullptr};
	int out[4];
	unsigned s = std::reduce(first, last) * 3 + std::transform_reduce(first, last, first, b);
	auto take = [&] {
		for (int one : out) s = s * 31 + one;
	};
	std::partial_sum(first, last, out), take();
	std::adjacent_difference(first, last, out), take();
	std::inclusive_scan(first, last, out), take();
	std::exclusive_scan(first, last, first, a);
	std::transform_exclusive_scan(first, last, out, 1, std::multiplies<>(), [](int v) { return v | 1; }), take();
	return s + list[0].value * 3 + list[3].value * 5;
}

// case: midpoints_of_integers
__device__ int f(int a, int b) {
	int least = -2147483647 - 1, most = 2147483647;
	unsigned s = std::midpoint(a, b) * 3 + std::midpoint(b, a) * 5 + std::midpoint(-a, b);
	s = s * 7 + std::midpoint(least + b, most - a) + std::midpoint(most - a, least + b) + std::midpoint(most - b, most);
	s = s * 7 + std::midpoint(least, least + b) + std::midpoint(0u + a, ~0u - b) + std::midpoint(~0u - b, 7u);
	s = s * 7 + std::midpoint((signed char)(a * 9), (signed char)(b - 100)) + std::midpoint((short)-32768, (short)a);
	s = s * 7 + std::midpoint((unsigned char)(a * 9), (unsigned char)200) +
		std::midpoint((unsigned short)65535, (unsigned short)a);
	s = s * 7 + std::midpoint(-(1LL << 62) + a, (1LL << 62) + 12345) % 1000003 +
		std::midpoint(~0ULL - a, 3ULL + b) % 1000003;
	static_assert(std::midpoint(3, 6) == 4 && std::midpoint(6, 3) == 5 && std::midpoint('a', 'c') == 'b');
	static_assert(std::is_same_v<decltype(std::midpoint(short(1), short(2))), short>);
	return s;
}

// case: midpoints_of_floats gives double
__device__ double f(int a, int b) {
	float most = 3.4028234e38f, least = 1.1754944e-38f;
	double wide = 1.7976931348623157e308;
	float x = std::midpoint(a * 0.5f, b * 1.25f) + std::midpoint(least * (b + 1), least * 3) / least;
	float y = std::midpoint(most, most - a * 1e36f) + std::midpoint(-most, most) + std::midpoint(least, most) / 4;
	float z = std::midpoint(most / (b + 2), -1.f * a);
	double d = std::midpoint(wide, wide / (b + 1)) / 1e300 + std::midpoint(0.1 * a, 0.3) + std::midpoint(-wide, 1e-300);
	return x + y / 3. + z / 5. + d / 7;
}

// case: midpoints_of_pointers
__device__ int f(int a, int b) {
	const double x[64] = {};
	const double *p = x + (a + 9), *q = x + b;
	return (std::midpoint(p, q) - x) * 64 + (std::midpoint(q, p) - x) + (std::midpoint(x, x + 63) == x + 31);
}

// case: divisors_of_mixed_integers
__device__ int f(int a, int b) {
	unsigned s = std::gcd(a * 6, b * 4u) * 3 + std::gcd(-a, 12u + b) * 5 + std::gcd(-12 * b, 18ULL);
	s = s * 7 + std::gcd(-2147483647 - 1, 6L * b) + std::gcd(0, -a) + std::gcd((short)-24, (short)(a * 2));
	s = s * 7 + std::lcm(-a, b + 1) + std::lcm(-6, 4u * b) * 3 + std::lcm((short)a, (signed char)-4);
	s = s * 7 + std::lcm(0, a) + std::lcm(1000000L * a, 999999LL) % 1000003;
	static_assert(std::is_same_v<decltype(std::gcd(short(4), short(6))), short> && std::gcd(-4, 6u) == 2);
	static_assert(std::is_same_v<decltype(std::lcm(4u, 6L)), long> && std::lcm(-4, 6u) == 12);
	return s;
}
