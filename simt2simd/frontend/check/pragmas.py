"""Checking pragmas: `#pragma unroll` and `#pragma s2s any_order`."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from pycparser import c_ast

from ...diag import CompileError
from ...lang.builtins import VOTE
from ...lang.ctype import BOOL, is_integer
from ...source import Span
from ...tree.nodes import BuiltinCall, Constant, If, Stmt
from ..parse import parse_constant
from .assembly import Assembly
from .scopes import Reported


class Pragmas(Assembly):
    """The checker's part for pragmas."""

    def pragma(self, node: c_ast.Pragma) -> int | None:
        """Return the count that `#pragma unroll` asks for, 0 without one; None for any other pragma."""
        word, _, operand = _pragma_text(node).strip().partition(" ")
        if word.startswith("unroll("):
            word, operand = "unroll", word.removeprefix("unroll") + operand
        if word != "unroll":
            return None
        if not operand.strip():
            return 0
        try:
            value = self.constant(parse_constant(operand, node.coord))
        except CompileError as error:
            self.faults += error.diagnostics
            return None
        except Reported:
            return None
        if not isinstance(value, Constant) or not is_integer(value.type) or value.value < 1:
            with contextlib.suppress(Reported):
                what = "the operand of '#pragma unroll' must be a positive integer constant"
                self.refuse_constant(node.coord, what)
            return None
        return int(value.value)

    def is_any_order(self, node: c_ast.Pragma) -> bool:
        """Whether a pragma is `#pragma s2s any_order`, the only one of ours."""
        words = _pragma_text(node).split()
        if words[:1] != ["s2s"]:
            return False
        if words != ["s2s", "any_order"]:
            self.report_at(node.coord, f"unknown pragma '#pragma {' '.join(words)}': there is '#pragma s2s any_order'")
        return words == ["s2s", "any_order"]

    def in_any_order(self, pragma: c_ast.Pragma, found: list[Stmt]) -> list[Stmt]:
        """Let the lanes of a gang vote which arm of an `if` they take, all of them."""
        match found:
            case [If(cond=cond) as node]:
                return [replace(node, cond=BuiltinCall(cond.span, BOOL, VOTE, (cond,)))]
        self.report_at(pragma.coord, "'#pragma s2s any_order' must stand before an 'if'")
        return found

    def report_at(self, span: Span, message: str) -> None:
        try:
            self.fail(span, message)
        except Reported:
            return


def _pragma_text(node: c_ast.Pragma) -> str:
    return node.string if isinstance(node.string, str) else str(node.string.value).strip('"')
