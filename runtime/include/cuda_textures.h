/* Textures, surfaces, CUDA's arrays, and memory with three axes: the host's side. cuda_runtime.h includes this. */
#ifndef S2S_CUDA_TEXTURES_H
#define S2S_CUDA_TEXTURES_H

#include <limits.h>
#include <stddef.h>

#include "s2s_texture_types.h"

#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;

/* Elements of an array, bytes elsewhere. */
struct cudaExtent {
	size_t width, height, depth;
};
struct cudaPos {
	size_t x, y, z;
};
struct cudaPitchedPtr {
	void *ptr;
	size_t pitch;
	size_t xsize, ysize; /* bytes of a row, rows of a layer */
};
typedef struct cudaExtent cudaExtent;
typedef struct cudaPos cudaPos;
typedef struct cudaPitchedPtr cudaPitchedPtr;

static inline struct cudaExtent make_cudaExtent(size_t __width, size_t __height, size_t __depth) {
	struct cudaExtent __extent = {__width, __height, __depth};
	return __extent;
}
static inline struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z) {
	struct cudaPos __place = {__x, __y, __z};
	return __place;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(
	void *__pointer, size_t __pitch, size_t __xsize, size_t __ysize) {
	struct cudaPitchedPtr __pitched = {__pointer, __pitch, __xsize, __ysize};
	return __pitched;
}

/* Of each side either the array or the pointer is set. */
struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent; /* the width counts elements if there is an array, else bytes */
	enum cudaMemcpyKind kind;
};
typedef struct cudaMemcpy3DParms cudaMemcpy3DParms;

enum cudaResourceType {
	cudaResourceTypeArray = 0,
	cudaResourceTypeMipmappedArray = 1,
	cudaResourceTypeLinear = 2,
	cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			void *mipmap;
		} mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
	} res;
	unsigned int flags;
};
typedef struct cudaResourceDesc cudaResourceDesc;

struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy; /* from here on without effect: there is one level of detail */
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	int seamlessCubemap;
};
typedef struct cudaTextureDesc cudaTextureDesc;

enum cudaResourceViewFormat {
	cudaResViewFormatNone = 0,
	cudaResViewFormatUnsignedChar1 = 1,
	cudaResViewFormatUnsignedChar2 = 2,
	cudaResViewFormatUnsignedChar4 = 3,
	cudaResViewFormatSignedChar1 = 4,
	cudaResViewFormatSignedChar2 = 5,
	cudaResViewFormatSignedChar4 = 6,
	cudaResViewFormatUnsignedShort1 = 7,
	cudaResViewFormatUnsignedShort2 = 8,
	cudaResViewFormatUnsignedShort4 = 9,
	cudaResViewFormatSignedShort1 = 10,
	cudaResViewFormatSignedShort2 = 11,
	cudaResViewFormatSignedShort4 = 12,
	cudaResViewFormatUnsignedInt1 = 13,
	cudaResViewFormatUnsignedInt2 = 14,
	cudaResViewFormatUnsignedInt4 = 15,
	cudaResViewFormatSignedInt1 = 16,
	cudaResViewFormatSignedInt2 = 17,
	cudaResViewFormatSignedInt4 = 18,
	cudaResViewFormatHalf1 = 19,
	cudaResViewFormatHalf2 = 20,
	cudaResViewFormatHalf4 = 21,
	cudaResViewFormatFloat1 = 22,
	cudaResViewFormatFloat2 = 23,
	cudaResViewFormatFloat4 = 24,
	cudaResViewFormatUnsignedBlockCompressed1 = 25,
	cudaResViewFormatUnsignedBlockCompressed2 = 26,
	cudaResViewFormatUnsignedBlockCompressed3 = 27,
	cudaResViewFormatUnsignedBlockCompressed4 = 28,
	cudaResViewFormatSignedBlockCompressed4 = 29,
	cudaResViewFormatUnsignedBlockCompressed5 = 30,
	cudaResViewFormatSignedBlockCompressed5 = 31,
	cudaResViewFormatUnsignedBlockCompressed6H = 32,
	cudaResViewFormatSignedBlockCompressed6H = 33,
	cudaResViewFormatUnsignedBlockCompressed7 = 34
};
struct cudaResourceViewDesc {
	enum cudaResourceViewFormat format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
typedef struct cudaResourceViewDesc cudaResourceViewDesc;

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays. Their memory is the device's; a texel has 1, 2 or 4 channels of 8, 16 or 32 bits. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(
	int __x, int __y, int __z, int __w, enum cudaChannelFormatKind __kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *__format, cudaArray_const_t __array);
