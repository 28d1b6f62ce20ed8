"""Tree-to-tree: recursive functions count their visits, and calls from outside begin a traversal (`--stats`).

**Known as:** instrumentation.

    __device__ void f(n, q) {                         __device__ void f(n, q) {
        if (far(n, q)) return;                            __s2s_visit(0);
        f(left(n), q);                                    if (far(n, q)) return;
        f(right(n), q);                                   f(left(n), q);
    }                                                     f(right(n), q);
    __global__ void k() { f(0, &q); }                 }
                                                      __global__ void k() { f(0, &q); }    begins traversal 0

A visit is a call of the function as it is written, also one that returns at once. Functions that call each other
are one recursion, and so one traversal: each call of one of them is a visit.

The statement `__s2s_visit(0)` is at the start of what is done at a node, and all later rewrites and the lowering
carry it along: whatever becomes of the calls (a loop over a stack, code for a single lane), it runs once for each
visit, in the lanes that are there. The number is that of the traversal in `Module.traversals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from ...lang.compiler_calls import VISIT
from ...lang.ctype import UINT
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.calls import reached_functions
from ...tree.nodes import Function, Module, Traversal
from ...tree.walk import map_children, walk

N = TypeVar("N", bound=tree.Node)


def traversal_statistics(module: Module) -> Module:
    """Return a module that means the same and counts."""
    numbers, traversals = _recursions(module)
    functions = {name: _counting(function, numbers) for name, function in module.functions.items()}
    return replace(module, functions=functions, traversals=traversals)


def _recursions(module: Module) -> tuple[dict[str, int], tuple[Traversal, ...]]:
    """Return the number of each recursive function's traversal, and the traversals."""
    reached = reached_functions(module)
    numbers: dict[str, int] = {}
    traversals: list[Traversal] = []
    for name, function in module.functions.items():
        if name in reached[name] and name not in numbers:
            together = [other for other in module.functions if other in reached[name] and name in reached[other]]
            numbers |= dict.fromkeys(together, len(traversals))
            tail = all(_calls_last(module.functions[other].body, frozenset(together)) for other in together)
            traversals.append(Traversal(", ".join(together), function.span, tail))
    return numbers, tuple(traversals)


def _calls_last(body: tree.Block, names: frozenset[str]) -> bool:
    """Whether each way through statements calls one of these functions once at most, and does nothing after it."""
    *before, last = body.statements or (tree.Return(body.span, None),)
    for node in before:
        if _calls(node, names) and not (_leaves(node, names) and _is_last(node, names)):
            return False
    return _is_last(last, names)


def _is_last(node: tree.Stmt, names: frozenset[str]) -> bool:
    match node:
        case tree.Block():
            return _calls_last(node, names)
        case tree.If():
            arms = _calls_last(node.then, names) and _calls_last(node.other, names)
            return arms and not _calls(node.cond, names)
        case tree.Evaluate(expr=tree.Call() as call) | tree.Return(value=tree.Call() as call):
            return not any(_calls(argument, names) for argument in call.args)
    return not _calls(node, names)


def _leaves(node: tree.Stmt, names: frozenset[str]) -> bool:
    """Whether threads that call go no further."""
    if not isinstance(node, tree.If):
        return False
    arms = [arm for arm in (node.then, node.other) if _calls(arm, names)]
    return all(isinstance(arm.statements[-1], tree.Return) for arm in arms)


def _calls(node: tree.Node, names: frozenset[str]) -> bool:
    return any(isinstance(below, tree.Call) and below.function in names for below in walk(node))


def _counting(function: Function, numbers: Mapping[str, int]) -> Function:
    own = numbers.get(function.name)
    body = _beginning(function.body, {name: number for name, number in numbers.items() if number != own})
    if own is not None:
        build = Build(function.span)
        visit = build.evaluate(build.call_builtin(VISIT, build.number(UINT, own)))
        body = replace(body, statements=(visit, *body.statements))
    return replace(function, body=body)


def _beginning(node: N, numbers: Mapping[str, int]) -> N:
    """Return `node` with calls of these functions as the beginnings of traversals."""
    new = map_children(node, lambda child: _beginning(child, numbers))
    return replace(new, begins=numbers[new.function]) if isinstance(new, tree.Call) and new.function in numbers else new
