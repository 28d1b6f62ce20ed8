"""Which kernels run in gangs that are tiles of their blocks."""

from __future__ import annotations

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source

X = "int x = blockIdx.x * blockDim.x + threadIdx.x;"
Y = "int y = blockIdx.y * blockDim.y + threadIdx.y;"
LEAVE = "int v = in[y * n + x], k = 0; while (v != 1 && k < n) { v = v % 2 ? 3 * v + 1 : v / 2; k++; }"


def tiles_of(body: str, options: Options | None = None) -> list[int]:
    """The lanes of the versions of a kernel whose gangs are tiles."""
    code = f"""
    __device__ int deeper(const int *in, int k) {{ return k <= 0 ? 0 : in[k] + deeper(in, k - 1 - in[k] % 3); }}
    __global__ void k(const int *in, int *out, int *counts, int n) {{ {body} }}"""
    compiled = compile_device(Source("k.cu", code), options or Options(), until="keep-versions")
    return [version.lanes for version in compiled.shapes.kernels["k"] if version.along == "xy"]


@pytest.mark.parametrize(
    ("body", "lanes"),
    [
        (X + Y + LEAVE + "out[y * n + x] = k;", [64]),  # lanes leave a loop
        (X + Y + "out[y * n + x] = deeper(in, in[y * n + x]);", [16]),  # a recursion has no wide gangs
        (
            X + Y + "int s = 0; if (in[y * n + x] > 3) for (int k = 0; k < n; k++) s += in[in[s]]; out[y] = s;",
            [64],
        ),  # or enter it
        (X + Y + "if (x < n && y < n) for (int k = 0; k < n; k++) out[y * n + x] += k;", []),  # an edge is seldom
        (X + Y + "for (int k = 0; k < n; k++) out[y * n + x] += in[k * n + x];", []),  # all go together
        (X + Y + "for (int k = 0; k < in[y * n + x]; k++) out[k * n + x] = in[(k + y) * n + x];", []),  # rows of memory
        (X + "int y = 0;" + LEAVE + "out[x] = k;", []),  # a block is a row
        (X + Y + LEAVE + "__syncthreads(); out[y * n + x] = k;", []),
        (X + Y + "__shared__ int s; s = 1;" + LEAVE + "out[y * n + x] = k;", []),
        (X + Y + LEAVE + "out[y * n + x] = __shfl_sync(~0u, k, 0);", []),
    ],
)
def test_gangs_are_tiles_where_lanes_part(body: str, lanes: list[int]) -> None:
    assert tiles_of(body) == lanes


def test_debuggers_see_threads_side_by_side() -> None:
    assert tiles_of(X + Y + LEAVE + "out[y * n + x] = k;", Options(debug="full")) == []
