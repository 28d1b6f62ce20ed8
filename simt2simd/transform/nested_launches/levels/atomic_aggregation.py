"""Atomic additions to one place in the iterations of a loop, as one after the loop.

    for (...) atomicAdd(&sum[n], sum[c]);      ->      int part = 0;
                                                       bool any = false;
                                                       for (...) { part += sum[c]; any = true; }
                                                       if (any) atomicAdd(&sum[n], part);

Other threads may see all of it, or nothing; before, they might have seen a part of it at any time. Sums of floats are
grouped anew, as they are where lanes of a gang add to one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....lang.ctype import BOOL, Scalar
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import declared_variables, is_local, is_volatile, write_of, written_variables
from ....tree.nodes import Node, Variable
from ....tree.rewrite import copied
from ....tree.same import same_text
from ....tree.walk import map_children, walk
from .places import is_own, may_overlap

_OPERATORS: dict[str, tree.Arithmetic] = {"atomic_add": "+", "atomic_or": "|", "atomic_xor": "^"}


def gathered(statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
    """Yield statements whose loops add to a place once."""
    for node in statements:
        yield from _of_loop(node) if isinstance(node, tree.Loop) else [node]


def _of_loop(loop: tree.Loop) -> Iterator[tree.Stmt]:
    counted = len(loop.init) == 1 and len(loop.step) == 1 and isinstance(loop.step[0], tree.Increment)
    if not counted or any(isinstance(node, tree.Return) or _lets_others_see(node) for node in walk(loop)):
        yield loop
        return
    additions = [call for node in walk(loop.body) if (call := _addition(node, loop)) is not None]
    parts: list[_Part] = []
    for call in additions:
        part = next((part for part in parts if same_text(part.call.args[0], call.args[0])), None)
        if part is None:
            total = Variable("part", call.args[1].type, call.span, "local")
            parts.append(part := _Part(call, total, Variable("any", BOOL, call.span, "local"), []))
        part.calls.append(call)
    parts = [part for part in parts if not _is_accessed(part, additions, loop)]
    chosen = {call: part for part in parts for call in part.calls}

    def change(node: Node) -> Node:
        if isinstance(node, tree.Evaluate) and isinstance(node.expr, tree.BuiltinCall) and node.expr in chosen:
            part, build = chosen[node.expr], Build(node.span)
            value, op = node.expr.args[1], _OPERATORS[node.expr.builtin.op]
            added = tree.CompoundAssign(node.span, part.total.type, build.place(part.total), op, value, part.total.type)
            return build.block(build.evaluate(added), build.assign(part.found, build.number(BOOL, True)))
        return map_children(node, change)

    body = change(loop.body)
    assert isinstance(body, tree.Block)
    for part in parts:
        build = Build(part.call.span)
        yield build.declare(part.total, build.number(part.total.type, part.neutral))
        yield build.declare(part.found, build.number(BOOL, False))
    yield replace(loop, body=body)
    for part in parts:
        build = Build(part.call.span)
        adding = build.call_builtin(part.call.builtin, copied(part.call.args[0]), build.read(part.total))
        yield build.when(build.read(part.found), [build.evaluate(adding)])


@dataclass(frozen=True)
class _Part:
    """What the iterations of a loop add to one place by `calls`, the first of which is `call`.

    `found`: whether an iteration adds anything; if none does, there may be no such place.
    """

    call: tree.BuiltinCall
    total: Variable
    found: Variable
    calls: list[tree.BuiltinCall]

    @property
    def neutral(self) -> int | float:
        """What changes nothing: of floats -0, as 0 makes 0 of -0."""
        return -0.0 if isinstance(self.total.type, Scalar) and self.total.type.kind == "float" else 0

    @property
    def place(self) -> tree.Place:
        address = self.call.args[0]
        assert isinstance(address, tree.AddressOf)
        return address.place


def _lets_others_see(node: Node) -> bool:
    """Whether others may wait for what the iterations of a loop do one after the other."""
    if isinstance(node, tree.Place) and is_volatile(node):
        return True
    return isinstance(node, tree.BuiltinCall) and node.builtin.op == "fence"


def _addition(node: Node, loop: tree.Loop) -> tree.BuiltinCall | None:
    """Return what a statement adds to a place that is the same in all iterations of a loop, None for other nodes."""
    call = node.expr if isinstance(node, tree.Evaluate) else None
    if not isinstance(call, tree.BuiltinCall) or call.builtin.op not in _OPERATORS:
        return None
    if not isinstance(call.args[1].type, Scalar) or not isinstance(call.args[0], tree.AddressOf):
        return None
    changing = written_variables(loop) | declared_variables(loop)
    for below in walk(call.args[0].place):
        if isinstance(below, tree.VarRef) and (below.variable in changing or not is_local(below.variable)):
            return None
        if isinstance(below, tree.Load) and not isinstance(below.place, tree.VarRef):
            return None
    return call


def _is_accessed(part: _Part, additions: Sequence[tree.BuiltinCall], loop: tree.Loop) -> bool:
    """Whether an iteration may read or change what the iterations before it have added up, but by adding to it, too.

    What is added is a child's, and no other place than this is.
    """
    op = part.call.builtin.op
    added = {below for call in additions if call.builtin.op == op for below in walk(call)}
    for node in walk(loop):
        if isinstance(node, tree.Call):
            return True
        write = write_of(node)
        place = node.place if isinstance(node, tree.Load | tree.AddressOf) else write.place if write else None
        if place is None or is_own(place) or not may_overlap(place, part.place):
            continue
        if node not in added or (isinstance(node, tree.Load) and same_text(place, part.place)):
            return True
    return False
