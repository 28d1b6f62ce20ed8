/* Thrust: generators and uniform distributions, with Thrust's numbers. */
#ifndef S2S_THRUST_RANDOM_H
#define S2S_THRUST_RANDOM_H

#include "detail/policy.h"

namespace thrust {

namespace random {

/* x becomes (A x + C) modulo M. */
template <class UIntType, UIntType A, UIntType C, UIntType M> class linear_congruential_engine {
  public:
	typedef UIntType result_type;
	static constexpr UIntType multiplier = A, increment = C, modulus = M;
	static constexpr UIntType min = C == 0 ? 1 : 0, max = M - 1, default_seed = 1;
	__host__ __device__ explicit linear_congruential_engine(UIntType value = 1) {
		seed(value);
	}
	__host__ __device__ void seed(UIntType value = 1) {
		_x = C % M == 0 && value % M == 0 ? 1 : value % M;
	}
	__host__ __device__ UIntType operator()() {
		_x = (UIntType)(((unsigned long long)A * _x + C) % M);
		return _x;
	}
	/* Leave out so many numbers: powers of a step are steps too. */
	__host__ __device__ void discard(unsigned long long n) {
		unsigned long long factor = A, term = C, x = _x;
		for (; n > 0; n >>= 1) {
			if (n & 1)
				x = (factor * x + term) % M;
			term = (factor * term + term) % M;
			factor = factor * factor % M;
		}
		_x = (UIntType)x;
	}
	__host__ __device__ bool operator==(const linear_congruential_engine &other) const {
		return _x == other._x;
	}

  private:
	UIntType _x;
};

typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

/* x becomes that of SHORT steps before, less that of LONG steps before and the carry, in WORD bits. */
template <class UIntType, size_t WORD, size_t SHORT, size_t LONG> class subtract_with_carry_engine {
  public:
	typedef UIntType result_type;
	static constexpr size_t word_size = WORD, short_lag = SHORT, long_lag = LONG;
	static constexpr UIntType min = 0, max = (UIntType)(((UIntType)1 << WORD) - 1), default_seed = 19780503u;
	__host__ __device__ explicit subtract_with_carry_engine(UIntType value = default_seed) {
		seed(value);
	}
	__host__ __device__ void seed(UIntType value = default_seed) {
		linear_congruential_engine<UIntType, 40014u, 0u, 2147483563u> made(value == 0 ? default_seed : value);
		for (size_t i = 0; i < LONG; i++)
			_x[i] = made() & max;
		_carry = _x[LONG - 1] == 0;
		_at = 0;
	}
	__host__ __device__ UIntType operator()() {
		UIntType from = _x[_at < SHORT ? _at + LONG - SHORT : _at - SHORT], less = _x[_at] + _carry;
		UIntType made = (from - less) & max;
		_carry = from < less;
		_x[_at] = made;
		_at = (_at + 1) % LONG;
		return made;
	}
	__host__ __device__ void discard(unsigned long long n) {
		for (; n > 0; n--)
			(*this)();
	}

  private:
	UIntType _x[LONG];
	size_t _at;
	UIntType _carry;
};

/* Of each BLOCK numbers, the first USED. */
template <class Engine, size_t BLOCK, size_t USED> class discard_block_engine {
  public:
	typedef Engine base_type;
	typedef typename Engine::result_type result_type;
	static constexpr size_t block_size = BLOCK, used_block = USED;
	static constexpr result_type min = Engine::min, max = Engine::max;
	__host__ __device__ discard_block_engine() : _used(0) {
	}
	__host__ __device__ explicit discard_block_engine(result_type value) : _engine(value), _used(0) {
	}
	__host__ __device__ void seed() {
		_engine.seed();
		_used = 0;
	}
	__host__ __device__ void seed(result_type value) {
		_engine.seed(value);
		_used = 0;
	}
	__host__ __device__ result_type operator()() {
		if (_used >= USED) {
			_engine.discard(BLOCK - USED);
			_used = 0;
		}
		_used++;
		return _engine();
	}
	__host__ __device__ void discard(unsigned long long n) {
		for (; n > 0; n--)
			(*this)();
	}
	__host__ __device__ const base_type &base() const {
		return _engine;
	}

  private:
	Engine _engine;
	unsigned _used;
};

/* A shift register of K of W bits with taps at 0 and Q, which advances by S bits at once. */
template <class UIntType, size_t W, size_t K, size_t Q, size_t S> class linear_feedback_shift_engine {
  public:
	typedef UIntType result_type;
	static constexpr UIntType min = 0, max = (UIntType)(((unsigned long long)1 << W) - 1), default_seed = 341u;
	__host__ __device__ explicit linear_feedback_shift_engine(UIntType value = default_seed) {
		seed(value);
	}
	__host__ __device__ void seed(UIntType value = default_seed) {
		_x = value;
	}
	__host__ __device__ UIntType operator()() {
		UIntType made = (((_x << Q) ^ _x) & max) >> (K - S);
		_x = (((_x & (max << (W - K))) << S) ^ made) & max;
		return _x;
	}
	__host__ __device__ void discard(unsigned long long n) {
		for (; n > 0; n--)
			(*this)();
	}

  private:
	UIntType _x;
};

/* What two engines give, shifted, and one bit against the other. */
template <class A, size_t ABits, class B, size_t BBits> class xor_combine_engine {
  public:
	typedef typename A::result_type result_type;
	static constexpr result_type min = 0, max = A::max | B::max;
	__host__ __device__ xor_combine_engine() {
	}
	__host__ __device__ explicit xor_combine_engine(result_type value) : _a(value), _b(value) {
	}
	__host__ __device__ void seed() {
		_a.seed();
		_b.seed();
	}
	__host__ __device__ void seed(result_type value) {
		_a.seed(value);
		_b.seed(value);
	}
	__host__ __device__ result_type operator()() {
		return (result_type)(_a() << ABits) ^ (result_type)(_b() << BBits);
	}
	__host__ __device__ void discard(unsigned long long n) {
		for (; n > 0; n--)
			(*this)();
	}

  private:
	A _a;
	B _b;
};

typedef subtract_with_carry_engine<unsigned, 24, 10, 24> ranlux24_base;
typedef subtract_with_carry_engine<unsigned long long, 48, 5, 12> ranlux48_base;
typedef discard_block_engine<ranlux24_base, 223, 23> ranlux24;
typedef discard_block_engine<ranlux48_base, 389, 11> ranlux48;
typedef xor_combine_engine<linear_feedback_shift_engine<unsigned, 32, 31, 13, 12>, 0,
	xor_combine_engine<linear_feedback_shift_engine<unsigned, 32, 29, 2, 4>, 0,
		linear_feedback_shift_engine<unsigned, 32, 28, 3, 17>, 0>,
	0>
	taus88;

/* From a on, and below b. */
template <class RealType = double> class uniform_real_distribution {
  public:
	typedef RealType result_type;
	__host__ __device__ explicit uniform_real_distribution(RealType a = 0, RealType b = 1) : _a(a), _b(b) {
	}
	__host__ __device__ void reset() {
	}
	template <class Engine> __host__ __device__ RealType operator()(Engine &engine) {
		RealType part = (RealType)(engine() - Engine::min) / ((RealType)1 + (RealType)(Engine::max - Engine::min));
		return part * (_b - _a) + _a;
	}
	__host__ __device__ RealType a() const {
		return _a;
	}
	__host__ __device__ RealType b() const {
		return _b;
	}

  private:
	RealType _a, _b;
};

/* From a to b, both included. */
template <class IntType = int> class uniform_int_distribution {
  public:
	typedef IntType result_type;
	__host__ __device__ explicit uniform_int_distribution(IntType a = 0, IntType b = (IntType)0x7fffffff)
		: _a(a), _b(b) {
	}
	__host__ __device__ void reset() {
	}
	template <class Engine> __host__ __device__ IntType operator()(Engine &engine) {
		uniform_real_distribution<double> real((double)_a, (double)_b + 1);
		return (IntType)real(engine);
	}

  private:
	IntType _a, _b;
};

} /* namespace random */

using random::default_random_engine;
using random::discard_block_engine;
using random::linear_congruential_engine;
using random::linear_feedback_shift_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::ranlux24;
using random::ranlux24_base;
using random::ranlux48;
using random::ranlux48_base;
using random::subtract_with_carry_engine;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
using random::xor_combine_engine;

} /* namespace thrust */

#endif
