"""Threads of a warp that exchange values without a barrier: found, and run in step."""

from __future__ import annotations

import numpy as np
import pytest

from simt2simd import RawKernel, runtime
from simt2simd.analysis import warp_synchronous
from simt2simd.options import Options
from simt2simd.pipeline import OPTIMISATIONS, compile_device
from simt2simd.source import Source

SCAN = """
__global__ void k(int *a) {
    __shared__ int s[8][48];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = 16 + lane;
    a += blockIdx.x * blockDim.x;
    for (int k = 0; k < 16; k++)
        s[warp][k] = 0;
    s[warp][i] = a[threadIdx.x];
    for (int d = 1; d <= 16; d *= 2) {
        __threadfence_block();
        s[warp][i] += s[warp][i - d];
    }
    a[threadIdx.x] = s[warp][i];
}"""
REDUCE = """
__device__ void last_warp(volatile int *s, int i) {
    s[i] += s[i + 32];
    s[i] += s[i + 16];
    s[i] += s[i + 8];
    s[i] += s[i + 4];
    s[i] += s[i + 2];
    s[i] += s[i + 1];
}
__global__ void k(const int *a, int *sums) {
    __shared__ int s[256];
    int i = threadIdx.x;
    s[i] = a[blockIdx.x * 256 + i];
    __syncthreads();
    for (int d = 128; d >= 64; d /= 2) {
        if (i < d) s[i] += s[i + d];
        __syncthreads();
    }
    if (i < 32) last_warp(s, i);
    if (i == 0) sums[blockIdx.x] = s[0];
}"""


def found(code: str) -> str:
    """Where the first kernel's exchange is: the lines of the store and the load, or nothing."""
    module = compile_device(Source("k.cu", code), Options(), until="outline").module
    places = [f"{item.store.span.line} {item.load.span.line}" for item in warp_synchronous.find(module).values()]
    return "".join(places)


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("s[i] = 1;\n__threadfence_block();\nx[i] = s[i + 1];", "1 3"),
        ("s[i] = 1;\n__threadfence();\nx[i] = s[i];", ""),  # its own element
        ("s[i] = 1;\nx[i] = s[n];", ""),  # it is not volatile, and may be the thread's own
        ("s[i] = 1;\n__threadfence_block();\n__syncthreads();\nx[i] = s[i + 1];", ""),
        ("if (i < n)\ns[i] = 1;\n__threadfence_block();\nif (n)\nx[i] = s[i + 1];", "2 5"),
        ("s[i] = 1;\nif (n) __syncthreads();\n__threadfence_block();\nx[i] = s[i + 1];", "1 4"),
        ("volatile int *p = s;\np[i] = 1;\nx[i] = p[i + 1];", "2 3"),
        ("volatile int *p = x;\np[i] = 1;\nx[i] = p[i + 1];", ""),  # not shared
        ("for (int k = 0; k < n; k++) {\nx[i] += s[k];\ns[i] = k;\n__threadfence_block(); }", "3 2"),
        ("for (int k = 0; k < n; k++) {\nx[i] += s[k];\n__syncthreads();\ns[i] = k;\n__threadfence_block();\n"
         "__syncthreads(); }", ""),
        ("switch (n) { case 1:\ns[i] = 1; }\n__threadfence_block();\nx[i] = s[n];", "2 4"),
    ],
)  # fmt: skip
def test_exchanges_are_found(body: str, places: str) -> None:
    code = f"__global__ void k(int *x, int n) {{ __shared__ int s[64]; int i = threadIdx.x; {body} }}"
    assert found(code) == places


def test_exchanges_are_found_across_calls() -> None:
    assert found(REDUCE) == "3 4"
    assert found(REDUCE.replace("volatile ", "")) == "3 4"


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("s[i] = 1;\nx[i] = s[i + 1];", "1 2"),
        ("s[i] = 1;\n__syncthreads();\nx[i] = s[i + 1];", ""),
        ("s[i] = 1;\nx[i] = s[i];", ""),
        ("s[i] = 1;\nx[i] = s[i + 32];", ""),  # another warp's
        ("s[i] = 1;\nif (i == 0)\nfor (int k = 0; k < 17; k++)\nx[k] = s[k];", "1 4"),
        ("s[i] = 1;\nif (i == 0)\nfor (int k = 0; k < 1; k++)\nx[k] = s[k];", ""),
        ("s[i] = 1;\nif (i == 0)\nx[0] = s[0];", ""),  # thread 0's own element
        ("s[i] = 1;\nif (!i)\nx[0] = s[16];", "1 3"),
        ("if (i != 0) return;\ns[i] = 1;\ns[1] = 2;\nx[0] = s[1];", ""),  # one thread alone
        ("s[i & 31] = 1;\nx[i] = s[31 - (i & 31)];", "1 2"),
        ("int *p = s + 16 + i;\n*p = 1;\nx[i] = p[-2];", "2 3"),
        ("for (int k = 0; k < 4; k++)\ns[4 * i + k] = k;\nfor (int j = 0; j < 4; j++)\nx[j] += s[4 * i + j];", ""),
        ("for (int k = 0; k < 4; k++)\ns[k + 4 * i] = k;\nfor (int j = 0; j < 5; j++)\nx[j] += s[4 * i + j];", "2 4"),
        ("s[blockIdx.x + i] = 1;\nx[i] = s[blockIdx.x + i + 1];", "1 2"),
        ("s[blockIdx.x + i] = 1;\nx[i] = s[i + 1];", ""),  # unknown
        ("for (int d = 1; d < n; d *= 2)\nif (i < d) s[i] += s[i + d];", ""),  # the elements below d, and the others
        ("if (i < 16)\ns[i] += s[i + 16];", ""),
        ("if (i < 16) {\ns[i] += s[i + 16];\ns[i] += s[i + 8]; }", "2 3"),
        ("if (i < 16 && n > 2)\ns[i] = 1;\nelse\nx[i] = s[i];", ""),
        ("if (i == 0)\ns[0] = n;\nx[i] = s[0];", "2 3"),
        ("s[0] = n;\nx[i] = s[0];", ""),  # each thread has written it
        ("if (i == n)\ns[i] = 1;\nx[i] = s[i + 1];", ""),  # the writer is unknown
        ("if (i == 0) s[0] = 1;\ndo {\n__syncthreads(); } while (s[0]);", ""),
    ],
)  # fmt: skip
def test_loads_of_what_others_surely_wrote_are_exchanges_without_a_fence(body: str, places: str) -> None:
    code = f"__global__ void k(int *x, int n) {{ __shared__ int s[256]; int i = threadIdx.x; {body} }}"
    assert found(code) == places


