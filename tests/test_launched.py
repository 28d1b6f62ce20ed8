"""Parameters of kernels that stay where the launch has put them: which ones, and that no thread copies them."""

from __future__ import annotations

import pytest
from front import module

from simt2simd.lang.ctype import Pointer
from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source
from simt2simd.transform.kernel_parameters_in_place import kernel_parameters_in_place

STRUCTS = (
    "struct A { int a[3]; struct { short b[2][2]; } c; int n; }; struct B { int x, y; }; struct C { int a[2000]; }; "
    "struct H { int *q; };"
)
FUNCTIONS = """
__device__ int reads(const A *a, int i) { return i > 8 ? a->n : a->a[i & 1] + reads(a, i + 1); }
__device__ int writes(A *a, int i) { return i > 8 ? a->n++ : writes(a, i + 1); }
__device__ int forwards(A *a, int i) { return i > 8 ? 0 : forwards(a, i + 1) + writes(a, i); }
__device__ int *same(int *a) { return *a > 8 ? a : same(a); }
"""


@pytest.mark.parametrize(
    ("param", "body", "storage"),
    [
        ("A s", "*p = s.a[*p] + s.c.b[1][*p] + s.n;", "launch"),
        ("A s", "A t = s; t.a[0] = 1; *p = t.a[*p];", "launch"),
        ("A s", "*p = sizeof(s);", "launch"),
        ("A s", "s.n = 1; *p = s.a[0];", "param"),
        ("A s", "s.a[*p]++; *p = s.a[0];", "param"),
        ("A s", "int *q = s.a; *p = q[1];", "launch"),
        ("A s", "A *q = &s; *p = q->n;", "launch"),
        ("B s", "*p = s.x + s.y;", "param"),
        ("int *s", "*p = s[1];", "param"),
        ("B s", "B *q = &s; *p = q->x;", "launch"),
        ("A s", "A t = s, *q = *p ? &s : &t; *p = q->n;", "launch"),
        ("A s", "A t = s, *q = *p ? &s : &t; q->n = 1; *p = s.a[1];", "param"),
        ("A s", "int *q = p; q = s.a + 1; *p = *q;", "launch"),
        ("A s", "int *q = p; (q = s.a)[1] = 7; *p = s.a[1];", "param"),
        ("A s", "int *q = s.a, *r = p; r = q + 1; *r = 7; *p = s.a[2];", "param"),
        ("A s", "int *q = s.a; *q++ = 7; *p = s.a[0];", "param"),
        ("A s", "int *q = s.a, **h = &q; **h = 7; *p = s.a[0];", "param"),
        ("A s", "int *h[2] = {s.a, p}; *h[*p & 1] = 7; *p = s.a[0];", "param"),
        ("A s", "H h; h.q = s.a; *h.q = 7; *p = s.a[0];", "param"),
        ("A s", "H h = {s.a}; *h.q = 7; *p = s.a[0];", "param"),
        ("A s", "__shared__ int *q; q = s.a; *q = 7; *p = s.a[0];", "param"),
        ("A s", "*(int *)(size_t)s.a = 7; *p = s.a[0];", "param"),
        ("A s", "*(short *)s.a = 7; *p = s.a[0];", "param"),
        ("A s", "int *q = s.a; atomicAdd(q, 1); *p = s.a[0];", "param"),
        ("A s", "*p = reads(&s, 1);", "launch"),
        ("A s", "*p = writes(&s, 1);", "param"),
        ("A s", "*p = forwards(&s, 1);", "param"),
        ("A s", "*same(s.a) = 7; *p = s.a[0];", "param"),
        ("A s", "const A *q = &s; ((A *)q)->n = 1; *p = s.a[0];", "param"),
    ],
)
def test_what_needs_memory_and_is_only_read_stays(param: str, body: str, storage: str) -> None:
    checked = module(f"{STRUCTS} {FUNCTIONS} __global__ void k({param}, int *p) {{ {body} }}")
    (kernel,) = kernel_parameters_in_place(checked).kernels
    assert [variable.storage for variable in kernel.params] == [storage, "param"]


@pytest.mark.parametrize(
    ("param", "body", "call", "by_address"),
    [
        ("A s", "return s.a[i & 1];", "f(s, 1)", True),
        ("A s", "return s.a[i & 1];", "f(table, 1)", True),
        ("A s", "return s.a[i & 1];", "f(held.second, 1)", True),
        ("A s", "return i ? s.a[i & 1] : f(s, i - 1);", "f(s, 1)", True),
        ("A s", "return s.a[i & 1];", "f(t, 1)", False),
        ("A s", "return s.a[i & 1];", "f(s, 1) + f(t, 1)", False),
        ("A s", "return s.a[i & 1]++;", "f(s, 1)", False),
        ("A s", "s = A(); return s.n;", "f(s, 1)", False),
        ("A s", "return writes(&s, i);", "f(s, 1)", False),
        ("A s", "A t = s; t.n = 1; return f(t, 1);", "f(s, 1)", False),
    ],
)
def test_device_functions_get_the_address_of_what_nobody_changes(
    param: str, body: str, call: str, by_address: bool
) -> None:
    checked = module(
        f"{STRUCTS} {FUNCTIONS} __constant__ A table; struct D {{ A first, second; }};"
        f"__device__ int f({param}, int i) {{ {body} }}"
        f"__global__ void k(A s, D held, int *p) {{ A t = s; t.n = 7; *p = {call} + t.n; }}"
    )
    assert isinstance(kernel_parameters_in_place(checked).functions["f"].params[0].type, Pointer) is by_address


def test_a_large_struct_is_not_copied() -> None:
    text = f"{STRUCTS} __global__ void k(C s, int *p) {{ p[threadIdx.x] = s.a[p[threadIdx.x]]; }}"
    assert len(str(compile_device(Source("k.cu", text), Options(), until="llvm")[results.LLVM])) < 60_000
