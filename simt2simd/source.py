"""Source text and positions in it: `Source`, the text of one file, and `Span`, a stretch of one line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """The text of one file, under the name that messages give it. `library`: a header that comes with the compiler."""

    name: str
    text: str = field(repr=False)
    library: bool = field(default=False, repr=False)

    @classmethod
    def read(cls, path: str | Path) -> Source:
        """Read `path` as UTF-8, without a byte-order mark; bytes that are not UTF-8 become U+FFFD. Raises `OSError`."""
        return cls(str(path), Path(path).read_text(encoding="utf-8-sig", errors="replace"))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """Return line `number`, counted from 1; the empty string past the end."""
        return self.lines[number - 1].rstrip("\r") if 1 <= number <= len(self.lines) else ""


@dataclass(frozen=True, init=False)
class Span:
    """A stretch of one source line. `line` and `column` count from 1; `length` is in characters.

    `column` is 0 where only the line is known. What a macro expanded to has the place of the macro's name, and an
    `expansion`.
    """

    source: Source = field(repr=False)
    line: int
    column: int
    length: int = 1
    expansion: Expansion | None = field(default=None, repr=False, compare=False)

    def __init__(
        self, source: Source, line: int, column: int, length: int = 1, expansion: Expansion | None = None
    ) -> None:
        """Fill in the fields as `dataclass` would, in less than half the time: all tokens and nodes have spans."""
        fields = self.__dict__
        fields["source"], fields["line"], fields["column"] = source, line, column
        fields["length"], fields["expansion"] = length, expansion

    def __str__(self) -> str:
        column = f":{self.column}" if self.column else ""
        return f"{self.source.name}:{self.line}{column}"


@dataclass(frozen=True)
class Expansion:
    """The place in the definition of a macro of the text that it expanded to."""

    macro: str
    span: Span


NOWHERE = Span(Source("<built-in>", ""), 0, 0)
