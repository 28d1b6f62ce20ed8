/* CUDA's arrays, memory with three axes, and copies to, from and among them. */
#define _GNU_SOURCE
#include "cudart/cuda_array.h"
#include "cudart/queue.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ROW_ALIGNMENT = 64 };

static s2s_ranges arrays = S2S_NO_RANGES;

/* ---- formats ---- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
	return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

int s2s_channels(const struct cudaChannelFormatDesc *format) {
	return (format->x != 0) + (format->y != 0) + (format->z != 0) + (format->w != 0);
}

size_t s2s_texel_bytes(const struct cudaChannelFormatDesc *format) {
	int bits = format->x, channels = s2s_channels(format);
	bool known = bits == 8 || bits == 16 || bits == 32;
	bool alike = (format->y == bits || format->y == 0) && (format->z == bits || format->z == 0) &&
				 (format->w == bits || format->w == 0);
	bool in_order = channels == 4 || (channels == 2 && format->y != 0) || channels == 1;
	bool has_kind = (unsigned int)format->f <= cudaChannelFormatKindFloat;
	if (!known || !alike || !in_order || !has_kind || (format->f == cudaChannelFormatKindFloat && bits == 8))
		return 0;
	return (size_t)(bits / 8 * channels);
}

/* ---- arrays ---- */

bool s2s_is_array(cudaArray_const_t array) {
	return array && s2s_ranges_find(&arrays, array, sizeof *array).begin == array;
}

static size_t at_least_1(size_t count) {
	return count ? count : 1;
}

/* Whether there are arrays of this extent: six faces for each cube, and so on. */
static bool is_extent(struct cudaExtent extent, unsigned int flags) {
	if (extent.width == 0)
		return false;
	if (flags & cudaArrayCubemap) {
		bool faces = flags & cudaArrayLayered ? extent.depth > 0 && extent.depth % 6 == 0 : extent.depth == 6;
		return faces && extent.width == extent.height;
	}
	if (flags & cudaArrayLayered)
		return extent.depth > 0;
	return extent.depth == 0 || extent.height > 0;
}

/* The bytes of an array; false if that is too many. */
static bool lay_out(struct cudaArray *array) {
	size_t row, layer, all;
	if (__builtin_mul_overflow(array->width, array->texel_bytes, &row) || row > INT_MAX)
		return false;
	array->pitch = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
	if (__builtin_mul_overflow(array->pitch, array->height, &layer))
		return false;
	array->layer_pitch = layer;
	return !__builtin_mul_overflow(layer, array->depth, &all) && all <= INT_MAX;
}

cudaError_t cudaMalloc3DArray(
	cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned int flags) {
	unsigned int known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
	if (!array || !format || !is_extent(extent, flags) || flags & ~known)
		return s2s_note(cudaErrorInvalidValue);
	if (s2s_texel_bytes(format) == 0)
		return s2s_note(cudaErrorInvalidChannelDescriptor);
	struct cudaArray *made = malloc(sizeof *made);
	if (!made)
		return s2s_note(cudaErrorMemoryAllocation);
	*made = (struct cudaArray){.format = *format,
		.extent = extent,
		.flags = flags,
		.width = extent.width,
		.height = at_least_1(extent.height),
		.depth = at_least_1(extent.depth),
		.texel_bytes = s2s_texel_bytes(format)};
	cudaError_t code = cudaErrorMemoryAllocation;
	if (lay_out(made))
		code = cudaMalloc((void **)&made->memory, made->layer_pitch * made->depth);
	if (code == cudaSuccess && !s2s_ranges_add(&arrays, made, sizeof *made)) {
		s2s_free_memory(made->memory);
		code = cudaErrorMemoryAllocation;
	}
	if (code != cudaSuccess)
		free(made);
	else
		*array = made;
	return s2s_note(code);
}

