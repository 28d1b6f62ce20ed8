"""CUDA's types and device functions that are not supported, each with what to do instead."""

from __future__ import annotations

from .device_runtime import UNSUPPORTED_OF_RUNTIME


def _unsupported_types() -> dict[str, str | None]:
    """CUDA's types that are not supported yet, each with the nearest thing that is."""
    table: dict[str, str | None] = {}
    for generator in ("Sobol32", "ScrambledSobol32", "Sobol64", "ScrambledSobol64", "Mtgp32"):
        for name in (f"curandState{generator}", f"curandState{generator}_t"):
            table[name] = "the generators XORWOW, Philox4_32_10 and MRG32k3a of <curand_kernel.h> are there"
    return table


UNSUPPORTED_TYPES = _unsupported_types()


def _unsupported_functions() -> dict[str, str | None]:
    """CUDA's device functions that are not supported yet, each with what to do instead, where there is something."""
    table: dict[str, str | None] = {}
    for name in ("puts", "putchar", "fprintf", "sprintf", "snprintf", "vprintf"):
        table[name] = "use 'printf'"
    for name in ("calloc", "realloc", "__nv_aligned_device_malloc"):
        table[name] = "use 'malloc', which gives multiples of 16"
    table["alloca"] = table["__builtin_alloca"] = "use a local array of a fixed size, or 'malloc'"
    for name in ("strncat", "strstr"):
        table[name] = "write a loop"
    for name in ("rand", "srand"):
        table[name] = "the generators of <curand_kernel.h> are there for kernels"
    for name in UNSUPPORTED_OF_RUNTIME:
        table[name] = "call it on the host, and hand the kernel what it needs of the result"
    for name in ("cudaGetParameterBuffer", "cudaGetParameterBufferV2", "cudaLaunchDevice", "cudaLaunchDeviceV2"):
        table[name] = "launch with 'kernel<<<grid, block>>>(...)'"
    table["cudaMemcpy3DAsync"] = "copy plane by plane, with 'cudaMemcpy2DAsync'"
    table["cudaMemset3DAsync"] = "fill plane by plane, with 'cudaMemset2DAsync'"
    return table


UNSUPPORTED_FUNCTIONS = _unsupported_functions()
