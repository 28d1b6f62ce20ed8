/* CUB: operators as objects. */
#ifndef S2S_CUB_THREAD_OPERATORS_CUH
#define S2S_CUB_THREAD_OPERATORS_CUH

#include <cuda_runtime.h>

#include <type_traits>

namespace cub {

template <class K, class V> struct KeyValuePair {
	typedef K Key;
	typedef V Value;
	K key;
	V value;
	__host__ __device__ KeyValuePair() {
	}
	__host__ __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v) {
	}
	__host__ __device__ bool operator!=(const KeyValuePair &other) const {
		return value != other.value || key != other.key;
	}
};

struct Equality {
	template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const {
		return a == b;
	}
};

struct Inequality {
	template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const {
		return a != b;
	}
};

template <class Equal> struct InequalityWrapper {
	Equal op;
	__host__ __device__ explicit InequalityWrapper(Equal equal) : op(equal) {
	}
	template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) {
		return !op(a, b);
	}
};

struct Sum {
	template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const {
		return a + b;
	}
};

struct Difference {
	template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const {
		return a - b;
	}
};

struct Division {
	template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const {
		return a / b;
	}
};

struct Max {
	template <class A, class B>
	__host__ __device__ typename std::common_type<A, B>::type operator()(const A &a, const B &b) const {
		return a < b ? b : a;
	}
};

struct Min {
	template <class A, class B>
	__host__ __device__ typename std::common_type<A, B>::type operator()(const A &a, const B &b) const {
		return b < a ? b : a;
	}
};

/* Of equal values, the one with the lower key. */
struct ArgMax {
	template <class K, class V>
	__host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
		return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
	}
};

struct ArgMin {
	template <class K, class V>
	__host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
		return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
	}
};

template <class T> struct CastOp {
	template <class A> __host__ __device__ T operator()(const A &a) const {
		return (T)a;
	}
};

} /* namespace cub */

#endif
