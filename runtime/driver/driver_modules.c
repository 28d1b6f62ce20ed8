/* The driver API: modules, kernels and their launches, libraries. */
#define _GNU_SOURCE
#include "driver/driver.h"
#include "base/base.h"
#include "exec/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static s2s_ranges modules = S2S_NO_RANGES;

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

static CUresult launch(CUfunction function, dim3 grid, dim3 block, unsigned int shared_bytes, CUstream stream,
	void **params, void **extra, bool cooperative) {
	if (s2s_with_context() != CUDA_SUCCESS)
		return s2s_with_context();
	if (!is_function(function))
		return CUDA_ERROR_INVALID_HANDLE;
	const s2s_kernel *kernel = function->kernel;
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
	dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
	return launch(function, grid, block, shared_bytes, stream, params, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
	unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
	void **params) {
	dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
	return launch(function, grid, block, shared_bytes, stream, params, NULL, true);
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
	case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
	case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: /* clusters have one block */
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
	case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
	case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		*value = 0;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_MAX:
		break;
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

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
	return IN_CONTEXT(cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config));
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
	return IN_CONTEXT(cudaFuncGetName(name, function));
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
	return IN_CONTEXT(cudaFuncGetParamInfo(function, index, offset, bytes));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, CUfunction function, int block_threads, size_t shared_bytes, unsigned int flags) {
	(void)flags; /* a hint about caches */
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, shared_bytes);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(
	size_t *shared_bytes, CUfunction function, int blocks, int block_threads) {
	return IN_CONTEXT(cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, blocks, block_threads));
}

/* ---- modules and kernels by more than one call of the runtime ---- */

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
	return cuModuleLoadData(module, image);
}

static CUresult launch_with(const CUlaunchConfig *config, CUfunction function, void **params) {
	const cudaLaunchConfig_t made = {{config->gridDimX, config->gridDimY, config->gridDimZ},
		{config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes, config->hStream,
		config->attrs, config->numAttrs};
	return IN_CONTEXT(cudaLaunchKernelExC(&made, function, params));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra) {
	if (!config || (params && extra))
		return CUDA_ERROR_INVALID_VALUE;
	if (!s2s_kernel_of_handle(function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!extra)
		return launch_with(config, function, params);
	if (config->numAttrs > 0)
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
		config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream, NULL, extra);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_bytes,
	size_t fixed_shared_bytes, int most_threads) {
	struct cudaFuncAttributes attributes;
	int processors, blocks = 0, threads = most_threads;
	if (!grid || !block)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = IN_CONTEXT(cudaFuncGetAttributes(&attributes, function));
	if (result == CUDA_SUCCESS)
		result = s2s_result_of(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
	if (result != CUDA_SUCCESS)
		return result;
	if (threads <= 0 || threads > attributes.maxThreadsPerBlock)
		threads = attributes.maxThreadsPerBlock;
	for (; threads > 0 && result == CUDA_SUCCESS; threads = threads > 32 ? (threads - 1) / 32 * 32 : 0) {
		size_t bytes = shared_bytes ? shared_bytes(threads) : fixed_shared_bytes;
		result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes);
		if (blocks > 0)
			break;
	}
	*block = threads;
	*grid = blocks * processors;
	return result;
}

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state) {
	(void)count, (void)options, (void)values;
	return state ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

/* ---- libraries ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values,
	unsigned int count, CUlibraryOption *library_options, void **library_values, unsigned int library_count) {
	return IN_CONTEXT(cudaLibraryLoadData(library, image, (enum cudaJitOption *)options, values, count,
		(enum cudaLibraryOption *)library_options, library_values, library_count));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
	unsigned int count, CUlibraryOption *library_options, void **library_values, unsigned int library_count) {
	return IN_CONTEXT(cudaLibraryLoadFromFile(library, path, (enum cudaJitOption *)options, values, count,
		(enum cudaLibraryOption *)library_options, library_values, library_count));
}

CUresult cuLibraryUnload(CUlibrary library) {
	return IN_CONTEXT(cudaLibraryUnload(library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
	return IN_CONTEXT(cudaLibraryGetKernel(kernel, library, name));
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
	return IN_CONTEXT(cudaLibraryGetKernelCount(count, library));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library) {
	return IN_CONTEXT(cudaLibraryEnumerateKernels(kernels, count, library));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
	return IN_CONTEXT(cudaLibraryGetGlobal((void **)pointer, bytes, library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
	return IN_CONTEXT(cudaLibraryGetManaged((void **)pointer, bytes, library, name));
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!s2s_kernel_of_handle(kernel))
		return CUDA_ERROR_INVALID_HANDLE;
	*function = (CUfunction)kernel;
	return s2s_with_context();
}

/* The program itself is no library. */
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
	if (!library)
		return CUDA_ERROR_INVALID_VALUE;
	if (!s2s_kernel_of_handle(kernel))
		return CUDA_ERROR_INVALID_HANDLE;
	*library = (CUlibrary)((CUfunction)kernel)->module;
	return s2s_module_of(*library) ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

/* Functions are loaded with their modules. */
CUresult cuFuncLoad(CUfunction function) {
	return is_function(function) ? s2s_with_context() : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
	return IN_CONTEXT(cudaFuncGetName(name, kernel));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes) {
	return IN_CONTEXT(cudaFuncGetParamInfo(kernel, index, offset, bytes));
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
	CUresult result = s2s_with_device(device);
	return result == CUDA_SUCCESS ? cuFuncGetAttribute(value, attribute, (CUfunction)kernel) : result;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
	CUresult result = s2s_with_device(device);
	return result == CUDA_SUCCESS ? cuFuncSetAttribute((CUfunction)kernel, attribute, value) : result;
}
