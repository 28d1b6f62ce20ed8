"""Recursive walks that become loops over a stack: which ones, and what becomes of their stack."""

from __future__ import annotations

import numpy as np
import pytest

from simt2simd import RawKernel
from simt2simd.options import Options
from simt2simd.pipeline import Compiled, compile_device, results
from simt2simd.runtime import LaunchError
from simt2simd.source import Source

HEAD = """
typedef struct { int key, left, right; } Node;
typedef struct { int sum; float x[2]; } Query;
__device__ bool above(int key, int i) { int m = key; m -= i; return m > 0; }
__device__ int number(const Query *q, int i) { return q->x[i] > 0; }
"""
KERNEL = """
__global__ void k(const Node *nodes, int *out) {
    Query q = {0, {1, 2}};
    visit(nodes, out, 0, &q);
    out[threadIdx.x] = q.sum;
}
"""
VISIT = "__device__ void visit(const Node *nodes, int *out, int n, Query *q) { const Node *node = &nodes[n]; %s }"


def compiled(code: str, options: Options | None = None) -> Compiled:
    return compile_device(Source("k.cu", code), options or Options(), until="llvm")


def is_loop(result: Compiled) -> bool:
    """Whether a version of `visit` is a loop over a stack."""
    functions = [f for f in result[results.LLVM].functions if f.name.startswith("visit")]
    assert functions
    return any(block.name.startswith("walk.round") for f in functions for block in f.blocks)


@pytest.mark.parametrize(
    "body",
    [
        "if (node->key < 0) return; visit(nodes, out, node->left, q); visit(nodes, out, node->right, q);",
        "q->sum++; if (node->left >= 0) visit(nodes, out, node->left, q); if (node->right) visit(nodes, out, 3, q);",
        "if (node->key < 0) q->sum += n; else { q->sum--; visit(nodes, out, node->left, q); visit(nodes, out, 1, q); }",
        "if (number(q, n & 1)) { visit(nodes, out, n - 1, q); const int m = n * 2; visit(nodes, out, m, q); return; }",
        "int had[2] = {n}; had[n & 1]++; visit(nodes, out, had[0], q); if (had[1] > 1) visit(nodes, out, had[1], q);",
        "float s; sincosf(q->x[0], &s, &q->x[1]); if (s > 0) visit(nodes, out, n + 1, q);",
        "q->sum++; { const bool m = q->sum > 9; if (m) visit(nodes, out, n + 1, q); visit(nodes, out, n + 2, q); }",
        # it writes anywhere, and what the calls depend on is in its own variables
        "out[n] = 1; const int l = node->left, m = out[n]; visit(nodes, out, l, q); if (m) visit(nodes, out, m, q);",
        "const int m = atomicAdd(out, 1); visit(nodes, out, n + 1, q); if (m < 9) visit(nodes, out, m, q);",
        # calls in loops
        "for (int i = 0; i < 64; i++) visit(nodes, out, n + i, q);",
        "q->sum++; for (int i = 7; i >= 0; i--) if (nodes[i].key) for (int j = 1; j <= 8; j++) visit(nodes, 0, j, q);",
        "if (node->key) { for (int i = 0; i < 8; i++) { if (i == node->left) break; visit(nodes, out, i, q); } }",
        "q->sum++; for (int i = 0; i < 3; i++) if (above(node->key, i)) visit(nodes, out, n + i, q);",
        "out[n] = 1; const int l = node->left; for (int i = 0; i < 8; i++) if (i < l) visit(nodes, out, n + i, q);",
        "if (q->sum > 9) { nodes++; } if (node->key) { visit(nodes, out, n, q); visit(nodes, out, n + 1, q); }",
    ],
)
def test_walks_become_loops(body: str) -> None:
    assert is_loop(compiled(HEAD + VISIT % body + KERNEL))


