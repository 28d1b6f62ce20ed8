/* Arrays, textures and surfaces of the driver API, by the runtime's. */
#include "cudart/cuda_array.h"
#include "driver/driver.h"

#include <string.h>

/* ---- arrays ---- */

static bool format_of(struct cudaChannelFormatDesc *desc, CUarray_format format, unsigned int channels) {
	enum cudaChannelFormatKind kind;
	int bits;
	switch (format) {
	case CU_AD_FORMAT_UNSIGNED_INT8:
	case CU_AD_FORMAT_UNSIGNED_INT16:
	case CU_AD_FORMAT_UNSIGNED_INT32:
		kind = cudaChannelFormatKindUnsigned;
		bits = 8 << (format - CU_AD_FORMAT_UNSIGNED_INT8);
		break;
	case CU_AD_FORMAT_SIGNED_INT8:
	case CU_AD_FORMAT_SIGNED_INT16:
	case CU_AD_FORMAT_SIGNED_INT32:
		kind = cudaChannelFormatKindSigned;
		bits = 8 << (format - CU_AD_FORMAT_SIGNED_INT8);
		break;
	case CU_AD_FORMAT_HALF:
	case CU_AD_FORMAT_FLOAT:
		kind = cudaChannelFormatKindFloat;
		bits = format == CU_AD_FORMAT_HALF ? 16 : 32;
		break;
	default:
		return false;
	}
	if (channels != 1 && channels != 2 && channels != 4)
		return false;
	*desc =
		cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind);
	return true;
}

static CUarray_format name_of(const struct cudaChannelFormatDesc *desc) {
	int step = desc->x == 8 ? 0 : desc->x == 16 ? 1 : 2;
	if (desc->f == cudaChannelFormatKindFloat)
		return desc->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
	bool is_signed = desc->f == cudaChannelFormatKindSigned;
	return (CUarray_format)((is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8) + step);
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc) {
	struct cudaChannelFormatDesc format;
	if (!array || !desc || !format_of(&format, desc->Format, desc->NumChannels))
		return CUDA_ERROR_INVALID_VALUE;
	struct cudaExtent extent = {desc->Width, desc->Height, desc->Depth};
	return IN_CONTEXT(cudaMalloc3DArray(array, &format, extent, desc->Flags));
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc) {
	if (!desc)
		return CUDA_ERROR_INVALID_VALUE;
	const CUDA_ARRAY3D_DESCRIPTOR whole = {desc->Width, desc->Height, 0, desc->Format, desc->NumChannels, 0};
	return cuArray3DCreate(array, &whole);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array) {
	if (!desc)
		return CUDA_ERROR_INVALID_VALUE;
	if (!s2s_is_array(array))
		return CUDA_ERROR_INVALID_HANDLE;
	*desc = (CUDA_ARRAY3D_DESCRIPTOR){array->extent.width, array->extent.height, array->extent.depth,
		name_of(&array->format), (unsigned int)s2s_channels(&array->format), array->flags};
	return s2s_with_context();
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array) {
	CUDA_ARRAY3D_DESCRIPTOR whole;
	CUresult result = desc ? cuArray3DGetDescriptor(&whole, array) : CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		*desc = (CUDA_ARRAY_DESCRIPTOR){whole.Width, whole.Height, whole.Format, whole.NumChannels};
	return result;
}

