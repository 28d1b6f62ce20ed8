// features: unions cstdint nested-structs overloading static-assert methods alignment references
// Bits of floats through unions: the fast inverse square root, exponents, keys for sorting, byte orders.
#include <cstdint>

#include "check.h"

union Float {
	float f;
	uint32_t bits;
	struct {
		uint32_t mantissa : 23;
		uint32_t exponent : 8;
		uint32_t sign : 1;
	} part;
	uint8_t bytes[4];
};
static_assert(sizeof(Float) == 4, "a float and its bits share their place");

union Double {
	double d;
	uint64_t bits;
	uint2 words;
};

struct Pixel {
	union {
		uint32_t packed;
		struct {
			uint8_t r, g, b, a;
		};
		uchar4 vector;
	};
	__host__ __device__ Pixel swapped() const {
		Pixel p;
		p.r = b;
		p.g = g;
		p.b = r;
		p.a = static_cast<uint8_t>(255 - a);
		return p;
	}
};

__host__ __device__ inline float inverse_root(float x) {
	Float u;
	u.f = x;
	u.bits = 0x5f3759dfu - (u.bits >> 1);
	float y = u.f;
	for (int i = 0; i < 3; i++)
		y = y * (1.5f - 0.5f * x * y * y);
	return y;
}

// A number whose order as an integer is that of the floats.
__host__ __device__ inline uint32_t key_of(float x) {
	Float u = {x};
	return u.bits ^ (u.part.sign ? 0xffffffffu : 0x80000000u);
}
__host__ __device__ inline uint64_t key_of(double x) {
	Double u;
	u.d = x;
	return u.bits ^ (u.bits >> 63 ? ~0ull : 1ull << 63);
}
__host__ __device__ inline uint32_t reversed(uint32_t value) {
	Float u;
	u.bits = value;
	uint8_t t = u.bytes[0];
	u.bytes[0] = u.bytes[3];
	u.bytes[3] = t;
	t = u.bytes[1];
	u.bytes[1] = u.bytes[2];
	u.bytes[2] = t;
	return u.bits;
}

struct Result {
	float root, scaled;
	uint32_t key, reversed;
	uint64_t long_key;
	uint32_t high;
	Pixel pixel;
};

__host__ __device__ inline void compute(float x, double d, Pixel pixel, Result &result) {
	Float u;
	u.f = x;
	result.root = inverse_root(fabsf(x) + 0.25f);
	u.part.exponent += 3; // times 8
	u.part.sign ^= 1;
	result.scaled = u.f;
	result.key = key_of(x);
	result.long_key = key_of(d);
	result.reversed = reversed(u.bits);
	Double w;
	w.d = d;
	w.words.x = 0;
	result.high = w.words.y + (w.d < 0);
	result.pixel = pixel.swapped();
	result.pixel.packed ^= 0x00010000u * pixel.vector.y;
}

__global__ void kernel(const float *x, const double *d, const Pixel *pixels, Result *results, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		compute(x[i], d[i], pixels[i], results[i]);
}

int main() {
	const int n = 333;
	std::vector<float> x(n);
	std::vector<double> d(n);
	std::vector<Pixel> pixels(n);
	Random random(11);
	for (int i = 0; i < n; i++) {
		x[i] = (random.uniform() - 0.5f) * 1000;
		d[i] = (random.uniform() - 0.5) / 7;
		pixels[i].packed = random.next() * 77;
	}
	float *d_x = to_device(x);
	double *d_d = to_device(d);
	Pixel *d_pixels = to_device(pixels);
	Result *d_results = device_array<Result>(n);
	kernel<<<11, 31>>>(d_x, d_d, d_pixels, d_results, n);
	CHECK_LAUNCH();
	std::vector<Result> got = to_host(d_results, n);
	for (int i = 0; i < n; i++) {
		Result e;
		compute(x[i], d[i], pixels[i], e);
		expect_near("root", i, got[i].root, 1 / std::sqrt(std::fabs(x[i]) + 0.25), 1e-5);
		expect_near("scaled", i, got[i].scaled, x[i] * -8, 0);
		expect_equal("key", i, got[i].key, e.key);
		expect_equal("long key", i, got[i].long_key, e.long_key);
		expect_equal("reversed", i, got[i].reversed, e.reversed);
		expect_equal("high", i, got[i].high, e.high);
		expect_equal("pixel", i, got[i].pixel.packed, e.pixel.packed);
		if (i > 0) {
			expect((got[i].key < got[i - 1].key) == (x[i] < x[i - 1]), "keys are ordered as floats are");
			expect((got[i].long_key < got[i - 1].long_key) == (d[i] < d[i - 1]), "keys are ordered as doubles are");
		}
	}
	return verdict();
}
