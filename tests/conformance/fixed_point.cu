// features: operators conversion-operators class-templates friend references constructors value-parameters const-array-references
// Numbers with a fixed point and sets of bits: every operator that a class can have, conversions, proxies.
#include <cstdint>

#include "check.h"

template <int FRACTION> class Fixed {
	int32_t raw_ = 0;

  public:
	Fixed() = default;
	__host__ __device__ Fixed(int whole) : raw_(whole * (1 << FRACTION)) {}
	__host__ __device__ explicit Fixed(float x) : raw_((int32_t)(x * (1 << FRACTION))) {}
	__host__ __device__ static Fixed from_raw(int32_t raw) {
		Fixed f;
		f.raw_ = raw;
		return f;
	}
	__host__ __device__ int32_t raw() const { return raw_; }
	__host__ __device__ explicit operator float() const { return (float)raw_ / (1 << FRACTION); }
	__host__ __device__ explicit operator int() const { return raw_ >> FRACTION; }
	__host__ __device__ explicit operator bool() const { return raw_ != 0; }
	__host__ __device__ Fixed &operator+=(Fixed b) { return raw_ += b.raw_, *this; }
	__host__ __device__ Fixed &operator-=(Fixed b) { return raw_ -= b.raw_, *this; }
	__host__ __device__ Fixed &operator*=(Fixed b) {
		return raw_ = (int32_t)((int64_t)raw_ * b.raw_ >> FRACTION), *this;
	}
	__host__ __device__ Fixed &operator/=(Fixed b) {
		return raw_ = (int32_t)(((int64_t)raw_ << FRACTION) / b.raw_), *this;
	}
	__host__ __device__ Fixed &operator<<=(int n) { return raw_ <<= n, *this; }
	__host__ __device__ Fixed &operator%=(Fixed b) { return raw_ %= b.raw_, *this; }
	__host__ __device__ Fixed operator-() const { return from_raw(-raw_); }
	__host__ __device__ Fixed operator+() const { return *this; }
	__host__ __device__ bool operator!() const { return raw_ == 0; }
	__host__ __device__ Fixed &operator++() { return *this += 1; }
	__host__ __device__ Fixed operator++(int) {
		Fixed old = *this;
		++*this;
		return old;
	}
	__host__ __device__ Fixed &operator--() { return *this -= 1; }
	__host__ __device__ Fixed operator--(int) {
		Fixed old(*this);
		--*this;
		return old;
	}
	friend __host__ __device__ Fixed operator+(Fixed a, Fixed b) { return a += b; }
	friend __host__ __device__ Fixed operator-(Fixed a, Fixed b) { return a -= b; }
	friend __host__ __device__ Fixed operator*(Fixed a, Fixed b) { return a *= b; }
	friend __host__ __device__ Fixed operator/(Fixed a, Fixed b) { return a /= b; }
	friend __host__ __device__ Fixed operator%(Fixed a, Fixed b) { return a %= b; }
	friend __host__ __device__ Fixed operator<<(Fixed a, int n) { return a <<= n; }
	friend __host__ __device__ bool operator==(Fixed a, Fixed b) { return a.raw_ == b.raw_; }
	friend __host__ __device__ bool operator!=(Fixed a, Fixed b) { return !(a == b); }
	friend __host__ __device__ bool operator<(Fixed a, Fixed b) { return a.raw_ < b.raw_; }
	friend __host__ __device__ bool operator>(Fixed a, Fixed b) { return b < a; }
	friend __host__ __device__ bool operator<=(Fixed a, Fixed b) { return !(b < a); }
	friend __host__ __device__ bool operator>=(Fixed a, Fixed b) { return !(a < b); }
};

