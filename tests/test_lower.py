"""Lowering: what it refuses, and shapes of code that no other test reaches."""

from __future__ import annotations

import numpy as np
import pytest

from simt2simd import CompileError, RawKernel


def test_too_much_local_memory_is_refused() -> None:
    code = "__global__ void k(int *a) {\n    int big[100000];\n    big[a[0]] = 1;\n    a[1] = big[a[2]];\n}"
    with pytest.raises(CompileError, match=r"<code>:2:\d+: error: the local variables of 'k' take more than 256 KiB"):
        RawKernel(code, "k").compile()


def test_the_highest_lane_wins_where_lanes_meet() -> None:
    code = "__global__ void k(int *a) { a[0] = threadIdx.x; a[1 + (threadIdx.x & 1)] = threadIdx.x; }"
    out = np.zeros(3, np.int32)
    RawKernel(code, "k")((1,), (16,), (out,))
    assert out.tolist() == [15, 14, 15]


def test_lanes_that_are_off_touch_no_memory() -> None:
    code = """
    __global__ void k(const int *in, int *out, int n, const int *none) {
        int i = threadIdx.x;
        if (i < n) out[i] = in[i] + in[2 * i] + in[(i * 7) % n];
        if (i > 100) out[i] = none[0] + none[i] + none[i * i];
    }
    """
    kernel = RawKernel(code, "k")
    for n in (1, 5, 16, 17, 31):
        data = np.arange(2 * n, dtype=np.int32)
        out = np.zeros(n, np.int32)
        kernel((1,), (48,), (data, out, n, None))
        i = np.arange(n)
        assert (out == data[i] + data[2 * i] + data[(i * 7) % n]).all()
