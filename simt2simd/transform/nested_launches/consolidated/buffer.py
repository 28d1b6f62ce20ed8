"""Buffers of work items: where a part of an item lies, to be written and to be read.

The parts of all items lie after each other, part by part: part p of item i of a buffer for `capacity` items is
element i of the array that begins `HEADER_BYTES + capacity * offset` bytes after the buffer's begin. The capacity is a
multiple of 16, so that every array is aligned.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ....lang.ctype import UCHAR, UINT, ULONG, CType, Pointer
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.nodes import Function, Variable
from .memory import HEADER_BYTES
from .sites import Child

BUFFER = Pointer(UCHAR)

Part = int | str  # a parameter of the child by its number, or what else an item has


@dataclass(frozen=True)
class Layout:
    """The parts of an item: the type of each, and the offset of its array. `bytes`: of an item."""

    types: dict[Part, CType]
    offsets: dict[Part, int]
    bytes: int

    def place(self, build: Build, work: tree.Expr, capacity: tree.Expr, part: Part, item: tree.Expr) -> tree.Index:
        """`((T *)(work + (HEADER_BYTES + capacity * offset)))[item]`"""
        return tree.Index(build.span, self.types[part], self.array(build, work, capacity, part), item)

    def array(self, build: Build, work: tree.Expr, capacity: tree.Expr, part: Part) -> tree.Expr:
        header = build.number(ULONG, HEADER_BYTES)
        where: tree.Expr = header
        if self.offsets[part] and isinstance(capacity, tree.Constant):
            where = build.number(ULONG, HEADER_BYTES + int(capacity.value) * self.offsets[part])
        elif self.offsets[part]:
            before = build.binary(build.convert(ULONG, capacity), "*", build.number(ULONG, self.offsets[part]))
            where = build.binary(header, "+", before)
        begin = tree.PointerAdd(build.span, BUFFER, work, where)
        return tree.Convert(build.span, Pointer(self.types[part]), begin, explicit=True)


def layout(child: Function, made: Child) -> Layout:
    """Return what the items of a child have: the arguments that differ, and the number of threads."""
    types: dict[Part, CType] = {i: child.params[i].type for i in made.differing}
    types |= dict.fromkeys(_extents(made), UINT)
    offsets: dict[Part, int] = {}
    end = 0
    for part in sorted(types, key=lambda part: -types[part].align):  # so that few bytes lie between them
        offsets[part] = end
        end += types[part].size
    return Layout(types, offsets, end)


def _extents(made: Child) -> Iterable[str]:
    if made.form == "blocks":
        yield from ("first", "blocks")  # the number of its first block among those of all items, and how many it has
        if not made.flat:
            yield from ("along_x", "along_y")
    if made.loose:
        yield "threads"


def own(name: str, ctype: CType, build: Build, *, const: bool = True) -> Variable:
    """Return a new variable of a thread."""
    return Variable(name, ctype, build.span, "local", const=const)
