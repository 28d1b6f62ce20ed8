/* Memory: device memory is host memory that we keep a list of. It tells cudaFree what it is given, and copies how far
 * they may go. */
#define _GNU_SOURCE
#include "host.h"
#include "internal.h"
#include "queue.h"
#include "s2s.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NEAR_BYTES = 1 << 20 }; /* farther than this and its own size from an allocation, an address has nothing of it */

enum { ALIGNMENT = 256 }; /* CUDA's promise; at least the 64 that aligned vector loads need */

/* Generated code reaches an array's elements by 32-bit indices times at most 4 bytes. */
static const size_t MOST_BYTES = (size_t)8 << 30;

static s2s_ranges allocations = S2S_NO_RANGES;

/* Those of them that are the host's and the managed ones; and the host's own memory that programs registered. */
static s2s_ranges pinned = S2S_NO_RANGES, managed = S2S_NO_RANGES, registered = S2S_NO_RANGES;

/* ---- how much there is ---- */

static size_t physical_bytes;
static pthread_once_t physical_once = PTHREAD_ONCE_INIT;

/* The number in the first line of a file that begins with `label`, in kB if the label is not empty; SIZE_MAX if there
 * is none. */
static size_t read_size(const char *path, const char *label) {
	FILE *file = fopen(path, "r");
	char line[256];
	size_t value, found = SIZE_MAX;
	while (file && found == SIZE_MAX && fgets(line, sizeof line, file))
		if (strncmp(line, label, strlen(label)) == 0 && sscanf(line + strlen(label), "%zu", &value) == 1)
			found = *label ? value << 10 : value;
	if (file)
		fclose(file);
	return found;
}

/* The machine's memory, or what a container has of it. */
static void find_physical_bytes(void) {
	static const char *const limits[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	physical_bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		size_t limit = read_size(limits[i], "");
		physical_bytes = limit < physical_bytes ? limit : physical_bytes;
	}
}

size_t s2s_memory_bytes(void) {
	pthread_once(&physical_once, find_physical_bytes);
	return physical_bytes;
}

/* What could still be used without swapping: the system counts as used what was touched, we what was asked for. */
static size_t free_bytes_now(void) {
	size_t all = s2s_memory_bytes(), ours = s2s_ranges_bytes(&allocations);
	size_t unpromised = ours < all ? all - ours : 0;
	size_t available = read_size("/proc/meminfo", "MemAvailable:");
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

/* Kernels that jump about in large arrays spend much of their time on address translation: ask for huge pages. */
static const size_t HUGE_PAGE = (size_t)2 << 20;

/* Arrays that all begin at a page make CPUs wait: a read looks like one of what was just written to another array, if
 * their addresses have the last 12 bits in common. So each large one begins elsewhere in its first page: 2304 bytes
 * behind the one before, modulo 4096. Kernels that read one and write another are up to 3 times as fast (a stencil of
 * 1024 x 1024, Xeon). CUDA promises multiples of 256. */
static const size_t BEHIND_THE_LAST = 9 * 256, PLACES = 16;

static size_t rounded_up(size_t bytes) {
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void *allocate_large(size_t bytes) {
	static _Atomic size_t count;
	size_t offset = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) % PLACES * BEHIND_THE_LAST;
	size_t room = offset + rounded_up(bytes);
	char *memory = aligned_alloc(HUGE_PAGE, room);
	if (!memory)
		return NULL;
	madvise(memory, room, MADV_HUGEPAGE); /* a wish: without it, pages are small */
	return memory + offset;
}

static void *allocate(size_t bytes) {
	if (bytes >= HUGE_PAGE)
		return allocate_large(bytes);
	return aligned_alloc(ALIGNMENT, rounded_up(bytes));
}

static void release(void *memory, size_t bytes) {
	free(bytes >= HUGE_PAGE ? (void *)((uintptr_t)memory / HUGE_PAGE * HUGE_PAGE) : memory);
}

cudaError_t s2s_allocate_memory(void **pointer, size_t bytes) {
	if (!pointer)
		return s2s_note(cudaErrorInvalidValue);
	*pointer = NULL;
	if (bytes == 0 || s2s_device_fault() != cudaSuccess)
		return s2s_note(cudaSuccess);
	if (bytes >= MOST_BYTES || !is_there(bytes))
		return s2s_note(cudaErrorMemoryAllocation);
	void *memory = allocate(bytes);
	if (!memory || !s2s_ranges_add(&allocations, memory, bytes)) {
		release(memory, bytes);
		return s2s_note(cudaErrorMemoryAllocation);
	}
	*pointer = memory;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
	cudaError_t fault = s2s_fault_of_unsafe_call();
	return fault == cudaSuccess ? s2s_allocate_memory(pointer, bytes) : s2s_note(fault);
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

/* Allocate, and remember in `kind` what it is. */
static cudaError_t allocate_as(s2s_ranges *kind, void **pointer, size_t bytes, unsigned int flags) {
	cudaError_t code = cudaMalloc(pointer, bytes);
	if (code != cudaSuccess || !*pointer || s2s_ranges_add_with(kind, *pointer, bytes, flags))
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
	return allocate_as(&pinned, pointer, bytes, flags);
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
	return allocate_as(&managed, pointer, bytes, flags);
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

void s2s_tell_nearest(const void *address, char *text, size_t room) {
	*text = '\0';
	if (s2s_ranges_find(&allocations, address, 1).begin)
		return;
	s2s_range nearest = s2s_ranges_nearest(&allocations, address);
	if (!nearest.begin)
		return;
	size_t distance = s2s_range_distance(nearest, address);
	if (distance > nearest.bytes && distance > NEAR_BYTES)
		return;
	snprintf(text, room, ": %zu bytes %s an allocation of %zu bytes at %p", distance,
		(const char *)address < (const char *)nearest.begin ? "before" : "behind", nearest.bytes, nearest.begin);
}

cudaError_t s2s_free_memory(void *pointer) {
	if (pointer)
		s2s_finish_all(true);
	size_t bytes = pointer ? s2s_ranges_find(&allocations, pointer, 1).bytes : 0;
	if (pointer && !s2s_ranges_remove(&allocations, pointer))
		return s2s_note(cudaErrorInvalidValue);
	if (pointer && s2s_ranges_remove(&managed, pointer))
		s2s_forget_advice(pointer);
	else if (pointer && !s2s_ranges_remove(&pinned, pointer))
		s2s_leave_pool(pointer);
	release(pointer, bytes);
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
