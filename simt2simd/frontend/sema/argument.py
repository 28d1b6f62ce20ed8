"""The arguments of calls, before anybody knows for which parameters."""

from __future__ import annotations

from dataclasses import dataclass

from pycparser import c_ast

from ...lang.ctype import Pointer
from ...source import Span
from ...tree.nodes import Deref, Expr, Place
from ...tree.value_category import is_lvalue
from ..parse.words import Node
from .scopes import Functions


def chooses(node: Node) -> bool:
    """Whether an expression may be an lvalue of which the tree has the value: `c ? a : b`, `(a, b)`, `(a = b)`."""
    return isinstance(node, c_ast.TernaryOp | c_ast.ExprList | c_ast.Assignment | c_ast.UnaryOp)


@dataclass(frozen=True)
class Argument:
    """An argument of a call: what it denotes. `term` is None for a braced list and for the name of functions.

    `function`: it names a function, to which `term` points. `read`: it is the value of an lvalue, as `c ? a : b` is.
    `constant`: `term` is the value of a const variable that it names, or of a place that is const.
    """

    node: Node
    term: Expr | Place | None
    functions: Functions | None = None
    constant: bool = False
    read: bool = False
    function: bool = False

    @property
    def is_lvalue(self) -> bool:
        if self.read or self.function:
            return True
        return self.term is not None and is_lvalue(self.term)

    @property
    def denoted(self) -> Expr | Place:
        """What a reference is bound to: of the name of a function, the function itself."""
        assert self.term is not None
        if self.function and not isinstance(self.term, Place) and isinstance(self.term.type, Pointer):
            return Deref(self.span, self.term.type.target, self.term)
        return self.term

    @property
    def span(self) -> Span:
        return self.node.coord
