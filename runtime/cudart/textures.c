/* Texture and surface objects, and what is bound to references: descriptors that device code reads. */
#define _GNU_SOURCE
#include "cudart/cuda_array.h"
#include "s2s.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a handle is the address of; device code knows the first member. */
typedef struct {
	s2s_texture view;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc texture; /* not of a surface */
} object;

static s2s_ranges textures = S2S_NO_RANGES, surfaces = S2S_NO_RANGES;

/* ---- what device code reads ---- */

/* How a channel is read, as an enum s2s_channel. */
static int channel_of(const struct cudaChannelFormatDesc *format, enum cudaTextureReadMode mode, bool srgb) {
	int size = format->x == 8 ? 0 : format->x == 16 ? 1 : 2;
	if (format->f == cudaChannelFormatKindFloat)
		return size == 1 ? S2S_FLOAT_16 : S2S_FLOAT_32;
	bool is_signed = format->f == cudaChannelFormatKindSigned;
	if (mode == cudaReadModeElementType)
		return (is_signed ? S2S_SIGNED_8 : S2S_UNSIGNED_8) + size;
	if (srgb && size == 0 && !is_signed)
		return S2S_SRGB_TO_1;
	return (is_signed ? S2S_SIGNED_8_TO_1 : S2S_UNSIGNED_8_TO_1) + size;
}

static void set_format(s2s_texture *view, const struct cudaChannelFormatDesc *format) {
	view->texel_bytes = (int)s2s_texel_bytes(format);
	view->channels = s2s_channels(format);
	view->channel = channel_of(format, cudaReadModeElementType, false);
}

static void set_size(s2s_texture *view, size_t width, size_t height, size_t depth) {
	view->size[0] = (int)width;
	view->size[1] = (int)height;
	view->size[2] = (int)depth;
}

static cudaError_t view_array(s2s_texture *view, const struct cudaResourceDesc *resource) {
	cudaArray_const_t array = resource->res.array.array;
	if (!s2s_is_array(array))
		return cudaErrorInvalidValue;
	set_format(view, &array->format);
	view->data = array->memory;
	set_size(view, array->width, array->height, array->depth);
	view->row_texels = (int)(array->pitch / array->texel_bytes);
	view->layer_texels = (int)(array->layer_pitch / array->texel_bytes);
	return cudaSuccess;
}

static cudaError_t view_linear(s2s_texture *view, const struct cudaResourceDesc *resource) {
	const struct cudaChannelFormatDesc *format = &resource->res.linear.desc;
	size_t texel_bytes = s2s_texel_bytes(format), bytes = resource->res.linear.sizeInBytes;
	if (texel_bytes == 0)
		return cudaErrorInvalidChannelDescriptor;
	void *memory = resource->res.linear.devPtr;
	if (!memory || (uintptr_t)memory % texel_bytes != 0)
		return cudaErrorInvalidValue;
	if (bytes / texel_bytes * (size_t)s2s_channels(format) > INT_MAX)
		return cudaErrorInvalidValue;
	set_format(view, format);
	view->data = memory;
	set_size(view, bytes / texel_bytes, 1, 1);
	return cudaSuccess;
}

static cudaError_t view_rows(s2s_texture *view, const struct cudaResourceDesc *resource) {
	const struct cudaChannelFormatDesc *format = &resource->res.pitch2D.desc;
	size_t texel_bytes = s2s_texel_bytes(format), pitch = resource->res.pitch2D.pitchInBytes, texels;
	size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
	if (texel_bytes == 0)
		return cudaErrorInvalidChannelDescriptor;
	void *memory = resource->res.pitch2D.devPtr;
	if (!memory || (uintptr_t)memory % texel_bytes != 0 || pitch % texel_bytes != 0 || width == 0 || height == 0 ||
		width > pitch / texel_bytes)
		return cudaErrorInvalidValue;
	if (__builtin_mul_overflow(pitch / texel_bytes, height, &texels) || texels > INT_MAX / (size_t)s2s_channels(format))
		return cudaErrorInvalidValue;
	set_format(view, format);
	view->data = memory;
	set_size(view, width, height, 1);
	view->row_texels = (int)(pitch / texel_bytes);
	return cudaSuccess;
}