cudaError_t cudaMallocArray(
	cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height, unsigned int flags) {
	if (flags & (cudaArrayLayered | cudaArrayCubemap))
		return s2s_note(cudaErrorInvalidValue);
	return cudaMalloc3DArray(array, format, make_cudaExtent(width, height, 0), flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
	if (!array)
		return s2s_note(cudaSuccess);
	if (!s2s_ranges_remove(&arrays, array))
		return s2s_note(cudaErrorInvalidResourceHandle);
	s2s_free_memory(array->memory);
	free(array);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(
	struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned int *flags, cudaArray_t array) {
	if (!s2s_is_array(array))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (format)
		*format = array->format;
	if (extent)
		*extent = array->extent;
	if (flags)
		*flags = array->flags;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array) {
	if (!format)
		return s2s_note(cudaErrorInvalidValue);
	return cudaArrayGetInfo(format, NULL, NULL, (cudaArray_t)array);
}

/* ---- copies ---- */

/* One side of a copy: where it begins, how far it is from a row to the next and from a layer to the next. */
typedef struct {
	char *begin;
	size_t pitch, layer_pitch;
} side;

/* The part of an array that begins at byte x of row y of layer z. False if a box of this size does not lie in it. */
static bool part_of_array(side *part, cudaArray_const_t array, struct cudaPos at, struct cudaExtent box) {
	size_t row = array->width * array->texel_bytes;
	if (at.x > row || box.width > row - at.x || at.y > array->height || box.height > array->height - at.y ||
		at.z > array->depth || box.depth > array->depth - at.z)
		return false;
	*part = (side){
		array->memory + at.x + at.y * array->pitch + at.z * array->layer_pitch, array->pitch, array->layer_pitch};
	return true;
}

static cudaError_t copy_box(side to, side from, struct cudaExtent box, enum cudaMemcpyKind kind) {
	cudaError_t code = s2s_note(cudaSuccess);
	for (size_t z = 0; z < box.depth && code == cudaSuccess; z++)
		code = cudaMemcpy2D(to.begin + z * to.layer_pitch, to.pitch, from.begin + z * from.layer_pitch, from.pitch,
			box.width, box.height, kind);
	return code;
}

/* Whether arrays are where `kind` says that the device's memory is. */
static bool fits(enum cudaMemcpyKind kind, bool array_is_target, bool array_is_source) {
	bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
	bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
	return (!array_is_target || to_device) && (!array_is_source || from_device);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t from_pitch,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind) {
	if (!s2s_is_array(to))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (!fits(kind, true, false))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	struct cudaExtent box = {width_bytes, height, 1};
	side target;
	if (!part_of_array(&target, to, make_cudaPos(x, y, 0), box))
		return s2s_note(cudaErrorInvalidValue);
	return copy_box(target, (side){(char *)from, from_pitch, 0}, box, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind) {
	if (!s2s_is_array(from))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (!fits(kind, false, true))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	struct cudaExtent box = {width_bytes, height, 1};
	side source;
	if (!part_of_array(&source, from, make_cudaPos(x, y, 0), box))
		return s2s_note(cudaErrorInvalidValue);
	return copy_box((side){to, to_pitch, 0}, source, box, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
	size_t from_y, size_t width_bytes, size_t height, enum cudaMemcpyKind kind) {
	if (!s2s_is_array(to) || !s2s_is_array(from))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (!fits(kind, true, true))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	struct cudaExtent box = {width_bytes, height, 1};
	side target, source;
	if (!part_of_array(&target, to, make_cudaPos(to_x, to_y, 0), box) ||
		!part_of_array(&source, from, make_cudaPos(from_x, from_y, 0), box))
		return s2s_note(cudaErrorInvalidValue);
	return copy_box(target, source, box, kind);
}

/* Bytes of an array from a place on, which continue from the end of a row at the begin of the next. */
typedef struct {
	cudaArray_const_t array;
	size_t row_bytes, x, y;
} run;

static run run_of(cudaArray_const_t array, size_t x, size_t y) {
	return (run){array, array->width * array->texel_bytes, x, y};
}

static bool has(run part, size_t bytes) {
	if (part.x >= part.row_bytes || part.y >= part.array->height)
		return bytes == 0;
	return bytes <= (part.array->height - part.y) * part.row_bytes - part.x;
}

/* The bytes that lie in one piece from the begin of a run on. */
static size_t in_row(run part) {
	return part.row_bytes - part.x;
}

static char *begin_of(run part) {
	return part.array->memory + part.x + part.y * part.array->pitch;
}

static void advance(run *part, size_t bytes) {
	part->x += bytes;
	if (part->x == part->row_bytes) {
		part->x = 0;
		part->y++;
	}
}

cudaError_t cudaMemcpyToArray(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	if (!s2s_is_array(to))
		return s2s_note(cudaErrorInvalidResourceHandle);
	run target = run_of(to, x, y);
	if (!fits(kind, true, false))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	if (!has(target, bytes))
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = s2s_note(cudaSuccess);
	for (const char *source = from; bytes > 0 && code == cudaSuccess;) {
		size_t now = bytes < in_row(target) ? bytes : in_row(target);
		code = cudaMemcpy(begin_of(target), source, now, kind);
		advance(&target, now);
		source += now;
		bytes -= now;
	}
	return code;
}

cudaError_t cudaMemcpyFromArray(
	void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind) {
	if (!s2s_is_array(from))
		return s2s_note(cudaErrorInvalidResourceHandle);
	run source = run_of(from, x, y);
	if (!fits(kind, false, true))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	if (!has(source, bytes))
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = s2s_note(cudaSuccess);
	for (char *target = to; bytes > 0 && code == cudaSuccess;) {
		size_t now = bytes < in_row(source) ? bytes : in_row(source);
		code = cudaMemcpy(target, begin_of(source), now, kind);
		advance(&source, now);
		target += now;
		bytes -= now;
	}
	return code;
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
	size_t from_y, size_t bytes, enum cudaMemcpyKind kind) {
	if (!s2s_is_array(to) || !s2s_is_array(from))
		return s2s_note(cudaErrorInvalidResourceHandle);
	run target = run_of(to, to_x, to_y), source = run_of(from, from_x, from_y);
	if (!fits(kind, true, true))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	if (!has(target, bytes) || !has(source, bytes))
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = s2s_note(cudaSuccess);
	while (bytes > 0 && code == cudaSuccess) {
		size_t now = in_row(target) < in_row(source) ? in_row(target) : in_row(source);
		now = bytes < now ? bytes : now;
		code = cudaMemcpy(begin_of(target), begin_of(source), now, kind);
		advance(&target, now);
		advance(&source, now);
		bytes -= now;
	}
	return code;
}

/* Wait for what comes before a copy that is done at once. */
static cudaError_t begin_now(cudaStream_t stream) {
	if (s2s_captures(stream))
		return s2s_spoil_capture(stream);
	cudaError_t fault = s2s_check_stream(stream);
	if (fault == cudaSuccess)
		s2s_wait_before(stream);
	return fault;
}

static struct cudaPitchedPtr rows_at(const void *begin, size_t pitch, size_t height) {
	return make_cudaPitchedPtr((void *)begin, pitch, pitch, height);
}

static cudaArray_t from_array(cudaArray_const_t array) {
	return (cudaArray_t)array;
}

/* Capture a copy of rows of an array, whose `at` begins at byte x of row y. */
static cudaError_t capture_rows(cudaStream_t stream, struct cudaMemcpy3DParms *copy, struct cudaPos *at,
	cudaArray_const_t array, size_t x, size_t y, size_t width_bytes, size_t height) {
	side unused;
	if (x % array->texel_bytes || width_bytes % array->texel_bytes ||
		!part_of_array(&unused, array, make_cudaPos(x, y, 0), make_cudaExtent(width_bytes, height, 1)))
		return s2s_note(cudaErrorInvalidValue);
	*at = make_cudaPos(x / array->texel_bytes, y, 0);
	copy->extent = make_cudaExtent(width_bytes / array->texel_bytes, height, 1);
	return s2s_capture_work(stream, &(s2s_node){.type = cudaGraphNodeTypeMemcpy, .work.copy = *copy});
}

cudaError_t cudaMemcpyToArrayAsync(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
	cudaError_t fault = begin_now(stream);
	if (fault != cudaSuccess)
		return fault;
	return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(
	void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
	cudaError_t fault = begin_now(stream);
	if (fault != cudaSuccess)
		return fault;
	return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t from_pitch,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
	if (s2s_captures(stream) && s2s_is_array(to)) {
		struct cudaMemcpy3DParms copy = {.dstArray = to, .srcPtr = rows_at(from, from_pitch, height), .kind = kind};
		return capture_rows(stream, &copy, &copy.dstPos, to, x, y, width_bytes, height);
	}
	cudaError_t fault = begin_now(stream);
	if (fault != cudaSuccess)
		return fault;
	return cudaMemcpy2DToArray(to, x, y, from, from_pitch, width_bytes, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
	if (s2s_captures(stream) && s2s_is_array(from)) {
		struct cudaMemcpy3DParms copy = {
			.srcArray = from_array(from), .dstPtr = rows_at(to, to_pitch, height), .kind = kind};
		return capture_rows(stream, &copy, &copy.srcPos, from, x, y, width_bytes, height);
	}
	cudaError_t fault = begin_now(stream);
	if (fault != cudaSuccess)
		return fault;
	return cudaMemcpy2DFromArray(to, to_pitch, from, x, y, width_bytes, height, kind);
}

/* ---- three axes ---- */

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
	size_t rows;
	if (!pitched)
		return s2s_note(cudaErrorInvalidValue);
	if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
		return s2s_note(cudaErrorMemoryAllocation);
	*pitched = make_cudaPitchedPtr(NULL, 0, extent.width, extent.height);
	return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, rows);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
	cudaError_t code = s2s_note(cudaSuccess);
	size_t layer = pitched.pitch * pitched.ysize;
	for (size_t z = 0; z < extent.depth && code == cudaSuccess; z++)
		code = cudaMemset2D((char *)pitched.ptr + z * layer, pitched.pitch, value, extent.width, extent.height);
	return code;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, cudaStream_t stream) {
	cudaError_t code = cudaSuccess;
	size_t layer = pitched.pitch * pitched.ysize;
	for (size_t z = 0; s2s_captures(stream) && z < extent.depth && code == cudaSuccess; z++)
		code = cudaMemset2DAsync(
			(char *)pitched.ptr + z * layer, pitched.pitch, value, extent.width, extent.height, stream);
	if (code != cudaSuccess || s2s_captures(stream))
		return code;
	cudaError_t fault = begin_now(stream);
	if (fault != cudaSuccess)
		return fault;
	return cudaMemset3D(pitched, value, extent);
}

/* One side of a copy, of which `box` counts bytes. False if it is no place that there is. */
static bool part_of(
	side *part, cudaArray_const_t array, struct cudaPitchedPtr pitched, struct cudaPos at, struct cudaExtent box) {
	if (!array == !pitched.ptr)
		return false;
	if (array) {
		at.x *= array->texel_bytes;
		return part_of_array(part, array, at, box);
	}
	size_t layer = pitched.pitch * pitched.ysize;
	*part = (side){(char *)pitched.ptr + at.x + at.y * pitched.pitch + at.z * layer, pitched.pitch, layer};
	return box.depth < 2 || at.y + box.height <= pitched.ysize;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy) {
	if (!copy)
		return s2s_note(cudaErrorInvalidValue);
	cudaArray_const_t to = copy->dstArray, from = copy->srcArray;
	if ((to && !s2s_is_array(to)) || (from && !s2s_is_array(from)))
		return s2s_note(cudaErrorInvalidResourceHandle);
	if (!fits(copy->kind, to, from))
		return s2s_note(cudaErrorInvalidMemcpyDirection);
	if (to && from && to->texel_bytes != from->texel_bytes)
		return s2s_note(cudaErrorInvalidValue);
	struct cudaExtent box = copy->extent;
	size_t element = to ? to->texel_bytes : from ? from->texel_bytes : 1;
	side target, source;
	if (__builtin_mul_overflow(box.width, element, &box.width) ||
		!part_of(&target, to, copy->dstPtr, copy->dstPos, box) ||
		!part_of(&source, from, copy->srcPtr, copy->srcPos, box))
		return s2s_note(cudaErrorInvalidValue);
	return copy_box(target, source, box, copy->kind);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream) {
	if (copy && s2s_captures(stream))
		return s2s_capture_work(stream, &(s2s_node){.type = cudaGraphNodeTypeMemcpy, .work.copy = *copy});
	cudaError_t fault = begin_now(stream);
	return fault == cudaSuccess ? cudaMemcpy3D(copy) : fault;
}
