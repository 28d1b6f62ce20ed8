"""Parameters of kernels that stay where the launch has put them: which ones, and that no thread copies them."""

from __future__ import annotations

import pytest
from front import module

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.transform.launch_parameters import leave_in_place

STRUCTS = (
    "struct A { int a[3]; struct { short b[2][2]; } c; int n; }; struct B { int x, y; }; struct C { int a[2000]; };"
)


@pytest.mark.parametrize(
    ("param", "body", "storage"),
    [
        ("A s", "*p = s.a[*p] + s.c.b[1][*p] + s.n;", "launch"),
        ("A s", "A t = s; t.a[0] = 1; *p = t.a[*p];", "launch"),
        ("A s", "*p = sizeof(s);", "launch"),
        ("A s", "s.n = 1; *p = s.a[0];", "param"),
        ("A s", "s.a[*p]++; *p = s.a[0];", "param"),
        ("A s", "int *q = s.a; *p = q[1];", "param"),
        ("A s", "A *q = &s; *p = q->n;", "param"),
        ("B s", "*p = s.x + s.y;", "param"),
        ("int *s", "*p = s[1];", "param"),
    ],
)
def test_what_holds_arrays_and_is_only_read_stays(param: str, body: str, storage: str) -> None:
    checked = module(f"{STRUCTS} __global__ void k({param}, int *p) {{ {body} }}")
    (kernel,) = leave_in_place(checked).kernels
    assert [variable.storage for variable in kernel.params] == [storage, "param"]


def test_device_functions_keep_their_parameters() -> None:
    checked = module(
        f"{STRUCTS} __device__ int f(A s) {{ return s.a[1]; }} __global__ void k(A s, int *p) {{ *p = f(s); }}"
    )
    functions = leave_in_place(checked).functions
    assert [functions[name].params[0].storage for name in "fk"] == ["param", "launch"]


def test_a_large_struct_is_not_copied() -> None:
    text = f"{STRUCTS} __global__ void k(C s, int *p) {{ p[threadIdx.x] = s.a[p[threadIdx.x]]; }}"
    assert len(str(compile_device(Source("k.cu", text), Options(), until="llvm").results["llvm"])) < 60_000
