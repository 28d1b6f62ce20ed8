"""Where tokens are: their file, line and column, and for what a macro expanded to also the place in its definition."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from ...source import Expansion, Source, Span
from .headers import read_header
from .plain_text import plain_text, starts_of_lines
from .pp_tokens import Definition
from .preprocessed import Origin


class Places:
    """The files that were read, by path, and the places of tokens in them."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self._read: dict[str, Source | None] = {}
        self._plain: dict[int, str] = {}  # by the id of a source, as are these
        self._line_starts: dict[int, list[int]] = {}
        self._paths: dict[int, str] = {}
        self._expansions: dict[tuple[str, Definition], Expansion | None] = {}
        self._placed_use, self._place_of_use = ("", 0), (0, 0)  # of a macro: its file and place there, line and column

    def add(self, path: str, source: Source) -> None:
        """Make a file known, or the text of it that counts from now on."""
        self.sources[path] = source
        self._paths[id(source)] = path

    def read(self, path: str) -> Source | None:
        """Return a file that a program includes, which is read once; None if it is not there."""
        if path not in self._read:
            try:
                self._read[path] = read_header(path)
            except (OSError, ValueError):  # the latter for what is no path
                self._read[path] = None
        return self._read[path]

    def plain(self, source: Source) -> str:
        """Return the text of a file that was added as the lexer reads it."""
        if id(source) not in self._plain:
            self._plain[id(source)] = plain_text(source.text)
        return self._plain[id(source)]

    def path_of(self, source: Source) -> str:
        return self._paths[id(source)]

    def origin(self, token: Any) -> Origin:
        if token.made_by is None:
            return Origin(self.sources[token.source], *self.place(token.source, token.lexpos))
        use = token.source, token.lexpos
        if use != self._placed_use:  # what a macro expands to has the place of the macro's name
            self._placed_use, self._place_of_use = use, self.place(*use)
        line, column = self._place_of_use
        return Origin(self.sources[token.source], line, column, token.length, self._expansion(token))

    def _expansion(self, token: Any) -> Expansion | None:
        """Return where in the definition of its macro a token is; None for a macro that no file defines."""
        key = token.macro, token.made_by
        if key not in self._expansions:
            span = self.span_of(token.made_by)
            self._expansions[key] = None if span is None else Expansion(token.macro, span)
        return self._expansions[key]

    def span_of(self, place: Definition) -> Span | None:
        """Return where a part of a macro's definition is; None if that is in no file."""
        known = self.sources.get(place.source)
        return None if known is None else Span(known, *self.place(place.source, place.lexpos), place.length)

    def place(self, file: str, lexpos: int) -> tuple[int, int]:
        """Return the line and the column of a place in a file."""
        source = self.sources[file]
        starts = self._line_starts.get(id(source))
        if starts is None:
            starts = self._line_starts[id(source)] = starts_of_lines(self.plain(source))
        line = bisect_right(starts, lexpos)
        return line, lexpos - starts[line - 1] + 1

    def span(self, token: Any) -> Span:
        origin = self.origin(token)
        length = origin.length or len(token.value)
        return Span(origin.source, origin.line, origin.column, length, origin.expansion)