cudaError_t cudaMallocArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__format, size_t __width,
	size_t __height S2S_DEFAULT(0), unsigned int __flags S2S_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__format,
	struct cudaExtent __extent, unsigned int __flags S2S_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t __array);
cudaError_t cudaArrayGetInfo(
	struct cudaChannelFormatDesc *__format, struct cudaExtent *__extent, unsigned int *__flags, cudaArray_t __array);

/* Places in arrays are a byte of a row and a row. */
cudaError_t cudaMemcpyToArray(
	cudaArray_t __to, size_t __x, size_t __y, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t __to, size_t __x, size_t __y, const void *__from, size_t __bytes,
	enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpyFromArray(
	void *__to, cudaArray_const_t __from, size_t __x, size_t __y, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyFromArrayAsync(void *__to, cudaArray_const_t __from, size_t __x, size_t __y, size_t __bytes,
	enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t __to, size_t __x, size_t __y, const void *__from, size_t __from_pitch,
	size_t __width_bytes, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t __to, size_t __x, size_t __y, const void *__from, size_t __from_pitch,
	size_t __width_bytes, size_t __height, enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *__to, size_t __to_pitch, cudaArray_const_t __from, size_t __x, size_t __y,
	size_t __width_bytes, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *__to, size_t __to_pitch, cudaArray_const_t __from, size_t __x, size_t __y,
	size_t __width_bytes, size_t __height, enum cudaMemcpyKind __kind, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t __to, size_t __to_x, size_t __to_y, cudaArray_const_t __from,
	size_t __from_x, size_t __from_y, size_t __width_bytes, size_t __height,
	enum cudaMemcpyKind __kind S2S_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyArrayToArray(cudaArray_t __to, size_t __to_x, size_t __to_y, cudaArray_const_t __from,
	size_t __from_x, size_t __from_y, size_t __bytes, enum cudaMemcpyKind __kind S2S_DEFAULT(cudaMemcpyDeviceToDevice));

/* Memory with three axes. */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *__pitched, struct cudaExtent __extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr __pitched, int __value, struct cudaExtent __extent);
cudaError_t cudaMemset3DAsync(
	struct cudaPitchedPtr __pitched, int __value, struct cudaExtent __extent, cudaStream_t __stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *__copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *__copy, cudaStream_t __stream S2S_DEFAULT(0));

/* Texture and surface objects. Views of resources as something else are cudaErrorNotSupported. */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *__object, const struct cudaResourceDesc *__resource,
	const struct cudaTextureDesc *__texture, const struct cudaResourceViewDesc *__view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t __object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *__resource, cudaTextureObject_t __object);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *__view, cudaTextureObject_t __object);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
	size_t *__elements, const struct cudaChannelFormatDesc *__format, int __device);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *__texture, cudaTextureObject_t __object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *__object, const struct cudaResourceDesc *__resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t __object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *__resource, cudaSurfaceObject_t __object);

/* References, which CUDA had before version 12. What a reference is set to counts when something is bound to it. */
cudaError_t cudaBindTexture(size_t *__offset, const struct textureReference *__reference, const void *__pointer,
	const struct cudaChannelFormatDesc *__format, size_t __bytes S2S_DEFAULT(UINT_MAX));
