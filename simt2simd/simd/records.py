"""Structs of a gang's lanes: reads and writes by words, where their scalars would take more accesses.

    struct Pixel { unsigned char r, g, b, a; };
    out[i] = pixel;      consecutive words, instead of bytes lane by lane
    p = in[order[i]];    one gather, instead of four
    point = points[i];   the vectors of all lanes' records, shuffled: `memory` reads scalars of records so

A word may lie at any address, if the struct may. Words hold nothing but the struct: no others are touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from llvmlite import ir

from ..access import Consecutive, Gathered, IfEven, InRuns, Strided, Verb, record
from ..lang.ctype import UCHAR, UINT, ULONG, USHORT, Pointer, Scalar
from ..target import LANES
from . import builder, strided
from .address import Address, member
from .builder import I32, Builder, bits_of, const, undefined
from .mask import Mask
from .memory import Memory, as_stored
from .strided import as_units
from .values import Value, reinterpreted, scalar_type, vector
from .wide_gangs import address_part, mask_part, value_part

_WORDS = {2: USHORT, 4: UINT, 8: ULONG}
_UNSIGNED = {1: UCHAR, **_WORDS}

Parts = Sequence[tuple[int, Value]]  # a struct's scalars with their offsets


def words_of(
    memory: Memory, address: Address, size: int, align: int, scalars: Iterable[int], verb: Verb
) -> Scalar | None:
    """Return in what words a struct that lies anywhere is best accessed; None if it is by its scalars.

    `scalars` are the sizes of these. A word has as many bytes as the struct's alignment allows, or four if it has
    less; where neighbours' structs are neighbours, a word may be a struct with bytes or 16-bit members. Interleaved
    objects have no words but their scalars.
    """
    scalars = [*scalars]
    if address.interleave or not _UNSIGNED.keys() >= {*scalars}:
        return None
    if size in _WORDS and min(scalars, default=4) < 4 and memory.plan(address, size, verb) == Consecutive():
        word = _WORDS[size]
    elif size % 4 == 0:
        word = ULONG if align >= 8 else UINT
    else:
        return None
    if size % word.size or all(scalar >= word.size for scalar in scalars):
        return None
    access = memory.plan(member(memory.b, address, 0, size), word.size, verb)
    return word if isinstance(access, Consecutive | Gathered | IfEven | InRuns) else None


def load_record(
    memory: Memory, address: Address, size: int, align: int, scalars: Sequence[tuple[int, Scalar | Pointer]], mask: Mask
) -> tuple[Value, ...] | None:
    """Read a struct of `size` bytes by words; None if its scalars are best read one by one."""
    b = memory.b
    word = words_of(memory, address, size, align, (leaf.size for _, leaf in scalars), "load")
    if word is None:
        return None
    address = replace(address, unaligned=align < word.size)
    needed = sorted({offset // word.size for offset, _ in scalars})
    words = {i: vector(b, memory.load(member(b, address, i * word.size, size), word, mask)) for i in needed}
    parts = []
    for offset, leaf in scalars:
        i, within = divmod(offset, word.size)
        bits = part_of_word(b, words[i], leaf.size, within)
        parts.append(reinterpreted(b, Value(_UNSIGNED[leaf.size], bits), leaf))
    return tuple(parts)


def store_record(memory: Memory, address: Address, size: int, align: int, parts: Parts, mask: Mask) -> bool:
    """Write a struct of `size` bytes, all its scalars given with their offsets, if whole words can do that."""
    by_words = abs(address.stride) != size or address.stride in _WORDS
    if by_words and _store_words(memory, address, size, align, parts, mask):
        return True
    if abs(address.stride) != size or any(value.type.size not in _UNSIGNED for _, value in parts):
        return False
    if memory.b.lanes > LANES:
        return _store_wide(memory, address, size, align, parts, mask)
    word = 8 if all(value.type.size == 8 for _, value in parts) else 4
    window = record(member(memory.b, address, 0, size).spread, word) if memory.target.mask_registers else None
    if window is None:
        return False
    _store_window(memory, replace(address, unaligned=align < word), window, parts, mask)
    return True


def _store_words(memory: Memory, address: Address, size: int, align: int, parts: Parts, mask: Mask) -> bool:
    """Write a struct by words, where its scalars would take more stores."""
    b = memory.b
    word = words_of(memory, address, size, align, (value.type.size for _, value in parts), "store")
    if word is None:
        return False
    address = replace(address, unaligned=align < word.size)
    words: dict[int, ir.Value] = {}
    for offset, value in parts:
        i, within = divmod(offset, word.size)
        bits = vector(b, reinterpreted(b, value, _UNSIGNED[value.type.size]))
        wide = b.zext(bits, ir.VectorType(scalar_type(word), b.lanes)) if value.type.size < word.size else bits
        wide = b.shl(wide, const(wide.type, 8 * within)) if within else wide
        words[i] = b.or_(words[i], wide) if i in words else wide
    for i, bits in words.items():
        memory.store(member(b, address, i * word.size, size), Value(word, bits), mask)
    return True


def _store_wide(memory: Memory, address: Address, size: int, align: int, parts: Parts, mask: Mask) -> bool:
    b = memory.b
    done = True
    for i in range(b.lanes // LANES):
        where, on = address_part(b, address, i), mask_part(b, mask, i)
        own = [(offset, value_part(b, value, i)) for offset, value in parts]
        with b.narrow(LANES):
            done = done and store_record(memory, where, size, align, own, on)
    return done


def _store_window(memory: Memory, address: Address, window: Strided, parts: Parts, mask: Mask) -> None:
    """Write the records of all lanes, which lie side by side."""
    b, word = memory.b, window.size
    units: list[ir.Value] = [const(ir.VectorType(ir.IntType(8 * word), LANES), 0)] * abs(window.step)
    for offset, value in parts:
        for i, unit in enumerate(as_units(b, as_stored(b, value), word)):
            shifted = b.shl(unit, const(unit.type, 8 * (offset % word))) if offset % word else unit
            units[offset // word + i] = b.or_(units[offset // word + i], shifted)
    strided.store(b, memory.cpu, address.start, window, units, mask, address.alignment(word))


def part_of_word(b: Builder, word: ir.Value, size: int, offset: int) -> ir.Value:
    """The `size` bytes of each lane's word that begin at byte `offset`."""
    bits = bits_of(builder.element(word.type))
    if 8 * size == bits:
        return word
    if 8 * size == 32:  # one shuffle
        halves = b.bitcast(word, ir.VectorType(I32, 2 * b.lanes))
        places = ir.Constant(ir.VectorType(I32, b.lanes), [2 * lane + offset // 4 for lane in range(b.lanes)])
        return b.shuffle_vector(halves, undefined(halves.type), places)
    shifted = b.lshr(word, const(word.type, 8 * offset)) if offset else word
    return b.trunc(shifted, ir.VectorType(ir.IntType(8 * size), b.lanes))
