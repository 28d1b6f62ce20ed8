"""Calls of functions with barriers: which become the functions' bodies, and that the result is the same program."""

from __future__ import annotations

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source
from simt2simd.transform.inline_barriers import inline_barriers
from simt2simd.tree import nodes as tree
from simt2simd.tree import show
from simt2simd.tree.walk import walk

FUNCTIONS = """
__device__ int shift(int *b, int v) {
    __shared__ int last;
    b[threadIdx.x] = v; __syncthreads(); int r = b[0]; if (threadIdx.x == 0) last = r; __syncthreads(); return r + last;
}
__device__ int twice(int *b, int v) { v = shift(b, v); return shift(b, v + 1); }
__device__ int early(int *b, int v) { if (v < 0) return 1; __syncthreads(); return b[0]; }
__device__ int deep(int *b, int v) { __syncthreads(); if (v > 0) { v = deep(b, v - 1); } return v; }
__device__ void wait() { __syncthreads(); }
"""


def inlined(body: str) -> tuple[tree.Module, int]:
    """The module with this kernel body, and the calls that are left in the kernel."""
    code = f"{FUNCTIONS} __global__ void k(int *out, int n) {{ __shared__ int b[64]; int x = n; {body} }}"
    module = inline_barriers(compile_device(Source("k.cu", code), Options(), until="tree")[results.TREE])
    (kernel,) = module.kernels
    return module, sum(isinstance(node, tree.Call) for node in walk(kernel.body))


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("wait();", 0),
        ("(void)shift(b, x);", 0),
        ("x = shift(b, x); int y = shift(b, x + 1); out[0] = x + y;", 0),
        ("for (int k = 0; k < n; k++) { if (n > 3) x += shift(b, k); }", 0),
        ("for (int k = 0; k < n; k++) { if (n > 3) x = x + shift(b, k) * 2; }", 0),
        ("out[x] = twice(b, x);", 0),
        ("x = n > 2 && shift(b, x);", 1),
        ("x = n > 2 ? shift(b, x) : 0;", 1),
        ("x = shift(b, x) + shift(b, 1);", 2),
        ("x = out[0] + shift(b, x);", 1),
        ("x = early(b, x);", 1),
        ("x = deep(b, x);", 1),
        ("while (shift(b, x)) x++;", 1),
        ("for (int k = shift(b, x); k < 9; k++) x++;", 0),
        ("for (wait(); x < 9; x++) n++;", 0),
        ("int *p = &x; x = x + shift(b, *p);", 1),
    ],
)
def test_calls_that_are_left(body: str, left: int) -> None:
    assert inlined(body)[1] == left


def test_the_result_is_a_program() -> None:
    module, _ = inlined("out[x] = twice(b, x); x = shift(b, n); for (int k = shift(b, x); k < 9; k++) x++; out[1] = x;")
    again = compile_device(Source("again.cu", show.show(module)), Options())
    assert not any(isinstance(node, tree.Call) for node in walk(again.module.kernels[0].body))


def test_a_shared_variable_stays_one() -> None:
    module, _ = inlined("x = shift(b, n); out[1] = shift(b, x);")
    (kernel,) = module.kernels
    named = {node.variable for node in walk(kernel.body) if isinstance(node, tree.VarRef)}
    assert sum(variable.name == "last" for variable in named) == 1
    assert sum(variable.name == "r" for variable in named) == 2
