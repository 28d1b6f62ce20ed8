"""The shape analysis: what it may claim, and what it must not."""

from __future__ import annotations

import pytest

from simt2simd.analysis import function_shapes
from simt2simd.analysis.lattice import Kind, Shape
from simt2simd.analysis.shapes import FunctionShapes, Shapes
from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source
from simt2simd.transform.merge_calls import merge_calls
from simt2simd.transform.partial_inlining import partial_inlining
from simt2simd.tree import nodes as tree
from simt2simd.tree.walk import walk


def analysed(body: str, functions: str = "") -> Shapes:
    params = "int *a, const int *b, int n, float *f"
    code = f"{functions}\n__global__ void k({params}) {{ int t = threadIdx.x; {body} }}"
    return compile_device(Source("k.cu", code), Options(), until="keep-versions").shapes


def kernel(shapes: Shapes, along: str = "x") -> FunctionShapes:
    return next(s for i, s in shapes.instances.items() if i.name == "k" and i.along == along)


def kind(shapes: FunctionShapes, name: str) -> str:
    return next(str(s) for (v, _), s in shapes.variables.items() if v.name == name)


@pytest.mark.parametrize(
    ("body", "variable", "expected"),
    [
        ("int x = n * 2;", "x", "block"),
        ("int x = b[n];", "x", "uniform"),
        ("int x = 3 * t + n;", "x", "affine +3"),
        ("int x = t << 2;", "x", "affine +4"),
        ("int x = n - t;", "x", "affine -1"),
        ("int x = t * n;", "x", "varying"),
        ("int x = b[t];", "x", "varying"),
        ("int x = b[b[n]];", "x", "uniform"),
        ("const int *x = b + t;", "x", "affine +4"),
        ("int x = t - (int)threadIdx.x;", "x", "uniform"),
        ("int x = (t - n) / 1;", "x", "affine +1"),
        ("int x = (n - t) % 1;", "x", "uniform"),
        ("int x = blockIdx.x * blockDim.x + threadIdx.x;", "x", "affine +1"),
        ("size_t x = blockIdx.x * blockDim.x + threadIdx.x;", "x", "affine +1"),
        ("size_t x = threadIdx.x - 1;", "x", "varying likely affine +1"),  # lane 0 may be 2^32 - 1
        ("long x = t - 1;", "x", "affine +1"),  # signed: -1
        ("int x = threadIdx.y;", "x", "uniform"),
        # a gang begins at a multiple of 16
        ("int x = t % 32;", "x", "affine +1"),
        ("int x = t & 15;", "x", "affine +1"),
        ("int x = (t * 4 + 64) & 127;", "x", "affine +4"),
        ("int x = t / 16;", "x", "uniform"),
        ("int x = (t + 32) >> 5;", "x", "uniform"),
        ("unsigned x = threadIdx.x & ~31;", "x", "uniform"),
        ("unsigned x = threadIdx.x; x &= ~15u;", "x", "varying"),  # one shape for all its life
        ("unsigned x = threadIdx.x & ~7;", "x", "varying"),
        ("int x = t; x >>= 4;", "x", "varying rising 0 to 1"),  # one shape for all its life
        ("int x = t & ~31;", "x", "uniform"),
        ("int x = t | 64;", "x", "affine +1"),
        ("int x = (threadIdx.y * blockDim.x + threadIdx.x) % 32;", "x", "affine +1"),
        ("int x = (threadIdx.y * 16 + threadIdx.x) / 32;", "x", "uniform"),
        ("int x = t % 8;", "x", "varying"),
        ("int x = t % 24;", "x", "varying"),
        ("int x = t / 2;", "x", "varying rising 0 to 1"),
        ("int x = (t + 1) % 32;", "x", "varying"),
        ("int x = (t * 4) % 32;", "x", "varying"),
        ("int x = (15 - t) & 31;", "x", "varying"),
        ("int x = (blockIdx.x * blockDim.x + threadIdx.x) / 32;", "x", "varying rising 0 to 1"),  # blockDim.x may be 20
        # the lanes' values lie close together
        ("int x = t - 1; x = x < 0 ? 0 : x;", "x", "varying rising 0 to 1 likely affine +1"),
        ("int x = min(max(t + n, 0), n - 1);", "x", "varying rising 0 to 1 likely affine +1"),
        ("int x = n - max(t, 3) * 2;", "x", "varying rising -2 to 0 likely affine -2"),
        ("int x = max(3 * t, n) / 2;", "x", "varying"),  # C rounds negative numbers up
        ("int x = max(3 * t, n) >> 1;", "x", "varying rising 0 to 2"),
        ("int x = t < n ? t : n;", "x", "varying rising 0 to 1 likely affine +1"),
        (
            "unsigned u = n / 2u + threadIdx.x; unsigned x = u < 5 ? 5 : u;",
            "x",
            "varying rising 0 to 1 likely affine +1",
        ),
        (
            "unsigned u = n / 2u + threadIdx.x; unsigned x = (int)u < 5 ? 5 : u;",
            "x",
            "varying likely affine +1",
        ),  # u may pass 2^31
        ("unsigned u = n & 255, x = max(t + (int)u, 4);", "x", "varying rising 0 to 1 likely affine +1"),
        ("unsigned x = max((unsigned)t, n);", "x", "varying rising 0 to 1 likely affine +1"),
        ("unsigned x = max((unsigned)(t - 5), n);", "x", "varying likely affine +1"),  # -1 is the largest
        ("int x = 2 * t - (bool)t;", "x", "varying"),
        ("int x = (((n & 1) << 31) | t) / 16;", "x", "varying"),  # C rounds negative numbers up
        ("int x = t < n ? n : 3;", "x", "varying likely uniform"),
        ("unsigned x = max(t - 1, 0); x += 0xfffffff0u;", "x", "varying likely affine +1"),
        ("int x = max(t, n); if (b[t]) x = 3; a[t] = x;", "x", "varying"),
        ("int x = 0; for (int k = 0; k < n; k++) x += max(t, k); a[t] = x;", "x", "varying"),
        ("int x = (t - 16) % 32;", "x", "varying"),  # C's remainder may be negative
        ("int x = (t - 16) & 31;", "x", "affine +1"),
        ("int x = (n + t) % 32;", "x", "varying"),
        ("size_t x = threadIdx.x + 3u;", "x", "affine +1"),  # cannot wrap
        ("size_t x = (threadIdx.x - 1) / 1u;", "x", "varying likely affine +1"),  # wraps before it is divided
        # what advances alike compares alike
        ("bool x = b + t < b + t + n;", "x", "uniform"),
        ("bool x = t - 7u == t + (unsigned)n;", "x", "uniform"),  # also round the end
        ("bool x = t - 7u < t + (unsigned)n;", "x", "varying likely uniform"),  # not round the end
        ("bool x = b + t < b + 2 * t;", "x", "varying likely uniform"),
        ("bool x = (float)t == (float)(t + n);", "x", "varying"),  # rounded
    ],
)
def test_straight_code(body: str, variable: str, expected: str) -> None:
    assert kind(kernel(analysed(body)), variable) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # neighbours that wrap round
        ("int x = t + 1 == n ? 0 : t + 1;", 1),
        ("int x = t == 0 ? n - 1 : t - 1;", 1),
        ("int x = (t + n - 1) % n;", 1),
        ("unsigned x = (threadIdx.x + 1) % blockDim.x;", 1),
        ("size_t x = ((size_t)t + 1) % n;", 1),
        ("int x = (n - t) % n;", -1),
        ("int x = (2 * t) % n + 3;", 2),
        ("int x = (t + 1) & (n - 1);", 1),
        ("int x = (t + n) % 1024;", 1),
        ("int x; if (t == 0) x = n - 1; else x = t - 1; a[x] = 1;", 1),
        ("int x = t + n; if (x >= 2 * n) x -= 2 * n; a[x] = 1;", 1),
        ("bool end = t > 3 && t + 1 < n; int x = !end ? 0 : t + 1;", 1),
        ("int x = t; for (int i = 0; i < n; i++) x = (x + i) % n;", 1),
        # rows of a plane
        ("int x = t / n;", 0),
        ("int x = t / n * n + (t % n + 1) % n;", 1),
        ("int x = (t + n) >> 8;", 0),
        # too many gangs have an end of a row
        ("int x = (t + n) % 24;", None),
        ("int x = (t + n) / 32;", None),
        ("int x = (t + n) & 31;", None),
        ("int x = t % 32 == 0 ? 0 : t;", None),
        # unknown
        ("int x = b[t] ? t : 0;", None),
        ("int x = b[t] % n;", None),
        ("int x = t; if (b[t]) x = 0; a[x] = 1;", None),
        ("int x = t; while (b[x]) x++; a[x] = 1;", None),
        ("int x = (t * n) % 1024;", None),
        ("int x = t < n ? t : 2 * t;", None),
        ("float x = t < n ? 1.0f : 2.0f;", None),
        ("const int *x = t < n ? a : b;", None),
    ],
)
def test_likely_strides(body: str, expected: int | None) -> None:
    shapes = kernel(analysed(body))
    shape = next(shape for (variable, _), shape in shapes.variables.items() if variable.name == "x")
    assert (shape.kind, shape.likely) == (Kind.VARYING, expected)


