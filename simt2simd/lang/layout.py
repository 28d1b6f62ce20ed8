"""Where the members of structs and unions lie: the x86-64 System V ABI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .ctype import CType, Field


@dataclass(frozen=True, slots=True)
class Declared:
    """A member as declared. `align` is at least that of its type."""

    name: str
    type: CType
    align: int
    volatile: bool = False


def lay_out(members: Sequence[Declared], union: bool) -> tuple[tuple[Field, ...], int, int]:
    """Return the fields, the size before padding, and the alignment."""
    fields: list[Field] = []
    end, size, align = 0, 0, 1
    for member in members:
        offset = 0 if union else -(-end // member.align) * member.align
        fields.append(Field(member.name, member.type, offset, member.volatile))
        end = offset + member.type.size
        size, align = max(size, end), max(align, member.align)
    return tuple(fields), size, align
