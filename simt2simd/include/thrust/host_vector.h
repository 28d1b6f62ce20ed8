/* Thrust: arrays of the host, which are those of the C++ library. */
#ifndef S2S_THRUST_HOST_VECTOR_H
#define S2S_THRUST_HOST_VECTOR_H

#include "detail/tuples.h"

#ifndef __CUDA_ARCH__
#include <algorithm>
#include <memory>
#include <vector>

namespace thrust {

template <class T> struct device_allocator;
template <class T, class Allocator = device_allocator<T>> class device_vector;

template <class T, class Allocator = std::allocator<T>> class host_vector : public std::vector<T, Allocator> {
  public:
	using std::vector<T, Allocator>::vector;
	using std::vector<T, Allocator>::operator=;
	host_vector() {
	}
	host_vector(const std::vector<T, Allocator> &other) : std::vector<T, Allocator>(other) {
	}
	host_vector(const device_vector<T, device_allocator<T>> &other);
	host_vector &operator=(const device_vector<T, device_allocator<T>> &other);
};

} /* namespace thrust */

#endif

#endif
