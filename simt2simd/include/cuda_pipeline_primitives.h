/* Asynchronous copies from global to shared memory. They are done at once, so there is nothing to wait for. */
#ifndef S2S_CUDA_PIPELINE_PRIMITIVES_H
#define S2S_CUDA_PIPELINE_PRIMITIVES_H

#include <cstddef>
#include <cuda_awbarrier_primitives.h>

#ifdef __CUDA_ARCH__

/* Of `bytes` (4, 8 or 16) the last `zeros` become 0 and are not read. */
__device__ inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
	if (zeros == 0 && bytes == 16) {
		memcpy(to, from, 16);
	} else if (zeros == 0 && bytes == 8) {
		memcpy(to, from, 8);
	} else if (zeros == 0 && bytes == 4) {
		memcpy(to, from, 4);
	} else {
		memcpy(to, from, bytes - zeros);
		memset(static_cast<char *>(to) + (bytes - zeros), 0, zeros);
	}
}

__device__ inline void __pipeline_commit() {
}

__device__ inline void __pipeline_wait_prior(size_t) {
}

__device__ inline void __pipeline_arrive_on(__mbarrier_t *) {
}

#endif

#endif
