"""Methods, references and functors cost nothing: the code is what it is for the same text written by hand."""

from __future__ import annotations

import re

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.tree import nodes as tree
from simt2simd.tree.effects import addressed_variables
from simt2simd.tree.walk import count_nodes, walk

FUNCTIONS = """
struct V { float x, y; };
__device__ float dot(const V *a, const V *b) { return a->x * b->x + a->y * b->y; }
__device__ void make(V *s, float x, float y) { s->x = x; s->y = y; }
__device__ V *add(V *s, const V *b) { s->x += b->x; s->y += b->y; return s; }
struct F { float a, b; };
__device__ float call(const F *f, float x) { return f->a * x + f->b; }
struct View { float *p; int n; };
__device__ float *at(const View *v, int i) { return &v->p[i]; }
struct Counter { int i, end, step; };
__device__ bool next(Counter *s) { s->i += s->step; return s->i < s->end; }
__device__ float clamped(const float *x) { if (*x < 0) return 0; if (*x > 1) return 1; return *x; }
__device__ float square(float x) { return x * x + 1; }
__device__ float smaller(float x, float y) { if (x < y) return x * 3; return y; }
struct S { int data[4]; int n; };
__device__ int *cell(S *s, int i) { return &s->data[i & 3]; }
__device__ int count() { return 4; }
__device__ int *chosen(S *s, int i) {
    (void)(i >= 0 && i < count() || (s->n = 1, false));
    switch (i) { default: case 0: return &s->n; case 1: return &s->data[1]; case 2: return &s->data[2]; }
}
__device__ int first(S *s) { return *chosen(s, 0) + *chosen(s, 2); }
__device__ void grow(int *x) { *x += 1; }
__device__ int early(int *x) { while (*x < 9) { if (*x == 3) return 1; *x += 2; } return 0; }
__device__ int large(int *x) { MANY return *x; }
__device__ __noinline__ int kept(int *x) { return *x; }
__device__ int loops(int *x) { if (*x > 0) { *x -= 1; return loops(x); } return *x; }
"""
MANY = "*x += 1; " * 400


def kernel(body: str) -> str:
    start = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; int m = (int)in[i];"
    return f"__global__ void k(float *in, float *out, int n) {{ {start} {body} out[i] += s; }}"


def loops_of(body: str) -> list[int]:
    """Return how many instructions each loop of a kernel has that has no loop in it."""
    options = Options(disabled=frozenset({"rare-versions"}))
    text = compile_device(Source("k.cu", FUNCTIONS.replace("MANY", "") + kernel(body)), options).assembly()
    labels: dict[str, int] = {}
    loops, count = [], 0
    for line in text.splitlines():
        if label := re.match(r"(\.L\w+):", line):
            labels[label[1]] = count
        elif re.match(r"\s+[a-z]", line):
            count += 1
            jump = re.match(r"\s+j\w+\s+(\.L\w+)", line)
            if jump and jump[1] in labels:
                loops.append((labels[jump[1]], count))
    return sorted(
        end - begin
        for begin, end in loops
        if not any((begin, end) != other and begin <= other[0] and other[1] <= end for other in loops)
    )


