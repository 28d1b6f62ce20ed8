"""What the tree-to-tree passes share: reads and assignments of variables, and copies of trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ..source import Span
from . import nodes as tree
from .nodes import Variable

N = TypeVar("N")


def read(variable: Variable, span: Span) -> tree.Load:
    """`variable`, as a value"""
    return tree.Load(span, variable.type, tree.VarRef(span, variable.type, variable))


def assign(variable: Variable, value: tree.Expr, span: Span) -> tree.Assign:
    """`variable = value`"""
    return tree.Assign(span, variable.type, tree.VarRef(span, variable.type, variable), value)


def renamed(node: N, names: Mapping[Variable, Variable]) -> N:
    """`node` with other variables where it names these; what is the same stays the same object."""
    if isinstance(node, tuple):
        parts = type(node)(renamed(part, names) for part in node)
        return node if all(a is b for a, b in zip(node, parts, strict=True)) else parts
    if isinstance(node, tree.VarRef):
        return replace(node, variable=names[node.variable]) if node.variable in names else node
    if not isinstance(node, tree.Node):
        return node
    changed = {}
    for item in fields(node):
        value = getattr(node, item.name)
        new = renamed(value, names)
        if new is not value:
            changed[item.name] = new
    return replace(node, **changed) if changed else node


def copied(node: Any, new: Mapping[Variable, Variable]) -> Any:
    """A copy of a tree with other variables. Shared variables stay: there is one for all calls, laid out already."""
    if isinstance(node, tuple):
        kept = [item for item in node if not (isinstance(item, tree.Declare) and item.variable.storage == "shared")]
        return tuple(copied(item, new) for item in kept)
    if isinstance(node, Variable):
        return new.get(node, node)
    if not isinstance(node, tree.Node) or not is_dataclass(node):
        return node
    return replace(node, **{item.name: copied(getattr(node, item.name), new) for item in fields(node)})
