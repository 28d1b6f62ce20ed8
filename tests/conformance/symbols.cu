// features: device-variables constant-variables memcpy-symbol symbol-address nested-structs namespaces static-members vector-types
// Variables of the device with initialisers of every kind, and all that the host can do with their symbols.
#include <cstring>

#include "check.h"

struct Settings {
	int mode;
	float rates[3];
	struct {
		double x;
		short y;
	} inner;
};

namespace state {
__device__ int counter = 7;
__device__ float grid[4][5] = {{1, 2, 3}, {}, {9, 8, 7, 6, 5}};
} // namespace state

__device__ const Settings defaults = {3, {0.5f, 0.25f}, {2.5, -4}};
__device__ Settings current;
__device__ double scale = 1.5, bias(-2.0);
__device__ long long big{1ll << 40};
__device__ unsigned char bytes[] = "bytes";
__device__ float4 corners[2] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
__device__ int *pointer;
__device__ int *into_grid_counter = &state::counter;
__constant__ int powers[8] = {1, 2, 4, 8, 16};
__constant__ Settings fixed = {1, {1, 2, 3}, {4, 5}};
static __device__ bool enabled = true;
__device__ const float *row_of_grid = state::grid[2];

__global__ void use(double *out) {
	int i = threadIdx.x;
	const Settings &s = enabled ? current : defaults;
	out[i] = (s.mode + s.rates[i % 3] + s.inner.x + s.inner.y) * scale + bias;
	out[i] += (double)(big >> 36) + bytes[i % 6] + corners[i % 2].z + powers[i % 8] + fixed.rates[2] * fixed.inner.y;
	out[i] += pointer[i] + row_of_grid[i % 5] + state::grid[0][i % 5];
	atomicAdd(into_grid_counter, i);
}

__global__ void change() {
	if (threadIdx.x == 0) {
		current = defaults;
		current.inner.y = (short)powers[6];
		state::grid[1][threadIdx.x + 2] = 100;
		bias *= 2;
	}
}

static double expected_of(int i, const Settings &s, double scale, double bias, int power5, double fixed_y) {
	const char text[] = "bytes";
	const int powers[8] = {1, 2, 4, 8, 16, power5, power5 + 1, power5 + 2};
	const double row2[] = {9, 8, 7, 6, 5}, row0[] = {1, 2, 3, 0, 0};
	double value = (s.mode + s.rates[i % 3] + s.inner.x + s.inner.y) * scale + bias;
	value += 16 + text[i % 6] + (i % 2 ? 6 : 2) + powers[i % 8] + 3 * fixed_y;
	return value + i * 11 + row2[i % 5] + row0[i % 5];
}

int main() {
	const int n = 64;
	double *out = device_array<double>(n);
	std::vector<int> numbers(n);
	for (int i = 0; i < n; i++)
		numbers[i] = i * 11;
	int *d_numbers = to_device(numbers);
	cudaStream_t stream;
	CHECK(cudaStreamCreate(&stream));

	CHECK(cudaMemcpyToSymbol(pointer, &d_numbers, sizeof d_numbers));
	const int more[3] = {50, 51, 52};
	CHECK(cudaMemcpyToSymbolAsync(powers, more, sizeof more, 5 * sizeof(int), cudaMemcpyHostToDevice, stream));
	Settings mine = {9, {1, 2, 3}, {0.5, 30}};
	CHECK(cudaMemcpyToSymbol(current, &mine, sizeof mine));
	double y = 8;
	CHECK(cudaStreamSynchronize(stream));
	short fixed_y = 8;
	CHECK(cudaMemcpyToSymbol(fixed, &fixed_y, sizeof fixed_y, offsetof(Settings, inner) + sizeof(double)));
	use<<<1, n, 0, stream>>>(out);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_near("first", i, got[i], expected_of(i, mine, 1.5, -2, 50, y), 1e-12);

	bool off = false;
	CHECK(cudaMemcpyToSymbol(enabled, &off, sizeof off));
	change<<<1, 32>>>();
	void *address = nullptr;
	size_t size = 0;
	CHECK(cudaGetSymbolAddress(&address, scale));
	CHECK(cudaGetSymbolSize(&size, scale));
	expect_equal("size", 0, size, sizeof(double));
	double three = 3;
	CHECK(cudaMemcpy(address, &three, size, cudaMemcpyHostToDevice));
	use<<<1, n>>>(out);
	CHECK_LAUNCH();
	got = to_host(out, n);
	Settings defaults_ = {3, {0.5f, 0.25f, 0}, {2.5, -4}};
	for (int i = 0; i < n; i++)
		expect_near("second", i, got[i], expected_of(i, defaults_, 3, -4, 50, y), 1e-12);

	Settings back;
	CHECK(cudaMemcpyFromSymbolAsync(&back, current, sizeof back, 0, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
	expect_equal("mode", 0, back.mode, 3);
	expect_equal("y", 0, back.inner.y, 51);
	float grid[4][5];
	CHECK(cudaGetSymbolSize(&size, state::grid));
	expect_equal("size of an array", 0, size, sizeof grid);
	CHECK(cudaMemcpyFromSymbol(grid, state::grid, size));
	expect_near("grid", 0, grid[1][2] + grid[2][4] + grid[3][0], 105, 0);
	int counter = 0;
	CHECK(cudaMemcpyFromSymbol(&counter, state::counter, sizeof counter));
	expect_equal("counter", 0, counter, 7 + n * (n - 1));
	float corner[2];
	CHECK(cudaMemcpyFromSymbol(corner, corners, sizeof corner, 5 * sizeof(float)));
	expect_near("corner", 0, corner[0] * 10 + corner[1], 56, 0);
	CHECK(cudaStreamDestroy(stream));
	return verdict();
}
