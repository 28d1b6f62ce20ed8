"""The memory of constant evaluation: objects that hold a value for each scalar in them, and addresses into them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ...lang.ctype import Array, CType, FunctionType, Pointer, Scalar, Struct, has_union
from ...source import Span
from ...tree.nodes import Content, Variable
from .compute import NotConstant


class Address(NamedTuple):
    """A place `offset` bytes into an object; pointer arithmetic may lead from `low` to `high`, the array's ends."""

    object: Object
    offset: int
    low: int
    high: int


Cell = int | float | bool | Address


@dataclass(eq=False, slots=True)
class Object:
    """What a variable is while constants are evaluated. A scalar without a value has no cell.

    `data` are the bytes of a constant of the file; its cells are those read so far. `kinds` are the types of the cells
    of an object with unions, where cells may overlap. `foreign`: only the running program knows what it holds, but its
    address is known. An object without a place is the value of a struct.
    """

    name: str
    type: CType
    cells: dict[int, Cell] = field(default_factory=dict)
    variable: Variable | None = None
    data: bytes | None = None
    kinds: dict[int, CType] | None = None
    foreign: bool = False

    @property
    def whole(self) -> Address:
        return Address(self, 0, 0, self.type.size)


def new_object(name: str, ctype: CType) -> Object:
    return Object(name, ctype, kinds={} if has_unions(ctype) else None)


def constant_object(variable: Variable, data: bytes) -> Object:
    """Return the object that a constant of the program is."""
    shared = variable if variable.storage == "constant" else None
    return Object(variable.name, variable.type, variable=shared, data=data.ljust(variable.type.size, b"\0"))


def foreign_object(variable: Variable) -> Object:
    """Return the object of a variable of which only the address is known."""
    shared = variable if variable.storage in ("constant", "device") else None
    return Object(variable.name, variable.type, variable=shared, foreign=True)


# ------------------------------------------------------------------------------------------ access


def read(at: Address, ctype: CType, span: Span) -> Cell:
    """Return the scalar at an address."""
    target, offset, low, high = at
    if offset < low or offset + ctype.size > high:
        raise NotConstant(span, f"{outside(at, ctype)} is read")
    value = target.cells.get(offset)
    if value is None or (target.kinds is not None and target.kinds.get(offset) != ctype):
        if target.data is None:
            part = part_name(target, offset)
            raise NotConstant(
                span, f"'{part}' is known only at run time" if target.foreign else f"'{part}' is read without a value"
            )
        value = target.cells[offset] = unpack(target.data, offset, ctype)
    return value


def write(at: Address, ctype: CType, value: Cell, span: Span) -> None:
    target, offset, low, high = at
    if offset < low or offset + ctype.size > high:
        raise NotConstant(span, f"{outside(at, ctype)} is written")
    _require_own(target, span)
    if target.kinds is not None:
        _clear(target, offset, ctype.size)
        target.kinds[offset] = ctype
    target.cells[offset] = value


def read_struct(at: Address, ctype: CType, span: Span) -> Object:
    """Return a copy of a struct; members may be without a value."""
    target, offset, low, high = at
    if offset < low or offset + ctype.size > high:
        raise NotConstant(span, f"{outside(at, ctype)} is read")
    if target.foreign:
        raise NotConstant(span, f"'{target.name}' is known only at run time")
    copy = new_object(target.name, ctype)
    if target.data is not None:
        copy.cells = {
            place: target.cells[offset + place]
            if offset + place in target.cells
            else unpack(target.data, offset + place, leaf)
            for place, leaf in scalars(ctype)
        }
        if copy.kinds is not None:
            copy.kinds = dict(scalars(ctype))
    elif target.kinds is not None and copy.kinds is not None:
        inside = [place for place in target.cells if 0 <= place - offset < ctype.size]
        copy.cells = {place - offset: target.cells[place] for place in inside}
        copy.kinds = {place - offset: target.kinds[place] for place in inside}
    elif offset == 0 and ctype == target.type:
        copy.cells = dict(target.cells)
    else:
        cells = target.cells
        copy.cells = {place: cells[offset + place] for place, _ in scalars(ctype) if offset + place in cells}
    return copy


def write_struct(at: Address, value: Object, span: Span) -> None:
    target, offset, low, high = at
    ctype = value.type
    if offset < low or offset + ctype.size > high:
        raise NotConstant(span, f"{outside(at, ctype)} is written")
    _require_own(target, span)
    if target.kinds is not None or len(value.cells) < len(scalars(ctype)):
        _clear(target, offset, ctype.size)
    for place, cell in value.cells.items():
        target.cells[offset + place] = cell
    if target.kinds is not None:
        kinds = value.kinds if value.kinds is not None else dict(scalars(ctype))
        target.kinds.update({offset + place: kinds[place] for place in value.cells})


