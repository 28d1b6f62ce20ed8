"""Loops whose test or steps need statements: these become part of the iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...lang.ctype import BOOL
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.effects import continues_out
from ...tree.nodes import Expr, Stmt, Variable
from ...tree.rewrite import changed


def with_test_and_steps(node: tree.Loop, cond: Expr | None, test: list[Stmt], steps: list[Stmt]) -> list[Stmt]:
    """Return a loop with a condition that needs the statements of `test` before it, and with these steps."""
    if not test and not steps:
        return [changed(node, cond=cond)]
    leave = [] if cond is None else [*test, _leave_unless(cond)]
    body = node.body.statements
    if node.test_first and not steps:
        return [_with_body(node, [*leave, *body])]
    if not continues_out(node.body):
        if not node.test_first:
            return [_with_body(node, [*body, *leave])]
        return [_with_body(node, [*leave, *body, *steps])]
    # A `continue` leads to the steps and the test, wherever it is: they begin all iterations but the first.
    build = Build(node.span)
    later = Variable("later", BOOL, node.span, "local")
    begin: list[Stmt] = [build.when(build.read(later), steps if node.test_first else leave)]
    begin.append(build.assign(later, build.number(BOOL, True)))
    if node.test_first:
        begin += leave
    return [build.declare(later, build.number(BOOL, False)), _with_body(node, [*begin, *body])]


def _with_body(node: tree.Loop, statements: Sequence[Stmt]) -> tree.Loop:
    """Return a loop that runs until it is left."""
    return replace(node, cond=None, test_first=True, body=replace(node.body, statements=tuple(statements)))


def _leave_unless(cond: Expr) -> Stmt:
    build = Build(cond.span)
    return build.when(build.negate(cond), [tree.Break(cond.span)])


def in_block(before: Sequence[Stmt], nodes: Sequence[Stmt]) -> Stmt:
    """Return a statement for several."""
    if not before and len(nodes) == 1:
        return nodes[0]
    return tree.Block(nodes[-1].span, (*before, *nodes))
