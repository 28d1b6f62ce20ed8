/* NVTX: names of what CUDA's driver makes. */
#ifndef NVTOOLSEXTCUDA_H_
#define NVTOOLSEXTCUDA_H_
#pragma GCC system_header

#include <cuda.h>

#include "nvToolsExt.h"

S2S_NVTX void nvtxNameCuDeviceA(CUdevice object, const char *name) {
}
S2S_NVTX void nvtxNameCuDeviceW(CUdevice object, const wchar_t *name) {
}
S2S_NVTX void nvtxNameCuContextA(CUcontext object, const char *name) {
}
S2S_NVTX void nvtxNameCuContextW(CUcontext object, const wchar_t *name) {
}
S2S_NVTX void nvtxNameCuStreamA(CUstream object, const char *name) {
}
S2S_NVTX void nvtxNameCuStreamW(CUstream object, const wchar_t *name) {
}
S2S_NVTX void nvtxNameCuEventA(CUevent object, const char *name) {
}
S2S_NVTX void nvtxNameCuEventW(CUevent object, const wchar_t *name) {
}

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif
