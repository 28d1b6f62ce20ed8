/* The driver API: what a CPU has not. Parts of a device with contexts of their own, and copies that a unit of the
 * device makes of tiles: CUDA_ERROR_NOT_SUPPORTED, where the arguments are valid. */
#include "driver/driver.h"

static CUresult absent(bool is_valid) {
	return is_valid ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource, CUdevResourceType type) {
	(void)context;
	return cuDeviceGetDevResource(0, resource, type);
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *description, CUdevResource *resources, unsigned int count) {
	return absent(description && resources && count > 0);
}

CUresult cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc description, CUdevice device, unsigned int flags) {
	(void)device;
	return absent(context && description && (flags & CU_GREEN_CTX_DEFAULT_STREAM));
}

CUresult cuGreenCtxDestroy(CUgreenCtx context) {
	return absent(context);
}

CUresult cuGreenCtxGetId(CUgreenCtx context, unsigned long long *id) {
	return absent(context && id);
}

CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx context, unsigned int flags, int priority) {
	(void)priority;
	return absent(stream && context && (flags & CU_STREAM_NON_BLOCKING));
}

CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green) {
	return absent(context && green);
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
	const cuuint64_t *extents, const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *element_strides,
	CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
	CUtensorMapFloatOOBfill fill) {
	(void)type, (void)strides, (void)interleave, (void)swizzle, (void)promotion, (void)fill;
	return absent(map && address && extents && box && element_strides && rank >= 1 && rank <= 5);
}
