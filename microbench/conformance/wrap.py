"""Makes a CUDA program of a self-checking C++ program: its `main` runs in a kernel, once in each thread of a block."""

from __future__ import annotations

from .find import Check, main_has_parameters, text_of

# Included before the first line, so that messages have the lines of the check.
BEFORE = """\
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#define main(...) __host__ __device__ checked_main(__VA_ARGS__)
"""

# The number of threads is the program's first argument.
_AFTER = """
#undef main
__global__ void run_checks(int *result)
{{
    int code = checked_main({arguments});
    if (code != 0)
        *result = code;
}}

int main(int, char **words)
{{
    int *result, code = 0;
    if (cudaMalloc(&result, sizeof code) != cudaSuccess || cudaMemset(result, 0, sizeof code) != cudaSuccess)
        return 2;
    run_checks<<<1, atoi(words[1])>>>(result);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(&code, result, sizeof code, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {{
        fprintf(stderr, "%s\\n", cudaGetErrorString(error));
        return 1;
    }}
    if (code != 0)
        fprintf(stderr, "main returned %d\\n", code);
    return code != 0;
}}
"""


def wrapped(check: Check) -> str:
    """Return the text of a CUDA program that, behind `BEFORE`, runs a check in a kernel."""
    text = text_of(check.file)
    arguments = "0, nullptr" if main_has_parameters(text) else ""
    return text + _AFTER.format(arguments=arguments)
