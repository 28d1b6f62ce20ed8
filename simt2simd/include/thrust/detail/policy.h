/* Thrust: where an algorithm runs. Device memory is host memory here, so each may read what the other wrote. */
#ifndef S2S_THRUST_POLICY_H
#define S2S_THRUST_POLICY_H

#include <cuda_runtime.h>
#include <stddef.h>

#include <iterator>
#include <type_traits>

#ifndef __CUDA_ARCH__ /* what programs get with NVIDIA's headers, and rely on */
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#endif

#include "../../parallel/launch.h"
#include "../version.h"

namespace thrust {

namespace details {

#ifdef __CUDA_ARCH__
constexpr bool in_kernel = true;
typedef void *Stream;
#else
constexpr bool in_kernel = false;
typedef cudaStream_t Stream;
#endif

struct AnyPolicy {};

/* One thread after the other, by the one that calls. */
struct HostPolicy : AnyPolicy {
	static constexpr bool launches = false;
};

/* By kernels, on a stream; in a kernel, by the thread that calls. */
struct DevicePolicy : AnyPolicy {
	static constexpr bool launches = !in_kernel;
	Stream stream;
	__host__ __device__ constexpr DevicePolicy(Stream of = 0) : stream(of) {
	}
	__host__ __device__ DevicePolicy on(Stream other) const {
		return DevicePolicy(other);
	}
	/* The events have happened: see ../future.h. */
	template <class... Events> DevicePolicy after(Events &&...) const {
		return *this;
	}
	template <class Allocator> __host__ __device__ DevicePolicy operator()(Allocator &&) const {
		return *this;
	}
};

template <class T> constexpr bool is_policy = std::is_base_of<AnyPolicy, T>::value;
template <class T> using IfPolicy = typename std::enable_if<is_policy<T>, int>::type;
template <class T> using IfNoPolicy = typename std::enable_if<!is_policy<T>, int>::type;

/* Which memory an iterator reads: none for what is no iterator. */
enum class System { none, any, host, device };

constexpr System both(System a, System b) {
	return a > b ? a : b;
}

template <class It, class = void> struct SystemOf {
	static constexpr System value = System::none;
};
template <class T> struct SystemOf<T *, void> {
	static constexpr System value = System::host;
};
template <class It> struct SystemOf<It, std::void_t<typename It::s2s_system>> {
	static constexpr System value = It::s2s_system::value;
};

/* Iterators of containers of the C++ library. */
template <class It, class = void> struct IsForeign {
	static constexpr bool value = false;
};
template <class It> struct IsForeign<It, std::void_t<typename It::iterator_category>> {
	static constexpr bool value = SystemOf<It>::value == System::none;
};
template <class It> constexpr System system_of = IsForeign<It>::value ? System::host : SystemOf<It>::value;

template <class... Its> struct SystemOfAll {
	static constexpr System value = System::none;
};
template <class First, class... Rest> struct SystemOfAll<First, Rest...> {
	static constexpr System value = both(system_of<First>, SystemOfAll<Rest...>::value);
};

template <System Of> struct OfSystem {
	static constexpr System value = Of;
};

/* An algorithm without memory arguments runs on the device. */
template <class... Args>
using PolicyOf = typename std::conditional<SystemOfAll<Args...>::value == System::host, HostPolicy, DevicePolicy>::type;

template <class It> using ValueOf = typename std::iterator_traits<It>::value_type;

inline void wait(const DevicePolicy &policy) {
	cudaStreamSynchronize(policy.stream);
}

/* Host code waits for kernels before it reads what they write. */
__host__ __device__ inline void wait_on_host() {
#ifndef __CUDA_ARCH__
	cudaDeviceSynchronize();
#endif
}

/* Memory for the time of an algorithm. */
template <class T> class Temporary {
  public:
	explicit Temporary(size_t count) : _memory(nullptr) {
		cudaMalloc((void **)&_memory, count * sizeof(T) + 1);
	}
	Temporary(const Temporary &) = delete;
	~Temporary() {
		cudaFree(_memory);
	}
	T *get() const {
		return _memory;
	}

  private:
	T *_memory;
};

} /* namespace details */

constexpr details::HostPolicy host = {}, seq = {};
constexpr details::DevicePolicy device = {};

namespace cuda {
constexpr details::DevicePolicy par = {}, par_nosync = {};
} /* namespace cuda */
namespace cuda_cub {
constexpr details::DevicePolicy par = {}, par_nosync = {};
} /* namespace cuda_cub */
namespace system {
namespace cuda {
constexpr details::DevicePolicy par = {}, par_nosync = {};
} /* namespace cuda */
} /* namespace system */
namespace cpp {
constexpr details::HostPolicy par = {};
} /* namespace cpp */
namespace omp {
constexpr details::HostPolicy par = {};
} /* namespace omp */

struct random_access_traversal_tag {};
typedef std::random_access_iterator_tag random_access_device_iterator_tag;
struct host_system_tag {};
struct device_system_tag {};

template <class It> struct iterator_traits : std::iterator_traits<It> {};
template <class It> struct iterator_value {
	typedef details::ValueOf<It> type;
};
template <class It> struct iterator_difference {
	typedef ptrdiff_t type;
};

template <class It> __host__ __device__ inline ptrdiff_t distance(It first, It last) {
	return last - first;
}
template <class It, class N> __host__ __device__ inline void advance(It &it, N n) {
	it += n;
}

} /* namespace thrust */

/* An algorithm without a policy has the policy that its arguments imply. */
#define S2S_THRUST_ALGORITHM(name)                                                                                     \
	template <class First, class... Rest, details::IfNoPolicy<First> = 0>                                              \
	__host__ __device__ auto name(First first, Rest... rest) {                                                         \
		return thrust::name(details::PolicyOf<First, Rest...>(), first, rest...);                                      \
	}

#endif