def test_a_thread_reads_what_its_warp_has_just_written() -> None:
    code = """
    __global__ void k(const int *a, int *sums) {
        extern __shared__ int s[];
        int column[20];
        s[threadIdx.x] = a[threadIdx.x];
        __syncthreads();
        if (threadIdx.x < 20) {
            int sum = 0;
            for (int i = threadIdx.x; i < blockDim.x; i += 20) sum += s[i];
            s[threadIdx.x] = sum;
        }
        if (!threadIdx.x)
            for (int k = 0; k < 20; k++) sums[k] = column[k] = s[k];
    }"""
    a, sums = np.arange(100, dtype=np.int32), np.zeros(20, np.int32)
    RawKernel(code, "k")((1,), (100,), (a, sums), shared_mem=400)
    np.testing.assert_array_equal(sums, a.reshape(5, 20).sum(axis=0))


@pytest.mark.parametrize("threads", [32, 64, 100, 256])
def test_a_scan_by_warps(threads: int) -> None:
    a = np.ones((5, threads), np.int32)
    RawKernel(SCAN, "k")((5,), (threads,), (a,))
    np.testing.assert_array_equal(a, np.broadcast_to(np.arange(threads) % 32 + 1, a.shape))


def test_a_sum_whose_last_warp_needs_no_barriers() -> None:
    a, sums = np.arange(7 * 256, dtype=np.int32), np.zeros(7, np.int32)
    RawKernel(REDUCE, "k")((7,), (256,), (a, sums))
    np.testing.assert_array_equal(sums, a.reshape(7, 256).sum(axis=1))


@pytest.mark.parametrize("code", [SCAN, REDUCE])
def test_gangs_of_a_warp_are_no_optimisation(code: str) -> None:
    """Without any optimisation, kernels that need gangs of 32 get them all the same."""
    a, b, sums = np.ones(256, np.int32), np.ones(256, np.int32), np.zeros(2, np.int32)
    for data, out, options in ((a, sums[:1], ()), (b, sums[1:], (f"--disable={','.join(OPTIMISATIONS)}",))):
        args = (data,) if code is SCAN else (data, out)
        RawKernel(code, "k", options)((1,), (256,), args)
    assert (a == b).all() and sums[0] == sums[1] and (a.max() == 32 or sums[0] == 256)


def test_the_same_where_lanes_wait_at_barriers_and_act_one_by_one() -> None:
    code = REDUCE.replace("sums[blockIdx.x] = s[0];", "atomicAdd(sums, s[0]);")
    a, sums = np.arange(7 * 256, dtype=np.int32), np.zeros(1, np.int32)
    RawKernel(code, "k", ("--disable=barrier-fission",))((7,), (256,), (a, sums))
    assert sums[0] == a.sum()


@pytest.mark.parametrize("shape", [(8, 8), (3, 5, 7), (32, 2), (48, 2), (1, 33)])
def test_warps_of_blocks_with_rows(shape: tuple[int, ...]) -> None:
    threads = int(np.prod(shape))
    linear = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
    code = SCAN.replace("int *a) {", f"int *a) {{ int t = {linear};").replace("a += blockIdx.x * blockDim.x", "")
    a = np.ones(threads, np.int32)
    RawKernel(code.replace("threadIdx.x / 32", "t / 32").replace("threadIdx.x % 32", "t % 32").replace(
        "[threadIdx.x]", "[t]"), "k")((1,), shape, (a,))  # fmt: skip
    np.testing.assert_array_equal(a, np.arange(threads) % 32 + 1)


def test_warps_of_blocks_that_hthreads_share() -> None:
    a, kernel = np.ones(64, np.int32), RawKernel(SCAN, "k")
    runtime.configure(hthreads_per_block=2)
    try:
        kernel((1,), (64,), (a,))
    finally:
        runtime.configure()
    np.testing.assert_array_equal(a, np.arange(64) % 32 + 1)
