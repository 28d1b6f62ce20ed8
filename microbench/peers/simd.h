/* What the programs in AVX-512 intrinsics share. */
#ifndef PEERS_SIMD_H
#define PEERS_SIMD_H

#include <cstdlib>
#include <new>

#include <immintrin.h>

const int LANES = 16;

/* The lanes that are left: all sixteen, or the first `rest` if that is less. */
static inline __mmask16 first_lanes(long rest) {
	return rest >= LANES ? 0xffff : (1u << rest) - 1;
}

/* Memory for an array, from the start of a cache line to the end of one. It lives as long as the program. */
template <class T> T *aligned_array(size_t count) {
	void *memory = std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64);
	if (!memory)
		throw std::bad_alloc();
	return static_cast<T *>(memory);
}

#endif
