/* Pools of memory. What a pool allocates is the system's again when it is freed: a pool is a count of bytes. */
#include "cudart/queue.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct CUmemPoolHandle_st {
	struct cudaMemPoolProps properties;
	uint64_t release_threshold;
	int reuse[3];           /* cudaMemPoolReuseFollowEventDependencies and the two after it */
	size_t used, most_used; /* this and what follows: under the lock */
	bool is_left;           /* the program has destroyed it */
};

/* An allocation of a pool that the program has made. */
typedef struct from_pool {
	void *pointer;
	size_t bytes;
	cudaMemPool_t pool;
	struct from_pool *next;
} from_pool;

static struct CUmemPoolHandle_st default_pool = {
	.properties = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
	.reuse = {1, 1, 1}};

static s2s_ranges pools = S2S_NO_RANGES;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these: */
static from_pool *allocated;
static cudaMemPool_t current; /* of the device; null: the default */

static bool is_pool(cudaMemPool_t pool) {
	return pool == &default_pool || (pool && s2s_ranges_find(&pools, pool, sizeof *pool).begin == pool);
}

/* ---- allocation ---- */

static cudaError_t allocate(void **pointer, size_t bytes, cudaMemPool_t pool) {
	from_pool *made = malloc(sizeof *made);
	pthread_mutex_lock(&lock);
	size_t most = pool->properties.maxSize;
	bool fits = made && (most == 0 || bytes <= most - pool->used);
	pool->used += fits ? bytes : 0;
	pthread_mutex_unlock(&lock);
	cudaError_t code = fits ? s2s_allocate_memory(pointer, bytes) : cudaErrorMemoryAllocation;
	bool counts = fits && code == cudaSuccess && *pointer;
	pthread_mutex_lock(&lock);
	if (fits && !counts)
		pool->used -= bytes;
	if (pool->used > pool->most_used)
		pool->most_used = pool->used;
	if (counts) {
		*made = (from_pool){*pointer, bytes, pool, allocated};
		allocated = made;
	}
	pthread_mutex_unlock(&lock);
	if (!counts)
		free(made);
	return s2s_note(code);
}

void s2s_leave_pool(const void *pointer) {
	pthread_mutex_lock(&lock);
	from_pool **at = &allocated;
	while (*at && (*at)->pointer != pointer)
		at = &(*at)->next;
	from_pool *found = *at;
	if (found) {
		*at = found->next;
		found->pool->used -= found->bytes;
		if (found->pool->is_left && found->pool->used == 0)
			free(found->pool);
	}
	pthread_mutex_unlock(&lock);
	free(found);
}

static cudaMemPool_t current_pool(void) {
	pthread_mutex_lock(&lock);
	cudaMemPool_t pool = current ? current : &default_pool;
	pthread_mutex_unlock(&lock);
	return pool;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
	if (!pointer || !is_pool(pool))
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t fault = s2s_check_stream(stream);
	if (fault != cudaSuccess)
		return fault;
	return s2s_captures(stream) ? s2s_capture_allocation(stream, pointer, bytes) : allocate(pointer, bytes, pool);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
	return cudaMallocFromPoolAsync(pointer, bytes, current_pool(), stream);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
	cudaError_t fault = s2s_check_stream(stream);
	if (fault != cudaSuccess)
		return fault;
	if (s2s_captures(stream))
		return s2s_capture_free(stream, pointer);
	if (!pointer)
		return s2s_note(cudaSuccess); /* there is nothing to free */
	if (!s2s_device_memory_at(pointer, 1, false).begin)
		return s2s_note(cudaErrorInvalidValue);
	if (s2s_goes_later(stream, 0))
		return s2s_queue_free(s2s_stream_of(stream), pointer);
	s2s_wait_before(stream);
	return s2s_free_memory(pointer);
}

/* ---- which pool ---- */

static cudaError_t check_device(const void *result, int device) {
	if (!result)
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
	cudaError_t fault = check_device(pool, device);
	if (fault == cudaSuccess)
		*pool = &default_pool;
	return fault;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
	cudaError_t fault = check_device(pool, device);
	if (fault == cudaSuccess)
		*pool = current_pool();
	return fault;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	if (!is_pool(pool) || pool->properties.location.type != cudaMemLocationTypeDevice)
		return s2s_note(cudaErrorInvalidValue);
	pthread_mutex_lock(&lock);
	current = pool;
	pthread_mutex_unlock(&lock);
	return s2s_note(cudaSuccess);
}

