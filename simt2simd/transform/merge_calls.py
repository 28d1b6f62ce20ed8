"""Tree-to-tree: make traversals cheaper to run in lockstep. The result is again a program that prints as CUDA-C.

First, calls are merged (`_merge`). A guided traversal visits the near child first, and which one is near differs by
lane:

    if (c) { f(l); if (p) f(r); } else { f(r); if (q) f(l); }

Run as written, each node costs four recursive calls, each for a part of the lanes. The calls of both arms in one order
that contains both orders (their shortest common supersequence) are only three:

    bool c_ = c;  if (c_) f(l);  if (c_ ? p : true) f(r);  if (!c_) if (q) f(l);

Each lane still does what it did, in its own order: the lanes of the two arms are disjoint, and a call is
merged only with one of the same function and the same argument expressions.

Then functions are split (`_split`). Most calls in a tree are for what is far away or for leaves, and return at once:

    void f(n) { if (far(n)) return; f(left(n)); f(right(n)); }

The part that returns becomes a part of every call, and costs none:

    inline void f(n) { if (far(n)) return; f_rest(n); }
    void f_rest(n) { f(left(n)); f(right(n)); }

Functions that become loops over a stack make no calls, and stay whole (`preorder`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from ..analysis import walks
from ..lang.ctype import BOOL, VOID, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import recursive_functions
from ..tree.effects import addressed_variables, jumps_out, named_variables, returns
from ..tree.nodes import Function, Module, Variable
from ..tree.rewrite import renamed
from ..tree.same import same_text
from ..tree.walk import map_blocks, map_statements, walk


def traverse(module: Module) -> Module:
    """Apply every transformation of this file that pays."""
    recursive = recursive_functions(module)
    functions = {
        name: replace(function, body=_merged(function.body, recursive)) if recursive else function
        for name, function in module.functions.items()
    }
    functions = walks.mark(replace(module, functions=functions), recursive).functions
    for name in sorted(recursive):
        if not functions[name].looped:
            functions.update(_split(functions[name], recursive, functions))
    return replace(module, functions=functions)


# ------------------------------------------------------------------------------------------- splitting

MAX_HEAD_NODES = 200  # of what is copied to every call


def _split(function: Function, recursive: frozenset[str], taken: Mapping[str, Function]) -> dict[str, Function]:
    """Return the functions that take the place of `function`: its head and the rest, or itself if it has no head.

    The rest gets the variables that the head declares, where it needs them, as further parameters.
    """
    statements = function.body.statements
    first = next((i for i, node in enumerate(statements) if _calls(node, recursive)), len(statements))
    head, rest = statements[:first], statements[first:]
    below = [node for statement in head for node in walk(statement)]
    returning = any(map(returns, head))
    others = {call.function for node in rest for call in _calls(node, recursive)} - {function.name}
    used = set[Variable]().union(*map(named_variables, rest))
    shared = [node.variable for node in head if isinstance(node, tree.Declare) and node.variable in used]
    handed_on = (*function.params, *shared)
    if (
        function.kind != "device"
        or function.result != VOID
        or function.inline is not None
        or not (returning and rest)
        or others
        or len(below) > MAX_HEAD_NODES
        or any(not isinstance(variable.type, Scalar | Pointer) or variable.storage != "local" for variable in shared)
        or addressed_variables(function.body).intersection(handed_on)  # a copy would be another object
    ):
        return {function.name: function}
    name = next(name for name in _names(f"{function.name}_rest") if name not in taken)
    params = {old: replace(old, storage="param", initial=None) for old in handed_on}
    rest_body = renamed(replace(function.body, statements=rest), params)
    remainder = replace(function, name=name, params=tuple(params.values()), body=rest_body, inline="never")
    build = Build(function.span)
    call = build.evaluate(build.call(remainder, *map(build.read, handed_on)))
    body = replace(function.body, statements=(*head, call))
    return {function.name: replace(function, body=body, inline="always"), name: remainder}


def _calls(node: tree.Stmt, recursive: frozenset[str]) -> list[tree.Call]:
    return [below for below in walk(node) if isinstance(below, tree.Call) and below.function in recursive]


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{i}" for i in count(2))


# -------------------------------------------------------------------------------------------- merging


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
    if any(_declares_or_jumps(step.node) for step in left + right):
        return None
    pairs = _common(left, right)
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
    return left.call is not None and right.call is not None and same_text(left.call.expr, right.call.expr)


def _guarded(build: Build, cond: tree.Expr, steps: Sequence[_Step]) -> list[tree.Stmt]:
    """Statements that only one arm has."""
    return [build.when(cond, [step.node for step in steps])] if steps else []


def _shared(build: Build, chosen: Variable, left: _Step, right: _Step) -> tree.Stmt:
    """A call that both arms have: each lane makes it if its own arm's guard holds."""
    assert left.call is not None
    if left.guard is None and right.guard is None:
        return left.call
    guards = [step.guard or build.number(BOOL, True) for step in (left, right)]
    return Build(left.node.span).when(build.choose(build.read(chosen), *guards), [left.call])
