"""The one reader of LLVM's IR as LLVM prints it: functions, their values, instructions, calls.

    %sum = add nsw <16 x i32> %i, splat (i32 1), !dbg !7        name, opcode, words, operands, rest

An instruction is a line of a function: two spaces, `%name = ` if it has a result, and what makes it. The passes that
rewrite this text are about few of its lines, so that a line is read only when it is asked for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..simd import x86

NAME = r'%(?:[-\w.$]+|"[^"]*")'
NAMES = re.compile(NAME)
LABEL = re.compile(r'("[^"]*"|[-\w.$]+):')  # begins the line that begins a block
PREDECESSOR = re.compile(r', %("[^"]*"|[-\w.$]+) \]')  # ends an operand of a phi
SPLAT = re.compile(r"splat \(i\d+ (-?\d+)\)$")  # an integer constant, the same in all lanes

_DEFINITION = re.compile(rf"  ({NAME}) = (.*)$")
_DEFINITIONS = re.compile(rf"(?m)^{_DEFINITION.pattern}")
_TYPES = r"ptr|float|double|half|bfloat|void|label|token"  # those that words are named like
_HEAD = re.compile(rf"(?:(?:tail|musttail|notail) )?(\w+)(?: ((?:(?!(?:{_TYPES})\b)[a-z]+ )*)(.*))?$")
_TYPED = re.compile(r"(<[^>]*>|\[[^\]]*\]|\{[^}]*\}|%?[\w.]+) (.*)$")
_CALL = re.compile(r"(?:(?:tail|musttail|notail) )?call ([^@]*)@([-\w.$]+)\(")
_MARKS = re.compile(r"[()<>\[\]{},]")
_ATTRIBUTES = re.compile(r"(?:[a-z_]+(?:\(\d+\)| \d+)? )*(?=[%@]|getelementptr|inttoptr)")  # `nonnull align 4 `
_ATTRIBUTE_GROUP = re.compile(r"^ #\d+")
_NUMBERS = re.compile(r"%(\d+)\b")
_METADATA = re.compile(r"(?m)^!(\d+) = ")
_NOTE = re.compile(r"!|align ")  # begins what follows an instruction's operands


# ------------------------------------------------------------------------------------------- functions


class Function:
    """A part of a module's text that begins with a function; what follows the function's last line goes with it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The text, line by line."""
        return tuple(self.text.split("\n"))

    @cached_property
    def values(self) -> Values:
        """What makes each value of the function: the way from a use to its definition."""
        return Values(dict(_DEFINITIONS.findall(self.text)))


class Values:
    """What makes each value of a function, by the value's name; values that no instruction makes are not in it."""

    def __init__(self, made: Mapping[str, str]) -> None:
        self._made = made
        self._read: dict[str, Instruction | None] = {}

    def __getitem__(self, name: str) -> Instruction | None:
        """Return the instruction that makes a value; None of arguments, constants and what is not understood."""
        if name not in self._read:
            made = self._made.get(name)
            self._read[name] = None if made is None else instruction(made)
        return self._read[name]

    def call(self, name: str) -> Call | None:
        """Return the call that makes a value, if one does."""
        return call(self._made.get(name, ""))


def functions(text: str) -> Iterator[Function]:
    """Split a module before each function that it defines."""
    starts = [found.start() + 1 for found in re.finditer("\ndefine ", text)]
    for start, end in itertools.pairwise([0, *starts, len(text)]):
        yield Function(text[start:end])


def with_named_values(function: Function, prefix: str) -> Function:
    """Return a function in which no value has a number for a name: numbers must stay in order, and lines need not."""
    numbers = {found[0][1:] for line in function.lines if (found := definition(line)) and found[0][1:].isdigit()}
    if not numbers:
        return function
    return Function(
        _NUMBERS.sub(lambda found: f"%{prefix}{found[1]}n" if found[1] in numbers else found[0], function.text)
    )


def next_metadata(text: str) -> int:
    """Return the first number that no metadata has. Metadata follows all functions."""
    return 1 + max(map(int, _METADATA.findall(text, max(0, text.rfind("\n}\n")))), default=-1)


# ------------------------------------------------------------------------------------------- instructions


