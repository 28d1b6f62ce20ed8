// features: class-templates methods operators constructors access references default-arguments value-parameters
// A matrix class with operator()(i, j), const and not, views of parts of it, and a product by tiles.
#include "check.h"

template <typename T> class Matrix {
  public:
	__host__ __device__ Matrix(T *data, int rows, int columns, int pitch = 0)
		: data_(data), rows_(rows), columns_(columns), pitch_(pitch ? pitch : columns) {}
	__host__ __device__ T &operator()(int i, int j) { return data_[i * pitch_ + j]; }
	__host__ __device__ const T &operator()(int i, int j) const { return data_[i * pitch_ + j]; }
	__host__ __device__ int rows() const { return rows_; }
	__host__ __device__ int columns() const { return columns_; }
	__host__ __device__ bool holds(int i, int j) const { return i >= 0 && i < rows_ && j >= 0 && j < columns_; }
	__host__ __device__ T at(int i, int j, T otherwise = T()) const { return holds(i, j) ? (*this)(i, j) : otherwise; }
	__host__ __device__ Matrix part(int i, int j, int rows, int columns) const {
		return Matrix(data_ + i * pitch_ + j, rows, columns, pitch_);
	}
	__host__ __device__ Matrix &operator+=(const T &value) {
		for (int i = 0; i < rows_; i++)
			for (int j = 0; j < columns_; j++)
				(*this)(i, j) += value;
		return *this;
	}

  private:
	T *data_;
	int rows_, columns_, pitch_;
};

template <typename T, int TILE> __global__ void multiply(const Matrix<T> a, const Matrix<T> b, Matrix<T> c) {
	__shared__ T left[TILE][TILE];
	__shared__ T right[TILE][TILE + 1];
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	T sum{};
	for (int k = 0; k < a.columns(); k += TILE) {
		left[threadIdx.y][threadIdx.x] = a.at(row, k + threadIdx.x);
		right[threadIdx.y][threadIdx.x] = b.at(k + threadIdx.y, column);
		__syncthreads();
#pragma unroll
		for (int t = 0; t < TILE; t++)
			sum += left[threadIdx.y][t] * right[t][threadIdx.x];
		__syncthreads();
	}
	if (c.holds(row, column))
		c(row, column) = sum;
}

// Each thread adds to one square of the matrix.
template <typename T> __global__ void add_to_squares(Matrix<T> m, int size) {
	int i = (blockIdx.y * blockDim.y + threadIdx.y) * size, j = (blockIdx.x * blockDim.x + threadIdx.x) * size;
	if (!m.holds(i, j))
		return;
	Matrix<T> square = m.part(i, j, min(size, m.rows() - i), min(size, m.columns() - j));
	square += T(i + j);
}

template <typename T, int TILE> void test(int rows, int inner, int columns) {
	std::vector<T> a(rows * inner), b(inner * columns), c(rows * columns);
	Random random(rows);
	for (T &x : a)
		x = T(random.below(20) - 10);
	for (T &x : b)
		x = T(random.below(20) - 10);
	T *d_a = to_device(a), *d_b = to_device(b), *d_c = device_array<T>(c.size());
	Matrix<T> host_a(a.data(), rows, inner), host_b(b.data(), inner, columns), host_c(c.data(), rows, columns);
	dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
	multiply<T, TILE>
		<<<grid, block>>>(Matrix<T>(d_a, rows, inner), Matrix<T>(d_b, inner, columns), Matrix<T>(d_c, rows, columns));
	const int size = 5;
	dim3 squares((columns / size + 8) / 8, (rows / size + 4) / 4);
	add_to_squares<<<squares, dim3(8, 4)>>>(Matrix<T>(d_c, rows, columns), size);
	CHECK_LAUNCH();
	std::vector<T> got = to_host(d_c, c.size());
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++) {
			for (int k = 0; k < inner; k++)
				host_c(i, j) += host_a(i, k) * host_b(k, j);
			T expected = host_c(i, j) + T(i / size * size + j / size * size);
			expect_equal("product", i * columns + j, got[i * columns + j], expected);
		}
	cudaFree(d_a);
	cudaFree(d_b);
	cudaFree(d_c);
}

int main() {
	test<float, 16>(64, 32, 48);
	test<int, 8>(33, 17, 29);
	test<double, 16>(20, 100, 7);
	return verdict();
}
