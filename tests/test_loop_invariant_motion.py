"""What moves out of loops with barriers, and what stays."""

from __future__ import annotations

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source
from simt2simd.transform.loop_invariant_motion import loop_invariant_motion
from simt2simd.tree import nodes as tree
from simt2simd.tree.walk import walk


def moved(body: str) -> int:
    """How many values are computed before loops of this kernel."""
    code = f"__global__ void k(int *out, int n, int m) {{ __shared__ int s[64]; int t = threadIdx.x, x = n; {body} }}"
    module = loop_invariant_motion(compile_device(Source("k.cu", code), Options(), until="tree")[results.TREE])
    (kernel,) = module.kernels
    made = (node.variable.name for node in walk(kernel.body) if isinstance(node, tree.Declare))
    return sum(name == "hoisted" for name in made)


LOOP = "for (int i = 0; i < n; i++) { s[t] = i; __syncthreads(); %s __syncthreads(); }"


@pytest.mark.parametrize(
    ("use", "count"),
    [
        ("x += s[(t + 1) % blockDim.x];", 1),
        ("x += s[(t + 1) % blockDim.x] + s[(t + 1) % blockDim.x] + s[t / m];", 2),
        ("if (t < 5) out[t] = (int)(sinf(t * 0.5f) * s[0]);", 1),
        ("for (int k = 0; k < 3; k++) { out[t] += t % m; __syncthreads(); out[t] += k % n; }", 1),
        ("for (int k = 0; k < 3; k++) { __syncthreads(); x += i % n; }", 1),
        ("x += s[(t + 1) % 32];", 0),
        ("x += s[(t + i) % m];", 0),
        ("x = x % m;", 0),
        ("x += s[0] % m;", 0),
        ("x += max(t, n);", 0),
        ("int y = t; y++; x += y % m;", 0),
    ],
)
def test_what_moves(use: str, count: int) -> None:
    assert moved(LOOP % use) == count


def test_what_a_pointer_may_change_stays() -> None:
    assert moved("int y = t, *p = &y; " + LOOP % "*p = i; x += y % m;") == 0


def test_loops_without_barriers_are_left_to_llvm() -> None:
    assert moved("for (int i = 0; i < n; i++) out[i] = t % m;") == 0
