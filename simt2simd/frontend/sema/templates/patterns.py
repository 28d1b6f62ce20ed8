"""The syntax of patterns of types: the parameters of a function template, packs, names by themselves."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import Array, CType, FunctionType, Pointer
from ...parse import cxx
from ...parse.fields import fields_of
from ...parse.words import Node
from ..scopes import TemplateName
from .packs import names_in


def parameter_nodes(declaration: Node) -> list[Node]:
    """Return the parameters of a function's declaration or definition."""
    decl = declaration.decl if isinstance(declaration, cxx.Definition) else declaration
    assert isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl)
    nodes = decl.type.args.params if decl.type.args is not None else []
    return [node for node in nodes if not is_void(node)]


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return a copy of a syntax tree in which the names of template parameters are others."""
    made = copy.copy(node)
    for slot, value in fields_of(node):
        object.__setattr__(made, slot, _renamed_part(value, names))
    match made:
        case c_ast.ID():
            made.name = names.get(made.name, made.name)
        case c_ast.IdentifierType():
            made.names = [names.get(name, name) for name in made.names]
        case cxx.Name(parts=(first, *rest)):
            made.parts = (replace(first, name=names.get(first.name, first.name)), *rest)
    return made


def _renamed_part(part: object, names: Mapping[str, str]) -> object:
    if isinstance(part, list):
        return [_renamed_part(one, names) for one in part]
    if isinstance(part, tuple):
        return tuple(_renamed_part(one, names) for one in part)
    is_node = isinstance(part, c_ast.Node) or type(part).__module__ == cxx.__name__
    return renamed(part, names) if is_node else part  # type: ignore[arg-type]


def special_arguments(node: cxx.Template) -> Sequence[Node] | None:
    """Return the template arguments of a partial specialisation; None for any other template."""
    inner = node.declaration
    if isinstance(inner, c_ast.Decl) and isinstance(inner.type, cxx.Class | cxx.UnionClass):
        inner = inner.type
    return inner.args if isinstance(inner, cxx.Class | cxx.UnionClass) else node.specialised


def bare_name(pattern: Node) -> Node:
    """Return the name that a type without anything else is."""
    if isinstance(pattern, c_ast.Typename) and isinstance(pattern.type, c_ast.TypeDecl) and not pattern.type.quals:
        return pattern.type.type
    return pattern


def without_pack(node: Node) -> tuple[Node, bool]:
    if isinstance(node, c_ast.Decl | c_ast.Typename) and isinstance(node.type, cxx.PackExpansion):
        return node.type.pattern, True
    return node, False


def pack_names(args: c_ast.ParamList | Sequence[Node] | None) -> tuple[str, ...]:
    """Return the names of the parameter packs in a list of parameters, also of those that have no elements."""
    params = args.params if isinstance(args, c_ast.ParamList) else args or ()
    return tuple(
        param.name
        for param in params
        if isinstance(param, c_ast.Decl | c_ast.Typename) and isinstance(param.type, cxx.PackExpansion) and param.name
    )


def has_quals(node: Node) -> bool:
    return bool(getattr(node, "quals", None))


def is_parameter(node: Node, template: TemplateName) -> bool:
    """Whether a declarator is nothing but one of the template's own parameters (or `auto`)."""
    if not isinstance(node, c_ast.TypeDecl):
        return False
    inner = node.type
    names = inner.names if isinstance(inner, c_ast.IdentifierType) else ()
    return isinstance(inner, c_ast.InferredType) or any(p.name in names for p in template.node.params)


def spread(node: Node) -> Node:
    """Return a parameter as an element of a list of types."""
    inner, pack = without_pack(node)
    plain = as_type(adjusted(inner))
    return cxx.PackExpansion(plain, inner.coord) if pack else plain


def adjusted(node: Node) -> Node:
    """Return the declarator of a parameter as it is in the type of a function ([dcl.fct]/5).

    Arrays and functions are pointers, and the qualifiers of what is passed do not count.
    """
    pattern = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
    match pattern:
        case c_ast.ArrayDecl():
            return c_ast.PtrDecl([], pattern.type, pattern.coord)
        case c_ast.FuncDecl():
            return c_ast.PtrDecl([], pattern, pattern.coord)
        case c_ast.TypeDecl(quals=quals) if quals:
            return c_ast.TypeDecl(pattern.declname, [], pattern.align, pattern.type, pattern.coord)
        case c_ast.PtrDecl(quals=quals) if quals:
            return c_ast.PtrDecl([], pattern.type, pattern.coord)
    return pattern


def as_type(node: Node) -> Node:
    declarator = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
    return c_ast.Typename(None, [], None, declarator, node.coord)


def is_void(node: Node) -> bool:
    if not isinstance(node, c_ast.Typename) or node.name is not None or not isinstance(node.type, c_ast.TypeDecl):
        return False
    inner = node.type.type
    return isinstance(inner, c_ast.IdentifierType) and inner.names == ["void"]


def decayed(ctype: CType, const: bool, volatile: bool) -> CType:
    """Return the type of a parameter that takes a value: an array is a pointer."""
    if isinstance(ctype, Array):
        return Pointer(ctype.element, const, volatile)
    return Pointer(ctype) if isinstance(ctype, FunctionType) else ctype


def with_arguments(node: Node, args: Mapping[str, Node]) -> Node | None:
    """Return a chain of declarators in which types are in place of parameters; None if more than these is in it."""
    match node:
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])) if name in args:
            return _qualified(args[name], node.quals or [])
        case c_ast.PtrDecl() | c_ast.ArrayDecl() | cxx.Reference():
            inner = with_arguments(node.type, args)
            if inner is None or (isinstance(node, c_ast.ArrayDecl) and list(names_in(node.dim))):
                return None
            made = copy.copy(node)
            made.type = inner
            return made
    return None


def _qualified(node: Node, quals: Sequence[str]) -> Node:
    """Return a declarator with more qualifiers: of an array, those of its elements."""
    if not quals or isinstance(node, cxx.Reference):
        return node
    made = copy.copy(node)
    if isinstance(made, c_ast.ArrayDecl):
        made.type = _qualified(made.type, quals)
    elif isinstance(made, c_ast.TypeDecl | c_ast.PtrDecl):
        made.quals = [*dict.fromkeys([*(made.quals or ()), *quals])]
    return made