template <int N> class Bits {
	uint32_t words_[(N + 31) / 32] = {};

  public:
	class Bit {
		uint32_t &word_;
		uint32_t mask_;

	  public:
		__host__ __device__ Bit(uint32_t &word, uint32_t mask) : word_(word), mask_(mask) {}
		__host__ __device__ operator bool() const { return word_ & mask_; }
		__host__ __device__ Bit &operator=(bool on) {
			word_ = on ? word_ | mask_ : word_ & ~mask_;
			return *this;
		}
		__host__ __device__ Bit &operator=(const Bit &other) { return *this = (bool)other; }
	};
	__host__ __device__ Bit operator[](int i) { return Bit(words_[i / 32], 1u << i % 32); }
	__host__ __device__ bool operator[](int i) const { return words_[i / 32] >> i % 32 & 1; }
	__host__ __device__ Bits operator~() const {
		Bits b;
		for (int i = 0; i < N; i++)
			b[i] = !(*this)[i];
		return b;
	}
	__host__ __device__ Bits &operator&=(const Bits &b) {
		for (int k = 0; k < (N + 31) / 32; k++)
			words_[k] &= b.words_[k];
		return *this;
	}
	__host__ __device__ Bits &operator^=(const Bits &b) {
		for (int k = 0; k < (N + 31) / 32; k++)
			words_[k] ^= b.words_[k];
		return *this;
	}
	friend __host__ __device__ Bits operator&(Bits a, const Bits &b) { return a &= b; }
	friend __host__ __device__ Bits operator^(Bits a, const Bits &b) { return a ^= b; }
	__host__ __device__ int operator()() const { // how many are set
		int count = 0;
		for (int i = 0; i < N; i++)
			count += (*this)[i];
		return count;
	}
	__host__ __device__ const uint32_t (&words() const)[(N + 31) / 32] { return words_; }
};

template <typename T> struct Handle {
	T *p;
	__host__ __device__ T &operator*() const { return *p; }
	__host__ __device__ T *operator->() const { return p; }
	__host__ __device__ T *operator&() { return p; }
	__host__ __device__ Handle operator,(int by) const { return {p + by}; }
};

struct Result {
	int32_t raws[6];
	int set, words, flags;
};

template <int FRACTION> __host__ __device__ void compute(float x, float y, Result &out) {
	typedef Fixed<FRACTION> F;
	F a(x), b(y);
	Handle<int32_t> raw{out.raws};
	*raw = (a * b + 3 - b / 7).raw();
	*(raw, 1) = (F(1) << 3).raw() + (-a % 5).raw();
	Handle<Result> whole{&out};
	F c = a++;
	--c;
	whole->raws[2] = (c-- + ++a).raw();
	whole->raws[3] = static_cast<int>(b) + (int)(static_cast<float>(a) * 4);
	(&whole)->raws[4] = (+b * b).raw();
	F sum;
	for (F i = 0; i <= 4 && !!b; ++i)
		sum += i * F(0.25f);
	out.raws[5] = sum.raw();
	out.flags = (a < b) | (a > b) << 1 | (a <= b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | (!a) << 6 |
				(a ? 128 : 0);

	Bits<70> evens, multiples;
	for (int i = 0; i < 70; i++) {
		evens[i] = i % 2 == 0;
		if (i % (1 + abs((int)y) % 5) == 0)
			multiples[i] = true;
	}
	evens[3] = evens[4];
	const Bits<70> both = evens & multiples, other = ~evens ^ both;
	out.set = both() * 100 + other() + other[69];
	const uint32_t (&words)[3] = other.words();
	out.words = (int)(words[0] ^ words[1] ^ words[2]);
}

__global__ void kernel(const float *x, Result *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	if (i % 2)
		compute<16>(x[i], x[(i + 1) % n], out[i]);
	else
		compute<10>(x[i], x[(i + 1) % n], out[i]);
}

int main() {
	const int n = 120;
	std::vector<float> x(n);
	Random random(41);
	for (float &v : x)
		v = random.below(400) * 0.125f - (random.below(2) ? 20 : 0);
	float *d_x = to_device(x);
	Result *out = device_array<Result>(n);
	kernel<<<4, 32>>>(d_x, out, n);
	CHECK_LAUNCH();
	std::vector<Result> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		Result e;
		float y = x[(i + 1) % n];
		if (i % 2)
			compute<16>(x[i], y, e);
		else
			compute<10>(x[i], y, e);
		for (int k = 0; k < 6; k++)
			expect_equal("raw", i, got[i].raws[k], e.raws[k]);
		expect_equal("set", i, got[i].set, e.set);
		expect_equal("words", i, got[i].words, e.words);
		expect_equal("flags", i, got[i].flags, e.flags);
		double scale = i % 2 ? 65536 : 1024;
		expect_near("value", i, got[i].raws[0] / scale, (double)x[i] * y + 3 - y / 7, 4 / scale);
	}
	return verdict();
}
