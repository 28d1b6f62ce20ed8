/* Libraries of the driver API: here, modules by another name. */
#include "cuda.h"

static CUmodule module_of(CUlibrary library) {
	return (CUmodule)library;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values,
	unsigned int count, CUlibraryOption *library_options, void **library_values, unsigned int library_count) {
	(void)library_options;
	(void)library_values;
	(void)library_count;
	return cuModuleLoadDataEx((CUmodule *)library, image, count, options, values);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
	unsigned int count, CUlibraryOption *library_options, void **library_values, unsigned int library_count) {
	(void)options;
	(void)values;
	(void)count;
	(void)library_options;
	(void)library_values;
	(void)library_count;
	return cuModuleLoad((CUmodule *)library, path);
}

CUresult cuLibraryUnload(CUlibrary library) {
	return cuModuleUnload(module_of(library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
	return cuModuleGetFunction((CUfunction *)kernel, module_of(library), name);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
	if (!module || !library)
		return CUDA_ERROR_INVALID_VALUE;
	*module = module_of(library);
	return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
	return cuModuleGetGlobal(pointer, bytes, module_of(library), name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
	if (!function || !kernel)
		return CUDA_ERROR_INVALID_VALUE;
	*function = (CUfunction)kernel;
	return CUDA_SUCCESS;
}
