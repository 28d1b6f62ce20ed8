// cuda::std::expected: functions of values and errors, by kernels and by the host.
#include <cuda/std/expected>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstdio>
namespace cs = cuda::std;

struct Error {
	int code;
	__host__ __device__ Error(int code) : code(code) {
	}
	__host__ __device__ Error(const Error &other) : code(other.code) {
	}
	__host__ __device__ Error(Error &&other) noexcept : code(other.code) {
		other.code = -1;
	}
	__host__ __device__ Error &operator=(const Error &other) {
		code = other.code;
		return *this;
	}
	__host__ __device__ ~Error() {
		code = -7;
	}
};
static_assert(cs::is_trivially_copyable_v<cs::expected<int, float>> && sizeof(cs::expected<void, char>) == 2);
static_assert(!cs::is_trivially_copyable_v<cs::expected<int, Error>> && cs::is_copy_assignable_v<cs::expected<int, Error>>);
static_assert(!cs::is_default_constructible_v<cs::expected<Error, int>>);
static_assert(!cs::is_convertible_v<cs::expected<int, int>, int>);

__host__ __device__ cs::expected<int, Error> half(int x) {
	if (x & 1)
		return cs::unexpected(Error(x));
	return x / 2;
}
__host__ __device__ cs::expected<void, int> check(int x) {
	if (x > 3)
		return cs::unexpected(x);
	return {};
}

__host__ __device__ int wrong(int x) {
	auto once = half(x).transform([=](int y) { return y * 1.5; });
	auto twice = half(x).and_then([](int y) { return half(y); }).or_else([](Error e) -> cs::expected<int, long long> {
		return e.code * 9;
	});
	auto other = half(x).transform_error([](const Error &e) { return e.code + 0.25f; });
	auto none = half(x).transform([](int) {});
	static_assert(cs::is_same_v<decltype(once), cs::expected<double, Error>>);
	static_assert(cs::is_same_v<decltype(none), cs::expected<void, Error>>);
	bool odd = x & 1;
	int bad = once.has_value() == odd || (odd ? once.error().code != x : *once != x / 2 * 1.5);
	bad += twice.value() != (odd ? x * 9 : x / 2 & 1 ? x / 2 * 9 : x / 4);
	bad += other.has_error() != odd || (odd && other.error() != x + 0.25f) || none.has_value() == odd;
	bad += none.error_or(Error(70)).code != (odd ? x : 70) || check(x).error_or(9) != (x > 3 ? x : 9);
	bad += check(x).and_then([] { return cs::expected<int, int>(6); }).value_or(1) != (x > 3 ? 1 : 6);
	bad += check(x).transform([] { return 2; }).value_or(3) != (x > 3 ? 3 : 2);
	auto a = half(x), b = half(x + 1);
	swap(a, b);
	bad += a.has_value() == b.has_value() || (odd ? *a != (x + 1) / 2 || b.error().code != x : a.error().code != x + 1);
	a = b;
	bad += a.has_value() == odd;
	a = 5;
	b = cs::unexpected(Error(3));
	return bad + (*a != 5) + (b.error().code != 3) + (a.emplace(x) != x);
}

__global__ void k(int *out) {
	out[threadIdx.x] = wrong(threadIdx.x);
}

int main() {
	int *out, bad = 0;
	cudaMallocManaged(&out, 70 * sizeof(int));
	k<<<1, 70>>>(out);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int x = 0; x < 70; ++x)
		bad += out[x] + wrong(x);
	try {
		half(3).value();
		++bad;
	} catch (cs::bad_expected_access<Error> &e) {
		bad += e.error().code != 3;
	}
	printf("%d wrong\n", bad);
}
