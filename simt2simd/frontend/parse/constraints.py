"""What constraints of parameters denote: `template <C<int> T>` is `template <class T> requires C<T, int>`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from pycparser import c_ast

from ...source import Span
from .cxx import DeclType, Fold, Name, PackExpansion, Reference, TemplateParameter
from .words import Node


def with_argument(concept: Name, first: Node) -> Name:
    """Return `C<T, int>` for `C<int>` and the type `T`."""
    last = concept.parts[-1]
    return Name((*concept.parts[:-1], replace(last, args=(first, *(last.args or ())))), concept.rooted, concept.coord)


def constraint_of(concept: Name, asked: Node, *, pack: bool) -> Node:
    """Return the condition that a constraint of a parameter is; of a pack, for all of it."""
    condition = with_argument(concept, asked)
    return Fold("&&", condition, None, False, concept.coord) if pack else condition


def type_of(name: Node, span: Span) -> c_ast.Typename:
    """Return the type that is nothing but `name`."""
    return c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, name, span), span)


def all_of(conditions: Iterable[Node | None]) -> Node | None:
    """Return the conjunction of conditions, None of none."""
    given = [one for one in conditions if one is not None]
    return reduce(lambda one, other: c_ast.BinaryOp("&&", one, other, one.coord), given) if given else None


def constraint_of_value(node: Node, name: str, span: Span, *, pack: bool) -> Node | None:
    """Return what `C auto N`, a template parameter, asks for; None where it asks for nothing."""
    auto = auto_in(node)
    if auto is None or not name or (constraint := getattr(auto, "constraint", None)) is None:
        return None
    return constraint_of(constraint, type_of(DeclType(c_ast.ID(name, span), False, span), span), pack=pack)


def auto_in(node: Node | None) -> c_ast.InferredType | None:
    """Return the `auto` in the type of a declaration."""
    while node is not None and not isinstance(node, c_ast.InferredType):
        node = node.pattern if isinstance(node, PackExpansion) else getattr(node, "type", None)
    return node


class WithoutAuto:
    """The parameters of a function, with a template parameter for each `auto`, and the conditions on these."""

    def __init__(self, args: c_ast.ParamList | None, params: tuple[TemplateParameter, ...] = ()) -> None:
        self.params = list(params)
        self.conditions: list[Node] = []
        self.args = args and c_ast.ParamList(list(map(self._parameter, args.params)), args.coord)

    def _parameter(
        self, node: c_ast.Decl | c_ast.Typename | c_ast.EllipsisParam
    ) -> c_ast.Decl | c_ast.Typename | c_ast.EllipsisParam:
        if isinstance(node, c_ast.Typename):
            return c_ast.Typename(node.name, node.quals, node.align, self._rebuilt(node.type), node.coord)
        if isinstance(node, c_ast.Decl):
            return c_ast.Decl(
                node.name, node.quals, node.align, node.storage, node.funcspec, self._rebuilt(node.type), node.init,
                node.bitsize, node.coord,
            )  # fmt: skip
        return node

    def _rebuilt(self, inner: Node, *, pack: bool = False) -> Node:
        match inner:
            case PackExpansion():
                return PackExpansion(self._rebuilt(inner.pattern, pack=True), inner.coord)
            case Reference():
                return Reference(self._rebuilt(inner.type, pack=pack), inner.rvalue, inner.coord)
            case c_ast.PtrDecl():
                return c_ast.PtrDecl(inner.quals, self._rebuilt(inner.type, pack=pack), inner.coord)
            case c_ast.TypeDecl(type=c_ast.InferredType() as auto):
                named = self._named(auto, pack)
                return c_ast.TypeDecl(inner.declname, inner.quals, inner.align, named, coord=inner.coord)
        return inner

    def _named(self, auto: c_ast.InferredType, pack: bool) -> c_ast.IdentifierType:
        """Return the name of a new template parameter, which no program can write."""
        name, span = f"auto:{len(self.params) + 1}", auto.coord
        self.params.append(TemplateParameter("type", name, span, pack))
        named = c_ast.IdentifierType([name], span)
        if (constraint := getattr(auto, "constraint", None)) is not None:
            self.conditions.append(constraint_of(constraint, type_of(named, span), pack=pack))
        return named
