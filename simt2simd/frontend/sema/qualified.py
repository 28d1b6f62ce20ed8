"""Types as programs declare them: with qualifiers and references, and how functions take and return them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...lang.ctype import NOT_QUALIFIED, Array, CType, FunctionType, MethodQualifiers, Pointer, Scalar, Struct

Reference = Literal["", "&", "&&"]


@dataclass(frozen=True)
class Qualified:
    """A type as declared: with the qualifiers of the object itself (for an array, of its elements).

    `reference` says that a name of this type is another name of an object that exists.
    """

    type: CType
    const: bool = False
    volatile: bool = False
    restrict: bool = False
    reference: Reference = ""

    def __str__(self) -> str:
        words = "const " * self.const + "volatile " * self.volatile
        if isinstance(self.type, Pointer):
            return f"{self.type} {words}{self.reference}".rstrip()
        return f"{words}{self.type}{' ' * bool(self.reference)}{self.reference}"

    @property
    def stored(self) -> CType:
        """The type of the variable that holds it: that of an address for a reference."""
        return Pointer(self.type, self.const, self.volatile) if self.reference else self.type


def function_type(
    result: Qualified,
    params: Sequence[Qualified],
    *,
    qualifiers: MethodQualifiers = NOT_QUALIFIED,
    noexcept: bool = False,
) -> FunctionType:
    """Return the type of a function that returns and takes these."""
    references = tuple(one.reference for one in (result, *params))
    stored = tuple(param.stored for param in params)
    return FunctionType(result.stored, stored, qualifiers, references if any(references) else (), noexcept)


def may_throw(ctype: FunctionType) -> FunctionType:
    """Return the type of a function without its exception specification."""
    return replace(ctype, noexcept=False) if ctype.noexcept else ctype


def signature_of(ctype: FunctionType) -> tuple[Qualified, tuple[Qualified, ...]]:
    """Return what a function of a type returns, and what it takes."""
    types = (ctype.result, *ctype.params)
    result, *params = map(_as_declared, types, ctype.references or ("",) * len(types))
    return result, tuple(params)


def _as_declared(stored: CType, reference: str) -> Qualified:
    match reference, stored:
        case "&" | "&&", Pointer(target=target):
            return Qualified(target, stored.const, stored.volatile, reference="&" if reference == "&" else "&&")
    return Qualified(stored)


def type_key(ctype: CType) -> object:
    """Return what identifies a type among template arguments, enumerations included."""
    match ctype:
        case Scalar():
            return (ctype.name, ctype.enum)
        case Pointer():
            return ("*", type_key(ctype.target), ctype.const, ctype.volatile)
        case Array():
            return ("[]", type_key(ctype.element), ctype.count, ctype.unknown)
        case FunctionType():
            return (
                "()",
                ctype.qualifiers,
                ctype.noexcept,
                ctype.references,
                type_key(ctype.result),
                *map(type_key, ctype.params),
            )
        case Struct():
            return ctype
