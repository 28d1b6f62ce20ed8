/* Barriers in shared memory, the older form of cuda::barrier. */
#ifndef S2S_CUDA_AWBARRIER_H
#define S2S_CUDA_AWBARRIER_H

#include <cuda_awbarrier_primitives.h>

#ifdef __CUDA_ARCH__

namespace nvcuda {
namespace experimental {

class awbarrier {
  public:
	typedef __mbarrier_t::arrival_token arrival_token;
	awbarrier() = default;
	awbarrier(const awbarrier &) = delete;
	awbarrier &operator=(const awbarrier &) = delete;
	__device__ arrival_token arrive() {
		return _barrier.arrive();
	}
	__device__ arrival_token arrive_and_drop() {
		return _barrier.drop();
	}
	__device__ bool timed_wait(arrival_token token, unsigned) {
		return _barrier.try_wait(token);
	}
	__device__ bool timed_wait_parity(bool parity, unsigned) {
		return _barrier.try_wait_parity(parity);
	}
	__device__ void wait(arrival_token token) {
		_barrier.wait(token);
	}
	__device__ void arrive_and_wait() {
		_barrier.arrive_and_wait();
	}
	__device__ static unsigned max() {
		return __mbarrier_maximum_count();
	}
	__device__ void start(unsigned expected) {
		cuda::init(&_barrier, expected);
	}

  private:
	__mbarrier_t _barrier;
};

__device__ inline void init(awbarrier *barrier, unsigned expected) {
	barrier->start(expected);
}

} /* namespace experimental */
} /* namespace nvcuda */

#endif

#endif
