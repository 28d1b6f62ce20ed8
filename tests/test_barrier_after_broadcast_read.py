"""Barriers behind what all threads read: where they are added, where not, and what comes of it."""

from __future__ import annotations

import numpy as np
import pytest

from simt2simd import RawKernel
from simt2simd.analysis import writes_before_barrier
from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source
from simt2simd.tree import nodes as tree
from simt2simd.tree.effects import is_barrier
from simt2simd.tree.walk import walk

SUM = """
__device__ int sum(int x) {
    __shared__ int s[64];
    s[threadIdx.x] = x;
    __syncthreads();
    %s
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    return s[0];
}
extern "C" __global__ void k(int *out) {
    int t = threadIdx.x;
    int first = sum(t), second = sum(t * t);
    out[t] = first * 100000 + second;
}
"""


def added(code: str) -> int:
    """How many barriers the pass adds to a program."""
    compiled = compile_device(Source("k.cu", code), Options(check_ir=True), until="barrier-after-broadcast-read")
    before, after = (
        sum(is_barrier(node) for function in module.functions.values() for node in walk(function.body))
        for module in (compiled[results.INLINE_BARRIERS], compiled[results.BARRIER_AFTER_BROADCAST_READ])
    )
    return after - before


def kernel(body: str) -> str:
    return (
        "__global__ void k(int *out, int n) { __shared__ int s[64], next; struct S { int a, b; }; __shared__ S both;"
        f" int t = threadIdx.x, x = 0; {body} }}"
    )


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("__syncthreads(); x = s[0]; s[t] = x;", 1),
        ("__syncthreads(); int y = s[0] + t; x = y; s[t] = x;", 1),
        ("__syncthreads(); x = s[blockDim.x - 1]; if (t < n) s[t]++;", 1),
        ("__syncthreads(); x = next; atomicAdd(&next, 1);", 1),
        ("__syncthreads(); x = both.a; if (t == 0) both.a = n;", 1),
        ("while (true) { if (t == 0) next += 64; __syncthreads(); if (next > n) break; out[next + t] = t; }", 1),
        ("for (int i = 0; i < t; i++) { __syncthreads(); x += s[0]; s[t] = x; }", 0),
        ("__syncthreads(); x = s[0]; s[t] = x; if (x > t) { __syncthreads(); }", 0),
        ("__syncthreads(); x = s[0]; s[t] = x; if (x > n) { __syncthreads(); }", 1),
        ("for (;;) { __syncthreads(); x = s[0]; s[t] = x; if (s[0] > n) break; }", 1),
        ("for (;;) { __syncthreads(); x = s[0]; s[t] = x; if (s[t] > n) break; }", 0),
        ("for (int i = 0; i < n; i++) { s[t] = i; __syncthreads(); x += s[0]; }", 1),
        ("do { s[t] = x; __syncthreads(); x += s[1]; } while (x < n);", 1),
        ("for (int i = 0; i < n; i++) { s[t] = i; __syncthreads(); } x = s[0]; s[t] = x;", 1),
        ("{ s[t] = t; { __syncthreads(); } } x = s[0]; s[t] = x;", 1),
        ("for (int i = 0; i < n; i++) { if (i == t) break; __syncthreads(); } x = s[0]; s[t] = x;", 0),
        ("{ __syncthreads(); { x = s[0]; } s[t] = x; }", 0),
        ("__syncthreads(); x = s[0]; out[t] = x;", 0),
        ("__syncthreads(); x = s[0]; __syncthreads(); s[t] = x;", 0),
        ("__syncthreads(); x = s[0]; next = x;", 0),
        ("__syncthreads(); x = s[0]; if (t == 0) s[1] = x;", 0),
        ("__syncthreads(); x = s[t ^ 1]; s[t] = x;", 0),
        ("__syncthreads(); s[t] = t; x = s[0]; s[t] = x;", 0),
        ("x = s[0]; s[t] = x;", 0),
        ("if (t < n) { __syncthreads(); x = s[0]; s[t] = x; }", 0),
        ("for (int i = 0; i < n; i++) { s[t] = i; __syncthreads(); x += s[0]; __syncthreads(); }", 0),
        ("for (int i = 0; i < n; i++) { __syncthreads(); x += s[0]; __syncthreads(); s[t] = i; }", 0),
    ],
)
def test_where_barriers_are_added(body: str, count: int) -> None:
    assert added(kernel(body)) == count


def test_what_callers_do_behind_the_end_of_a_function_counts() -> None:
    twice = "__global__ void k(int *out) { out[0] = f(1); out[1] = f(2); }"
    once = "__global__ void k(int *out) { out[0] = f(1); }"
    parted = "__global__ void k(int *out) { out[0] = f(1); __syncthreads(); out[1] = f(2); }"
    function = (
        "__device__ int f(int x) { __shared__ int s[32]; if (x > 5) return 0;"
        " s[threadIdx.x] = x; __syncthreads(); return s[0]; }"
    )
    assert [added(function + kernel) for kernel in (twice, once, parted)] == [1, 0, 0]


@pytest.mark.parametrize("early", ["", "if (blockDim.x == 1) return s[0];"], ids=["divided", "waiting"])
def test_a_sum_can_be_made_again_at_once(early: str) -> None:
    out = np.zeros(64, np.int32)
    RawKernel(SUM % early, "k")((1,), (64,), (out,))
    numbers = np.arange(64)
    assert (out == numbers.sum() * 100000 + (numbers**2).sum()).all()


def test_deep_loops_take_no_longer() -> None:
    depth = 24
    loops = "".join(f"for (int i{d} = 0; i{d} < n; i{d}++) {{ " for d in range(depth))
    code = kernel(f"{loops} s[t] = x; __syncthreads(); x += s[0]; {'}' * depth}")
    module = compile_device(Source("k.cu", code), Options(), until="tree")[results.TREE]
    reads = [node for node in walk(module.kernels[0].body) if isinstance(node, tree.Evaluate)]
    soon = writes_before_barrier.find(module)
    assert any(soon.after[read] for read in reads)


def test_threads_that_count_their_barriers_meet_as_written() -> None:
    code = """extern "C" __global__ void k(int *out, int n) {
        __shared__ int s[64], passed;
        int t = threadIdx.x, x = 0;
        s[t] = t + 5;
        if (t == 0) passed = 0;
        __syncthreads();
        for (int i = 0; i < 1 + 2 * (t & 1); i++) {
            __syncthreads();
            x += s[0];
            if (n > 10) s[n - 8 + (t & 1)] = x;
        }
        out[t] = x + 100 * passed;
        __syncthreads();
        __syncthreads();
        __syncthreads();
        if (t == 0) passed = 1;
        __syncthreads();
    }"""
    out = np.zeros(48, np.int32)
    RawKernel(code, "k")((1,), (48,), (out, 7))
    assert (out == np.where(np.arange(48) % 2, 15, 5)).all()