def test_in_very_large_functions_nothing_is_tested_for(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "int x = (t + 1) % n; a[x] = 1;"
    assert "likely" in kind(kernel(analysed(body)), "x")
    monkeypatch.setattr(function_shapes, "MOST_TESTED", 10)
    assert "likely" not in kind(kernel(analysed(body)), "x")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # assigned under divergence and read behind it
        ("int x = 1; if (b[t]) x = 2; a[t] = x;", "varying"),
        ("int x; if (b[t]) x = 1; else x = 2; a[t] = x;", "varying"),
        # not read by the lanes that waited
        ("int x; if (b[t]) { x = 2; a[t] = x; }", "block"),
        ("int x; if (b[t]) { x = 2; a[t] = x; } else { x = 3; a[t] = x + 1; }", "uniform"),
        # lanes leave the loop in different iterations, and read the counter behind it
        ("int x = 0; while (b[t + x]) x++; a[t] = x;", "varying"),
        ("int x = 0; while (b[t + x]) x++;", "uniform"),
        ("int x; for (x = 0; x < n; x++) if (b[t + x]) break; a[t] = x;", "varying"),
        ("for (int x = t; x < n; x += blockDim.x) a[x] = 1;", "affine +1"),
        ("for (int x = 0; x < n; x++) { if (b[t + x]) continue; a[x] = t; }", "block"),
        # `continue` skips the update
        ("int x = 0; for (int i = 0; i < n; i++) { if (b[t + i]) continue; x++; } a[t] = x;", "varying"),
        ("int x = 0; for (int i = 0; i < n; i++) { x = i; if (b[t + i]) continue; a[x] = t; }", "block"),
        # a uniform branch changes nothing, whatever it depends on
        ("int x = 1; if (n > 3) x = 2; a[t] = x;", "block"),
        ("int x = 1; if (b[n]) x = 2; a[t] = x;", "uniform"),
        ("int x = 0; switch (b[t]) { case 0: x = 1; break; case 1: x = 2; } a[t] = x;", "varying"),
        ("int x = 0; switch (n) { case 0: if (b[t]) break; x = 1; } a[t] = x;", "varying"),
        ("int x = 0; (b[t] && (x = 1)); a[t] = x;", "varying"),
    ],
)
def test_divergence(body: str, expected: str) -> None:
    shape = kind(kernel(analysed(body)), "x")
    allowed = {"block": ("block", "uniform")}.get(expected, (expected,))
    assert shape in allowed


