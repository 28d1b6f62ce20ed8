"""Pointers: the address of what `&` names, pointer arithmetic and comparisons, the composite type of two pointers."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import BOOL, LONG, VOID, FunctionType, Pointer, Scalar, Struct
from ....source import Span
from ....tree.nodes import (
    COMPARISONS,
    AddressOf,
    Binary,
    BinaryOp,
    Constant,
    Convert,
    Deref,
    Expr,
    Member,
    Place,
    PointerAdd,
    PointerDiff,
    Temporary,
    VarRef,
)
from ...parse import cxx
from ...parse.words import Node
from ..constexpr.fold import fold
from ..context import Part
from ..qualified import may_throw
from ..scopes import FunctionName, Functions, Name
from ..types.member_types import members_of
from .conversions import is_index, is_null, place_type, same_type
from .expressions import root_of


class Pointers(Part):
    """The checker's part for pointers: addresses, and the operators on pointers."""

    def address_of(self, node: c_ast.UnaryOp) -> Expr:
        if (member := self.s.classes.member_pointers.member_address(node.expr, node.coord)) is not None:
            return member
        if isinstance(node.expr, c_ast.ID | cxx.Name) and (functions := self.functions_named(node.expr)) is not None:
            return self.s.calls.indirect.function_address(
                self.s.expr.names.only_function(functions, node.coord), node.coord
            )
        term = self.s.expr.term(node.expr)
        if isinstance(term.type, Struct) and (
            found := self.s.classes.operators.overloaded("&", [term], [node.expr], node.coord)
        ):
            return self.s.expr.load(found)
        return self._address_of_term(term, node.expr, node.coord)

    def address_of_object(self, node: Node, span: Span) -> Expr:
        """Return the address of what an lvalue denotes, whatever `operator&` its class has."""
        if isinstance(node, c_ast.ID | cxx.Name) and self.functions_named(node) is not None:
            return self.address_of(c_ast.UnaryOp("&", node, span))
        return self._address_of_term(self.s.expr.term(node), node, span)

    def _address_of_term(self, term: Expr | Place, node: Node, span: Span) -> Expr:
        if isinstance(term, Constant) and isinstance(node, c_ast.ID):
            term = self.s.expr.operators.variable_behind(node) or term
        if isinstance(term, Constant) and isinstance(term.type, Pointer) and isinstance(term.type.target, FunctionType):
            return term  # the function that a template argument or `object.f` names
        term = self.s.expr.behind(term, node)
        if not isinstance(term, Place) or isinstance(root_of(term), Temporary):
            self.fail(span, "'&' needs a variable or a place in memory")
        return self.address(term, span)

    def functions_named(self, node: Node) -> Functions | None:
        """Return the functions that an expression names; None if it is something else."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            node = node.expr
        if isinstance(node, c_ast.ID):
            entry: Name | None = self.s.scopes.lookup(node.name)
            if entry is None:
                return self.s.calls.indirect.builtin_functions_named(node.name, node.coord)
        else:
            entry = self.s.expr.names.resolve(node) if isinstance(node, cxx.Name) else None
        if isinstance(entry, Functions) and isinstance(node, cxx.Name) and _is_one_method(entry):
            return None  # `&S::f` is a pointer to a member
        return entry if isinstance(entry, Functions) else None

    def compare_members(self, op: str, left: Expr, right: Expr, span: Span) -> Expr:
        """Return whether two pointers to members, one of which may be null, are equal."""
        left, right = self.same_members(left, right)
        if op not in ("==", "!=") or not same_type(left.type, right.type):
            self.fail(span, f"invalid operands of '{op}': '{left.type}' and '{right.type}'")
        return fold(Binary(span, BOOL, "==" if op == "==" else "!=", left, right))

    def same_members(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        """Convert a pointer to a member to the type of another one, or a null pointer; others stay as they are."""
        for wanted in (left.type, right.type):
            if isinstance(wanted, Scalar) and members_of(wanted) is not None and not same_type(left.type, right.type):
                left = (
                    left
                    if same_type(left.type, wanted)
                    else self.s.classes.member_pointers.to_member_pointer(left, wanted) or left
                )
                right = (
                    right
                    if same_type(right.type, wanted)
                    else self.s.classes.member_pointers.to_member_pointer(right, wanted) or right
                )
        return left, right

    def address(self, place: Place, span: Span) -> Expr:
        """Return the address of a place; that of `*p` is p."""
        if isinstance(place, Member) and place.bits is not None:
            self.fail(span, f"bit-field '{place.name}' has no address", help="copy it to a variable")
        if isinstance(place, VarRef) and place.variable.initial is not None:
            self.s.variables.used_constants[place.variable] = None
        if isinstance(place, Deref) and isinstance(place.pointer.type, Pointer):
            return place.pointer
        const, volatile = place_type(place, self.s.structs.const_members)
        return AddressOf(span, Pointer(place.type, const, volatile), place)

    def pointer_as(self, pointer: Expr, target: Pointer) -> Expr:
        """Return an address as one of another type: with more qualifiers."""
        if pointer.type == target:
            return pointer
        if isinstance(pointer, AddressOf):
            return replace(pointer, type=target)
        return Convert(pointer.span, target, pointer)

    def pointer_binary(self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr:
        if op in COMPARISONS:
            left, right = self.same_pointers(left, right, op, span)
            return fold(Binary(span, BOOL, op, left, right))
        if op == "+" and is_index(left.type):
            left, right = right, left
        if op in ("+", "-") and isinstance(left.type, Pointer) and is_index(right.type):
            self.s.expr.require_size(left.type.target, span, "do arithmetic on")
            return PointerAdd(span, left.type, left, self.s.expr.conversions.as_index(right), negative=op == "-")
        if op == "-" and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
            if left.type.target != right.type.target:
                self.fail(span, f"the difference of '{left.type}' and '{right.type}' has no meaning")
            self.s.expr.require_size(left.type.target, span, "do arithmetic on")
            return PointerDiff(span, LONG, left, right)
        self.fail(span, f"invalid operands of '{op}': '{left.type}' and '{right.type}'")

    def same_pointers(self, left: Expr, right: Expr, op: str, span: Span) -> tuple[Expr, Expr]:
        """Convert two operands, of which at least one is a pointer, to one pointer type."""
        target = self.composite(left, right)
        ordered_null = op not in ("==", "!=") and (is_null(left) or is_null(right))
        if target is None or ordered_null:
            self.fail(span, f"invalid operands of '{op}': '{left.type}' and '{right.type}'")
        return self.convert_pointer(left, target), self.convert_pointer(right, target)

    def composite(self, left: Expr, right: Expr) -> Pointer | None:
        """Return C++'s composite pointer type of two operands; None if there is none."""
        a, b = left.type, right.type
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            const, volatile = a.const or b.const, a.volatile or b.volatile
            if is_null(left) or is_null(right):
                return b if is_null(left) else a
            for base, derived in ((a, b), (b, a)):
                up, down = base.target, derived.target
                if (
                    isinstance(up, Struct)
                    and isinstance(down, Struct)
                    and up is not down
                    and self.s.classes.members.is_base(up, down)
                ):
                    return Pointer(up, const, volatile)
            if isinstance(a.target, FunctionType) and isinstance(b.target, FunctionType) and a.target != b.target:
                throwing = may_throw(a.target)
                return Pointer(throwing, const, volatile) if throwing == may_throw(b.target) else None
            if a.target == b.target or VOID in (a.target, b.target):
                return Pointer(VOID if VOID in (a.target, b.target) else a.target, const, volatile)
            return None
        if isinstance(a, Pointer) and is_null(right):
            return a
        return b if isinstance(b, Pointer) and is_null(left) else None

    def convert_pointer(self, expr: Expr, target: Pointer) -> Expr:
        if is_null(expr):
            return Constant(expr.span, target, 0)
        return self.s.classes.members.to_base_pointer(expr, target) or self.s.expr.conversions.convert(expr, target)


def _is_one_method(functions: Functions) -> bool:
    match functions.candidates:
        case [FunctionName() as only]:
            return only.is_method
    return False
