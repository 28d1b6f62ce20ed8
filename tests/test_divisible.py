"""Blocks that a launch may divide, so that every hthread has something to do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from test_memory_ends import at_the_edge

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.python.kernel import RawKernel
from simt2simd.runtime import LaunchError, configure
from simt2simd.source import Source

X = "int x = blockIdx.x * blockDim.x + threadIdx.x;"
Y = "int y = threadIdx.y + blockDim.y * blockIdx.y;"


def axes(body: str) -> str:
    code = f"""
__device__ int row() {{ return threadIdx.y; }}
__device__ int recursive(int n) {{ return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }}
__global__ void k(int *a, int n) {{ {body} }}"""
    dumps: list[str] = []
    compile_device(Source("k.cu", code), Options(), ["divisible"], lambda _, text: dumps.append(text))
    return dumps[0].removeprefix("k: along ")


@pytest.mark.parametrize(
    ("body", "along"),
    [
        (f"{X} if (x < n) a[x] = x;", "x"),
        (f"{X} {Y} a[y * n + x] = 1;", "x and y"),
        (f"{X} a[x] = recursive(a[x] & 7);", "x"),
        (f"{X} for (; x < n; x += gridDim.x * blockDim.x) a[x] = 1;", ""),  # the gangs of a block go round together
        (f"{X} {Y} a[y * (blockDim.x * gridDim.x) + x] = 1;", "x and y"),
        (f"{X} a[x + blockIdx.z * n + threadIdx.z] = 1;", "x"),
        (f"{X} {Y} if (blockIdx.x == 0) a[y * n + x] = 1;", "y"),
        (f"{X} a[x] += row();", "x"),
        (f"{X} atomicAdd(&a[x & 3], 1);", "x"),
        (f"{X} a[x] = blockDim.x;", ""),
        (f"{X} a[x] = gridDim.x;", ""),
        (f"{X} a[x] = blockIdx.x;", ""),
        (f"{X} a[x] = threadIdx.x & 1;", ""),
        (f"{X} a[x] = blockDim.x * blockIdx.x;", ""),
        ("a[blockIdx.x * blockDim.y + threadIdx.x] = 1;", ""),
        ("a[n] = 1;", ""),
        (f"{X} __shared__ int s[1]; s[0] = 1; a[x] = s[0];", ""),
        (f"{X} a[x] = 1; __syncthreads(); a[x] = 2;", ""),
        (f"{X} a[x] = __shfl_sync(~0u, x, 0);", ""),
        (f"{X} while (atomicCAS(&a[0], 0, 1)); a[1]++; atomicExch(&a[0], 0);", ""),
    ],
)
def test_axes_along_which_nothing_depends_on_where_a_block_ends(body: str, along: str) -> None:
    assert axes(body) == along


CODE = """
__device__ int turned(int v, int rounds) {
    for (int k = 0; k < rounds; k++) v = v * 1664525 + 1013904223;
    return v;
}
__global__ void line(const int *in, int *out, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += turned(in[i], rounds);
}
__global__ void box(const int *in, int *out, int w, int h, int d, int rounds) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z, width = gridDim.x * blockDim.x;
    if (x < w && y < h && z < d) out[(z * h + y) * w + x] += turned(in[(z * h + y) * w + x], rounds) ^ width;
}
"""
ROUNDS = 4000  # so that a gang takes several microseconds


def turned(v: np.ndarray) -> np.ndarray:
    v = v.astype(np.uint32)
    for _ in range(ROUNDS):
        v = v * np.uint32(1664525) + np.uint32(1013904223)
    return v.astype(np.int32)


@pytest.fixture(params=[1, 2, 5])
def hthreads(request: pytest.FixtureRequest) -> Iterator[int]:
    configure(request.param, 1)
    yield request.param
    configure()


@pytest.mark.parametrize("block", [1, 64, 96, 128, 130, 256, 1000, 1024])
def test_each_thread_of_a_line_runs_once(block: int, hthreads: int) -> None:
    kernel = RawKernel(CODE, "line")
    for n in (1, block, 2 * block - block // 3):
        given, out = np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
        for _ in range(3):  # the first launch finds out how long a block takes
            kernel((-(-n // block),), (block,), (given, out, n, ROUNDS))
        np.testing.assert_array_equal(out, 3 * turned(given))


@pytest.mark.parametrize(
    "block", [(16, 16, 1), (8, 32, 1), (128, 2, 1), (64, 6, 2), (33, 8, 1), (4, 4, 8), (32, 32, 1)]
)
def test_each_thread_of_a_box_runs_once(block: tuple[int, int, int], hthreads: int) -> None:
    kernel = RawKernel(CODE, "box")
    w, h, d = (2 * side - side // 3 for side in block)
    given, out = np.arange(w * h * d, dtype=np.int32), np.zeros(w * h * d, np.int32)
    for _ in range(3):
        kernel((2, 2, 2), block, (given, out, w, h, d, ROUNDS))
    np.testing.assert_array_equal(out, 3 * (turned(given) ^ (2 * block[0])))


def test_a_fault_is_in_a_block_of_the_program() -> None:
    """The third block reads beyond the end; which of its parts does so first does not matter."""
    configure(4, 1)
    kernel = RawKernel(CODE, "line")
    given = at_the_edge(np.zeros(2 * 1024, np.int32), ends=True)
    out = np.zeros(3 * 1024, np.int32)
    try:
        for _ in range(2):
            kernel((2,), (1024,), (given, out, 2 * 1024, ROUNDS))
        with pytest.raises(LaunchError, match=r"illegal memory access.* (block|to) \(2, 0, 0\)"):
            kernel((3,), (1024,), (given, out, 3 * 1024, ROUNDS))
    finally:
        configure()


FAILS = """
#include <cassert>
__global__ void fails(int *out, int rounds) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, v = x;
    for (int k = 0; k < rounds; k++) v = v * 3 + k;
    assert(x != 50 || y != 77);
    out[y * 64 + x] = v;
}
"""


def test_an_assertion_names_the_thread_of_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    configure(4, 1)
    try:
        with pytest.raises(LaunchError):
            RawKernel(FAILS, "fails")((2, 3), (32, 32), (np.zeros(64 * 96, np.int32), ROUNDS))
    finally:
        configure()
    assert "block: [1,2,0], thread: [18,13,0] Assertion" in capfd.readouterr().err
