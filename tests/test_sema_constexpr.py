"""The room for constant expressions."""

from __future__ import annotations

import pytest
from front import refusal, syntax, whole

from simt2simd.frontend.sema.constexpr.evaluate import Evaluator
from simt2simd.frontend.sema.constexpr.fold import fold
from simt2simd.tree.nodes import Call, Constant

TEXT = """
constexpr __device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int free_standing(int n) { return n; }
constexpr int table[] = {1, 10, 100};
"""


@pytest.mark.parametrize(("text", "value"), [("fib(10)", 55), ("table[2] + 1", 101), ("true ? 4 : 5", 4)])
def test_calls_of_constexpr_functions_are_computed(text: str, value: int) -> None:
    s = whole(TEXT)
    found = s.constexpr.constant(syntax(s, text))
    assert isinstance(found, Constant)
    assert found.value == value


def test_what_is_no_constant_is_returned_as_it_is_and_refused_with_the_reason() -> None:
    s = whole(TEXT)
    node = syntax(s, "free_standing(3)")
    assert isinstance(s.constexpr.constant(node), Call)
    assert s.constexpr.why is not None
    assert "constant" in refusal(s, lambda: s.types.constant_integer(node, "the size"))


def test_an_evaluator_asks_the_room_for_functions() -> None:
    s = whole(TEXT)
    call = s.expr.value(syntax(s, "fib(6)"))
    assert s.constexpr.known(call) is not None
    assert isinstance(s.constexpr.evaluator, Evaluator)
    assert list(s.constexpr.evaluator.bodies) == ["fib"]


def test_folding_needs_no_functions() -> None:
    s = whole(TEXT)
    assert isinstance(fold(s.expr.value(syntax(s, "3 * 4"))), Constant)
    assert isinstance(fold(s.expr.value(syntax(s, "free_standing(3)"))), Call)
