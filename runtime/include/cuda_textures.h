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

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
	struct cudaExtent extent = {width, height, depth};
	return extent;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
	struct cudaPos place = {x, y, z};
	return place;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize, size_t ysize) {
	struct cudaPitchedPtr pitched = {pointer, pitch, xsize, ysize};
	return pitched;
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
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
	size_t height S2S_DEFAULT(0), unsigned int flags S2S_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
	unsigned int flags S2S_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(
	struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned int *flags, cudaArray_t array);

/* Places in arrays are a byte of a row and a row. */
cudaError_t cudaMemcpyToArray(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
	enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpyFromArray(
	void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
	enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t from_pitch,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t from_pitch,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
	size_t width_bytes, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
	size_t from_y, size_t width_bytes, size_t height, enum cudaMemcpyKind kind S2S_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
	size_t from_y, size_t bytes, enum cudaMemcpyKind kind S2S_DEFAULT(cudaMemcpyDeviceToDevice));

/* Memory with three axes. */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(
	struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, cudaStream_t stream S2S_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream S2S_DEFAULT(0));

/* Texture and surface objects. Views of resources as something else are cudaErrorNotSupported. */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
	const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t object);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
	size_t *elements, const struct cudaChannelFormatDesc *format, int device);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t object);

/* References, which CUDA had before version 12. What a reference is set to counts when something is bound to it. */
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
	const struct cudaChannelFormatDesc *format, size_t bytes S2S_DEFAULT(UINT_MAX));
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *pointer,
	const struct cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(
	const struct textureReference *reference, cudaArray_const_t array, const struct cudaChannelFormatDesc *format);
cudaError_t cudaUnbindTexture(const struct textureReference *reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference);
cudaError_t cudaBindSurfaceToArray(
	const struct surfaceReference *reference, cudaArray_const_t array, const struct cudaChannelFormatDesc *format);

#ifdef __cplusplus
} /* extern "C" */

template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc() {
	return s2s_format_of_texel<T>();
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

template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const s2s_texture_reference<T, Type, Mode> &reference,
	const void *pointer, const struct cudaChannelFormatDesc &format, size_t bytes = UINT_MAX) {
	return cudaBindTexture(offset, &reference, pointer, &format, bytes);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const s2s_texture_reference<T, Type, Mode> &reference,
	const void *pointer, size_t bytes = UINT_MAX) {
	return cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, bytes);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const s2s_texture_reference<T, Type, Mode> &reference,
	const void *pointer, const struct cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch) {
	return cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const s2s_texture_reference<T, Type, Mode> &reference,
	const void *pointer, size_t width, size_t height, size_t pitch) {
	return cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height, pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const s2s_texture_reference<T, Type, Mode> &reference,
	cudaArray_const_t array, const struct cudaChannelFormatDesc &format) {
	return cudaBindTextureToArray(&reference, array, &format);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(
	const s2s_texture_reference<T, Type, Mode> &reference, cudaArray_const_t array) {
	struct cudaChannelFormatDesc format;
	cudaError_t code = cudaGetChannelDesc(&format, array);
	return code == cudaSuccess ? cudaBindTextureToArray(&reference, array, &format) : code;
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaUnbindTexture(const s2s_texture_reference<T, Type, Mode> &reference) {
	return cudaUnbindTexture(&reference);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(
	size_t *offset, const s2s_texture_reference<T, Type, Mode> &reference) {
	return cudaGetTextureAlignmentOffset(offset, &reference);
}
template <int Type>
static inline cudaError_t cudaBindSurfaceToArray(const s2s_surface_reference<void, Type> &reference,
	cudaArray_const_t array, const struct cudaChannelFormatDesc &format) {
	return cudaBindSurfaceToArray(&reference, array, &format);
}
template <int Type>
static inline cudaError_t cudaBindSurfaceToArray(
	const s2s_surface_reference<void, Type> &reference, cudaArray_const_t array) {
	struct cudaChannelFormatDesc format;
	cudaError_t code = cudaGetChannelDesc(&format, array);
	return code == cudaSuccess ? cudaBindSurfaceToArray(&reference, array, &format) : code;
}
#endif

#endif
