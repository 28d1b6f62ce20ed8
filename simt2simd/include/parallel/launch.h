/* What the device-wide algorithms of CUB and Thrust are made of: kernels that run an object for each number or chunk.
 *
 * A kernel that never asks for `threadIdx` has only block-uniform values, so it becomes scalar code: chunks are for
 * algorithms that go through their elements in order.
 */
#ifndef S2S_PARALLEL_LAUNCH_H
#define S2S_PARALLEL_LAUNCH_H

#include <cuda_runtime.h>
#include <stddef.h>

namespace s2s_parallel {

template <class Body> __global__ void run_each(Body body, size_t count) {
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < count)
		body(i);
}

template <class Body> __global__ void run_chunks(Body body) {
	body(blockIdx.x);
}

/* How `count` elements are divided: chunk k begins at k * size. */
struct Chunks {
	size_t count, size;
	unsigned number;
	__host__ __device__ size_t begin(size_t chunk) const {
		return chunk * size;
	}
	__host__ __device__ size_t end(size_t chunk) const {
		size_t end = (chunk + 1) * size;
		return end < count ? end : count;
	}
};

/* Chunks of at least so many elements: enough of them that cores of different speeds end together. */
inline Chunks divided(size_t count, size_t least = 8192, size_t most = 128) {
	size_t number = count / least;
	number = number < 1 ? 1 : number > most ? most : number;
	Chunks chunks = {count, (count + number - 1) / number, 0};
	chunks.number = chunks.size == 0 ? 0 : (unsigned)((count + chunks.size - 1) / chunks.size);
	return chunks;
}

template <class Body> cudaError_t each(size_t count, Body body, cudaStream_t stream = 0) {
	if (count == 0)
		return cudaSuccess;
	run_each<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(body, count);
	return cudaPeekAtLastError();
}

template <class Body> cudaError_t chunks_of(unsigned number, Body body, cudaStream_t stream = 0) {
	if (number == 0)
		return cudaSuccess;
	run_chunks<<<number, 1, 0, stream>>>(body);
	return cudaPeekAtLastError();
}

/* Memory that an algorithm divides among its arrays. Without memory it counts what they need. */
class Arena {
  public:
	explicit Arena(void *memory) : _memory((char *)memory), _used(0) {
	}
	template <class T> T *take(size_t count) {
		_used = (_used + 255) / 256 * 256;
		T *array = (T *)(_memory + _used);
		_used += count * sizeof(T);
		return array;
	}
	size_t used() const {
		return _used == 0 ? 1 : _used;
	}
	/* Without memory, return true and how much is needed; true and an error if there is too little. */
	bool only_asks(size_t &bytes, cudaError_t &answer) const {
		answer = cudaSuccess;
		if (_memory == nullptr) {
			bytes = used();
			return true;
		}
		if (bytes < _used)
			answer = cudaErrorInvalidValue;
		return answer != cudaSuccess;
	}

  private:
	char *_memory;
	size_t _used;
};

/* How a key sorts by its bits: an unsigned number of the same size and of the same order. */
template <int Bytes> struct Bits;
template <> struct Bits<1> {
	typedef unsigned char type;
};
template <> struct Bits<2> {
	typedef unsigned short type;
};
template <> struct Bits<4> {
	typedef unsigned type;
};
template <> struct Bits<8> {
	typedef unsigned long long type;
};

enum class Kind { none, number, sign, real };

template <class T> struct KindOf {
	static constexpr Kind value = Kind::none;
};
#define S2S_KIND(type, kind)                                                                                           \
	template <> struct KindOf<type> {                                                                                  \
		static constexpr Kind value = Kind::kind;                                                                      \
	};
S2S_KIND(bool, number)
S2S_KIND(char, sign)
S2S_KIND(signed char, sign)
S2S_KIND(short, sign)
S2S_KIND(int, sign)
S2S_KIND(long, sign)
S2S_KIND(long long, sign)
S2S_KIND(unsigned char, number)
S2S_KIND(unsigned short, number)
S2S_KIND(unsigned, number)
S2S_KIND(unsigned long, number)
S2S_KIND(unsigned long long, number)
S2S_KIND(float, real)
S2S_KIND(double, real)
#undef S2S_KIND

/* Floats of either kind of zero are the same; a negative float sorts by its inverted bits. */
template <class T> __host__ __device__ inline typename Bits<sizeof(T)>::type ordered_bits(T key) {
	typedef typename Bits<sizeof(T)>::type U;
	constexpr U high = (U)((U)1 << (8 * sizeof(T) - 1));
	constexpr Kind kind = KindOf<T>::value;
	if constexpr (kind == Kind::number) {
		return (U)key;
	} else if constexpr (kind == Kind::sign) {
		return (U)((U)key ^ high);
	} else {
		union {
			T value;
			U bits;
		} both;
		both.value = key;
		U bits = both.bits == high ? (U)0 : both.bits;
		return bits & high ? (U)~bits : (U)(bits ^ high);
	}
}

template <class T> struct Less {
	__host__ __device__ bool operator()(const T &a, const T &b) const {
		return a < b;
	}
};

/* Whether a call only asks how much storage it needs: none, for which CUB's answer is one byte. */
inline bool only_asks(const void *storage, size_t &bytes) {
	if (storage == nullptr)
		bytes = 1;
	return storage == nullptr;
}

} /* namespace s2s_parallel */

#endif
