"""The driver API and NVRTC: programs that compile device code while they run, load it and launch it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from simt2simd.command import cli

COMMON = r"""
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#define CU(call) do { CUresult r_ = (call); if (r_ != CUDA_SUCCESS) { const char *n_; cuGetErrorName(r_, &n_); \
    printf("%d: %s: %s\n", __LINE__, #call, n_); exit(1); } } while (0)
#define RTC(call) do { nvrtcResult r_ = (call); if (r_ != NVRTC_SUCCESS) \
    printf("%d: %s: %s\n", __LINE__, #call, nvrtcGetErrorString(r_)); } while (0)
"""

PROGRAM = (
    COMMON
    + r"""
static const char *const SOURCE = R"(
#include "scale.h"
__constant__ float offsets[4];
__device__ int calls;
extern "C" __global__ void add(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * SCALE + offsets[i % 4];
    if (i == 0) atomicAdd(&calls, 1);
}
namespace deep { template <class T, int N> __global__ void fill(T *y, T value, double more) {
    y[threadIdx.x] = value * N + more;
} }
__global__ void odd(char a, long long b, float *y) { y[0] = a + b; }
)";
int main() {
    CU(cuInit(0));
    CUdevice device;
    CUcontext context;
    CU(cuDeviceGet(&device, 0));
    CU(cuCtxCreate(&context, 0, device));
    nvrtcProgram program;
    const char *headers[] = {"#define SCALE FACTOR\n"}, *names[] = {"scale.h"};
    RTC(nvrtcCreateProgram(&program, SOURCE, "kernels.cu", 1, headers, names));
    RTC(nvrtcAddNameExpression(program, "deep::fill<float, 3>"));
    const char *options[] = {"--gpu-architecture=compute_90", "-DFACTOR=2", "--std=c++17", "-default-device"};
    RTC(nvrtcCompileProgram(program, 4, options));
    size_t bytes;
    RTC(nvrtcGetPTXSize(program, &bytes));
    std::vector<char> ptx(bytes);
    RTC(nvrtcGetPTX(program, ptx.data()));
    const char *lowered;
    RTC(nvrtcGetLoweredName(program, "deep::fill<float, 3>", &lowered));
    std::string fill_name = lowered;
    RTC(nvrtcDestroyProgram(&program));

    CUmodule module;
    CUfunction add, fill, odd;
    CU(cuModuleLoadDataEx(&module, ptx.data(), 0, nullptr, nullptr));
    ptx.clear();
    CU(cuModuleGetFunction(&add, module, "add"));
    CU(cuModuleGetFunction(&fill, module, fill_name.c_str()));
    CU(cuModuleGetFunction(&odd, module, "_Z3oddcxPf"));
    printf("%d\n", cuModuleGetFunction(&odd, module, "even") == CUDA_ERROR_NOT_FOUND);
    const int n = 50;
    float host[n], offsets[4] = {10, 20, 30, 40};
    for (int i = 0; i < n; i++) host[i] = i;
    CUdeviceptr x, y, where;
    CU(cuMemAlloc(&x, sizeof host));
    CU(cuMemAlloc(&y, sizeof host));
    CU(cuMemcpyHtoD(x, host, sizeof host));
    CU(cuModuleGetGlobal(&where, &bytes, module, "offsets"));
    printf("%zu\n", bytes);
    CU(cuMemcpyHtoD(where, offsets, sizeof offsets));
    int count = n;
    void *params[] = {&x, &y, &count};
    CU(cuLaunchKernel(add, 4, 1, 1, 16, 1, 1, 0, 0, params, nullptr));
    CU(cuCtxSynchronize());
    CU(cuMemcpyDtoH(host, y, sizeof host));
    printf("%g %g %g\n", host[0], host[1], host[49]);
    float value = 5;
    double more = 0.25;
    void *fill_params[] = {&y, &value, &more};
    CU(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, 0, fill_params, nullptr));
    CU(cuMemcpyDtoH(host, y, sizeof host));
    printf("%g %g\n", host[31], host[32]);
    struct { char a; long long b; CUdeviceptr y; } packed = {3, 1000, y};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    CU(cuLaunchKernel(odd, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, extra));
    CU(cuMemcpyDtoH(host, y, 4));
    printf("%g\n", host[0]);
    int calls, most;
    CU(cuModuleGetGlobal(&where, &bytes, module, "calls"));
    CU(cuMemcpyDtoH(&calls, where, bytes));
    CU(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
    printf("%d %d\n", calls, most);
    CU(cuModuleUnload(module));
    printf("%d\n", cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, 0, params, nullptr) == CUDA_ERROR_INVALID_HANDLE);
    CU(cuMemFree(x));
    CU(cuMemFree(y));
    CU(cuCtxDestroy(context));
}
"""
)

FAULTS = (
    COMMON
    + r"""
static void compile(const char *source, const char *option) {
    nvrtcProgram program;
    RTC(nvrtcCreateProgram(&program, source, "faulty.cu", 0, nullptr, nullptr));
    nvrtcResult result = nvrtcCompileProgram(program, 1, &option);
    size_t bytes;
    RTC(nvrtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, ' ');
    RTC(nvrtcGetProgramLog(program, &log[0]));
    printf("%s\n%s\n", nvrtcGetErrorString(result), log.substr(0, log.find('\n')).c_str());
    RTC(nvrtcDestroyProgram(&program));
}
static const char *name(CUresult result) {
    const char *text;
    cuGetErrorName(result, &text);
    return text;
}
int main() {
    compile("__global__ void k(float *x) { x[0] = unknown; }", "-DA");
    compile("__global__ void k(float *x) { x[0] = 1; }", "--no-such-option");
    CUdeviceptr x;
    CUmodule module;
    CUcontext context;
    puts(name(cuMemAlloc(&x, 4)));
    cuInit(0);
    puts(name(cuMemAlloc(&x, 4)));
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    puts(name(cuMemAlloc(&x, 4)));
    puts(name(cuModuleLoadData(&module, "//\n.version 8.0\n")));
    puts(name(cuModuleLoad(&module, "/no/such/file")));
    puts(name(cuMemcpyHtoD(x, &x, 8)));
}
"""
)


def program_prints(tmp_path: Path, text: str) -> list[str]:
    source, program = tmp_path / "t.cu", tmp_path / "program"
    source.write_text(text)
    assert cli.main(["compile", str(source), "-o", str(program), "-lnvrtc", "-lcuda"]) == 0
    done = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout.splitlines()


def test_a_program_compiles_loads_and_launches(tmp_path: Path) -> None:
    assert program_prints(tmp_path, PROGRAM) == ["1", "16", "10 22 118", "15.25 74", "1003", "1 1024", "1"]


def test_what_cannot_be_is_reported(tmp_path: Path) -> None:
    printed = program_prints(tmp_path, FAULTS)
    assert printed[0] == "NVRTC_ERROR_COMPILATION"
    assert printed[1] == "faulty.cu:1:38: error: 'unknown' is not declared"
    assert printed[2] == "NVRTC_ERROR_INVALID_OPTION"
    assert "--no-such-option" in printed[3]
    assert printed[4:] == [
        "CUDA_ERROR_NOT_INITIALIZED",
        "CUDA_ERROR_INVALID_CONTEXT",
        "CUDA_SUCCESS",
        "CUDA_ERROR_INVALID_PTX",
        "CUDA_ERROR_FILE_NOT_FOUND",
        "CUDA_ERROR_INVALID_VALUE",
    ]
