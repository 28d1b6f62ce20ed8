"""Traversals whose lanes take one query after the other (`--traverse=refill`)."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front import module
from numpy.typing import NDArray
from test_cuda_text import nvcc
from traversals import program, queries_of, tree_of

from simt2simd import RawKernel
from simt2simd.command import cuda_text
from simt2simd.interp.run import run
from simt2simd.options import Options, Traverse
from simt2simd.pipeline import compile_device
from simt2simd.pipeline.results import ROPES
from simt2simd.runtime import LaunchError
from simt2simd.source import Source
from simt2simd.transform.traversals.lane_refill import lane_refill, refused
from simt2simd.transform.traversals.refilled.kernel import LEAST_BLOCKS, MOST_QUERIES
from simt2simd.transform.traversals.ropes import ropes
from simt2simd.tree import legal, show
from simt2simd.tree.calls import reached_functions

pytestmark = pytest.mark.unoptimised

Array = NDArray[Any]

# ------------------------------------------------------------------------------------------- every thread runs once

# Counts how often each thread runs, and sums the numbers below its key in a tree of 127 nodes.
COUNTING = """
__device__ void visit(const int *keys, int n, int key, int *sum) {
    if (n >= 127) return;
    if (keys[n] < key) { *sum += n; visit(keys, 2 * n + 2, key, sum); }
    visit(keys, 2 * n + 1, key, sum);
}
__device__ int below(const int *keys, int key) {
    int sum = 0;
    if (key < 0) return -key;
    visit(keys, 0, key, &sum);
    return sum;
}
__global__ void k(const int *keys, const int *wanted, int count, int *sums, int *runs) {
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int i = ((block * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    runs[i]++;
    if (i >= count) return;
    sums[i] = below(keys, wanted[i]);
}
"""
KEYS = np.random.default_rng(1).permutation(127).astype(np.int32)


@functools.cache
def counting() -> RawKernel:
    return RawKernel(COUNTING, "k", options=("--traverse=refill", "-O1", "--disable=query-order"))


def subtree(n: int, key: int) -> int:
    """Return what a visit adds up; only smaller keys lead to the right."""
    if n >= 127:
        return 0
    right = n + subtree(2 * n + 2, key) if KEYS[n] < key else 0
    return right + subtree(2 * n + 1, key)


SUMS = np.array([subtree(0, key) for key in range(130)])


@pytest.mark.parametrize(
    ("grid", "block"),
    [
        ((1,), (1,)),
        ((7,), (33,)),
        ((3,), (1024,)),
        ((5, 3, 2), (3, 5, 7)),
        ((2, 1030), (1, 2, 3)),
        ((2 * LEAST_BLOCKS - 1,), (2,)),
        ((2 * LEAST_BLOCKS,), (17,)),
        ((3 * LEAST_BLOCKS + 1,), (3,)),
        ((MOST_QUERIES * LEAST_BLOCKS + 5,), (1,)),
        ((17, 2, LEAST_BLOCKS), (2, 1, 2)),
    ],
)
def test_every_thread_runs_once(grid: tuple[int, ...], block: tuple[int, ...]) -> None:
    threads = int(np.prod(grid) * np.prod(block))
    wanted = np.random.default_rng(threads).integers(-5, 130, threads).astype(np.int32)
    right = np.where(wanted < 0, -wanted, SUMS[np.maximum(wanted, 0)])
    for count in (threads, threads * 2 // 3, 0):
        sums, runs = np.full(threads, -1, np.int32), np.zeros(threads, np.int32)
        counting()(grid, block, (KEYS, wanted, np.int32(count), sums, runs))
        np.testing.assert_array_equal(runs, 1)
        np.testing.assert_array_equal(sums, np.where(np.arange(threads) < count, right, -1))


def test_a_stack_that_is_full_ends_the_launch() -> None:
    code = """
    __device__ void visit(int level, int *sum) {
        if (level > 0) { visit(level - 1, sum); visit(0, sum); }
        *sum += level;
    }
    __global__ void k(const int *levels, int *sums) {
        int sum = 0;
        visit(levels[threadIdx.x], &sum);
        sums[threadIdx.x] = sum;
    }
    """
    kernel = RawKernel(code, "k", options=("--traverse=refill",))
    levels, sums = np.full(40, 3, np.int32), np.zeros(40, np.int32)
    kernel((1,), (40,), (levels, sums))
    assert sums.tolist() == [6] * 40
    levels[29] = 2000
    with pytest.raises(LaunchError, match="the traversal is too deep for its stack"):
        kernel((1,), (40,), (levels, sums))


# ------------------------------------------------------------------------------------------- kernels of several forms

DIGEST = "q.sum * 7 + q.x * 3 + q.fuel + q.a[0] + q.a[1] * 2 + q.a[2] * 3 + q.a[3] * 5"
PARAMS = "const Node *nodes, Query *queries, int *out, int how"
FORMS = {
    "plain": f"""
    __global__ void k({PARAMS}) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        Query q = queries[i];
        visit(nodes, 0, i, &q);
        out[i] += {DIGEST};
    }}""",
    "memory": f"""
    __global__ void k({PARAMS}) {{
        Query *q = queries + blockIdx.x * blockDim.x + threadIdx.x;
        visit(nodes, 0, how, q);
    }}""",
    "returns": f"""
    __device__ int search(const Node *nodes, int w, Query *q) {{
        for (int j = 0; j < 2; j++) {{ if (q->x & 2) continue; if ((q->a[j] & 7) == j + 1) return j; }}
        if (w > 4) {{ if (q->x & 1) return -7; note(q, 3); }}
        visit(nodes, 0, w, q);
        if (q->sum & 1) return 5;
        return q->sum;
    }}
    __global__ void k({PARAMS}) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x, next = how;
        Query q = queries[i];
        if (q.x & 8) {{ int back = -search(nodes, i, &q); if (back & 2) {{ out[i] = back; return; }} next += back; }}
        out[i] += {DIGEST} + next;
    }}""",
    "launch": f"""
    __device__ int search(const Node *nodes, int how, Query *q) {{
        switch (how) {{
        case 0: return 1;
        case 1: visit(nodes, 1, 2, q); return 2;
        case 2: note(q, 4);
        case 3: visit(nodes, 0, how, q); break;
        default: if (q->x & 1) visit(nodes, 2, how, q); else visit(nodes, 3, q->x, q);
        }}
        note(q, how);
        return q->sum;
    }}
    __global__ void k({PARAMS}) {{
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        const int first[2] = {{i, queries[i].x}};
        Query q = {{0, first[1], 40, {{1, 2, 3, i}}}};
        const int found = search(nodes, how, &q);
        if (found > 0) out[i] = first[found & 1];
        out[i] += {DIGEST} + found;
    }}""",
    "parameters": f"""
    struct Pair {{ int first, second[2]; }};
    __device__ int search(struct Pair pair, const Node *nodes, int *w, Query *q) {{
        visit(nodes, pair.second[1], *w, q);
        return *w += pair.first;
    }}
    __global__ void k({PARAMS}) {{
        queries += blockIdx.x * blockDim.x;
        Query q = queries[threadIdx.x];
        how += threadIdx.x;
        struct Pair pair = {{how, {{7, 2}}}};
        int *to = &how, found = search(pair, nodes, to, &q);
        out[blockIdx.x * blockDim.x + threadIdx.x] = {DIGEST} + how * found;
    }}""",
    "threads choose": f"""
    __global__ void k({PARAMS}) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        Query q = queries[i];
        int key = q.a[1];
        if (q.x & 1) {{
            const int w = q.a[0] & 7;
            visit(nodes, 0, w, &q);
            key += w;
        }} else if (key & 1) {{
            for (int j = 0; j < 1; j++) {{ visit(nodes, 3, 1, &q); key ^= j + 9; }}
        }} else key = 4;
        out[i] += {DIGEST} + key;
    }}""",
}


def seeds() -> list[Any]:
    """Each form with one traversal, and with many in slow tests."""
    found = []
    for number, form in enumerate(FORMS):
        for seed in range(number, 50, len(FORMS)):
            marks = [pytest.mark.slow(f"refill {seed}")] * (seed >= len(FORMS))
            found.append(pytest.param(form, seed, marks=marks, id=f"{form} {seed}"))
    return found


@pytest.mark.parametrize(("form", "seed"), seeds())
def test_random_traversals(form: str, seed: int) -> None:
    """What becomes of a kernel does what it did, for the interpreter and, now and then, as machine code."""
    code = program(seed).partition("__global__")[0] + FORMS[form]
    before = module(code)
    after = lane_refill(before)
    if refused(before):
        pytest.skip(refused(before)[0].why)
    legal.check(after, "lane-refill")
    nodes, (grid, block) = tree_of(seed), ((1, 33), (2, 16), (3, 7))[seed % 3]
    queries = queries_of(seed, grid * block)
    for how in (1, 3, 4) if form == "launch" else (2,):
        results = []
        ways: list[Callable[..., None]]
        ways = [functools.partial(run, before, "k"), functools.partial(run, ropes(after), "k")]
        if seed % 2 == 0 or seed >= len(FORMS):
            ways.append(compiled(code))
        for way in ways:
            own, out = queries.copy(), np.zeros(grid * block, np.int32)
            way((grid,), (block,), [nodes, own, out, np.int32(how)])
            results.append((own, out))
        for own, out in results[1:]:
            np.testing.assert_array_equal(out, results[0][1])
            np.testing.assert_array_equal(own, results[0][0])


def compiled(code: str) -> RawKernel:
    return RawKernel(code, "k", options=("--traverse=refill", "-O1", "--disable=query-order"))


def test_most_random_traversals_are_refilled() -> None:
    codes = [program(seed).partition("__global__")[0] + FORMS["returns"] for seed in range(5)]
    assert sum(not refused(module(code)) for code in codes) >= 4


def test_long_work_is_done_together() -> None:
    code = COUNTING.replace(
        "if (n >= 127) return;", "if (n >= 127) { for (int i = 0; i < key; i++) *sum += i; return; }"
    )
    lines = [line.strip() for line in show.show_functions(lane_refill(module(code)))["k"].splitlines()]
    assert lines.count("for (;;) {") == 2
    after = lines[lines.index("if (over) {") :]
    assert after[1:5] == ["break;", "}", "for (int i_2 = 0; i_2 < key; i_2++) {", "sum += i_2;"]
    legal.check(lane_refill(module(code.replace("if (key < 0)", "if (!keys)"))), "an arm without a call")
    wanted = np.random.default_rng(3).integers(-5, 130, 200).astype(np.int32)
    results = []
    for form in ("none", "refill"):
        sums, runs = np.zeros(200, np.int32), np.zeros(200, np.int32)
        RawKernel(code, "k", options=(f"--traverse={form}",))((5,), (40,), (KEYS, wanted, np.int32(199), sums, runs))
        np.testing.assert_array_equal(runs, 1)
        results.append(sums)
    np.testing.assert_array_equal(results[1], results[0])


def test_what_a_launch_decides_is_decided_once() -> None:
    code = program(0).partition("__global__")[0] + FORMS["launch"]
    text = show.show_functions(lane_refill(module(code)))["k"]
    assert text.count("atomicAdd(&next, 1u)") == text.count("for (;;)") == 5
    assert "visit(" not in text


# ------------------------------------------------------------------------------------------- what stays as it is


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("runs[i]++", "atomicAdd(&runs[i], 1)", "threads of 'k' may know of each other"),
        ("runs[i]++", "__shared__ int s; s = i", "threads of 'k' may know of each other"),
        ("sums[i] = below", "sums[i] = below(keys, i) + below", "a call of 'below' is a part of an expression"),
        ("sums[i] = below", "below(keys, i); sums[i] = below", "a thread may call 'visit' more than once"),
        (
            "sums[i] = below",
            "for (int j = 0; j < i; j++) sums[i] += below",
            "how often the loop around a call of 'visit' runs is not constant",
        ),
        (
            "visit(keys, 2 * n + 1, key, sum);\n}",
            "const int *p = &n; for (int j = 0; j < *p; j++) visit(keys, 2 * n + 1, key, sum);\n}",
            "the address of parameter 'n' is taken",
        ),
    ],
)
def test_kernels_that_stay_as_they_are(old: str, new: str, why: str) -> None:
    assert COUNTING.count(old) == 1
    before = module(COUNTING.replace(old, new))
    (found,) = refused(before)
    assert (found.name, found.why) == ("k", why)
    assert lane_refill(before).functions["k"] is before.functions["k"]


def test_several_recursive_functions() -> None:
    code = COUNTING.replace("runs[i]++", "runs[i] = f(i)").replace(
        "__global__", "__device__ int f(int n) { return n < 1 ? n : f(n - 1); }\n__global__"
    )
    assert [found.why for found in refused(module(code))] == ["'k' calls several recursive functions: f, visit"]


def test_remark() -> None:
    code = COUNTING.replace("runs[i]++", "atomicAdd(&runs[i], 1)")
    result = compile_device(Source("k.cu", code), Options(traverse=Traverse.REFILL))
    (remark,) = [remark for remark in result.remarks() if remark.kind == "refill"]
    assert remark.instruction == "its lanes take one query each"
    assert remark.why == "threads of 'k' may know of each other"
    assert "visit" in reached_functions(result[ROPES])["k"]


def test_counted_traversals() -> None:
    result = compile_device(Source("k.cu", COUNTING), Options(traverse=Traverse.REFILL, stats=True))
    (remark,) = [remark for remark in result.remarks() if remark.kind == "refill"]
    assert remark.why == "visits are counted for each call of a traversal"


def test_loops_over_a_stack_of_the_thread_are_refilled() -> None:
    code = """
    __global__ void k(const int *left, const int *keys, const int *wanted, int *sums) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int stack[64], top = 0, sum = 0;
        stack[top++] = 0;
        while (top > 0) {
            int n = stack[--top];
            if (keys[n] > wanted[i]) continue;
            sum += keys[n];
            if (left[n] > 0) { stack[top++] = left[n] + 1; stack[top++] = left[n]; }
        }
        sums[i] = sum;
    }
    """
    assert refused(compile_device(Source("k.cu", code), Options(), until="stack-loops").module) == []
    left = np.array([2 * n + 1 if n < 63 else 0 for n in range(127)], np.int32)
    keys, wanted = np.arange(127, dtype=np.int32), np.random.default_rng(2).integers(0, 200, 3 * 40).astype(np.int32)
    expected, sums = np.zeros(120, np.int32), np.zeros(120, np.int32)
    RawKernel(code, "k", options=("--traverse=none",))((3,), (40,), (left, keys, wanted, expected))
    RawKernel(code, "k", options=("--traverse=refill",))((3,), (40,), (left, keys, wanted, sums))
    np.testing.assert_array_equal(sums, expected)


def test_lanes_do_not_vote() -> None:
    code = """
    __device__ void visit(const int *keys, int n, int key, int *found) {
        if (n >= 127 || *found > 5) return;
        *found += keys[n] % 3;
    #pragma s2s any_order
        if (key < keys[n]) { visit(keys, 2 * n + 1, key, found); visit(keys, 2 * n + 2, key, found); }
        else { visit(keys, 2 * n + 2, key, found); visit(keys, 2 * n + 1, key, found); }
    }
    __global__ void k(const int *keys, int *found) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        visit(keys, 0, i, &found[i]);
    }
    """
    before = module(code)
    assert refused(before) == []
    assert "vote" not in show.show_functions(lane_refill(before))["k"]
    results: list[Array] = []
    for form in ("none", "refill"):
        results.append(np.zeros(80, np.int32))
        text = code if form == "refill" else code.replace("#pragma s2s any_order", "")
        RawKernel(text, "k", options=(f"--traverse={form}", "-O1"))((2,), (40,), (KEYS, results[-1]))
    np.testing.assert_array_equal(results[1], results[0])


def test_it_is_cuda_too(tmp_path: Path) -> None:
    made = cuda_text.emit(Source("k.cu", COUNTING), Options(traverse=Traverse.REFILL))
    assert made.left == ()
    assert "atomicAdd(&next, 1u)" in made.text
    if shutil.which("nvcc"):
        nvcc(made.text, tmp_path)


def test_threads_that_could_be_sorted_are_not_left_out() -> None:
    """A launch that tries some blocks before it sorts the rest would miss those whose work is done by others."""
    code = """
    __device__ void visit(const float *keys, int n, float x, int *sum) {
        if (n >= 4095 || x < 0) return;
        if (keys[n] < x) *sum += n;
        visit(keys, 2 * n + (keys[n] < x ? 2 : 1), x, sum);
        if (n % 7 == 0) visit(keys, 2 * n + 1, x, sum);
    }
    __global__ void k(const float *keys, const float *x, int *sums) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
        visit(keys, 0, x[i], &sum);
        sums[i] = sum;
    }
    """
    rng = np.random.default_rng(5)
    keys, x = rng.random(4095).astype(np.float32), rng.random(1500 * 128).astype(np.float32)
    found = []
    for flags in (("--traverse=refill",), ("--traverse=refill", "--sort-queries"), ("--traverse=none",)):
        sums = np.full(len(x), -1, np.int32)
        RawKernel(code, "k", options=flags)((1500,), (128,), (keys, x, sums))
        found.append(sums)
    np.testing.assert_array_equal(found[0], found[2])
    np.testing.assert_array_equal(found[1], found[2])
