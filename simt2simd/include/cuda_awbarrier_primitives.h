/* Barriers in shared memory, as functions. */
#ifndef S2S_CUDA_AWBARRIER_PRIMITIVES_H
#define S2S_CUDA_AWBARRIER_PRIMITIVES_H

#include <cuda/barrier>

typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef __mbarrier_t::arrival_token __mbarrier_token_t;

#ifdef __CUDA_ARCH__

__device__ inline unsigned __mbarrier_maximum_count() {
	return (1u << 20) - 1;
}

__device__ inline void __mbarrier_init(__mbarrier_t *barrier, unsigned expected) {
	init(barrier, expected);
}

__device__ inline void __mbarrier_inval(__mbarrier_t *) {
}

__device__ inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
	return barrier->arrive();
}

__device__ inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
	return barrier->drop();
}

/* True when the barrier has opened since the token was made; it waits for that, which CUDA's may do too. */
__device__ inline bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
	return barrier->try_wait(token);
}

__device__ inline bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, unsigned) {
	return barrier->try_wait(token);
}

__device__ inline bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
	return barrier->try_wait_parity(parity);
}

__device__ inline bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, unsigned) {
	return barrier->try_wait_parity(parity);
}

#endif

#endif
