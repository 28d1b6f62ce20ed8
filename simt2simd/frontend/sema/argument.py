"""The arguments of calls, before anybody knows for which parameters."""

from __future__ import annotations

from dataclasses import dataclass

from ...source import Span
from ...tree.nodes import Expr, Place, Temporary
from ..parse.words import Node
from .scopes import Functions


@dataclass(frozen=True)
class Argument:
    """An argument of a call: what it denotes. `term` is None for a braced list and for the name of functions.

    `constant`: it names a const variable, whose value `term` is. `read`: it is the value of a place, as `c ? a : b` is.
    `moved`: it is a place that a cast to `T &&` has made, from which an object may be moved.
    """

    node: Node
    term: Expr | Place | None
    functions: Functions | None = None
    moved: bool = False
    constant: bool = False
    read: bool = False

    @property
    def is_lvalue(self) -> bool:
        if self.constant or self.read:
            return True
        return isinstance(self.term, Place) and not isinstance(self.term, Temporary) and not self.moved

    @property
    def span(self) -> Span:
        return self.node.coord
