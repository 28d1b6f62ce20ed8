"""Checking conversions: every implicit conversion of C and C++ becomes a `Convert` here, or a fault."""

from __future__ import annotations

from ....diag import Note
from ....lang.builtins import make
from ....lang.ctype import (
    BOOL,
    CHAR,
    INT,
    LONG,
    UINT,
    VOID,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    common,
    is_arithmetic,
    is_float,
    is_integer,
    is_nullptr_t,
    is_scalar,
    promote,
)
from ....lang.vectors import DIM3, UINT3
from ....source import Span
from ....tree.effects import is_text, only_reads
from ....tree.nodes import (
    Assign,
    Binary,
    BuiltinCall,
    Comma,
    CompoundAssign,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    Index,
    Load,
    Member,
    Place,
    Temporary,
    ThreadIndex,
    VarRef,
)
from ..constexpr.fold import fold
from ..context import Part
from ..qualified import may_throw, type_key
from ..scopes import ConstMembers
from ..types.member_types import members_of


class Conversions(Part):
    """The checker's part for conversions between types."""

    def convert(self, expr: Expr, target: CType) -> Expr:
        """Convert `expr` to `target`; the caller knows that this is allowed."""
        if expr.type == target and not (isinstance(target, Scalar) and target.enum is not None):
            return expr
        return expr if same_type(expr.type, target) else fold(Convert(expr.span, target, expr))

    def implicit(self, expr: Expr, target: CType, context: str, *notes: Note, span: Span | None = None) -> Expr:
        """Convert as an assignment does; `context` ends the message: "in argument 1 of 'f'"."""
        if expr.type == target and not isinstance(target, Scalar) and not is_nullptr_t(target):
            return self.s.classes.prvalues.own(expr)
        if (
            isinstance(target, Scalar)
            and (found := self.s.classes.member_pointers.to_member_pointer(expr, target)) is not None
        ):
            return found
        if members_of(target) is not None and same_type(expr.type, target):
            return expr
        if target != BOOL and members_of(expr.type) is not None and not same_type(expr.type, target):
            self.fail(span or expr.span, f"cannot convert '{expr.type}' to '{target}' {context}", *notes)
        if is_arithmetic(expr.type) and is_arithmetic(target) and members_of(expr.type) is None:
            assert isinstance(expr.type, Scalar) and isinstance(target, Scalar)
            self.require_enum(expr.type, target, context, span or expr.span, notes)
            return self.convert(expr, target)
        if {expr.type, target} == {DIM3, UINT3}:
            return Convert(expr.span, target, expr)
        if target == DIM3 and is_arithmetic(expr.type):
            return self.dim3([expr], expr.span)
        at = span or expr.span
        if isinstance(expr.type, Struct) or isinstance(target, Struct):
            found = self.s.classes.conversions.user_conversion(expr, target, at)
            if found is not None:
                return found
        if isinstance(target, Pointer):
            if is_null(expr):
                return Constant(expr.span, target, 0)
            if is_nullptr_t(expr.type):
                nothing = Constant(expr.span, target, 0)
                return nothing if only_reads(expr) else Comma(expr.span, target, expr, nothing)
            if isinstance(expr.type, Pointer):
                why = pointer_obstacle(expr.type, target)
                up = self.s.classes.members.to_base_pointer(expr, target)
                if up is not None:
                    return up
                if why is None or (is_text(expr) and target == Pointer(CHAR)):  # as compilers have it since C
                    return self.convert(expr, target)
                self.fail(at, f"cannot convert '{expr.type}' to '{target}' {context}", *notes, help=why or None)
        if target == BOOL and (isinstance(expr.type, Pointer) or members_of(expr.type) is not None):
            return self.to_bool(expr)
        if expr.type is VOID:
            self.fail(at, f"a value is needed {context}, but the expression has type void", *notes)
        help = None
        if isinstance(expr, BuiltinCall) and expr.args and isinstance(index := expr.args[0], ThreadIndex):
            help = f"write '{index.name}.x', '{index.name}.y' or '{index.name}.z'"
        if isinstance(expr.type, Pointer) and isinstance(expr.type.target, FunctionType):
            help = "write '(...)' after it to call it"
        self.fail(at, f"cannot convert '{expr.type}' to '{target}' {context}", *notes, help=help)

    def dim3(self, values: list[Expr], span: Span) -> Expr:
        """Return the `dim3` that its constructor makes of up to three integers, or of a `uint3`."""
        if len(values) == 1 and values[0].type in (DIM3, UINT3):
            return self.implicit(values[0], DIM3, "in an argument of 'dim3'")
        if len(values) == 1 and isinstance(values[0].type, Struct):
            source = self.s.classes.prvalues.place_behind(values[0]) or self.s.expr.as_term(values[0])
            for target in (DIM3, UINT3):
                if self.s.classes.conversions.converts_by_user(source, target):
                    made = self.implicit(values[0], target, "in an argument of 'dim3'")
                    return self.implicit(made, DIM3, "in an argument of 'dim3'")
        given = [self.implicit(value, UINT, "in an argument of 'dim3'") for value in values]
        ones = [Constant(span, UINT, 1) for _ in range(3 - len(given))]
        return BuiltinCall(span, DIM3, make(DIM3), (*given, *ones))

    def require_enum(
        self, source: Scalar, target: Scalar, context: str, span: Span, notes: tuple[Note, ...] = ()
    ) -> None:
        """Fail for a conversion that C++ wants to see written: to an enumeration, or from a scoped one."""
        wrong = target.enum is not None and source.enum is not target.enum
        lost = source.enum is not None and source.enum.scoped and source.enum is not target.enum
        if wrong or lost:
            help = f"write the cast: 'static_cast<{target}>(...)'" if members_of(target) is None else None
            self.fail(span, f"cannot convert '{source}' to '{target}' {context}", *notes, help=help)

    def to_bool(self, expr: Expr, what: str = "a condition") -> Expr:
        """Convert the operand of `!`, `&&`, `||`, `?:` or a statement's condition to bool."""
        if isinstance(expr.type, Struct):
            expr = self.s.classes.conversions.user_conversion(
                expr, BOOL, expr.span, direct=True
            ) or self.s.classes.conversions.to_number(expr)
        if (members := members_of(expr.type)) is not None:
            nothing = Constant(expr.span, expr.type, members.zero)
            return fold(Binary(expr.span, BOOL, "!=", expr, nothing))
        if not is_scalar(expr.type) or is_scoped(expr.type):
            self.fail(expr.span, f"{what} must be a number or a pointer, not '{expr.type}'")
        return self.convert(expr, BOOL)

    def promoted(self, expr: Expr) -> Expr:
        """Apply the integer promotions."""
        assert isinstance(expr.type, Scalar)
        return self.convert(expr, self.bits_promoted(expr) or promote(expr.type))

    def as_index(self, expr: Expr) -> Expr:
        """Return the number of elements that a pointer is moved by, in at most 64 bits: no array has more."""
        index = self.promoted(expr)
        return index if index.type.size <= LONG.size else self.convert(index, LONG)

    def bits_promoted(self, expr: Expr) -> Scalar | None:
        """Return what the value of a bit-field is promoted to; None if `expr` is none."""
        return bits_promotion(expr.place) if isinstance(expr, Load | Assign | CompoundAssign) else None

    def balanced(self, left: Expr, right: Expr) -> tuple[Expr, Expr, Scalar]:
        """Apply the usual arithmetic conversions; return both operands and their common type."""
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        target = common(self.bits_promoted(left) or left.type, self.bits_promoted(right) or right.type)
        return self.convert(left, target), self.convert(right, target), target

    def cast(self, expr: Expr, target: CType, span: Span) -> Expr:
        """Convert as a cast asks."""
        source = expr.type
        if target in (DIM3, UINT3) and (source in (DIM3, UINT3) or (target == DIM3 and is_arithmetic(source))):
            return self.implicit(expr, target, "in a cast")
        if isinstance(target, Struct) or (isinstance(source, Struct) and target is not VOID):
            found = (
                expr
                if source == target
                else self.s.classes.conversions.user_conversion(expr, target, span, direct=True)
            )
            if found is None:
                self.fail(span, f"cannot convert '{source}' to '{target}'")
            return found
        if isinstance(source, Pointer) and isinstance(target, Pointer):
            related = self.s.classes.members.to_base_pointer(expr, target) or self.s.classes.members.to_derived_pointer(
                expr, target
            )
            if related is not None:
                return related
        if target is VOID:
            return Convert(span, VOID, expr, explicit=True)
        if members_of(target) is not None or members_of(source) is not None:
            assert isinstance(target, Scalar)
            found = self.s.classes.member_pointers.to_base_member_pointer(expr, target)
            return found or self.implicit(expr, target, "in a cast", span=span)
        if same_type(source, target):
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


