// features: default-arguments overloading kernel-templates constructors methods references alignment namespaces
// Default arguments of functions, methods, constructors, templates and kernels; some depend on constants and calls.
#include "check.h"

namespace settings {
constexpr int WINDOW = 4;
__host__ __device__ constexpr int next(int x = WINDOW) { return x + 1; }
} // namespace settings

__host__ __device__ int clamp(int x, int low = 0, int high = 100);
__host__ __device__ int scaled(int x, int by = settings::next(), int offset = settings::next(10) * 2) {
	return x * by + offset;
}
__host__ __device__ inline float mixed(float x, float y = 2, char c = 'a', bool flip = false) {
	return (flip ? -1 : 1) * (x * y + c);
}

struct Options {
	int step;
	float rate;
	const char *name;
	__host__ __device__ explicit Options(int step = 3, float rate = 0.5f, const char *name = "none")
		: step(step), rate(rate), name(name) {}
};

class Filter {
	int width_, height_;

  public:
	__host__ __device__ Filter(int width = 2, int height = -1) : width_(width), height_(height < 0 ? width : height) {}
	__host__ __device__ int apply(int x, const Options &options = Options(), int times = 1) const {
		for (int i = 0; i < times; i++)
			x = x * width_ % 1000 + height_ * options.step + options.name[0] % 7;
		return (int)(x * options.rate);
	}
	__host__ __device__ Filter wider(int by = 1) const { return {width_ + by}; }
};

template <typename T = int, int N = 3> struct Ring {
	T items[N] = {};
	int at = 0;
	__host__ __device__ void put(T value = T(7), int times = 1) {
		while (times-- > 0)
			items[at++ % N] = value;
	}
	template <typename R = double> __host__ __device__ R mean(R start = R()) const {
		for (int i = 0; i < N; i++)
			start += items[i];
		return start / N;
	}
};

template <typename T> __host__ __device__ T filled(T x, T low = T(), T high = T(10) * 2) {
	return x < low ? low : x > high ? high : x;
}

struct Out {
	int clamped[3], scaled[3], filtered[4], filled[2];
	float mixed[4];
	double mean[2];
};

__host__ __device__ void compute(int x, Out &out, const Options &options = Options(2)) {
	out.clamped[0] = clamp(x);
	out.clamped[1] = clamp(x, 10);
	out.clamped[2] = clamp(x, -5, 20);
	out.scaled[0] = scaled(x);
	out.scaled[1] = scaled(x, 2);
	out.scaled[2] = scaled(x, 2, 0);
	out.mixed[0] = mixed(x);
	out.mixed[1] = mixed(x, 3);
	out.mixed[2] = mixed(x, 3, 'b');
	out.mixed[3] = mixed(x, 3, 'b', x % 2);
	Filter plain, wide(5), flat = Filter(4, 1);
	out.filtered[0] = plain.apply(x);
	out.filtered[1] = wide.apply(x, options);
	out.filtered[2] = flat.wider().apply(x, Options(7, 1.5f, "seven"), 3);
	out.filtered[3] = flat.wider(x % 3).apply(x);
	Ring<> ring;
	Ring<float, 2> floats;
	ring.put();
	ring.put(x);
	floats.put(x, 3);
	floats.put();
	out.mean[0] = ring.mean();
	out.mean[1] = floats.mean<float>(2.5f) + floats.mean(1);
	out.filled[0] = filled(x);
	out.filled[1] = filled(x, 5);
}

__host__ __device__ int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

template <typename T = int> __global__ void kernel(const T *in, Out *out, int n, int first = 0, int stride = 2) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		if (i >= first && i % stride == 0)
			compute(in[i], out[i]);
}

int main() {
	const int n = 140;
	std::vector<int> in(n);
	for (int i = 0; i < n; i++)
		in[i] = i * 3 - 100;
	int *d_in = to_device(in);
	Out *out = device_array<Out>(n);
	kernel<<<2, 48>>>(d_in, out, n);
	kernel<int><<<2, 48>>>(d_in, out, n, 40, 1);
	CHECK_LAUNCH();
	std::vector<Out> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		Out e = {};
		if (i >= 40 || i % 2 == 0)
			compute(in[i], e);
		for (int k = 0; k < 3; k++) {
			expect_equal("clamped", i, got[i].clamped[k], e.clamped[k]);
			expect_equal("scaled", i, got[i].scaled[k], e.scaled[k]);
		}
		for (int k = 0; k < 4; k++) {
			expect_equal("filtered", i, got[i].filtered[k], e.filtered[k]);
			expect_near("mixed", i, got[i].mixed[k], e.mixed[k], 0);
		}
		for (int k = 0; k < 2; k++) {
			expect_near("mean", i, got[i].mean[k], e.mean[k], 1e-6);
			expect_equal("filled", i, got[i].filled[k], e.filled[k]);
		}
	}
	return verdict();
}