def _require_own(target: Object, span: Span) -> None:
    """Fail unless the object was made by the evaluation that changes it."""
    if target.foreign or target.data is not None:
        raise NotConstant(span, f"'{target.name}' is changed, which lives longer than the evaluation")


def _clear(target: Object, offset: int, size: int) -> None:
    """Forget what the bytes from `offset` on hold."""
    kinds = target.kinds or {}
    for place in list(target.cells):
        end = place + (kinds[place].size if place in kinds else 1)
        if place < offset + size and end > offset:
            del target.cells[place]
            kinds.pop(place, None)


def zero(target: Object) -> None:
    """Give every scalar of an object the value zero."""
    target.cells = dict(_zeros(target.type))
    if target.kinds is not None:
        target.kinds = dict(scalars(target.type))


@lru_cache(64)
def _zeros(ctype: CType) -> dict[int, Cell]:
    return {place: _ZERO.get(getattr(leaf, "kind", ""), 0) for place, leaf in scalars(ctype)}


_ZERO: dict[str, Cell] = {"bool": False, "float": 0.0}


# ------------------------------------------------------------------------------------------ layout


@lru_cache(64)
def scalars(ctype: CType) -> tuple[tuple[int, Scalar | Pointer], ...]:
    """Return the offset and type of every scalar in `ctype`; of a union, those of its first member."""
    return tuple(_scalars(ctype, 0))


def _scalars(ctype: CType, offset: int) -> Iterator[tuple[int, Scalar | Pointer]]:
    match ctype:
        case Struct():
            for member in (ctype.fields or ())[: 1 if ctype.union else None]:
                yield from _scalars(member.type, offset + member.offset)
        case Array():
            for index in range(ctype.count):
                yield from _scalars(ctype.element, offset + index * ctype.element.size)
        case FunctionType():
            return
        case _:
            yield offset, ctype


@lru_cache(64)
def has_unions(ctype: CType) -> bool:
    return has_union(ctype)


def part_name(target: Object, offset: int) -> str:
    """Return how a program calls the scalar at an offset: `table.data[3]`."""
    name, ctype = target.name, target.type
    while True:
        if isinstance(ctype, Array):
            index, offset = divmod(offset, ctype.element.size)
            name, ctype = f"{name}[{index}]", ctype.element
        elif isinstance(ctype, Struct) and ctype.fields:
            member = next((one for one in reversed(ctype.fields) if one.offset <= offset), ctype.fields[0])
            name, ctype, offset = f"{name}.{member.name}" if member.name else name, member.type, offset - member.offset
        else:
            return name


def outside(at: Address, ctype: CType) -> str:
    """Say what an address outside its array is."""
    size = max(1, ctype.size)
    count, index = (at.high - at.low) // size, (at.offset - at.low) // size
    return f"element {index} of {count}" if count != 1 else f"what lies beside '{part_name(at.object, at.low)}'"


# ------------------------------------------------------------------------------------------- bytes

_LETTERS = {("bool", 1, False): "?", ("int", 1, True): "b", ("int", 1, False): "B", ("int", 2, True): "h",
            ("int", 2, False): "H", ("int", 4, True): "i", ("int", 4, False): "I", ("int", 8, True): "q",
            ("int", 8, False): "Q", ("float", 4, True): "f", ("float", 8, True): "d"}  # fmt: skip


@lru_cache(64)
def _packer(kind: str, size: int, signed: bool) -> struct.Struct:
    return struct.Struct("<" + _LETTERS[kind, size, signed])


def packer(ctype: CType) -> struct.Struct:
    if isinstance(ctype, Pointer):
        return _packer("int", 8, False)
    assert isinstance(ctype, Scalar)
    return _packer(ctype.kind, ctype.size, ctype.signed)


def unpack(data: bytes, offset: int, ctype: CType) -> Cell:
    found: Cell = packer(ctype).unpack_from(data, offset)[0]
    return found


def content_of(source: Object, span: Span, *, partly: bool = False) -> Content:
    """Return an object as bytes and addresses of other constants; `partly`: parts without a value are zero."""
    data = bytearray(source.type.size)
    addresses: list[tuple[int, Variable, int]] = []
    kinds = source.kinds
    leaves = sorted(kinds.items()) if kinds is not None else scalars(source.type)
    for offset, ctype in leaves:
        cell = source.cells.get(offset)
        if cell is None:
            if partly:
                continue
            raise NotConstant(span, f"'{part_name(source, offset)}' has no value")
        if isinstance(cell, Address):
            if cell.object.variable is None:
                raise NotConstant(span, f"'{part_name(source, offset)}' holds the address of '{cell.object.name}'")
            addresses.append((offset, cell.object.variable, cell.offset))
        else:
            packer(ctype).pack_into(data, offset, cell)
    return Content(bytes(data), tuple(addresses))
