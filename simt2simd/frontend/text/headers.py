"""The device versions of the standard headers: C++ text of our own, of which only what a program uses is parsed.

The text is in `include/std/`, in pieces with an empty line between them. Host code has the same text as `cuda::std`.
`include/std_host/` has classes that only host code uses, such as containers: device code has what has them as members.
A piece declares whole names: a look-up of one of them parses the piece. The heads of its declarations are at the
beginnings of lines, except for `template <...>`, which has a line of its own; so a pattern finds the names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from ...source import Source

LIBRARIES = Path(__file__).parents[2] / "include"  # headers of CUDA's libraries, for device code and host code
STANDARD = LIBRARIES / "std"  # device versions of the standard headers; no program includes them by this path
OF_THE_HOST = LIBRARIES / "std_host"  # device versions of those whose classes are the host's
TEXTURES = "s2s_textures.h"  # among them, for device code that uses textures


def read_header(path: str) -> Source:
    """Read a file that a program includes; messages name it relative to the current folder. Raises `OSError`."""
    shown = os.path.relpath(path)
    text = Source.read(path).text
    return Source(path if shown.startswith("..") else shown, text, library=path.startswith(str(LIBRARIES) + os.sep))


_INCLUDE = re.compile(r"^#include <([\w.]+)>$", re.MULTILINE)
_RECORD = re.compile(r"(?:struct|class|union|using|enum class) (\w+)\b(?!<)")
_CONCEPT = re.compile(r"concept (\w+) =")
_NAMESPACE = re.compile(r"namespace (\w+) \{")  # its content is indented, and has no empty lines
_SPECIAL = re.compile(r"struct (\w+)<")
_OTHER = re.compile(
    r"(?:__device__ |(?:__host__ __device__ |inline )*constexpr ).*?(operator[^\s(]+|\b(?!decltype\b)\w+)(?:\(| = )"
)

V = TypeVar("V")


@dataclass(frozen=True, eq=False)
class Piece:
    """Declarations of namespace std, which begin at `line` of `source`.

    `types` are those of `names` that are classes or other names of types, `concepts` those that are concepts, and
    `namespaces` those that are namespaces, which other pieces may extend.
    `special`: templates of which it has cases.
    """

    source: Source
    text: str = field(repr=False)
    line: int
    names: tuple[str, ...]
    types: frozenset[str]
    concepts: frozenset[str]
    namespaces: frozenset[str]
    special: tuple[str, ...]


@cache
def header(name: str) -> tuple[tuple[str, ...], tuple[Piece, ...]]:
    """Return the headers that the device version of a standard header includes, and what it declares."""
    source = Source(f"<{name}>", _device_part(_path(name).read_text(encoding="utf-8")), library=True)
    return tuple(_INCLUDE.findall(source.text)), _pieces(source)


def _path(name: str) -> Path:
    return (OF_THE_HOST if name in headers_of_the_host() else STANDARD) / name


def _device_part(text: str) -> str:
    """Empty the lines that are for host code, and directives: the only condition is `#ifdef __CUDA_ARCH__`."""
    lines, on = [], True
    for line in text.split("\n"):
        directive = line.startswith(("#ifdef", "#else", "#endif", "#pragma"))
        on = line.startswith(("#ifdef", "#endif")) or (on and not line.startswith("#else"))
        lines.append(" " if directive or not on else line)  # no line is empty that was not
    return "\n".join(lines)


def _pieces(source: Source) -> tuple[Piece, ...]:
    """Divide a text into what its names need."""
    pieces: list[Piece] = []
    line = 1
    for text in source.text.split("\n\n"):
        types, concepts = _names(text, _RECORD), _names(text, _CONCEPT)
        namespaces = _names(text, _NAMESPACE)
        names = types + concepts + namespaces + _names(text, _OTHER)
        special = tuple(name for name in _names(text, _SPECIAL) if name not in names)
        if names or special:
            kinds = frozenset(types), frozenset(concepts), frozenset(namespaces)
            pieces.append(Piece(source, text, line, names, *kinds, special))
        line += text.count("\n") + 2
    return tuple(pieces)


def _names(text: str, *patterns: re.Pattern[str]) -> tuple[str, ...]:
    found = [pattern.match(line) for line in text.split("\n") for pattern in patterns]
    return tuple(dict.fromkeys(match[1] for match in found if match is not None))


# The header that is there without being included: functions that nvcc itself knows.
COMPILER = "__compiler"


@cache
def compiler_names() -> frozenset[str]:
    """Return the names that are there without an include."""
    return frozenset(name for piece in header(COMPILER)[1] for name in piece.names)


@cache
def headers() -> frozenset[str]:
    """Return the names of the standard headers that have a device version."""
    return frozenset(path.name for path in STANDARD.iterdir() if path.is_file() and path.name != COMPILER)


@cache
def headers_of_the_host() -> frozenset[str]:
    """Return the names of the standard headers whose device version declares what only host code uses."""
    return frozenset(path.name for path in OF_THE_HOST.iterdir())


# What the headers of libstdc++ include, as far as programs rely on it.
_ALGORITHMS = ("algorithm", "iterator", "limits", "type_traits", "utility")
_INCLUDED = {
    **dict.fromkeys("cmath math.h complex valarray".split(), _ALGORITHMS),
    **dict.fromkeys("iostream istream ostream sstream fstream iomanip".split(), (*_ALGORITHMS, "string")),
    **dict.fromkeys("bitset random".split(), (*_ALGORITHMS, "string")),
    "regex": (*_ALGORITHMS, "string", "vector"),
}


def has_text(name: str) -> bool:
    """True for a standard header of which device code sees something."""
    return _has_file(name) or name in _INCLUDED


def _has_file(name: str) -> bool:
    return name in headers() or name in headers_of_the_host()


@cache
def pieces_of(names: tuple[str, ...]) -> dict[str, tuple[Piece, ...]]:
    """Return what these headers, and those that they include, declare: the pieces for each name."""
    found: dict[str, dict[Piece, None]] = {}
    todo = list(names)
    for name in todo:
        included, pieces = header(name) if name == COMPILER or _has_file(name) else ((), ())
        todo += [one for one in (*included, *_INCLUDED.get(name, ())) if one not in todo and has_text(one)]
        for piece in pieces:
            for declared in (*piece.names, *piece.special):
                found.setdefault(declared, {})[piece] = None
    return {name: tuple(pieces) for name, pieces in found.items()}


def header_of(name: str) -> str | None:
    """Return the header that declares a name of namespace std."""
    of_all = sorted(headers() | headers_of_the_host())
    return next((one for one in of_all if any(name in piece.names for piece in header(one)[1])), None)


class LaterNames(dict[str, V], Generic[V]):
    """The names of namespace std, each of which is declared when it is first looked up: `declare` does it."""

    def __init__(self, library: tuple[str, ...], declare: Callable[[Piece], object]) -> None:
        super().__init__()
        self._library = library
        self._later: dict[str, tuple[Piece, ...]] | None = None
        self._declare = declare
        self._declared: set[Piece] = set()
        self._entering: list[str] = []  # declared by the current pieces: others with these names come after them

    def _look_up(self, name: object) -> None:
        if name in self._entering:
            return
        if self._later is None:
            self._later = pieces_of((*self._library, COMPILER))
        for piece in self._later.get(name, ()) if isinstance(name, str) else ():
            if piece not in self._declared:
                self._declared.add(piece)
                self._entering += piece.names
                self._declare(piece)
                del self._entering[len(self._entering) - len(piece.names) :]

    def __contains__(self, name: object) -> bool:
        self._look_up(name)
        return super().__contains__(name)

    def __getitem__(self, name: str) -> V:
        self._look_up(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None, /) -> Any:
        self._look_up(name)
        return super().get(name, default)
