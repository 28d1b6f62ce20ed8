"""Statements in place of a `return`, in an iteration of a loop or in another function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..lang.ctype import BOOL
from . import nodes as tree
from .build import Build
from .effects import returns
from .nodes import Variable
from .walk import map_blocks


def leaving(statements: Iterable[tree.Stmt]) -> Iterator[tree.Stmt]:
    """The statements with the end of the iteration where they return."""
    for node in statements:
        match node:
            case _ if not returns(node):
                yield node
            case tree.Return():
                yield tree.Continue(node.span)
            case tree.Loop():
                build = Build(node.span)
                left = Variable("returned", BOOL, node.span, "local")
                yield build.declare(left, build.number(BOOL, False))
                yield replace(node, body=breaking(node.body, left))
                yield build.when(build.read(left), [tree.Continue(node.span)])
            case _:
                yield map_blocks(node, lambda block: replace(block, statements=tuple(leaving(block.statements))))


def returning_to(block: tree.Block, result: Variable) -> tree.Block:
    """Return a block that assigns to `result` what it returns."""
    done: list[tree.Stmt] = []
    for node in block.statements:
        if isinstance(node, tree.Return) and node.value is not None:
            done += [Build(node.span).assign(result, node.value), replace(node, value=None)]
        else:
            done.append(map_blocks(node, lambda inner: returning_to(inner, result)))
    return replace(block, statements=tuple(done))


def breaking(block: tree.Block, left: Variable) -> tree.Block:
    """Return a part of a loop that sets `left` and breaks off where it returns."""
    done: list[tree.Stmt] = []
    for node in block.statements:
        build = Build(node.span)
        if isinstance(node, tree.Return):
            done += [build.assign(left, build.number(BOOL, True)), tree.Break(node.span)]
            continue
        new = map_blocks(node, lambda inner: breaking(inner, left)) if returns(node) else node
        done.append(new)
        if new is not node and isinstance(node, tree.Loop | tree.Switch):
            done.append(build.when(build.read(left), [tree.Break(node.span)]))
    return replace(block, statements=tuple(done))


def falling_through(statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
    """Return the statements with nothing after what returns, in place of the `return`s, which have no values.

    `if (a) return; b;` becomes `if (!a) { b; }`.
    """
    for i, node in enumerate(statements):
        if not returns(node):
            continue
        before, rest, build = statements[:i], statements[i + 1 :], Build(node.span)
        match node:
            case tree.Return():
                return list(before)
            case tree.Block():
                return [*before, build.block(*falling_through([*node.statements, *rest]))]
            case tree.If() if _always_returns(node.then):
                then, other = falling_through(node.then.statements), [*node.other.statements, *rest]
                return [*before, build.when(node.cond, then, falling_through(other))]
            case tree.If() if _always_returns(node.other):
                then, other = [*node.then.statements, *rest], falling_through(node.other.statements)
                return [*before, build.when(node.cond, falling_through(then), other)]
        left = Variable("returned", BOOL, node.span, "local")
        return [
            *before,
            build.declare(left, build.number(BOOL, False)),
            _skipping(node, left),
            build.when(build.negate(build.read(left)), falling_through(rest)),
        ]
    return list(statements)


def _always_returns(block: tree.Block) -> bool:
    """Whether a block surely ends with a `return`, as can be seen at its end."""
    match block.statements[-1:]:
        case (tree.Return(),):
            return True
        case (tree.Block() as inside,):
            return _always_returns(inside)
        case (tree.If(then=then, other=other),):
            return _always_returns(then) and _always_returns(other)
    return False


def _skipping(node: tree.Stmt, left: Variable) -> tree.Stmt:
    """Return a statement that sets `left` and goes to its end where it returns."""
    if isinstance(node, tree.Loop | tree.Switch):
        return map_blocks(node, lambda block: breaking(block, left))
    return map_blocks(node, lambda block: replace(block, statements=tuple(_marking(block.statements, left))))


def _marking(statements: Sequence[tree.Stmt], left: Variable) -> Iterator[tree.Stmt]:
    for i, node in enumerate(statements):
        build = Build(node.span)
        if not returns(node):
            yield node
        elif isinstance(node, tree.Return):
            yield build.assign(left, build.number(BOOL, True))
            return
        else:
            yield _skipping(node, left)
            rest = list(_marking(statements[i + 1 :], left))
            yield from [build.when(build.negate(build.read(left)), rest)] if rest else []
            return