@dataclass(frozen=True, slots=True)
class Instruction:
    """What makes a value: `opcode` `words` `operands` `rest`.

    `words` are flags and predicates (`nsw`, `samesign slt`). An operand stands as it is printed, with its type where it
    has one of its own. `rest` is the metadata behind them, with its comma.
    """

    opcode: str
    words: str
    operands: tuple[str, ...]
    rest: str

    @property
    def typed(self) -> tuple[str, str]:
        """The type of the first operand, and its value."""
        return typed(self.operands[0])


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function by its name. `kind` is all that precedes it: the type, after attributes."""

    kind: str
    callee: str
    arguments: tuple[str, ...]
    rest: str  # without the number of its attributes: another instruction has none of these


def definition(line: str) -> tuple[str, str] | None:
    """Return the name of the value that a line makes, and what makes it; None of other lines."""
    found = _DEFINITION.match(line)
    return (found[1], found[2]) if found else None


def instruction(made: str) -> Instruction | None:
    """Read what makes a value."""
    found = _HEAD.match(made)
    if found is None:
        return None
    opcode, words, operands = found.groups(default="")
    parts, _ = _separated(operands)
    count = next((i for i, part in enumerate(parts) if _NOTE.match(part)), len(parts))
    rest = "".join(f", {part}" for part in parts[count:])
    return Instruction(opcode, words.rstrip(), tuple(parts[:count]), rest)


def opcode(made: str) -> str:
    """Return the first word of what makes a value; "call" of a tail call."""
    word, _, others = made.partition(" ")
    return others.partition(" ")[0] if word in ("tail", "musttail", "notail") else word


def call(made: str) -> Call | None:
    """Read a call of a function by its name; None of anything else."""
    found = _CALL.match(made)
    if found is None:
        return None
    given, rest = _separated(made, found.end())
    return Call(found[1].rstrip(), found[2], tuple(given), _ATTRIBUTE_GROUP.sub("", rest))


def callee(made: str) -> str:
    """Return the name of the function that is called; "" if there is none."""
    found = _CALL.match(made)
    return found[2] if found else ""


def typed(operand: str) -> tuple[str, str]:
    """Return the type of an operand, or of an argument, and its value, which may begin with attributes."""
    found = _TYPED.match(operand)
    assert found is not None, operand
    return found[1], found[2]


def _separated(text: str, start: int = 0) -> tuple[list[str], str]:
    """Return what commas separate from `start` on; where a bracket ends that, also what follows the bracket."""
    found: list[str] = []
    depth = 0
    for mark in _MARKS.finditer(text, start):
        match mark[0]:
            case "(" | "<" | "[" | "{":
                depth += 1
            case "," if depth == 0:
                found.append(text[start : mark.start()].strip())
                start = mark.end()
            case ",":
                pass
            case _ if depth == 0:
                return [*found, text[start : mark.start()].strip()], text[mark.end() :]
            case _:
                depth -= 1
    return [*found, text[start:].strip()], ""


# ------------------------------------------------------------------------------------------- gathers and scatters


@dataclass(frozen=True, slots=True)
class Gather:
    """A gather of 32 bits for each of 16 lanes.

    It reads at `base` and `scale` times the lanes' `index`; at the lanes' pointers `places` if these are not empty.
    `others` is what lanes get that `mask` has off.
    """

    element: str
    others: str
    mask: str
    base: str
    index: str
    scale: int
    places: str
    rest: str  # of the line: where it comes from


@dataclass(frozen=True, slots=True)
class Scatter:
    """A scatter for each of 16 lanes, at `base` and `scale` times the lanes' `index`, a vector with its type."""

    base: str
    mask: str
    index: str
    values: str
    scale: int
    rest: str  # of the line: where it comes from


FAR_GATHER = "llvm.masked.gather.v16"
_NEAR_GATHERS = tuple(f"{x86.GATHER}{letter}.512" for letter in "is")
_FAR_GATHERS = tuple(f"{FAR_GATHER}{element}.v16p0" for element in ("i32", "f32"))
_ELEMENTS = {"<16 x i32>": "i32", "<16 x float>": "float"}


def gather(made: str) -> Gather | None:
    """Read a gather; None of anything else, and where the address is a constant that is not a name."""
    found = call(made) if "gather" in made else None
    if found is None or found.kind not in _ELEMENTS:
        return None
    element, values = _ELEMENTS[found.kind], [typed(argument)[1] for argument in found.arguments]
    if found.callee in _NEAR_GATHERS:
        others, base, index, mask, scale = values
        base = _without_attributes(base)
        if base[0] in "%@" and index[0] == "%":
            return Gather(element, others, mask, base, index, int(scale), "", found.rest)
    elif found.callee in _FAR_GATHERS:
        places, mask, others = values
        places = _without_attributes(places)
        if places[0] == "%":
            return Gather(element, others, mask, "", "", 1, places, found.rest)
    return None


def scatter(line: str) -> Scatter | None:
    """Read a line with a scatter; None of any other one."""
    found = call(line.lstrip()) if SCATTER in line else None
    if found is None:
        return None
    base, mask, index, values, scale = found.arguments
    base = _without_attributes(typed(base)[1])
    return Scatter(base, typed(mask)[1], index, values, int(typed(scale)[1]), found.rest)


SCATTER = f"call void @{x86.SCATTER}"  # in the lines that are scatters


def _without_attributes(value: str) -> str:
    """Return an argument's value without what is promised of it."""
    found = _ATTRIBUTES.match(value)
    return value[found.end() :] if found else value
