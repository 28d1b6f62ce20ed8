/* Thrust: operators as objects. */
#ifndef S2S_THRUST_FUNCTIONAL_H
#define S2S_THRUST_FUNCTIONAL_H

#include <functional>

#include "detail/policy.h"

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;

template <class T> __host__ __device__ constexpr T min(const T &a, const T &b) {
	return b < a ? b : a;
}
template <class T> __host__ __device__ constexpr T max(const T &a, const T &b) {
	return a < b ? b : a;
}

template <class T = void> struct maximum {
	__host__ __device__ constexpr T operator()(const T &a, const T &b) const {
		return a < b ? b : a;
	}
};
template <> struct maximum<void> {
	template <class T> __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
		return a < b ? b : a;
	}
};
template <class T = void> struct minimum {
	__host__ __device__ constexpr T operator()(const T &a, const T &b) const {
		return b < a ? b : a;
	}
};
template <> struct minimum<void> {
	template <class T> __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
		return b < a ? b : a;
	}
};
template <class T = void> struct identity {
	__host__ __device__ constexpr const T &operator()(const T &a) const {
		return a;
	}
};
template <> struct identity<void> {
	template <class T> __host__ __device__ constexpr const T &operator()(const T &a) const {
		return a;
	}
};
template <class T = void> struct square {
	__host__ __device__ constexpr T operator()(const T &a) const {
		return a * a;
	}
};
template <> struct square<void> {
	template <class T> __host__ __device__ constexpr T operator()(const T &a) const {
		return a * a;
	}
};
template <class A = void, class B = void> struct project1st {
	__host__ __device__ constexpr const A &operator()(const A &a, const B &) const {
		return a;
	}
};
template <class A = void, class B = void> struct project2nd {
	__host__ __device__ constexpr const B &operator()(const A &, const B &b) const {
		return b;
	}
};

template <class Argument, class Result> struct unary_function {
	typedef Argument argument_type;
	typedef Result result_type;
};
template <class First, class Second, class Result> struct binary_function {
	typedef First first_argument_type;
	typedef Second second_argument_type;
	typedef Result result_type;
};

template <class F> struct unary_negate {
	mutable F f;
	template <class T> __host__ __device__ bool operator()(const T &x) const {
		return !f(x);
	}
};
template <class F> __host__ __device__ inline unary_negate<F> not1(F f) {
	return unary_negate<F>{f};
}
template <class F> __host__ __device__ inline unary_negate<F> not_fn(F f) {
	return unary_negate<F>{f};
}

} /* namespace thrust */

#endif
