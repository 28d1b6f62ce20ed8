/* Memory: a list of the device memory that programs have, whose places guards.c finds. By it cudaFree knows what it is
 * given, and copies how far they may go. */
#define _GNU_SOURCE
#include "base/base.h"
#include "cudart/cudart.h"
#include "cudart/queue.h"
#include "device/guards.h"
#include "s2s.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROW_ALIGNMENT = 256 };

/* Generated code reaches an array's elements by 32-bit indices times at most 4 bytes. */
static const size_t MOST_BYTES = (size_t)8 << 30;

static s2s_ranges allocations = S2S_NO_RANGES;

/* Those of them that are the host's and the managed ones; and the host's own memory that programs registered. */
static s2s_ranges pinned = S2S_NO_RANGES, managed = S2S_NO_RANGES, registered = S2S_NO_RANGES;

/* ---- how much there is ---- */

/* What could still be used without swapping: the system counts as used what was touched, we what was asked for. */
static size_t free_bytes_now(void) {
	size_t all = s2s_memory_bytes(), ours = s2s_ranges_bytes(&allocations);
	size_t unpromised = ours < all ? all - ours : 0;
	size_t available = s2s_read_size("/proc/meminfo", "MemAvailable:");
	return available < unpromised ? available : unpromised;
}

/* The system promises more than it has, and kills the process that takes it at its word. Looking takes some 30 us: that
 * is done once for so many bytes. */
static bool is_there(size_t bytes) {
	static const size_t STEP = (size_t)16 << 20;
	size_t ours = s2s_ranges_bytes(&allocations);
	return ours / STEP == (ours + bytes) / STEP || bytes <= free_bytes_now();
}

/* ---- allocation ---- */

