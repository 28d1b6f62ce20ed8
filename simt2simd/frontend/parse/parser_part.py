"""A part of the parser: one kind of construct."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .grammar import Grammar


class ParserPart:
    """A part of the parser. Tokens, and whatever other parts parse, it takes from `p`, the whole parser."""

    def __init__(self, p: Grammar) -> None:
        self.p = p
