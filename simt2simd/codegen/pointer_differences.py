"""The distance between two vectors of indices or of pointers, from LLVM's text.

    %j = add <16 x i32> %i, splat (i32 1)                       always 1
    %a = smin(%i, %last),  %b = smin(%j, %last)                 1 in lanes that are not at the edge, so most often 1

Sums wrap, so that a distance holds for numbers of 32 or of 64 bits. That is enough to say that two elements lie side by
side: an allocation is smaller than 8 GiB, so of two that are one element apart across a wrap, one is in no allocation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .llvm_text import SPLAT, Instruction, Values, typed

MOST_STEPS = 12  # back through the operations that make two values

_GANG = re.compile(r"<(?:16|32|64) x (\w+)>$")  # the type of a vector with a lane for each thread
_EXTREME = re.compile(r"llvm\.([su](?:min|max))\.v(?:16|32|64)i32$")
_WORDS = ("i32", "i64")
_CASTS = ("sext", "zext", "inttoptr", "ptrtoint")


@dataclass(frozen=True)
class Doubt:
    """Two values, of `kind`, that are most likely `offset` apart: if they are, so is what is made of them.

    Of values of more than 16 lanes, those are asked that a shuffle with the operands `part` takes.
    """

    kind: str
    first: str
    second: str
    offset: int
    part: str = ""


@dataclass(frozen=True)
class Distance:
    """By how much the second of two values is more than the first; surely, unless there is a doubt."""

    offset: int
    doubt: Doubt | None = None


def parted(values: Values, value: str) -> tuple[str, int]:
    """Return what a value is the sum of: another value and a constant."""
    constant = 0
    while (made := values[value]) is not None:
        found = _sum(made) or _moved(made)
        if found is None:
            break
        value, constant = found[0], constant + found[1]
    return value, constant


def distance(values: Values, first: str, second: str, steps: int = MOST_STEPS) -> Distance | None:
    """Return how far the second value lies after the first; None if unknown."""
    (one, a), (other, b) = parted(values, first), parted(values, second)
    if one == other:
        return Distance(b - a)
    if steps == 0:
        return None
    below = _of_operands(values, one, other, steps - 1)
    return below and replace(below, offset=below.offset + b - a)


def _of_operands(values: Values, one: str, other: str, steps: int) -> Distance | None:
    """Return the distance of two results, from that of their operands."""
    made, made_other = values[one], values[other]
    if made and made_other and made.opcode == made_other.opcode:
        cast, cast_other = _cast(made), _cast(made_other)
        if cast and cast_other:
            return distance(values, cast, cast_other, steps)
        part, part_other = _part(made), _part(made_other)
        if part and part_other and part[1] == part_other[1]:
            whole = distance(values, part[0], part_other[0], steps)
            return whole and replace(whole, doubt=whole.doubt and replace(whole.doubt, part=part[1]))
        places, places_other = _places(made), _places(made_other)
        if places and places_other and places[:2] == places_other[:2]:
            return _times(distance(values, places[2], places_other[2], steps), places[0])
        binary, binary_other = _binary(made), _binary(made_other)
        if binary and binary_other:
            return _of_binary(values, made.opcode, binary, binary_other, steps)
    return _likely(values, one, other, steps)


def _of_binary(
    values: Values, opcode: str, one: tuple[str, str], other: tuple[str, str], steps: int
) -> Distance | None:
    (a, b), (c, d) = one, other
    if opcode == "add":
        for (same, x), (same_other, y) in (((a, b), (c, d)), ((b, a), (d, c)), ((a, b), (d, c)), ((b, a), (c, d))):
            if same == same_other:
                return distance(values, x, y, steps)
        return None
    factor = SPLAT.match(b)
    if b != d or (opcode != "sub" and factor is None):
        return None
    times = 1 if factor is None or opcode == "sub" else int(factor[1])
    return _times(distance(values, a, c, steps), 1 << times if opcode == "shl" else times)


def _times(found: Distance | None, factor: int) -> Distance | None:
    return found and replace(found, offset=found.offset * factor)


def _likely(values: Values, one: str, other: str, steps: int) -> Distance | None:
    """Return the distance of what is clamped at an edge, or wraps to the other one, if it is neither."""
    kind, inner = "", None
    extreme, extreme_other = _extreme(values, one), _extreme(values, other)
    choice_other = _choice(values[other])
    choice = choice_other or _choice(values[one])
    if extreme and extreme_other and extreme[:2] == extreme_other[:2]:
        kind, inner = extreme[3], distance(values, extreme[2], extreme_other[2], steps)
    elif choice:
        kind = choice[0]
        for arm in (choice[2], choice[1]):
            first, second = (one, arm) if choice_other else (arm, other)
            inner = inner or (distance(values, first, second, steps) if arm.startswith("%") else None)
    if inner is None or not inner.offset:
        return None
    return Distance(inner.offset, Doubt(kind, one, other, inner.offset))


# ------------------------------------------------------------------------------------------- instructions


def _element(kind: str) -> str:
    """Return the element of a vector with a lane for each thread; "" of other types."""
    found = _GANG.match(kind)
    return found[1] if found else ""


def _sum(made: Instruction) -> tuple[str, int] | None:
    """Return the value and the constant whose sum an instruction is."""
    if made.opcode != "add" and (made.opcode != "or" or "disjoint" not in made.words):
        return None
    (kind, value), constant = made.typed, SPLAT.match(made.operands[1])
    return (value, int(constant[1])) if constant and value[0] == "%" and _element(kind) in _WORDS else None


def _moved(made: Instruction) -> tuple[str, int] | None:
    """Return a pointer, or pointers, and by how many bytes they are moved."""
    if made.opcode != "getelementptr" or made.operands[0] != "i8" or len(made.operands) != 3:
        return None
    (kind, pointer), (_, by) = typed(made.operands[1]), typed(made.operands[2])
    if pointer[0] != "%" or (kind != "ptr" and _element(kind) != "ptr"):
        return None
    constant = SPLAT.match(by)
    if constant:
        return pointer, int(constant[1])
    return (pointer, int(by)) if by.lstrip("-").isdigit() else None


def _binary(made: Instruction) -> tuple[str, str] | None:
    """Return the operands of integer arithmetic."""
    if made.opcode not in ("add", "sub", "mul", "shl"):
        return None
    (kind, left), right = made.typed, made.operands[1]
    if _element(kind) not in _WORDS or left[0] != "%" or not (right[0] == "%" or SPLAT.match(right)):
        return None
    return left, right


def _cast(made: Instruction) -> str | None:
    """Return what is cast."""
    if made.opcode not in _CASTS:
        return None
    kind, value = typed(made.operands[0].partition(" to ")[0])
    return value if _element(kind) and value[0] == "%" else None


def _places(made: Instruction) -> tuple[int, str, str] | None:
    """Return the bytes of an element, a pointer and the indices that make pointers."""
    if made.opcode != "getelementptr" or made.operands[0] not in ("i8", "i32") or len(made.operands) != 3:
        return None
    (base_kind, base), (kind, index) = typed(made.operands[1]), typed(made.operands[2])
    if base_kind != "ptr" or _element(kind) not in _WORDS or base[0] != "%" or index[0] != "%":
        return None
    return int(made.operands[0][1:]) // 8, base, index


def _part(made: Instruction) -> tuple[str, str] | None:
    """Return a vector of which a shuffle takes 16 lanes, and the shuffle's other operands."""
    if made.opcode != "shufflevector":
        return None
    (kind, value), others, picked = made.typed, made.operands[1], made.operands[2]
    if _element(kind) not in _WORDS or value[0] != "%" or typed(others)[1] != "poison":
        return None
    return (value, f", {others}, {picked}") if picked.startswith("<16 x i32> <") else None


def _extreme(values: Values, name: str) -> tuple[str, str, str, str] | None:
    """Return which of the smaller and the larger of two values is taken, the second one, the first one, their type."""
    made = values[name]
    found = values.call(name) if made and made.opcode == "call" else None
    which = _EXTREME.match(found.callee) if found else None
    if found is None or which is None:
        return None
    (kind, first), (_, second) = map(typed, found.arguments)
    return (which[1], second, first, kind) if first[0] == "%" else None


def _choice(made: Instruction | None) -> tuple[str, str, str] | None:
    """Return the type of the values between which lanes choose, and the two."""
    if made is None or made.opcode != "select" or made.typed[1][0] != "%":
        return None
    (kind, one), (_, other) = typed(made.operands[1]), typed(made.operands[2])
    return (kind, one, other) if _element(kind) == "i32" and _element(made.typed[0]) == "i1" else None
