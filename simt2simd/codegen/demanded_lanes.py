"""Lanes that no instruction needs are left open in shuffles, so that LLVM computes less.

    b = a + shuffle(a, 8 9 10 11 ...)       only the first 8 lanes of b are needed:  shuffle(a, 8 ... 15, anything)
    c = b + shuffle(b, 4 5 6 7 ...)         only the first 4 lanes of c are needed:  shuffle(b, 4 ... 7, anything)
    ...                                     the first lane is stored

Each step of such a tree uses the one before twice, and LLVM asks what is needed of a value only where it is used once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .llvm_text import NAMES, Function, Instruction, definition, instruction, opcode, typed

LANEWISE = frozenset("fadd fsub fmul fdiv add sub mul and or xor".split())
UNDERSTOOD = LANEWISE | {"shufflevector", "extractelement"}
ALL = -1  # lanes, as bits

_VECTOR = re.compile(r"<(\d+) x \w+>$")
_PICKED = re.compile(r"<\d+ x i32> <([^>]*)>$")

Needs = Mapping[str, int]  # of an operand, the lanes


def narrow(function: Function) -> str:
    """Return the text of a function whose shuffles leave open what is not needed of them.

    It is gone through from its end, so that the uses of a value come before it.
    """
    if "extractelement" not in function.text:
        return function.text
    lines = list(function.lines)
    needed = _needed_whole(lines)
    done: set[str] = set()
    for number in range(len(lines) - 1, -1, -1):
        name, _, made = _read(lines[number])
        needs = None if made is None else _needs(made, needed.get(name, 0))
        if made is None or needs is None:
            continue
        if not done.isdisjoint(needs):
            return function.text  # a back edge
        done.add(name)
        for operand, lanes in needs.items():
            needed[operand] = needed.get(operand, 0) | lanes
        lines[number] = _opened(lines[number], made, needed.get(name, 0))
    return "\n".join(lines)


def _read(line: str) -> tuple[str, str, Instruction | None]:
    """Return the name of the value that a line makes, what makes it, and that instruction if it may be understood."""
    name, made = definition(line) or ("", line)
    return name, made, instruction(made) if name and opcode(made) in UNDERSTOOD else None


def _needed_whole(lines: Sequence[str]) -> dict[str, int]:
    """Return the operands of all instructions that are not understood here."""
    needed: dict[str, int] = {}
    for line in lines:
        _, text, made = _read(line)
        if made is None or _needs(made, 0) is None:
            needed.update(dict.fromkeys(NAMES.findall(text), ALL))
    return needed


def _needs(made: Instruction, lanes: int) -> Needs | None:
    """Return what an instruction needs if so many lanes of its result are; None if it is not understood."""
    kind, first = made.typed
    vector = _VECTOR.match(kind)
    if vector is None:
        return None
    if made.opcode in LANEWISE:
        return _named([(first, lanes), (made.operands[1], lanes)])
    if made.opcode == "extractelement":
        lane = typed(made.operands[1])[1]
        return _named([(first, 1 << int(lane))]) if lane.isdigit() else None
    picked = _PICKED.match(made.operands[2])
    return None if picked is None else _needs_of_shuffle(made, int(vector[1]), picked[1], lanes)


def _needs_of_shuffle(made: Instruction, width: int, picked: str, lanes: int) -> Needs:
    first, second = 0, 0
    for lane, source in enumerate(_sources(picked)):
        if source is not None and lanes >> lane & 1:
            first |= 1 << source if source < width else 0
            second |= 1 << source - width if source >= width else 0
    return _named([(typed(made.operands[0])[1], first), (typed(made.operands[1])[1], second)])


def _named(needs: Sequence[tuple[str, int]]) -> Needs:
    """Return the lanes of each operand that is no constant; one may be there twice."""
    found: dict[str, int] = {}
    for operand, lanes in needs:
        if operand.startswith("%"):
            found[operand] = found.get(operand, 0) | lanes
    return found


def _sources(picked: str) -> list[int | None]:
    words = [element.split()[-1] for element in picked.split(",")]
    return [int(word) if word.isdigit() else None for word in words]


def _opened(line: str, made: Instruction, lanes: int) -> str:
    """Return a shuffle whose other lanes may be anything."""
    if made.opcode != "shufflevector" or lanes == ALL:
        return line
    picked = made.operands[2]
    found = _PICKED.match(picked)
    assert found is not None
    sources = [
        "i32 poison" if source is None or not lanes >> lane & 1 else f"i32 {source}"
        for lane, source in enumerate(_sources(found[1]))
    ]
    before, after = line.rsplit(picked, 1)
    return f"{before}{picked[: found.start(1)]}{', '.join(sources)}>{after}"
