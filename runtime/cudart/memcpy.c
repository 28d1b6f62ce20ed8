/* Copying and filling memory: only what lies whole in memory that the device has is touched. */
#include "cudart/queue.h"
#include "device/guards.h"

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
	s2s_look_after_kernels();
	cudaError_t fault = fault_of_copy(to, from, kind);
	for (size_t row = 0; fault == cudaSuccess && row < to.height && to.width > 0; row++)
		memmove((char *)to.first + row * to.pitch, (const char *)from.first + row * from.pitch, to.width);
	return s2s_note(fault);
}

/* Memory that the system may move away: a copy of it is done when the call returns. */
static bool is_pageable(rows area) {
	return !s2s_device_memory_at(area.first, 1, true).begin;
}

/* Copy in a stream. */
static cudaError_t copy_in(cudaStream_t stream, rows to, rows from, enum cudaMemcpyKind kind) {
	if (s2s_is_plain(stream))
		return copy(to, from, kind);
	s2s_node work = {.type = cudaGraphNodeTypeMemcpy};
	work.work.copy = s2s_copy_of_rows((void *)to.first, to.pitch, from.first, from.pitch, to.width, to.height, kind);
	if (s2s_captures(stream))
		return s2s_capture_work(stream, &work);
	if (!s2s_is_stream(stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaError_t fault = s2s_fault_of_waiting(stream);
	if (fault == cudaSuccess)
		fault = fault_of_copy(to, from, kind);
	if (fault != cudaSuccess || is_nothing(to))
		return s2s_note(fault);
	bool large = to.height > S2S_SHORT_COPY || to.width * to.height > S2S_SHORT_COPY;
	if (s2s_goes_later(stream, large ? SIZE_MAX : 0) && !is_pageable(to) && !is_pageable(from))
		return s2s_queue_work(s2s_stream_of(stream), &work);
	s2s_wait_before(stream);
	return copy(to, from, kind);
}

static cudaError_t fault_of_fill(rows to) {
	if (s2s_device_fault() != cudaSuccess)
		return s2s_device_fault();
	if (is_nothing(to))
		return cudaSuccess;
	if (to.width > to.pitch)
		return cudaErrorInvalidPitchValue;
	return can_be_reached(to, true) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t fill(rows to, int value) {
	cudaError_t fault = fault_of_fill(to);
	for (size_t row = 0; fault == cudaSuccess && row < to.height && to.width > 0; row++)
		memset((char *)to.first + row * to.pitch, value, to.width);
	return s2s_note(fault);
}

/* Filling with bytes first checks whether that may be. */
cudaError_t s2s_fill_now(const struct cudaMemsetParams *params) {
	size_t width = params->width * params->elementSize;
	size_t pitch = params->height > 1 ? params->pitch : width;
	cudaError_t code = fill((rows){params->dst, pitch, width, params->height}, (int)(params->value & 0xff));
	if (params->elementSize == 1 || code != cudaSuccess)
		return code;
	for (size_t y = 0; y < params->height; y++)
		for (size_t x = 0; x < params->width; x++)
			memcpy((char *)params->dst + y * pitch + x * params->elementSize, &params->value, params->elementSize);
	return code;
}

/* Fill in a stream. */
static cudaError_t fill_in(cudaStream_t stream, rows to, int value) {
	if (s2s_is_plain(stream))
		return fill(to, value);
	s2s_node work = {.type = cudaGraphNodeTypeMemset};
	work.work.fill = (struct cudaMemsetParams){(void *)to.first, to.pitch, (unsigned int)value, 1, to.width, to.height};
	if (s2s_captures(stream))
		return s2s_capture_work(stream, &work);
	if (!s2s_is_stream(stream))
		return s2s_note(cudaErrorInvalidResourceHandle);
	cudaError_t fault = s2s_fault_of_waiting(stream);
	if (fault == cudaSuccess)
		fault = fault_of_fill(to);
	if (fault != cudaSuccess || is_nothing(to))
		return s2s_note(fault);
	bool large = to.height > S2S_SHORT_COPY || to.width * to.height > S2S_SHORT_COPY;
	if (s2s_goes_later(stream, large ? SIZE_MAX : 0))
		return s2s_queue_work(s2s_stream_of(stream), &work);
	s2s_wait_before(stream);
	return fill(to, value);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	cudaError_t fault = s2s_fault_of_waiting(NULL);
	if (fault != cudaSuccess)
		return s2s_note(fault);
	s2s_wait_before(NULL);
	s2s_flush_output();
	return copy((rows){to, bytes, bytes, 1}, (rows){from, bytes, bytes, 1}, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
	return copy_in(stream, (rows){to, bytes, bytes, 1}, (rows){from, bytes, bytes, 1}, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind) {
	cudaError_t fault = s2s_fault_of_waiting(NULL);
	if (fault != cudaSuccess)
		return s2s_note(fault);
	s2s_wait_before(NULL);
	s2s_flush_output();
	return copy((rows){to, to_pitch, width_bytes, height}, (rows){from, from_pitch, width_bytes, height}, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width_bytes,
	size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
	return copy_in(
		stream, (rows){to, to_pitch, width_bytes, height}, (rows){from, from_pitch, width_bytes, height}, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
	cudaError_t fault = s2s_fault_of_waiting(NULL);
	if (fault != cudaSuccess)
		return s2s_note(fault);
	s2s_wait_before(NULL);
	return fill((rows){to, bytes, bytes, 1}, value);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
	return fill_in(stream, (rows){to, bytes, bytes, 1}, value);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width_bytes, size_t height) {
	cudaError_t fault = s2s_fault_of_waiting(NULL);
	if (fault != cudaSuccess)
		return s2s_note(fault);
	s2s_wait_before(NULL);
	return fill((rows){to, pitch, width_bytes, height}, value);
}

cudaError_t cudaMemset2DAsync(
	void *to, size_t pitch, int value, size_t width_bytes, size_t height, cudaStream_t stream) {
	return fill_in(stream, (rows){to, pitch, width_bytes, height}, value);
}
