"""`#pragma s2s any_order`: the lanes of a gang vote which child they all visit first."""

from __future__ import annotations

import numpy as np
import pytest
from front import module

from simt2simd import RawKernel
from simt2simd.diag import CompileError
from simt2simd.interp.run import run
from simt2simd.options import Options
from simt2simd.pipeline import Compiled, compile_device
from simt2simd.source import Source
from simt2simd.tree import show

# The least distance to a key; the keys of node n's children lie on either side of its own.
CODE = """
__device__ void nearest(const float *keys, int n, int count, float x, float *best, int *visits) {
    if (n >= count) return;
    ++*visits;
    const float d = x - keys[n];
    *best = fminf(*best, d < 0 ? -d : d);
#pragma s2s any_order
    if (d < 0) {
        nearest(keys, 2 * n + 1, count, x, best, visits);
        if (-d < *best) nearest(keys, 2 * n + 2, count, x, best, visits);
    } else {
        nearest(keys, 2 * n + 2, count, x, best, visits);
        if (d < *best) nearest(keys, 2 * n + 1, count, x, best, visits);
    }
}
__global__ void k(const float *keys, int count, const float *x, float *out, int *visits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float best = 1e9f;
    int own = 0;
    nearest(keys, 0, count, x[i], &best, &own);
    out[i] = best;
    visits[i] = own;
}
"""


def keys_of(levels: int) -> np.ndarray:
    count = 2**levels - 1
    keys = np.zeros(count, np.float32)

    def fill(n: int, low: int, high: int) -> None:
        if n < count:
            keys[n] = (low + high) // 2
            fill(2 * n + 1, low, (low + high) // 2)
            fill(2 * n + 2, (low + high) // 2 + 1, high)

    fill(0, 0, count)
    return keys


def compiled(code: str, **options: object) -> Compiled:
    return compile_device(Source("k.cu", code), Options(check_ir=True, **options), until="partial-inlining")  # type: ignore[arg-type]


@pytest.mark.parametrize("block", [1, 15, 16, 17, 33, 48])
@pytest.mark.parametrize(
    "flags", [(), ("--lanes=32",), ("--traverse=recursive",), ("--traverse=ropes",), ("--verify",)]
)
def test_the_answers_are_those_of_any_order(block: int, flags: tuple[str, ...]) -> None:
    keys = keys_of(7)
    x = np.random.default_rng(block).uniform(-9, 140, 3 * block).astype(np.float32)
    out, visits = np.zeros_like(x), np.zeros(len(x), np.int32)
    RawKernel(CODE, "k", options=flags)((3,), (block,), (keys, np.int32(len(keys)), x, out, visits))
    np.testing.assert_array_equal(out, np.abs(x[:, None] - keys).min(axis=1))
    alone = np.zeros_like(x), np.zeros(len(x), np.int32)
    run(module(CODE), "k", (3,), (block,), [keys, len(keys), x, *alone])
    np.testing.assert_array_equal(out, alone[0])
    if block == 1 or flags == ("--traverse=ropes",):  # each thread decides for itself
        np.testing.assert_array_equal(visits, alone[1])


def test_half_the_lanes_are_not_a_majority() -> None:
    """The second arm is for the lanes of the first, too, if no more than half of them want it otherwise."""
    code = """
    __device__ void go(int depth, int *path, bool left) {
        if (depth == 0) return;
    #pragma s2s any_order
        if (left) { *path = *path * 2 + 1; go(depth - 1, path, left); }
        else { *path = *path * 2; go(depth - 1, path, left); }
    }
    __global__ void k(int *out, int lefts) {
        int path = 1;
        if (threadIdx.x != 3) go(2, &path, threadIdx.x < lefts);
        out[threadIdx.x] = path;
    }
    """
    kernel = RawKernel(code, "k")
    for lefts, path in ((0, 4), (8, 4), (9, 7), (15, 7)):  # of 15 lanes; lane 3 is not at work
        out = np.zeros(16, np.int32)
        kernel((1,), (16,), (out, lefts))
        assert out.tolist() == [1 if lane == 3 else path for lane in range(16)], lefts


def test_calls_are_not_merged() -> None:
    text = compiled(CODE).functions("merge-calls")["nearest"]
    assert "first_arm" not in text
    assert text.count("#pragma s2s any_order\n") == 1
    plain = compiled(CODE.replace("#pragma s2s any_order", "")).functions("merge-calls")["nearest"]
    assert "first_arm" in plain


def test_it_prints_as_it_is_read() -> None:
    code = CODE.replace("if (d < 0) {", "if (d == 0) return; else\n#pragma s2s any_order\nif (d < 0) {", 1)
    code = code.replace("#pragma s2s any_order\n    if (d == 0)", "if (d == 0)")
    text = show.show(module(code))
    assert text.count("#pragma s2s any_order") == code.count("#pragma s2s any_order")
    assert show.show(module(text)) == text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("if (d < 0) {", "*visits += 0; if (d < 0) {", "'#pragma s2s any_order' must precede an 'if'"),
        ("any_order", "anyorder", "unknown pragma '#pragma s2s anyorder': there is '#pragma s2s any_order'"),
        ("any_order", "", "unknown pragma '#pragma s2s': there is '#pragma s2s any_order'"),
    ],
)
def test_wrong_pragmas(old: str, new: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(CODE.replace(old, new, 1))
    assert [fault.message for fault in caught.value.diagnostics] == [message]
    assert caught.value.diagnostics[0].span.line == CODE.splitlines().index("#pragma s2s any_order") + 1
