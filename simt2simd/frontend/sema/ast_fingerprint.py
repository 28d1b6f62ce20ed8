"""Pictures of syntax trees that can be compared."""

from __future__ import annotations

from collections.abc import Mapping

from pycparser import c_ast

from ..parse import cxx
from ..parse.declarators import DeclaredName


def ast_fingerprint(node: object, names: Mapping[str, object]) -> object:
    """Return a comparable picture of a syntax tree, with other names in place of some, and without those declared."""
    if isinstance(node, str):
        return names.get(node, node)
    if isinstance(node, list | tuple):
        return tuple(ast_fingerprint(item, names) for item in node)
    if isinstance(node, c_ast.Node) or type(node).__module__ == cxx.__name__:
        slots = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
        slots += list(getattr(node, "__dict__", ()))
        left_out = ["coord", "span", "declname", "__weakref__", "align"]
        if isinstance(node, DeclaredName):
            left_out.append("scope")  # of `S<T>::f`: whose member is declared
        keep = [name for name in dict.fromkeys(slots) if name not in left_out]
        return (type(node).__name__, *(ast_fingerprint(getattr(node, name, None), names) for name in keep))
    return node
