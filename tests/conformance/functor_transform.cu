// features: functors function-templates kernel-templates launch-in-template class-templates deduction methods default-arguments
// transform, transform_reduce and zip by functors: with and without state, composed of others.
#include "check.h"

struct Square {
	template <typename T> __host__ __device__ T operator()(T x) const { return x * x; }
};
template <typename T> struct Plus {
	__host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
	__host__ __device__ static T identity() { return T(0); }
};
template <typename T> struct Largest {
	__host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
	__host__ __device__ static T identity() { return T(-1000000); }
};
template <typename T> struct Affine {
	T scale, offset;
	__host__ __device__ Affine(T scale, T offset = T(0)) : scale(scale), offset(offset) {}
	__host__ __device__ T operator()(T x) const { return scale * x + offset; }
};
template <typename Outer, typename Inner> struct Composed {
	Outer outer;
	Inner inner;
	template <typename T> __host__ __device__ T operator()(T x) const { return outer(inner(x)); }
};
template <typename Outer, typename Inner> Composed<Outer, Inner> compose(Outer outer, Inner inner) {
	return {outer, inner};
}

// Keeps a count of how often it was called, in the copy of the thread.
struct Counting {
	int calls = 0;
	__device__ int operator()(int a, int b) {
		calls++;
		return a * b + calls;
	}
};

template <typename In, typename Out, typename F> __global__ void transform_kernel(const In *in, Out *out, int n, F f) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = f(in[i]);
}

template <typename F> __global__ void zip_kernel(const int *a, const int *b, int *out, int n, F f) {
	int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
	for (int i = first; i < first + 4 && i < n; i++)
		out[i] = f(a[i], b[i]);
}

template <int BLOCK, typename T, typename Map, typename Op>
__global__ void reduce_kernel(const T *in, T *out, int n, Map map, Op op) {
	__shared__ T partial[BLOCK];
	T mine = Op::identity();
	for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
		mine = op(mine, map(in[i]));
	partial[threadIdx.x] = mine;
	__syncthreads();
	for (int half = BLOCK / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + half]);
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = partial[0];
}

template <typename In, typename Out, typename F> void transform(const In *in, Out *out, int n, F f) {
	transform_kernel<<<4, 96>>>(in, out, n, f);
	CHECK_LAUNCH();
}

template <typename T, typename Map, typename Op> T transform_reduce(const T *in, int n, Map map, Op op) {
	const int blocks = 5, block = 128;
	T *out = device_array<T>(blocks);
	reduce_kernel<block><<<blocks, block>>>(in, out, n, map, op);
	CHECK_LAUNCH();
	T result = Op::identity();
	for (T x : to_host(out, blocks))
		result = op(result, x);
	cudaFree(out);
	return result;
}

int main() {
	const int n = 3001;
	std::vector<int> a(n), b(n);
	std::vector<float> x(n);
	Random random(9);
	for (int i = 0; i < n; i++) {
		a[i] = random.below(100) - 50;
		b[i] = random.below(9);
		x[i] = random.uniform();
	}
	int *d_a = to_device(a), *d_b = to_device(b), *d_c = device_array<int>(n);
	float *d_x = to_device(x), *d_y = device_array<float>(n);

	auto chain = compose(Affine<float>(2.0f, 1.0f), compose(Square(), Affine<float>(3.0f)));
	transform(d_x, d_y, n, chain);
	std::vector<float> y = to_host(d_y, n);
	for (int i = 0; i < n; i++)
		expect_near("chain", i, y[i], 2.0f * (3.0f * x[i]) * (3.0f * x[i]) + 1.0f, 1e-5);

	transform(d_a, d_y, n, Square());
	y = to_host(d_y, n);
	for (int i = 0; i < n; i++)
		expect_equal("squares", i, y[i], a[i] * a[i]);

	zip_kernel<<<(n + 127) / 128, 32>>>(d_a, d_b, d_c, n, Counting());
	CHECK_LAUNCH();
	std::vector<int> c = to_host(d_c, n);
	for (int i = 0; i < n; i++)
		expect_equal("counting", i, c[i], a[i] * b[i] + i % 4 + 1);

	long sum = 0;
	int largest = -1000000;
	for (int v : a) {
		sum += v * v;
		largest = v - 7 > largest ? v - 7 : largest;
	}
	expect_equal("sum of squares", 0, transform_reduce(d_a, n, Square(), Plus<int>()), sum);
	expect_equal("largest", 0, transform_reduce(d_a, n, Affine<int>(1, -7), Largest<int>()), largest);
	return verdict();
}