/* Only the device has a pool of its own. */
static cudaError_t check_location(const struct cudaMemLocation *location, enum cudaMemAllocationType type) {
	if (!location || (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged))
		return s2s_note(cudaErrorInvalidValue);
	if (type != cudaMemAllocationTypePinned || location->type != cudaMemLocationTypeDevice)
		return s2s_note(cudaErrorNotSupported);
	return s2s_note(location->id == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaMemGetDefaultMemPool(
	cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type) {
	cudaError_t fault = check_location(location, type);
	return fault == cudaSuccess ? cudaDeviceGetDefaultMemPool(pool, 0) : fault;
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type) {
	cudaError_t fault = check_location(location, type);
	return fault == cudaSuccess ? cudaDeviceGetMemPool(pool, 0) : fault;
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t pool) {
	cudaError_t fault = check_location(location, type);
	return fault == cudaSuccess ? cudaDeviceSetMemPool(0, pool) : fault;
}

/* ---- pools of the program's ---- */

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
	if (!pool || !properties)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t fault = check_location(&properties->location, properties->allocType);
	if (fault != cudaSuccess)
		return fault;
	if (properties->handleTypes != cudaMemHandleTypeNone)
		return s2s_note(cudaErrorNotSupported); /* no other process can have its memory */
	cudaMemPool_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&pools, made, sizeof *made)) {
		free(made);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	*made = (struct CUmemPoolHandle_st){.properties = *properties, .reuse = {1, 1, 1}};
	*pool = made;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
	if (!pool || pool == &default_pool || !s2s_ranges_remove(&pools, pool))
		return s2s_note(cudaErrorInvalidValue);
	pthread_mutex_lock(&lock);
	if (current == pool)
		current = NULL;
	pool->is_left = true;
	bool is_used = pool->used > 0;
	pthread_mutex_unlock(&lock);
	if (!is_used)
		free(pool);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep) {
	(void)bytes_to_keep; /* nothing is kept that is not in use */
	return s2s_note(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
	if (!is_pool(pool) || !value)
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
	case cudaMemPoolAttrReservedMemHigh:
	case cudaMemPoolAttrUsedMemHigh: /* can be set to 0 only, from where they grow again */
		if (*(uint64_t *)value != 0)
			return s2s_note(cudaErrorInvalidValue);
		pthread_mutex_lock(&lock);
		pool->most_used = pool->used;
		pthread_mutex_unlock(&lock);
		return s2s_note(cudaSuccess);
	case cudaMemPoolAttrReservedMemCurrent:
	case cudaMemPoolAttrUsedMemCurrent:
		break;
	}
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
	if (!is_pool(pool) || !value)
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
	case cudaMemPoolAttrReservedMemCurrent:
	case cudaMemPoolAttrUsedMemCurrent:
		*(uint64_t *)value = pool->used;
		return s2s_note(cudaSuccess);
	case cudaMemPoolAttrReservedMemHigh:
	case cudaMemPoolAttrUsedMemHigh:
		*(uint64_t *)value = pool->most_used;
		return s2s_note(cudaSuccess);
	}
	return s2s_note(cudaErrorInvalidValue);
}

/* The device that a pool is on cannot be shut out of it, and there is no other one. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count) {
	if (!is_pool(pool) || (count > 0 && !list))
		return s2s_note(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++) {
		if (list[i].location.type != cudaMemLocationTypeDevice)
			return s2s_note(cudaErrorInvalidValue);
		if (list[i].location.id != 0)
			return s2s_note(cudaErrorInvalidDevice);
		if (list[i].flags != cudaMemAccessFlagsProtReadWrite)
			return s2s_note(cudaErrorInvalidValue);
	}
	return s2s_note(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location) {
	if (!flags || !is_pool(pool) || !location || location->type != cudaMemLocationTypeDevice)
		return s2s_note(cudaErrorInvalidValue);
	if (location->id != 0)
		return s2s_note(cudaErrorInvalidDevice);
	*flags = cudaMemAccessFlagsProtReadWrite;
	return s2s_note(cudaSuccess);
}

/* No pool was made to be shared. */

cudaError_t cudaMemPoolExportToShareableHandle(
	void *handle, cudaMemPool_t pool, enum cudaMemAllocationHandleType type, unsigned int flags) {
	(void)handle, (void)pool, (void)type, (void)flags;
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolImportFromShareableHandle(
	cudaMemPool_t *pool, void *handle, enum cudaMemAllocationHandleType type, unsigned int flags) {
	(void)pool, (void)handle, (void)type, (void)flags;
	return s2s_note(cudaErrorNotSupported);
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *pointer) {
	(void)data, (void)pointer;
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *data) {
	(void)pointer, (void)pool, (void)data;
	return s2s_note(cudaErrorInvalidValue);
}
