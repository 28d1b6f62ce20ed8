/* CUB: the digits of keys, whose bits are in the order of the keys. Zeros of floats are one key. */
#ifndef S2S_CUB_RADIX_RANK_SORT_OPERATIONS_CUH
#define S2S_CUB_RADIX_RANK_SORT_OPERATIONS_CUH

#include "../../parallel/launch.h"

#include <cstdint>
#include <type_traits>

namespace cub {

template <class Key, bool FLOATING = std::is_floating_point<Key>::value> struct BaseDigitExtractor {
	typedef typename s2s_parallel::Bits<sizeof(Key)>::type UnsignedBits;
	__host__ __device__ __forceinline__ static UnsignedBits ProcessFloatMinusZero(UnsignedBits key) {
		return key;
	}
};

template <class Key> struct BaseDigitExtractor<Key, true> {
	typedef typename s2s_parallel::Bits<sizeof(Key)>::type UnsignedBits;
	/* The bits of -0 in the order of keys are all but the highest; those of +0 the highest. */
	__host__ __device__ __forceinline__ static UnsignedBits ProcessFloatMinusZero(UnsignedBits key) {
		constexpr UnsignedBits high = (UnsignedBits)((UnsignedBits)1 << (8 * sizeof(Key) - 1));
		return key == (UnsignedBits)~high ? high : key;
	}
};

/* The digit of `num_bits` bits from `bit_start` on. */
template <class Key> struct ShiftDigitExtractor : BaseDigitExtractor<Key> {
	typedef typename BaseDigitExtractor<Key>::UnsignedBits UnsignedBits;
	uint32_t bit_start, mask;
	__host__ __device__ __forceinline__ explicit ShiftDigitExtractor(uint32_t start = 0, uint32_t num_bits = 0)
		: bit_start(start), mask(num_bits >= 32 ? ~0u : (1u << num_bits) - 1) {
	}
	__host__ __device__ __forceinline__ uint32_t Digit(UnsignedBits key) const {
		return (uint32_t)(this->ProcessFloatMinusZero(key) >> bit_start) & mask;
	}
};

template <class Key> struct BFEDigitExtractor : ShiftDigitExtractor<Key> {
	using ShiftDigitExtractor<Key>::ShiftDigitExtractor;
};

} /* namespace cub */

#endif
