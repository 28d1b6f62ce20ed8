"""An expression in a scope of its own: one element of a pack that is expanded."""

from __future__ import annotations

from pycparser import c_ast

from ....source import Span
from ...parse.words import Node
from ..scopes import Scope


class Bound(c_ast.Node):
    """An expression in a scope of its own."""

    def __init__(self, node: Node, scope: Scope, coord: Span) -> None:
        self.node, self.scope, self.coord = node, scope, coord
