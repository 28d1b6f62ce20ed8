// features: cuda-std type-traits numeric-limits std-utilities if-constexpr function-templates sfinae rvalue-references
// Names of cuda::std:: in device code: traits, limits, min and max, move, forward and swap.
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "check.h"

namespace cs = cuda::std;

template <typename T> __device__ T magnitude(T x) {
	if constexpr (cs::is_unsigned<T>::value)
		return x;
	else
		return x < 0 ? -x : x;
}

template <typename T> __device__ cs::enable_if_t<cs::is_integral<T>::value, double> span_of(T low, T high) {
	using Limits = cs::numeric_limits<T>;
	return ((double)high - (double)low) / ((double)Limits::max() - (double)Limits::min());
}
template <typename T> __device__ cs::enable_if_t<!cs::is_integral<T>::value, double> span_of(T low, T high) {
	return (double)(high - low);
}

template <typename T> struct Extent {
	T low = cs::numeric_limits<T>::max(), high = cs::numeric_limits<T>::lowest();
	template <typename U> __device__ void add(U &&x) {
		static_assert(cs::is_same<cs::remove_cv_t<cs::remove_reference_t<U>>, T>::value, "the same type");
		T y = cs::forward<U>(x);
		low = y < low ? y : low;
		high = y > high ? y : high;
	}
};

template <typename T> __device__ void sort3(T &a, T &b, T &c) {
	if (b < a)
		cs::swap(a, b);
	if (c < b)
		cs::swap(b, c);
	if (b < a)
		cs::swap(a, b);
}

template <typename T> __global__ void kernel(const T *in, double *out, int n, int each) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Extent<T> extent;
	double sum = 0;
	for (int k = 0; k < each; k++) {
		extent.add(in[i * each + k]);
		sum += (double)magnitude(in[i * each + k]);
	}
	T a = in[i * each], b = in[i * each + 1], c = cs::move(in[i * each + 2]);
	sort3(a, b, c);
	cs::conditional_t<cs::is_floating_point_v<T>, double, long long> middle = b;
	out[i] = span_of(extent.low, extent.high) * 1000 + sum + (double)middle * 16 + (cs::is_same_v<T, int> ? 0.5 : 0.0);
}

template <typename T> void test(const char *name, int low, int high, double width) {
	const int n = 80, each = 5;
	std::vector<T> in(n * each);
	Random random(79);
	for (T &x : in)
		x = (T)(low + random.below(high - low));
	double *out = device_array<double>(n);
	kernel<<<3, 32>>>(to_device(in), out, n, each);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		double least = 1e30, most = -1e30, sum = 0;
		for (int k = 0; k < each; k++) {
			double x = (double)in[i * each + k];
			least = x < least ? x : least;
			most = x > most ? x : most;
			sum += x < 0 ? -x : x;
		}
		double a = in[i * each], b = in[i * each + 1], c = in[i * each + 2];
		double middle = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
		double extra = std::is_same<T, int>::value ? 0.5 : 0;
		expect_near(name, i, got[i], (most - least) / width * 1000 + sum + middle * 16 + extra, 1e-9);
	}
}

int main() {
	test<int>("int", -1000, 1000, 4294967295.0);
	test<unsigned char>("unsigned char", 0, 200, 255);
	test<short>("short", -300, 300, 65535);
	test<float>("float", -50, 50, 1);
	test<double>("double", -50, 5000, 1);
	return verdict();
}
