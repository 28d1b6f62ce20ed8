"""cuda_fp6.h and cuda_fp4.h in kernels and on the host, against the exact model of test_fp8.py."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_fp8 import numbers_of, same

Array = np.ndarray[Any, np.dtype[Any]]

FORMATS = {"e2m3": (3, 0, 0x1F), "e3m2": (2, -2, 0x1F), "e2m1": (1, 0, 7)}
PROGRAM = r"""
#include <cuda_fp4.h>
#include <cstdio>
#include <cstring>

template <class Kind> __host__ __device__ void number_of(int code, unsigned *out) {
    Kind x;
    x.__x = code;
    float f = static_cast<float>(x);
    memcpy(out, &f, 4);
    out[1] = static_cast<int>(x) + 100 * static_cast<unsigned char>(x) + 10000 * static_cast<signed char>(x);
    out[2] = __half_as_ushort(static_cast<__half>(x)) | __bfloat16_as_ushort(static_cast<__nv_bfloat16>(x)) << 16;
    out[3] = static_cast<bool>(x);
}

__host__ __device__ void codes(const double *, unsigned *out, int i) {
    number_of<__nv_fp6_e2m3>(i, out + 12 * i);
    number_of<__nv_fp6_e3m2>(i, out + 12 * i + 4);
    number_of<__nv_fp4_e2m1>(i, out + 12 * i + 8);
}

__host__ __device__ void doubles(const double *in, unsigned *out, int i) {
    double x = in[i];
    float f = static_cast<float>(x);
    __half_raw half = static_cast<__half_raw>(__float2half(f));
    out += 4 * i;
    out[0] = __nv_cvt_double_to_fp6(x, __NV_E2M3, cudaRoundNearest) |
             __nv_cvt_double_to_fp6(x, __NV_E2M3, cudaRoundZero) << 8 |
             __nv_cvt_double_to_fp6(x, __NV_E3M2, cudaRoundNearest) << 16 |
             __nv_cvt_double_to_fp6(x, __NV_E3M2, cudaRoundZero) << 24;
    out[1] = __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest) |
             __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundZero) << 8 | __nv_fp6_e3m2(f).__x << 16 |
             __nv_fp4_e2m1(f).__x << 24;
    out[2] = __nv_cvt_halfraw_to_fp6(half, __NV_E2M3, cudaRoundNearest) |
             __nv_cvt_halfraw_to_fp4(half, __NV_E2M1, cudaRoundNearest) << 8 |
             __nv_fp4x4_e2m1(make_float4(f, 1, -f, 6)).__x << 16;
    float2 back = static_cast<float2>(__nv_fp4x2_e2m1(make_float2(f, -1)));
    out[3] = static_cast<unsigned>(back.x * 2 + 100) | static_cast<unsigned>(back.y * 2 + 100) << 8 |
             __nv_fp6x2_e2m3(make_double2(1, x)).__x << 16;
}

#define KERNEL(NAME) \
    __global__ void NAME##_kernel(const double *in, unsigned *out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) NAME(in, out, i); \
    } \
    static void run_##NAME(const double *in, int n, int width, FILE *to) { \
        unsigned *out; \
        cudaMallocManaged(&out, n * width * 4); \
        NAME##_kernel<<<(n + 127) / 128, 128>>>(in, out, n); \
        if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n"); \
        fwrite(out, 4, n * width, to); \
        for (int i = 0; i < n; i++) NAME(in, out, i); \
        fwrite(out, 4, n * width, to); \
    }
KERNEL(codes)
KERNEL(doubles)

