"""Tree-to-tree: the part of a recursive function that returns at once becomes a part of every call.

**Known as:** partial inlining, hot-path outlining.

Most calls in a tree are for what is far away or for leaves, and return at once:

    void f(n) { if (far(n)) return; f(left(n)); f(right(n)); }

The part that returns becomes a part of every call, and costs none:

    inline void f(n) { if (far(n)) return; f_rest(n); }
    void f_rest(n) { f(left(n)); f(right(n)); }

Functions that become loops over a stack make no calls, and stay whole (`analysis/walks`). The result is again a program
that prints as CUDA-C.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..lang.ctype import VOID, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import recursive_functions
from ..tree.effects import addressed_variables, named_variables, returns
from ..tree.names import free_name
from ..tree.nodes import Function, Module, Variable
from ..tree.rewrite import renamed
from ..tree.walk import walk

MAX_HEAD_NODES = 200  # of what is copied to every call


def partial_inlining(module: Module) -> Module:
    """Return a module that means the same, in which the heads of recursive functions are inlined into their callers."""
    recursive = recursive_functions(module)
    functions = dict(module.functions)
    for name in sorted(recursive):
        if not functions[name].looped:
            functions.update(_split(functions[name], recursive, functions))
    return replace(module, functions=functions)


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
    name = free_name(f"{function.name}_rest", taken)
    params = {old: replace(old, storage="param", initial=None) for old in handed_on}
    rest_body = renamed(replace(function.body, statements=rest), params)
    remainder = replace(function, name=name, params=tuple(params.values()), body=rest_body, inline="never")
    build = Build(function.span)
    call = build.evaluate(build.call(remainder, *map(build.read, handed_on)))
    body = replace(function.body, statements=(*head, call))
    return {function.name: replace(function, body=body, inline="always"), name: remainder}


def _calls(node: tree.Stmt, recursive: frozenset[str]) -> list[tree.Call]:
    return [below for below in walk(node) if isinstance(below, tree.Call) and below.function in recursive]