static cudaError_t view_resource(s2s_texture *view, const struct cudaResourceDesc *resource) {
	switch (resource->resType) {
	case cudaResourceTypeArray:
		return view_array(view, resource);
	case cudaResourceTypeLinear:
		return view_linear(view, resource);
	case cudaResourceTypePitch2D:
		return view_rows(view, resource);
	case cudaResourceTypeMipmappedArray:
		return cudaErrorNotSupported;
	}
	return cudaErrorInvalidValue;
}

static struct cudaChannelFormatDesc format_of(const struct cudaResourceDesc *resource) {
	switch (resource->resType) {
	case cudaResourceTypeLinear:
		return resource->res.linear.desc;
	case cudaResourceTypePitch2D:
		return resource->res.pitch2D.desc;
	default:
		return resource->res.array.array->format;
	}
}

/* Why texels of a format cannot be read like this. Integers as they are have nothing between them. */
static cudaError_t fault_of_reading(
	const struct cudaChannelFormatDesc *format, const struct cudaTextureDesc *texture, bool is_linear_memory) {
	bool integers = format->f != cudaChannelFormatKindFloat;
	bool as_floats = texture->readMode == cudaReadModeNormalizedFloat;
	if (integers && as_floats && format->x == 32)
		return cudaErrorInvalidNormSetting;
	if (integers && !as_floats && texture->filterMode == cudaFilterModeLinear && !is_linear_memory)
		return cudaErrorInvalidFilterSetting;
	return cudaSuccess;
}

/* What integers of these channels are divided by when they are read as floats. */
static float most_of(int channel) {
	switch (channel) {
	case S2S_SIGNED_8_TO_1:
		return INT8_MAX;
	case S2S_SIGNED_16_TO_1:
		return INT16_MAX;
	case S2S_UNSIGNED_8_TO_1:
		return UINT8_MAX;
	case S2S_UNSIGNED_16_TO_1:
		return UINT16_MAX;
	default:
		return 1;
	}
}

/* A part of a border's colour as a texel has it: integers that are read as floats have no numbers between them. */
static float as_texel(float part, int channel, float most) {
	if (most == 1)
		return part;
	float least = channel == S2S_SIGNED_8_TO_1 || channel == S2S_SIGNED_16_TO_1 ? -1 : 0;
	part = part > least ? part : least;
	part = part < 1 ? part : 1;
	return (float)((int)((double)part * most + most + 0.5) - (int)most);
}

static void set_reading(s2s_texture *view, const struct cudaTextureDesc *texture) {
	view->linear = texture->filterMode == cudaFilterModeLinear;
	view->normalized = texture->normalizedCoords != 0;
	for (int axis = 0; axis < 3; axis++) {
		enum cudaTextureAddressMode mode = texture->addressMode[axis];
		bool turns = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
		view->address[axis] = turns && !view->normalized ? cudaAddressModeClamp : mode;
	}
	for (int i = 0; i < 4; i++)
		view->border[i] = as_texel(texture->borderColor[i], view->channel, view->most);
}

static bool is_reading(const struct cudaTextureDesc *texture) {
	bool known = (unsigned int)texture->filterMode <= cudaFilterModeLinear &&
				 (unsigned int)texture->readMode <= cudaReadModeNormalizedFloat;
	for (int axis = 0; axis < 3; axis++)
		known = known && (unsigned int)texture->addressMode[axis] <= cudaAddressModeBorder;
	return known;
}

static bool is_layered_line(const struct cudaResourceDesc *resource) {
	if (resource->resType != cudaResourceTypeArray)
		return false;
	cudaArray_const_t array = resource->res.array.array;
	return array->flags & cudaArrayLayered && array->extent.height == 0;
}

