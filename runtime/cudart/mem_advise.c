/* Where memory is: other devices, advice, batches. There is one memory, so that nothing moves. */
#include "cudart/cuda_array.h"
#include "cudart/queue.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The two devices have to be different ones. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from, int to) {
	if (!value || (unsigned int)attribute - 1 >= cudaDevP2PAttrOnlyPartialNativeAtomicSupported)
		return s2s_note(cudaErrorInvalidValue);
	(void)from, (void)to;
	return s2s_note(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(
	unsigned int *capabilities, const enum cudaAtomicOperation *operations, unsigned int count, int from, int to) {
	(void)from, (void)to;
	return s2s_note(!capabilities || !operations || count == 0 ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}

/* Kernels and the host have the same atomic instructions. */
static unsigned int capabilities_of(enum cudaAtomicOperation operation) {
	const unsigned int scalars = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
	const unsigned int integers = scalars | cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned;
	switch (operation) {
	case cudaAtomicOperationIntegerAdd:
	case cudaAtomicOperationIntegerMin:
	case cudaAtomicOperationIntegerMax:
	case cudaAtomicOperationAnd:
	case cudaAtomicOperationOr:
	case cudaAtomicOperationXOR:
		return integers | cudaAtomicCapabilityReduction;
	case cudaAtomicOperationIntegerIncrement:
	case cudaAtomicOperationIntegerDecrement:
		return cudaAtomicCapabilityUnsigned | cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityReduction;
	case cudaAtomicOperationExchange:
	case cudaAtomicOperationCAS:
		return integers | cudaAtomicCapabilityScalar128;
	case cudaAtomicOperationFloatAdd:
		return scalars | cudaAtomicCapabilitySigned | cudaAtomicCapabilityReduction;
	case cudaAtomicOperationFloatMin:
	case cudaAtomicOperationFloatMax:
		return 0;
	}
	return 0;
}

cudaError_t cudaDeviceGetHostAtomicCapabilities(
	unsigned int *capabilities, const enum cudaAtomicOperation *operations, unsigned int count, int device) {
	if (!capabilities || !operations || count == 0)
		return s2s_note(cudaErrorInvalidValue);
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	for (unsigned int i = 0; i < count; i++) {
		if ((unsigned int)operations[i] > cudaAtomicOperationFloatMax)
			return s2s_note(cudaErrorInvalidValue);
		capabilities[i] = capabilities_of(operations[i]);
	}
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(
	enum cudaFlushGPUDirectRDMAWritesTarget target, enum cudaFlushGPUDirectRDMAWritesScope scope) {
	(void)target, (void)scope; /* no device of others writes to our memory */
	return s2s_note(cudaErrorNotSupported);
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

static struct cudaMemcpy3DParms without_devices(const struct cudaMemcpy3DPeerParms *copy) {
	return (struct cudaMemcpy3DParms){copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray, copy->dstPos,
		copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy) {
	if (!copy)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t fault = check_devices(copy->dstDevice, copy->srcDevice);
	struct cudaMemcpy3DParms all = without_devices(copy);
	return fault == cudaSuccess ? cudaMemcpy3D(&all) : fault;
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream) {
	if (!copy)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t fault = check_devices(copy->dstDevice, copy->srcDevice);
	struct cudaMemcpy3DParms all = without_devices(copy);
	return fault == cudaSuccess ? cudaMemcpy3DAsync(&all, stream) : fault;
}

/* ---- advice ---- */

/* What a program has said of managed memory, for cudaMemRangeGetAttribute. An allocation's advice is that of all of it,
 * though CUDA takes advice on single pages. */
typedef struct advice {
	const void *begin;
	bool read_mostly, by_device, by_host;
	struct cudaMemLocation preferred, prefetched; /* their type is cudaMemLocationTypeInvalid if there is none */
	struct advice *next;
} advice;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static advice *given;

/* The advice for an allocation, under the lock; null if there is no memory. */
static advice *advice_for(const void *begin) {
	advice *found = given;
	while (found && found->begin != begin)
		found = found->next;
	if (!found && (found = calloc(1, sizeof *found))) {
		found->begin = begin;
		found->next = given;
		given = found;
	}
	return found;
}

void s2s_forget_advice(const void *begin) {
	pthread_mutex_lock(&lock);
	advice **at = &given;
	while (*at && (*at)->begin != begin)
		at = &(*at)->next;
	advice *found = *at;
	if (found)
		*at = found->next;
	pthread_mutex_unlock(&lock);
	free(found);
}

/* The managed allocation in which all these bytes lie; its `begin` is null if there is none. */
static s2s_range managed_range(const void *pointer, size_t bytes) {
	s2s_range found = s2s_managed_memory_at(pointer);
	bool fits = found.begin && bytes <= found.bytes - (size_t)((const char *)pointer - (const char *)found.begin);
	return fits ? found : (s2s_range){0};
}

static cudaError_t check_location(struct cudaMemLocation location) {
	switch (location.type) {
	case cudaMemLocationTypeDevice:
		return location.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
	case cudaMemLocationTypeHost:
	case cudaMemLocationTypeHostNuma:
	case cudaMemLocationTypeHostNumaCurrent:
		return cudaSuccess;
	case cudaMemLocationTypeInvalid:
		break;
	}
	return cudaErrorInvalidValue;
}

/* Only managed memory can be moved; other memory that the system pages can be, too, where the device reads it. */
static cudaError_t check_range(const void *pointer, size_t bytes) {
	if (!pointer || bytes == 0)
		return cudaErrorInvalidValue;
	bool is_devices = s2s_device_memory_at(pointer, 1, true).begin && !s2s_managed_memory_at(pointer).begin;
	bool overruns = s2s_managed_memory_at(pointer).begin && !managed_range(pointer, bytes).begin;
	return is_devices || overruns ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t prefetch(const void *pointer, size_t bytes, struct cudaMemLocation location) {
	cudaError_t fault = check_range(pointer, bytes);
	if (fault == cudaSuccess)
		fault = check_location(location);
	s2s_range found = managed_range(pointer, bytes);
	if (fault != cudaSuccess || !found.begin)
		return fault;
	pthread_mutex_lock(&lock);
	advice *all = advice_for(found.begin);
	if (all)
		all->prefetched = location;
	pthread_mutex_unlock(&lock);
	return all ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaMemPrefetchAsync(
	const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags, cudaStream_t stream) {
	if (flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	if (s2s_captures(stream))
		return s2s_spoil_capture(stream);
	cudaError_t fault = s2s_check_stream(stream);
	return fault == cudaSuccess ? s2s_note(prefetch(pointer, bytes, location)) : fault;
}

static void follow(advice *all, enum cudaMemoryAdvise what, struct cudaMemLocation location) {
	bool *by = location.type == cudaMemLocationTypeDevice ? &all->by_device : &all->by_host;
	switch (what) {
	case cudaMemAdviseSetReadMostly:
	case cudaMemAdviseUnsetReadMostly:
		all->read_mostly = what == cudaMemAdviseSetReadMostly;
		return;
	case cudaMemAdviseSetPreferredLocation:
		all->preferred = location;
		return;
	case cudaMemAdviseUnsetPreferredLocation:
		all->preferred = (struct cudaMemLocation){cudaMemLocationTypeInvalid, 0};
		return;
	case cudaMemAdviseSetAccessedBy:
	case cudaMemAdviseUnsetAccessedBy:
		*by = what == cudaMemAdviseSetAccessedBy;
		return;
	}
}

cudaError_t cudaMemAdvise(
	const void *pointer, size_t bytes, enum cudaMemoryAdvise what, struct cudaMemLocation location) {
	if ((unsigned int)what - 1 >= cudaMemAdviseUnsetAccessedBy)
		return s2s_note(cudaErrorInvalidValue);
	bool has_location = what == cudaMemAdviseSetPreferredLocation || what >= cudaMemAdviseSetAccessedBy;
	cudaError_t fault = check_range(pointer, bytes);
	if (fault == cudaSuccess && has_location)
		fault = check_location(location);
	s2s_range found = managed_range(pointer, bytes);
	if (fault != cudaSuccess || !found.begin)
		return s2s_note(fault);
	pthread_mutex_lock(&lock);
	advice *all = advice_for(found.begin);
	if (all)
		follow(all, what, location);
	pthread_mutex_unlock(&lock);
	return s2s_note(all ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* A place as CUDA before 13 numbers it. */
static int number_of(struct cudaMemLocation location) {
	switch (location.type) {
	case cudaMemLocationTypeDevice:
		return location.id;
	case cudaMemLocationTypeInvalid:
		return cudaInvalidDeviceId;
	case cudaMemLocationTypeHost:
	case cudaMemLocationTypeHostNuma:
	case cudaMemLocationTypeHostNumaCurrent:
		break;
	}
	return cudaCpuDeviceId;
}

/* The processors with access, in a list that ends with cudaInvalidDeviceId. */
static void list_access(const advice *all, int *list, size_t count) {
	size_t used = 0;
	if (all->by_device && used < count)
		list[used++] = 0;
	if (all->by_host && used < count)
		list[used++] = cudaCpuDeviceId;
	while (used < count)
		list[used++] = cudaInvalidDeviceId;
}

cudaError_t cudaMemRangeGetAttribute(
	void *data, size_t data_bytes, enum cudaMemRangeAttribute attribute, const void *pointer, size_t bytes) {
	bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
	bool fits = is_list ? data_bytes > 0 && data_bytes % sizeof(int) == 0 : data_bytes == sizeof(int);
	s2s_range found = managed_range(pointer, bytes);
	if (!data || !fits || bytes == 0 || !found.begin)
		return s2s_note(cudaErrorInvalidValue);
	pthread_mutex_lock(&lock);
	const advice *all = advice_for(found.begin);
	const advice none = {0};
	const advice now = all ? *all : none;
	pthread_mutex_unlock(&lock);
	switch (attribute) {
	case cudaMemRangeAttributeReadMostly:
		*(int *)data = now.read_mostly;
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributePreferredLocation:
		*(int *)data = number_of(now.preferred);
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributeAccessedBy:
		list_access(&now, data, data_bytes / sizeof(int));
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributeLastPrefetchLocation:
		*(int *)data = number_of(now.prefetched);
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributePreferredLocationType:
		*(int *)data = (int)now.preferred.type;
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributePreferredLocationId:
		*(int *)data = now.preferred.id;
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributeLastPrefetchLocationType:
		*(int *)data = (int)now.prefetched.type;
		return s2s_note(cudaSuccess);
	case cudaMemRangeAttributeLastPrefetchLocationId:
		*(int *)data = now.prefetched.id;
		return s2s_note(cudaSuccess);
	}
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *data_bytes, enum cudaMemRangeAttribute *attributes,
	size_t count, const void *pointer, size_t bytes) {
	if (!data || !data_bytes || !attributes || count == 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = cudaSuccess;
	for (size_t i = 0; i < count && code == cudaSuccess; i++)
		code = cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
	return code;
}

/* ---- batches ---- */

/* Whether `firsts` divides `count` items: 0 first, then each larger than the one before. */
static bool divides(const size_t *firsts, size_t nfirsts, size_t count) {
	bool right = firsts && nfirsts > 0 && nfirsts <= count && firsts[0] == 0;
	for (size_t i = 1; right && i < nfirsts; i++)
		right = firsts[i] > firsts[i - 1] && firsts[i] < count;
	return right;
}

/* CUDA takes batches in streams that programs have made only. */
static cudaError_t begin_batch(cudaStream_t stream) {
	if (!stream || stream == cudaStreamLegacy)
		return s2s_note(cudaErrorInvalidValue);
	return s2s_captures(stream) ? s2s_spoil_capture(stream) : s2s_check_stream(stream);
}

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *bytes, size_t count, struct cudaMemLocation *locations,
	size_t *firsts, size_t nlocations, unsigned long long flags, cudaStream_t stream) {
	if (!pointers || !bytes || count == 0 || !locations || !divides(firsts, nlocations, count) || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = begin_batch(stream);
	for (size_t i = 0, at = 0; i < count && code == cudaSuccess; i++) {
		at += at + 1 < nlocations && firsts[at + 1] == i;
		code = s2s_note(prefetch(pointers[i], bytes[i], locations[at]));
	}
	return code;
}

/* What is discarded may be read as anything: it stays. */
cudaError_t cudaMemDiscardBatchAsync(
	void **pointers, size_t *bytes, size_t count, unsigned long long flags, cudaStream_t stream) {
	if (!pointers || !bytes || count == 0 || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = begin_batch(stream);
	for (size_t i = 0; i < count && code == cudaSuccess; i++)
		code =
			s2s_note(bytes[i] > 0 && managed_range(pointers[i], bytes[i]).begin ? cudaSuccess : cudaErrorInvalidValue);
	return code;
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *bytes, size_t count,
	struct cudaMemLocation *locations, size_t *firsts, size_t nlocations, unsigned long long flags,
	cudaStream_t stream) {
	cudaError_t code = cudaMemDiscardBatchAsync(pointers, bytes, count, flags, stream);
	if (code != cudaSuccess)
		return code;
	return cudaMemPrefetchBatchAsync(pointers, bytes, count, locations, firsts, nlocations, flags, stream);
}

static bool has_order(enum cudaMemcpySrcAccessOrder order) {
	return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t count,
	struct cudaMemcpyAttributes *attributes, size_t *firsts, size_t nattributes, cudaStream_t stream) {
	if (!to || !from || !bytes || count == 0 || !attributes || !divides(firsts, nattributes, count))
		return s2s_note(cudaErrorInvalidValue);
	for (size_t i = 0; i < nattributes; i++)
		if (!has_order(attributes[i].srcAccessOrder))
			return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = begin_batch(stream);
	for (size_t i = 0, at = 0; i < count && code == cudaSuccess; i++) {
		at += at + 1 < nattributes && firsts[at + 1] == i;
		bool now = attributes[at].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
		code = to[i] && from[i] && bytes[i] > 0 ? cudaSuccess : s2s_note(cudaErrorInvalidValue);
		if (code == cudaSuccess)
			code = cudaMemcpyAsync(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);
		if (now)
			s2s_wait_before(stream);
	}
	return code;
}

/* One side of a copy of a batch. Where there is no array, elements are bytes. */
static bool side_of(const struct cudaMemcpy3DOperand *operand, struct cudaExtent extent, cudaArray_t *array,
	struct cudaPos *at, struct cudaPitchedPtr *pitched) {
	if (operand->type == cudaMemcpyOperandTypeArray) {
		*array = operand->op.array.array;
		*at = make_cudaPos(operand->op.array.offset.x, operand->op.array.offset.y, operand->op.array.offset.z);
		return s2s_is_array(*array);
	}
	size_t row = operand->op.ptr.rowLength ? operand->op.ptr.rowLength : extent.width;
	size_t rows = operand->op.ptr.layerHeight ? operand->op.ptr.layerHeight : extent.height;
	*pitched = make_cudaPitchedPtr(operand->op.ptr.ptr, row, row, rows);
	return operand->type == cudaMemcpyOperandTypePointer && operand->op.ptr.ptr && row >= extent.width &&
		   rows >= extent.height;
}

cudaError_t cudaMemcpy3DBatchAsync(
	size_t count, struct cudaMemcpy3DBatchOp *copies, unsigned long long flags, cudaStream_t stream) {
	if (count == 0 || !copies || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = begin_batch(stream);
	for (size_t i = 0; i < count && code == cudaSuccess; i++) {
		const struct cudaMemcpy3DBatchOp *one = &copies[i];
		struct cudaMemcpy3DParms copy = {.extent = one->extent, .kind = cudaMemcpyDefault};
		if (!has_order(one->srcAccessOrder) ||
			!side_of(&one->dst, one->extent, &copy.dstArray, &copy.dstPos, &copy.dstPtr) ||
			!side_of(&one->src, one->extent, &copy.srcArray, &copy.srcPos, &copy.srcPtr))
			return s2s_note(cudaErrorInvalidValue);
		size_t element = copy.dstArray ? copy.dstArray->texel_bytes : copy.srcArray ? copy.srcArray->texel_bytes : 1;
		copy.dstPtr.pitch *= element;
		copy.srcPtr.pitch *= element;
		code = cudaMemcpy3DAsync(&copy, stream);
	}
	return code;
}

/* ---- other processes ---- */

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
	return s2s_note(handle && pointer ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
	(void)handle, (void)flags;
	return s2s_note(pointer ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaIpcCloseMemHandle(void *pointer) {
	(void)pointer;
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
	return s2s_note(handle && event ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
	(void)handle;
	return s2s_note(event ? cudaErrorNotSupported : cudaErrorInvalidValue);
}
