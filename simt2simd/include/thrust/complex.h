/* Thrust: complex numbers. */
#ifndef S2S_THRUST_COMPLEX_H
#define S2S_THRUST_COMPLEX_H

#include <cuda_runtime.h>
#include <math.h>

#ifndef __CUDA_ARCH__
#include <complex>
#include <ostream>
#endif

namespace thrust {

template <class T> struct complex {
	typedef T value_type;
	__host__ __device__ complex(const T &re = T(), const T &im = T()) : _re(re), _im(im) {
	}
	template <class U> __host__ __device__ complex(const complex<U> &z) : _re((T)z.real()), _im((T)z.imag()) {
	}
#ifndef __CUDA_ARCH__
	complex(const std::complex<T> &z) : _re(z.real()), _im(z.imag()) {
	}
	operator std::complex<T>() const {
		return std::complex<T>(_re, _im);
	}
#endif
	__host__ __device__ T real() const {
		return _re;
	}
	__host__ __device__ T imag() const {
		return _im;
	}
	__host__ __device__ void real(T re) {
		_re = re;
	}
	__host__ __device__ void imag(T im) {
		_im = im;
	}
	__host__ __device__ complex &operator=(const T &re) {
		_re = re;
		_im = T();
		return *this;
	}
	__host__ __device__ complex &operator+=(const complex &z) {
		_re += z._re;
		_im += z._im;
		return *this;
	}
	__host__ __device__ complex &operator-=(const complex &z) {
		_re -= z._re;
		_im -= z._im;
		return *this;
	}
	__host__ __device__ complex &operator*=(const complex &z) {
		T re = _re * z._re - _im * z._im;
		_im = _re * z._im + _im * z._re;
		_re = re;
		return *this;
	}
	/* Both are divided by |re| + |im| of the divisor first, so that no square overflows. */
	__host__ __device__ complex &operator/=(const complex &z) {
		T scale = 1 / (fabs(z._re) + fabs(z._im)), a = _re * scale, b = _im * scale, c = z._re * scale,
		  d = z._im * scale, inverse = 1 / (c * c + d * d);
		_re = (a * c + b * d) * inverse;
		_im = (b * c - a * d) * inverse;
		return *this;
	}

  private:
	T _re, _im;
};

#define S2S_THRUST_COMPLEX_OPERATOR(op, assign)                                                                        \
	template <class T> __host__ __device__ inline complex<T> operator op(const complex<T> &a, const complex<T> &b) {   \
		complex<T> z = a;                                                                                              \
		z assign b;                                                                                                    \
		return z;                                                                                                      \
	}                                                                                                                  \
	template <class T> __host__ __device__ inline complex<T> operator op(const complex<T> &a, const T &b) {            \
		complex<T> z = a;                                                                                              \
		z assign complex<T>(b);                                                                                        \
		return z;                                                                                                      \
	}                                                                                                                  \
	template <class T> __host__ __device__ inline complex<T> operator op(const T &a, const complex<T> &b) {            \
		complex<T> z(a);                                                                                               \
		z assign b;                                                                                                    \
		return z;                                                                                                      \
	}
S2S_THRUST_COMPLEX_OPERATOR(+, +=)
S2S_THRUST_COMPLEX_OPERATOR(-, -=)
S2S_THRUST_COMPLEX_OPERATOR(*, *=)
S2S_THRUST_COMPLEX_OPERATOR(/, /=)
#undef S2S_THRUST_COMPLEX_OPERATOR

template <class T> __host__ __device__ inline complex<T> operator-(const complex<T> &z) {
	return complex<T>(-z.real(), -z.imag());
}
template <class T> __host__ __device__ inline bool operator==(const complex<T> &a, const complex<T> &b) {
	return a.real() == b.real() && a.imag() == b.imag();
}
template <class T> __host__ __device__ inline bool operator!=(const complex<T> &a, const complex<T> &b) {
	return !(a == b);
}
template <class T> __host__ __device__ inline T norm(const complex<T> &z) {
	return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> __host__ __device__ inline T abs(const complex<T> &z) {
	return hypot(z.real(), z.imag());
}
template <class T> __host__ __device__ inline T arg(const complex<T> &z) {
	return atan2(z.imag(), z.real());
}
template <class T> __host__ __device__ inline complex<T> conj(const complex<T> &z) {
	return complex<T>(z.real(), -z.imag());
}
template <class T> __host__ __device__ inline complex<T> polar(const T &radius, const T &angle = T()) {
	return complex<T>(radius * cos(angle), radius * sin(angle));
}
template <class T> __host__ __device__ inline complex<T> exp(const complex<T> &z) {
	T radius = ::exp(z.real());
	return complex<T>(radius * cos(z.imag()), radius * sin(z.imag()));
}
template <class T> __host__ __device__ inline complex<T> sqrt(const complex<T> &z) {
	T radius = ::sqrt(thrust::abs(z)), angle = thrust::arg(z) / 2;
	return complex<T>(radius * cos(angle), radius * sin(angle));
}

#ifndef __CUDA_ARCH__
template <class T> std::ostream &operator<<(std::ostream &out, const complex<T> &z) {
	return out << '(' << z.real() << ',' << z.imag() << ')';
}
#endif

} /* namespace thrust */

#endif
