"""The paths of an iteration: what follows an `if` that may end the iteration is moved into the other arms.

    if (crosses(n)) {                          if (crosses(n)) {
        if (inner(n)) {                            if (inner(n)) {
            push; n = near; continue;                  push; n = near; continue;
        }                                          }
        leaf(n);                                   leaf(n);
    }                                              pop; continue;
    pop;                                       } else { pop; continue; }

Each `if` then either ends the iteration in a whole arm, or does not affect its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...tree import nodes as tree
from ...tree.effects import declared_variables
from ...tree.nodes import Variable
from ...tree.rewrite import copied
from ...tree.walk import walk
from .accesses import NotRead
from .scripts import Fork, Leave, Op, Plain, Push, Repeat, Script, Set, Stop, all_ops, ends, nodes_of

MAX_COPIED = 600  # nodes of what follows an `if`, in all its copies


def spread(script: Script) -> Script:
    """Return a script that means the same, in which an `if` ends the iteration in a whole arm, or continues in both.

    Raises `NotRead` if that takes too many copies of what follows.
    """
    return _Spread().script(script)


class _Spread:
    def __init__(self) -> None:
        self.left = MAX_COPIED

    def script(self, script: Script) -> Script:
        for i, op in enumerate(script):
            if not isinstance(op, Fork):
                continue
            before, rest = script[:i], script[i + 1 :]
            then_ends, other_ends = ends(op.then), ends(op.other)
            if rest and not then_ends and not other_ends and (_has_end((op,)) or isinstance(rest[0], Stop | Leave)):
                again = self.copy(op, rest)
                then, other = self.script((*op.then, *rest)), self.script((*op.other, *again))
                return (*before, replace(op, then=then, other=other))
            if rest and then_ends != other_ends and _has_end(op.other if then_ends else op.then):
                ending = replace(op, then=self.script(op.then) if then_ends else (),
                                 other=self.script(op.other) if other_ends else ())  # fmt: skip
                return (*before, ending, *self.script((*(op.other if then_ends else op.then), *rest)))
            new = replace(op, then=self.script(op.then), other=self.script(op.other))
            return (*before, new, *self.script(rest))
        return script

    def copy(self, op: Fork, rest: Script) -> Script:
        """Return a copy of what follows `op`, with variables of its own."""
        self.left -= sum(1 for below in all_ops(rest) for node in nodes_of(below) for _ in walk(node))
        if self.left < 0:
            raise NotRead(op.node, "the iteration ends within an `if`, and continues after it with too much to copy")
        return copied_script(rest)


def _has_end(script: Script) -> bool:
    return any(isinstance(op, Stop | Leave) or (isinstance(op, Plain) and isinstance(op.node, tree.Return))
               for op in all_ops(script))  # fmt: skip


def copied_script(script: Script) -> Script:
    """Return a copy of a script, with variables of its own in place of those that it declares."""
    declared = {variable for op in all_ops(script) for node in nodes_of(op) for variable in declared_variables(node)}
    return _copied(script, {variable: replace(variable) for variable in declared if variable.storage == "local"})


def _copied(script: Script, names: dict[Variable, Variable]) -> Script:
    def expressions(values: Sequence[tree.Expr]) -> tuple[tree.Expr, ...]:
        return tuple(copied(value, names) for value in values)

    def op(node: Op) -> Op:
        match node:
            case Plain():
                return Plain(copied(node.node, names))
            case Push():
                return Push(node.node, expressions(node.values))
            case Set():
                return Set(node.index, copied(node.value, names))
            case Fork():
                then, other = _copied(node.then, names), _copied(node.other, names)
                return Fork(node.node, copied(node.cond, names), then, other)
            case Repeat():
                raise NotRead(node.counted.loop, "it pushes in a loop after an `if` in which the iteration may end")
            case Stop() | Leave():
                return replace(node)

    return tuple(map(op, script))
