"""What the preprocessor gives: text, and the original place of each token."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ...source import Expansion, Source, Span


class Origin(NamedTuple):
    """The original place of a token; for what a macro expanded to, the macro's name, `length` characters."""

    source: Source
    line: int
    column: int
    length: int = 0  # the token's own
    expansion: Expansion | None = None


@dataclass(frozen=True)
class Preprocessed:
    """The text after preprocessing. `text[i]` for `i` in `starts` begins a token that was at `origins[...]`."""

    source: Source
    text: str = field(repr=False)
    starts: list[int] = field(repr=False)
    origins: list[Origin] = field(repr=False)
    included: dict[str, str | None] = field(default_factory=dict, repr=False)  # text by full path; None: not there
    device_only: bool = False  # no C++ compiler reads the program too
    library: tuple[str, ...] = ()  # the standard headers included that have a device version
    own_cuda_std: bool = False  # headers of the program declare namespace cuda::std, which then is not std
    cplusplus: int = 201703  # the standard, as `__cplusplus` has it

    def token_at(self, offset: int, after: int = -1) -> int:
        """Return the number in `starts` of what `text[offset]` is a part of, -1 before all; perhaps the one `after`."""
        if after + 1 < len(self.starts) and self.starts[after + 1] == offset:
            return after + 1
        return bisect_right(self.starts, offset) - 1

    def span(self, offset: int, length: int) -> Span:
        """Return where the `length` characters at `text[offset]` came from."""
        return self.span_in(self.token_at(offset), offset, length)

    def span_in(self, index: int, offset: int, length: int) -> Span:
        """Return where the `length` characters at `text[offset]` came from, which are a part of token `index`."""
        if index < 0:
            return Span(self.source, 1, 0)
        source, line, column, own_length, expansion = self.origins[index]
        if own_length:
            return Span(source, line, column, own_length, expansion)
        return Span(source, line, column + offset - self.starts[index], length)

    def ends_of_included(self) -> Iterator[tuple[int, int]]:
        """Yield where each stretch of `text` that was in other files than `source` begins and ends."""
        begin: int | None = None
        for start, origin in zip(self.starts, self.origins, strict=True):
            if (origin.source is self.source) == (begin is None):
                continue
            if begin is None:
                begin = start
            else:
                yield begin, start
                begin = None
        if begin is not None:
            yield begin, len(self.text)
