"""Tree-to-tree: the recursive calls that both arms of an `if` make are made once.

**Known as:** call merging, tail merging of calls.

A guided traversal visits the near child first, and which one is near differs by lane:

    if (c) { f(l); if (p) f(r); } else { f(r); if (q) f(l); }

Run as written, each node costs four recursive calls, each for a part of the lanes. The calls of both arms in one order
that contains both orders (their shortest common supersequence) are only three:

    bool c_ = c;  if (c_) f(l);  if (c_ ? p : true) f(r);  if (!c_) if (q) f(l);

Each lane still does what it did, in its own order: the lanes of the two arms are disjoint, and a call is
merged only with one of the same function and the same argument expressions. Where lanes vote on c
(`#pragma s2s any_order`), they all take one arm, and nothing is merged. The result is again a program that prints
as CUDA-C.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..lang.ctype import BOOL
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import recursive_functions
from ..tree.effects import is_vote, jumps_out
from ..tree.nodes import Module, Variable
from ..tree.same import same_text
from ..tree.subsequence import common_subsequence
from ..tree.walk import map_blocks, map_statements


def merge_calls(module: Module) -> Module:
    """Return a module that means the same, in which arms share their recursive calls."""
    recursive = recursive_functions(module)
    if not recursive:
        return module
    functions = {
        name: replace(function, body=_merged(function.body, recursive)) for name, function in module.functions.items()
    }
    return replace(module, functions=functions)


def _merged(block: tree.Block, recursive: frozenset[str]) -> tree.Block:
    """Return a block with the calls of every `if` in it merged, from the inside out."""

    def merged(node: tree.Stmt) -> list[tree.Stmt]:
        node = map_blocks(node, lambda inner: _merged(inner, recursive))
        instead = _merge(node, recursive) if isinstance(node, tree.If) else None
        return [node] if instead is None else instead

    return map_statements(block, merged)


@dataclass(frozen=True)
class _Step:
    """One statement of an arm; `call` and `guard` if it is `f(...)` or `if (guard) f(...)` of a recursive f."""

    node: tree.Stmt
    call: tree.Evaluate | None = None
    guard: tree.Expr | None = None


def _merge(node: tree.If, recursive: frozenset[str]) -> list[tree.Stmt] | None:
    """Return the statements that replace an `if` whose arms share recursive calls, None if they share none."""
    left = [_step(below, recursive) for below in node.then.statements]
    right = [_step(below, recursive) for below in node.other.statements]
    if is_vote(node.cond) or any(_declares_or_jumps(step.node) for step in left + right):
        return None
    pairs = common_subsequence(left, right, _same_call)
    if not pairs:
        return None
    build = Build(node.span)
    chosen = Variable("first_arm", BOOL, node.cond.span, "local", const=True)
    result: list[tree.Stmt] = [build.declare(chosen, node.cond)]
    done_left = done_right = 0
    for i, j in [*pairs, (len(left), len(right))]:
        result += _guarded(build, build.read(chosen), left[done_left:i])
        result += _guarded(build, build.negate(build.read(chosen)), right[done_right:j])
        if i < len(left):
            result.append(_shared(build, chosen, left[i], right[j]))
        done_left, done_right = i + 1, j + 1
    return [build.block(*result)]


def _step(node: tree.Stmt, recursive: frozenset[str]) -> _Step:
    match node:
        case tree.Evaluate(expr=tree.Call(function=name)) if name in recursive:
            return _Step(node, node)
        case tree.If(then=tree.Block(statements=(tree.Evaluate(expr=tree.Call(function=name)) as call,))) if (
            name in recursive and not node.other.statements
        ):
            return _Step(node, call, node.cond)
        case _:
            return _Step(node)


def _declares_or_jumps(node: tree.Stmt) -> bool:
    return isinstance(node, tree.Declare) or bool(jumps_out(node))


def _same_call(left: _Step, right: _Step) -> bool:
    return left.call is not None and right.call is not None and same_text(left.call.expr, right.call.expr)


def _guarded(build: Build, cond: tree.Expr, steps: Sequence[_Step]) -> list[tree.Stmt]:
    """Statements that only one arm has."""
    return [build.when(cond, [step.node for step in steps])] if steps else []


def _shared(build: Build, chosen: Variable, left: _Step, right: _Step) -> tree.Stmt:
    """Return a call that both arms have: each lane makes it if its own arm's guard holds."""
    assert left.call is not None
    if left.guard is None and right.guard is None:
        return left.call
    guards = [step.guard or build.number(BOOL, True) for step in (left, right)]
    return Build(left.node.span).when(build.choose(build.read(chosen), *guards), [left.call])
