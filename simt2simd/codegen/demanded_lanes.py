"""Lanes that no instruction needs are left open in shuffles, so that LLVM computes less.

    b = a + shuffle(a, 8 9 10 11 ...)       only the first 8 lanes of b are needed:  shuffle(a, 8 ... 15, anything)
    c = b + shuffle(b, 4 5 6 7 ...)         only the first 4 lanes of c are needed:  shuffle(b, 4 ... 7, anything)
    ...                                     the first lane is stored

Each step of such a tree uses the one before twice, and LLVM asks what is needed of a value only where it is used once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .llvm_text import DEFINITION, NAME, NAMES, functions

VECTOR = r"<(\d+) x \w+>"
OPERAND = rf"({NAME}|[^,]+)"
LANEWISE = re.compile(rf"(?:fadd|fsub|fmul|fdiv|add|sub|mul|and|or|xor)(?: [a-z]+)* {VECTOR} {OPERAND}, {OPERAND}$")
SHUFFLE = re.compile(rf"shufflevector {VECTOR} {OPERAND}, <\d+ x \w+> {OPERAND}, <\d+ x i32> <([^>]*)>$")
EXTRACT = re.compile(rf"extractelement {VECTOR} {OPERAND}, i64 (\d+)$")
ALL = -1  # lanes, as bits

Needs = Mapping[str, int]  # of an operand, the lanes


def narrow(text: str) -> str:
    """Return a module whose shuffles leave open what is not needed of them."""
    return "".join(_narrow(part) if "extractelement" in part else part for part in functions(text))


def _narrow(function: str) -> str:
    """Go through a function from its end, so that the uses of a value come before it."""
    lines = function.split("\n")
    needed = _needed_whole(lines)
    done: set[str] = set()
    for number in range(len(lines) - 1, -1, -1):
        definition = DEFINITION.match(lines[number])
        if definition is None:
            continue
        name, right = definition[1], definition[2]
        needs = _needs(right, needed.get(name, 0))
        if needs is None:
            continue
        if not done.isdisjoint(needs):
            return function  # a back edge
        done.add(name)
        for operand, lanes in needs.items():
            needed[operand] = needed.get(operand, 0) | lanes
        lines[number] = _opened(lines[number], needed.get(name, 0))
    return "\n".join(lines)


def _needed_whole(lines: Iterable[str]) -> dict[str, int]:
    """Return the operands of all instructions that are not understood here."""
    needed: dict[str, int] = {}
    for line in lines:
        definition = DEFINITION.match(line)
        right = definition[2] if definition else line
        if definition is None or _needs(right, 0) is None:
            needed.update(dict.fromkeys(NAMES.findall(right), ALL))
    return needed


def _needs(right: str, lanes: int) -> Needs | None:
    """Return what an instruction needs if so many lanes of its result are; None if it is not understood."""
    if found := LANEWISE.match(right):
        return _named({found[2]: lanes, found[3]: lanes})
    if found := EXTRACT.match(right):
        return _named({found[2]: 1 << int(found[3])})
    if found := SHUFFLE.match(right):
        width, first, second = int(found[1]), 0, 0
        for lane, source in enumerate(_sources(found[4])):
            if source is not None and lanes >> lane & 1:
                first |= 1 << source if source < width else 0
                second |= 1 << source - width if source >= width else 0
        both = {found[2]: first}
        both[found[3]] = both.get(found[3], 0) | second
        return _named(both)
    return None


def _named(needs: Needs) -> Needs:
    return {operand: lanes for operand, lanes in needs.items() if operand.startswith("%")}


def _sources(mask: str) -> list[int | None]:
    words = [element.split()[-1] for element in mask.split(",")]
    return [int(word) if word.isdigit() else None for word in words]


def _opened(line: str, lanes: int) -> str:
    """Return a shuffle whose other lanes may be anything."""
    found = re.search(r"shufflevector .*, <\d+ x i32> <([^>]*)>$", line)
    if found is None or lanes == ALL:
        return line
    sources = [
        "i32 poison" if source is None or not lanes >> lane & 1 else f"i32 {source}"
        for lane, source in enumerate(_sources(found[1]))
    ]
    return f"{line[: found.start(1)]}{', '.join(sources)}>"
