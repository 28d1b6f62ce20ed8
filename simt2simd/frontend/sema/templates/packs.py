"""Checking parameter packs: what `pattern...` expands to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from pycparser import c_ast

from ....lang.ctype import BOOL, INT, ULONG, VOID
from ....source import Span
from ....tree.nodes import Constant, Convert, Expr, Place
from ...parse import cxx
from ...parse.fields import fields_of
from ...parse.words import Node
from ..context import Part, Sema
from ..qualified import Qualified
from ..scopes import Name, PackName, Scope
from .bound import Bound

T = TypeVar("T")


class Packs(Part):
    """The checker's part for parameter packs."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self._names: dict[Node, frozenset[str]] = {}

    def names_of(self, node: Node) -> frozenset[str]:
        """Return the identifiers that a part of a template's declaration names; they are looked for once."""
        found = self._names.get(node)
        if found is None:
            found = self._names[node] = frozenset(names_in(node))
        return found

    def packs_in(self, pattern: object) -> dict[str, PackName]:
        """Return the packs that a pattern names and does not expand itself."""
        found: dict[str, PackName] = {}
        for name in names_in(pattern, expanded=False):
            entry = self._beyond_elements(name)
            if isinstance(entry, PackName):
                found[name] = entry
        return found

    def _beyond_elements(self, name: str) -> Name | None:
        """Return what a name denotes in a pattern: also where the pattern of another expansion is around."""
        regions = (region for region in self.s.scopes.regions() if region.scopes[0].kind != "element")
        return next((found for region in regions if (found := region.find(name)) is not None), None)

    def each_element(self, pattern: Node) -> Iterator[None]:
        """Yield once for each element of the packs that `pattern` names, in a scope where they mean that element."""
        packs = self.packs_in(pattern)
        if not packs:
            self.fail(pattern.coord, "there is no parameter pack to expand here")
        counts = {len(pack.items) for pack in packs.values()}
        if len(counts) > 1:
            self.fail(pattern.coord, "the parameter packs have different lengths")
        for index in range(counts.pop()):
            scope = Scope({name: pack.items[index] for name, pack in packs.items()}, kind="element")
            with self.s.scopes.inside(scope), self.s.templates.own_specifiers():
                yield

    def expanded(self, node: cxx.PackExpansion, one: Callable[[], T]) -> list[T]:
        """Return what `one` makes of each element of a pack."""
        return [one() for _ in self.each_element(node.pattern)]

    def each_element_of(self, pattern: Node) -> Iterator[Node]:
        """Yield a pattern once for each element of its pack, in a scope that has it."""
        for _ in self.each_element(pattern):
            yield pattern

    def expanded_types(self, node: Node, pack: bool) -> list[Qualified]:
        """Return the types that a base class denotes, several if it is a pack."""
        if not pack:
            return [self.s.types.base_type(node)]
        return [self.s.types.base_type(node) for _ in self.each_element(node)]

    def spread_nodes(self, nodes: list[Node]) -> list[Node]:
        """Return the items of a list with packs expanded."""
        found: list[Node] = []
        for node in nodes:
            if isinstance(node, cxx.PackExpansion):
                found += self.each_element_node(node.pattern)
            else:
                found.append(node)
        return found

    def size_of_pack(self, node: cxx.SizeofPack) -> Expr:
        """Check `sizeof...(pack)`, which in the pattern of an expansion is the whole pack's too ([expr.sizeof]/5)."""
        entry = self._beyond_elements(node.name)
        if not isinstance(entry, PackName):
            self.fail(node.coord, f"'{node.name}' is no parameter pack")
        return Constant(node.coord, ULONG, len(entry.items))

    def fold_expression(self, node: cxx.Fold) -> Expr | Place:
        """`(pack op ...)`: the operator between the elements, from the left or from the right."""
        patterns = list(self.each_element_node(node.pack))
        operands: list[Node] = [*patterns]
        if node.init is not None:
            operands = [node.init, *patterns] if node.left else [*patterns, node.init]
        if not operands:
            return self._empty_fold(node)
        if len(operands) == 1:
            return self.s.expr.term(operands[0])
        span = node.coord
        if node.left:
            result = operands[0]
            for operand in operands[1:]:
                result = _joined(node.op, result, operand, span)
        else:
            result = operands[-1]
            for operand in reversed(operands[:-1]):
                result = _joined(node.op, operand, result, span)
        return self.s.expr.term(result)

    def each_element_node(self, pattern: Node) -> Iterator[Node]:
        """Yield a node for each element, which denotes the pattern with that element's names."""
        packs = self.packs_in(pattern)
        if not packs:
            self.fail(pattern.coord, "there is no parameter pack to expand here")
        count = min(len(pack.items) for pack in packs.values())
        for index in range(count):
            elements = Scope({name: pack.items[index] for name, pack in packs.items()}, kind="element")
            yield Bound(pattern, elements, pattern.coord)

    def _empty_fold(self, node: cxx.Fold) -> Expr:
        if node.op in ("&&", "||"):
            return Constant(node.coord, BOOL, node.op == "&&")
        if node.op == ",":
            return Convert(node.coord, VOID, Constant(node.coord, INT, 0), explicit=True)
        self.fail(node.coord, f"a fold over '{node.op}' of an empty pack has no value")


def _joined(op: str, left: Node, right: Node, span: Span) -> Node:
    if op == ",":
        return c_ast.ExprList([left, right], span)
    if op.endswith("=") and op not in ("==", "!=", "<=", ">="):
        return c_ast.Assignment(op, left, right, span)
    return c_ast.BinaryOp(op, left, right, span)


def names_in(node: object, *, expanded: bool = True, types: bool = True) -> Iterator[str]:
    """Yield the identifiers that a syntax tree names.

    Without `types`, not those of types: of `typename L::mapping<f()>`, only those of the arguments. Without `expanded`,
    not those of the packs that an expansion in the tree spreads ([temp.variadic]/6).
    """
    if isinstance(node, list | tuple):
        for item in node:
            yield from names_in(item, expanded=expanded, types=types)
        return
    if isinstance(node, c_ast.ID):
        yield node.name
    elif isinstance(node, c_ast.IdentifierType):
        if types:
            yield from node.names
    elif isinstance(node, c_ast.TypeDecl) and isinstance(node.type, cxx.Name) and not types:
        yield from names_in([(one.args, one.type) for one in node.type.parts], expanded=expanded, types=False)
    elif isinstance(node, cxx.SizeofPack):
        return
    elif isinstance(node, cxx.PackExpansion | cxx.Fold) and not expanded:
        yield from names_in(getattr(node, "init", None), expanded=False, types=types)
    elif isinstance(node, cxx.Capture) and node.init is None:
        if not node.pack:
            yield node.name.removeprefix("*")
    elif isinstance(node, cxx.NamePart):
        yield node.name
        yield from names_in((node.args, node.type), expanded=expanded, types=types)
    elif isinstance(node, cxx.Body):
        yield from names_in(node.items(), expanded=expanded, types=types)
    elif isinstance(node, c_ast.Node) or type(node).__module__ == cxx.__name__:
        for child in children_of(node):
            if child is not None and type(child) is not str:
                yield from names_in(child, expanded=expanded, types=types)


def children_of(node: object) -> list[object]:
    """Return what the fields of a node hold, in order, but where it is."""
    return [value for _, value in fields_of(node)]
