// standard: c++20
// <span>: elements that another object has.
#include <array>
#include <span>

// case: spans
__device__ int sum(std::span<const int> values) {
	int found = 0;
	for (int value : values) found = found * 3 + value;
	return found;
}
__device__ int f(int a, int b) {
	int x[4] = {a, b, a + b, 7};
	std::array<int, 3> y = {b, 2, a};
	const std::array<int, 2> z = {5, b};
	std::span s(x);
	std::span<int> d = s, none;
	std::span<int, 2> two = s.first<2>();
	d[1] += 4;
	two[0] = 9;
	s.last<1>()[0]++;
	static_assert(sizeof(s) == 8 && sizeof(d) == 16 && std::span<int, 2>::extent == 2);
	auto rest = d.subspan(1), middle = d.subspan(1, 2);
	return sum(s) + sum(y) + sum(z) + sum(d.first(b % 4)) + sum(rest) * 2 + sum(middle) + sum(d.last(2)) +
		   none.empty() + sum({x + 1, 2}) + d.front() + d.back() + rest.size() + d.size_bytes();
}
