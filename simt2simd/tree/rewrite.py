"""Trees with other parts: other variables, copies, an expression in place of another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from .nodes import (
    AddressOf,
    Block,
    BuiltinCall,
    Comma,
    Declare,
    Deref,
    Expr,
    Function,
    Module,
    Node,
    Place,
    Variable,
    VarRef,
)
from .walk import map_children

N = TypeVar("N", bound=Node)


def with_functions(module: Module, rewrite: Callable[[Function], Function]) -> Module:
    """Return a module with other functions; the same object if all stay the same."""
    functions = {name: rewrite(function) for name, function in module.functions.items()}
    if all(functions[name] is function for name, function in module.functions.items()):
        return module
    return replace(module, functions=functions)


def renamed(node: N, names: Mapping[Variable, Variable]) -> N:
    """Return `node` with other variables in place of these; what is the same stays the same object."""
    new = map_children(node, lambda child: renamed(child, names))
    if isinstance(new, VarRef | Declare) and new.variable in names:
        return replace(new, variable=names[new.variable])
    return new


def with_kernels(node: N, names: Mapping[str, str]) -> N:
    """Return `node` with launches of kernels that have other names now; what is the same stays the same object."""
    new = map_children(node, lambda child: with_kernels(child, names))
    if isinstance(new, BuiltinCall) and new.builtin.kernel in names:
        name = names[new.builtin.kernel]
        return replace(new, builtin=replace(new.builtin, name=name, kernel=name))
    return new


def copied(node: N, new: Mapping[Variable, Variable] | None = None) -> N:
    """Return a tree of new nodes, with other variables where these are named or declared.

    A shared variable has one declaration, which stays where it is: the copy has none, unless `new` has the variable.
    """
    names = new or {}
    copy = map_children(_without_shared(node, names), lambda child: copied(child, names))
    if isinstance(copy, VarRef | Declare):
        return replace(copy, variable=names.get(copy.variable, copy.variable))
    return replace(copy) if copy is node else copy


def _without_shared(node: N, names: Mapping[Variable, Variable]) -> N:
    def stays(below: Node) -> bool:
        return isinstance(below, Declare) and below.variable.storage == "shared" and below.variable not in names

    if not isinstance(node, Block) or not any(map(stays, node.statements)):
        return node
    return replace(node, statements=tuple(below for below in node.statements if not stays(below)))


def with_place(node: N, variable: Variable, place: Place) -> N:
    """Return `node` with an object at `place`, whose address only reads, where it names a variable."""

    def moved(below: Node) -> Node:
        match below:
            case VarRef() if below.variable is variable:
                return copied(place)
            case AddressOf(place=VarRef(variable=named)) if named is variable and isinstance(place, Deref):
                return (
                    copied(place.pointer) if place.pointer.type == below.type else replace(below, place=copied(place))
                )
        return map_children(below, moved)

    return cast("N", moved(node))


def after(steps: Sequence[Expr], last: Expr) -> Expr:
    """Return `last`, evaluated after `steps`."""
    for step in reversed(steps):
        last = Comma(last.span, last.type, step, last)
    return last


def unwound(value: Expr) -> tuple[list[Expr], Expr]:
    """Return what is evaluated before the value of an expression, and that: `after` undone."""
    steps: list[Expr] = []
    while isinstance(value, Comma):
        steps.append(value.left)
        value = value.right
    return steps, value


def replaced(node: N, old: Expr, new: Expr) -> N:
    """Return `node` with `new` in place of the expression `old`, which is below it."""
    return map_children(node, lambda child: new if child is old else replaced(child, old, new))


def changed(node: N, **fields: Any) -> N:
    """Return `node` with these fields, itself if it has them already."""
    return node if all(getattr(node, name) is new for name, new in fields.items()) else replace(node, **fields)


def as_before(new: Sequence[Any], old: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a tuple of these nodes: `old`, if they are the same."""
    return old if len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True)) else tuple(new)
