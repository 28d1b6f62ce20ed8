// features: load-store-hints function-templates kernel-templates launch-in-template typedef-struct cstdint
// Sparse matrix times vector: rows of a CSR matrix by one thread each, and by a block each, through read-only loads.
#include <cstdint>

#include "check.h"

typedef struct {
	int rows, columns;
	std::vector<int32_t> starts, indices;
} Pattern;

template <typename T, typename Index>
__global__ void spmv_row_per_thread(const Index *const __restrict__ starts, const Index *const __restrict__ indices,
	const T *const __restrict__ values, const T *const __restrict__ x, T *const __restrict__ y, const int rows) {
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows)
		return;
	T sum = 0;
	const Index end = __ldg(&starts[row + 1]);
	for (Index k = __ldg(starts + row); k < end; ++k)
		sum += values[k] * __ldg(&x[__ldg(&indices[k])]);
	y[row] = sum;
}

template <typename T, typename Index, int THREADS>
__global__ void spmv_row_per_block(const Index *__restrict__ starts, const Index *__restrict__ indices,
	const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y) {
	__shared__ T partial[THREADS];
	const int row = blockIdx.x;
	T sum = 0;
	for (Index k = starts[row] + threadIdx.x; k < starts[row + 1]; k += THREADS)
		sum += __ldcs(values + k) * __ldcg(x + indices[k]);
	partial[threadIdx.x] = sum;
	for (int half = THREADS / 2; half > 0; half >>= 1) {
		__syncthreads();
		if (threadIdx.x < half)
			partial[threadIdx.x] += partial[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		__stcs(y + row, partial[0]);
}

Pattern random_pattern(int rows, int columns, int longest) {
	Pattern p = {rows, columns, {0}, {}};
	Random random(rows);
	for (int row = 0; row < rows; row++) {
		int count = row % 11 == 0 ? 0 : random.below(longest);
		for (int k = 0; k < count; k++)
			p.indices.push_back(random.below(columns));
		p.starts.push_back((int32_t)p.indices.size());
	}
	return p;
}

template <typename T> void test(const char *name, const Pattern &pattern, double tolerance) {
	std::vector<T> values(pattern.indices.size()), x(pattern.columns), expected(pattern.rows);
	Random random(77);
	for (T &value : values)
		value = T(random.uniform() * 2 - 1);
	for (T &value : x)
		value = T(random.uniform());
	for (int row = 0; row < pattern.rows; row++)
		for (int k = pattern.starts[row]; k < pattern.starts[row + 1]; k++)
			expected[row] += values[k] * x[pattern.indices[k]];
	int32_t *starts = to_device(pattern.starts), *indices = to_device(pattern.indices);
	T *d_values = to_device(values), *d_x = to_device(x), *y = device_array<T>(pattern.rows);

	spmv_row_per_thread<<<(pattern.rows + 63) / 64, 64>>>(starts, indices, d_values, d_x, y, pattern.rows);
	CHECK_LAUNCH();
	std::vector<T> got = to_host(y, pattern.rows);
	for (int row = 0; row < pattern.rows; row++)
		expect_near(name, row, got[row], expected[row], tolerance);

	CHECK(cudaMemset(y, 0xff, pattern.rows * sizeof(T)));
	spmv_row_per_block<T, int32_t, 32><<<pattern.rows, 32>>>(starts, indices, d_values, d_x, y);
	CHECK_LAUNCH();
	got = to_host(y, pattern.rows);
	for (int row = 0; row < pattern.rows; row++)
		expect_near(name, row, got[row], expected[row], tolerance);
	cudaFree(starts);
	cudaFree(indices);
	cudaFree(d_values);
	cudaFree(d_x);
	cudaFree(y);
}

int main() {
	test<float>("float", random_pattern(1000, 700, 60), 1e-5);
	test<double>("double", random_pattern(333, 2000, 200), 1e-12);
	return verdict();
}