static cudaError_t view_as_texture(
	s2s_texture *view, const struct cudaResourceDesc *resource, const struct cudaTextureDesc *texture) {
	if (!is_reading(texture))
		return cudaErrorInvalidValue;
	cudaError_t code = view_resource(view, resource);
	if (code != cudaSuccess)
		return code;
	struct cudaChannelFormatDesc format = format_of(resource);
	bool is_linear = resource->resType == cudaResourceTypeLinear;
	code = fault_of_reading(&format, texture, is_linear);
	view->channel = channel_of(&format, texture->readMode, texture->sRGB);
	view->most = most_of(view->channel);
	if (!is_linear) /* of which single texels are read, by their numbers */
		set_reading(view, texture);
	if (is_layered_line(resource)) /* but a line that has no layers is a row of an image */
		view->address[1] = cudaAddressModeClamp;
	return code;
}

/* ---- objects ---- */

static object *object_at(s2s_ranges *set, unsigned long long handle) {
	object *found = (object *)(uintptr_t)handle;
	return found && s2s_ranges_find(set, found, sizeof *found).begin == found ? found : NULL;
}

/* Keep an object; return 0 if there is no memory. */
static unsigned long long keep(s2s_ranges *set, const object *made) {
	object *kept = malloc(sizeof *kept);
	if (!kept)
		return 0;
	*kept = *made;
	if (s2s_ranges_add(set, kept, sizeof *kept))
		return (unsigned long long)(uintptr_t)kept;
	free(kept);
	return 0;
}

static cudaError_t destroy(s2s_ranges *set, unsigned long long handle) {
	object *found = object_at(set, handle);
	if (handle == 0)
		return s2s_note(cudaSuccess);
	if (!found || !s2s_ranges_remove(set, found))
		return s2s_note(cudaErrorInvalidValue);
	free(found);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle, const struct cudaResourceDesc *resource,
	const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view) {
	if (!handle || !resource || !texture)
		return s2s_note(cudaErrorInvalidValue);
	if (view)
		return s2s_note(cudaErrorNotSupported);
	object made = {.resource = *resource, .texture = *texture};
	cudaError_t code = view_as_texture(&made.view, resource, texture);
	if (code != cudaSuccess)
		return s2s_note(code);
	cudaTextureObject_t kept = keep(&textures, &made);
	if (!kept)
		return s2s_note(cudaErrorMemoryAllocation);
	*handle = kept;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
	return destroy(&textures, handle);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t handle) {
	const object *found = object_at(&textures, handle);
	if (!resource || !found)
		return s2s_note(cudaErrorInvalidValue);
	*resource = found->resource;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t handle) {
	const object *found = object_at(&textures, handle);
	if (!texture || !found)
		return s2s_note(cudaErrorInvalidValue);
	*texture = found->texture;
	return s2s_note(cudaSuccess);
}

