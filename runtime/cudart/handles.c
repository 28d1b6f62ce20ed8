/* Handles of kernels, libraries of them, and functions by name. */
#define _GNU_SOURCE
#include "cudart/handles.h"
#include "cuda.h"
#include "exec/object.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static s2s_ranges handles = S2S_NO_RANGES, libraries = S2S_NO_RANGES;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the lists of handles */
static struct CUfunc_st *own;                            /* those of the program's own kernels */

/* ---- handles ---- */

const s2s_kernel *s2s_kernel_of_handle(const void *handle) {
	const struct CUfunc_st *found = handle;
	return handle && s2s_ranges_find(&handles, handle, sizeof *found).begin == handle ? found->kernel : NULL;
}

static struct CUfunc_st *make_handle(struct CUfunc_st handle) {
	struct CUfunc_st *made = malloc(sizeof *made);
	if (!made || !s2s_ranges_add(&handles, made, sizeof *made)) {
		free(made);
		return NULL;
	}
	*made = handle;
	return made;
}

/* The handle of a kernel in a list, made if there is none. */
static struct CUfunc_st *find_handle(struct CUfunc_st **list, const s2s_kernel *kernel, struct CUmod_st *module) {
	pthread_mutex_lock(&lock);
	struct CUfunc_st *found = *list;
	while (found && found->kernel != kernel)
		found = found->next;
	if (!found) {
		found = make_handle((struct CUfunc_st){kernel, module, *list});
		*list = found ? found : *list;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

struct CUfunc_st *s2s_handle_of(const s2s_kernel *kernel) {
	return find_handle(&own, kernel, NULL);
}

struct CUfunc_st *s2s_handle_in(struct CUmod_st *module, const s2s_kernel *kernel) {
	return find_handle(&module->functions, kernel, module);
}

void s2s_empty_module(struct CUmod_st *module) {
	while (module->functions) {
		struct CUfunc_st *function = module->functions;
		module->functions = function->next;
		s2s_ranges_remove(&handles, function);
		free(function);
	}
	s2s_unload_module(module->code);
}

static cudaError_t get_handle(struct CUfunc_st **handle, const void *function) {
	if (!handle)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	*handle = s2s_handle_of(kernel);
	return s2s_note(*handle ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *function) {
	return get_handle(handle, function);
}

cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *function) {
	return get_handle((struct CUfunc_st **)handle, function);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
	if (!name)
		return s2s_note(cudaErrorInvalidValue);
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	*name = kernel->name;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes) {
	const s2s_kernel *kernel = s2s_kernel_of(function);
	if (!kernel)
		return s2s_note(cudaErrorInvalidDeviceFunction);
	if (!offset || index >= kernel->nparams)
		return s2s_note(cudaErrorInvalidValue);
	*offset = kernel->param_offset[index];
	if (bytes)
		*bytes = kernel->param_size[index];
	return s2s_note(cudaSuccess);
}

cudaError_t cudaKernelSetAttributeForDevice(
	cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device) {
	if (device != 0)
		return s2s_note(cudaErrorInvalidDevice);
	return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

/* ---- libraries ---- */

struct CUlib_st {
	struct CUmod_st module;
};

static bool is_library(cudaLibrary_t library) {
	return library && s2s_ranges_find(&libraries, library, sizeof *library).begin == library;
}

struct CUmod_st *s2s_module_of(cudaLibrary_t library) {
	return is_library(library) ? &library->module : NULL;
}

static cudaError_t load(cudaLibrary_t *library, const void *image) {
	char why[S2S_WHY_BYTES];
	s2s_module *code = s2s_load_module(image, why);
	if (!code) {
		fprintf(stderr, "simt2simd: cannot load a library: %s\n", why);
		return cudaErrorInvalidKernelImage;
	}
	cudaLibrary_t made = calloc(1, sizeof *made);
	if (!made || !s2s_ranges_add(&libraries, made, sizeof *made)) {
		s2s_unload_module(code);
		free(made);
		return cudaErrorMemoryAllocation;
	}
	made->module.code = code;
	*library = made;
	return cudaSuccess;
}

/* There is nothing to compile when an image is loaded: options have no meaning. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *options, void **values,
	unsigned int count, enum cudaLibraryOption *library_options, void **library_values, unsigned int library_count) {
	(void)values, (void)library_values;
	if (!library || !image || (count && !options) || (library_count && !library_options))
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(load(library, image));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *options,
	void **values, unsigned int count, enum cudaLibraryOption *library_options, void **library_values,
	unsigned int library_count) {
	(void)values, (void)library_values;
	if (!library || !path || (count && !options) || (library_count && !library_options))
		return s2s_note(cudaErrorInvalidValue);
	char *image = s2s_read_image(path);
	if (!image)
		return s2s_note(cudaErrorFileNotFound);
	cudaError_t code = *image ? load(library, image) : cudaErrorInvalidKernelImage;
	free(image);
	return s2s_note(code);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
	if (!library || !s2s_ranges_remove(&libraries, library))
		return s2s_note(cudaErrorInvalidResourceHandle);
	s2s_finish_all(true);
	s2s_empty_module(&library->module);
	free(library);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
	if (!kernel || !name)
		return s2s_note(cudaErrorInvalidValue);
	if (!is_library(library))
		return s2s_note(cudaErrorInvalidResourceHandle);
	const s2s_kernel *found = s2s_module_kernel(library->module.code, name);
	if (!found)
		return s2s_note(cudaErrorSymbolNotFound);
	*kernel = (cudaKernel_t)s2s_handle_in(&library->module, found);
	return s2s_note(*kernel ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
	if (!name || (!pointer && !bytes))
		return s2s_note(cudaErrorInvalidValue);
	if (!is_library(library))
		return s2s_note(cudaErrorInvalidResourceHandle);
	size_t size = 0;
	void *found = s2s_module_variable(library->module.code, name, &size);
	if (!found)
		return s2s_note(cudaErrorSymbolNotFound);
	if (pointer)
		*pointer = found;
	if (bytes)
		*bytes = size;
	return s2s_note(cudaSuccess);
}

/* The memory of all variables is managed. */
cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
	return cudaLibraryGetGlobal(pointer, bytes, library, name);
}

/* Images have no functions that the host could call. */
cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *name) {
	if (!function || !name)
		return s2s_note(cudaErrorInvalidValue);
	return s2s_note(is_library(library) ? cudaErrorSymbolNotFound : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library) {
	if (!count)
		return s2s_note(cudaErrorInvalidValue);
	if (!is_library(library))
		return s2s_note(cudaErrorInvalidResourceHandle);
	*count = (unsigned int)s2s_module_count(library->module.code);
	return s2s_note(cudaSuccess);
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int count, cudaLibrary_t library) {
	if (!kernels || count == 0)
		return s2s_note(cudaErrorInvalidValue);
	if (!is_library(library))
		return s2s_note(cudaErrorInvalidResourceHandle);
	for (unsigned int i = 0; i < count; i++) {
		const s2s_kernel *kernel = s2s_module_nth(library->module.code, i);
		kernels[i] = kernel ? (cudaKernel_t)s2s_handle_in(&library->module, kernel) : NULL;
	}
	return s2s_note(cudaSuccess);
}
