/* Where memory is, and whose: pools, peers and advice. There is one memory and one pool, so that nothing moves. */
#include "queue.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- allocation in a stream's order ---- */

struct CUmemPoolHandle_st {
	uint64_t release_threshold;
	int reuse[3]; /* cudaMemPoolReuseFollowEventDependencies and the two after it */
};

static struct CUmemPoolHandle_st default_pool = {0, {1, 1, 1}};

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
	cudaError_t fault = s2s_check_stream(stream);
	if (fault == cudaSuccess && pointer && s2s_captures(stream))
		return s2s_capture_allocation(stream, pointer, bytes);
	return fault == cudaSuccess ? cudaMalloc(pointer, bytes) : fault;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
	return pool == &default_pool ? cudaMallocAsync(pointer, bytes, stream) : s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
	cudaError_t fault = s2s_check_stream(stream);
	if (fault == cudaSuccess && s2s_captures(stream))
		return s2s_capture_free(stream, pointer);
	if (fault != cudaSuccess || !s2s_goes_later(stream, 0))
		return fault == cudaSuccess ? cudaFree(pointer) : fault;
	if (!s2s_device_memory_at(pointer, 1, false).begin)
		return s2s_note(cudaErrorInvalidValue);
	return s2s_queue_free(s2s_stream_of(stream), pointer);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
	if (!pool)
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	*pool = &default_pool;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
	return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	return s2s_note(pool == &default_pool ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep) {
	(void)bytes_to_keep;
	return s2s_note(pool == &default_pool ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
	if (pool != &default_pool || !value)
		return s2s_note(cudaErrorInvalidValue);
	switch (attribute) {
	case cudaMemPoolReuseFollowEventDependencies:
	case cudaMemPoolReuseAllowOpportunistic:
	case cudaMemPoolReuseAllowInternalDependencies:
		pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(int *)value;
		return s2s_note(cudaSuccess);
	case cudaMemPoolAttrReleaseThreshold:
		pool->release_threshold = *(uint64_t *)value;
		return s2s_note(cudaSuccess);
	}
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
	if (pool != &default_pool || !value)
		return s2s_note(cudaErrorInvalidValue);
	switch (attribute) {
	case cudaMemPoolReuseFollowEventDependencies:
	case cudaMemPoolReuseAllowOpportunistic:
	case cudaMemPoolReuseAllowInternalDependencies:
		*(int *)value = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
		return s2s_note(cudaSuccess);
	case cudaMemPoolAttrReleaseThreshold:
		*(uint64_t *)value = pool->release_threshold;
		return s2s_note(cudaSuccess);
	}
	return s2s_note(cudaErrorInvalidValue);
}

/* ---- peers: there are none ---- */

static cudaError_t check_devices(int first, int second) {
	return s2s_note(first == 0 && second == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
	if (!can)
		return s2s_note(cudaErrorInvalidValue);
	*can = 0; /* no device is its own peer */
	return check_devices(device, peer);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
	(void)peer;
	return s2s_note(flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
	return s2s_note(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
	cudaError_t fault = check_devices(to_device, from_device);
	return fault == cudaSuccess ? cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice) : fault;
}

cudaError_t cudaMemcpyPeerAsync(
	void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream) {
	cudaError_t fault = check_devices(to_device, from_device);
	return fault == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream) : fault;
}

/* ---- advice about memory, which is already where it is wanted ---- */

static cudaError_t check_advice(const void *pointer, size_t bytes, struct cudaMemLocation location) {
	if (!pointer || bytes == 0)
		return s2s_note(cudaErrorInvalidValue);
	switch (location.type) {
	case cudaMemLocationTypeDevice:
		return s2s_note(location.id == 0 ? cudaSuccess : cudaErrorInvalidDevice);
	case cudaMemLocationTypeHost:
	case cudaMemLocationTypeHostNuma:
	case cudaMemLocationTypeHostNumaCurrent:
		return s2s_note(cudaSuccess);
	case cudaMemLocationTypeInvalid:
		break;
	}
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(
	const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags, cudaStream_t stream) {
	if (flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t fault = s2s_check_stream(stream);
	return fault == cudaSuccess ? check_advice(pointer, bytes, location) : fault;
}

cudaError_t cudaMemAdvise(
	const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location) {
	(void)advice;
	return check_advice(pointer, bytes, location);
}
