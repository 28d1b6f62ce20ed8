/* CUDA's driver API, by the runtime's functions. */
#define _GNU_SOURCE
#include "driver/driver.h"
#include "base/base.h"
#include "exec/object.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUctx_st {
	unsigned int flags;
};

/* The contexts that a thread has pushed, the current one first. */
typedef struct pushed {
	CUcontext context;
	struct pushed *below;
} pushed;

static atomic_bool initialized;
static struct CUctx_st primary;
static _Thread_local pushed *current;
static s2s_ranges contexts = S2S_NO_RANGES, modules = S2S_NO_RANGES;

/* The numbers are the runtime's, but for those of errors that only it has. */
CUresult s2s_result_of(cudaError_t code) {
	switch (code) {
	case cudaErrorInvalidConfiguration:
	case cudaErrorInvalidPitchValue:
	case cudaErrorInvalidSymbol:
	case cudaErrorInvalidHostPointer:
	case cudaErrorInvalidDevicePointer:
	case cudaErrorInvalidMemcpyDirection:
		return CUDA_ERROR_INVALID_VALUE;
	case cudaErrorInvalidDeviceFunction:
		return CUDA_ERROR_INVALID_HANDLE;
	default:
		return (CUresult)code;
	}
}

CUresult s2s_with_device(CUdevice device) {
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult s2s_with_context(void) {
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	return current && current->context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- the device ---- */

CUresult cuInit(unsigned int flags) {
	if (flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	atomic_store(&initialized, true);
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
	return s2s_result_of(cudaDriverGetVersion(version));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
	if (device && s2s_with_device(ordinal) == CUDA_SUCCESS)
		*device = ordinal;
	return device ? s2s_with_device(ordinal) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count) {
	return s2s_with_device(0) != CUDA_SUCCESS ? s2s_with_device(0) : s2s_result_of(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
	if (s2s_with_device(device) != CUDA_SUCCESS)
		return s2s_with_device(device);
	struct cudaDeviceProp properties;
	cudaError_t code = cudaGetDeviceProperties(&properties, device);
	if (!name || bytes <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, (size_t)bytes, "%s", code == cudaSuccess ? properties.name : "");
	return s2s_result_of(code);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = s2s_memory_bytes();
	return s2s_with_device(device);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
	if (s2s_with_device(device) != CUDA_SUCCESS)
		return s2s_with_device(device);
	return s2s_result_of(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
	CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
	if (result != CUDA_SUCCESS)
		return result;
	return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

/* ---- contexts ---- */

static bool is_context(CUcontext context) {
	return context == &primary || (context && s2s_ranges_find(&contexts, context, sizeof *context).begin == context);
}

CUresult cuCtxPushCurrent(CUcontext context) {
	if (!is_context(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	pushed *made = malloc(sizeof *made);
	if (!made)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*made = (pushed){context, current};
	current = made;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
	pushed *top = current;
	if (!top)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (context)
		*context = top->context;
	current = top->below;
	free(top);
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = current ? current->context : NULL;
	return atomic_load(&initialized) ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuCtxSetCurrent(CUcontext context) {
	if (context && !is_context(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (current)
		cuCtxPopCurrent(NULL);
	return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

CUresult s2s_create_context(CUcontext *context, unsigned int flags, CUdevice device) {
	if (s2s_with_device(device) != CUDA_SUCCESS)
		return s2s_with_device(device);
	CUcontext made = context ? calloc(1, sizeof *made) : NULL;
	if (!made || !s2s_ranges_add(&contexts, made, sizeof *made)) {
		free(made);
		return context ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
	}
	made->flags = flags;
	*context = made;
	return cuCtxPushCurrent(made);
}

CUresult cuCtxDestroy(CUcontext context) {
	if (!context || context == &primary || !s2s_ranges_remove(&contexts, context))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (current && current->context == context)
		cuCtxPopCurrent(NULL);
	free(context);
	s2s_flush_output();
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = &primary;
	return s2s_with_device(device);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
	return s2s_with_device(device);
}

CUresult cuCtxGetDevice(CUdevice *device) {
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	*device = 0;
	return s2s_with_context();
}

CUresult cuCtxSynchronize(void) {
	return IN_CONTEXT(cudaDeviceSynchronize());
}

/* ---- errors ---- */

CUresult cuGetErrorString(CUresult error, const char **text) {
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	switch (error) {
	case CUDA_ERROR_INVALID_CONTEXT:
		*text = "invalid device context";
		return CUDA_SUCCESS;
	case CUDA_ERROR_INVALID_PTX:
		*text = "a PTX JIT compilation failed";
		return CUDA_SUCCESS;
	case CUDA_ERROR_FILE_NOT_FOUND:
		*text = "file not found";
		return CUDA_SUCCESS;
	default:
		*text = s2s_error_text((int)error);
		return CUDA_SUCCESS;
	}
}

CUresult cuGetErrorName(CUresult error, const char **name) {
	static const struct {
		CUresult code;
		const char *name;
	} names[] = {
#define NAME(code) {code, #code}
		NAME(CUDA_SUCCESS), NAME(CUDA_ERROR_INVALID_VALUE), NAME(CUDA_ERROR_OUT_OF_MEMORY),
		NAME(CUDA_ERROR_NOT_INITIALIZED), NAME(CUDA_ERROR_DEINITIALIZED), NAME(CUDA_ERROR_NO_DEVICE),
		NAME(CUDA_ERROR_INVALID_DEVICE), NAME(CUDA_ERROR_INVALID_IMAGE), NAME(CUDA_ERROR_INVALID_CONTEXT),
		NAME(CUDA_ERROR_NO_BINARY_FOR_GPU), NAME(CUDA_ERROR_UNSUPPORTED_LIMIT),
		NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED), NAME(CUDA_ERROR_INVALID_PTX), NAME(CUDA_ERROR_INVALID_SOURCE),
		NAME(CUDA_ERROR_FILE_NOT_FOUND), NAME(CUDA_ERROR_OPERATING_SYSTEM), NAME(CUDA_ERROR_INVALID_HANDLE),
		NAME(CUDA_ERROR_NOT_FOUND), NAME(CUDA_ERROR_NOT_READY), NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
		NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES), NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
		NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED), NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
		NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED), NAME(CUDA_ERROR_ASSERT), NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
		NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED), NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
		NAME(CUDA_ERROR_MISALIGNED_ADDRESS), NAME(CUDA_ERROR_LAUNCH_FAILED),
		NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE), NAME(CUDA_ERROR_NOT_PERMITTED), NAME(CUDA_ERROR_NOT_SUPPORTED),
		NAME(CUDA_ERROR_UNKNOWN)};
#undef NAME
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].code == error)
			*name = names[i].name;
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- modules ---- */

static bool is_module(CUmodule module) {
	bool is_loaded = module && s2s_ranges_find(&modules, module, sizeof *module).begin == module;
	return is_loaded || s2s_module_of((CUlibrary)module);
}

static bool is_function(CUfunction function) {
	return s2s_kernel_of_handle(function) != NULL;
}

/* Why an image is none of ours: PTX and machine code for GPUs mean nothing here. */
static CUresult fault_of_image(const char *image, const char *why) {
	fprintf(stderr, "simt2simd: cannot load a module: %s\n", why);
	return strncmp(image, "//", 2) == 0 || strstr(image, ".version") == image ? CUDA_ERROR_INVALID_PTX
																			  : CUDA_ERROR_INVALID_IMAGE;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
	if (s2s_with_context() != CUDA_SUCCESS)
		return s2s_with_context();
	if (!module || !image)
		return CUDA_ERROR_INVALID_VALUE;
	char why[S2S_WHY_BYTES];
	s2s_module *code = s2s_load_module(image, why);
	if (!code)
		return fault_of_image(image, why);
	CUmodule made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&modules, made, sizeof *made)) {
		s2s_unload_module(code);
		free(made);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	made->code = code;
	*module = made;
	return CUDA_SUCCESS;
}

/* There is nothing to compile when an image is loaded: logs stay empty, and the other options have no meaning. */
CUresult cuModuleLoadDataEx(
	CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values) {
	for (unsigned int i = 0; i < count; i++) {
		bool is_log = options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER;
		if (is_log && values[i])
			*(char *)values[i] = 0;
	}
	return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	char *image = s2s_read_image(path);
	if (!image)
		return CUDA_ERROR_FILE_NOT_FOUND;
	CUresult result = *image ? cuModuleLoadData(module, image) : CUDA_ERROR_INVALID_IMAGE;
	free(image);
	return result;
}

CUresult cuModuleUnload(CUmodule module) {
	s2s_finish_all(true);
	if (s2s_module_of((CUlibrary)module))
		return CUDA_ERROR_NOT_PERMITTED;
	if (!module || !s2s_ranges_remove(&modules, module))
		return CUDA_ERROR_INVALID_HANDLE;
	s2s_empty_module(module);
	free(module);
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
	if (!function || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_module(module))
		return CUDA_ERROR_INVALID_HANDLE;
	const s2s_kernel *kernel = s2s_module_kernel(module->code, name);
	if (!kernel)
		return CUDA_ERROR_NOT_FOUND;
	*function = s2s_handle_in(module, kernel);
	return *function ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
	if (s2s_with_context() != CUDA_SUCCESS)
		return s2s_with_context();
	if (!module)
		return CUDA_ERROR_INVALID_VALUE;
	*module = s2s_module_of(library);
	return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module) {
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_module(module))
		return CUDA_ERROR_INVALID_HANDLE;
	*count = (unsigned int)s2s_module_count(module->code);
	return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
	if (!module)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	*module = function->module;
	return *module ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name) {
	if (!name || (!pointer && !bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_module(module))
		return CUDA_ERROR_INVALID_HANDLE;
	size_t size = 0;
	void *found = s2s_module_variable(module->code, name, &size);
	if (!found)
		return CUDA_ERROR_NOT_FOUND;
	if (pointer)
		*pointer = (CUdeviceptr)(uintptr_t)found;
	if (bytes)
		*bytes = size;
	return CUDA_SUCCESS;
}

/* ---- kernels ---- */

/* Find the buffer with packed parameters in `extra`; null if it is not as it should be. */
static const char *buffer_of(void **extra, size_t *bytes) {
	const char *buffer = NULL;
	size_t *size = NULL;
	for (; extra && extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
		if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
			size = extra[1];
		else
			return NULL;
	}
	*bytes = size ? *size : 0;
	return size ? buffer : NULL;
}

static CUresult launch(const s2s_kernel *kernel, dim3 grid, dim3 block, unsigned int shared_bytes, CUstream stream,
	void **params, void **extra, bool cooperative) {
	_Alignas(64) char packed[S2S_MAX_ARGS_BYTES] = {0};
	size_t bytes;
	const char *buffer = buffer_of(extra, &bytes);
	if (kernel->args_bytes > sizeof packed || (params && extra) || (extra && !buffer) ||
		(kernel->nparams > 0 && !params && !extra) || (buffer && bytes > sizeof packed))
		return CUDA_ERROR_INVALID_VALUE;
	if (buffer)
		memcpy(packed, buffer, bytes);
	else
		s2s_pack(kernel, params, packed);
	return s2s_result_of(s2s_launch_in(stream, kernel, cooperative, grid, block, shared_bytes, packed));
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
	unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
	void **params, void **extra) {
	if (s2s_with_context() != CUDA_SUCCESS)
		return s2s_with_context();
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
	return launch(function->kernel, grid, block, shared_bytes, stream, params, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
	unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
	void **params) {
	if (s2s_with_context() != CUDA_SUCCESS)
		return s2s_with_context();
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
	return launch(function->kernel, grid, block, shared_bytes, stream, params, NULL, true);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	switch (attribute) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = (int)function->kernel->max_threads;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*value = (int)function->kernel->shared_bytes;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*value = 0;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		*value = 255;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
		*value = 90;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value = (int)s2s_dynamic_limit(function->kernel);
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		*value = -1;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
		return value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0)
		return CUDA_ERROR_INVALID_VALUE;
	return s2s_result_of((cudaError_t)s2s_set_dynamic_limit(function->kernel, (size_t)value));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, CUfunction function, int block_threads, size_t shared_bytes) {
	if (!blocks || block_threads <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	bool fits =
		shared_bytes <= s2s_dynamic_limit(function->kernel) && (uint32_t)block_threads <= function->kernel->max_threads;
	*blocks = fits ? (int)s2s_resident_blocks(function->kernel, (uint32_t)block_threads) : 0;
	return CUDA_SUCCESS;
}

/* ---- memory ---- */

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
	return IN_CONTEXT(cudaMemGetInfo(free_bytes, total_bytes));
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
	if (!pointer || bytes == 0)
		return CUDA_ERROR_INVALID_VALUE;
	return IN_CONTEXT(cudaMalloc((void **)pointer, bytes));
}

CUresult cuMemAllocPitch(
	CUdeviceptr *pointer, size_t *pitch, size_t width_bytes, size_t height, unsigned int element_bytes) {
	if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
		return CUDA_ERROR_INVALID_VALUE;
	return IN_CONTEXT(cudaMallocPitch((void **)pointer, pitch, width_bytes, height));
}

CUresult cuMemAllocHost(void **pointer, size_t bytes) {
	return IN_CONTEXT(cudaMallocHost(pointer, bytes));
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaHostAlloc(pointer, bytes, flags));
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
	return IN_CONTEXT(cudaMallocManaged((void **)pointer, bytes, flags));
}

CUresult cuMemFree(CUdeviceptr pointer) {
	return IN_CONTEXT(cudaFree(s2s_at(pointer)));
}

CUresult cuMemFreeHost(void *pointer) {
	return IN_CONTEXT(cudaFreeHost(pointer));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(s2s_at(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(to, s2s_at(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return IN_CONTEXT(cudaMemcpy(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(s2s_at(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(to, s2s_at(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
	return IN_CONTEXT(cudaMemcpyAsync(s2s_at(to), s2s_at(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
	return IN_CONTEXT(cudaMemset(s2s_at(to), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
	return IN_CONTEXT(cudaMemsetAsync(s2s_at(to), value, count, stream));
}

/* ---- streams and events ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
	return IN_CONTEXT(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamDestroy(CUstream stream) {
	return IN_CONTEXT(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
	return IN_CONTEXT(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream) {
	return IN_CONTEXT(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
	return IN_CONTEXT(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
	return IN_CONTEXT(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
	return IN_CONTEXT(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
	return IN_CONTEXT(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
	return IN_CONTEXT(cudaEventRecord(event, stream));
}

CUresult cuEventSynchronize(CUevent event) {
	return IN_CONTEXT(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event) {
	return IN_CONTEXT(cudaEventQuery(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
	return IN_CONTEXT(cudaEventElapsedTime(ms, start, end));
}
