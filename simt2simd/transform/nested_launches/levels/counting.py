"""What of a kernel decides how many children a node has, for the kernel that counts these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....analysis.frames import RefusedError
from ....tree import nodes as tree
from ....tree.effects import is_effect, own_written
from ....tree.launches import is_launch
from ....tree.nodes import Node
from ....tree.rewrite import copied
from ....tree.walk import walk
from .pattern import Descent


@dataclass(frozen=True)
class Counting:
    """Leaves of the statements before the wait what decides how many children a node has.

    A launch becomes `step`, or stays without one; `report` precedes each return.
    """

    descent: Descent
    step: tree.Stmt | None
    report: tree.Stmt

    def slice(self, body: tree.Block) -> list[tree.Stmt]:
        return [kept for node in body.statements for kept in self._kept(node)]

    def _kept(self, node: tree.Stmt) -> Iterator[tree.Stmt]:
        match node:
            case tree.Block():
                yield tree.Block(node.span, tuple(self.slice(node)))
            case tree.Declare():
                self._require_pure(node)
                yield node
            case tree.Evaluate(expr=expr) if is_launch(expr):
                if expr.builtin.kernel == self.descent.kernel.name:
                    for arg in expr.args:
                        self._require_pure(arg)
                    yield copied(self.step or node)
            case tree.Evaluate(expr=expr):
                if own_written(expr):
                    self._require_pure(node, but=expr)
                    yield node
            case tree.If():
                then, other = (tree.Block(arm.span, tuple(self.slice(arm))) for arm in (node.then, node.other))
                if then.statements or other.statements:
                    self._require_pure(node.cond)
                    yield replace(node, then=then, other=other)
            case tree.Loop():
                body = tree.Block(node.body.span, tuple(self.slice(node.body)))
                if _does_something(body):
                    for part in (*node.init, *((node.cond,) if node.cond is not None else ())):
                        self._require_pure(part)
                    for step in node.step:
                        self._require_pure(step, but=step if own_written(step) else None)
                    yield replace(node, body=body)
            case tree.Return():
                yield copied(self.report)
                yield node
            case tree.Break() | tree.Continue():
                yield node
            case _:
                raise RefusedError(node.span, "a statement of this kind may decide on the children of a node")

    def _require_pure(self, node: Node, but: Node | None = None) -> None:
        for below in walk(node):
            if below is not but and is_effect(below):
                why = "which children a node has may depend on this, and it does more than to give a value"
                raise RefusedError(below.span, why)


def _does_something(body: tree.Block) -> bool:
    return any(isinstance(node, tree.Evaluate | tree.Return) for node in walk(body))
