"""The room for expressions: conversions, operators, names, literals."""

from __future__ import annotations

import pytest
from front import refusal, syntax, whole
from pycparser import c_ast

from simt2simd.frontend.parse import cxx
from simt2simd.frontend.sema.expr.initialisers import Initialisers
from simt2simd.frontend.sema.scopes import Functions, TypeName
from simt2simd.lang.ctype import BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, UINT, ULONG, Array, CType
from simt2simd.source import NOWHERE
from simt2simd.tree.nodes import Constant, Convert, Load


@pytest.mark.parametrize(
    ("text", "ctype", "value"),
    [("3 + 4u", UINT, 7), ("'a'", CHAR, 97), ("1.5f * 2", FLOAT, 3.0), ("1 < 2", BOOL, True), ("0x10L", LONG, 16)],
)
def test_constants_are_folded_with_their_type(text: str, ctype: CType, value: float) -> None:
    s = whole()
    found = s.expr.value(syntax(s, text))
    assert isinstance(found, Constant)
    assert (found.type, found.value) == (ctype, value)


def test_a_conversion_stands_in_the_tree_and_none_where_types_agree() -> None:
    s = whole("__device__ int n;")
    value = s.expr.value(syntax(s, "n"))
    assert isinstance(value, Load)
    assert s.expr.conversions.implicit(value, INT, "here") is value
    converted = s.expr.conversions.implicit(value, DOUBLE, "here")
    assert isinstance(converted, Convert)
    assert converted.type == DOUBLE
    assert s.expr.conversions.to_bool(value).type == BOOL


def test_names_are_found_through_namespaces() -> None:
    s = whole("namespace a { namespace b { struct T {}; __device__ void f(int); __device__ void f(float); } }")
    functions, ctype = syntax(s, "a::b::f"), syntax(s, "a::b::T")
    assert isinstance(functions, cxx.Name)
    assert isinstance(s.expr.names.resolve(functions), Functions)
    assert isinstance(ctype, c_ast.Typename)
    assert isinstance(ctype.type, c_ast.TypeDecl)
    assert isinstance(ctype.type.type, cxx.Name)
    found = s.expr.names.find(ctype.type.type)
    assert isinstance(found, TypeName)
    assert str(found.type) == "a::b::T"


def test_a_place_is_wanted_where_something_is_written() -> None:
    s = whole("__device__ const int n = 3;")
    assert refusal(s, lambda: s.expr.place(syntax(s, "3"), "assign to")).startswith(
        "cannot assign to this: it is a value"
    )
    assert s.expr.operators.type_of(syntax(s, "n")).type == INT
    assert "const" in refusal(s, lambda: s.expr.writable(syntax(s, "n"), "assign to"))


def test_text_of_a_string_is_kept_once() -> None:
    s = whole()
    first, again = (s.expr.strings.constant_string(b"one", NOWHERE) for _ in range(2))
    assert first.variable is again.variable
    assert list(s.expr.strings.strings) == [(CHAR, b"one")]


def test_a_table_of_literals_needs_no_conversions(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **more: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Initialisers, "initialiser", refused)
    s = whole("struct Empty {};")
    items = [c_ast.Constant("int", text, NOWHERE) for text in ("1", "0x10", "3u", "4ull")]
    leaves = s.expr.initialisers.braces(c_ast.InitList([*items], NOWHERE), Array(ULONG, 4), 0)
    assert [(offset, getattr(value, "value", None)) for offset, _, value in leaves] == [
        (0, 1),
        (8, 16),
        (16, 3),
        (24, 4),
    ]
    assert {value.type for _, _, value in leaves} == {ULONG}
