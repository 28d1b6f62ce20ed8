// features: extended-lambdas kernel-templates launch-in-template function-templates functors deduction default-arguments packs
// flags: --extended-lambda
// A small library of parallel loops: host templates that launch a kernel for whatever lambda they are given.
#include "check.h"

struct Range {
	int begin, end;
	Range(int end) : begin(0), end(end) {}
	Range(int begin, int end) : begin(begin), end(end) {}
};

namespace kernels {

template <typename Body> __global__ void loop(Range range, Body body) {
	for (int i = range.begin + blockIdx.x * blockDim.x + threadIdx.x; i < range.end; i += gridDim.x * blockDim.x)
		body(i);
}

template <typename Body> __global__ void loop2(int rows, int columns, const __grid_constant__ Body body) {
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < rows && j < columns)
		body(i, j);
}

template <typename T, typename Body, typename Join>
__global__ void reduce(Range range, T start, Body body, Join join, T *out) {
	__shared__ T partial[128];
	T mine = start;
	for (int i = range.begin + blockIdx.x * blockDim.x + threadIdx.x; i < range.end; i += gridDim.x * blockDim.x)
		mine = join(mine, body(i));
	partial[threadIdx.x] = mine;
	for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			partial[threadIdx.x] = join(partial[threadIdx.x], partial[threadIdx.x + half]);
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = partial[0];
}

} // namespace kernels

template <typename Body> void parallel_for(Range range, Body body, int block = 128) {
	int count = range.end - range.begin;
	if (count <= 0)
		return;
	kernels::loop<<<(count + 2 * block - 1) / (2 * block), block>>>(range, body);
	CHECK(cudaGetLastError());
}

template <typename Body> void parallel_for(int rows, int columns, Body body) {
	dim3 block(16, 8), grid((columns + 15) / 16, (rows + 7) / 8);
	kernels::loop2<<<grid, block>>>(rows, columns, body);
	CHECK(cudaGetLastError());
}

template <typename T, typename Body, typename Join> T parallel_reduce(Range range, T start, Body body, Join join) {
	const int blocks = 6;
	T *out = device_array<T>(blocks);
	kernels::reduce<<<blocks, 128>>>(range, start, body, join, out);
	CHECK_LAUNCH();
	for (T part : to_host(out, blocks))
		start = join(start, part);
	cudaFree(out);
	return start;
}

// A lambda of a template function: it is another one for each T.
template <typename T> void axpy(T a, const T *x, T *y, int n) {
	parallel_for(n, [=] __device__(int i) { y[i] = a * x[i] + y[i]; });
}

struct Grid {
	int rows, columns;
	float *cells;
	void relax(float *next, float rate) {
		int r = rows, c = columns;
		float *from = cells;
		parallel_for(r, c, [=] __host__ __device__(int i, int j) {
			auto at = [&](int y, int x) { return y < 0 || y >= r || x < 0 || x >= c ? 0.0f : from[y * c + x]; };
			float around = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
			next[i * c + j] = at(i, j) + rate * (around - 4 * at(i, j));
		});
	}
};

int main() {
	const int n = 3000;
	std::vector<float> x(n), y(n);
	std::vector<double> z(n, 1.0);
	for (int i = 0; i < n; i++) {
		x[i] = i % 100 * 0.25f;
		y[i] = 100 - i % 7;
	}
	float *d_x = to_device(x), *d_y = to_device(y);
	double *d_z = to_device(z);
	axpy(2.0f, d_x, d_y, n);
	axpy(0.5, d_z, d_z, n);
	int shift = 3;
	parallel_for({10, n - 10}, [=] __device__(int i) { d_x[i] = d_y[i - shift]; }, 64);
	parallel_for(0, [=] __device__(int i) { d_x[i] = -1; });
	CHECK_LAUNCH();
	std::vector<float> got_x = to_host(d_x, n), got_y = to_host(d_y, n);
	std::vector<double> got_z = to_host(d_z, n);
	double sum = 0;
	float high = 0;
	for (int i = 0; i < n; i++) {
		float e = 2.0f * x[i] + y[i];
		expect_near("y", i, got_y[i], e, 1e-6);
		expect_near("x", i, got_x[i], i >= 10 && i < n - 10 ? 2.0f * x[i - 3] + y[i - 3] : x[i], 1e-6);
		expect_near("z", i, got_z[i], 1.5, 0);
		sum += e;
		high = std::max(high, e);
	}
	double got_sum = parallel_reduce(
		n, 0.0, [=] __device__(int i) { return (double)d_y[i]; },
		[] __host__ __device__(double a, double b) { return a + b; });
	expect_near("sum", 0, got_sum, sum, 1e-9);
	float got_high = parallel_reduce(
		Range(n), 0.0f, [=] __device__(int i) { return d_y[i]; },
		[] __host__ __device__(float a, float b) { return a < b ? b : a; });
	expect_near("high", 0, got_high, high, 0);

	const int rows = 37, columns = 53;
	std::vector<float> cells(rows * columns);
	for (int i = 0; i < rows * columns; i++)
		cells[i] = i % 11;
	Grid grid = {rows, columns, to_device(cells)};
	float *next = device_array<float>(rows * columns);
	grid.relax(next, 0.125f);
	CHECK_LAUNCH();
	std::vector<float> relaxed = to_host(next, rows * columns);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++) {
			auto at = [&](int a, int b) {
				return a < 0 || a >= rows || b < 0 || b >= columns ? 0.0f : cells[a * columns + b];
			};
			float e = at(i, j) + 0.125f * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4 * at(i, j));
			expect_near("cell", i * columns + j, relaxed[i * columns + j], e, 1e-6);
		}
	return verdict();
}
