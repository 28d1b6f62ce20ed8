// features: dynamic-shared function-templates functors class-templates kernel-templates launch-in-template default-arguments inheritance
// Prefix sums by the tree method with many barriers: in blocks, of the blocks' sums, and added back; by any operation.
#include "check.h"

constexpr int BANKS_LOG = 4;
#define PADDED(n) ((n) + ((n) >> BANKS_LOG))

template <typename T> struct Sum {
	static __host__ __device__ T identity() { return T(); }
	__host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Line { // x -> a * x + b; the order matters
	unsigned a, b;
};
struct Compose {
	static __host__ __device__ Line identity() { return {1, 0}; }
	__host__ __device__ Line operator()(const Line &f, const Line &g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

// Turns `data` into prefix results without the last one, and returns that of all.
template <typename T, typename Op> __device__ T scan_shared(T *data, int n, Op op) {
	int offset = 1;
	for (int d = n >> 1; d > 0; d >>= 1, offset <<= 1) {
		__syncthreads();
		for (int k = threadIdx.x; k < d; k += blockDim.x) {
			int left = offset * (2 * k + 1) - 1, right = offset * (2 * k + 2) - 1;
			data[PADDED(right)] = op(data[PADDED(left)], data[PADDED(right)]);
		}
	}
	__syncthreads();
	T total = data[PADDED(n - 1)];
	__syncthreads();
	if (threadIdx.x == 0)
		data[PADDED(n - 1)] = Op::identity();
	for (int d = 1; d < n; d <<= 1) {
		offset >>= 1;
		__syncthreads();
		for (int k = threadIdx.x; k < d; k += blockDim.x) {
			int left = offset * (2 * k + 1) - 1, right = offset * (2 * k + 2) - 1;
			T t = data[PADDED(left)];
			data[PADDED(left)] = data[PADDED(right)];
			data[PADDED(right)] = op(data[PADDED(right)], t);
		}
	}
	__syncthreads();
	return total;
}

template <typename T, typename Op, bool INCLUSIVE>
__global__ void scan_blocks(const T *in, T *out, T *totals, int n, Op op) {
	extern __shared__ __align__(16) unsigned char memory[];
	T *data = reinterpret_cast<T *>(memory);
	const int size = 2 * blockDim.x, first = blockIdx.x * size;
	for (int k = threadIdx.x; k < size; k += blockDim.x)
		data[PADDED(k)] = first + k < n ? in[first + k] : Op::identity();
	T total = scan_shared(data, size, op);
	for (int k = threadIdx.x; k < size && first + k < n; k += blockDim.x)
		out[first + k] = INCLUSIVE ? op(data[PADDED(k)], in[first + k]) : data[PADDED(k)];
	if (totals && threadIdx.x == 0)
		totals[blockIdx.x] = total;
}

template <typename T, typename Op> __global__ void add_before(T *out, const T *before, int n, Op op) {
	const int size = 2 * blockDim.x, first = blockIdx.x * size;
	__shared__ unsigned char place[sizeof(T)];
	T *shared = (T *)place;
	if (threadIdx.x == 0)
		*shared = before[blockIdx.x];
	__syncthreads();
	for (int k = threadIdx.x; k < size && first + k < n; k += blockDim.x)
		out[first + k] = op(*shared, out[first + k]);
}

template <bool INCLUSIVE = false, typename T, typename Op>
void scan(const T *in, T *out, int n, Op op, int block = 64) {
	const int size = 2 * block, blocks = (n + size - 1) / size;
	const size_t bytes = PADDED(size) * sizeof(T);
	T *totals = device_array<T>(blocks);
	scan_blocks<T, Op, INCLUSIVE><<<blocks, block, bytes>>>(in, out, totals, n, op);
	CHECK(cudaGetLastError());
	if (blocks > 1) {
		scan(totals, totals, blocks, op, block);
		add_before<<<blocks, block>>>(out, totals, n, op);
	}
	CHECK_LAUNCH();
	cudaFree(totals);
}

int main() {
	for (int n : {1, 100, 128, 5000, 40000}) {
		std::vector<int> numbers(n);
		std::vector<double> values(n);
		std::vector<Line> lines(n);
		Random random(n);
		for (int i = 0; i < n; i++) {
			numbers[i] = random.below(100);
			values[i] = random.below(100) * 0.5;
			lines[i] = {random.next() | 1, random.next()};
		}
		int *out = device_array<int>(n);
		double *sums = device_array<double>(n);
		Line *composed = device_array<Line>(n);
		scan(to_device(numbers), out, n, Sum<int>());
		scan<true>(to_device(values), sums, n, Sum<double>(), 32);
		scan<true>(to_device(lines), composed, n, Compose());
		std::vector<int> got = to_host(out, n);
		std::vector<double> got_sums = to_host(sums, n);
		std::vector<Line> got_lines = to_host(composed, n);
		int sum = 0;
		double total = 0;
		Line line = Compose::identity();
		for (int i = 0; i < n; i++) {
			expect_equal("exclusive", i, got[i], sum);
			sum += numbers[i];
			total += values[i];
			line = Compose()(line, lines[i]);
			expect_near("inclusive", i, got_sums[i], total, 1e-12);
			expect_equal("a", i, got_lines[i].a, line.a);
			expect_equal("b", i, got_lines[i].b, line.b);
		}
	}
	return verdict();
}
