"""What initialisers mean as bytes: the constant data of variables at file scope."""

from __future__ import annotations

from ....lang.ctype import CType, Pointer, Scalar
from ....lang.numbers import encoded
from ....source import Span
from ....tree.nodes import (
    AddressOf,
    Braces,
    Constant,
    Content,
    Convert,
    Decay,
    Deref,
    Expr,
    Index,
    Member,
    Place,
    PointerAdd,
    Variable,
    VarRef,
)
from ..context import Part
from .fold import fold


class ConstantData(Part):
    """The checker's part for constant data."""

    def content(self, initial: Expr | Braces | None, target: CType, span: Span) -> Content:
        """Return what a variable at file scope holds when the program starts."""
        data = bytearray(target.size)
        addresses: list[tuple[int, Variable, int]] = []
        leaves = initial.items if isinstance(initial, Braces) else ((0, target, initial),)
        for offset, ctype, value in leaves:
            value = fold(value) if value is not None else None
            if value is not None and (address := constant_address(value)) is not None:
                addresses.append((offset, *address))
            elif isinstance(value, Constant):
                data[offset : offset + ctype.size] = _encode(value, ctype)
            else:
                self.fail(value.span if value is not None else span, "the initial value is not a constant")
        return Content(bytes(data), tuple(addresses))


def constant_address(value: Expr) -> tuple[Variable, int] | None:
    """Return the variable of the file that a constant address leads into, and how far; None for all other values."""
    match value:
        case Decay(place=place) | AddressOf(place=place):
            return _address_of(place)
        case Convert(operand=operand) if isinstance(value.type, Pointer) and isinstance(operand.type, Pointer):
            return constant_address(operand)
        case PointerAdd(index=Constant(value=index)):
            assert isinstance(value.type, Pointer)
            sign = -1 if value.negative else 1
            return _moved(constant_address(value.pointer), sign * int(index) * value.type.target.size)
    return None


def _address_of(place: Place) -> tuple[Variable, int] | None:
    match place:
        case VarRef(variable=variable) if variable.storage in ("constant", "device"):
            return variable, 0
        case Member(base=base, offset=offset):
            return _moved(_address_of(base), offset)
        case Index(pointer=pointer, index=Constant(value=index)):
            return _moved(constant_address(pointer), int(index) * place.type.size)
        case Deref(pointer=pointer):
            return constant_address(pointer)
    return None


def _moved(base: tuple[Variable, int] | None, by: int) -> tuple[Variable, int] | None:
    return None if base is None else (base[0], base[1] + by)


def _encode(value: Constant, ctype: CType) -> bytes:
    if isinstance(ctype, Pointer):
        return int(value.value).to_bytes(8, "little")
    assert isinstance(ctype, Scalar)
    return encoded(value.value, ctype)
