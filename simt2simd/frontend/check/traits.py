"""Checking questions about types: `decltype`, `noexcept`, and the compiler's part of <type_traits>."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from ...lang.ctype import (
    BOOL,
    ULONG,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    is_arithmetic,
    is_float,
    is_integer,
    plain,
)
from ...source import Span
from ...tree.nodes import Constant, Expr, Place, Temporary, Variable, VarRef
from .. import cxx
from ..words import Node
from .argument import Argument
from .conversions import same_type
from .expressions import root_of
from .lambdas import Lambdas
from .scopes import Functions, MemberName, Qualified, VariableName

_SIMPLE: dict[str, Callable[[CType], bool]] = {
    "__is_void": lambda t: t is VOID,
    "__is_integral": is_integer,
    "__is_floating_point": is_float,
    "__is_arithmetic": is_arithmetic,
    "__is_pointer": lambda t: isinstance(t, Pointer),
    "__is_array": lambda t: isinstance(t, Array),
    "__is_enum": lambda t: isinstance(t, Scalar) and t.enum is not None,
    "__is_class": lambda t: isinstance(t, Struct),
    "__is_union": lambda t: False,
    "__is_function": lambda t: isinstance(t, FunctionType),
    "__is_signed": lambda t: isinstance(t, Scalar) and t.enum is None and t.signed and is_arithmetic(t),
    "__is_unsigned": lambda t: is_integer(t) and isinstance(t, Scalar) and not t.signed and t.enum is None,
}


class Traits(Lambdas):
    """The checker's part for questions about types."""

    def decltype(self, node: cxx.DeclType) -> Qualified:
        """A name gives the type that it was declared with; other expressions, a reference if they are a place."""
        if node.expr is None:
            if self.inferred is None:
                self.fail(node.coord, "'decltype(auto)' is not possible here")
            return self.inferred
        if not node.parenthesised and (declared := self._declared(node.expr)) is not None:
            return declared
        return self.expression_type(node.expr)

    def _declared(self, node: Node) -> Qualified | None:
        entry = None
        if isinstance(node, c_ast.ID) and node.name != "this":
            entry = self.lookup(node.name)
        elif isinstance(node, cxx.Name):
            entry = self.find(node)
        if isinstance(entry, MemberName):
            info = self.classes.get(entry.owner)
            if info is not None and entry.name in info.fields:
                return info.fields[entry.name].type
        if isinstance(entry, VariableName):
            term = entry.alias or entry.variable
            ctype = entry.variable.type
            if entry.alias is not None:
                return Qualified(entry.alias.type, reference=entry.reference)
            if entry.reference and isinstance(ctype, Pointer):
                return Qualified(ctype.target, ctype.const, ctype.volatile, reference=entry.reference)
            return Qualified(ctype, getattr(term, "const", False))
        if isinstance(node, c_ast.StructRef) and isinstance(node.field, c_ast.ID):
            found = self.expression_type(node)
            return Qualified(found.type, found.const)
        return None

    def expression_type(self, node: Node) -> Qualified:
        """Return the type of an expression that is not evaluated, a reference if it is a place."""
        constants, hidden, later = dict(self.used_constants), len(self.hidden), list(self.temporaries)
        term = self.term(node)
        self.used_constants, self.temporaries = constants, later
        del self.hidden[hidden:]
        return self.type_of_term(term)

    def type_of_term(self, term: Expr | Place) -> Qualified:
        if not isinstance(term, Place) or isinstance(root_of(term), Temporary):
            return Qualified(term.type)
        return Qualified(term.type, self.is_const_place(term), reference="&")

    def trait(self, node: cxx.Trait) -> Expr:
        span, name = node.coord, node.name
        if name == "noexcept":
            return Constant(span, BOOL, True)
        types = [self.trait_argument(arg) for arg in self.spread_arguments(node.args)]
        if not types:
            self.fail(span, f"'{name}' needs a type")
        first, plain_type = types[0], types[0].type
        if name in _SIMPLE:
            return Constant(span, BOOL, _SIMPLE[name](plain_type) and not first.reference)
        match name:
            case "__is_same":
                second = types[1]
                alike = same_type(plain_type, second.type) and first.reference == second.reference
                quals = (first.const, first.volatile) == (second.const, second.volatile)
                return Constant(span, BOOL, alike and quals)
            case "__is_const":
                return Constant(span, BOOL, first.const and not first.reference)
            case "__is_volatile":
                return Constant(span, BOOL, first.volatile and not first.reference)
            case "__is_lvalue_reference":
                return Constant(span, BOOL, first.reference == "&")
            case "__is_rvalue_reference":
                return Constant(span, BOOL, first.reference == "&&")
            case "__is_base_of":
                return Constant(span, BOOL, self._derives(types[1].type, plain_type))
            case "__is_convertible" | "__is_convertible_to":
                return Constant(span, BOOL, self._converts(first, types[1], span))
            case "__is_constructible" | "__is_assignable" | "__is_trivially_constructible":
                return Constant(span, BOOL, self._constructs(first, types[1:], span))
            case "__is_trivially_copyable" | "__is_trivial" | "__is_pod" | "__has_trivial_copy":
                return Constant(
                    span, BOOL, self.copies_trivially(plain_type) and not self.needs_destruction(plain_type)
                )
            case "__is_trivially_destructible" | "__has_trivial_destructor":
                return Constant(span, BOOL, not self.needs_destruction(plain_type))
            case "__is_empty":
                return Constant(span, BOOL, isinstance(plain_type, Struct) and not plain_type.fields)
            case "__is_polymorphic" | "__is_abstract" | "__has_virtual_destructor":
                info = self.info(plain_type)
                return Constant(span, BOOL, info is not None and info.polymorphic)
            case "__is_final":
                return Constant(span, BOOL, False)
            case "__array_rank":
                return Constant(span, ULONG, _rank(plain_type))
        self.fail(span, f"'{name}' is not supported")

    def spread_arguments(self, nodes: tuple[Node, ...]) -> list[Qualified]:
        found: list[Qualified] = []
        for node in nodes:
            if isinstance(node, cxx.PackExpansion):
                found += self.expanded(node, lambda node=node: self._one_type(node.pattern))  # type: ignore[misc]
            else:
                found.append(self._one_type(node))
        return found

    def _one_type(self, node: Node) -> Qualified:
        found = self.template_argument(node)
        return found if isinstance(found, Qualified) else self.expression_type(node)

    def trait_argument(self, found: Qualified) -> Qualified:
        if isinstance(found.type, Struct):
            self.complete(found.type)
        return found

    def _derives(self, source: CType, base: CType) -> bool:
        if not isinstance(source, Struct) or not isinstance(base, Struct):
            return False
        return self.base_path(source, base) is not None

    def _converts(self, source: Qualified, target: Qualified, span: Span) -> bool:
        if source.type is VOID or target.type is VOID:
            return source.type is target.type
        return self.rank(self.probe(source, span), target) is not None

    def _constructs(self, target: Qualified, given: list[Qualified], span: Span) -> bool:
        if not isinstance(target.type, Struct):
            return not given or self._converts(given[0], target, span)
        info = self.info(target.type)
        args = [self.probe(one, span) for one in given]
        if info is not None and info.constructors is not None and self.viable(info.constructors.candidates, args, None):
            return True
        return not given or (len(given) == 1 and self._derives(given[0].type, target.type))

    def probe(self, source: Qualified, span: Span) -> Argument:
        """Return an argument of a type, for questions about calls that never happen."""
        variable = Variable("probe", source.type, span, "local", source.const)
        place = VarRef(span, source.type, variable)
        term: Expr | Place = place if source.reference == "&" else Temporary(span, source.type, self.load(place))
        if not isinstance(source.type, Struct | Array) and source.reference != "&":
            term = self.load(place)
        return Argument(c_ast.ID("probe", span), term)

    def underlying(self, ctype: CType) -> CType:
        """Return the integer type of an enumeration."""
        return plain(ctype) if isinstance(ctype, Scalar) else ctype

    def functions_type(self, functions: Functions, span: Span) -> CType:
        return self.function_address(self.only_function(functions, span), span).type


def _rank(ctype: CType) -> int:
    rank = 0
    while isinstance(ctype, Array):
        rank, ctype = rank + 1, ctype.element
    return rank
