"""The room for statements, and for what declares."""

from __future__ import annotations

import pytest
from front import body, kernel, messages, whole

from simt2simd.frontend.sema.scopes import Functions, VariableName
from simt2simd.tree.nodes import Block, Declare, If, Loop, Return, Switch


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("while (i) i--;", [Loop]),
        ("for (int j = 0; j < i; j++) f += j;", [Loop]),
        ("if (i) f = 1; else f = 2;", [If]),
        ("switch (i) { case 1: f = 1; }", [Switch]),
        ("int j, k = 2;", [Declare, Declare]),
        (";", []),
        ("{ int j = 1; }", [Block]),
    ],
)
def test_a_statement_becomes_its_nodes(text: str, kinds: list[type]) -> None:
    assert [type(statement) for statement in kernel(text).statements] == kinds


def test_functions_are_declared_once_and_defined_later() -> None:
    s = whole("__device__ int f(int); __device__ int f(int x) { return x; } __device__ int f(float);")
    entry = s.scopes.lookup("f")
    assert isinstance(entry, Functions)
    assert [function.defined is not None for function in entry.candidates] == [True, False]  # type: ignore[union-attr]
    assert list(s.functions.checked) == ["f"]


def test_variables_of_the_file_are_known_to_the_host() -> None:
    s = whole("__device__ int a = 3; __constant__ float b[2]; __shared__ int c; static __device__ int d;")
    assert [variable.name for variable in s.variables.contents] == ["a", "b", "d"]
    assert [variable.name for variable in s.variables.shared] == ["c"]
    assert [variable.name for variable in s.variables.private] == ["d"]
    assert isinstance(s.scopes.lookup("a"), VariableName)


def test_a_function_ends_where_it_returns() -> None:
    (statement,) = body("__device__ int f() { return 3; }").statements
    assert isinstance(statement, Return)
    assert messages("__device__ int f() { return; }") == ["1:22: 'f' must return a value of type 'int'"]


def test_scopes_are_left_with_their_blocks() -> None:
    s = whole("__device__ void f() { int i = 0; { int j = i; } }")
    assert s.scopes.stack == [s.scopes.file_scope]
    assert s.current.bodies == []
