/* NVTX: names of what CUDA's runtime makes. */
#ifndef NVTOOLSEXTCUDART_H_
#define NVTOOLSEXTCUDART_H_
#pragma GCC system_header

#include <cuda_runtime.h>

#include "nvToolsExt.h"

S2S_NVTX void nvtxNameCudaDeviceA(int object, const char *name) {
}
S2S_NVTX void nvtxNameCudaDeviceW(int object, const wchar_t *name) {
}
S2S_NVTX void nvtxNameCudaStreamA(cudaStream_t object, const char *name) {
}
S2S_NVTX void nvtxNameCudaStreamW(cudaStream_t object, const wchar_t *name) {
}
S2S_NVTX void nvtxNameCudaEventA(cudaEvent_t object, const char *name) {
}
S2S_NVTX void nvtxNameCudaEventW(cudaEvent_t object, const wchar_t *name) {
}

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif
