"""The types of pointers to members: 64-bit integers that only the checker distinguishes from others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pycparser import c_ast

from ....lang.ctype import (
    LONG,
    NOT_QUALIFIED,
    ULONG,
    Array,
    CType,
    Enumeration,
    FunctionType,
    MethodQualifiers,
    Pointer,
    Scalar,
    Struct,
)
from ....source import Span
from ..qualified import Qualified, function_type, type_key


@dataclass(eq=False, slots=True)
class Members(Enumeration):
    """The members of class `owner` that have the type `target`.

    A pointer to a data member is its offset, -1 for none, as host code has it; `target` is the member's type. One to a
    method is the number of the function, 0 for none; `called` is what it returns and takes, `qualifiers` and `noexcept`
    are the method's.
    """

    owner: Struct | None = None
    target: Qualified | None = None
    called: tuple[Qualified, tuple[Qualified, ...]] | None = None
    qualifiers: MethodQualifiers = NOT_QUALIFIED
    noexcept: bool = False


class MemberTypes:
    """The types of pointers to members that a program has, each once."""

    def __init__(self) -> None:
        self._known: dict[object, Scalar] = {}

    def data(self, owner: Struct, target: Qualified, span: Span) -> Scalar:
        key = (owner, type_key(target.type), target.const, target.volatile)
        if key not in self._known:
            members = Members(f"{target} {owner}::*", span, True, -1, owner, target)
            self._known[key] = replace(LONG, enum=members)
        return self._known[key]

    def method(
        self,
        owner: Struct,
        result: Qualified,
        params: tuple[Qualified, ...],
        span: Span,
        *,
        qualifiers: MethodQualifiers,
        noexcept: bool,
    ) -> Scalar:
        key = (owner, *((type_key(one.stored), one.reference) for one in (result, *params)), qualifiers, noexcept)
        if key not in self._known:
            taken = ", ".join(map(str, params))
            name = f"{result} ({owner}::*)({taken}){qualifiers}{' noexcept' * noexcept}"
            members = Members(name, span, True, 0, owner, None, (result, params), qualifiers, noexcept)
            self._known[key] = replace(ULONG, enum=members)
        return self._known[key]


def method_type(members: Members) -> FunctionType:
    """Return the type of the functions to which a pointer to a method leads: these take the object's address."""
    assert members.called is not None and members.owner is not None
    result, params = members.called
    this = Qualified(Pointer(members.owner, members.qualifiers.const, members.qualifiers.volatile))
    return function_type(result, (this, *params), noexcept=members.noexcept)


def type_of_method(members: Members) -> FunctionType:
    """Return what `T` is in `T S::*` for a pointer to a method."""
    assert members.called is not None
    result, params = members.called
    return function_type(result, params, qualifiers=members.qualifiers, noexcept=members.noexcept)


def names_functions(ctype: CType) -> bool:
    """True for pointers to functions and to methods: their type chooses among overloaded ones."""
    if isinstance(ctype, Pointer):
        return isinstance(ctype.target, FunctionType)
    members = members_of(ctype)
    return members is not None and members.called is not None


def bytes_in_cxx(ctype: CType) -> int:
    """Return the size of a type as host code has it, where a pointer to a method is two words."""
    match ctype:
        case Array():
            return ctype.count * bytes_in_cxx(ctype.element)
        case Scalar() if names_functions(ctype):
            return 2 * ctype.size
    return ctype.size


def qualifiers_of(node: c_ast.FuncDecl) -> MethodQualifiers:
    """Return what stands behind the parameters of a function's declarator."""
    const, volatile = (bool(getattr(node, word, False)) for word in ("const", "volatile"))
    return MethodQualifiers(const, volatile, getattr(node, "ref", ""))


def members_of(ctype: CType) -> Members | None:
    """Return what a pointer to a member may point to; None for other types."""
    return ctype.enum if isinstance(ctype, Scalar) and isinstance(ctype.enum, Members) else None
