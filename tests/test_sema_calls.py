"""The room for calls: ranks of arguments, the choice among overloads, built-ins."""

from __future__ import annotations

from front import refusal, syntax, whole

from simt2simd.frontend.sema.context import Sema
from simt2simd.frontend.sema.qualified import Qualified
from simt2simd.frontend.sema.scopes import FunctionName, Functions
from simt2simd.lang.ctype import DOUBLE, INT
from simt2simd.source import NOWHERE
from simt2simd.tree.nodes import BuiltinCall, Call

OVERLOADS = "__device__ void f(int); __device__ void f(double); __device__ int n;"


def chosen(s: Sema, text: str) -> FunctionName:
    """Return the function `f` that a call with this argument means."""
    entry = s.scopes.lookup("f")
    assert isinstance(entry, Functions)
    args = s.calls.arguments.arguments([syntax(s, text)])
    found = s.calls.overloads.choose("f", entry.candidates, args, NOWHERE)
    assert isinstance(found, FunctionName)
    return found


def test_the_overload_that_needs_the_least_conversion_is_chosen() -> None:
    s = whole(OVERLOADS)
    assert [chosen(s, text).params[0].type for text in ("'a'", "n", "1.5f")] == [INT, INT, DOUBLE]
    assert refusal(s, lambda: chosen(s, "3u")) == "the call 'f(unsigned int)' is ambiguous"


def test_a_rank_says_how_far_an_argument_is_from_a_parameter() -> None:
    s = whole(OVERLOADS)
    (argument,) = s.calls.arguments.arguments([syntax(s, "n")])
    exact = s.calls.sequences.rank(argument, Qualified(INT))
    worse = s.calls.sequences.rank(argument, Qualified(DOUBLE))
    assert exact is not None
    assert worse is not None
    assert exact < worse
    assert s.calls.sequences.rank(argument, Qualified(DOUBLE, reference="&")) is None


def test_a_function_that_is_called_is_noted_with_the_first_place() -> None:
    s = whole("__device__ int f(int x) { return x; }")
    call = s.expr.value(syntax(s, "f(3)"))
    assert isinstance(call, Call)
    assert call.function == "f"
    assert [function.name for function in s.functions.called] == ["f"]


def test_built_ins_are_chosen_by_their_arguments() -> None:
    s = whole("__device__ double d;")
    found = s.expr.value(syntax(s, "sqrt(d)"))
    assert isinstance(found, BuiltinCall)
    assert found.type == DOUBLE
    assert refusal(s, lambda: s.expr.value(syntax(s, "sqrt()"))).startswith("too few arguments to 'sqrt'")
