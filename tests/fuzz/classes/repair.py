"""Programs without the lines that the system's C++ compiler refuses.

The generator does not know all rules of overload resolution, conversions and deleted functions; the compiler does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

PLAIN = Path(__file__).parent.parent / "plain"

COMMAND = ["-std=c++17", "-fsyntax-only", "-w", "-x", "c++", f"-I{PLAIN}", "-include", "syntax.h", "-"]

MOST = 12  # times that the compiler is asked


def repaired(lines: Sequence[str]) -> list[str]:
    """Return the program without the lines that are refused; a block goes with its head."""
    compiler = shutil.which("c++")
    left = list(lines)
    for _ in range(MOST if compiler is not None else 0):
        done = subprocess.run([str(compiler), *COMMAND], input="\n".join(left), capture_output=True, text=True)
        if done.returncode == 0:
            break
        found = re.findall(r"^<stdin>:(\d+):(?:\d+:)? (?:error|internal compiler error)", done.stderr, re.MULTILINE)
        at = [int(number) - 1 for number in found]
        heads = [k for k in at if not left[k].startswith("}")] or at  # a '}' too many follows from what is above it
        refused = {k for one in heads for k in _block(left, one)}
        left = [line for k, line in enumerate(left) if k not in refused]
    return left


def _block(lines: Sequence[str], at: int) -> set[int]:
    """Return the line and, if it begins a block, the lines of it; of a `return` at a function's end, the function."""
    if lines[at].lstrip().startswith("return ") and lines[at + 1].lstrip().startswith("}"):
        at += 1
    indent = len(lines[at]) - len(lines[at].lstrip())
    start = at
    if lines[at].lstrip().startswith("}"):
        start = next(k for k in range(at - 1, -1, -1) if len(lines[k]) - len(lines[k].lstrip()) == indent)
    while start > 0 and lines[start - 1].lstrip().startswith("template <"):
        start -= 1
    if lines[at].lstrip().startswith("}"):
        return set(range(start, at + 1))
    if not lines[at].rstrip().endswith("{"):
        return set(range(start, at + 1))
    last = next((k for k in range(at + 1, len(lines)) if lines[k].startswith(" " * indent + "}")), at)
    return set(range(start, last + 1))
