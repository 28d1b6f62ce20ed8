/* Asynchronous copies as functions, and the older form of pipelines. */
#ifndef S2S_CUDA_PIPELINE_H
#define S2S_CUDA_PIPELINE_H

#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>

#ifdef __CUDA_ARCH__

namespace nvcuda {
namespace experimental {

class pipeline {
  public:
	pipeline() = default;
	pipeline(const pipeline &) = delete;
	pipeline &operator=(const pipeline &) = delete;
	__device__ size_t commit() {
		return _batches++;
	}
	__device__ void commit_and_wait() {
		commit();
	}
	__device__ void wait(size_t) {
	}
	template <unsigned Prior> __device__ void wait_prior() {
	}
	__device__ void arrive_on(awbarrier &) {
	}

  private:
	size_t _batches = 0;
};

template <class T> __device__ inline void memcpy_async(T &to, const T &from, pipeline &) {
	to = from;
}

} /* namespace experimental */
} /* namespace nvcuda */

#endif

#endif
