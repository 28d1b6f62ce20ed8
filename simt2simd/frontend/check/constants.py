"""Checking constants: what can be computed while the program is compiled."""

from __future__ import annotations

from ...lang.ctype import CType, is_arithmetic
from ...source import Span
from ...tree.nodes import Braces, Constant, Content, Expr
from ..words import Node
from .heap import Heap


class Constants(Heap):
    """The checker's part for constant expressions."""

    def constant(self, node: Node) -> Expr:
        """Check an expression, and compute it now if it is constant."""
        hidden, later = len(self.hidden), list(self.temporaries)
        value = self.value(node)
        known = self.known(value)
        if known is None:
            return value
        del self.hidden[hidden:]
        self.temporaries = later
        return known

    def known(self, value: Expr) -> Constant | None:
        """Return what a value is, if that can be computed now."""
        return value if isinstance(value, Constant) else None

    def constant_data(self, init: Node, ctype: CType, context: str, span: Span) -> tuple[Content, Constant | None]:
        """Return what a constant object holds, and its value if that is a number."""
        initial: Expr | Braces = self.initialiser(init, ctype, context)
        if not isinstance(initial, Braces):
            initial = self.known(initial) or initial
        content = self.content(initial, ctype, span)
        return content, initial if isinstance(initial, Constant) and is_arithmetic(ctype) else None
