"""Which kernels have a version with wide gangs, and which neighbouring blocks run together."""

from __future__ import annotations

import numpy as np
import pytest

from simt2simd.mapping import block_merging
from simt2simd.mapping.block_merging import Strips
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.python.kernel import RawModule
from simt2simd.source import Source

GLOBAL = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
ROW = "int y = blockIdx.y * blockDim.y + threadIdx.y;"


def kernel(body: str) -> str:
    return f"__global__ void k(const float *in, float *out, int *counts, int n) {{ {body} }}"


def lanes_of(body: str, options: Options | None = None) -> list[int]:
    """The lanes of the gangs of each version of a kernel."""
    compiled = compile_device(Source("k.cu", kernel(body)), options or Options(), until="keep-versions")
    return [version.lanes for version in compiled.shapes.kernels["k"]]


def plan(body: str) -> Strips | None:
    compiled = compile_device(Source("k.cu", kernel(body)), Options(), until="keep-versions")
    return block_merging.plans(compiled.module, compiled.shapes.storage, "x").get("k")


LOOP = "float x = in[i]; for (int k = 0; k < n; k++) x = x * x + 0.5f; out[i] = x;"
SUM = "float x = 0; for (int k = 0; k < n; k++) x += in[k * n + i]; out[i] = x;"


@pytest.mark.parametrize(
    ("body", "lanes"),
    [
        (GLOBAL + LOOP, [16, 16, 64]),  # arithmetic
        (GLOBAL + "out[i] = in[i];", [16, 16, 64]),  # next to nothing
        (GLOBAL + ROW + "i += y * n;" + LOOP, [16, 16, 64]),  # its rows are fused
        ("int i = threadIdx.y * 32 + threadIdx.x;" + LOOP, [16, 16, 32]),  # rows may be short
        (GLOBAL + "out[i] = 0; for (int k = 0; k < n; k++) out[k * n + i] = in[i + k];", [16, 16]),  # reads and writes
        (GLOBAL + LOOP + "__syncthreads(); out[i] += 1;", [16, 16]),
        (GLOBAL + LOOP + "atomicAdd(&counts[i & 7], 1);", [16, 16]),
        (GLOBAL + "float a[99]; a[n] = 1;" + LOOP + "out[i] = a[n & 3];", [16, 16]),  # the first-level cache is small
        (GLOBAL + "for (int k = 0; k < n; k++) out[i] += in[counts[i + k]] * 2 + 1;", [16, 16]),  # gathers in a loop
    ],
)
def test_kernels_that_compute_have_wide_gangs(body: str, lanes: list[int]) -> None:
    assert lanes_of(body) == lanes


@pytest.mark.parametrize(
    ("body", "lanes"),
    [
        (SUM, [16, 16, 64]),
        ("float x = 0; for (int k = 0; k < n; k++) x = fmaxf(x, in[k * n + i] - in[k]); out[i] = x;", [16, 16, 64]),
        ("float x = 0; for (int k = 0; k < n; k++) x = x * in[i] + in[k]; out[i] = x;", [16, 16, 64]),
        ("float x = 0; for (int k = 0; k < n; k++) { x += in[k * n + i]; out[k * n + i] = x; }", [16, 16, 64]),
        ("for (int j = 0; j < n; j++) { float x = 0; for (int k = 0; k < 9; k++) x += in[i + k]; out[j * n + i] = x; }",
         [16, 16, 64]),
        ("float x = 0; for (int k = 0; k < n; k++) x += twice(in[k * n + i]); out[i] = x;", [16, 16, 64]),
        ("float x = 0; for (int k = 0; k < n; k++) x += first(in, i); out[i] = x;", [16, 16]),  # lanes diverge in it
        ("float x = 0; for (int k = 0; k < n; k++) x += in[i * n + k]; out[i] = x;", [16, 16]),  # gathers
        ("float x = 0; for (int k = i; k < n; k++) x += in[k]; out[i] = x;", [16, 16]),  # lanes leave one by one
        ("float x = 0; for (int k = 0; k < n; k++) if (in[k + i] < 0) x += in[k]; out[i] = x;", [16, 16]),  # they part
        ("float x = 0; for (int k = 0; k < n; k++) x = in[k * n + i]; out[i] = x;", [16, 16]),  # no neighbours
        ("int x = 0; for (int k = 0; k < n; k++) x += counts[k]; counts[i] = x;", [16, 16]),  # a scalar
    ],
)  # fmt: skip
def test_kernels_that_sum_up_have_wide_gangs(body: str, lanes: list[int]) -> None:
    functions = """
    __device__ float twice(float x) { return x * 2; }
    __device__ float first(const float *in, int i) { while (in[i] > 0) i++; return in[i]; }
    """
    compiled = compile_device(Source("k.cu", functions + kernel(GLOBAL + body)), Options(), until="keep-versions")
    assert [version.lanes for version in compiled.shapes.kernels["k"]] == lanes


