"""PTX in `asm` statements: its text becomes a list of instructions.

Source: "Parallel Thread Execution ISA", chapters "Syntax" and "Instruction Operands"; for `%0` and `%%`, "Inline PTX
Assembly in CUDA".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


class PtxFault(Exception):
    """The text cannot be taken; the message says what in it, and `help` what works instead.

    `place`: the opcode of the instruction, and how many others before it have the same.
    """

    place: tuple[str, int] | None = None

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


@dataclass(frozen=True)
class Instruction:
    """`@!p add.cc.u32 d, a, b;`

    `words` are the opcode's parts, "add", "cc" and "u32". An operand is a register, a number, an address in brackets
    or registers in braces. `guard` is the predicate's register, and whether it must be false.
    """

    words: tuple[str, ...]
    operands: tuple[str, ...]
    guard: tuple[str, bool] | None = None

    @property
    def opcode(self) -> str:
        return ".".join(self.words)


@dataclass(frozen=True)
class Registers:
    """`.reg .u32 a, b;`: registers, and their type."""

    type: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Scope:
    """A brace: "{" begins a scope of registers, "}" ends it."""

    brace: str


@dataclass(frozen=True)
class Label:
    """`again:`, a place that `bra` leads to."""

    name: str


Line = Instruction | Registers | Scope | Label

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_LABEL = re.compile(r"\s*(?P<name>[a-zA-Z_$%][\w$]*)\s*:(?!:)")
_STATEMENT = re.compile(r"\s*(?:(?P<brace>[{}])|(?P<text>(?:\{[^{};]*\}|[^;{}])+);|(?P<rest>[^\s].*))", re.DOTALL)
_INSTRUCTION = re.compile(
    r"(?:@(?P<no>!)?\s*(?P<guard>[%\w$]+)\s+)?(?P<opcode>[a-zA-Z][\w.:]*)(?P<operands>(?:\s|\[|\{).*)?", re.DOTALL
)
_REGISTERS = re.compile(r"\.reg\s+\.(?P<type>\w+)\s+(?P<names>.*)", re.DOTALL)
_COUNTED = re.compile(r"(?P<name>[%\w$]+)\s*<\s*(?P<count>\d+)\s*>")
_PLACEHOLDER = re.compile(r"%(?:(?P<percent>%)|(?P<unique>=)|(?P<number>\d+)|\[(?P<name>\w+)\])")


def with_operands(
    template: str, names: Mapping[str, int], count: int, constants: Mapping[int, int] = MappingProxyType({})
) -> str:
    """Return a template with `%3` and `%[name]` as registers, or as constants, and `%%` as a `%`."""

    def put(found: re.Match[str]) -> str:
        if found["percent"]:
            return "%"
        if found["unique"]:
            return "0"
        number = int(found["number"]) if found["number"] else names.get(found["name"])
        if number is None or number >= count:
            raise PtxFault(f"there is no operand '{found.group()}'")
        return str(constants[number]) if number in constants else operand_name(number)

    return _PLACEHOLDER.sub(put, template)


def operand_name(number: int) -> str:
    """Return the register of an operand of the statement; no program can name it."""
    return f"%operand${number}"


def read(text: str) -> list[Line]:
    """Return what a text consists of. Raises `PtxFault`."""
    text, lines, at = _COMMENT.sub(" ", text).strip(), list[Line](), 0
    while at < len(text):
        if label := _LABEL.match(text, at):
            lines.append(Label(label["name"]))
            at = label.end()
            continue
        found = _STATEMENT.match(text, at)
        if found is None:
            break
        at = found.end()
        if found["brace"]:
            lines.append(Scope(found["brace"]))
        elif statement := (found["text"] or found["rest"]).strip():
            lines.append(_statement(statement))
    return lines


def _statement(text: str) -> Line:
    if text.startswith("."):
        registers = _REGISTERS.fullmatch(text)
        if registers is None:
            raise PtxFault(f"the PTX directive '{text.split()[0]}' is not supported")
        return Registers(registers["type"], tuple(_names(registers["names"])))
    found = _INSTRUCTION.fullmatch(text)
    if found is None:
        raise PtxFault(f"'{text}' is no PTX instruction")
    guard = (found["guard"], found["no"] is not None) if found["guard"] else None
    return Instruction(tuple(found["opcode"].split(".")), tuple(_split(found["operands"] or "")), guard)


def _names(text: str) -> list[str]:
    """`a, b, r<2>` are a, b, r0 and r1."""
    found: list[str] = []
    for name in _split(text):
        counted = _COUNTED.fullmatch(name)
        found += [f"{counted['name']}{i}" for i in range(int(counted["count"]))] if counted else [name]
    return found


def _split(text: str) -> list[str]:
    """Split operands at commas outside of braces and brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]
