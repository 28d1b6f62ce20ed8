"""Faults in kernels: messages name the line, the block and the threads."""

from __future__ import annotations

import ctypes
import mmap
import re
import subprocess
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from simt2simd import RawKernel
from simt2simd.command import cli
from simt2simd.runtime import LaunchError

KERNELS = """\
__device__ float get(const float *x, int i) {
    return x[i];
}
__global__ void separate(float *x, const int *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = get(x, p[i]) + 1;
}
__global__ void divided(float *x, const int *p) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = tile[63 - threadIdx.x] +
        get(x, p[i]);
}
__global__ void rounds(float *x, const int *p) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    if (p[threadIdx.x] >= 0) __syncthreads();
    x[i] = tile[63 - threadIdx.x] + get(x, p[i]);
}
__global__ void fills(float *x, const int *p) {
    for (int y = blockIdx.y; y < 10; y += gridDim.y)
        x[(y * gridDim.x + blockIdx.x) * 64 + threadIdx.x + (blockIdx.x == 7 && threadIdx.x >= 37 ? 1u << 29 : 0)] = 1;
}
"""

BLOCK, THREAD = 7, 37
Array: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]


@pytest.fixture(scope="module")
def x() -> Array:
    """Return an array followed by 3 GiB that no access may touch."""
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    made = np.frombuffer(mmap.mmap(-1, 3 << 30, flags=private), np.float32)
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(made.ctypes.data + (1 << 20)), ctypes.c_size_t((3 << 30) - (1 << 20)), 0)
    return made[:6400]


def message(kernel: str, x: Array, *options: str) -> str:
    p = np.arange(640, dtype=np.int32)
    p[BLOCK * 64 + THREAD] = 1 << 29
    with pytest.raises(LaunchError) as caught:
        RawKernel(KERNELS, kernel, options)((10,), (64,), (x, p))
    assert caught.value.name == "cudaErrorIllegalAddress"
    return caught.value.message


@pytest.mark.parametrize("kernel", ["separate", "divided"])
def test_the_block_is_known_without_debug_information(kernel: str, x: Array) -> None:
    assert "illegal memory access in block (7, 0, 0), at address 0x" in message(kernel, x)


def test_blocks_that_run_as_one_row_are_named_together(x: Array) -> None:
    place = re.search(r"in (one of the )?blocks? \((\d+), 0, 0\)(?: to \((\d+), 0, 0\))?, at", message("fills", x))
    assert place is not None and int(place[2]) <= BLOCK <= int(place[3] or place[2])


@pytest.mark.parametrize("option", ["", "-G"])
def test_blocks_of_gangs_along_y_are_named(option: str, x: Array) -> None:
    code = """__global__ void k(float *x, int width) {
        int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
        x[(row == 13 ? 1ll << 29 : 0) + row * width + column] = 1;
    }"""
    with pytest.raises(LaunchError) as caught:
        RawKernel(code, "k", (option,) if option else ())((5, 8), (4, 4), (x, 32))
    place = re.search(
        r"in (?:one of the blocks|block) \((\d+), (\d+), 0\)(?: to \((\d+), \d+, 0\))?", caught.value.message
    )
    assert place is not None and int(place[1]) <= 3 <= int(place[3] or place[1]) and int(place[2]) < 8


def test_gangs_that_wait_at_barriers_know_their_threads(x: Array) -> None:
    assert "access in block (7, 0, 0), threads (32, 0, 0) to (47, 0, 0), at" in message("rounds", x)


@pytest.mark.parametrize(("kernel", "line"), [("separate", 2), ("divided", 2), ("rounds", 2), ("fills", 25)])
def test_line_tables_tell_the_line(kernel: str, line: int, x: Array) -> None:
    assert f"illegal memory access at <code>:{line} in" in message(kernel, x, "-lineinfo")


@pytest.mark.parametrize("kernel", ["separate", "divided", "rounds", "fills"])
def test_debug_information_names_the_threads(kernel: str, x: Array) -> None:
    text = message(kernel, x, "-G")
    assert "in block (7, 0, 0), threads (32, 0, 0) to (47, 0, 0), at" in text


def test_programs_tell_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main = "int main() { divided<<<3, 64>>>((float *)0, (int *)0); return cudaDeviceSynchronize(); }\n"
    (tmp_path / "fault.cu").write_text(KERNELS + main)
    assert cli.main(["compile", "-g", "fault.cu", "-o", "fault"]) == 0
    done = subprocess.run(["./fault"], capture_output=True, text=True, env={"S2S_THREADS": "1"})
    threads = "in block (0, 0, 0), threads (0, 0, 0) to (15, 0, 0)"
    assert f"simt2simd: kernel 'divided': illegal memory access at fault.cu:11 {threads}, at address" in done.stderr
