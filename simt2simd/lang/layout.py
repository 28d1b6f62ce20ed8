"""Where the members of structs and unions lie: the x86-64 System V ABI, as GCC has it.

Bit-fields are packed one after the other, and none crosses a boundary of its type. Each run of them is kept in words,
unsigned integers that are members without a declaration: no two members of a struct overlap.

Bases of a class are members too. Other members may lie in the padding at the end of a base, or of a member that is
`[[no_unique_address]]`. An empty one of these takes no space, but no two empty objects of one class have one address
(Itanium C++ ABI, 2.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .ctype import UCHAR, UINT, ULONG, USHORT, BitField, CType, Field, Piece, Scalar, Struct

_WORDS = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONG}


@dataclass(frozen=True, slots=True)
class Declared:
    """A member as declared. `align` is at least that of its type; `width` is that of a bit-field, in bits.

    `aligned`: it has `alignas`, so that a bit-field begins at a multiple of its alignment. `data`: how many bytes
    are the member's own where its type does not say; 0 for an empty base. `empties`: the empty objects
    inside, each with its offset.
    """

    name: str
    type: CType
    align: int
    volatile: bool = False
    width: int | None = None
    aligned: bool = False
    data: int | None = None
    empties: tuple[tuple[Struct, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """`fields` are what an object consists of, `members` what programs name; `size` is without padding at the end."""

    fields: tuple[Field, ...]
    members: tuple[Field | BitField, ...]
    size: int
    align: int


@dataclass(frozen=True, slots=True)
class _Placed:
    """A member and the bit where it begins. Bit-fields of one `run` may share words."""

    member: Declared
    begin: int
    run: int

    @property
    def end(self) -> int:
        width = self.member.width
        return self.begin + (8 * self.size if width is None else width)

    @property
    def size(self) -> int:
        """How many bytes belong to the member; the addresses of an empty base are its own."""
        return self.member.data or self.member.type.size


def lay_out(members: Sequence[Declared], union: bool, least_align: int = 1) -> Layout:
    """Lay out a struct or union that is aligned to `least_align` bytes at least."""
    placed = list(_placed(members, union))
    align = max([least_align, *(p.member.align for p in placed if p.member.width is None or p.member.name)])
    size = -(-max((p.end for p in placed), default=0) // 8)
    whole = -(-size // align) * align
    words = {run: _words(run, placed, union, whole, align) for run in {p.run for p in placed if p.run}}
    fields: list[Field] = []
    named: list[Field | BitField] = []
    for number, p in enumerate(placed):
        if p.member.width is None:
            fields.append(Field(p.member.name, p.member.type, p.begin // 8, p.member.volatile))
            named.append(fields[-1])
            continue
        if number == 0 or placed[number - 1].run != p.run:
            fields += words[p.run]
        if p.member.name:
            assert isinstance(p.member.type, Scalar)
            pieces = tuple(_pieces(p, words[p.run]))
            named.append(BitField(p.member.name, p.member.type, p.member.width, pieces))
    return Layout(tuple(fields), tuple(named), size, align)


def _placed(members: Sequence[Declared], union: bool) -> Iterator[_Placed]:
    """Yield the members with their places; bit-fields of width 0 only end runs."""
    end, run, open_ = 0, 0, False
    empties: set[tuple[Struct, int]] = set()
    for member in members:
        unit = 8 * member.type.size
        begin = 0 if union else end
        if member.width is None:
            begin, open_ = _up(0 if member.data == 0 else begin, 8 * member.align), open_ and member.data == 0
            while any((kind, at + begin // 8) in empties for kind, at in member.empties):
                begin = _up(max(begin + 1, end), 8 * member.align)
            empties |= {(kind, at + begin // 8) for kind, at in member.empties if not union}
            yield _Placed(member, begin, 0)
            if member.data != 0:
                end = max(end, begin + (unit if member.data is None else 8 * member.data))
        elif member.width == 0:
            end, open_ = _up(begin, unit), False
        else:
            if member.aligned or begin // unit != (begin + member.width - 1) // unit:
                begin = _up(begin, 8 * member.align)
            run += not open_ or union
            open_ = True
            yield _Placed(member, begin, run)
            end = begin + member.width


def _up(bit: int, unit: int) -> int:
    return -(-bit // unit) * unit


def _words(run: int, placed: list[_Placed], union: bool, size: int, align: int) -> list[Field]:
    """Return words that hold a run of bit-fields: as wide as their types where nothing else lies there."""
    inside = [p for p in placed if p.run == run]
    at, end = inside[0].begin // 8, -(-inside[-1].end // 8)
    limit = size if union else min((p.begin // 8 for p in placed if p.begin // 8 >= end), default=size)
    found: list[Field] = []
    while at < end:
        units = [min(8, p.member.type.size) for p in inside if _unit_of(p) == at]
        narrow = [word for word in (1, 2, 4, 8) if word < 2 * (end - at)]
        fits = [word for word in units or narrow if at % word == 0 and at + word <= limit and word <= align]
        fits = fits or [word for word in narrow if at % word == 0 and at + word <= limit and word <= align]
        word = max(fits)
        found.append(Field(f"bits_{8 * at}", _WORDS[word], at))
        at += word
    return found


def _unit_of(p: _Placed) -> int:
    """Return the byte at which the unit of a bit-field's type begins in which it lies."""
    return p.begin // (8 * p.member.type.size) * p.member.type.size


def _pieces(p: _Placed, words: list[Field]) -> Iterator[Piece]:
    for word in words:
        low, high = 8 * word.offset, 8 * (word.offset + word.type.size)
        begin, end = max(low, p.begin), min(high, p.end)
        if begin < end:
            yield Piece(word, begin - low, begin - p.begin, end - begin)
