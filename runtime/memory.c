/* Memory: device memory is host memory that we keep a list of, so that cudaFree knows what it is given. */
#define _GNU_SOURCE
#include "host.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	ALIGNMENT = 256, /* CUDA's promise; at least the 64 that aligned vector loads need */
	FIRST_ROOM = 64  /* of the list */
};

/* Generated code reaches an array's elements by 32-bit indices times at most 4 bytes. */
static const size_t MOST_BYTES = (size_t)8 << 30;

/* ---- the list: a hash table with open addressing ---- */

static struct {
	pthread_mutex_t lock;
	void **slot; /* null: free */
	size_t room; /* a power of two */
	size_t used;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t home_of(const void *pointer, size_t room) {
	return ((uintptr_t)pointer / ALIGNMENT * 0x9E3779B97F4A7C15u >> 32) & (room - 1);
}

/* The slot of `pointer`, or the free one where it would go. */
static size_t find_slot(void **slot, size_t room, const void *pointer) {
	size_t i = home_of(pointer, room);
	while (slot[i] && slot[i] != pointer)
		i = (i + 1) & (room - 1);
	return i;
}

static bool double_room(void) {
	size_t room = list.room ? 2 * list.room : FIRST_ROOM;
	void **slot = calloc(room, sizeof *slot);
	if (!slot)
		return false;
	for (size_t i = 0; i < list.room; i++)
		if (list.slot[i])
			slot[find_slot(slot, room, list.slot[i])] = list.slot[i];
	free(list.slot);
	list.slot = slot;
	list.room = room;
	return true;
}

static bool add(void *pointer) {
	pthread_mutex_lock(&list.lock);
	bool fits = 2 * list.used < list.room || double_room();
	if (fits) {
		list.slot[find_slot(list.slot, list.room, pointer)] = pointer;
		list.used++;
	}
	pthread_mutex_unlock(&list.lock);
	return fits;
}

/* Free slot i, and move up those that were put behind it because it was taken. */
static void vacate(size_t i) {
	size_t mask = list.room - 1;
	list.slot[i] = NULL;
	for (size_t j = (i + 1) & mask; list.slot[j]; j = (j + 1) & mask) {
		size_t home = home_of(list.slot[j], list.room);
		if (((j - home) & mask) >= ((j - i) & mask)) {
			list.slot[i] = list.slot[j];
			list.slot[j] = NULL;
			i = j;
		}
	}
}

/* True if `pointer` was in the list. */
static bool take_out(const void *pointer) {
	pthread_mutex_lock(&list.lock);
	size_t i = list.room ? find_slot(list.slot, list.room, pointer) : 0;
	bool found = list.room && list.slot[i] == pointer;
	if (found) {
		vacate(i);
		list.used--;
	}
	pthread_mutex_unlock(&list.lock);
	return found;
}

/* ---- allocation ---- */

/* Kernels that jump about in large arrays spend much of their time on address translation: ask for huge pages. */
static const size_t HUGE_PAGE = (size_t)2 << 20;

static void *allocate(size_t bytes) {
	size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
	size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	void *memory = aligned_alloc(alignment, room);
	if (memory && bytes >= HUGE_PAGE)
		madvise(memory, room, MADV_HUGEPAGE); /* a wish: without it, pages are small */
	return memory;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
	if (!pointer)
		return s2s_note(cudaErrorInvalidValue);
	*pointer = NULL;
	if (bytes == 0)
		return cudaSuccess;
	if (bytes >= MOST_BYTES)
		return s2s_note(cudaErrorMemoryAllocation);
	void *memory = allocate(bytes);
	if (!memory || !add(memory)) {
		free(memory);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	*pointer = memory;
	return cudaSuccess;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height) {
	size_t row, bytes;
	if (!pointer || !pitch)
		return s2s_note(cudaErrorInvalidValue);
	if (__builtin_add_overflow(width_bytes, ALIGNMENT - 1, &row))
		return s2s_note(cudaErrorMemoryAllocation);
	row = row / ALIGNMENT * ALIGNMENT;
	if (__builtin_mul_overflow(row, height, &bytes))
		return s2s_note(cudaErrorMemoryAllocation);
	*pitch = row;
	return cudaMalloc(pointer, bytes);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
	return cudaMalloc(pointer, bytes);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
	(void)flags;
	return cudaMalloc(pointer, bytes);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
	if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
		return s2s_note(cudaErrorInvalidValue);
	return cudaMalloc(pointer, bytes);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
	if (!device || !host || flags != 0)
		return s2s_note(cudaErrorInvalidValue);
	*device = host;
	return cudaSuccess;
}

cudaError_t cudaFree(void *pointer) {
	cudaError_t failed = s2s_failed_launch();
	if (!pointer)
		return s2s_note(failed);
	if (!take_out(pointer))
		return s2s_note(cudaErrorInvalidValue);
	free(pointer);
	return s2s_note(failed);
}

cudaError_t cudaFreeHost(void *pointer) {
	return cudaFree(pointer);
}

size_t s2s_memory_bytes(void) {
	return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t s2s_free_memory_bytes(void) {
	return (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
	if (!free_bytes || !total_bytes)
		return s2s_note(cudaErrorInvalidValue);
	*free_bytes = s2s_free_memory_bytes();
	*total_bytes = s2s_memory_bytes();
	return cudaSuccess;
}

/* ---- copying and filling ---- */

/* Why a copy or fill cannot be done: a launch failed before it, or its arguments are wrong. */
static cudaError_t fault_of_copy(const void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	if (s2s_failed_launch() != cudaSuccess)
		return s2s_failed_launch();
	if ((unsigned int)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	return bytes > 0 && (!to || !from) ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t fault_of_rows(size_t to_pitch, size_t from_pitch, size_t width_bytes) {
	return width_bytes > to_pitch || width_bytes > from_pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	cudaError_t fault = fault_of_copy(to, from, bytes, kind);
	if (fault == cudaSuccess && bytes > 0)
		memmove(to, from, bytes);
	return s2s_note(fault);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
	(void)stream;
	return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind) {
	cudaError_t fault = fault_of_copy(to, from, width_bytes * height, kind);
	if (fault == cudaSuccess && height > 0)
		fault = fault_of_rows(to_pitch, from_pitch, width_bytes);
	for (size_t row = 0; fault == cudaSuccess && width_bytes > 0 && row < height; row++)
		memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width_bytes);
	return s2s_note(fault);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
	(void)stream;
	return cudaMemcpy2D(to, to_pitch, from, from_pitch, width_bytes, height, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
	cudaError_t fault = fault_of_copy(to, to, bytes, cudaMemcpyDefault);
	if (fault == cudaSuccess && bytes > 0)
		memset(to, value, bytes);
	return s2s_note(fault);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
	(void)stream;
	return cudaMemset(to, value, bytes);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width_bytes, size_t height) {
	cudaError_t fault = fault_of_copy(to, to, width_bytes * height, cudaMemcpyDefault);
	if (fault == cudaSuccess && height > 0)
		fault = fault_of_rows(pitch, pitch, width_bytes);
	for (size_t row = 0; fault == cudaSuccess && width_bytes > 0 && row < height; row++)
		memset((char *)to + row * pitch, value, width_bytes);
	return s2s_note(fault);
}

cudaError_t cudaMemset2DAsync(
	void *to, size_t pitch, int value, size_t width_bytes, size_t height, cudaStream_t stream) {
	(void)stream;
	return cudaMemset2D(to, pitch, value, width_bytes, height);
}
