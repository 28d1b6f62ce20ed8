"""The memory of constant evaluation: objects that hold a value for each scalar in them, and addresses into them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ....lang.ctype import Array, BitField, CType, FunctionType, Piece, Pointer, Scalar, Struct, has_union, zero_of
from ....lang.numbers import decoded, encoded
from ....source import Span
from ....tree.nodes import Content, Variable
from .fold import wrap
from .ops import NotConstant


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
    return {place: _ZERO.get(getattr(leaf, "kind", ""), zero_of(leaf)) for place, leaf in scalars(ctype)}


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


# ------------------------------------------------------------------------------------------ bit-fields


def read_bits(at: Address, bits: BitField, span: Span) -> Cell:
    """Return the bit-field of the struct at an address."""
    value = 0
    for piece in bits.pieces:
        word = read(_word_at(at, piece), piece.word.type, span)
        assert isinstance(word, int)
        value |= (word >> piece.shift & (1 << piece.count) - 1) << piece.begin
    if bits.type.kind == "bool":
        return bool(value)
    return value - (1 << bits.width) if bits.type.signed and value >> bits.width - 1 else value


def write_bits(at: Address, bits: BitField, value: int, span: Span) -> None:
    """Change a bit-field; the bits beside it in a word without a value are zero."""
    for piece in bits.pieces:
        where, ctype = _word_at(at, piece), piece.word.type
        assert isinstance(ctype, Scalar)
        old = at.object.cells.get(where.offset, 0)
        assert isinstance(old, int)
        mask = (1 << piece.count) - 1
        new = old & ~(mask << piece.shift) | (value >> piece.begin & mask) << piece.shift
        write(where, ctype, wrap(new, ctype), span)


def _word_at(at: Address, piece: Piece) -> Address:
    begin = at.offset + piece.word.offset
    return Address(at.object, begin, begin, begin + piece.word.type.size)


# ------------------------------------------------------------------------------------------- bytes


def unpack(data: bytes, offset: int, ctype: CType) -> Cell:
    """Return the scalar that the bytes of a constant hold."""
    part = data[offset : offset + ctype.size]
    if isinstance(ctype, Scalar) and ctype.kind == "float":
        return decoded(part, ctype)
    value = int.from_bytes(part, "little", signed=isinstance(ctype, Scalar) and ctype.signed)
    return bool(value) if isinstance(ctype, Scalar) and ctype.kind == "bool" else value


def _packed(value: int | float | bool, ctype: CType) -> bytes:
    if isinstance(ctype, Scalar) and ctype.kind == "float":
        return encoded(float(value), ctype)
    return int(value).to_bytes(ctype.size, "little", signed=isinstance(ctype, Scalar) and ctype.signed)


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
            data[offset : offset + ctype.size] = _packed(cell, ctype)
    return Content(bytes(data), tuple(addresses))
