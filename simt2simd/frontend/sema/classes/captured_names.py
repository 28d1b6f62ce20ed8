"""The names by which the body of a lambda may capture variables of the function around ([expr.prim.lambda.capture]).

Those are names that nothing inside declares, and that a potentially evaluated expression names. A member of another
object is none: `a.x` names a, not x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pycparser import c_ast

from ...parse import cxx
from ...parse.words import BlockExpression, Node
from ..templates.packs import children_of


@dataclass(frozen=True)
class Named:
    """A name; `evaluated` is False for an operand of `sizeof`, `decltype` and `noexcept`."""

    name: str
    evaluated: bool


def captured_names(node: cxx.Lambda) -> list[Named]:
    """Return what a lambda's body names and neither it nor the parameters declare, in order."""
    known: set[str] = set()
    params = list(_names(_parameters(node), known, True))
    return list(dict.fromkeys([*params, *_names(node.body, known, True)]))


def _parameters(node: cxx.Lambda) -> list[Node]:
    return list(node.signature.args.params) if node.signature is not None and node.signature.args else []


def _names(node: object, known: set[str], evaluated: bool) -> Iterator[Named]:
    """Yield what `node` names; `known`, to which its declarations are added, is what the blocks around it declare."""
    match node:
        case list() | tuple():
            for item in node:
                yield from _names(item, known, evaluated)
        case c_ast.ID(name=name) | cxx.Name(parts=(cxx.NamePart(name=name, args=None),), rooted=False):
            if name not in known:
                yield Named(name, evaluated)
        case c_ast.IdentifierType(names=names):
            yield from (Named(name, evaluated) for name in names if name not in known)
        case cxx.Name(parts=parts):
            yield from _names([part.args for part in parts], known, evaluated)
        case c_ast.StructRef(name=object, field=field):
            yield from _names(object, known, evaluated)
            if isinstance(field, cxx.Name):
                yield from _names([part.args for part in field.parts], known, evaluated)
        case c_ast.UnaryOp(op="sizeof", expr=operand) | cxx.DeclType(expr=operand):
            yield from _names(operand, known, False)
        case cxx.Trait(args=args):
            yield from _names(args, known, False)
        case cxx.SizeofPack() | c_ast.Struct() | c_ast.Union():
            return  # a class in a function names none of its variables
        case c_ast.NamedInitializer(name=designators, expr=value):
            designated = [one.expr for one in designators if isinstance(one, c_ast.ArrayDesignator)]
            yield from _names([*designated, value], known, evaluated)
        case cxx.Body():
            yield from _names(node.items(), set(known), evaluated)
        case cxx.If(init=init) | cxx.Switch(init=init):
            yield from _names([init, *children_of(node)], set(known), evaluated)
        case (
            BlockExpression() | c_ast.Compound() | c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.If()
            | c_ast.Switch()
        ):  # fmt: skip
            yield from _names(children_of(node), set(known), evaluated)
        case cxx.RangeFor(init=init, declaration=declaration, range=over, body=body):
            yield from _names([init, over, declaration, body], set(known), evaluated)
        case cxx.Lambda():
            yield from _of_lambda(node, known, evaluated)
        case c_ast.FuncDecl(args=args):
            yield from _names(args, set(known), evaluated)
        case cxx.StructuredBinding(names=names, init=init):
            yield from _names(init, known, evaluated)
            known |= {name for name, _ in names}
        case c_ast.Decl(name=name, type=type_, init=init):
            yield from _names(type_, known, evaluated)
            known |= {name} if name else set()
            yield from _names(init, known, evaluated)
        case c_ast.Typedef(name=name, type=type_):
            yield from _names(type_, known, evaluated)
            known.add(name)
        case c_ast.Enumerator(name=name, value=value):
            yield from _names(value, known, evaluated)
            known.add(name)
        case _ if isinstance(node, c_ast.Node) or type(node).__module__ == cxx.__name__:
            yield from _names(children_of(node), known, evaluated)


def _of_lambda(node: cxx.Lambda, known: set[str], evaluated: bool) -> Iterator[Named]:
    """Yield what a lambda in the body names: its own captures are made where it is."""
    inside = set(known)
    for capture in node.captures:
        if capture.init is not None:
            yield from _names(capture.init, known, evaluated)
            inside.add(capture.name)
        elif not capture.pack and capture.name.removeprefix("*") not in known:
            yield Named(capture.name.removeprefix("*"), evaluated)
    yield from _names(_parameters(node), inside, evaluated)
    yield from _names(node.body, inside, evaluated)
