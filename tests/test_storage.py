"""Where variables live: the gang's copies of an interleaved object fill its memory, and none is cut in pieces."""

from __future__ import annotations

import pytest
from front import module
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simt2simd.analysis.storage import INTERLEAVED, REGISTER, decide
from simt2simd.lang.ctype import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    UINT,
    Array,
    CType,
    Pointer,
    Struct,
    common_size,
    leaves,
)
from simt2simd.lang.layout import Declared, lay_out
from simt2simd.source import Source, Span
from simt2simd.tree import nodes as tree
from simt2simd.tree.walk import walk

PROPERTY = settings(
    max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
LANES = 16
NOWHERE = Span(Source("test.cu", ""), 1, 1)


def struct(members: list[CType], align: int) -> Struct:
    """A struct of these members, with `__align__(align)`."""
    made = lay_out([Declared(f"m{i}", member, member.align) for i, member in enumerate(members)], False, align)
    size = -(-made.size // made.align) * made.align
    return Struct("S", NOWHERE, made.fields, max(1, size), made.align)


def types_of(scalars: list[CType]) -> st.SearchStrategy[CType]:
    """The types that consist of these scalars."""
    return st.recursive(
        st.sampled_from(scalars),
        lambda inner: (
            st.builds(Array, inner, st.integers(1, 4))
            | st.builds(struct, st.lists(inner, max_size=3), st.sampled_from([1, 1, 8, 16]))
        ),
        max_leaves=6,
    )


SIZES: list[list[CType]] = [[BOOL, CHAR], [SHORT], [INT, UINT, FLOAT], [LONG, DOUBLE, Pointer(CHAR)]]
TYPES = st.sampled_from(SIZES).flatmap(types_of) | types_of([scalar for scalars in SIZES for scalar in scalars])


@PROPERTY
@given(TYPES)
def test_granularity_is_the_size_of_all_scalars(ctype: CType) -> None:
    sizes = [leaf.size for _, leaf in leaves(ctype)]
    size = common_size(ctype)
    assert size == (sizes[0] if sizes and sizes.count(sizes[0]) == len(sizes) else 0)


@PROPERTY
@given(TYPES)
def test_interleaved_copies_fill_their_memory(ctype: CType) -> None:
    """Each byte of each lane has an address of its own, and the copies of one scalar lie side by side."""
    size = common_size(ctype)
    if not size:
        return

    def address(byte: int, lane: int) -> int:
        return byte // size * LANES * size + lane * size + byte % size

    assert ctype.size % size == 0
    taken = {address(byte, lane) for byte in range(ctype.size) for lane in range(LANES)}
    assert taken == set(range(ctype.size * LANES))
    for offset, leaf in leaves(ctype):
        places = [address(offset + byte, lane) for lane in range(LANES) for byte in range(leaf.size)]
        assert places == list(range(offset * LANES, (offset + leaf.size) * LANES))
        assert places[0] % leaf.align == 0


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("int x; x = i;", "register"),
        ("T x; x.c = 1;", "register"),
        ("int x; int *p = &x; *p = i;", "interleaved"),
        ("int x = 1; set(&x); x += i; x++; x = i - x;", "interleaved"),
        ("int x[4]; x[i] = 1;", "interleaved"),
        ("S x; float *p = x.a; p[i] = 1.0f;", "interleaved"),
        ("S x; S *p = &x; S *q = p; q->a[i] = 1.0f;", "interleaved"),
        ("int x[4]; set(x + 1);", "interleaved"),
        # C sees how they lie
        ("int x; keep(all, &x);", "flat"),
        ("int x[4]; char *p = (char *)x; p[i] = 1;", "flat"),
        ("int x; int *p = &x; int *q = i ? p : 0;", "flat"),
        ("int x[4]; int *p = x; p++; *p = 1;", "flat"),
        ("int x; unsigned long p = (unsigned long)&x;", "flat"),
        # scalars of different sizes
        ("T x[2]; x[i].c = 1;", "flat"),
        ("__shared__ int x[4]; x[i] = 1;", "shared"),
    ],
)
def test_homes(text: str, home: str) -> None:
    functions = (
        "struct S { float f; float a[3]; }; struct T { int i; char c; }; "
        "__device__ void set(int *p) { *p = 1; } __device__ void keep(int **all, int *p) { *all = p; }"
    )
    found = module(f"{functions} __global__ void k(int i, int **all) {{ {text} }}")
    variables = {node.variable for node in walk(found.functions["k"].body) if isinstance(node, tree.Declare)}
    x = next(variable for variable in variables if variable.name == "x")
    assert decide(found).of(x) == home
    assert home != INTERLEAVED or common_size(x.type)
    assert home != REGISTER or not isinstance(x.type, Array)
