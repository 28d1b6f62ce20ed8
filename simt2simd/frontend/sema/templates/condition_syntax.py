"""The syntax of a function template's declaration, as far as its conditions need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pycparser import c_ast

from ...parse import cxx
from ...parse.fields import fields_of
from ...parse.words import Node
from ..qualified import Qualified
from ..scopes import TemplateName
from .patterns import parameter_nodes, without_pack


@dataclass(frozen=True, slots=True)
class SimpleParameter:
    """The parameter number `at` of a function, `name`, of type `T`, `T &`, `const T &` or `T &&`. `named`: the `T`.

    `param`: the key of `T` among bindings.
    """

    at: int
    name: str
    named: str
    param: str
    reference: Literal["", "&", "const &", "&&"]

    def deduced(self, source: Qualified) -> Qualified:
        """Return what `T` is for an argument; the reference of `source` says what binds to it ([temp.deduct.call])."""
        match self.reference:
            case "":
                return Qualified(source.type)
            case "&&" if source.reference == "&":
                return source
            case "const &":
                return Qualified(source.type, False, source.volatile)
        return replace(source, reference="")


def types_of(template: TemplateName) -> Iterator[tuple[Node, str]]:
    """Yield the types that a function template's declaration names; with each the parameter whose default it is."""
    decl = template.node.declaration
    decl = decl.decl if isinstance(decl, cxx.Definition) else decl
    assert isinstance(decl, c_ast.Decl)
    result = decl.type.type if isinstance(decl.type, c_ast.FuncDecl) else None
    nodes: list[tuple[Node | None, str]] = [(result, ""), *((one, "") for one in parameter_nodes(decl))]
    for param in template.node.params:
        if not param.pack:
            nodes.append((param.type, "") if param.kind == "value" else (param.default, param.name_key))
    for node, unless in nodes:
        plain = plain_type(node) if node is not None else None
        if plain is not None:
            yield plain, unless


def simple_parameters(template: TemplateName) -> Iterator[SimpleParameter]:
    params = {param.name: param for param in template.node.params if param.kind == "type" and param.name}
    for at, node in enumerate(parameter_nodes(template.node.declaration)):
        if without_pack(node)[1] or not isinstance(node, c_ast.Decl | c_ast.Typename):
            return
        inner, reference = node.type, ""
        if isinstance(node.type, cxx.Reference):
            inner, reference = node.type.type, "&&" if node.type.rvalue else "&"
        if not isinstance(inner, c_ast.TypeDecl) or not isinstance(inner.type, c_ast.IdentifierType):
            continue
        quals, param = tuple(inner.quals or ()), params.get(inner.type.names[0])
        if param is None or param.pack or (quals and (quals, reference) != (("const",), "&")):
            continue
        wanted: Literal["", "&", "const &", "&&"] = "const &" if quals else "&&" if reference == "&&" else "&"
        yield SimpleParameter(at, node.name or "", param.name, param.name_key, wanted if reference else "")


def members_in(node: object) -> Iterator[tuple[str, str]]:
    """Yield `x` and `y` of each `x.y` in an expression, but not those in lambdas and requirements."""
    if isinstance(node, list | tuple):
        for one in node:
            yield from members_in(one)
        return
    if isinstance(node, c_ast.StructRef):
        if node.type == "." and isinstance(node.name, c_ast.ID) and isinstance(node.field, c_ast.ID):
            if node.field.name.isidentifier():
                yield node.name.name, node.field.name
        else:
            yield from members_in(node.name)
    elif isinstance(node, c_ast.BinaryOp | c_ast.FuncCall | c_ast.ExprList):
        for _, part in fields_of(node):
            yield from members_in(part)


def plain_type(node: Node) -> Node:
    """Return the specifier of a type, without its declarators."""
    while isinstance(
        node, c_ast.Decl | c_ast.Typename | c_ast.Typedef | c_ast.TypeDecl | c_ast.PtrDecl | cxx.Reference
    ):
        node = node.type
    return node
