// features: namespaces using-aliases adl-operators enums default-arguments device-variables constant-variables memcpy-symbol function-pointers
// Namespaces: nested ones, opened again, inline and anonymous ones, aliases, using, and functions found by arguments.
#include "check.h"

namespace physics {
constexpr float G = 9.81f;
__device__ int calls = 5;

namespace units {
struct Metres {
	float value;
};
struct Seconds {
	float value;
};
__host__ __device__ inline Metres operator+(Metres a, Metres b) { return {a.value + b.value}; }
__host__ __device__ inline Metres operator*(float s, Metres m) { return {s * m.value}; }
__host__ __device__ inline bool operator<(Metres a, Metres b) { return a.value < b.value; }
__host__ __device__ inline float raw(Metres m) { return m.value; }
__host__ __device__ inline float raw(Seconds s) { return s.value * 1000; }
} // namespace units

inline namespace v2 {
__host__ __device__ inline units::Metres fall(units::Seconds t, float g = G) { return {0.5f * g * t.value * t.value}; }
} // namespace v2
namespace v1 {
__host__ __device__ inline units::Metres fall(units::Seconds t) { return {10 * t.value}; }
} // namespace v1
} // namespace physics

namespace physics::units::literals {
constexpr float foot = 0.3048f;
}

namespace {
__device__ int hidden(int x) { return x * 2; }
__constant__ float table[4] = {1, 2, 4, 8};
enum { SHIFT = 3 };
} // namespace

namespace other {
__device__ int hidden(int x) { return x * 3; }
enum class Mode { Slow, Fast };
enum Mood { Calm, Wild = 7 };
namespace detail {
template <typename T> __host__ __device__ T twice(T x) { return x + x; }
struct Tag {};
__host__ __device__ inline int tagged(Tag, int x) { return x + 40; }
} // namespace detail
using detail::twice;
} // namespace other

namespace physics { // again
__device__ int count(int by) { return atomicAdd(&calls, by) >= 0; }
int calls_at_start() { return 5; }
} // namespace physics

namespace pu = physics::units;
using Length = pu::Metres;

int value = 1; // the host's own

__global__ void kernel(const float *times, float *distances, int *numbers, int n) {
	using namespace other;
	using pu::Seconds;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Seconds t{times[i]};
	Length a = physics::fall(t), b = physics::v1::fall(t), c = physics::v2::fall(t, 1.62f);
	Length longest = a < b ? b : a;
	distances[i] = raw(longest + 2.0f * c) + raw(t) + physics::units::literals::foot + table[i % 4];
	Mood mood = i % 2 ? Wild : Calm;
	Mode mode = i % 3 ? Mode::Slow : other::Mode::Fast;
	int (*f)(int) = ::hidden;
	numbers[i] = f(i) + other::hidden(i) * 100 + twice(i) + tagged(detail::Tag(), 2) + mood + (mode == Mode::Fast) +
				 (i << SHIFT);
	{
		using physics::count;
		numbers[i] += count(1);
	}
}

namespace app {
static int run() {
	using namespace physics;
	const int n = 90;
	std::vector<float> times(n);
	for (int i = 0; i < n; i++)
		times[i] = i * 0.125f;
	float *d_times = to_device(times), *distances = device_array<float>(n);
	int *numbers = device_array<int>(n);
	::kernel<<<3, 32>>>(d_times, distances, numbers, n);
	CHECK_LAUNCH();
	int made = 0;
	CHECK(cudaMemcpyFromSymbol(&made, physics::calls, sizeof made));
	expect_equal("calls", 0, made, n + calls_at_start());
	std::vector<float> got = to_host(distances, n);
	std::vector<int> got_numbers = to_host(numbers, n);
	for (int i = 0; i < n; i++) {
		float t = times[i], a = 0.5f * G * t * t, b = 10 * t, c = 0.5f * 1.62f * t * t;
		expect_near("distance", i, got[i], std::max(a, b) + 2 * c + t * 1000 + 0.3048f + (1 << i % 4), 1e-5);
		int number = 2 * i + 300 * i + 2 * i + 42 + (i % 2 ? 7 : 0) + (i % 3 == 0) + 8 * i + 1;
		expect_equal("number", i, got_numbers[i], number);
	}
	return verdict();
}
} // namespace app

int main() { return app::run(); }
