/* Copying and filling memory: only what lies whole in memory that the device has is touched. */
#include "graph.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Rows of `width` bytes, each `pitch` bytes after the one before. */
typedef struct {
	const void *first;
	size_t pitch, width, height;
} rows;

/* The bytes from the begin of the first row to the end of the last; false if that is more than there are addresses. */
static bool extent_of(rows area, size_t *bytes) {
	return !__builtin_mul_overflow(area.pitch, area.height - 1, bytes) &&
		   !__builtin_add_overflow(*bytes, area.width, bytes) && (uintptr_t)area.first <= UINTPTR_MAX - *bytes;
}

/* Whether a copy may go there. What meets an allocation must lie in it; what is on no list is the host's own memory. */
static bool can_be_reached(rows area, bool on_device) {
	size_t bytes;
	if (!area.first || !extent_of(area, &bytes))
		return false;
	s2s_range found = s2s_device_memory_at(area.first, bytes, on_device);
	if (!found.begin)
		return !on_device;
	const char *begin = area.first, *allocated = found.begin;
	return begin >= allocated && bytes <= found.bytes - (size_t)(begin - allocated);
}

static bool is_nothing(rows area) {
	return area.width == 0 || area.height == 0;
}

/* Why a copy cannot be done: a kernel failed before it, or its arguments are wrong. */
static cudaError_t fault_of_copy(rows to, rows from, enum cudaMemcpyKind kind) {
	if (s2s_device_fault() != cudaSuccess)
		return s2s_device_fault();
	if ((unsigned int)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (is_nothing(to))
		return cudaSuccess;
	if (to.width > to.pitch || from.width > from.pitch)
		return cudaErrorInvalidPitchValue;
	bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
	bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
	return can_be_reached(to, to_device) && can_be_reached(from, from_device) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t copy(rows to, rows from, enum cudaMemcpyKind kind) {
	cudaError_t fault = fault_of_copy(to, from, kind);
	for (size_t row = 0; fault == cudaSuccess && row < to.height && to.width > 0; row++)
		memmove((char *)to.first + row * to.pitch, (const char *)from.first + row * from.pitch, to.width);
	return s2s_note(fault);
}

static cudaError_t fill(rows to, int value) {
	cudaError_t fault = s2s_device_fault();
	if (fault == cudaSuccess && !is_nothing(to)) {
		if (to.width > to.pitch)
			fault = cudaErrorInvalidPitchValue;
		else if (!can_be_reached(to, true))
			fault = cudaErrorInvalidValue;
	}
	for (size_t row = 0; fault == cudaSuccess && row < to.height && to.width > 0; row++)
		memset((char *)to.first + row * to.pitch, value, to.width);
	return s2s_note(fault);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	s2s_flush_output();
	return copy((rows){to, bytes, bytes, 1}, (rows){from, bytes, bytes, 1}, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
	if (s2s_captures(stream)) {
		struct cudaMemcpy3DParms node = s2s_copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
		return s2s_capture_copy(stream, &node);
	}
	return copy((rows){to, bytes, bytes, 1}, (rows){from, bytes, bytes, 1}, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind) {
	s2s_flush_output();
	return copy((rows){to, to_pitch, width_bytes, height}, (rows){from, from_pitch, width_bytes, height}, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
	if (s2s_captures(stream)) {
		struct cudaMemcpy3DParms node = s2s_copy_of_rows(to, to_pitch, from, from_pitch, width_bytes, height, kind);
		return s2s_capture_copy(stream, &node);
	}
	return cudaMemcpy2D(to, to_pitch, from, from_pitch, width_bytes, height, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
	return fill((rows){to, bytes, bytes, 1}, value);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
	if (s2s_captures(stream))
		return s2s_capture_fill(stream, &(struct cudaMemsetParams){to, bytes, (unsigned int)value, 1, bytes, 1});
	return cudaMemset(to, value, bytes);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width_bytes, size_t height) {
	return fill((rows){to, pitch, width_bytes, height}, value);
}

cudaError_t cudaMemset2DAsync(
	void *to, size_t pitch, int value, size_t width_bytes, size_t height, cudaStream_t stream) {
	if (s2s_captures(stream))
		return s2s_capture_fill(
			stream, &(struct cudaMemsetParams){to, pitch, (unsigned int)value, 1, width_bytes, height});
	return cudaMemset2D(to, pitch, value, width_bytes, height);
}