def test_a_gang_that_spans_rows_claims_nothing_of_threads() -> None:
    """That they are consecutive within rows is likely, so accesses look whether it is so."""
    assert kind(kernel(analysed("int x = t;"), along=""), "x") == "varying likely affine +1"
    assert kind(kernel(analysed("int x = threadIdx.y;"), along=""), "x") == "varying likely uniform"


VISIT = """
struct Node { int left, right, key; };
__device__ void visit(const Node *nodes, int at, int key, int *count) {
    if (at < 0) return;
    if (nodes[at].key < key) { ++*count; visit(nodes, nodes[at].left, key, count); }
    visit(nodes, nodes[at].right, key, count);
}
"""


def test_recursion_keeps_the_node_uniform_and_state_interleaved() -> None:
    shapes = analysed("int c = 0; visit((const Node *)b, 0, b[t], &c); a[t] = c;", VISIT)
    instances = [i for i in shapes.instances if i.name == "visit"]
    together, alone = ([str(shape) for shape in instance.args] for instance in instances)
    assert together == ["uniform", "uniform", "varying", "affine +4 interleaved"]
    assert alone == ["uniform", "uniform", "uniform", "uniform interleaved"]


def test_a_function_is_compiled_once_per_combination_of_shapes() -> None:
    twice = "__device__ __noinline__ int twice(int x) { return 2 * x; }"
    shapes = analysed("a[t] = twice(t) + twice(n) + twice(b[t]) + twice(b[n]) + twice(7);", twice)
    kinds = sorted(str(i.args[0]) for i in shapes.instances if i.name == "twice" and i.along)
    assert kinds == ["affine +1", "uniform", "varying"]


