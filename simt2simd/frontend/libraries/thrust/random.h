/* Thrust: linear congruential generators and uniform distributions, with Thrust's numbers. */
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
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

} /* namespace thrust */

#endif
