// features: sfinae type-traits function-templates partial-specialisation alias-templates decltype overloading kernel-templates
// Overloads that exist for some types only: enable_if as result, parameter and template parameter, void_t detection.
#include <type_traits>
#include <utility>

#include "check.h"

template <bool Condition, typename T = void> using When = typename std::enable_if<Condition, T>::type;

// As the result.
template <typename T> __host__ __device__ typename std::enable_if<std::is_integral<T>::value, int>::type bits_of(T x) {
	int count = 0;
	for (auto u = static_cast<std::make_unsigned_t<T>>(x); u; u &= u - 1)
		count++;
	return count;
}
template <typename T> __host__ __device__ std::enable_if_t<std::is_floating_point<T>::value, int> bits_of(T x) {
	int exponent = 0;
	for (; x >= T(2); x /= 2)
		exponent++;
	return 1000 + exponent;
}

// As a template parameter.
template <typename T, When<(sizeof(T) > 4), int> = 0> __host__ __device__ const char *width_of(const T &) {
	return "wide";
}
template <typename T, When<(sizeof(T) <= 4), int> = 0> __host__ __device__ const char *width_of(const T &) {
	return "narrow";
}

// By detection.
template <typename T, typename = void> struct has_norm : std::false_type {};
template <typename T> struct has_norm<T, std::void_t<decltype(std::declval<const T &>().norm())>> : std::true_type {};

template <typename T, typename = void> struct value_type_of {
	using type = T;
};
template <typename T> struct value_type_of<T, std::void_t<typename T::value_type>> {
	using type = typename T::value_type;
};

struct Plain {
	float a;
};
struct Vector {
	using value_type = double;
	double x, y;
	__host__ __device__ double norm() const { return x * x + y * y; }
	__host__ __device__ double operator-() const { return -x; }
};

template <typename T> __host__ __device__ auto size_of(const T &v, std::true_type) { return v.norm(); }
template <typename T> __host__ __device__ float size_of(const T &v, std::false_type) { return v.a * 3; }
template <typename T> __host__ __device__ auto size_of(const T &v) { return size_of(v, has_norm<T>{}); }

// By an expression in the result: the second is there for all the rest.
template <typename T> __host__ __device__ auto negated(const T &v, int) -> decltype(-v) { return -v; }
template <typename T> __host__ __device__ double negated(const T &, long) { return -999; }

template <typename T> struct Wrapper {
	T inner;
	template <typename U = T, std::enable_if_t<std::is_arithmetic_v<U>, bool> = true>
	__host__ __device__ double doubled() const {
		return 2.0 * inner;
	}
	template <typename U = T, std::enable_if_t<!std::is_arithmetic_v<U>, bool> = true>
	__host__ __device__ double doubled() const {
		return 2.0 * size_of(inner);
	}
};

template <typename T> __host__ __device__ double judge(T value, double more) {
	typename value_type_of<T>::type shown = (typename value_type_of<T>::type)more;
	Wrapper<T> wrapper{value};
	return wrapper.doubled() + (width_of(value)[0] == 'w' ? 0.5 : 0.0) + (double)shown +
		   (double)negated(value, 0) / 1024;
}
template <> __host__ __device__ double judge(Plain value, double more) {
	return Wrapper<Plain>{value}.doubled() + width_of(value)[0] + more + negated(value, 0);
}

template <typename T> __global__ void judge_all(const T *in, double *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = judge(in[i], i * 0.25);
}

template <typename T> __global__ void count_bits(const T *in, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = bits_of(in[i]);
}

template <typename T> void test_judge(const std::vector<T> &in) {
	int n = (int)in.size();
	T *d_in = to_device(in);
	double *out = device_array<double>(n);
	judge_all<<<(n + 31) / 32, 32>>>(d_in, out, n);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_near("judge", i, got[i], judge(in[i], i * 0.25), 1e-9);
}

template <typename T> void test_bits(std::vector<T> in) {
	int n = (int)in.size(), *out = device_array<int>(n);
	count_bits<<<1, 64>>>(to_device(in), out, n);
	CHECK_LAUNCH();
	std::vector<int> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_equal("bits", i, got[i], bits_of(in[i]));
}

int main() {
	test_judge<int>({1, -2, 3, 400, 5});
	test_judge<double>({0.5, -2.25, 1e6});
	test_judge<Plain>({{1.5f}, {-2.0f}, {0.25f}});
	test_judge<Vector>({{1, 2}, {3, -4}, {0.5, 0.25}, {0, 0}});
	test_bits<int>({0, 1, -1, 255, 1 << 30});
	test_bits<unsigned char>({0, 255, 16});
	test_bits<long long>({-1, 1ll << 40, 12345678901234});
	test_bits<float>({1, 2.5f, 1000, 1e20f});
	return verdict();
}
