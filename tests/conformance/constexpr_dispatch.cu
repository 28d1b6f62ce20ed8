// features: if-constexpr type-traits decltype static-assert variable-templates kernel-templates launch-in-template auto deduction
// One kernel for every type: what it does is chosen by `if constexpr` over type traits.
#include <cstdint>
#include <type_traits>

#include "check.h"

template <typename T> struct is_vector2 : std::false_type {};
template <> struct is_vector2<float2> : std::true_type {};
template <> struct is_vector2<int2> : std::true_type {};
template <typename T> inline constexpr bool is_vector2_v = is_vector2<T>::value;
template <typename T> constexpr int components = 1;
template <> inline constexpr int components<float2> = 2;
template <> inline constexpr int components<int2> = 2;

struct Celsius {
	float degrees;
};

enum Level : short { LOW = -3, HIGH = 12 };

template <typename T> __host__ __device__ constexpr auto weight(const T &value) {
	if constexpr (std::is_same_v<T, bool>)
		return value ? 1 : -1;
	else if constexpr (std::is_pointer<T>::value)
		return weight(*value) * 2;
	else if constexpr (std::is_floating_point_v<T>)
		return value * T(0.5);
	else if constexpr (std::is_enum_v<T>)
		return static_cast<std::underlying_type_t<T>>(value) + 100;
	else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
		return static_cast<unsigned long long>(value) * 3;
	else if constexpr (std::is_integral_v<T>)
		return static_cast<typename std::make_unsigned<T>::type>(-value);
	else if constexpr (is_vector2_v<T>)
		return value.x * 10 + value.y;
	else
		return value.degrees * 1.8f + 32.0f;
}

static_assert(std::is_same_v<decltype(weight(1.0)), double>, "floating types stay");
static_assert(std::is_same<decltype(weight((short)1)), unsigned short>::value, "signed types become unsigned");
static_assert(weight(HIGH) == 112, "also at compile time");
static_assert(components<float2> + components<int> == 3, "the number of components");

template <typename T> __global__ void weigh(const T *in, double *out, int n) {
	using Result = std::remove_cv_t<std::remove_reference_t<decltype(weight(in[0]))>>;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Result w = weight(in[i]);
	out[i] = static_cast<double>(w) + (std::is_signed_v<Result> ? 0.25 : 0.0) + sizeof(Result) + components<T>;
	if constexpr (!std::is_enum_v<T> && std::is_arithmetic_v<T>)
		if (i % 2) {
			const T *pointer = &in[i];
			out[i] += weight(pointer);
		}
}

template <typename T, typename Make> void test(const char *name, Make make) {
	const int n = 77;
	// A vector<bool> has no elements to copy from.
	T host[n];
	for (int i = 0; i < n; i++)
		host[i] = make(i);
	T *in = nullptr;
	CHECK(cudaMalloc(&in, sizeof host));
	CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
	double *out = device_array<double>(n);
	weigh<<<3, 32>>>(in, out, n);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		auto w = weight(host[i]);
		double expected = (double)w + (std::is_signed<decltype(w)>::value ? 0.25 : 0) + sizeof(w) + components<T>;
		if (std::is_arithmetic<T>::value && i % 2)
			expected += (double)(weight(&host[i]));
		expect_near(name, i, got[i], expected, 1e-6);
	}
	cudaFree(in);
	cudaFree(out);
}

int main() {
	test<bool>("bool", [](int i) { return i % 3 == 0; });
	test<float>("float", [](int i) { return i * 0.75f; });
	test<double>("double", [](int i) { return i / 7.0; });
	test<short>("short", [](int i) { return (short)(i - 40); });
	test<long long>("long long", [](int i) { return (long long)i << 33; });
	test<uint8_t>("uint8_t", [](int i) { return (uint8_t)(i * 5); });
	test<Level>("enum", [](int i) { return i % 2 ? LOW : HIGH; });
	test<float2>("float2", [](int i) { return make_float2(i, 0.5f); });
	test<int2>("int2", [](int i) { return make_int2(i, -i); });
	test<Celsius>("struct", [](int i) { return Celsius{i - 20.0f}; });
	return verdict();
}