cudaError_t cudaBindTexture2D(size_t *__offset, const struct textureReference *__reference, const void *__pointer,
	const struct cudaChannelFormatDesc *__format, size_t __width, size_t __height, size_t __pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *__reference, cudaArray_const_t __array,
	const struct cudaChannelFormatDesc *__format);
cudaError_t cudaUnbindTexture(const struct textureReference *__reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t *__offset, const struct textureReference *__reference);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *__reference, cudaArray_const_t __array,
	const struct cudaChannelFormatDesc *__format);

#ifdef __cplusplus
} /* extern "C" */

template <class __T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc() {
	return s2s_format_of_texel<__T>();
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf() {
	return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
	return cudaCreateChannelDescHalf();
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
	return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
	return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaBindTexture(size_t *__offset,
	const s2s_texture_reference<__T, __Type, __Mode> &__reference, const void *__pointer,
	const struct cudaChannelFormatDesc &__format, size_t __bytes = UINT_MAX) {
	return cudaBindTexture(__offset, &__reference, __pointer, &__format, __bytes);
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaBindTexture(size_t *__offset,
	const s2s_texture_reference<__T, __Type, __Mode> &__reference, const void *__pointer, size_t __bytes = UINT_MAX) {
	return cudaBindTexture(__offset, &__reference, __pointer, &__reference.channelDesc, __bytes);
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaBindTexture2D(size_t *__offset,
	const s2s_texture_reference<__T, __Type, __Mode> &__reference, const void *__pointer,
	const struct cudaChannelFormatDesc &__format, size_t __width, size_t __height, size_t __pitch) {
	return cudaBindTexture2D(__offset, &__reference, __pointer, &__format, __width, __height, __pitch);
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaBindTexture2D(size_t *__offset,
	const s2s_texture_reference<__T, __Type, __Mode> &__reference, const void *__pointer, size_t __width,
	size_t __height, size_t __pitch) {
	return cudaBindTexture2D(__offset, &__reference, __pointer, &__reference.channelDesc, __width, __height, __pitch);
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaBindTextureToArray(const s2s_texture_reference<__T, __Type, __Mode> &__reference,
	cudaArray_const_t __array, const struct cudaChannelFormatDesc &__format) {
	return cudaBindTextureToArray(&__reference, __array, &__format);
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaBindTextureToArray(
	const s2s_texture_reference<__T, __Type, __Mode> &__reference, cudaArray_const_t __array) {
	struct cudaChannelFormatDesc __format;
	cudaError_t __code = cudaGetChannelDesc(&__format, __array);
	return __code == cudaSuccess ? cudaBindTextureToArray(&__reference, __array, &__format) : __code;
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaUnbindTexture(const s2s_texture_reference<__T, __Type, __Mode> &__reference) {
	return cudaUnbindTexture(&__reference);
}
template <class __T, int __Type, cudaTextureReadMode __Mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(
	size_t *__offset, const s2s_texture_reference<__T, __Type, __Mode> &__reference) {
	return cudaGetTextureAlignmentOffset(__offset, &__reference);
}
template <int __Type>
static inline cudaError_t cudaBindSurfaceToArray(const s2s_surface_reference<void, __Type> &__reference,
	cudaArray_const_t __array, const struct cudaChannelFormatDesc &__format) {
	return cudaBindSurfaceToArray(&__reference, __array, &__format);
}
template <int __Type>
static inline cudaError_t cudaBindSurfaceToArray(
	const s2s_surface_reference<void, __Type> &__reference, cudaArray_const_t __array) {
	struct cudaChannelFormatDesc __format;
	cudaError_t __code = cudaGetChannelDesc(&__format, __array);
	return __code == cudaSuccess ? cudaBindSurfaceToArray(&__reference, __array, &__format) : __code;
}
#endif

#endif