def test_an_address_that_escapes_is_not_interleaved() -> None:
    store = "__device__ __noinline__ void store(int **where, int *what) { *where = what; }"
    shapes = analysed("int x[4]; int *p; store(&p, x); a[t] = p[n & 3];", store)
    pointers = [i.args[1] for i in shapes.instances if i.name == "store"]
    assert all(isinstance(shape, Shape) and not shape.interleave for shape in pointers)


def skipped(shapes: Shapes) -> int:
    return len(kernel(shapes).skipped)


def test_barriers_in_uniform_control_are_not_skipped() -> None:
    assert skipped(analysed("for (int i = 0; i < n; i++) { if (n > 4) __syncthreads(); a[t] = i; }")) == 0
    assert skipped(analysed("if (t >= n) return; __syncthreads();")) == 0


def test_barriers_that_threads_may_skip_are_found() -> None:
    assert skipped(analysed("if (t < n) __syncthreads();")) == 1
    assert skipped(analysed("if (b[n]) __syncthreads();")) == 1
    assert skipped(analysed("for (int i = 0; i < n; i++) { if (b[t]) break; __syncthreads(); }")) == 1
    assert skipped(analysed("for (int i = 0; i < n; i++) { if (b[i]) continue; __syncthreads(); }")) == 1
    shapes = analysed("sync(b[t]);", "__device__ void sync(int c) { if (c) return; __syncthreads(); }")
    assert any(inside.skipped for i, inside in shapes.instances.items() if i.name == "sync")


def test_calls_of_both_arms_are_merged() -> None:
    code = """
    __device__ void near(int *s, int at) {
        if (at > 9) { *s += at; return; }
        if (*s & 1) { near(s, 2 * at); if (*s & 4) near(s, 2 * at + 1); }
        else { near(s, 2 * at + 1); if (*s & 8) near(s, 2 * at); }
    }
    __global__ void k(int *a) { int s = a[threadIdx.x]; near(&s, 1); a[threadIdx.x] = s; }
    """
    module = compile_device(Source("k.cu", code), Options(), until="tree")[results.TREE]
    before, after = (
        sum(isinstance(node, tree.Call) for node in walk(functions[name].body))
        for functions, name in (
            (module.functions, "near"),
            (partial_inlining(merge_calls(module)).functions, "near_rest"),
        )
    )
    assert (before, after) == (4, 3)


SUM = "__device__ void sum(const int *b, int at, int *s) { %s *s += at; sum(b, 2 * at, s); *s -= half; }"


@pytest.mark.parametrize(
    ("head", "parts"),
    [
        ("int half = b[at]; if (at > 9) return;", {"sum", "sum_rest"}),  # `half` becomes a parameter of the rest
        ("int half = b[at]; if (at <= 9) { *s = 0; }", {"sum"}),  # does not return: the call would only move
        ("int half = b[at]; b = &b[half]; if (at > 9) return;", {"sum", "sum_rest"}),
        ("int half[2] = {1}; if (at > 9) return; *s -= half[1]; *half;", {"sum"}),  # an array would have to be copied
        ("int half = b[at]; s = &half; if (at > 9) return;", {"sum"}),  # of which there must be one only
    ],
)
def test_the_head_of_a_recursive_function_becomes_part_of_its_calls(head: str, parts: set[str]) -> None:
    code = SUM % head + "__global__ void k(int *a) { int s = 0; sum(a, 1, &s); a[threadIdx.x] = s; }"
    code = code.replace("-= half;", "-= *half;" if "half[2]" in head else "-= half;")
    module = partial_inlining(compile_device(Source("k.cu", code), Options(), until="tree")[results.TREE])
    assert module.functions.keys() - {"k"} == parts
    if len(parts) == 2:
        assert module.functions["sum"].inline == "always"
        assert [param.name for param in module.functions["sum_rest"].params] == ["b", "at", "s", "half"]


def test_kinds_are_ordered_from_most_to_least_known() -> None:
    assert Kind.BLOCK < Kind.UNIFORM < Kind.AFFINE < Kind.VARYING


WALK = """
__device__ void walk(const int *b, int dim, int at, int *sum) {
    for (int d = 0; d < dim; d++) *sum += b[at + d];
    if (b[at] > at) walk(b, dim, at + dim, sum);
}
"""


def test_a_recursive_function_is_compiled_for_constants_that_it_hands_on() -> None:
    body = "int s = 0; switch (n) { case 2: walk(b, 2, 0, &s); break; case 7: walk(b, 7, 0, &s); break; "
    shapes = analysed(body + "default: walk(b, n, 0, &s); } a[t] = s;", WALK)
    constants = {i.constants for i in shapes.instances if i.name == "walk"}
    assert constants == {(None, 2, None, None), (None, 7, None, None), ()}
