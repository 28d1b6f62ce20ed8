// features: function-pointers device-variables constant-variables memcpy-symbol using-aliases enums pointers-to-pointers
// Calls through pointers: tables in device and constant memory, a pointer that the host fetches and passes to a kernel.
#include "check.h"

using Unary = float (*)(float);
typedef int (*Binary)(int, int);

__device__ float half_of(float x) { return x * 0.5f; }
__device__ float squared(float x) { return x * x; }
__device__ float negated(float x) { return -x; }
__device__ float plus_one(float x) { return x + 1.0f; }

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int greatest_divisor(int a, int b) { return b == 0 ? a : greatest_divisor(b, a % b); }

enum { OPERATIONS = 4 };
__device__ Unary unary_table[OPERATIONS] = {half_of, squared, negated, plus_one};
__device__ Binary binary_pointer = greatest_divisor;
__constant__ Binary binary_table[OPERATIONS];

__global__ void by_table(const int *program, float *values, int length, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = values[i];
	for (int k = 0; k < length; k++)
		x = unary_table[(program[k] + i) % OPERATIONS](x);
	values[i] = x;
}

__global__ void by_constant_table(const int *a, const int *b, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		Binary f = binary_table[i % OPERATIONS];
		out[i] = f != nullptr ? f(a[i], b[i]) : -1;
	}
}

__device__ int fold(const int *data, int n, Binary f, int start) {
	int result = start;
	for (int i = 0; i < n; i++)
		result = (*f)(result, data[i]);
	return result;
}

__global__ void by_argument(const int *a, int *out, Binary f, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i + 4 <= n)
		out[i] = fold(a + i, 4, f, 0) * 1000 + fold(a + i, 3, i % 2 ? add : multiply, 1) % 1000;
}

// Gives the host the addresses of device functions.
__global__ void fetch(Binary *out) {
	out[0] = add;
	out[1] = subtract;
	out[2] = &multiply;
}

int main() {
	const int n = 200, length = 6;
	std::vector<int> a(n), b(n), program = {0, 3, 1, 2, 2, 1};
	std::vector<float> values(n);
	Random random(5);
	for (int i = 0; i < n; i++) {
		a[i] = 1 + random.below(500);
		b[i] = 1 + random.below(60);
		values[i] = random.uniform();
	}
	int *d_a = to_device(a), *d_b = to_device(b), *d_program = to_device(program), *d_out = device_array<int>(n);
	float *d_values = to_device(values);
	by_table<<<4, 64>>>(d_program, d_values, length, n);
	CHECK_LAUNCH();
	std::vector<float> got_values = to_host(d_values, n);
	for (int i = 0; i < n; i++) {
		float x = values[i];
		for (int k = 0; k < length; k++)
			switch ((program[k] + i) % 4) {
			case 0: x = x * 0.5f; break;
			case 1: x = x * x; break;
			case 2: x = -x; break;
			case 3: x = x + 1.0f; break;
			}
		expect_near("chain", i, got_values[i], x, 1e-6);
	}

	Binary fetched[OPERATIONS] = {}, *d_fetched = device_array<Binary>(3);
	fetch<<<1, 1>>>(d_fetched);
	CHECK_LAUNCH();
	CHECK(cudaMemcpy(fetched, d_fetched, 3 * sizeof(Binary), cudaMemcpyDeviceToHost));
	Binary divisor;
	CHECK(cudaMemcpyFromSymbol(&divisor, binary_pointer, sizeof(Binary)));
	fetched[3] = divisor;
	CHECK(cudaMemcpyToSymbol(binary_table, fetched, sizeof fetched));
	by_constant_table<<<4, 64>>>(d_a, d_b, d_out, n);
	CHECK_LAUNCH();
	auto gcd = [](int x, int y) {
		while (y) {
			int t = x % y;
			x = y;
			y = t;
		}
		return x;
	};
	std::vector<int> out = to_host(d_out, n);
	for (int i = 0; i < n; i++) {
		int expected[] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], gcd(a[i], b[i])};
		expect_equal("table", i, out[i], expected[i % 4]);
	}

	by_argument<<<4, 64>>>(d_a, d_out, divisor, n);
	CHECK_LAUNCH();
	out = to_host(d_out, n);
	for (int i = 0; i + 4 <= n; i++) {
		int sum = 1 + a[i] + a[i + 1] + a[i + 2], product = a[i] * a[i + 1] * a[i + 2];
		int divides = gcd(gcd(gcd(a[i], a[i + 1]), a[i + 2]), a[i + 3]);
		expect_equal("argument", i, out[i], divides * 1000 + (i % 2 ? sum : product) % 1000);
	}
	return verdict();
}
