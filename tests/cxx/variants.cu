// std::variant: which alternative it holds, how it is changed, visited and compared.
#include <type_traits>
#include <utility>
#include <variant>

struct Counted {
	int *count, x;
	__device__ Counted(int *count, int x) : count(count), x(x) { ++*count; }
	__device__ Counted(const Counted &other) : count(other.count), x(other.x) { *count += 10; }
	__device__ Counted(Counted &&other) : count(other.count), x(other.x) {
		*count += 100;
		other.x = -1;
	}
	__device__ Counted &operator=(const Counted &other) {
		x = other.x;
		*count += 1000;
		return *this;
	}
	__device__ ~Counted() { *count += 10000; }
};

// case: alternatives
__device__ int f(int a, int b) {
	std::variant<int, float, char> v;
	int s = v.index() + std::get<0>(v);
	v = 2.5f;
	s = s * 7 + v.index() + std::get<float>(v) * 2;
	if (a > b)
		v = 'x';
	else if (a == b)
		v = a;
	s = s * 7 + std::holds_alternative<char>(v) + 2 * std::holds_alternative<float>(v);
	s = s * 7 + (std::get_if<int>(&v) != nullptr) + (std::get_if<1>(&v) == nullptr) * 2;
	if (auto *c = std::get_if<char>(&v)) *c += b;
	v.emplace<0>(a);
	s += v.emplace<char>(b) + std::get<2>(v);
	return s + sizeof(v) * 3 + std::variant_size_v<decltype(v)> + sizeof(std::variant<double, short>);
}

// case: visits
struct Doubles {
	__device__ int operator()(int x) const { return 2 * x; }
	__device__ int operator()(float x) const { return 100 + (int)x; }
	__device__ int operator()(const Counted &c) const { return 1000 + c.x; }
};
__device__ int f(int a, int b) {
	int count = 0, s = 0;
	{
		std::variant<int, float, Counted> v = a, w = b * 0.5f;
		if (a % 2) w.emplace<Counted>(&count, b);
		if (b % 3 == 0) v = w;
		s = std::visit(Doubles(), v) * 3 + std::visit(Doubles(), w);
		s += std::visit([&](auto &&x) { return std::is_same_v<std::decay_t<decltype(x)>, float> ? 5 : a; }, v);
		std::visit(
			[](auto &x) {
				if constexpr (std::is_arithmetic_v<std::decay_t<decltype(x)>>) x += 1;
			},
			v);
		s += std::visit(Doubles(), v);
	}
	return s * 3 + count;
}

// case: visits_of_two
__device__ int f(int a, int b) {
	std::variant<int, float> v = a;
	std::variant<char, int, float> w = 'c';
	if (b % 2) v = a * 0.5f;
	if (a % 3 == 0)
		w = b;
	else if (a % 3 == 2)
		w = 0.25f;
	return std::visit([](auto x, auto y) { return (int)(x * 4 + y * 8) * 10 + (int)sizeof(y); }, v, w);
}

// case: objects_are_made_and_destroyed
__device__ int f(int a, int b) {
	int count = 0;
	{
		std::variant<int, Counted> v(std::in_place_index<1>, &count, a), w = v;
		w = v;
		std::variant<int, Counted> u = std::move(v);
		count += std::get<1>(v).x;
		if (a > b) v = b;
		u = v;
		if (b > 5) w.swap(u);
		w = 3;
	}
	return count;
}

// case: comparisons
__device__ int f(int a, int b) {
	using V = std::variant<int, float, std::monostate>;
	V v = a, w = b;
	if (a % 3 == 0) v = b * 1.0f;
	if (b % 4 == 1) w = std::monostate();
	return (v == w) + 2 * (v != w) + 4 * (v < w) + 8 * (v > w) + 16 * (v <= w) + 32 * (v >= w) + 64 * (v == V(b));
}

// case: converting_constructors
struct FromInt {
	int x;
	__device__ FromInt(int x) : x(x) {}
};
__device__ int f(int a, int b) {
	std::variant<float, long> v = a;
	std::variant<bool, FromInt> w = b;
	std::variant<const char *, bool> u = "text";
	std::variant<char, double> d = 1.5f;
	using Same = std::variant<int, int>;
	Same s(std::in_place_index<1>, a);
	int kinds = std::is_constructible_v<std::variant<float>, int> +
				2 * std::is_constructible_v<std::variant<int, int>, int> +
				4 * std::is_convertible_v<int, std::variant<int, float>> +
				8 * std::is_default_constructible_v<std::variant<FromInt, int>> +
				16 * std::is_default_constructible_v<std::variant<int, FromInt>> +
				32 * std::is_trivially_copyable_v<std::variant<int, float>> +
				64 * std::is_trivially_copyable_v<std::variant<int, Counted>> +
				128 * std::is_same_v<std::variant_alternative_t<1, const Same>, const int>;
	return v.index() + 2 * w.index() + 4 * u.index() + 8 * d.index() + 16 * s.index() + kinds * 32;
}
