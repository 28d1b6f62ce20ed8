"""Under what masks statements run: where the lanes of a gang diverge and reconverge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import assert_never

from ..analysis.boundary_guards import is_guard
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..tree import nodes as tree
from ..tree.effects import jumps_out
from ..tree.walk import children


class Mask(IntEnum):
    """Which lanes reach a statement, of all those that begin a kernel."""

    ALL = 0  # those that exist
    UNIFORM = 1  # all or none
    GUARD = 2  # all but at the edge of the data
    BRANCH = 3  # those that chose it
    LOOP = 4  # fewer from iteration to iteration


IN_WORDS = {
    Mask.ALL: "all lanes",
    Mask.UNIFORM: "uniform branch",
    Mask.GUARD: "guard",
    Mask.BRANCH: "divergent branch",
    Mask.LOOP: "loop that lanes leave one by one",
}


@dataclass(frozen=True)
class Met:
    """A node, the mask under which it is met, and how many loops are around it."""

    node: tree.Node
    mask: Mask
    loops: int


def at_entry(shapes: Shapes) -> Mapping[Instance, Mask]:
    """Return the masks with which the instances are called: of several, the one of fewest lanes."""
    found = dict.fromkeys(shapes.instances, Mask.ALL)
    todo = list(shapes.instances)
    while todo:
        caller = todo.pop()
        function = shapes.instances[caller]
        for met in nodes(function, found[caller]):
            callee = function.calls.get(met.node) if isinstance(met.node, tree.Call) else None
            if callee is not None and met.mask > found[callee]:
                found[callee] = met.mask
                todo.append(callee)
    return found


def nodes(function: FunctionShapes, mask: Mask, loops: int = 0) -> Iterator[Met]:
    """Yield the nodes of a function that is called with `mask`, in the order of the source."""
    yield from _block(function, function.function.body.statements, mask, loops)


def _block(function: FunctionShapes, statements: Sequence[tree.Stmt], mask: Mask, loops: int) -> Iterator[Met]:
    for statement in statements:
        yield from _statement(function, statement, mask, loops)
        mask = max(mask, _left_by(function, statement))


def _left_by(function: FunctionShapes, statement: tree.Stmt) -> Mask:
    """Return the mask after a statement in which some lanes may jump out of the block."""
    if isinstance(statement, tree.Break | tree.Continue | tree.Return) or not jumps_out(statement):
        return Mask.ALL
    match statement:
        case tree.If():
            inside = (*statement.then.statements, *statement.other.statements)
            own = _parted(function, statement.cond)
            return max((own, *(_left_by(function, each) for each in inside)))
        case tree.Block():
            return max((_left_by(function, each) for each in statement.statements), default=Mask.ALL)
        case tree.Loop():
            return Mask.BRANCH
        case tree.Switch():
            return _parted(function, statement.value)
    return Mask.ALL


def _statement(function: FunctionShapes, node: tree.Stmt, mask: Mask, loops: int) -> Iterator[Met]:
    match node:
        case tree.Block():
            yield from _block(function, node.statements, mask, loops)
        case tree.If():
            yield Met(node, mask, loops)
            yield from _expression(function, node.cond, mask, loops)
            inside = max(mask, _parted(function, node.cond))
            for arm in (node.then, node.other):
                yield from _block(function, arm.statements, inside, loops)
        case tree.Loop():
            yield from _block(function, node.init, mask, loops)
            inside = max(mask, Mask.LOOP) if node in function.divergent_loops else mask
            yield Met(node, inside, loops + 1)
            for expr in (*((node.cond,) if node.cond is not None else ()), *node.step):
                yield from _expression(function, expr, inside, loops + 1)
            yield from _block(function, node.body.statements, inside, loops + 1)
        case tree.Switch():
            yield Met(node, mask, loops)
            yield from _expression(function, node.value, mask, loops)
            inside = max(mask, _parted(function, node.value))
            for section in node.sections:
                yield from _block(function, section.body.statements, inside, loops)
        case tree.Declare() | tree.Evaluate() | tree.Break() | tree.Continue() | tree.Return():
            yield Met(node, mask, loops)
            for child in children(node):
                yield from _expression(function, child, mask, loops)
        case _:
            assert_never(node)


def _expression(function: FunctionShapes, node: tree.Node, mask: Mask, loops: int) -> Iterator[Met]:
    yield Met(node, mask, loops)
    match node:
        case tree.Logical():
            yield from _expression(function, node.left, mask, loops)
            yield from _expression(function, node.right, max(mask, _parted(function, node.left)), loops)
        case tree.Conditional():
            yield from _expression(function, node.cond, mask, loops)
            inside = max(mask, _parted(function, node.cond))
            for arm in (node.then, node.other):
                yield from _expression(function, arm, inside, loops)
        case _:
            for child in children(node):
                yield from _expression(function, child, mask, loops)


def _parted(function: FunctionShapes, cond: tree.Expr) -> Mask:
    """Return the mask of those for which a condition, or a value, is as it should be."""
    if function.of(cond).uniform:
        return Mask.UNIFORM
    return Mask.GUARD if is_guard(function, cond) else Mask.BRANCH