int main(int count, char **names) {
    FILE *from = fopen(names[1], "rb"), *to = fopen(names[2], "wb");
    int n;
    fread(&n, 4, 1, from);
    double *in;
    cudaMallocManaged(&in, n * 8);
    fread(in, 8, n, from);
    run_codes(nullptr, 16, 12, to);
    run_doubles(in, n, 4, to);
    fclose(to);
}
"""


def inputs() -> Array:
    """Return every number and every middle with their neighbours, and what has no number."""
    found = [np.inf, np.nan, 1e-300, 5e-324, 1e300, 1e9, 2.0**127, 2.0**128, 7.4, 27.9, 5.9]
    for form in FORMATS.values():
        numbers = [float(number) for number in numbers_of(*form)]
        found += numbers + [(a + b) / 2 for a, b in itertools.pairwise(numbers)]
    exact = np.array(found)
    with np.errstate(over="ignore"):
        single = exact.astype(np.float32)
        around = [np.nextafter(exact, to) for to in (np.inf, 0.0)]
        around += [np.nextafter(single, np.float32(to)).astype(np.float64) for to in (np.inf, 0)]
    every = np.concatenate([exact, *around, np.random.default_rng(3).normal(0, 5, 3000)])
    return np.concatenate([every, -every])


def coded(x: Array, name: str, *, to_zero: bool = False) -> Array:
    """Return the codes of numbers: those too large, and NaN, give the largest number."""
    numbers = np.array([float(number) for number in numbers_of(*FORMATS[name])])
    size = np.where(np.isnan(x), np.inf, np.abs(x))
    if to_zero:
        code = np.searchsorted(numbers, size, side="right") - 1
    else:
        middles = (numbers[1:] + numbers[:-1]) / 2
        code = np.searchsorted(middles, size, side="left")
        tied = (code < len(middles)) & (middles[np.minimum(code, len(middles) - 1)] == size)
        code = code + (tied & (code % 2 == 1))
    return code | np.where(np.signbit(x) & ~np.isnan(x), len(numbers), 0)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[Array, Array]:
    """Return what the codes 0 to 15 are, and what the inputs give; kernels and the host agree."""
    folder = tmp_path_factory.mktemp("fp6")
    Path(folder, "t.cu").write_text(PROGRAM)
    program, x = folder / "program", inputs()
    subprocess.run([sys.executable, "-m", "simt2simd", "nvcc", "-w", folder / "t.cu", "-o", program], check=True)
    Path(folder, "in").write_bytes(np.int32(len(x)).tobytes() + x.tobytes())
    done = subprocess.run([program, folder / "in", folder / "out"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    out = np.fromfile(folder / "out", np.uint32)
    codes, rest = out[: 2 * 16 * 12].reshape(2, 16, 12), out[2 * 16 * 12 :].reshape(2, len(x), 4)
    assert (codes[0] == codes[1]).all()
    assert (rest[0] == rest[1]).all()
    return codes[0], rest[0]


@pytest.mark.parametrize("at", range(3), ids=list(FORMATS))
def test_codes_are_their_numbers(results: tuple[Array, Array], at: int) -> None:
    got = results[0][:, 4 * at : 4 * at + 4]
    form = FORMATS[list(FORMATS)[at]]
    numbers = [float(number) for number in numbers_of(*form)]
    x = np.array([*numbers, *(-number for number in numbers)])[:16]
    bits = x.astype(np.float32).view(np.uint32)
    same(got[:, 0], bits, x)
    whole = x.astype(np.int64)
    same(got[:, 1].astype(np.int32), whole + 100 * np.maximum(whole, 0) + 10000 * whole, x)
    same(got[:, 2], x.astype(np.float16).view(np.uint16) | bits >> np.uint32(16) << np.uint32(16), x)
    same(got[:, 3], (x != 0).astype(np.int64), x)


def test_numbers_are_rounded(results: tuple[Array, Array]) -> None:
    got, x = results[1], inputs()
    with np.errstate(over="ignore", invalid="ignore"):
        single = x.astype(np.float32).astype(np.float64)
        half = x.astype(np.float32).astype(np.float16).astype(np.float64)
    parts = [coded(x, name, to_zero=to_zero) << 8 * i for i, (name, to_zero) in enumerate(
        (name, to_zero) for name in ("e2m3", "e3m2") for to_zero in (False, True)
    )]  # fmt: skip
    same(got[:, 0], sum(parts), x)  # type: ignore[arg-type]
    fp4 = coded(single, "e2m1")
    right = coded(x, "e2m1") | coded(x, "e2m1", to_zero=True) << 8 | coded(single, "e3m2") << 16 | fp4 << 24
    same(got[:, 1], right, x)
    packed = fp4 | 2 << 4 | coded(-single, "e2m1") << 8 | 7 << 12
    same(got[:, 2], coded(half, "e2m3") | coded(half, "e2m1") << 8 | packed << 16, x)
    numbers = np.array([float(number) for number in numbers_of(*FORMATS["e2m1"])])
    back = np.where(fp4 & 8, -1, 1) * numbers[fp4 & 7] * 2 + 100
    same(got[:, 3], back.astype(np.int64) | 98 << 8 | 8 << 16 | coded(x, "e2m3") << 24, x)
