"""What expressions change, what leads out of statements, which variables they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from front import body, expression, kernel

from simt2simd.lang.ctype import INT
from simt2simd.tree import nodes as tree
from simt2simd.tree import walk as tree_walk
from simt2simd.tree.effects import (
    addressed_variables,
    declared_variables,
    has_effects,
    is_effect,
    is_local,
    is_volatile,
    jumps_out,
    named_variables,
    only_reads,
    outermost,
    repeats,
    returns,
    root,
    write_of,
    writes,
    written_variables,
)
from simt2simd.tree.nodes import Variable
from simt2simd.tree.same import same_value
from simt2simd.tree.walk import walk


def names(variables: set[Variable]) -> str:
    return " ".join(sorted(variable.name for variable in variables))


@pytest.mark.parametrize(
    ("text", "effects", "reads", "again"),
    [
        ("i + threadIdx.x", False, True, True),
        ("max(i, 3) / l", False, True, True),
        ("b ? i : (int)u", False, True, True),
        ("st.x + i", False, True, True),
        ("pi[i]", False, True, False),
        ("*pi + ps->x", False, True, False),
        ("st.a[i]", False, True, False),
        ("&st == ps", False, True, False),
        ("*(volatile int *)pi", False, False, False),
        ("((volatile S *)ps)->x", False, False, False),
        ("i = 3", True, False, False),
        ("i + (u += 2)", True, False, False),
        ("pi[i++]", True, False, False),
        ("atomicAdd(pi, 1)", True, False, False),
        ("__syncthreads()", True, False, False),
        ("__threadfence()", True, False, False),
        ("frexpf(f, pi)", True, False, False),
    ],
)
def test_what_expressions_do(text: str, effects: bool, reads: bool, again: bool) -> None:
    node = expression(text)
    assert (has_effects(node), only_reads(node), repeats(node)) == (effects, reads, again)


def test_calls_have_effects_and_shared_memory_changes() -> None:
    function = "__device__ int f(int x) { return x; }"
    used = body(f"{function} __global__ void k(int x) {{ __shared__ int s; s; f(x); }}")
    shared, call = (node.expr for node in used.statements[1:] if isinstance(node, tree.Evaluate))
    assert only_reads(shared) and not repeats(shared)
    assert has_effects(call) and not only_reads(call) and not repeats(call)


@pytest.mark.parametrize(
    ("statement", "written", "addressed"),
    [
        ("i = u;", "i", ""),
        ("i += 1; u++; --l;", "i l u", ""),
        ("st.x = 3; st.a[i] = f;", "st", ""),
        ("ps->x = pi[2] = 3; *pi = 4;", "", ""),
        ("(&st)->x = 3; *&i = 4;", "i st", ""),
        ("int a[4]; a[i]++; i = a[2];", "a i", ""),
        ("int a[4]; *a = 1; *(a + 1) = 2;", "a", "a"),
        ("int a[4]; pi = a; ps = &st; pf = st.a + 1;", "pf pi ps", "a st"),
        ("int a[2][2]; a[1][i] = 0; pi = a[1];", "a pi", "a"),
        ("int x = 4;", "", ""),
    ],
)
def test_what_is_written_and_pointed_to(statement: str, written: str, addressed: str) -> None:
    node = kernel(statement)
    assert names(written_variables(node)) == written
    assert names(addressed_variables(node)) == addressed


def test_values_of_writes() -> None:
    found = [(write.variable, write.value) for write in writes(kernel("i = 7; pi[0] += 8; u--;"))]
    assert [variable.name if variable else None for variable, _ in found] == ["i", None, "u"]
    assert [value.value if isinstance(value, tree.Constant) else value for _, value in found] == [7, 8, None]


def test_named_and_declared_variables() -> None:
    node = kernel("int x = i; { float y; __shared__ int s[2]; for (int k = 0; k < u; k++) s[k] = x; }")
    assert names(named_variables(node)) == "i k s u x"
    assert names(declared_variables(node)) == "k s x y"
    assert names(set(filter(is_local, declared_variables(node)))) == "k x y"


def place(text: str) -> tree.Place:
    load = expression(text)
    while isinstance(load, tree.Convert):
        load = load.operand
    assert isinstance(load, tree.Load)
    return load.place


def test_the_variable_and_the_place_of_a_member() -> None:
    variable = root(place("st.a[2]"))
    assert variable is not None and variable.name == "st"
    assert root(place("ps->x")) is None and root(place("pi[3]")) is None
    whole, offset = outermost(place("st.p"))
    assert isinstance(whole, tree.VarRef) and offset == 8
    whole, offset = outermost(place("ps->x"))
    assert isinstance(whole, tree.Deref) and offset == 0
    assert is_volatile(place("((volatile S *)ps)->x")) and not is_volatile(place("ps->x"))


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        ("break;", "Break"),
        ("if (b) continue; else return;", "Continue Return"),
        ("while (b) { if (i) break; continue; }", ""),
        ("while (b) { if (i) return; break; }", "Return"),
        ("switch (i) { case 1: break; case 2: continue; default: return; }", "Continue Return"),
        ("switch (i) { case 1: while (b) continue; }", ""),
        ("while (b) { switch (i) { case 1: break; case 2: continue; } }", ""),
        ("{ i = 3; { break; } }", "Break"),
    ],
)
def test_jumps_that_lead_out(statement: str, kinds: str) -> None:
    (loop,) = kernel(f"while (true) {{ {statement} }}").statements
    assert isinstance(loop, tree.Loop)
    jumps = [jump for node in loop.body.statements for jump in jumps_out(node)]
    assert " ".join(type(jump).__name__ for jump in jumps) == kinds
    assert returns(loop) == ("Return" in kinds)
    assert not any(isinstance(jump, tree.Break | tree.Continue) for jump in jumps_out(loop))


def test_the_kinds_of_nodes_that_access_places() -> None:
    nodes = list(walk(kernel("i = pi[0]; i += 1; i++;")))
    assert sum(isinstance(node, tree.Assignment) for node in nodes) == 3
    assert sum(isinstance(node, tree.Access) for node in nodes) == 5


@dataclass(frozen=True)
class Unknown:
    """An unknown kind of node."""

    type: object = INT


@pytest.mark.parametrize(
    "question", [is_effect, write_of, is_volatile, repeats, jumps_out, root, lambda node: same_value(node, node)]
)
def test_no_question_has_a_silent_answer_for_a_new_kind_of_node(
    question: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tree_walk._FIELDS, Unknown, ())
    with pytest.raises(AssertionError, match="Expected code to be unreachable"):
        question(Unknown())