static cudaError_t allocate(void **pointer, size_t bytes, s2s_memory_kind kind) {
	if (!pointer)
		return s2s_note(cudaErrorInvalidValue);
	*pointer = NULL;
	if (bytes == 0 || s2s_device_fault() != cudaSuccess)
		return s2s_note(cudaSuccess);
	if (bytes >= MOST_BYTES || !is_there(bytes))
		return s2s_note(cudaErrorMemoryAllocation);
	s2s_slot *slot = s2s_take_slot(bytes, kind);
	if (!slot)
		return s2s_note(cudaErrorMemoryAllocation);
	void *memory = s2s_slot_begin(slot);
	if (!s2s_ranges_add_of(&allocations, memory, bytes, slot)) {
		s2s_give_slot(slot);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	*pointer = memory;
	return s2s_note(cudaSuccess);
}

cudaError_t s2s_allocate_memory(void **pointer, size_t bytes) {
	return allocate(pointer, bytes, S2S_OF_KERNELS);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
	cudaError_t fault = s2s_fault_of_unsafe_call();
	return fault == cudaSuccess ? s2s_allocate_memory(pointer, bytes) : s2s_note(fault);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height) {
	size_t row, bytes;
	if (!pointer || !pitch)
		return s2s_note(cudaErrorInvalidValue);
	if (__builtin_add_overflow(width_bytes, ROW_ALIGNMENT - 1, &row))
		return s2s_note(cudaErrorMemoryAllocation);
	row = row / ROW_ALIGNMENT * ROW_ALIGNMENT;
	if (__builtin_mul_overflow(row, height, &bytes))
		return s2s_note(cudaErrorMemoryAllocation);
	*pitch = row;
	return cudaMalloc(pointer, bytes);
}

/* Allocate, and remember in `set` that it is of this kind. */
static cudaError_t allocate_as(
	s2s_memory_kind kind, s2s_ranges *set, void **pointer, size_t bytes, unsigned int flags) {
	cudaError_t fault = s2s_fault_of_unsafe_call();
	if (fault != cudaSuccess)
		return s2s_note(fault);
	cudaError_t code = allocate(pointer, bytes, kind);
	if (code != cudaSuccess || !*pointer || s2s_ranges_add_with(set, *pointer, bytes, flags))
		return code;
	s2s_free_memory(*pointer);
	*pointer = NULL;
	return s2s_note(cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
	return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
	if (flags & ~(unsigned int)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
		return s2s_note(cudaErrorInvalidValue);
	return allocate_as(S2S_PINNED, &pinned, pointer, bytes, flags);
}

/* All of the host's memory that the device can use is mapped, for all threads. */
cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer) {
	s2s_range found = s2s_ranges_find(&pinned, pointer, 1);
	if (!found.begin)
		found = s2s_ranges_find(&registered, pointer, 1);
	if (!flags || !found.begin)
		return s2s_note(cudaErrorInvalidValue);
	*flags = found.flags | cudaHostAllocPortable | cudaHostAllocMapped;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
	if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
		return s2s_note(cudaErrorInvalidValue);
	return allocate_as(S2S_MANAGED, &managed, pointer, bytes, flags);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
	const unsigned int known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
	if (flags & cudaHostRegisterIoMemory)
		return s2s_note(cudaErrorNotSupported);
	if (!pointer || bytes == 0 || (uintptr_t)pointer > UINTPTR_MAX - bytes || flags & ~known)
		return s2s_note(cudaErrorInvalidValue);
	if (s2s_ranges_find(&registered, pointer, bytes).begin || s2s_ranges_find(&pinned, pointer, bytes).begin)
		return s2s_note(cudaErrorHostMemoryAlreadyRegistered);
	return s2s_note(
		s2s_ranges_add_with(&registered, pointer, bytes, flags & 3u) ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *pointer) {
	s2s_finish_all(true);
	return s2s_note(s2s_ranges_remove(&registered, pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
	if (!device || !host || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	*device = host;
	return s2s_note(cudaSuccess);
}

cudaError_t s2s_free_memory(void *pointer) {
	if (!pointer)
		return s2s_note(cudaSuccess);
	s2s_finish_all(true);
	s2s_slot *slot = s2s_ranges_take(&allocations, pointer).owner;
	if (!slot)
		return s2s_note(cudaErrorInvalidValue);
	switch (s2s_slot_kind(slot)) {
	case S2S_MANAGED:
		s2s_ranges_remove(&managed, pointer);
		s2s_forget_advice(pointer);
		break;
	case S2S_PINNED:
		s2s_ranges_remove(&pinned, pointer);
		break;
	case S2S_OF_KERNELS:
	case S2S_HEAP:
		s2s_leave_pool(pointer);
	}
	s2s_give_slot(slot);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaFree(void *pointer) {
	cudaError_t fault = pointer ? s2s_fault_of_unsafe_call() : cudaSuccess;
	return fault == cudaSuccess ? s2s_free_memory(pointer) : s2s_note(fault);
}

cudaError_t cudaFreeHost(void *pointer) {
	return cudaFree(pointer);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
	if (!free_bytes || !total_bytes)
		return s2s_note(cudaErrorInvalidValue);
	*free_bytes = free_bytes_now();
	*total_bytes = s2s_memory_bytes();
	return s2s_note(cudaSuccess);
}

/* ---- what a pointer is ---- */

static enum cudaMemoryType type_of(const void *pointer) {
	if (s2s_ranges_find(&managed, pointer, 1).begin)
		return cudaMemoryTypeManaged;
	if (s2s_ranges_find(&pinned, pointer, 1).begin || s2s_ranges_find(&registered, pointer, 1).begin)
		return cudaMemoryTypeHost;
	bool on_device = s2s_ranges_find(&allocations, pointer, 1).begin || s2s_variable_at(pointer, 1).begin;
	return on_device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
	if (!attributes || !pointer)
		return s2s_note(cudaErrorInvalidValue);
	enum cudaMemoryType type = type_of(pointer);
	bool for_host = type == cudaMemoryTypeHost || type == cudaMemoryTypeManaged;
	*attributes = (struct cudaPointerAttributes){
		.type = type,
		.device = type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : 0,
		.devicePointer = type == cudaMemoryTypeUnregistered ? NULL : (void *)pointer,
		.hostPointer = for_host || type == cudaMemoryTypeUnregistered ? (void *)pointer : NULL,
	};
	return s2s_note(cudaSuccess);
}

s2s_range s2s_managed_memory_at(const void *pointer) {
	return s2s_ranges_find(&managed, pointer, 1);
}

s2s_range s2s_device_memory_at(const void *begin, size_t bytes, bool on_device) {
	s2s_range found = s2s_ranges_find(&allocations, begin, bytes);
	if (!found.begin)
		found = s2s_variable_at(begin, bytes);
	if (!found.begin && on_device)
		found = s2s_ranges_find(&registered, begin, bytes);
	return found;
}
