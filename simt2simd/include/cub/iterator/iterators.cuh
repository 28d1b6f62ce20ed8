/* CUB: iterators that compute what they give. */
#ifndef S2S_CUB_ITERATORS_CUH
#define S2S_CUB_ITERATORS_CUH

#include <cuda_runtime.h>
#include <stddef.h>

#include <iterator>
#include <type_traits>

#include "../thread/thread_operators.cuh"

namespace cub {

/* The steps that all of them can take; `at(i)` is what `Own` gives at a distance. */
#define S2S_CUB_ITERATOR(Own, Value)                                                                                   \
	typedef Own self_type;                                                                                             \
	typedef ptrdiff_t difference_type;                                                                                 \
	typedef Value value_type;                                                                                          \
	typedef Value *pointer;                                                                                            \
	typedef Value reference;                                                                                           \
	typedef std::random_access_iterator_tag iterator_category;                                                         \
	__host__ __device__ reference operator*() const {                                                                  \
		return (*this)[0];                                                                                             \
	}                                                                                                                  \
	__host__ __device__ Own &operator++() {                                                                            \
		advance(1);                                                                                                    \
		return *this;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator++(int) {                                                                          \
		Own before = *this;                                                                                            \
		advance(1);                                                                                                    \
		return before;                                                                                                 \
	}                                                                                                                  \
	__host__ __device__ Own &operator+=(ptrdiff_t n) {                                                                 \
		advance(n);                                                                                                    \
		return *this;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator+(ptrdiff_t n) const {                                                             \
		Own moved = *this;                                                                                             \
		moved.advance(n);                                                                                              \
		return moved;                                                                                                  \
	}                                                                                                                  \
	__host__ __device__ Own operator-(ptrdiff_t n) const {                                                             \
		Own moved = *this;                                                                                             \
		moved.advance(-n);                                                                                             \
		return moved;                                                                                                  \
	}

template <class ValueType, class OffsetT = ptrdiff_t> class CountingInputIterator {
  public:
	S2S_CUB_ITERATOR(CountingInputIterator, ValueType)
	__host__ __device__ explicit CountingInputIterator(ValueType value) : _value(value) {
	}
	__host__ __device__ ValueType operator[](ptrdiff_t n) const {
		return (ValueType)(_value + (ValueType)n);
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_value = (ValueType)(_value + (ValueType)n);
	}

  private:
	ValueType _value;
};

template <class ValueType, class OffsetT = ptrdiff_t> class ConstantInputIterator {
  public:
	S2S_CUB_ITERATOR(ConstantInputIterator, ValueType)
	__host__ __device__ explicit ConstantInputIterator(ValueType value) : _value(value) {
	}
	__host__ __device__ ValueType operator[](ptrdiff_t) const {
		return _value;
	}
	__host__ __device__ void advance(ptrdiff_t) {
	}

  private:
	ValueType _value;
};

template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = ptrdiff_t>
class TransformInputIterator {
  public:
	S2S_CUB_ITERATOR(TransformInputIterator, ValueType)
	__host__ __device__ TransformInputIterator(InputIteratorT from, ConversionOp op) : _from(from), _op(op) {
	}
	__host__ __device__ ValueType operator[](ptrdiff_t n) const {
		return _op(_from[n]);
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_from = _from + n;
	}

  private:
	InputIteratorT _from;
	mutable ConversionOp _op;
};

namespace details {
template <class It> struct ValueOf {
	typedef typename std::iterator_traits<It>::value_type type;
};
template <class T> struct ValueOf<T *> {
	typedef T type;
};
template <class T> struct ValueOf<const T *> {
	typedef T type;
};
} /* namespace details */

/* Elements with their places. */
template <class InputIteratorT, class OffsetT = ptrdiff_t,
	class OutputValueT = typename details::ValueOf<InputIteratorT>::type>
class ArgIndexInputIterator {
  public:
	typedef KeyValuePair<OffsetT, OutputValueT> Pair;
	S2S_CUB_ITERATOR(ArgIndexInputIterator, Pair)
	__host__ __device__ explicit ArgIndexInputIterator(InputIteratorT from, ptrdiff_t at = 0) : _from(from), _at(at) {
	}
	__host__ __device__ Pair operator[](ptrdiff_t n) const {
		return Pair((OffsetT)(_at + n), _from[_at + n]);
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_at += n;
	}

  private:
	InputIteratorT _from;
	ptrdiff_t _at;
};

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

/* What caches there are is the CPU's own business. */
template <CacheLoadModifier MODIFIER, class It>
__device__ __forceinline__ typename details::ValueOf<It>::type ThreadLoad(It from) {
	return *from;
}
template <CacheStoreModifier MODIFIER, class It, class T> __device__ __forceinline__ void ThreadStore(It to, T value) {
	*to = value;
}
template <CacheLoadModifier MODIFIER, class ValueType, class OffsetT = ptrdiff_t>
using CacheModifiedInputIterator = const ValueType *;
template <CacheStoreModifier MODIFIER, class ValueType, class OffsetT = ptrdiff_t>
using CacheModifiedOutputIterator = ValueType *;

/* Takes what is written, and keeps nothing. */
template <class OffsetT = ptrdiff_t> class DiscardOutputIterator {
  public:
	struct Nothing {
		template <class T> __host__ __device__ const Nothing &operator=(const T &) const {
			return *this;
		}
	};
	S2S_CUB_ITERATOR(DiscardOutputIterator, Nothing)
	__host__ __device__ DiscardOutputIterator(OffsetT offset = 0) : _offset(offset) {
	}
	__host__ __device__ Nothing operator[](ptrdiff_t) const {
		return Nothing();
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_offset += n;
	}

  private:
	OffsetT _offset;
};

/* Texture memory is memory: the texture object that a GPU reads by is not needed. */
template <class T, class OffsetT = ptrdiff_t> class TexObjInputIterator {
  public:
	S2S_CUB_ITERATOR(TexObjInputIterator, T)
	__host__ __device__ TexObjInputIterator() : _data(nullptr) {
	}
	template <class Q> cudaError_t BindTexture(Q *data, size_t = 0, size_t = 0) {
		_data = (const T *)data;
		return cudaSuccess;
	}
	cudaError_t UnbindTexture() {
		return cudaSuccess;
	}
	__host__ __device__ T operator[](ptrdiff_t n) const {
		return _data[n];
	}
	__host__ __device__ void advance(ptrdiff_t n) {
		_data += n;
	}

  private:
	const T *_data;
};

#undef S2S_CUB_ITERATOR

} /* namespace cub */

#endif
