"""Tree-to-tree: the recursive calls that both arms of an `if` make are made once.

A guided traversal visits the near child first, and which one is near differs by lane:

    if (c) { f(l); if (p) f(r); } else { f(r); if (q) f(l); }

Run as written, each node costs four recursive calls, each for a part of the lanes. The calls of both arms in one order
that contains both orders (their shortest common supersequence) are only three:

    bool c_ = c;  if (c_) f(l);  if (c_ ? p : true) f(r);  if (!c_) if (q) f(l);

Each lane still does what it did, in its own order: the lanes of the two arms are disjoint, and a call is
merged only with one of the same function and the same argument expressions. The result is again a program that prints
as CUDA-C.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

from ..lang.ctype import BOOL
from ..source import Span
from ..tree import nodes as tree
from ..tree.calls import recursive_functions
from ..tree.nodes import Module, Variable
from ..tree.rewrite import read
from ..tree.walk import walk


def merge_calls(module: Module) -> Module:
    """Return a module that means the same, in which arms share their recursive calls."""
    recursive = recursive_functions(module)
    if not recursive:
        return module
    functions = {
        name: replace(function, body=_block(function.body, recursive)) for name, function in module.functions.items()
    }
    return replace(module, functions=functions)


def _block(block: tree.Block, recursive: frozenset[str]) -> tree.Block:
    statements: list[tree.Stmt] = []
    for node in block.statements:
        statements += _statement(node, recursive)
    return replace(block, statements=tuple(statements))


def _statement(node: tree.Stmt, recursive: frozenset[str]) -> list[tree.Stmt]:
    match node:
        case tree.Block():
            return [_block(node, recursive)]
        case tree.Loop():
            return [replace(node, body=_block(node.body, recursive))]
        case tree.Switch():
            sections = tuple(replace(section, body=_block(section.body, recursive)) for section in node.sections)
            return [replace(node, sections=sections)]
        case tree.If():
            node = replace(node, then=_block(node.then, recursive), other=_block(node.other, recursive))
            merged = _merge(node, recursive)
            return [node] if merged is None else merged
        case _:
            return [node]


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
    if any(_declares_or_jumps(step.node) for step in left + right):
        return None
    pairs = _common(left, right)
    if not pairs:
        return None
    span = node.span
    chosen = Variable("first_arm", BOOL, span, "local", const=True)
    result: list[tree.Stmt] = [tree.Declare(span, chosen, node.cond)]
    done_left = done_right = 0
    for i, j in [*pairs, (len(left), len(right))]:
        result += _guarded(chosen, True, left[done_left:i], span)
        result += _guarded(chosen, False, right[done_right:j], span)
        if i < len(left):
            result.append(_shared(chosen, left[i], right[j], span))
        done_left, done_right = i + 1, j + 1
    return [tree.Block(span, tuple(result))]


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
    jumps = (tree.Break, tree.Continue, tree.Return)
    return isinstance(node, tree.Declare) or any(isinstance(below, jumps) for below in walk(node))


def _common(left: Sequence[_Step], right: Sequence[_Step]) -> list[tuple[int, int]]:
    """The longest common subsequence of the arms' calls, as index pairs (the textbook dynamic programme)."""
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            if _same_call(left[i], right[j]):
                best[i][j] = best[i + 1][j + 1] + 1
            else:
                best[i][j] = max(best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if _same_call(left[i], right[j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _same_call(left: _Step, right: _Step) -> bool:
    return left.call is not None and right.call is not None and _equal(left.call.expr, right.call.expr)


def _equal(left: object, right: object) -> bool:
    """Whether two expressions read the same: same nodes, same variables; positions do not count."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_equal(a, b) for a, b in zip(left, right, strict=True))
    if type(left) is not type(right):
        return False
    if isinstance(left, Variable) or not is_dataclass(left) or not isinstance(left, tree.Node):
        return left is right or left == right
    return all(
        _equal(getattr(left, item.name), getattr(right, item.name)) for item in fields(left) if item.name != "span"
    )


def _guarded(chosen: Variable, arm: bool, steps: Sequence[_Step], span: Span) -> list[tree.Stmt]:
    """Statements that only one arm has."""
    if not steps:
        return []
    cond = read(chosen, span) if arm else tree.Unary(span, BOOL, "!", read(chosen, span))
    body = tree.Block(span, tuple(step.node for step in steps))
    return [tree.If(span, cond, body, tree.Block(span, ()))]


def _shared(chosen: Variable, left: _Step, right: _Step, span: Span) -> tree.Stmt:
    """A call that both arms have: each lane makes it if its own arm's guard holds."""
    assert left.call is not None
    if left.guard is None and right.guard is None:
        return left.call
    always = tree.Constant(span, BOOL, True)
    guard = tree.Conditional(span, BOOL, read(chosen, span), left.guard or always, right.guard or always)
    return tree.If(left.node.span, guard, tree.Block(left.node.span, (left.call,)), tree.Block(span, ()))
