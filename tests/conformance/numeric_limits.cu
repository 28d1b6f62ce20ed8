// features: numeric-limits std-utilities kernel-templates launch-in-template function-templates class-templates constexpr cstdint
// Ranges, saturating conversions and arg-min of every arithmetic type, by std::numeric_limits, std::min and std::max.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "check.h"

template <typename To, typename From> __host__ __device__ constexpr To saturated(From x) {
	using Limits = std::numeric_limits<To>;
	if (!Limits::is_integer)
		return (To)x;
	return x >= (From)Limits::max() ? Limits::max() : x <= (From)Limits::lowest() ? Limits::lowest() : (To)x;
}
static_assert(saturated<signed char>(1000) == 127, "");
static_assert(saturated<unsigned short>(-5.5) == 0, "");

template <typename T> struct Range {
	T low = std::numeric_limits<T>::max();
	T high = std::numeric_limits<T>::lowest();
	int place = -1;

	__host__ __device__ void add(T x, int at) {
		if (x < low || (x == low && at < place)) {
			low = x;
			place = at;
		}
		high = std::max(high, x);
	}
	__host__ __device__ void add(const Range &other) {
		if (other.place < 0)
			return;
		add(other.low, other.place);
		high = std::max<T>(high, other.high);
	}
};

// Classes with initialisers cannot be in shared memory; their bytes can.
template <typename T, int BLOCK> __global__ void ranges(const T *in, Range<T> *out, int n) {
	alignas(Range<T>) __shared__ unsigned char raw[sizeof(Range<T>) * BLOCK];
	Range<T> *shared = reinterpret_cast<Range<T> *>(raw);
	Range<T> mine;
	for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
		mine.add(in[i], i);
	shared[threadIdx.x] = mine;
	for (int half = BLOCK / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			shared[threadIdx.x].add(shared[threadIdx.x + half]);
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = shared[0];
}

template <typename T> __global__ void constants(double *out, float *conversions, const double *in, int n) {
	using Limits = std::numeric_limits<T>;
	int i = threadIdx.x;
	switch (i) {
	case 0: out[i] = (double)Limits::min(); break;
	case 1: out[i] = (double)Limits::max(); break;
	case 2: out[i] = (double)Limits::lowest(); break;
	case 3: out[i] = Limits::digits; break;
	case 4: out[i] = Limits::is_signed + 2 * Limits::is_integer + 4 * Limits::has_infinity; break;
	case 5: out[i] = (double)Limits::epsilon(); break;
	case 6: out[i] = Limits::has_infinity ? (double)-Limits::infinity() : 0.0; break;
	case 7: out[i] = std::abs(-3) + std::abs(-0.5) + std::min(std::min(4, 2), 8) + std::clamp(17, 0, 9); break;
	}
	if (i < n)
		conversions[i] = (float)saturated<T>(in[i]);
}

template <typename T> void test(const char *name) {
	const int n = 2000, blocks = 3, block = 128;
	std::vector<T> in(n);
	Random random(sizeof(T));
	Range<T> expected;
	for (int i = 0; i < n; i++) {
		in[i] = (T)((random.uniform() - 0.25) * 200);
		expected.add(in[i], i);
	}
	T *d_in = to_device(in);
	Range<T> *out = nullptr;
	CHECK(cudaMalloc(&out, blocks * sizeof(Range<T>)));
	ranges<T, block><<<blocks, block>>>(d_in, out, n);
	CHECK_LAUNCH();
	Range<T> got;
	for (const Range<T> &part : to_host(out, blocks))
		got.add(part);
	expect_near(name, 0, got.low, expected.low, 0);
	expect_near(name, 1, got.high, expected.high, 0);
	expect_equal(name, 2, got.place, expected.place);

	using Limits = std::numeric_limits<T>;
	std::vector<double> values = {-1e30, -300.5, -1, 0, 0.75, 127.5, 255, 70000, 3e9, 1e25};
	double *d_values = to_device(values), *d_constants = device_array<double>(8);
	float *conversions = device_array<float>(values.size());
	constants<T><<<1, 32>>>(d_constants, conversions, d_values, (int)values.size());
	CHECK_LAUNCH();
	std::vector<double> c = to_host(d_constants, 8);
	const double right[] = {(double)Limits::min(), (double)Limits::max(), (double)Limits::lowest(), Limits::digits,
		Limits::is_signed + 2.0 * Limits::is_integer + 4 * Limits::has_infinity, (double)Limits::epsilon(),
		Limits::has_infinity ? -(double)Limits::infinity() : 0, 3 + 0.5 + 2 + 9};
	for (int k = 0; k < 8; k++)
		expect(c[k] == right[k], name);
	std::vector<float> converted = to_host(conversions, values.size());
	for (size_t k = 0; k < values.size(); k++)
		expect_near(name, k, converted[k], (float)saturated<T>(values[k]), 0);
}

int main() {
	test<signed char>("signed char");
	test<uint8_t>("uint8_t");
	test<int16_t>("int16_t");
	test<int>("int");
	test<unsigned>("unsigned");
	test<int64_t>("int64_t");
	test<float>("float");
	test<double>("double");
	return verdict();
}
