// features: value-parameters partial-specialisation constexpr static-members class-templates kernel-templates methods static-assert
// Fourier transforms of N points in the registers of a thread; the recursion and the twiddle factors are made at
// compile time.
#include "check.h"

namespace constant_math {

constexpr double PI = 3.14159265358979323846;

// Taylor series around 0; |x| is at most PI.
constexpr double sine(double x) {
	double term = x, sum = x;
	for (int k = 1; k < 16; k++) {
		term *= -x * x / ((2 * k) * (2 * k + 1));
		sum += term;
	}
	return sum;
}
constexpr double cosine(double x) { return x > PI / 2 ? -sine(x - PI / 2) : sine(x + PI / 2); }
constexpr int log2(int n) { return n <= 1 ? 0 : 1 + log2(n / 2); }
constexpr int reversed(int i, int bits) {
	int r = 0;
	while (bits-- > 0) {
		r = r << 1 | (i & 1);
		i >>= 1;
	}
	return r;
}

} // namespace constant_math

struct Complex {
	float re, im;
};
__host__ __device__ inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__host__ __device__ inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
__host__ __device__ inline Complex operator*(Complex a, Complex b) {
	return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <int N, int K> struct Twiddle {
	static_assert(K < N / 2, "the others are these with another sign");
	static constexpr float re = (float)constant_math::cosine(2 * constant_math::PI * K / N);
	static constexpr float im = (float)-constant_math::sine(2 * constant_math::PI * K / N);
};

// The butterflies K ... N / 2 - 1 that put two transforms of N / 2 points together.
template <int N, int K> struct Butterflies {
	__device__ static inline void run(Complex *v) {
		const Complex odd = v[K + N / 2] * Complex{Twiddle<N, K>::re, Twiddle<N, K>::im}, even = v[K];
		v[K] = even + odd;
		v[K + N / 2] = even - odd;
		if constexpr (K + 1 < N / 2)
			Butterflies<N, K + 1>::run(v);
	}
};

template <int N> struct Fft {
	static_assert((N & (N - 1)) == 0, "N is a power of two");
	static constexpr int BITS = constant_math::log2(N);
	__device__ static inline void transform(Complex *v) {
		Fft<N / 2>::transform(v);
		Fft<N / 2>::transform(v + N / 2);
		Butterflies<N, 0>::run(v);
	}
	__device__ static void run(const Complex *in, Complex *out) {
		Complex v[N];
#pragma unroll
		for (int i = 0; i < N; i++)
			v[constant_math::reversed(i, BITS)] = in[i];
		transform(v);
#pragma unroll
		for (int i = 0; i < N; i++)
			out[i] = v[i];
	}
};
template <> struct Fft<1> {
	__device__ static inline void transform(Complex *) {}
};

template <int N> __global__ void transform_rows(const Complex *in, Complex *out, int rows) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row < rows)
		Fft<N>::run(in + row * N, out + row * N);
}

template <int N> void test(int rows) {
	std::vector<Complex> in(rows * N);
	Random random(N);
	for (Complex &z : in)
		z = {random.uniform() - 0.5f, random.uniform() - 0.5f};
	Complex *d_in = to_device(in), *d_out = device_array<Complex>(in.size());
	transform_rows<N><<<(rows + 31) / 32, 32>>>(d_in, d_out, rows);
	CHECK_LAUNCH();
	std::vector<Complex> got = to_host(d_out, in.size());
	for (int row = 0; row < rows; row++)
		for (int k = 0; k < N; k++) {
			double re = 0, im = 0;
			for (int i = 0; i < N; i++) {
				double angle = -2 * constant_math::PI * (i * k % N) / N;
				re += in[row * N + i].re * cos(angle) - in[row * N + i].im * sin(angle);
				im += in[row * N + i].re * sin(angle) + in[row * N + i].im * cos(angle);
			}
			expect_near("re", row * N + k, got[row * N + k].re, re, 1e-5);
			expect_near("im", row * N + k, got[row * N + k].im, im, 1e-5);
		}
	cudaFree(d_in);
	cudaFree(d_out);
}

int main() {
	static_assert(constant_math::reversed(0b0011, 4) == 0b1100, "bits in the other order");
	test<2>(50);
	test<8>(100);
	test<16>(65);
	return verdict();
}
