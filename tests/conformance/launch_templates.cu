// features: launch-in-template kernel-templates packs alias-templates template-template specialisation function-pointers class-templates decltype
// Launches that only the host compiler can list: over lists of types and numbers, from methods, lambdas and tables.
#include <cstdint>
#include <map>
#include <string>

#include "check.h"

template <typename... Ts> struct Types {};
template <typename T> struct Name;
template <> struct Name<int> {
	static const char *get() { return "int"; }
};
template <> struct Name<float> {
	static const char *get() { return "float"; }
};
template <> struct Name<double> {
	static const char *get() { return "double"; }
};
template <> struct Name<uint8_t> {
	static const char *get() { return "byte"; }
};

template <typename T> struct Add {
	__host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Max {
	__host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct SecondHalf {
	__host__ __device__ T operator()(T a, T b) const { return a + b / T(2); }
};

template <typename T, template <typename> class Op, int UNROLL>
__global__ void combine(const T *a, const T *b, T *out, int n) {
	Op<T> op;
	int first = (blockIdx.x * blockDim.x + threadIdx.x) * UNROLL;
#pragma unroll
	for (int k = 0; k < UNROLL; k++)
		if (first + k < n)
			out[first + k] = op(a[first + k], b[first + k]);
}

template <typename To, typename From> __global__ void convert(const From *in, To *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = static_cast<To>(in[i]);
}

// All conversions between the types of two lists.
template <typename To, typename From> void test_conversion() {
	const int n = 70;
	std::vector<From> in(n);
	for (int i = 0; i < n; i++)
		in[i] = static_cast<From>(i * 1.5);
	From *d_in = to_device(in);
	To *out = device_array<To>(n);
	convert<To><<<3, 32>>>(d_in, out, n);
	CHECK_LAUNCH();
	std::vector<To> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_near(Name<From>::get(), i, got[i], static_cast<To>(in[i]), 0);
	cudaFree(d_in);
	cudaFree(out);
}
template <typename To, typename... Froms> void from_each(Types<Froms...>) { (test_conversion<To, Froms>(), ...); }
template <typename... Tos, typename List> void convert_each(Types<Tos...>, List list) { (from_each<Tos>(list), ...); }

// A class whose method launches.
template <typename T, template <typename> class Op> class Combiner {
	const T *a_, *b_;
	T *out_;
	int n_;

  public:
	Combiner(const T *a, const T *b, T *out, int n) : a_(a), b_(b), out_(out), n_(n) {}
	template <int UNROLL> void launch(int block = 32) const {
		int blocks = (n_ + block * UNROLL - 1) / (block * UNROLL);
		combine<T, Op, UNROLL><<<blocks, block>>>(a_, b_, out_, n_);
	}
	T expected(T a, T b) const { return Op<T>()(a, b); }
};

template <typename T, template <typename> class Op, int... UNROLLS> void test_combine() {
	const int n = 333;
	std::vector<T> a(n), b(n);
	for (int i = 0; i < n; i++) {
		a[i] = T(i % 19);
		b[i] = T(i * 7 % 23);
	}
	T *d_a = to_device(a), *d_b = to_device(b), *out = device_array<T>(n);
	Combiner<T, Op> combiner(d_a, d_b, out, n);
	auto check = [&](auto launch) {
		CHECK(cudaMemset(out, 0, n * sizeof(T)));
		launch();
		CHECK_LAUNCH();
		std::vector<T> got = to_host(out, n);
		for (int i = 0; i < n; i++)
			expect_near(Name<T>::get(), i, got[i], combiner.expected(a[i], b[i]), 0);
	};
	(check([&] { combiner.template launch<UNROLLS>(); }), ...);
	cudaFree(d_a);
	cudaFree(d_b);
	cudaFree(out);
}

template <template <typename> class Op> void register_all(std::map<std::string, void (*)()> &table, const char *name) {
	table[std::string(name) + " int"] = test_combine<int, Op, 1, 2, 4>;
	table[std::string(name) + " float"] = &test_combine<float, Op, 1, 3>;
	table[std::string(name) + " double"] = [] { test_combine<double, Op, 8>(); };
}

int main() {
	convert_each(Types<int, float, double, uint8_t>(), Types<float, uint8_t, int>());
	std::map<std::string, void (*)()> table;
	register_all<Add>(table, "add");
	register_all<Max>(table, "max");
	register_all<SecondHalf>(table, "half");
	for (auto &[name, test] : table)
		test();
	expect_equal("entries", 0, table.size(), 9);
	return verdict();
}
