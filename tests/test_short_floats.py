"""`__half` and `__nv_bfloat16`: host code computes the same as kernels."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from simt2simd.command import cli
from simt2simd.lang.ctype import BFLOAT16, HALF
from simt2simd.lang.numbers import decoded, encoded, round_to

PROGRAM = r"""
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>

__global__ void convert(const float *f, __half *h, __nv_bfloat16 *b, float *scaled, __half by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { h[i] = __float2half(f[i]); b[i] = f[i]; scaled[i] = h[i] * by; }
}

int main() {
    int n = 1 << 18, bad = 0;
    float *f, *scaled;
    __half *h;
    __nv_bfloat16 *b;
    cudaMallocManaged(&f, n * 4);
    cudaMallocManaged(&scaled, n * 4);
    cudaMallocManaged(&h, n * 2);
    cudaMallocManaged(&b, n * 2);
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        unsigned bits = i & 1 ? x : 0x33000000 + x % 0x15000000;
        memcpy(f + i, &bits, 4);
        if (f[i] != f[i]) f[i] = 1;
    }
    convert<<<n / 256, 256>>>(f, h, b, scaled, __half(1.25f), n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        half here = __float2half(f[i]);
        float product = here * __half(1.25f);
        __nv_bfloat16 other(f[i]);
        bad += memcmp(&here, h + i, 2) != 0 || memcmp(&other, b + i, 2) != 0 || product != scaled[i];
    }
    for (int i = 0; i < 65536; i++) {
        unsigned short bits = i;
        half value;
        memcpy(&value, &bits, 2);
        half again((float)value);
        bad += (float)value == (float)value && memcmp(&value, &again, 2) != 0;
    }
    printf("%d\n", bad);
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_host_and_device_convert_alike(tmp_path: Path) -> None:
    (tmp_path / "convert.cu").write_text(PROGRAM)
    assert cli.main(["compile", str(tmp_path / "convert.cu"), "-o", str(tmp_path / "convert")]) == 0
    assert subprocess.run([tmp_path / "convert"], capture_output=True, check=True).stdout == b"0\n"


def test_all_halves_survive_and_doubles_round_once() -> None:
    for bits in range(1 << 16):
        content = bits.to_bytes(2, "little")
        for ctype in (HALF, BFLOAT16):
            value = decoded(content, ctype)
            if value == value:
                assert encoded(round_to(value, ctype), ctype) == content
    rng = np.random.default_rng(1)
    for value in rng.normal(size=2000) * 10.0 ** rng.integers(-9, 9, 2000):
        with np.errstate(over="ignore"):
            assert round_to(float(value), HALF) == float(np.float16(value))