@pytest.mark.parametrize(
    ("abstract", "plain"),
    [
        pytest.param(
            "V a; make(&a, 0, 0);"
            "for (int k = 0; k < n; k++) { V p; make(&p, in[k], in[i]); s += dot(add(&a, &p), &p); }",
            "float x = 0, y = 0;"
            "for (int k = 0; k < n; k++) { float u = in[k], v = in[i]; x += u; y += v; s += x * u + y * v; }",
            id="methods",
        ),
        pytest.param(
            "F f; f.a = in[i]; f.b = 2; for (int k = 0; k < m; k++) s += call(&f, in[k]);",
            "float a = in[i], b = 2; for (int k = 0; k < m; k++) s += a * in[k] + b;",
            id="functor",
        ),
        pytest.param(
            "View v, w; v.p = in; w.p = out; for (int k = 0; k < n; k++) *at(&w, i) += *at(&v, k) * *at(&v, i);",
            "for (int k = 0; k < n; k++) out[i] += in[k] * in[i];",
            id="operator[]",
        ),
        pytest.param(
            "Counter c = {-1, m, 1}; while (next(&c)) s += in[c.i];",
            "int j = -1, end = m, step = 1; while (j += step, j < end) s += in[j];",
            id="iterator",
        ),
        pytest.param(
            "for (int k = 0; k < m; k++) { float x = in[k] + s; s += clamped(&x); }",
            "for (int k = 0; k < m; k++) { float x = in[k] + s; s += x < 0 ? 0 : x > 1 ? 1 : x; }",
            id="early returns",
        ),
        pytest.param(
            "for (int k = 0; k < m; k++) { float x = in[k]; if (x > s) s += square(x); else s -= smaller(x, s); }",
            "for (int k = 0; k < m; k++) { float x = in[k]; if (x > s) s += x * x + 1; else s -= x < s ? x * 3 : s; }",
            id="values",
        ),
        pytest.param(
            "V a = {1, 2};"
            "for (int k = 0; k < m; k++) { V *r = &a; r->x += in[k]; float *y = &r->y; *y += r->x; } s = a.y;",
            "float x = 1, y = 2; for (int k = 0; k < m; k++) { x += in[k]; y += x; } s = y;",
            id="local references",
        ),
        pytest.param(
            "S t = {}; for (int k = 0; k < m; k++) { *cell(&t, t.n++) += k; s += *cell(&t, k); }",
            "int data[4] = {}, count = 0; for (int k = 0; k < m; k++) { data[count++ & 3] += k; s += data[k & 3]; }",
            id="class with an array",
        ),
    ],
)
def test_abstraction_costs_nothing(abstract: str, plain: str) -> None:
    assert loops_of(abstract) == loops_of(plain)


@pytest.mark.parametrize(
    ("body", "calls", "addressed"),
    [
        ("grow(&m); grow(&m);", 0, 0),
        ("V v; add(&v, add(&v, &v))->x = 1; s = dot(&v, &v);", 0, 0),
        ("if (m > 2 && early(&m)) s = 1;", 0, 0),
        ("for (grow(&m); early(&m); grow(&m)) { if (n > 3) continue; s++; }", 0, 0),
        ("do { if (n > 3) continue; s++; } while (early(&m));", 0, 0),
        ("switch (early(&m)) { case 1: s = early(&m) ? early(&m) : 3; }", 0, 0),
        ("int *p = &m; grow(p); *p += 2;", 0, 0),
        ("int *p = &m; p += n; grow(p);", 1, 1),
        ("int a[4] = {}; grow(&a[m++ & 3]); grow(a + 1); s = a[m & 3];", 0, 0),
        ("S t = {}; *chosen(&t, 1) = 3; s = *chosen(&t, 2) + *chosen(&t, 7);", 0, 0),
        ("S *t = (S *)in; s = *chosen(t, 1) + *chosen(t, 2);", 0, 0),
        ("S *t = (S *)in; s = *chosen(t, m);", 1, 0),
        ("s = kept(&m);", 1, 1),
        ("s = loops(&m);", 1, 1),
        ("s = large(&m);", 1, 1),
    ],
)
def test_what_becomes_of_calls(body: str, calls: int, addressed: int) -> None:
    """Which calls are left in the kernel, and how many variables have an address."""
    source = Source("k.cu", FUNCTIONS.replace("MANY", MANY) + kernel(body))
    compiled = compile_device(source, Options(check_ir=True), until="inline-by-reference")
    (made,) = compiled.module.kernels
    assert sum(isinstance(node, tree.Call) for node in walk(made.body)) == calls
    assert len(addressed_variables(made.body)) == addressed


def test_functions_that_nobody_calls_any_more_are_gone() -> None:
    source = Source(
        "k.cu", FUNCTIONS.replace("MANY", "") + kernel("s = dot(&(*add((V *)in, (V *)in)), (V *)in); grow(&m);")
    )
    module = compile_device(source, Options(), until="inline-by-reference").module
    assert "grow" not in module.functions and {"add", "early"} <= set(module.functions)


def test_growth_has_an_end() -> None:
    chain = "".join(f"__device__ void f{i + 1}(int *x) {{ f{i}(x); f{i}(x); f{i}(x); }}" for i in range(12))
    code = (
        f"__device__ void f0(int *x) {{ *x += 1; }} {chain} __global__ void k(int *a) {{ int x = 0; f12(&x); *a = x; }}"
    )
    module = compile_device(Source("k.cu", code), Options(), until="inline-by-reference").module
    assert count_nodes(module.functions["k"].body) < 10_000