LIST = "int k = counts[i]; while (k >= 0) k = counts[k]; out[i] = k;"
BINARY = """int low = 0, high = n;
while (low < high) { int m = (low + high) / 2; if (in[m] < out[i]) low = m + 1; else high = m; }"""


@pytest.mark.parametrize(
    ("body", "lanes"),
    [
        (GLOBAL + LIST, [16, 16, 64]),
        (
            GLOBAL + "int k = 1; while (k < n) k = 2 * k + (in[k] < out[i]); out[i] = k;",
            [16, 16, 64],
        ),  # an implicit tree
        (GLOBAL + BINARY + "out[i] = low;", [16, 16, 64]),
        (GLOBAL + LIST + "atomicAdd(&counts[i], k);", [16, 16, 64]),  # once, after it
        (GLOBAL + "int k = counts[i]; while (k >= 0) k = atomicAdd(&counts[k], 1);", [16, 16]),
        (GLOBAL + "int k = counts[i]; while (k >= 0) { out[k] = 1; k = counts[k]; }", [16, 16]),  # it writes
        (GLOBAL + "int k = n; while (k >= 0) k = counts[k]; out[i] = k;", [16, 16]),  # one place for all lanes
        (
            GLOBAL + "int m = 0; for (int k = 0; k < n; k++) if (in[k * n + i] < in[m * n + i]) m = k; out[i] = m;",
            [16, 16],
        ),
        (GLOBAL + "__syncthreads();" + LIST, [16, 16]),
    ],
)
def test_kernels_that_chase_have_wide_gangs(body: str, lanes: list[int]) -> None:
    assert lanes_of(body) == lanes


def test_called_functions_chase_too() -> None:
    code = """
    __device__ int next(const int *at, int k) { return k % 2 ? at[k] : at[k + 1]; }
    __device__ int last(const int *at, int k) { while (k >= 0) k = next(at, k); return k; }
    __global__ void k(const int *at, int *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = last(at, i); }
    """
    compiled = compile_device(Source("k.cu", code), Options(), until="keep-versions")
    assert [version.lanes for version in compiled.shapes.kernels["k"]] == [16, 16, 64]


@pytest.mark.parametrize("lanes", [None, 16, 32, 64])
def test_chases_add_once_in_gangs_of_all_widths(lanes: int | None) -> None:
    code = """
    __global__ void chase(const int *next, int *ends, double *steps, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, k = i;
        if (i >= n) return;
        int taken = 0;
        while (next[k] != k) { k = next[k]; taken++; }
        atomicAdd(&ends[k], 1);
        atomicAdd(&steps[k], (double)taken);
    }"""
    n = 3001
    following = np.maximum(np.arange(n, dtype=np.int32) - np.random.default_rng(2).integers(1, 90, n, np.int32), 0)
    following[:40] = np.arange(40)
    end, taken = np.arange(n), np.zeros(n)
    for i in range(40, n):
        end[i], taken[i] = end[following[i]], taken[following[i]] + 1
    ends, steps = np.zeros(n, np.int32), np.zeros(n)
    module = RawModule(code=code, options=() if lanes is None else (f"--lanes={lanes}",))
    module.get_function("chase")(((n + 127) // 128,), (128,), (following, ends, steps, n))
    assert np.array_equal(ends, np.bincount(end, minlength=n))
    assert np.array_equal(steps, np.bincount(end, taken, minlength=n))


@pytest.mark.parametrize("lanes", [16, 32, 64])
def test_lanes_can_be_chosen(lanes: int) -> None:
    chosen = [16, 16] + ([lanes] if lanes > 16 else [])
    assert lanes_of(GLOBAL + LOOP, Options(lanes=lanes)) == chosen
    assert lanes_of(GLOBAL + SUM, Options(lanes=lanes)) == chosen
    assert lanes_of(GLOBAL + "atomicAdd(&counts[i & 7], 1);", Options(lanes=lanes)) == [16, 16]
    assert lanes_of(GLOBAL + "float a[9999]; a[n] = 1;" + SUM + "out[i] = a[i & 3];", Options(lanes=lanes)) == [16, 16]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (GLOBAL + "out[i] = in[i];", Strips(long=True, fused=True)),
        (GLOBAL + LOOP, Strips(long=False, fused=True)),
        (GLOBAL + ROW + "out[y * n + i] = in[i];", Strips(long=True, fused=True)),
        (GLOBAL + ROW + "out[y * n + i] = blockIdx.x;", Strips(long=True, fused=False)),  # it sees where blocks end
        (GLOBAL + ROW + "out[y * n + i] = threadIdx.x;", Strips(long=True, fused=False)),
        (GLOBAL + "out[i] = blockDim.x;", Strips(long=True, fused=True)),  # the same in all blocks
        (GLOBAL + ROW + "out[y * (gridDim.x * blockDim.x) + i] = in[i];", Strips(long=True, fused=True)),
        (GLOBAL + ROW + "out[threadIdx.y * blockDim.x + i] = in[i];", Strips(long=True, fused=False)),
        (GLOBAL + "out[gridDim.x + blockIdx.x] = in[i];", None),
        (GLOBAL + "out[i] = in[i]; __syncthreads(); out[i] += 1;", None),
        (GLOBAL + "__shared__ int s[64]; s[i & 63] = 1; out[i] = s[i & 63];", None),  # one for each block
        (GLOBAL + "while (atomicAdd(&counts[0], 0) < n) ; out[i] = 1;", None),  # it waits for other blocks
    ],
)
def test_neighbouring_blocks_run_together(body: str, expected: Strips | None) -> None:
    assert plan(body) == expected