def is_scoped(ctype: CType) -> bool:
    """True for an `enum class`, which is no number until a cast makes it one."""
    return isinstance(ctype, Scalar) and ctype.enum is not None and ctype.enum.scoped


def is_index(ctype: CType) -> bool:
    """True for what can be added to a pointer."""
    return is_integer(ctype) and not is_scoped(ctype)


def same_type(one: CType, other: CType) -> bool:
    """Whether two types are the same for a program, to which an enumeration and its integer differ."""
    return one == other and type_key(one) == type_key(other)


def bits_promotion(place: Place) -> Scalar | None:
    """Return what a bit-field is promoted to: `int` if that holds all its values; None if its type decides."""
    bits = place.bits if isinstance(place, Member) else None
    if bits is None or bits.type.kind != "int":
        return None
    signed = bits.type.signed
    if bits.width < INT.bits or (signed and bits.width == INT.bits):
        return INT
    return UINT if bits.width == UINT.bits else None


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
    if isinstance(source.target, FunctionType) and may_throw(source.target) == target.target:
        return None  # ([conv.fctptr])
    if isinstance(source.target, Pointer) and isinstance(target.target, Pointer) and target.const:
        # T** to const T* const*: safe only where the outer level is const.
        return pointer_obstacle(source.target, target.target)
    if isinstance(source.target, Pointer) != isinstance(target.target, Pointer) and source.target is not VOID:
        return ""
    return f"write the cast: '({target})'"


def place_type(place: Place, const_members: ConstMembers) -> tuple[bool, bool]:
    """Return whether the object at `place` is const, and whether it is volatile; of a prvalue `is_const` knows."""
    match place:
        case VarRef(variable=variable):
            return variable.const or variable in const_members, variable.volatile
        case Deref(pointer=pointer) | Index(pointer=pointer):
            assert isinstance(pointer.type, Pointer)
            return pointer.type.const, pointer.type.volatile
        case Member(base=base, name=name):
            const, volatile = place_type(base, const_members)
            owner = base.type
            member = owner.field(name) if isinstance(owner, Struct) else None
            volatile = volatile or (member is not None and member.volatile)
            if isinstance(owner, Struct) and (owner, f"mutable {name}") in const_members:
                return False, volatile
            return const or (isinstance(owner, Struct) and (owner, name) in const_members), volatile
        case Temporary():
            return False, False


def root_variable(place: Place) -> VarRef | None:
    """Return the variable that `place` is a part of; None if a pointer leads there."""
    match place:
        case VarRef():
            return place
        case Member(base=base):
            return root_variable(base)
        case Index(pointer=Decay(place=array)):
            return root_variable(array)
        case _:
            return None
