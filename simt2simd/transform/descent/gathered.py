"""Atomic additions to one place in the rounds of a loop, as one behind the loop.

    for (...) atomicAdd(&sum[n], sum[c]);      ->      int part = 0;
                                                       for (...) part += sum[c];
                                                       atomicAdd(&sum[n], part);

Other threads may see all of it, or nothing; before, they might have seen a part of it at any time. Sums of floats are
grouped anew, as they are where lanes of a gang add to one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...lang.ctype import Scalar
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.effects import declared_variables, is_local, is_volatile, written_variables
from ...tree.nodes import Node, Variable
from ...tree.rewrite import copied
from ...tree.same import same_text
from ...tree.walk import map_children, walk

_OPERATORS: dict[str, tree.Arithmetic] = {"atomic_add": "+", "atomic_or": "|", "atomic_xor": "^"}  # 0 changes nothing


def gathered(statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
    """Yield statements whose loops add to a place once."""
    for node in statements:
        yield from _of_loop(node) if isinstance(node, tree.Loop) else [node]


def _of_loop(loop: tree.Loop) -> Iterator[tree.Stmt]:
    counted = len(loop.init) == 1 and len(loop.step) == 1 and isinstance(loop.step[0], tree.Increment)
    if not counted or any(isinstance(node, tree.Return) or _lets_others_see(node) for node in walk(loop)):
        yield loop
        return
    found: list[tuple[tree.BuiltinCall, Variable]] = []

    def change(node: Node) -> Node:
        call = node.expr if isinstance(node, tree.Evaluate) else None
        if isinstance(call, tree.BuiltinCall) and _is_addition(call, loop):
            part = next((part for other, part in found if same_text(other.args[0], call.args[0])), None)
            if part is None:
                part = Variable("part", call.args[1].type, call.span, "local")
                found.append((call, part))
            build, op = Build(call.span), _OPERATORS[call.builtin.op]
            added = tree.CompoundAssign(call.span, part.type, build.place(part), op, call.args[1], part.type)
            return build.evaluate(added)
        return map_children(node, change)

    body = change(loop.body)
    assert isinstance(body, tree.Block)
    for call, part in found:
        assert isinstance(part.type, Scalar)
        zero = 0.0 if part.type.kind == "float" else 0
        yield Build(call.span).declare(part, Build(call.span).number(part.type, zero))
    yield replace(loop, body=body)
    for call, part in found:
        build = Build(call.span)
        yield build.evaluate(build.call_builtin(call.builtin, copied(call.args[0]), build.read(part)))


def _lets_others_see(node: Node) -> bool:
    """Whether others may wait for what the rounds of a loop do one after the other."""
    if isinstance(node, tree.Place) and is_volatile(node):
        return True
    return isinstance(node, tree.BuiltinCall) and node.builtin.op == "fence"


def _is_addition(call: tree.BuiltinCall, loop: tree.Loop) -> bool:
    """Whether a call adds to a place that is the same in all rounds of a loop, and that nothing in it reads by name."""
    if call.builtin.op not in _OPERATORS or not isinstance(call.args[1].type, Scalar):
        return False
    if not isinstance(call.args[0], tree.AddressOf):
        return False
    place = call.args[0].place
    changing = written_variables(loop) | declared_variables(loop)
    for node in walk(place):
        if isinstance(node, tree.VarRef) and (node.variable in changing or not is_local(node.variable)):
            return False
        if isinstance(node, tree.Load) and not isinstance(node.place, tree.VarRef):
            return False
    return not any(isinstance(node, tree.Load) and same_text(node.place, place) for node in walk(loop))
