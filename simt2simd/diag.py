"""Diagnostics: what is wrong, where, and the caret printer.

walk.cu:31:9: error: too few arguments to 'visit': 2 given, 3 expected
   31 |         visit(p, node->left);
      |         ^~~~~~~~~~~~~~~~~~~~
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from .source import Span


@dataclass(frozen=True)
class Note:
    """A second place that explains the fault. `is_cause`: what is wrong is there."""

    span: Span
    message: str
    is_cause: bool = False


@dataclass(frozen=True)
class Diagnostic:
    """One fault or remark: where it is, what was found and expected, and how to cure it.

    `breaks_rest`: something is not closed, so that the text after it cannot be parsed.
    """

    span: Span
    message: str
    notes: tuple[Note, ...] = ()
    help: str | None = None
    severity: str = "error"  # or "warning", "remark"
    breaks_rest: bool = False

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes; of a fault in what a macro expanded to, one leads to the macro's definition."""
        made = self.span.expansion
        if made is None or self.severity == "remark":
            return self.notes
        return (Note(made.span, f"in the definition of macro '{made.macro}'"), *self.notes)

    def __str__(self) -> str:
        parts = [_header(self.span, self.severity, self.message)]
        parts += [_header(note.span, "note", note.message) for note in self.all_notes]
        if self.help:
            parts.append(f"help: {self.help}")
        return "\n".join(parts)


class CompileError(Exception):
    """The program cannot be compiled; `diagnostics` holds every independent fault, in source order."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = tuple(diagnostics)


class CompileWarning(UserWarning):
    """A program for Python compiles, and something in it is hardly ever meant."""


class ToolError(Exception):
    """Something outside the program is missing or failed: a compiler, a file, a library. The text is for the user."""


class BuildFailed(Exception):
    """Some files of a program have faults; the text is every message about them, ours and the C++ compiler's."""


class InternalError(Exception):
    """The compiler itself failed, in the stage named; the cause is chained."""

    def __init__(self, stage: str, fault: BaseException) -> None:
        super().__init__(f"internal error in stage {stage}: {type(fault).__name__}: {fault}; please report")
        self.stage = stage


def error(span: Span, message: str, *notes: Note, help: str | None = None) -> CompileError:
    """Return the exception for a single fault."""
    return CompileError([Diagnostic(span, message, notes, help)])


def _header(span: Span, severity: str, message: str) -> str:
    text = f"{span}: {severity}: {message}" if span.line else f"{severity}: {message}"
    line = span.source.line(span.line)
    if not line.strip():
        return text
    return "\n".join((text, *_quoted(line, span)))


def _quoted(line: str, span: Span) -> list[str]:
    """Return a line of source with a caret below the span; of a long line, what fits a terminal around it."""
    gutter, room = f"{span.line:5d} | ", max(_LEAST_COLUMNS, _columns() - 8)
    if not span.column:
        begin, end = 0, _fitting(line, 0, room)
        return [f"{gutter}{line if end >= len(line) else line[: _fitting(line, 0, room - 3)] + '...'}"]
    at = min(span.column - 1, len(line))
    length = max(1, min(span.length, len(line) - at))
    begin, end = _window(line, at, at + length, room)
    dots = "..." if begin else ""
    shown = f"{dots}{line[begin:end]}{'...' if end < len(line) else ''}"
    before = dots and "   "
    before += "".join("\t" if char == "\t" else " " * _width(char) for char in line[begin:at])
    marked = sum(map(_width, line[at : min(at + length, end)]))
    return [f"{gutter}{shown}", f"      | {before}^{'~' * (marked - 1)}"]


def _window(line: str, first: int, last: int, room: int) -> tuple[int, int]:
    """Return which characters of a line to show in `room` columns, so that those from `first` to `last` are seen."""
    if _fitting(line, 0, room) >= len(line):
        return 0, len(line)
    room -= 6  # dots on both sides
    begin, spent = first, min(room * 3 // 4, sum(map(_width, line[first:last])))
    before = min(room - spent, room // 2)
    while begin and before >= _width(line[begin - 1]):
        begin -= 1
        before -= _width(line[begin])
    return begin, _fitting(line, begin, room)


def _fitting(line: str, begin: int, room: int) -> int:
    """Return where the part of a line ends that begins at `begin` and fits into `room` columns."""
    end = begin
    while end < len(line) and room >= _width(line[end]):
        room -= _width(line[end])
        end += 1
    return end


def _width(char: str) -> int:
    """Return how many columns a character takes on a terminal, at most."""
    if char.isascii():
        return 8 if char == "\t" else 1
    from unicodedata import combining, east_asian_width

    return 0 if combining(char) else 2 if east_asian_width(char) in "FW" else 1


def _columns() -> int:
    """Return the width of the terminal that messages are printed on; without one, that of an ordinary line."""
    for stream in (sys.stderr, sys.stdout):
        try:
            if stream.isatty():
                return os.get_terminal_size(stream.fileno()).columns or _USUAL_COLUMNS
        except (AttributeError, OSError, ValueError):
            continue
    return _USUAL_COLUMNS


_USUAL_COLUMNS = 100
_LEAST_COLUMNS = 40
