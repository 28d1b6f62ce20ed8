"""Finds the programs of a suite, and a sample of them that anybody can name again."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_MAIN = re.compile(r"\bmain\s*\(([^)]*)\)")


@dataclass(frozen=True)
class Check:
    """A self-checking program: its `main` returns 0 where all it found is right. `name`: its path below the folder."""

    name: str
    file: Path


def find_checks(top: Path, pattern: str, parity: int | None = None) -> list[Check]:
    """Return the files that match a pattern and have a `main`, sorted by name.

    `parity`: only those of which the CRC32 of the name, modulo 2, is this.
    """
    found = []
    for file in sorted(top.rglob(pattern)):
        name = file.relative_to(top).as_posix()
        if parity is not None and zlib.crc32(name.encode()) % 2 != parity:
            continue
        if file.is_file() and _MAIN.search(text_of(file)):
            found.append(Check(name, file))
    return found


def sample(checks: Sequence[Check], count: int | None, seed: int) -> list[Check]:
    """Return so many of the programs, always the same for a seed, in their order."""
    if count is None or count >= len(checks):
        return list(checks)
    return sorted(random.Random(seed).sample(list(checks), count), key=lambda check: check.name)


def text_of(file: Path) -> str:
    """Return the text of a file; what is no UTF-8 becomes another character."""
    return file.read_text(encoding="utf-8", errors="replace")


def main_has_parameters(text: str) -> bool:
    """Whether a program's `main` takes the count and the words of its arguments."""
    found = _MAIN.search(text)
    return found is not None and found[1].strip() not in ("", "void")
