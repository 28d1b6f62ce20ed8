"""Which conditions of a loop over a stack exclude each other: comparisons of one variable with numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...lang.ctype import CType, Pointer, Scalar, is_integer
from ...tree import nodes as tree
from ...tree.effects import only_reads
from ...tree.nodes import Variable
from ...tree.same import same_text
from .accesses import FLIPPED

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "!=": operator.ne, "==": operator.eq, ">=": operator.ge, ">": operator.gt, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
_OPPOSITE = {"!=": "==", "==": "!=", ">=": "<", ">": "<=", "<": ">=", "<=": ">"}

Condition = tuple[tree.Expr, bool]  # and whether it holds
Atom = tuple[str, float]  # `variable op number`


def exclude(conditions: Sequence[Condition], variable: Variable) -> bool:
    """Whether conditions cannot hold at once, because of `variable` or because two of them are opposites."""
    parts = [part for condition in conditions for part in _parts(*condition)]
    for i, (cond, holds) in enumerate(parts):
        if any(holds != other and only_reads(cond) and same_text(cond, known) for known, other in parts[:i]):
            return True
    atoms = [atom for cond, holds in parts if (atom := comparison(cond, holds, variable)) is not None]
    # If any number fulfils all comparisons, then one that is named in them does, or one next to such.
    near = {number + step for _, number in atoms for step in (-1, 0, 1)}
    return bool(atoms) and not any(all(COMPARE[op](number, bound) for op, bound in atoms) for number in near)


def _parts(cond: tree.Expr, holds: bool) -> Iterator[Condition]:
    """What holds besides, if a condition holds, or does not hold."""
    match cond:
        case tree.Logical(op=op, left=left, right=right) if (op == "&&") == holds:
            yield from _parts(left, holds)
            yield from _parts(right, holds)
        case tree.Unary(op="!", operand=operand):
            yield from _parts(operand, not holds)
        case _:
            yield cond, holds


def comparison(cond: tree.Expr, holds: bool, variable: Variable) -> Atom | None:
    """Return what a condition says of a whole number or of a pointer, if it compares it with a constant."""
    match cond:
        case tree.Unary(op="!", operand=operand):
            return comparison(operand, not holds, variable)
        case tree.Convert(operand=operand) if _is_whole(operand) and _is(operand, variable):
            return ("!=" if holds else "==", 0)
        case tree.Load() if _is(cond, variable) and isinstance(cond.type, Scalar) and cond.type.kind == "bool":
            return ("!=" if holds else "==", 0)
        case tree.Binary(op=op, left=left, right=right) if op in COMPARE:
            if _is(right, variable):
                left, right, op = right, left, FLIPPED.get(op, op)
            bound = _number(right)
            if not _is(left, variable) or not _is_whole(left) or bound is None:
                return None
            return (op if holds else _OPPOSITE[op], bound)
    return None


def _is(node: tree.Expr, variable: Variable) -> bool:
    return isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef) and node.place.variable is variable


def _is_whole(node: tree.Expr) -> bool:
    return isinstance(node.type, Pointer) or is_integer(node.type)


def _number(node: tree.Expr) -> float | None:
    if isinstance(node, tree.Convert):
        value = _number(node.operand)
        return value if value is not None and _fits(value, node.type) else None
    return node.value if isinstance(node, tree.Constant) and not isinstance(node.value, str) else None


def _fits(value: float, ctype: CType) -> bool:
    """Whether a whole number stays the same as one of a type."""
    if isinstance(ctype, Pointer):
        return value == 0
    if not isinstance(ctype, Scalar) or not is_integer(ctype):
        return False
    low = -(1 << (ctype.bits - 1)) if ctype.signed else 0
    return low <= value < low + (1 << ctype.bits)
