/* Thrust: `thrust::async`. Each algorithm is at its end when it returns: see ../future.h. */
#ifndef S2S_THRUST_ASYNCHRONOUS_H
#define S2S_THRUST_ASYNCHRONOUS_H

#include "../future.h"
#include "elementwise.h"
#include "reduction.h"
#include "scanning.h"
#include "sorting.h"

/* Without a policy, an algorithm runs on the device. */
#define S2S_THRUST_ASYNC(name)                                                                                         \
	template <class First, class... Rest> device_event name(const First &first, Rest... rest) {                        \
		if constexpr (details::is_policy<First>) {                                                                     \
			thrust::name(first, rest...);                                                                              \
			return device_event(first.stream);                                                                         \
		} else {                                                                                                       \
			thrust::name(thrust::device, first, rest...);                                                              \
			return device_event(0);                                                                                    \
		}                                                                                                              \
	}

namespace thrust {
namespace async {

S2S_THRUST_ASYNC(for_each)
S2S_THRUST_ASYNC(for_each_n)
S2S_THRUST_ASYNC(transform)
S2S_THRUST_ASYNC(sort)
S2S_THRUST_ASYNC(stable_sort)
S2S_THRUST_ASYNC(inclusive_scan)
S2S_THRUST_ASYNC(exclusive_scan)

/* One policy, two, for where the elements are read and written, or none. */
template <class First, class Second, class... Rest>
device_event copy(const First &first, const Second &second, Rest... rest) {
	if constexpr (!details::is_policy<First>) {
		thrust::copy(first, second, rest...);
		return device_event(0);
	} else if constexpr (details::is_policy<Second>) {
		thrust::copy(rest...);
		return device_event(0);
	} else {
		thrust::copy(first, second, rest...);
		return device_event(first.stream);
	}
}

template <class First, class... Rest> auto reduce(const First &first, Rest... rest) {
	if constexpr (details::is_policy<First>) {
		auto value = thrust::reduce(first, rest...);
		return device_future<decltype(value)>(first.stream, value);
	} else {
		auto value = thrust::reduce(thrust::device, first, rest...);
		return device_future<decltype(value)>(0, value);
	}
}

template <class Policy, class It, class Out, class... Rest, details::IfPolicy<Policy> = 0>
device_event reduce_into(const Policy &policy, It first, It last, Out out, Rest... rest) {
	*out = thrust::reduce(policy, first, last, rest...);
	return device_event(policy.stream);
}
template <class It, class Out, class... Rest, details::IfNoPolicy<It> = 0>
device_event reduce_into(It first, It last, Out out, Rest... rest) {
	return thrust::async::reduce_into(thrust::device, first, last, out, rest...);
}

} /* namespace async */
} /* namespace thrust */

#undef S2S_THRUST_ASYNC

#endif