CUresult cuArrayDestroy(CUarray array) {
	return array ? IN_CONTEXT(cudaFreeArray(array)) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- copies ---- */

/* One side of a copy. */
typedef struct {
	CUmemorytype type;
	void *host;
	CUdeviceptr device;
	CUarray array;
	size_t x, y, z, pitch, height;
} side;

/* Where a side is, with places in arrays in elements of `element` bytes. */
static CUresult place(const side *from, size_t element, size_t width, size_t height, cudaArray_t *array,
	struct cudaPos *at, struct cudaPitchedPtr *pitched) {
	*at = make_cudaPos(from->x, from->y, from->z);
	void *begin = from->type == CU_MEMORYTYPE_HOST ? from->host : s2s_at(from->device);
	size_t pitch = from->pitch ? from->pitch : from->x + width;
	switch (from->type) {
	case CU_MEMORYTYPE_ARRAY:
		if (!s2s_is_array(from->array))
			return CUDA_ERROR_INVALID_HANDLE;
		if (from->x % element != 0)
			return CUDA_ERROR_INVALID_VALUE;
		*array = from->array;
		at->x = from->x / element;
		return CUDA_SUCCESS;
	case CU_MEMORYTYPE_HOST:
	case CU_MEMORYTYPE_DEVICE:
	case CU_MEMORYTYPE_UNIFIED:
		*pitched = make_cudaPitchedPtr(begin, pitch, pitch, from->height ? from->height : from->y + height);
		return begin ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

static CUresult describe(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *made) {
	const side to = {copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray, copy->dstXInBytes, copy->dstY,
		copy->dstZ, copy->dstPitch, copy->dstHeight};
	const side from = {copy->srcMemoryType, (void *)copy->srcHost, copy->srcDevice, copy->srcArray, copy->srcXInBytes,
		copy->srcY, copy->srcZ, copy->srcPitch, copy->srcHeight};
	size_t element = 1;
	if (to.type == CU_MEMORYTYPE_ARRAY && s2s_is_array(to.array))
		element = to.array->texel_bytes;
	else if (from.type == CU_MEMORYTYPE_ARRAY && s2s_is_array(from.array))
		element = from.array->texel_bytes;
	*made = (struct cudaMemcpy3DParms){.kind = cudaMemcpyDefault};
	made->extent = make_cudaExtent(copy->WidthInBytes / element, copy->Height, copy->Depth);
	if (copy->WidthInBytes % element != 0 || copy->srcLOD != 0 || copy->dstLOD != 0)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result =
		place(&to, element, copy->WidthInBytes, copy->Height, &made->dstArray, &made->dstPos, &made->dstPtr);
	if (result != CUDA_SUCCESS)
		return result;
	return place(&from, element, copy->WidthInBytes, copy->Height, &made->srcArray, &made->srcPos, &made->srcPtr);
}

static CUDA_MEMCPY3D with_depth(const CUDA_MEMCPY2D *copy) {
	return (CUDA_MEMCPY3D){.srcXInBytes = copy->srcXInBytes,
		.srcY = copy->srcY,
		.srcMemoryType = copy->srcMemoryType,
		.srcHost = copy->srcHost,
		.srcDevice = copy->srcDevice,
		.srcArray = copy->srcArray,
		.srcPitch = copy->srcPitch,
		.dstXInBytes = copy->dstXInBytes,
		.dstY = copy->dstY,
		.dstMemoryType = copy->dstMemoryType,
		.dstHost = copy->dstHost,
		.dstDevice = copy->dstDevice,
		.dstArray = copy->dstArray,
		.dstPitch = copy->dstPitch,
		.WidthInBytes = copy->WidthInBytes,
		.Height = copy->Height,
		.Depth = 1};
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) {
	struct cudaMemcpy3DParms made;
	CUresult result = copy ? describe(copy, &made) : CUDA_ERROR_INVALID_VALUE;
	return result == CUDA_SUCCESS ? IN_CONTEXT(cudaMemcpy3D(&made)) : result;
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
	struct cudaMemcpy3DParms made;
	CUresult result = copy ? describe(copy, &made) : CUDA_ERROR_INVALID_VALUE;
	return result == CUDA_SUCCESS ? IN_CONTEXT(cudaMemcpy3DAsync(&made, stream)) : result;
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
	const CUDA_MEMCPY3D whole = copy ? with_depth(copy) : (CUDA_MEMCPY3D){0};
	return copy ? cuMemcpy3D(&whole) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) {
	return cuMemcpy2D(copy);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
	const CUDA_MEMCPY3D whole = copy ? with_depth(copy) : (CUDA_MEMCPY3D){0};
	return copy ? cuMemcpy3DAsync(&whole, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpyToArray(to, offset, 0, from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes) {
	return IN_CONTEXT(cudaMemcpyFromArray(to, from, offset, 0, bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpyToArray(to, offset, 0, s2s_at(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
	return IN_CONTEXT(cudaMemcpyFromArray(s2s_at(to), from, offset, 0, bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
	return IN_CONTEXT(cudaMemcpyArrayToArray(to, to_offset, 0, from, from_offset, 0, bytes, cudaMemcpyDeviceToDevice));
}

/* ---- textures and surfaces ---- */

static bool read_resource(struct cudaResourceDesc *made, const CUDA_RESOURCE_DESC *resource) {
	memset(made, 0, sizeof *made);
	made->resType = (enum cudaResourceType)resource->resType;
	switch (resource->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		made->res.array.array = resource->res.array.hArray;
		return true;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		return false;
	case CU_RESOURCE_TYPE_LINEAR:
		made->res.linear.devPtr = s2s_at(resource->res.linear.devPtr);
		made->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
		return format_of(&made->res.linear.desc, resource->res.linear.format, resource->res.linear.numChannels);
	case CU_RESOURCE_TYPE_PITCH2D:
		made->res.pitch2D.devPtr = s2s_at(resource->res.pitch2D.devPtr);
		made->res.pitch2D.width = resource->res.pitch2D.width;
		made->res.pitch2D.height = resource->res.pitch2D.height;
		made->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
		return format_of(&made->res.pitch2D.desc, resource->res.pitch2D.format, resource->res.pitch2D.numChannels);
	}
	return false;
}

/* Whether a resource has texels that are read as they are, as floats and 32-bit integers are. */
static bool is_read_as_it_is(const struct cudaResourceDesc *resource, unsigned int flags) {
	struct cudaChannelFormatDesc format = resource->res.linear.desc;
	if (resource->resType == cudaResourceTypeArray && s2s_is_array(resource->res.array.array))
		format = resource->res.array.array->format;
	else if (resource->resType == cudaResourceTypePitch2D)
		format = resource->res.pitch2D.desc;
	return flags & CU_TRSF_READ_AS_INTEGER || format.f == cudaChannelFormatKindFloat || format.x == 32;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
	const CUDA_RESOURCE_VIEW_DESC *view) {
	struct cudaResourceDesc from;
	if (!object || !resource || !texture)
		return CUDA_ERROR_INVALID_VALUE;
	if (view || resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!read_resource(&from, resource))
		return CUDA_ERROR_INVALID_VALUE;
	struct cudaTextureDesc how = {.filterMode = (enum cudaTextureFilterMode)texture->filterMode,
		.readMode = is_read_as_it_is(&from, texture->flags) ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
		.sRGB = (texture->flags & CU_TRSF_SRGB) != 0,
		.normalizedCoords = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
		.maxAnisotropy = texture->maxAnisotropy,
		.seamlessCubemap = (texture->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0};
	for (int axis = 0; axis < 3; axis++)
		how.addressMode[axis] = (enum cudaTextureAddressMode)texture->addressMode[axis];
	memcpy(how.borderColor, texture->borderColor, sizeof how.borderColor);
	return IN_CONTEXT(cudaCreateTextureObject(object, &from, &how, NULL));
}

CUresult cuTexObjectDestroy(CUtexObject object) {
	return IN_CONTEXT(cudaDestroyTextureObject(object));
}

static void write_resource(CUDA_RESOURCE_DESC *made, const struct cudaResourceDesc *resource) {
	memset(made, 0, sizeof *made);
	made->resType = (CUresourcetype)resource->resType;
	if (resource->resType == cudaResourceTypeArray) {
		made->res.array.hArray = resource->res.array.array;
	} else if (resource->resType == cudaResourceTypeLinear) {
		made->res.linear.devPtr = (uintptr_t)resource->res.linear.devPtr;
		made->res.linear.format = name_of(&resource->res.linear.desc);
		made->res.linear.numChannels = (unsigned int)s2s_channels(&resource->res.linear.desc);
		made->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
	} else {
		made->res.pitch2D.devPtr = (uintptr_t)resource->res.pitch2D.devPtr;
		made->res.pitch2D.format = name_of(&resource->res.pitch2D.desc);
		made->res.pitch2D.numChannels = (unsigned int)s2s_channels(&resource->res.pitch2D.desc);
		made->res.pitch2D.width = resource->res.pitch2D.width;
		made->res.pitch2D.height = resource->res.pitch2D.height;
		made->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
	}
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object) {
	struct cudaResourceDesc found;
	CUresult result =
		resource ? IN_CONTEXT(cudaGetTextureObjectResourceDesc(&found, object)) : CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		write_resource(resource, &found);
	return result;
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
	struct cudaResourceDesc from;
	if (!object || !resource || !read_resource(&from, resource))
		return CUDA_ERROR_INVALID_VALUE;
	return IN_CONTEXT(cudaCreateSurfaceObject(object, &from));
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
	return IN_CONTEXT(cudaDestroySurfaceObject(object));
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object) {
	struct cudaResourceDesc found;
	CUresult result =
		resource ? IN_CONTEXT(cudaGetSurfaceObjectResourceDesc(&found, object)) : CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		write_resource(resource, &found);
	return result;
}