/* No object has a view of its resource as something else. */
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t handle) {
	(void)view, (void)handle;
	return s2s_note(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
	size_t *elements, const struct cudaChannelFormatDesc *format, int device) {
	struct cudaDeviceProp properties;
	if (!elements || !format || s2s_texel_bytes(format) == 0)
		return s2s_note(cudaErrorInvalidValue);
	cudaError_t code = cudaGetDeviceProperties(&properties, device);
	if (code == cudaSuccess)
		*elements = (size_t)properties.maxTexture1DLinear;
	return code;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle, const struct cudaResourceDesc *resource) {
	if (!handle || !resource || resource->resType != cudaResourceTypeArray)
		return s2s_note(cudaErrorInvalidValue);
	object made = {.resource = *resource};
	cudaError_t code = view_array(&made.view, resource);
	if (code == cudaSuccess && !(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
		code = cudaErrorInvalidValue;
	if (code != cudaSuccess)
		return s2s_note(code);
	cudaSurfaceObject_t kept = keep(&surfaces, &made);
	if (!kept)
		return s2s_note(cudaErrorMemoryAllocation);
	*handle = kept;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
	return destroy(&surfaces, handle);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t handle) {
	const object *found = object_at(&surfaces, handle);
	if (!resource || !found)
		return s2s_note(cudaErrorInvalidValue);
	*resource = found->resource;
	return s2s_note(cudaSuccess);
}

/* ---- references ---- */

static bool is_variable(const void *reference, size_t bytes) {
	s2s_range found = s2s_variable_at(reference, bytes);
	return reference && found.begin == reference;
}

/* Bind a reference to a resource, read as it says. */
static cudaError_t bind(const struct textureReference *reference, const struct cudaResourceDesc *resource) {
	if (!is_variable(reference, sizeof *reference))
		return s2s_note(cudaErrorInvalidTexture);
	struct cudaTextureDesc texture = {.filterMode = reference->filterMode,
		.readMode = reference->s2s_read_mode,
		.sRGB = reference->sRGB,
		.normalizedCoords = reference->normalized};
	memcpy(texture.addressMode, reference->addressMode, sizeof texture.addressMode);
	cudaTextureObject_t made;
	cudaError_t code = cudaCreateTextureObject(&made, resource, &texture, NULL);
	if (code != cudaSuccess)
		return code;
	destroy(&textures, reference->s2s_object);
	((struct textureReference *)reference)->s2s_object = made;
	return s2s_note(cudaSuccess);
}

/* As many of the bytes as there are of an allocation from `pointer` on. */
static size_t bytes_there(const void *pointer, size_t bytes) {
	s2s_range found = s2s_device_memory_at(pointer, 1, true);
	if (!found.begin)
		return bytes;
	size_t there = found.bytes - (size_t)((const char *)pointer - (const char *)found.begin);
	return bytes < there ? bytes : there;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
	const struct cudaChannelFormatDesc *format, size_t bytes) {
	if (!format || !pointer)
		return s2s_note(cudaErrorInvalidValue);
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
	resource.res.linear.devPtr = (void *)pointer;
	resource.res.linear.desc = *format;
	resource.res.linear.sizeInBytes = bytes_there(pointer, bytes);
	cudaError_t code = bind(reference, &resource);
	if (code == cudaSuccess && offset)
		*offset = 0;
	return code;
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *pointer,
	const struct cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
	if (!format)
		return s2s_note(cudaErrorInvalidValue);
	struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D};
	resource.res.pitch2D.devPtr = (void *)pointer;
	resource.res.pitch2D.desc = *format;
	resource.res.pitch2D.width = width;
	resource.res.pitch2D.height = height;
	resource.res.pitch2D.pitchInBytes = pitch;
	cudaError_t code = bind(reference, &resource);
	if (code == cudaSuccess && offset)
		*offset = 0;
	return code;
}

static bool is_format_of(cudaArray_const_t array, const struct cudaChannelFormatDesc *format) {
	return memcmp(&array->format, format, sizeof *format) == 0;
}

cudaError_t cudaBindTextureToArray(
	const struct textureReference *reference, cudaArray_const_t array, const struct cudaChannelFormatDesc *format) {
	if (!s2s_is_array(array) || !format || !is_format_of(array, format))
		return s2s_note(cudaErrorInvalidValue);
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
	resource.res.array.array = (cudaArray_t)array;
	return bind(reference, &resource);
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference) {
	if (!is_variable(reference, sizeof *reference))
		return s2s_note(cudaErrorInvalidTexture);
	cudaError_t code = destroy(&textures, reference->s2s_object);
	((struct textureReference *)reference)->s2s_object = 0;
	return code;
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference) {
	if (!offset)
		return s2s_note(cudaErrorInvalidValue);
	if (!is_variable(reference, sizeof *reference))
		return s2s_note(cudaErrorInvalidTexture);
	if (!reference->s2s_object)
		return s2s_note(cudaErrorInvalidTextureBinding);
	*offset = 0;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaBindSurfaceToArray(
	const struct surfaceReference *reference, cudaArray_const_t array, const struct cudaChannelFormatDesc *format) {
	if (!is_variable(reference, sizeof *reference))
		return s2s_note(cudaErrorInvalidSurface);
	if (!s2s_is_array(array) || !format || !is_format_of(array, format))
		return s2s_note(cudaErrorInvalidValue);
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
	resource.res.array.array = (cudaArray_t)array;
	cudaSurfaceObject_t made;
	cudaError_t code = cudaCreateSurfaceObject(&made, &resource);
	if (code != cudaSuccess)
		return code;
	destroy(&surfaces, reference->s2s_object);
	((struct surfaceReference *)reference)->s2s_object = made;
	return s2s_note(cudaSuccess);
}
