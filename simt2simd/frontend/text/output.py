"""The text after preprocessing, as it grows token by token, and the origin of each token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .places import Places
from .pp_tokens import PLAIN, would_join
from .preprocessed import Origin


class Mark(NamedTuple):
    """How much there was at some moment: strings, tokens with an origin, characters."""

    strings: int
    tokens: int
    offset: int


class Output:
    """`text` and what belongs to it. `at`: the file and line that a reader of the text expects next."""

    def __init__(self, places: Places, at: tuple[str, int]) -> None:
        self._places = places
        self._strings: list[str] = []
        self.starts: list[int] = []
        self.origins: list[Origin] = []
        self.at = at
        self._before: Any = None
        self._offset, self._fresh = 0, True

    @property
    def text(self) -> str:
        return "".join(self._strings)

    def add(self, token: Any) -> None:
        value: str = token.value
        if self._fresh and (token.source, token.lineno) != self.at:
            self._append(self._marker(token))
        if token.type == PLAIN:
            source = self._places.sources[token.source]
            offset = self._offset
            for line, part in enumerate(value.split("\n")[:-1], token.lineno):
                self.starts.append(offset)
                self.origins.append(Origin(source, line, 1))
                offset += len(part) + 1
            self._append(value)
            self._before, self._fresh, self.at = None, True, (token.source, token.lineno + value.count("\n"))
            return
        if value.isspace():
            self._before = None
        else:
            if self._before is not None and would_join(self._before, token):
                self._append(" ")
            self.starts.append(self._offset)
            self.origins.append(self._places.origin(token))
            self._before = token if value else None
        self._append(value)
        self._fresh = value[-1:] == "\n"
        if self._fresh:
            self.at = (token.source, token.lineno + value.count("\n"))

    def _append(self, string: str) -> None:
        self._strings.append(string)
        self._offset += len(string)

    def _marker(self, token: Any) -> str:
        """Return what brings a reader from line `at` to the line of `token`."""
        skipped: int = token.lineno - self.at[1]
        if token.source == self.at[0] and 0 < skipped < 8:
            return "\n" * skipped
        return f'# {token.lineno} "{self._places.sources[token.source].name}"\n'

    # --------------------------------------------------------------------------------- parts of the text

    def between_lines(self) -> bool:
        """Whether what comes next depends on nothing before it but `at`."""
        return self._fresh and self._before is None

    def mark(self) -> Mark:
        return Mark(len(self._strings), len(self.starts), self._offset)

    def since(self, mark: Mark) -> tuple[str, list[int], list[Origin]]:
        """Return what was added since: the text, where in it tokens begin, and their origins."""
        starts = [start - mark.offset for start in self.starts[mark.tokens :]]
        return "".join(self._strings[mark.strings :]), starts, self.origins[mark.tokens :]

    def extend(self, text: str, starts: Iterable[int], origins: Iterable[Origin], at: tuple[str, int]) -> None:
        """Add what `since` returned; `at` is as it was then."""
        offset = self._offset
        self.starts += [start + offset for start in starts]
        self.origins += origins
        self._append(text)
        self.at = at