BLOCKS = [(1,), (15,), (16,), (17,), (31,), (32,), (33,), (48,), (64,), (100,), (256,), (1024,), (5, 3), (32, 8)]


@pytest.mark.parametrize("lanes", [None, 16, 32, 64])
@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_every_thread_runs_once(block: tuple[int, ...], lanes: int | None) -> None:
    """Where gangs span blocks, and where they do not: every thread of a grid counts itself once."""
    code = """
    __global__ void fused(int *seen, int width, int height) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < width && y < height) seen[y * width + x] += 1;
    }
    __global__ void as_wide_as_the_grid(int *seen, int width, int height) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < width && y < height) seen[y * (gridDim.x * blockDim.x - 5) + x] += blockDim.x;
    }
    __global__ void by_block(int *seen, int width, int height) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < width && y < height) seen[y * width + x] += blockIdx.x + 1000 * threadIdx.x + blockDim.x;
    }
    __global__ void looping(int *seen, int width, int height) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= height) return;
        int steps = 0;
        while (steps < x % 7 + y) steps++;
        seen[y * width + x] += steps;
    }"""
    flags = () if lanes is None else (f"--lanes={lanes}",)
    module = RawModule(code=code, options=flags)
    wide, high = (*block, 1)[:2]
    grid = (71, 3)
    x, y = np.meshgrid(np.arange(grid[0] * wide - 5), np.arange(grid[1] * high))
    height, width = x.shape
    expected = {
        "fused": np.ones_like(x),
        "as_wide_as_the_grid": np.full_like(x, wide),
        "by_block": x // wide + 1000 * (x % wide) + wide,
        "looping": x % 7 + y,
    }
    for name, values in expected.items():
        seen = np.zeros(width * height, np.int32)
        module.get_function(name)(grid, block, (seen, width, height))
        assert np.array_equal(seen.reshape(height, width), values), name


def straight(statement: str, first: str = "") -> str:
    statements = "".join(statement.replace("#", str(k)) for k in range(60))
    return f"{GLOBAL} float x = in[i], y = x; {first} {statements} out[i] = y;"


def test_long_straight_code_with_much_to_do_side_by_side_needs_no_wide_gangs() -> None:
    independent = "out[# * n + i] = (x * #.5f + 1.0f) * (x - #.25f) + (x + 3.0f) * (x * x - 4.0f);"
    chain = "y = (y * #.5f + 1.0f) * (y - #.25f) + (y + 3.0f) * (y * y - 4.0f); y = y * y + x;"
    assert lanes_of(straight(independent)) == [16, 16]
    assert lanes_of(straight(chain)) == [16, 16, 64]
    assert lanes_of(GLOBAL + f"float x = in[i]; {independent.replace('#', '2')}") == [16, 16, 64]


def test_a_chain_goes_through_the_members_of_a_struct() -> None:
    chain = "s.a = (s.a * #.5f + 1.0f) * (s.a - #.25f) + (s.a + 3.0f) * (s.a * s.a - 4.0f); y = s.a;"
    assert lanes_of(straight(chain, "struct S { float a, b; } s = {x, x};")) == [16, 16, 64]
