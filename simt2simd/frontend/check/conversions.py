"""Checking conversions: every implicit conversion of C and C++ becomes a `Convert` here, or a fault."""

from __future__ import annotations

from ...diag import Note
from ...lang.ctype import (
    BOOL,
    CHAR,
    VOID,
    CType,
    Pointer,
    Scalar,
    Struct,
    common,
    is_arithmetic,
    is_float,
    is_integer,
    is_scalar,
    promote,
)
from ...source import Span
from ...tree.effects import is_text
from ...tree.nodes import Constant, Convert, Decay, Deref, Expr, Index, Member, Place, Temporary, VarRef
from .fold import fold
from .types import Types


class Conversions(Types):
    """The checker's part for conversions between types."""

    def convert(self, expr: Expr, target: CType) -> Expr:
        """Convert `expr` to `target`; the caller knows that this is allowed."""
        return expr if expr.type == target else fold(Convert(expr.span, target, expr))

    def implicit(self, expr: Expr, target: CType, context: str, *notes: Note, span: Span | None = None) -> Expr:
        """Convert as an assignment does; `context` ends the message: "in argument 1 of 'f'"."""
        if expr.type == target:
            return expr
        if is_arithmetic(expr.type) and is_arithmetic(target):
            return self.convert(expr, target)
        at = span or expr.span
        if isinstance(target, Pointer):
            if is_null(expr):
                return Constant(expr.span, target, 0)
            if isinstance(expr.type, Pointer):
                why = pointer_obstacle(expr.type, target)
                if why is None or (is_text(expr) and target == Pointer(CHAR)):  # as compilers have it since C
                    return self.convert(expr, target)
                self.fail(at, f"cannot convert '{expr.type}' to '{target}' {context}", *notes, help=why or None)
        if target == BOOL and isinstance(expr.type, Pointer):
            return self.convert(expr, BOOL)
        if expr.type is VOID:
            self.fail(at, f"a value is needed {context}, but the expression has type void", *notes)
        self.fail(at, f"cannot convert '{expr.type}' to '{target}' {context}", *notes)

    def to_bool(self, expr: Expr, what: str = "a condition") -> Expr:
        """Convert the operand of `!`, `&&`, `||`, `?:` or a statement's condition to bool."""
        if not is_scalar(expr.type):
            self.fail(expr.span, f"{what} must be a number or a pointer, not '{expr.type}'")
        return self.convert(expr, BOOL)

    def promoted(self, expr: Expr) -> Expr:
        """Apply the integer promotions."""
        assert isinstance(expr.type, Scalar)
        return self.convert(expr, promote(expr.type))

    def balanced(self, left: Expr, right: Expr) -> tuple[Expr, Expr, Scalar]:
        """Apply the usual arithmetic conversions; return both operands and their common type."""
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        target = common(left.type, right.type)
        return self.convert(left, target), self.convert(right, target), target

    def cast(self, expr: Expr, target: CType, span: Span) -> Expr:
        """Convert as a cast asks."""
        source = expr.type
        if target is VOID:
            return Convert(span, VOID, expr, explicit=True)
        if source == target:
            return expr
        allowed = (
            (is_arithmetic(source) and is_arithmetic(target))
            or (isinstance(source, Pointer) and isinstance(target, Pointer))
            or (is_integer(source) and isinstance(target, Pointer))
            or (isinstance(source, Pointer) and is_integer(target) and (target.size == 8 or target == BOOL))
        )
        if not allowed:
            help = "cast to a 64-bit integer first" if isinstance(source, Pointer) and is_integer(target) else None
            self.fail(span, f"cannot cast '{source}' to '{target}'", help=help)
        return fold(Convert(span, target, expr, explicit=True))


def is_null(expr: Expr) -> bool:
    """True for `0`, `NULL` and `nullptr`."""
    if not isinstance(expr, Constant) or expr.value != 0 or is_float(expr.type) or expr.type is BOOL:
        return False
    return expr.type == Pointer(VOID) or is_integer(expr.type)


def pointer_obstacle(source: Pointer, target: Pointer) -> str | None:
    """Return what to do about it if `source` does not convert to `target` without a cast; None if it does."""
    if (source.const and not target.const) or (source.volatile and not target.volatile):
        word = "const" if source.const and not target.const else "volatile"
        return f"'{word}' would be lost: declare the target '{Pointer(target.target, source.const, source.volatile)}'"
    if target.target is VOID or source.target == target.target:
        return None
    if isinstance(source.target, Pointer) and isinstance(target.target, Pointer) and target.const:
        # T** to const T* const*: safe only where the outer level is const.
        return pointer_obstacle(source.target, target.target)
    if isinstance(source.target, Pointer) != isinstance(target.target, Pointer) and source.target is not VOID:
        return ""
    return f"write the cast: '({target})'"


def place_type(place: Place, const_members: set[tuple[Struct, str]]) -> tuple[bool, bool]:
    """Return whether the object at `place` is const, and whether it is volatile."""
    match place:
        case VarRef(variable=variable):
            return variable.const, False
        case Deref(pointer=pointer) | Index(pointer=pointer):
            assert isinstance(pointer.type, Pointer)
            return pointer.type.const, pointer.type.volatile
        case Member(base=base, name=name):
            const, volatile = place_type(base, const_members)
            owner = base.type
            return const or (isinstance(owner, Struct) and (owner, name) in const_members), volatile
        case Temporary():
            return True, False


def root_variable(place: Place) -> VarRef | None:
    """Return the variable that `place` is a part of; None behind a pointer."""
    match place:
        case VarRef():
            return place
        case Member(base=base):
            return root_variable(base)
        case Index(pointer=Decay(place=array)):
            return root_variable(array)
        case _:
            return None
