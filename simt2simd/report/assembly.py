"""Machine code by the line of the program that it is of, read from LLVM's assembly with its `.loc` directives.

.file  1 "/home" "walk.cu"                 file 1
walk.range0:                               a function begins
.loc   1 7 22                              what follows is of line 7
    vgatherdps (%r8,%zmm1,4), %zmm3 {%k2}  an instruction of the notable kind "gather"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

Place = tuple[str, int]  # a file and a line in it


@dataclass(frozen=True)
class Instruction:
    """One instruction: its `text`, with one space after the mnemonic, and what is notable of it, "" for most."""

    text: str
    kind: str


@dataclass
class Code:
    """The machine code of one function: its instructions by their places, in their order, and what it refers to."""

    lines: dict[Place, list[Instruction]]
    refers: set[str]


_FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"(?:[^"\\]|\\.)*"\s+)?"((?:[^"\\]|\\.)*)"')
_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_FUNCTION = re.compile(r'\s*\.type\s+("[^"]+"|[^,\s]+),\s*@function')
_LABEL = re.compile(r'("[^"]+"|[\w.$@-]+):')
_INSTRUCTION = re.compile(r"\t([a-z]\w*)(?:\s+([^#]*))?")
_SYMBOL = re.compile(r'"[^"]+"|[A-Za-z_][\w.$]*')

# What is worth a word, by the mnemonic: the first that fits.
_NOTABLE = (
    (re.compile(r"vp?gather"), "gather"),
    (re.compile(r"vp?scatter"), "scatter"),
    (re.compile(r"v?(?:div|sqrt)[ps][sd]|i?div[bwlq]?$"), "division"),
    (re.compile(r"call"), "call"),
    (re.compile(r"lock|cmpxchg|xadd"), "locked"),
    (re.compile(r"vp?(?:compress|expand|conflict)"), "compression"),
    (re.compile(r"vp?erm|vp?(?:unpck|shuf|blend|align|broadcast)"), "shuffle"),
)


def read(text: str) -> dict[str, Code]:
    """Return the functions of an assembly file, by their symbols."""
    files: dict[str, str] = {}
    functions: dict[str, Code] = {}
    declared: set[str] = set()
    code, place = Code({}, set()), ("", 0)
    for line in text.splitlines():
        if (found := _LABEL.match(line)) is not None:
            name = _bare(found[1])
            if name in declared:
                code, place = functions.setdefault(name, Code({}, set())), ("", 0)
        elif (found := _LOC.match(line)) is not None:
            place = (files.get(found[1], ""), int(found[2])) if int(found[2]) else place
        elif (found := _FILE.match(line)) is not None:
            files[found[1]] = _unescaped(found[2])
        elif (found := _FUNCTION.match(line)) is not None:
            declared.add(_bare(found[1]))
        elif (found := _INSTRUCTION.match(line)) is not None:
            mnemonic, operands = found[1], (found[2] or "").strip()
            kind = _kind(mnemonic, line)
            code.lines.setdefault(place, []).append(Instruction(f"{mnemonic} {operands}".strip(), kind))
            if "(" not in operands or "%rip" in operands:
                code.refers |= {_bare(name) for name in _SYMBOL.findall(operands)}
    return functions


def _kind(mnemonic: str, line: str) -> str:
    if line.endswith(("Spill", "Reload")):
        return "spill"
    return next((kind for pattern, kind in _NOTABLE if pattern.match(mnemonic)), "")


def _bare(symbol: str) -> str:
    return symbol.strip('"').partition("@")[0]


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def by_line(functions: Mapping[str, Code], entries: Collection[str]) -> dict[Place, tuple[Instruction, ...]]:
    """Return the instructions of some functions and of all that these refer to."""
    reached: dict[str, None] = {}
    todo = [name for name in entries if name in functions]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached[name] = None
            todo += sorted(other for other in functions[name].refers if other in functions)
    found: dict[Place, list[Instruction]] = {}
    for name in reached:
        for place, instructions in functions[name].lines.items():
            found.setdefault(place, []).extend(instructions)
    return {place: tuple(instructions) for place, instructions in found.items()}


def notable(instructions: Iterable[Instruction]) -> Counter[str]:
    """Return how many instructions there are of each notable kind."""
    return Counter(instruction.kind for instruction in instructions if instruction.kind)
