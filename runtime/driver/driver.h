/* What the files that implement cuda.h share. */
#ifndef S2S_DRIVER_H
#define S2S_DRIVER_H

#include "cuda.h"
#include "cudart/handles.h"

/* The driver API's code for one of the runtime's. */
CUresult s2s_result_of(cudaError_t code);

/* What a call returns before all others are looked at: whether there is a device, and a context to work in. */
CUresult s2s_with_device(CUdevice device);
CUresult s2s_with_context(void);

#define IN_CONTEXT(call) (s2s_with_context() != CUDA_SUCCESS ? s2s_with_context() : s2s_result_of(call))
#define ON_DEVICE(device, call)                                                                                        \
	(s2s_with_device(device) != CUDA_SUCCESS ? s2s_with_device(device) : s2s_result_of(call))

static inline void *s2s_at(CUdeviceptr pointer) {
	return (void *)(uintptr_t)pointer;
}

#endif
