// features: lambdas auto function-templates functors decltype references deduction constexpr
// Lambdas within device code: captures by value, by reference and of `this`, mutable, generic, and as arguments.
#include "check.h"

template <typename F> __host__ __device__ int count_if(const int *first, const int *last, F predicate) {
	int count = 0;
	for (; first != last; ++first)
		if (predicate(*first))
			++count;
	return count;
}

template <typename F> __host__ __device__ void repeat(int n, F &&body) {
	for (int i = 0; i < n; i++)
		body(i);
}

template <typename F, typename G> __host__ __device__ auto after(F f, G g) {
	return [f, g](auto x) { return f(g(x)); };
}

template <typename F> __host__ __device__ double root_of(F f, double low, double high) {
	for (int k = 0; k < 60; k++) {
		double middle = 0.5 * (low + high);
		if ((f(low) < 0) == (f(middle) < 0))
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct Scaler {
	int by;
	__host__ __device__ int sum(const int *data, int n) const {
		int total = 0;
		auto add = [this, &total](int x) { total += x * by; };
		for (int i = 0; i < n; i++)
			add(data[i]);
		return total;
	}
};

struct Result {
	int even, above, sum, calls, composed, chosen, scaled, nested;
	double root, mean;
};

__host__ __device__ inline void compute(const int *data, int n, int limit, Result &out) {
	out.even = count_if(data, data + n, [](int x) { return x % 2 == 0; });
	out.above = count_if(data, data + n, [=](int x) -> bool { return x > limit; });
	int sum = 0, last = -1;
	repeat(n, [&](int i) {
		if (data[i] == limit)
			return;
		sum += data[i] * (i + 1);
		last = i;
	});
	out.sum = sum + last;

	auto counter = [count = 0]() mutable { return ++count; };
	counter();
	counter();
	out.calls = counter();

	auto twice = [](auto x) { return x + x; };
	auto shorter = after(twice, [limit](int x) { return x - limit; });
	out.composed = shorter(data[0]) + (int)after(twice, twice)(1.25f);

	const auto smaller = [](const auto &a, const auto &b) { return a < b ? a : b; };
	int low = data[0];
	for (int i = 1; i < n; i++)
		low = smaller(low, data[i]);
	out.chosen = low;

	out.scaled = Scaler{limit}.sum(data, n);

	auto outer = [&](int depth) {
		int level = depth * 10;
		auto inner = [&level, depth](int k) { level += k * depth; };
		repeat(3, inner);
		return level;
	};
	out.nested = outer(limit) + outer(2);

	out.root = root_of([a = 1.0 + limit](double x) { return x * x * x - a; }, 0.0, 10.0);
	constexpr auto weight = [](int i) { return 1.0 / (1 << i); };
	double mean = 0;
	for (int i = 0; i < n; i++)
		mean += data[i] * weight(i % 8);
	static_assert(weight(2) == 0.25, "lambdas can be constant expressions");
	out.mean = mean / n;
}

constexpr int PITCH = 12;

__global__ void kernel(const int *data, Result *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto mine = [=](int k) -> const int & { return data[i * PITCH + k]; };
	if (i < n)
		compute(&mine(0), 1 + i % PITCH, mine(PITCH - 1) % 20, out[i]);
}

int main() {
	const int n = 111;
	std::vector<int> data(n * PITCH);
	Random random(31);
	for (int &x : data)
		x = random.below(40);
	int *d_data = to_device(data);
	Result *out = device_array<Result>(n);
	kernel<<<4, 32>>>(d_data, out, n);
	CHECK_LAUNCH();
	std::vector<Result> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		const int *mine = &data[i * PITCH], limit = mine[PITCH - 1] % 20, m = 1 + i % PITCH;
		int even = 0, above = 0, sum = 0, last = -1, low = mine[0], scaled = 0;
		double mean = 0;
		for (int k = 0; k < m; k++) {
			even += mine[k] % 2 == 0;
			above += mine[k] > limit;
			if (mine[k] != limit)
				sum += mine[k] * (k + 1), last = k;
			low = std::min(low, mine[k]);
			scaled += mine[k] * limit;
			mean += mine[k] * std::pow(0.5, k % 8);
		}
		expect_equal("even", i, got[i].even, even);
		expect_equal("above", i, got[i].above, above);
		expect_equal("sum", i, got[i].sum, sum + last);
		expect_equal("calls", i, got[i].calls, 3);
		expect_equal("composed", i, got[i].composed, 2 * (mine[0] - limit) + 5);
		expect_equal("chosen", i, got[i].chosen, low);
		expect_equal("scaled", i, got[i].scaled, scaled);
		expect_equal("nested", i, got[i].nested, 13 * (limit + 2));
		expect_near("root", i, got[i].root, std::cbrt(1.0 + limit), 1e-9);
		expect_near("mean", i, got[i].mean, mean / m, 1e-12);
	}
	return verdict();
}
