"""Traversals as loops over a stack for each thread (`--traverse=ropes`), and the other forms that can be asked for."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from front import module
from test_cuda_text import nvcc
from traversals import program, queries_of, tree_of

from simt2simd import RawKernel
from simt2simd.command import cuda_text
from simt2simd.interp.run import run
from simt2simd.options import Options, Traverse
from simt2simd.pipeline import Compiled, compile_device, results
from simt2simd.runtime import LaunchError
from simt2simd.source import Source
from simt2simd.transform.traversals import ropes
from simt2simd.tree.calls import recursive_functions

TESTS = Path(__file__).parent

DOWN = """
__device__ void visit(const int *next, int n, int level, int *sum) {
    *sum += n;
    if (level > 0) { visit(next, next[n], level - 1, sum); visit(next, n + 1, 0, sum); }
}
__global__ void k(const int *next, const int *levels, int *sums) {
    int sum = 0;
    visit(next, threadIdx.x, levels[threadIdx.x], &sum);
    sums[threadIdx.x] = sum;
}
"""


def compiled(code: str, traverse: str) -> Compiled:
    return compile_device(Source("k.cu", code), Options(check_ir=True, traverse=Traverse(traverse)), until="llvm")


SEEDS = [pytest.param(seed, marks=[pytest.mark.slow(f"ropes {seed}")] * (seed >= 3)) for seed in range(60)]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_traversals(seed: int) -> None:
    code = program(seed)
    nodes, count = tree_of(seed), (1, 15, 16, 17, 33, 48)[seed % 6]
    queries = queries_of(seed, count)
    expected, found = np.zeros(count, np.int32), np.zeros(count, np.int32)
    theirs, ours = queries.copy(), queries.copy()
    run(module(code), "k", (1,), (count,), [nodes, theirs, expected])
    RawKernel(code, "k", options=("--traverse=ropes", "-O1"))((1,), (count,), (nodes, ours, found))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
def test_most_random_traversals_become_loops() -> None:
    loops = [not recursive_functions(ropes.ropes(module(program(seed)))) for seed in range(40)]
    assert sum(loops) >= 30


@pytest.mark.parametrize(("levels", "fits"), [(0, True), (200, True), (256, True), (257, False), (5000, False)])
def test_a_stack_that_is_full_ends_the_launch(levels: int, fits: bool) -> None:
    next_, sums = np.arange(1, 6001, dtype=np.int32), np.zeros(20, np.int32)
    wanted = np.where(np.arange(20) == 7, levels, 3).astype(np.int32)
    kernel = RawKernel(DOWN, "k", options=("--traverse=ropes",))
    if not fits:
        with pytest.raises(LaunchError, match=r"kernel 'k': .*: the traversal is too deep for its stack; --traverse="):
            kernel((1,), (20,), (next_, wanted, sums))
        return
    kernel((1,), (20,), (next_, wanted, sums))
    recursive = np.zeros(20, np.int32)
    RawKernel(DOWN, "k", options=("--traverse=none",))((1,), (20,), (next_, wanted, recursive))
    np.testing.assert_array_equal(sums, recursive)


@pytest.mark.parametrize(
    "body",
    [
        "if (n > 60) return n; return f(keys, keys[n] > x ? 2 * n + 1 : 2 * n + 2, x + 1);",
        "if (n > 60) return x; if (keys[n] & 1) { return f(keys, n + x % 3 + 1, n); } else return f(keys, n + 1, x);",
        "int had[3] = {x, n, 2}; if (had[n % 3] > 90 || n > 60) return had[x % 3]; return f(keys, n + 1, had[1]);",
        "for (int i = 0; i < 3; i++) if (keys[n] + i > x) return i; if (n > 9) return 9; return f(keys, n + 5, x);",
    ],
)
def test_calls_at_the_end_need_no_stack(body: str) -> None:
    code = f"""
    __device__ int f(const int *keys, int n, int x) {{ {body} }}
    __global__ void k(const int *keys, int *out) {{ out[threadIdx.x] = f(keys, threadIdx.x % 5, out[threadIdx.x]); }}
    """
    text = compiled(code, "ropes").functions("ropes")["f"]
    assert "_stack" not in text
    assert not recursive_functions(compiled(code, "ropes")[results.ROPES])
    keys = np.random.default_rng(1).integers(0, 100, 128).astype(np.int32)
    out = np.random.default_rng(2).integers(0, 100, 33).astype(np.int32)
    expected = out.copy()
    run(module(code), "k", (1,), (33,), [keys, expected])
    RawKernel(code, "k", options=("--traverse=ropes",))((1,), (33,), (keys, out))
    np.testing.assert_array_equal(out, expected)


def test_what_cannot_be_a_loop_says_why() -> None:
    code = """
    __device__ int sum(const int *next, int n) { return n < 0 ? 0 : n + sum(next, next[n]); }
    __global__ void k(const int *next, int *out) { out[threadIdx.x] = sum(next, threadIdx.x); }
    """
    (found,) = ropes.refused(module(code))
    assert found.why == "'sum' returns a value"
    result = compile_device(Source("k.cu", code), Options(traverse=Traverse.ROPES))
    (remark,) = [remark for remark in result.remarks() if remark.kind == "ropes"]
    assert (remark.instruction, remark.why) == ("it stays recursive", "'sum' returns a value")


def test_the_forms() -> None:
    code = DOWN
    walks = {
        form: bool(compiled(code, form)[results.STACK_WALKS]) for form in ("auto", "lockstep", "recursive", "none")
    }
    assert walks == {"auto": True, "lockstep": True, "recursive": False, "none": False}
    with pytest.raises(ValueError, match=r"option '--traverse': expected auto, .* or crec-block, got 'rope'"):
        RawKernel(code, "k", options=("--traverse=rope",))


def test_trap_ends_the_launch() -> None:
    code = "__global__ void k(int *out, int n) { if (out[threadIdx.x] > n) __trap(); out[threadIdx.x] = 7; }"
    out = np.arange(40, dtype=np.int32)
    RawKernel(code, "k")((1,), (40,), (out, 39))
    assert out.tolist() == [7] * 40
    out = np.arange(40, dtype=np.int32)
    with pytest.raises(LaunchError, match=r"kernel 'k': .*:1:\d+: __trap\(\)"):
        RawKernel(code, "k")((1,), (40,), (out, 38))


@pytest.mark.parametrize("path", ["corpus/kdtree.cu", "differential/recursion/alone.cu"])
def test_loops_are_cuda_too(path: str, tmp_path: Path) -> None:
    made = cuda_text.emit(cuda_text.read(str(TESTS / path)), Options(traverse=Traverse.ROPES))
    assert "_stack[" in made.text
    if shutil.which("nvcc"):
        nvcc(made.text, tmp_path)
