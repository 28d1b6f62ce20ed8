"""What an object file of the C++ compiler holds: its symbols, and the data that they name.

Only what is needed to follow a pointer in initialised data to the text that it points to. ELF, 64 bits, little endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_SYMBOLS, _RELOCATIONS, _EMPTY = 2, 4, 8  # kinds of sections
_LAST_SECTION = 0xFF00  # from here on, numbers of sections mean something else


@dataclass(frozen=True)
class Symbol:
    """A name for a place in a section; `section` is 0 for what is defined elsewhere."""

    name: str
    section: int
    offset: int


@dataclass(frozen=True)
class _Section:
    name: int
    kind: int
    offset: int
    size: int
    link: int  # of symbols: the section of their names; of relocations: that of the symbols
    info: int  # of relocations: the section that they change


class ObjectFile:
    """An object file as bytes. Raises `ValueError` if they are none that can be read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not an object file for a 64-bit machine")
        try:
            header = _HEADER.unpack_from(data)
            at, size, count = header[6], header[11], header[12]
            if count == 0 and at:  # too many for the field: the first section knows
                count = _SECTION.unpack_from(data, at)[5]
            self._names = header[13]
            self._sections = [self._section(at + i * size) for i in range(count)]
            self._symbols = {i: self._symbols_of(s) for i, s in enumerate(self._sections) if s.kind == _SYMBOLS}
            self._pointers = dict(self._relocations())
        except (struct.error, IndexError) as fault:
            raise ValueError("a damaged object file") from fault

    def contents(self, name: str) -> bytes:
        """Return what the sections of this name hold."""
        names = self._sections[self._names].offset if self._sections else 0
        found: list[bytes] = []
        for section in self._sections:
            at = names + section.name
            if self._data[at : self._data.index(b"\0", at)].decode(errors="surrogateescape") == name:
                found.append(self._data[section.offset : section.offset + section.size])
        return b"".join(found)

    @property
    def symbols(self) -> Iterator[Symbol]:
        """Yield the symbols that are defined here."""
        return (symbol for table in self._symbols.values() for symbol in table if symbol.section)

    def text_at(self, place: Symbol, offset: int) -> str | None:
        """Return the C string that the pointer `offset` bytes after `place` points to; None if it points to none."""
        found = self._pointers.get((place.section, place.offset + offset))
        if found is None:
            return None
        symbol, addend = found
        section = self._sections[symbol.section]
        if symbol.section == 0 or section.kind == _EMPTY:
            return None
        start = section.offset + symbol.offset + addend
        end = self._data.find(b"\0", start, section.offset + section.size)
        return self._data[start:end].decode(errors="surrogateescape") if end >= 0 else None

    def number_at(self, place: Symbol, offset: int) -> int:
        """Return the 32-bit number `offset` bytes after `place`."""
        at = self._sections[place.section].offset + place.offset + offset
        return int.from_bytes(self._data[at : at + 4], "little")

    def _section(self, at: int) -> _Section:
        name, kind, _, _, offset, size, link, info, _, _ = _SECTION.unpack_from(self._data, at)
        return _Section(name, kind, offset, size, link, info)

    def _symbols_of(self, table: _Section) -> list[Symbol]:
        names = self._sections[table.link].offset
        found: list[Symbol] = []
        for at in range(table.offset, table.offset + table.size, _SYMBOL.size):
            name, _, _, section, value, _ = _SYMBOL.unpack_from(self._data, at)
            text = self._data[names + name : self._data.index(b"\0", names + name)].decode(errors="surrogateescape")
            found.append(Symbol(text, section if section < _LAST_SECTION else 0, value))
        return found

    def _relocations(self) -> Iterator[tuple[tuple[int, int], tuple[Symbol, int]]]:
        """Yield (section, offset) of each pointer, and (symbol, bytes after it) where it points."""
        for table in self._sections:
            if table.kind != _RELOCATIONS:
                continue
            symbols = self._symbols[table.link]
            for at in range(table.offset, table.offset + table.size, _RELOCATION.size):
                offset, info, addend = _RELOCATION.unpack_from(self._data, at)
                yield (table.info, offset), (symbols[info >> 32], addend)
