"""Checking pragmas: `#pragma unroll`, `#pragma s2s any_order` and `#pragma dp consolidate(...)`."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace

from pycparser import c_ast

from ....diag import CompileError
from ....lang.compiler_calls import VOTE
from ....lang.consolidation import LEVELS, Consolidation
from ....lang.ctype import BOOL, is_integer
from ....source import Span
from ....tree.launches import is_launch
from ....tree.nodes import BuiltinCall, Constant, Evaluate, If, Stmt
from ...parse.parse import parse_constant
from ..context import Part
from ..scopes import Reported

# What is too much for a clause: one allocation is smaller than 8 GiB, and a block has 1024 threads.
_MOST = {"buffer": (8 << 30) - 1, "size": 2**31 - 1, "blocks": 2**31 - 1, "threads": 1024}


class Pragmas(Part):
    """The checker's part for pragmas."""

    def pragma(self, node: c_ast.Pragma) -> int | None:
        """Return the count that `#pragma unroll` asks for, 0 without one; None for any other pragma."""
        word, _, operand = _pragma_text(node).strip().partition(" ")
        if word.startswith("unroll("):
            word, operand = "unroll", word.removeprefix("unroll") + operand
        if word != "unroll":
            return None
        if not operand.strip(" ()"):
            return 0
        try:
            value = self.s.constexpr.constant(parse_constant(operand, node.coord))
        except CompileError as error:
            self.s.diagnostics.faults += error.diagnostics
            return None
        except Reported:
            return None
        if not isinstance(value, Constant) or not is_integer(value.type) or value.value < 1:
            with contextlib.suppress(Reported):
                what = "the operand of '#pragma unroll' must be a positive integer constant"
                self.s.constexpr.refuse_constant(node.coord, what)
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
        self.report_at(pragma.coord, "'#pragma s2s any_order' must precede an 'if'")
        return found

    # --------------------------------------------------------------------------------------- consolidation

    def consolidation(self, node: c_ast.Pragma) -> Consolidation | None:
        """Return what a `#pragma dp consolidate(...)` says; None for other pragmas and for those with faults."""
        word, _, rest = _pragma_text(node).strip().partition(" ")
        if word != "dp":
            return None
        clauses = _clauses(rest)
        if not clauses or clauses[0][0] != "consolidate":
            help = "#pragma dp consolidate(LEVEL) [buffer(BYTES)] [size(ITEMS)] [work(VARIABLES)] [kc(GRIDS)]"
            self.report_at(node.coord, f"unknown pragma '#pragma {f'{word} {rest}'.rstrip()}'", help)
            return None
        try:
            return self._consolidation(clauses, node.coord)
        except Reported:
            return None

    def _consolidation(self, clauses: list[tuple[str, str]], span: Span) -> Consolidation:
        (_, level), *others = clauses
        if level not in LEVELS:
            self.fail(span, f"launches are consolidated by 'warp', 'block', 'grid' or 'auto', not by '{level}'")
        found = Consolidation(level, span=span)
        seen: set[str] = set()
        for name, operand in others:
            if name in seen:
                self.fail(span, f"'{name}(...)' appears twice in '#pragma dp consolidate'")
            seen.add(name)
            found = self._with_clause(found, name, operand, span)
        return found

    def _with_clause(self, so_far: Consolidation, name: str, operand: str, span: Span) -> Consolidation:
        match name:
            case "work":
                names = tuple(part.strip() for part in operand.split(","))
                if not all(map(str.isidentifier, names)):
                    self.fail(
                        span, "'work(...)' names the variables that differ between items, with commas between them"
                    )
                return replace(so_far, work=names)
            case "size" if operand.isidentifier() and any(
                p.name == operand for p in self.s.current.body.function.params
            ):
                return replace(so_far, size=operand)
            case "kc" if operand == "items":
                return replace(so_far, concurrency=0)
            case "kc":
                return replace(so_far, concurrency=self._clause_number(name, operand, span))
            case "buffer" | "size" | "blocks" | "threads":
                number = self._clause_number(name, operand, span)
                if number > _MOST.get(name, number):
                    self.fail(span, f"'{name}({operand})' is too much: {_MOST[name]} at most")
                return replace(so_far, **{name: number})  # type: ignore[arg-type]
        help = "there are buffer(BYTES), size(ITEMS), work(VARIABLES), kc(GRIDS), blocks(COUNT) and threads(COUNT)"
        self.fail(span, f"'#pragma dp consolidate' has no clause '{name}(...)'", help=help)

    def _clause_number(self, name: str, operand: str, span: Span) -> int:
        """Return the number in a clause."""
        try:
            value = self.s.constexpr.constant(parse_constant(operand, span)) if operand else None
        except CompileError as error:
            self.s.diagnostics.faults += error.diagnostics
            raise Reported from None
        if not isinstance(value, Constant) or not is_integer(value.type) or value.value < 1:
            whose = ", or a parameter of the kernel" if name == "size" else ""
            self.fail(span, f"the operand of '{name}(...)' must be a positive integer constant{whose}")
        return int(value.value)

    def consolidated(self, how: Consolidation, found: list[Stmt]) -> list[Stmt]:
        """Let a launch know how it is consolidated."""
        match found:
            case [*before, Evaluate(expr=BuiltinCall() as launch) as node] if is_launch(launch):
                row = replace(launch.builtin, consolidation=how)
                return [*before, replace(node, expr=replace(launch, builtin=row))]
        assert how.span is not None
        self.report_at(how.span, "'#pragma dp consolidate' must precede the launch of a kernel")
        return found

    def require_one(self, first: Consolidation | None, second: Consolidation | None) -> Consolidation | None:
        """Return the pragma that a launch has; it is an error if there are two before it."""
        if first is not None and second is not None:
            assert second.span is not None
            self.report_at(second.span, "'#pragma dp consolidate' appears twice before a launch")
        return second or first

    def refuse_left_over(self, how: Consolidation | None) -> None:
        """Report a pragma that nothing follows."""
        if how is not None:
            self.consolidated(how, [])

    def report_at(self, span: Span, message: str, help: str | None = None) -> None:
        try:
            self.fail(span, message, help=help)
        except Reported:
            return


def _clauses(text: str) -> list[tuple[str, str]]:
    """Return the words and operands of `a(b) c(d)` or `a(b), c(d)`; nothing if the text is something else."""
    found: list[tuple[str, str]] = []
    while text.strip():
        head = re.match(r"\s*,?\s*(\w+)\s*\(" if found else r"\s*(\w+)\s*\(", text)
        end = 0 if head is None else _closing(text, head.end())
        if head is None or end == 0:
            return []
        found.append((head[1], text[head.end() : end].strip()))
        text = text[end + 1 :]
    return found


def _closing(text: str, at: int) -> int:
    """Return where the parenthesis is closed that is open at `at`; 0 if nowhere."""
    depth = 1
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return 0


def _pragma_text(node: c_ast.Pragma) -> str:
    return node.string if isinstance(node.string, str) else str(node.string.value).strip('"')
