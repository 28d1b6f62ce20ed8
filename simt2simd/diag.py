"""Diagnostics: what is wrong, where, and the caret printer.

walk.cu:31:9: error: too few arguments to 'visit': 2 given, 3 expected
   31 |         visit(p, node->left);
      |         ^~~~~~~~~~~~~~~~~~~~
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .source import Span


@dataclass(frozen=True)
class Note:
    """A second place that explains the fault."""

    span: Span
    message: str


@dataclass(frozen=True)
class Diagnostic:
    """One fault or remark: where it is, what was found and expected, and how to cure it.

    `breaks_rest`: something is not closed, so that nobody can tell what the text after it is.
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
    line, column = _around(line, span.column)
    gutter = f"{span.line:5d} | "
    quoted = f"{text}\n{gutter}{line}"
    if not column:
        return quoted
    before = "".join("\t" if char == "\t" else " " for char in line[: column - 1])
    width = max(1, min(span.length, len(line) - column + 1))
    return f"{quoted}\n      | {before}^{'~' * (width - 1)}"


def _around(line: str, column: int) -> tuple[str, int]:
    """Return what to show of a line, and where its column is there: of a very long line, the part round it."""
    if len(line) <= 2 * _SHOWN:
        return line, column
    start = max(0, column - _SHOWN // 2)
    dots = "..." if start else ""
    return f"{dots}{line[start : start + _SHOWN]}...", column and column - start + len(dots)


_SHOWN = 400  # characters of a line that is much longer
