"""Tree-to-tree: the part of a recursive function that returns at once becomes a part of every call.

Most calls in a tree are for what is far away or for leaves, and return at once:

    void f(n) { if (far(n)) return; f(left(n)); f(right(n)); }

The part that returns becomes a part of every call, and costs none:

    inline void f(n) { if (far(n)) return; f_rest(n); }
    void f_rest(n) { f(left(n)); f(right(n)); }

Functions that become loops over a stack make no calls, and stay whole (`analysis/walks`). The result is again a program
that prints as CUDA-C.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from ..lang.ctype import VOID, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.calls import recursive_functions
from ..tree.nodes import Function, Module, Variable
from ..tree.rewrite import read, renamed
from ..tree.walk import walk

MAX_HEAD_NODES = 200  # of what is copied to every call


def split_heads(module: Module) -> Module:
    """Return a module that means the same, in which the heads of recursive functions stand in their callers."""
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
    returns = any(isinstance(node, tree.Return) for node in below)
    others = {call.function for node in rest for call in _calls(node, recursive)} - {function.name}
    used = {node.variable for statement in rest for node in walk(statement) if isinstance(node, tree.VarRef)}
    shared = [node.variable for node in head if isinstance(node, tree.Declare) and node.variable in used]
    handed_on = (*function.params, *shared)
    if (
        function.kind != "device"
        or function.result != VOID
        or function.inline is not None
        or not (returns and rest)
        or others
        or len(below) > MAX_HEAD_NODES
        or any(not isinstance(variable.type, Scalar | Pointer) or variable.storage != "local" for variable in shared)
        or any(_takes_address(node, handed_on) for node in walk(function.body))
    ):
        return {function.name: function}
    name = next(name for name in _names(f"{function.name}_rest") if name not in taken)
    params = {old: replace(old, storage="param", initial=None) for old in handed_on}
    span = function.span
    call = tree.Call(span, VOID, name, tuple(read(variable, span) for variable in handed_on))
    body = replace(function.body, statements=(*head, tree.Evaluate(span, call)))
    rest_body = renamed(replace(function.body, statements=rest), params)
    return {
        function.name: replace(function, body=body, inline="always"),
        name: replace(function, name=name, params=tuple(params.values()), body=rest_body, inline="never"),
    }


def _calls(node: tree.Stmt, recursive: frozenset[str]) -> list[tree.Call]:
    return [below for below in walk(node) if isinstance(below, tree.Call) and below.function in recursive]


def _takes_address(node: tree.Node, variables: Sequence[Variable]) -> bool:
    """Whether `node` is the address of one of some variables, or of a part of it: a copy would be another object."""
    if not isinstance(node, tree.AddressOf | tree.Decay):
        return False
    place = node.place
    while isinstance(place, tree.Member):
        place = place.base
    return isinstance(place, tree.VarRef) and place.variable in variables


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{i}" for i in count(2))
