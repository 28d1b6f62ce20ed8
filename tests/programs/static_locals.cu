// Static variables of functions: all threads share them, and they keep their values between launches.
#include <cstdio>

struct P {
	int x, y;
	__host__ __device__ constexpr P(int a, int b) : x(a), y(b) {}
};
struct Counter {
	int by;
	__device__ int next() {
		static int n = 10;
		return n += by;
	}
	template <class T> __device__ static T &cell() {
		static T one = T(3);
		return one;
	}
};
__device__ int file_wide = 40;

__device__ int next() {
	static int n = 5;
	return n++;
}
__device__ int other_next() {
	static int n = 50;
	return n++;
}
__device__ int depth(int left) {
	static int deepest;
	deepest = left > deepest ? left : deepest;
	return left == 0 ? deepest : depth(left - 1);
}
template <class T> __device__ T *cells() {
	static T c[2] = {T(1), T(2)};
	return c;
}
__device__ const int *constant() {
	static const int one = 77;
	return &one;
}
__device__ const P *constant_object() {
	static constexpr P one(7, 8);
	return &one;
}
__device__ int *in_each_space(int which) {
	static __device__ int a = 1;
	static __managed__ int b = 2;
	static __constant__ int c[2] = {3, 4};
	static int &d = file_wide;
	static int *e = &file_wide, f = sizeof c;
	return which == 0 ? &a : which == 1 ? &b : which == 2 ? &d : which == 3 ? e : &f;
}
__host__ __device__ int both(int i) {
	static const int t[2] = {7, 8};
	static int calls = 0;
	return t[i & 1] + 10 * ++calls;
}

__global__ void k(int *o) {
	static int launches;
	static P object(3, 4);
	if (threadIdx.x == 0) {
		launches++;
		object.y += launches;
		auto lambda = [] {
			static int n = 100;
			return ++n;
		};
		int at = 0;
		o[at++] = launches, o[at++] = object.x * 10 + object.y;
		o[at++] = next(), o[at++] = next(), o[at++] = other_next();
		cells<int>()[1]++;
		o[at++] = cells<int>()[1], o[at++] = cells<float>()[1], o[at++] = cells<unsigned char>() != nullptr;
		o[at++] = Counter{1}.next(), o[at++] = Counter{2}.next();
		Counter::cell<int>() += 4, Counter::cell<double>() += 0.5;
		o[at++] = Counter::cell<int>(), o[at++] = 10 * Counter::cell<double>();
		o[at++] = *constant(), o[at++] = constant() == constant(), o[at++] = constant_object()->y;
		o[at++] = lambda(), o[at++] = lambda(), o[at++] = depth(4), o[at++] = both(1);
		for (int i = 0; i < 4; i++) o[at++] = ++*in_each_space(i);
	}
	__syncthreads();
	static int arrived = 0;
	atomicAdd(&arrived, 1);
	__syncthreads();
	o[32 + threadIdx.x] = arrived;
}

int main() {
	int *o;
	cudaMallocManaged(&o, 256 * sizeof *o);
	for (int i = 0; i < 2; i++) {
		k<<<1, 64>>>(o);
		printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
		for (int j = 0; j < 23; j++) printf(" %d", o[j]);
		printf(" %d %d\n", o[32], o[95]);
	}
	printf("%d\n", both(0));
	printf("%d\n", both(0));
}
// It prints:
// cudaSuccess 1 35 5 6 50 3 2 1 11 13 7 35 77 1 8 101 102 4 18 2 3 41 42 64 64
// cudaSuccess 2 37 7 8 51 4 2 1 14 16 11 40 77 1 8 103 104 4 28 3 4 43 44 128 128
// 17
// 27