@pytest.mark.parametrize(
    "body",
    [
        # the second call depends on what the first one writes
        "q->sum++; visit(nodes, out, n + 1, q); if (q->sum < 9) visit(nodes, out, n + 2, q);",
        "q->sum++; visit(nodes, out, n + 1, q); visit(nodes, out, q->sum, q);",
        "out[n] = 1; visit(nodes, out, n + 1, q); if (node->key) visit(nodes, out, n + 2, q);",
        "atomicAdd(out, 1); visit(nodes, out, n + 1, q); if (node->key) visit(nodes, out, n + 2, q);",
        "out[n] = 1; int m = n; ((int **)out)[9] = &m; visit(nodes, out, n + 1, q); if (m) visit(nodes, out, 2, q);",
        "int m = 0; while (atomicCAS(out, n, m)) m++; visit(nodes, out, n + 1, q); if (m) visit(nodes, out, m, q);",
        "q->sum++; visit(nodes, out, n + 1, q); if (*(volatile int *)out) visit(nodes, out, n + 2, q);",
        "int *p = &q->sum; *p = 1; visit(nodes, out, n + 1, q); const int m = *p; if (m) visit(nodes, out, n + 2, q);",
        # a loop may make many calls, for which there would have to be room
        "for (int i = 0; i < node->key; i++) visit(nodes, out, n + i, q);",
        "for (int i = 0; i < 65; i++) visit(nodes, out, n + i, q);",
        "for (int i = 0; i < 13; i++) for (int j = 0; j < 5; j++) visit(nodes, out, n + i * j, q);",
        "q->sum++; for (int i = node->left; i >= 0; i = nodes[i].right) if (nodes[i].key) visit(nodes, out, i, q);",
        # an iteration of a loop depends on what the calls before it write
        "q->sum++; for (int i = 0; i < 3 && q->sum < 9; i++) visit(nodes, out, n + i, q);",
        "q->sum++; for (int i = 0; i < 3; i++) visit(nodes, out, q->sum, q);",
        "q->sum++; for (int i = 0; i < 3; i++) if (number(q, i)) visit(nodes, out, i, q); q->x[0]++;",
        "q->sum++; q->x[0]++; for (int i = 0; i < 3; i++) if (number(q, i)) visit(nodes, out, i, q);",
        "out[n] = 1; for (int i = 0; i < node->key; i++) visit(nodes, out, n + i, q);",
        "out[n] = 1; for (int i = 0; i < 3; i++) if (above(n, i)) visit(nodes, out, n + i, q);",
        "q->sum++; for (int i = 0; i < 3; i++) { const int m = q->sum; visit(nodes, out, m, q); }",
        "q->sum++; for (int i = 0; i < 3; i++) { const int m = atomicAdd(out, 1); visit(nodes, out, m, q); }",
        "q->sum++; for (int i = 0; i < 3; i++) { visit(nodes, out, *(volatile int *)out, q); }",
        "q->sum++; int i = 0; int *p = &i; for (; *p < 3; ++*p) visit(nodes, out, *p, q);",
        "q->sum++; for (int i = 0; i < 3; i++) { Query mine = *q; visit(nodes, out, i, &mine); }",
        # something is left to do behind a call
        "if (node->key) visit(nodes, out, n + 1, q); q->sum++;",
        "visit(nodes, out, n + 1, q); if (node->key) { visit(nodes, out, n + 2, q); q->sum++; }",
        "visit(nodes, out, n + 1, q); if (node->key) { q->sum++; visit(nodes, out, n + 2, q); }",
        "for (int i = 0; i < 3; i++) { visit(nodes, out, n + i, q); q->sum++; }",
        "for (int i = 0; i < 3; i++) { visit(nodes, out, n + i, q); if (i == node->key) return; } ",
        "switch (node->key) { case 1: visit(nodes, out, n + 1, q); }",
        # the calls need a variable of the function
        "Query mine = *q; mine.sum++; if (node->key) visit(nodes, out, n + 1, &mine);",
        "Query mine; Query *p = n ? q : &mine; p->sum = 1; if (node->key) visit(nodes, out, n + 1, p);",
    ],
)
def test_other_recursive_functions_stay(body: str) -> None:
    result = compiled(HEAD + VISIT % body + KERNEL)
    assert not result.module.functions["visit"].looped
    assert not is_loop(result)


def test_walks_through_what_another_pointer_may_write_stay() -> None:
    """The pointer that the walk writes through may lead to what it reads: in one of its calls it does."""
    body = "q->sum++; if (node->key) { visit(nodes, out, n + 1, q); visit(nodes, out, node->left, q); }"
    kernel = KERNEL.replace("out[threadIdx.x]", "visit(nodes, out, 1, (Query *)nodes); out[threadIdx.x]")
    assert is_loop(compiled(HEAD + VISIT % body + KERNEL))
    assert not is_loop(compiled(HEAD + VISIT % body + kernel))
    kernel = KERNEL.replace("visit(nodes", "Node one = {1, 2, 3}; visit(&one")
    assert not is_loop(compiled(HEAD + VISIT % body + kernel))


def test_walks_are_calls_where_claims_are_checked() -> None:
    body = "q->sum++; if (node->key) { visit(nodes, out, n + 1, q); visit(nodes, out, node->left, q); }"
    assert not is_loop(compiled(HEAD + VISIT % body + KERNEL, Options(verify=True)))


DOWN = """
__device__ void down(int n, int *sum) {
    *sum = *sum * 3 + n;
    if (n <= 0) return;
    down(n - 1, sum);
    down(-n, sum);
}
__global__ void k(int n, int *out) {
    int sum = 0;
    %s
    down(n%s, &sum);
    out[threadIdx.x] = sum;
}
"""


@pytest.mark.parametrize("barrier", ["", "if (out[threadIdx.x]) __syncthreads();"])
@pytest.mark.parametrize("each", ["", " - threadIdx.x % 3"])
def test_the_stack_grows(each: str, barrier: str) -> None:
    """Far beyond its first size, with scalars and with vectors."""
    out = np.ones(32, np.int32)
    RawKernel(DOWN % (barrier, each), "k")((1,), (32,), (np.int32(1500), out))
    sums = []
    for start in (1500, 1499, 1498):
        total = 0
        for n in [*range(start, -1, -1), *(-n for n in range(1, start + 1))]:
            total = (total * 3 + n) % 2**32
        sums.append(total if total < 2**31 else total - 2**32)
    assert out.tolist() == [sums[i % 3] if each else sums[0] for i in range(32)]


@pytest.mark.parametrize("barrier", ["", "if (out[threadIdx.x]) __syncthreads();"])
@pytest.mark.parametrize("each", ["", " - threadIdx.x % 3"])
def test_a_walk_without_end_overflows_the_stack(each: str, barrier: str) -> None:
    kernel = RawKernel(DOWN % (barrier, each), "k")
    with pytest.raises(LaunchError, match="kernel 'k': stack overflow"):
        kernel((1,), (32,), (np.int32(2**31 - 1), np.ones(32, np.int32)))
    out = np.ones(32, np.int32)
    kernel((1,), (32,), (np.int32(0), out))
    assert out[0] == 0
