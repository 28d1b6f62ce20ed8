"""The distance between two vectors of indices or of pointers, from LLVM's text.

    %j = add <16 x i32> %i, splat (i32 1)                       always 1
    %a = smin(%i, %last),  %b = smin(%j, %last)                 1 in lanes that are not at the edge, so most often 1

Sums wrap, so that a distance holds for numbers of 32 or of 64 bits. That is enough to say that two elements lie side by
side: an allocation is smaller than 8 GiB, so of two that are one element apart across a wrap, one is in no allocation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .llvm_text import NAME

MOST_STEPS = 12  # back through the operations that make two values

_WORDS = r"(?:[a-z]+ )*"
_LANES = r"(?:16|32|64)"
_SUM = re.compile(rf"(?:add|or disjoint) {_WORDS}<{_LANES} x i(?:32|64)> ({NAME}), splat \(i(?:32|64) (-?\d+)\)")
_MOVED = re.compile(
    rf"getelementptr {_WORDS}i8, (?:ptr|<{_LANES} x ptr>) ({NAME}), (?:i64|<{_LANES} x i64> splat \(i64) (-?\d+)"
)
_BINARY = re.compile(rf"(add|sub|mul|shl) {_WORDS}<{_LANES} x i(?:32|64)> ({NAME}), ({NAME}|splat \(i\d+ -?\d+\))$")
_EXTREME = re.compile(
    rf"{_WORDS}call {_WORDS}(<{_LANES} x i32>) @llvm\.([su](?:min|max))\.v{_LANES}i32"
    rf"\(<{_LANES} x i32> ({NAME}), <{_LANES} x i32> ([^,]+)\)"
)
_CHOICE = re.compile(rf"select <{_LANES} x i1> {NAME}, (<{_LANES} x i32>) ([^,]+), <{_LANES} x i32> (.+)$")
_CAST = re.compile(rf"(sext|zext|inttoptr|ptrtoint) {_WORDS}<{_LANES} x \w+> ({NAME}) to <{_LANES} x \w+>$")
_PLACES = re.compile(rf"getelementptr {_WORDS}i(8|32), ptr ({NAME}), <{_LANES} x i(?:32|64)> ({NAME})$")
_PART = re.compile(rf"shufflevector <{_LANES} x i(?:32|64)> ({NAME})(, <{_LANES} x \w+> poison, <16 x i32> <[^>]*>)$")
_SPLAT = re.compile(r"splat \(i\d+ (-?\d+)\)$")


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


def parted(definitions: Mapping[str, str], value: str) -> tuple[str, int]:
    """Return what a value is the sum of: another value and a constant."""
    constant = 0
    while (made := definitions.get(value)) is not None:
        found = _SUM.match(made) or _MOVED.match(made)
        if found is None:
            break
        value, constant = found[1], constant + int(found[2])
    return value, constant


def distance(definitions: Mapping[str, str], first: str, second: str, steps: int = MOST_STEPS) -> Distance | None:
    """Return how far the second value lies after the first; None if unknown.

    `definitions`: the right sides of a function's values, by name.
    """
    (one, a), (other, b) = parted(definitions, first), parted(definitions, second)
    if one == other:
        return Distance(b - a)
    if steps == 0:
        return None
    made, made_other = definitions.get(one, ""), definitions.get(other, "")
    below = _of_operands(definitions, one, other, made, made_other, steps - 1)
    return below and replace(below, offset=below.offset + b - a)


def _of_operands(
    definitions: Mapping[str, str], one: str, other: str, made: str, made_other: str, steps: int
) -> Distance | None:
    """Return the distance of two results, from that of their operands."""
    cast, cast_other = _CAST.match(made), _CAST.match(made_other)
    if cast and cast_other and cast[1] == cast_other[1]:
        return distance(definitions, cast[2], cast_other[2], steps)
    part, part_other = _PART.match(made), _PART.match(made_other)
    if part and part_other and part[2] == part_other[2]:
        whole = distance(definitions, part[1], part_other[1], steps)
        return whole and replace(whole, doubt=whole.doubt and replace(whole.doubt, part=part[2]))
    places, places_other = _PLACES.match(made), _PLACES.match(made_other)
    if places and places_other and places.group(1, 2) == places_other.group(1, 2):
        return _times(distance(definitions, places[3], places_other[3], steps), int(places[1]) // 8)
    binary, binary_other = _BINARY.match(made), _BINARY.match(made_other)
    if binary and binary_other and binary[1] == binary_other[1]:
        return _of_binary(definitions, binary, binary_other, steps)
    return _likely(definitions, one, other, made, made_other, steps)


def _of_binary(definitions: Mapping[str, str], one: re.Match[str], other: re.Match[str], steps: int) -> Distance | None:
    operation, (a, b), (c, d) = one[1], one.group(2, 3), other.group(2, 3)
    if operation == "add":
        for (same, x), (same_other, y) in (((a, b), (c, d)), ((b, a), (d, c)), ((a, b), (d, c)), ((b, a), (c, d))):
            if same == same_other:
                return distance(definitions, x, y, steps)
        return None
    factor = _SPLAT.match(b)
    if b != d or (operation != "sub" and factor is None):
        return None
    times = 1 if factor is None or operation == "sub" else int(factor[1])
    return _times(distance(definitions, a, c, steps), 1 << times if operation == "shl" else times)


def _times(found: Distance | None, factor: int) -> Distance | None:
    return found and replace(found, offset=found.offset * factor)


def _likely(
    definitions: Mapping[str, str], one: str, other: str, made: str, made_other: str, steps: int
) -> Distance | None:
    """Return the distance of what is clamped at an edge, or wraps to the other one, if it is neither."""
    kind, inner = "", None
    extreme, extreme_other = _EXTREME.match(made), _EXTREME.match(made_other)
    choice = _CHOICE.match(made_other) or _CHOICE.match(made)
    if extreme and extreme_other and extreme.group(2, 4) == extreme_other.group(2, 4):
        kind, inner = extreme[1], distance(definitions, extreme[3], extreme_other[3], steps)
    elif choice:
        kind = choice[1]
        for arm in choice.group(3, 2):
            first, second = (one, arm) if _CHOICE.match(made_other) else (arm, other)
            inner = inner or (distance(definitions, first, second, steps) if arm.startswith("%") else None)
    if inner is None or not inner.offset:
        return None
    return Distance(inner.offset, Doubt(kind, one, other, inner.offset))
