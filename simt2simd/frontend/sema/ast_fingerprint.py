"""Pictures of syntax trees that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pycparser import c_ast

from ..parse import cxx
from ..parse.declarators import DeclaredName
from ..parse.fields import fields_of


def ast_fingerprint(node: object, names: Mapping[str, object]) -> object:
    """Return a comparable picture of a syntax tree, with other names in place of some, and without those declared."""
    kind: type = type(node)
    if kind is str:
        return names.get(node, node)  # type: ignore[call-overload]
    if kind is list or kind is tuple:
        return tuple([ast_fingerprint(item, names) for item in node])  # type: ignore[attr-defined]
    if node is None or not _is_node(kind):
        return names.get(node, node) if isinstance(node, str) else node
    left_out = _left_out(kind)
    parts = [
        value if value is None else ast_fingerprint(value, names)
        for name, value in fields_of(node)
        if name not in left_out
    ]
    return (kind.__name__, *parts)


@cache
def _is_node(kind: type) -> bool:
    return issubclass(kind, c_ast.Node) or (kind.__module__ == cxx.__name__ and not issubclass(kind, str))


@cache
def _left_out(kind: type) -> frozenset[str]:
    """Return the fields that say nothing of what a node means; the scope of `S<T>::f` says whose member is declared."""
    return frozenset(("declname", "align", *(("scope",) if issubclass(kind, DeclaredName) else ())))
