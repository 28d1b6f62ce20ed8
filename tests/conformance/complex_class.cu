// features: class-templates operators conversion-operators constructors friend methods static-members overloading adl-operators
// A complex number template with friends and conversions, and a discrete Fourier transform there and back.
#include "check.h"

namespace math {

template <typename T> class complex {
	T re_, im_;

  public:
	typedef T value_type;
	__host__ __device__ complex(T re = T(), T im = T()) : re_(re), im_(im) {}
	template <typename U>
	__host__ __device__ explicit complex(const complex<U> &other) : re_((T)other.real()), im_((T)other.imag()) {}
	__host__ __device__ T real() const { return re_; }
	__host__ __device__ T imag() const { return im_; }
	__host__ __device__ static complex polar(T length, T angle) {
		return complex(length * cos(angle), length * sin(angle));
	}
	__host__ __device__ complex &operator+=(const complex &b) {
		re_ += b.re_;
		im_ += b.im_;
		return *this;
	}
	__host__ __device__ complex &operator*=(const complex &b) {
		T re = re_ * b.re_ - im_ * b.im_;
		im_ = re_ * b.im_ + im_ * b.re_;
		re_ = re;
		return *this;
	}
	__host__ __device__ complex operator-() const { return complex(-re_, -im_); }
	__host__ __device__ complex operator~() const { return complex(re_, -im_); }
	__host__ __device__ explicit operator bool() const { return re_ != T() || im_ != T(); }
	friend __host__ __device__ complex operator+(complex a, const complex &b) { return a += b; }
	friend __host__ __device__ complex operator-(const complex &a, const complex &b) { return a + -b; }
	friend __host__ __device__ complex operator*(complex a, const complex &b) { return a *= b; }
	friend __host__ __device__ bool operator==(const complex &a, const complex &b) {
		return a.re_ == b.re_ && a.im_ == b.im_;
	}
	friend __host__ __device__ T norm(const complex &a) { return a.re_ * a.re_ + a.im_ * a.im_; }
};

template <typename T> __host__ __device__ complex<T> operator/(const complex<T> &a, T s) {
	return complex<T>(a.real() / s, a.imag() / s);
}
template <typename T> __host__ __device__ T abs(const complex<T> &a) { return sqrt(norm(a)); }

} // namespace math

template <typename T> __global__ void transform(const math::complex<T> *in, math::complex<T> *out, int n, int sign) {
	using Complex = math::complex<T>;
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= n)
		return;
	Complex sum;
	const T step = sign * T(2) * T(3.14159265358979323846) / n;
	for (int i = 0; i < n; i++)
		sum += in[i] * Complex::polar(1, step * (i * k % n));
	out[k] = sign > 0 ? sum / T(n) : sum;
}

// |z| of the Julia iteration, and how many steps it took; conversions between the precisions.
__global__ void julia(const math::complex<float> *start, float *sizes, int *steps, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	math::complex<double> z(start[i]);
	const math::complex<double> c(-0.5, 0.25);
	int count = 0;
	while (norm(z) < 4.0 && count < 40) {
		z = z * z + c;
		count++;
	}
	if (z)
		sizes[i] = (float)abs(z);
	steps[i] = count + (z == ~z ? 1000 : 0);
}

int main() {
	typedef math::complex<double> Complex;
	const int n = 130;
	std::vector<Complex> signal(n);
	std::vector<math::complex<float>> starts(n);
	Random random(2);
	for (int i = 0; i < n; i++) {
		signal[i] = Complex(random.uniform() - 0.5, random.uniform());
		starts[i] = math::complex<float>(random.uniform() * 2 - 1, i % 5 ? random.uniform() : 0);
	}
	Complex *d_signal = to_device(signal), *d_spectrum = device_array<Complex>(n), *d_back = device_array<Complex>(n);
	transform<double><<<3, 50>>>(d_signal, d_spectrum, n, -1);
	transform<double><<<5, 32>>>(d_spectrum, d_back, n, 1);
	math::complex<float> *d_starts = to_device(starts);
	float *d_sizes = device_array<float>(n);
	int *d_steps = device_array<int>(n);
	julia<<<5, 32>>>(d_starts, d_sizes, d_steps, n);
	CHECK_LAUNCH();
	std::vector<Complex> spectrum = to_host(d_spectrum, n), back = to_host(d_back, n);
	double energy = 0, spectral = 0;
	for (int i = 0; i < n; i++) {
		expect_near("real", i, back[i].real(), signal[i].real(), 1e-9);
		expect_near("imag", i, back[i].imag(), signal[i].imag(), 1e-9);
		energy += norm(signal[i]);
		spectral += norm(spectrum[i]) / n;
	}
	expect_near("energy", 0, spectral, energy, 1e-9);
	std::vector<float> sizes = to_host(d_sizes, n);
	std::vector<int> steps = to_host(d_steps, n);
	for (int i = 0; i < n; i++) {
		double x = starts[i].real(), y = starts[i].imag();
		int count = 0;
		for (; x * x + y * y < 4.0 && count < 40; count++) {
			double t = x * x - y * y - 0.5;
			y = x * y + y * x + 0.25;
			x = t;
		}
		expect_equal("steps", i, steps[i], count + (y == 0 ? 1000 : 0));
		expect_near("size", i, sizes[i], std::sqrt(x * x + y * y), 1e-5);
	}
	return verdict();
}
