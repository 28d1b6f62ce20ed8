// features: packs function-templates kernel-templates launch-in-template auto decltype specialisation references std-utilities
// Packs of template parameters: sums by fold expressions and by recursion, kernels with any number of arrays.
#include <utility>

#include "check.h"

template <typename... Ts> __host__ __device__ auto sum(Ts... values) { return (values + ... + 0); }
template <typename... Ts> __host__ __device__ bool all_positive(const Ts &...values) { return (... && (values > 0)); }

template <typename T> __host__ __device__ T largest(T only) { return only; }
template <typename T, typename... Rest> __host__ __device__ T largest(T first, Rest... rest) {
	T other = static_cast<T>(largest(rest...));
	return first > other ? first : other;
}

template <int... Values> struct Numbers {
	static constexpr int count = sizeof...(Values);
	static constexpr int total = (0 + ... + Values);
	__host__ __device__ static constexpr int at(int i) {
		constexpr int table[] = {Values...};
		return table[i];
	}
};

// Horner's scheme; the coefficients are template arguments, the highest first.
template <int First, int... Rest> struct Polynomial {
	template <typename T> __host__ __device__ static T value(T x, T so_far = T(0)) {
		T next = so_far * x + T(First);
		if constexpr (sizeof...(Rest) > 0)
			return Polynomial<Rest...>::value(x, next);
		else
			return next;
	}
};

template <typename... Ts> struct Tuple;
template <> struct Tuple<> {};
template <typename Head, typename... Tail> struct Tuple<Head, Tail...> {
	Head head;
	Tuple<Tail...> tail;
};
template <int I, typename Head, typename... Tail> __host__ __device__ auto &get(Tuple<Head, Tail...> &t) {
	if constexpr (I == 0)
		return t.head;
	else
		return get<I - 1>(t.tail);
}

// out[i] = the sum of in0[i], in1[i] ...
template <typename Out, typename... In> __global__ void add_arrays(Out *out, int n, const In *...in) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = (Out(0) + ... + Out(in[i]));
}

template <typename... Steps> __global__ void apply_steps(double *x, int n, Steps... steps) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double value = x[i];
	((value = steps(value)), ...);
	x[i] = value;
}

template <typename T> struct Times {
	T by;
	__host__ __device__ double operator()(double x) const { return x * by; }
};
struct Minus {
	int by;
	__host__ __device__ double operator()(double x) const { return x - by; }
};

__global__ void mixed(const int *in, double *out, int n) {
	using Odd = Numbers<1, 3, 5, 7>;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Tuple<int, float, char> t{in[i], {0.5f, {3, {}}}};
	get<1>(t) += in[i];
	get<2>(t) = static_cast<char>(get<2>(t) * 2);
	decltype(sum(1, 2.0)) total = sum(in[i], 0.25, 3.0f, 'a' - 'A', get<1>(t), get<2>(t));
	total += largest(in[i], 10, 3L) + Odd::at(i % Odd::count) * Odd::total;
	if (all_positive(in[i], total, 5u))
		total += 1000;
	out[i] = total + Polynomial<2, -1, 0, 5>::value(0.5 * in[i]);
}

template <typename Out, typename... In> std::vector<Out> add_on_device(int n, const std::vector<In> &...in) {
	Out *out = device_array<Out>(n);
	add_arrays<<<(n + 63) / 64, 64>>>(out, n, to_device(in)...);
	CHECK_LAUNCH();
	return to_host(out, n);
}

int main() {
	const int n = 150;
	std::vector<int> a(n);
	std::vector<float> b(n);
	std::vector<short> c(n);
	std::vector<double> d(n);
	for (int i = 0; i < n; i++) {
		a[i] = i * 7 % 23 - 5;
		b[i] = i * 0.5f;
		c[i] = (short)(100 - i);
		d[i] = i;
	}
	std::vector<double> two = add_on_device<double>(n, a, b);
	std::vector<float> four = add_on_device<float>(n, a, b, c, a);
	std::vector<int> none = add_on_device<int>(n);
	double *d_d = to_device(d), *out = device_array<double>(n);
	apply_steps<<<3, 64>>>(d_d, n, Times<float>{1.5f}, Minus{4}, Times<int>{-3}, Minus{-1});
	int *d_a = to_device(a);
	mixed<<<3, 64>>>(d_a, out, n);
	CHECK_LAUNCH();
	std::vector<double> steps = to_host(d_d, n), values = to_host(out, n);
	const int odd[] = {1, 3, 5, 7};
	for (int i = 0; i < n; i++) {
		expect_near("two", i, two[i], a[i] + b[i], 0);
		expect_near("four", i, four[i], 2 * a[i] + b[i] + c[i], 0);
		expect_equal("none", i, none[i], 0);
		expect_near("steps", i, steps[i], (d[i] * 1.5 - 4) * -3 + 1, 1e-12);
		double x = 0.5 * a[i], total = a[i] + 0.25 + 3 + 32 + (a[i] + 0.5) + 6 + std::max(a[i], 10) + odd[i % 4] * 16;
		if (a[i] > 0 && total > 0)
			total += 1000;
		expect_near("mixed", i, values[i], total + 2 * x * x * x - x * x + 5, 1e-9);
	}
	return verdict();
}
